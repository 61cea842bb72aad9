/* Device configuration → resource names, geometries, chips.
 *
 * Each section that the document names replaces the default one; one that it
 * does not name, or leaves null, keeps it. Members that are not read (scaling,
 * runtime classes, other vendors' sections) are ignored. */
#include "reader.h"

#include <string.h>

/* Everything that a resource name can stand for; a container's limit must
 * never mean two of them. */
struct use {
    const char *name;              /* the resource */
    const struct dvl_value *owner; /* the map that says it; NULL: built in, or a default */
    const char *member;
    const char *section; /* "nvidia", "vnpus" … */
    size_t index;        /* of the entry in vnpus */
};

struct uses {
    struct use *items;
    size_t count;
};

static void add_use(struct uses *uses, struct use use)
{
    if (use.name)
        uses->items[uses->count++] = use;
}

static void add_fixed(struct uses *uses)
{
    static const char *const names[] = {DVL_GPUSHARE_MEMORY_RESOURCE, DVL_GPUSHARE_NUMBER_RESOURCE,
                                        DVL_VNPU_CORE_RESOURCE};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        add_use(uses, (struct use){.name = names[i]});
}

static void add_nvidia(struct uses *uses, const struct dvl_value *owner, const struct dvl_nvidia_config *nvidia)
{
    const struct use all[] = {
        {nvidia->count_name, owner, "resourceCountName", "nvidia", 0},
        {nvidia->memory_name, owner, "resourceMemoryName", "nvidia", 0},
        {nvidia->percentage_name, owner, "resourceMemoryPercentageName", "nvidia", 0},
        {nvidia->cores_name, owner, "resourceCoreName", "nvidia", 0},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        add_use(uses, all[i]);
}

static void add_chip(struct uses *uses, const struct dvl_value *owner, const struct dvl_vnpu_config *chip, size_t index)
{
    const struct use all[] = {
        {chip->resource_name, owner, "resourceName", "vnpus", index},
        {chip->memory_name, owner, "resourceMemoryName", "vnpus", index},
        {chip->core_name, owner, "resourceName", "vnpus", index},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        add_use(uses, all[i]);
}

static const struct dvl_value *entries_of(const struct dvl_value *document)
{
    const struct dvl_value *section = dvl_config_member(document, "vnpus");
    return dvl_value_kind(section) == DVL_VALUE_MAP ? dvl_value_find(section, "configs") : section;
}

static enum dvl_status refuse_use(const struct dvl_config_reader *reader, const struct use *one,
                                  const struct use *other)
{
    const struct use *blamed = other->owner ? other : one;
    const struct use *first = blamed == other ? one : other;
    const struct dvl_place section = {.name = blamed->section ? blamed->section : ""};
    const struct dvl_place entry = {.in = &section, .index = blamed->index};
    bool chip = dvl_text_same(blamed->section, "vnpus");
    const struct dvl_place place = {.in = chip ? &entry : &section, .name = blamed->member};
    char who[96];
    if (!first->section)
        snprintf(who, sizeof who, "a built-in resource");
    else if (dvl_text_same(first->section, "vnpus"))
        snprintf(who, sizeof who, "vnpus[%zu].%s", first->index, first->member);
    else
        snprintf(who, sizeof who, "%s.%s", first->section, first->member);
    return dvl_config_refuse(reader, &place, dvl_value_find(blamed->owner, blamed->member),
                             "resource %s is taken: %s has it, too", blamed->name, who);
}

static enum dvl_status check_uses(const struct dvl_config_reader *reader, const struct uses *uses)
{
    for (size_t i = 1; i < uses->count; i++) {
        for (size_t j = 0; j < i; j++) {
            if (strcmp(uses->items[i].name, uses->items[j].name) == 0)
                return refuse_use(reader, &uses->items[j], &uses->items[i]);
        }
    }
    return DVL_OK;
}

enum dvl_status dvl_config_names(const struct dvl_config_reader *reader, const struct dvl_value *document,
                                 const struct dvl_device_config *devices)
{
    struct uses uses = {.items = dvl_arena_array(reader->arena, 7 + 3 * devices->vnpu_count, sizeof *uses.items)};
    if (!uses.items)
        return dvl_error_memory(reader->error);
    add_fixed(&uses);
    add_nvidia(&uses, dvl_config_member(document, "nvidia"), &devices->nvidia);
    const struct dvl_value *entry = dvl_value_first(entries_of(document));
    for (size_t i = 0; i < devices->vnpu_count; i++) {
        add_chip(&uses, entry, &devices->vnpus[i], i);
        entry = dvl_value_next(entry);
    }
    return check_uses(reader, &uses);
}

enum dvl_status dvl_device_config_read(struct dvl_arena *arena, const struct dvl_value *value,
                                       struct dvl_device_config *out, struct dvl_error *error)
{
    struct dvl_config_reader reader = {.arena = arena, .error = error};
    const struct dvl_value *document = NULL;
    struct dvl_device_config config;
    dvl_device_defaults(&config);
    enum dvl_status status = dvl_config_open(&reader, value, DVL_DEVICES_KEY, &document);
    if (status)
        return status;
    const struct dvl_value *nvidia = dvl_config_member(document, "nvidia");
    const struct dvl_value *vnpus = dvl_config_member(document, "vnpus");
    if (nvidia)
        status = dvl_config_nvidia(&reader, nvidia, &config.nvidia);
    if (!status && vnpus)
        status = dvl_config_vnpus(&reader, vnpus, &config);
    if (!status)
        status = dvl_config_names(&reader, document, &config);
    if (!status)
        *out = config;
    return status;
}
