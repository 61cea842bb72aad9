/* Annotation text ↔ records: see codec.h for the grammar.
 *
 * Cuts at ";" first, then at ":", then at ",", then at the bracket: the other
 * way round loses every container but the first (D14). */
#include "codec.h"

#include <inttypes.h>
#include <string.h>

void dvl_record_walk_start(struct dvl_record_walk *walk, const char *base, struct dvl_span part)
{
    *walk = (struct dvl_record_walk){.base = base, .rest = part, .more = true};
}

bool dvl_record_walk_next(struct dvl_record_walk *walk, struct dvl_record *out)
{
    struct dvl_span text;
    if (!dvl_span_cut(&walk->rest, &walk->more, ':', &text))
        return false;
    if (!walk->more && text.length == 0)
        return false;
    *out = (struct dvl_record){.text = text, .position = text.start - walk->base, .closed = walk->more};
    struct dvl_span rest = text, field;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ',', &field)) {
        if (out->field_count < DVL_RECORD_FIELDS)
            out->fields[out->field_count] = field;
        out->field_count++;
    }
    return true;
}

/* ---- Reading a pod's list ---- */

static bool read_amount(struct dvl_span text, int64_t *out)
{
    int64_t number;
    if (!dvl_text_int64(text, &number) || number < 0 || number > INT32_MAX)
        return false;
    *out = number;
    return true;
}

/* uuid[instance] → its two halves; false when the brackets do not pair. */
static bool read_id(struct dvl_span text, struct dvl_list_record *out)
{
    const char *open = text.length ? memchr(text.start, '[', text.length) : NULL;
    const char *close = text.length ? memchr(text.start, ']', text.length) : NULL;
    out->id = text;
    if (!open && !close)
        return true;
    if (!open || !close || close < open || close != text.start + text.length - 1)
        return false;
    out->id.length = (size_t)(open - text.start);
    out->has_instance = true;
    out->instance = (struct dvl_span){.start = open + 1, .length = (size_t)(close - open - 1)};
    return true;
}

static const char *read_fields(const struct dvl_record *record, struct dvl_list_record *out)
{
    if (!read_id(record->fields[0], out))
        return "its brackets do not pair";
    if (record->field_count < 4)
        return "it has fewer than four fields";
    if (!read_amount(record->fields[2], &out->memory))
        return "its memory is not a whole number from 0 to 2147483647";
    if (!read_amount(record->fields[3], &out->cores))
        return "its cores are not a whole number from 0 to 2147483647";
    out->type = record->fields[1];
    out->extra = record->field_count > 4;
    out->empty = out->id.length == 0 && !out->has_instance && out->memory == 0 && out->cores == 0;
    if (out->id.length == 0 && !out->empty)
        return "it names no device";
    return NULL;
}

static size_t count_bytes(const char *text, char byte)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == byte;
    return count;
}

enum dvl_status dvl_device_list_read(struct dvl_arena *arena, const char *text, struct dvl_device_list *out,
                                     struct dvl_error *error)
{
    *out = (struct dvl_device_list){0};
    size_t most = count_bytes(text, ':') + count_bytes(text, ';') + 1;
    out->records = dvl_arena_array(arena, most, sizeof *out->records);
    if (!out->records)
        return dvl_error_memory(error);
    struct dvl_span rest = dvl_span_of(text), part;
    bool more = true;
    while (dvl_span_cut(&rest, &more, ';', &part)) {
        if (!more && part.length == 0)
            break;
        struct dvl_record_walk walk;
        struct dvl_record record;
        dvl_record_walk_start(&walk, text, part);
        while (dvl_record_walk_next(&walk, &record)) {
            struct dvl_list_record *item = &out->records[out->record_count++];
            *item = (struct dvl_list_record){.part = out->part_count,
                                             .text = record.text,
                                             .position = record.position,
                                             .closed = record.closed,
                                             .empty = record.text.length == 0};
            if (!item->empty)
                item->problem = read_fields(&record, item);
            out->unreadable = out->unreadable || item->problem;
        }
        out->part_count++;
    }
    return DVL_OK;
}

/* ---- Parts and containers ---- */

enum part_rule { EVERY_ASKING, ASKING_APPS, EVERY_CONTAINER, EVERY_APP };

static bool has_part(const struct dvl_container *container, bool asks, enum part_rule rule)
{
    switch (rule) {
    case EVERY_ASKING:
        return asks;
    case ASKING_APPS:
        return asks && !container->init;
    case EVERY_CONTAINER:
        return true;
    case EVERY_APP:
        return !container->init;
    }
    return false;
}

static size_t count_parts(const struct dvl_pod *pod, const bool *asks, enum part_rule rule)
{
    size_t count = 0;
    for (size_t i = 0; i < pod->container_count; i++)
        count += has_part(&pod->containers[i], asks[i], rule);
    return count;
}

const struct dvl_container *dvl_device_list_container(const struct dvl_pod *pod, const bool *asks, size_t part_count,
                                                      size_t part)
{
    enum part_rule rule = EVERY_ASKING;
    for (enum part_rule r = EVERY_ASKING; r <= EVERY_APP; r++) {
        if (count_parts(pod, asks, r) == part_count) {
            rule = r;
            break;
        }
    }
    for (size_t i = 0; i < pod->container_count; i++) {
        if (has_part(&pod->containers[i], asks[i], rule) && part-- == 0)
            return &pod->containers[i];
    }
    return NULL;
}

/* ---- Writing ---- */

static void write_slice(struct dvl_buffer *out, const struct dvl_slice *slice, const char *type)
{
    dvl_buffer_text(out, slice->device_name);
    if (slice->mig_group)
        dvl_buffer_format(out, "[%s-%" PRId64 "]", slice->mig_group, slice->mig_position);
    dvl_buffer_format(out, ",%s,%" PRId64 ",%" PRId64 ":", type,
                      slice->memory_asked == DVL_UNSET ? slice->memory : slice->memory_asked, slice->cores);
}

char *dvl_device_list_write(struct dvl_arena *arena, struct dvl_slice *const *slices, size_t count, const char *type,
                            bool closed)
{
    struct dvl_buffer text;
    dvl_buffer_init(&text);
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && slices[i]->container_ordinal != slices[i - 1]->container_ordinal)
            dvl_buffer_char(&text, ';');
        write_slice(&text, slices[i], type);
    }
    if (closed && count > 0)
        dvl_buffer_char(&text, ';');
    char *copy = text.failed ? NULL : dvl_arena_text(arena, text.text);
    dvl_buffer_clear(&text);
    return copy;
}
