/* Cards cut by MIG: geometries, instances, and which one a request gets.
 *
 * A geometry is a named group of instance kinds. Instances have positions
 * within their group: those of the first kind come first. Which geometry a card
 * is cut by follows from the instances in use and from nothing else, so that a
 * card without any is open to all of them again (D8). */
#include "vgpu.h"

#include <string.h>

const struct dvl_mig_model *dvl_mig_model_of(const struct dvl_nvidia_config *config, const char *type)
{
    if (!type)
        return NULL;
    for (size_t i = 0; i < config->mig_count; i++) {
        for (size_t m = 0; m < config->mig[i].model_count; m++) {
            if (strstr(type, config->mig[i].models[m]))
                return &config->mig[i];
        }
    }
    return NULL;
}

const struct dvl_mig_geometry *dvl_mig_geometry_of(const struct dvl_mig_model *model, struct dvl_span group)
{
    for (size_t i = 0; i < model->geometry_count; i++) {
        if (dvl_span_is(group, model->geometries[i].group))
            return &model->geometries[i];
    }
    return NULL;
}

const struct dvl_mig_kind *dvl_mig_kind_at(const struct dvl_mig_geometry *geometry, int64_t position)
{
    for (size_t i = 0; i < geometry->kind_count; i++) {
        const struct dvl_mig_kind *kind = &geometry->kinds[i];
        if (position >= kind->first_position && position - kind->first_position < kind->count)
            return kind;
    }
    return NULL;
}

int64_t dvl_mig_memory(const struct dvl_mig_kind *kind, const struct dvl_nvidia_config *config)
{
    return config->memory_factor > 1 ? kind->memory / config->memory_factor : kind->memory;
}

/* D29: group names may contain "-"; the position is what follows the last one. */
bool dvl_mig_instance_read(struct dvl_span text, struct dvl_span *group, int64_t *position)
{
    const char *dash = text.length ? memrchr(text.start, '-', text.length) : NULL;
    if (!dash || dash == text.start)
        return false;
    struct dvl_span digits = {.start = dash + 1, .length = (size_t)(text.start + text.length - dash - 1)};
    if (digits.length == 0 || digits.start[0] == '+')
        return false;
    int64_t number;
    if (!dvl_text_int64(digits, &number) || number > DVL_VGPU_MOST)
        return false;
    *group = (struct dvl_span){.start = text.start, .length = (size_t)(dash - text.start)};
    *position = number;
    return true;
}

/* ---- Choosing ---- */

/* The one group that all instances in use belong to; NULL when none is in use
 * or when they clash. */
static const char *group_in_use(const struct dvl_mig_use *uses, size_t count, bool *clash)
{
    *clash = false;
    for (size_t i = 1; i < count; i++)
        *clash = *clash || strcmp(uses[i].group, uses[0].group) != 0;
    return count > 0 && !*clash ? uses[0].group : NULL;
}

/* *out: the lowest position of the kind that nobody uses, -1 when there is none. */
static enum dvl_status find_position(const struct dvl_mig_question *question, const struct dvl_mig_kind *kind,
                                     struct dvl_arena *arena, int64_t *out)
{
    /* Among the first use_count + 1 positions one is free, if there are so many. */
    size_t most = question->use_count + 1, room = kind->count < (int64_t)most ? (size_t)kind->count : most;
    bool *taken = dvl_arena_array(arena, room, sizeof *taken);
    if (!taken)
        return DVL_NO_MEMORY;
    for (size_t i = 0; i < question->use_count; i++) {
        int64_t within = question->uses[i].position - kind->first_position;
        if (within >= 0 && within < (int64_t)room)
            taken[within] = true;
    }
    *out = -1;
    for (size_t i = 0; i < room && *out < 0; i++) {
        if (!taken[i])
            *out = kind->first_position + (int64_t)i;
    }
    return DVL_OK;
}

/* D9: the smallest kind with a free position that is big enough, also one that
 * is not in use yet; among equals the first of the configuration. */
static enum dvl_status choose_within(const struct dvl_mig_question *question, const struct dvl_mig_geometry *geometry,
                                     int64_t wanted, struct dvl_arena *arena, struct dvl_mig_choice *out)
{
    for (size_t i = 0; i < geometry->kind_count; i++) {
        const struct dvl_mig_kind *kind = &geometry->kinds[i];
        int64_t position;
        if (kind->memory < wanted || (out->kind && kind->memory >= out->kind->memory))
            continue;
        if (find_position(question, kind, arena, &position) != DVL_OK)
            return DVL_NO_MEMORY;
        if (position >= 0) {
            out->geometry = geometry;
            out->kind = kind;
            out->position = position;
        }
    }
    return DVL_OK;
}

enum dvl_status dvl_mig_choose(const struct dvl_mig_question *question, struct dvl_arena *arena,
                               struct dvl_mig_choice *out, struct dvl_error *error)
{
    *out = (struct dvl_mig_choice){0};
    out->group = group_in_use(question->uses, question->use_count, &out->clash);
    int64_t wanted;
    if (out->clash || __builtin_mul_overflow(question->need, question->factor > 1 ? question->factor : 1, &wanted))
        return DVL_OK;
    bool known = false;
    for (size_t i = 0; i < question->model->geometry_count && !out->geometry; i++) {
        const struct dvl_mig_geometry *geometry = &question->model->geometries[i];
        if (out->group && strcmp(out->group, geometry->group) != 0)
            continue;
        known = true;
        if (choose_within(question, geometry, wanted, arena, out) != DVL_OK)
            return dvl_error_memory(error);
    }
    out->clash = out->group && !known;
    return DVL_OK;
}
