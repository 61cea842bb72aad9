/* From what was given to the document: a bare one, or the text that a
 * ConfigMap holds under its data key.
 *
 * The text inside is read a second time, with lines counted from its own
 * beginning; messages name the data key, so that nobody counts in the wrong
 * file. */
#include "reader.h"

#include "../manifest/manifest.h"

#include <string.h>

static bool is_configmap(const struct dvl_value *value)
{
    return dvl_text_same(dvl_value_find_text(value, "kind"), "ConfigMap");
}

/* The value under a data key of a ConfigMap; NULL. */
static const struct dvl_value *data_of(const struct dvl_value *value, const char *key)
{
    return is_configmap(value) ? dvl_value_find(dvl_value_find(value, "data"), key) : NULL;
}

static bool has_argument(const struct dvl_value *map)
{
    for (const struct dvl_value *member = dvl_value_first(map); member; member = member->next) {
        if (member->key && dvl_text_starts(member->key, DVL_ARGUMENT_PREFIX))
            return true;
    }
    return false;
}

char dvl_config_kind(const struct dvl_value *value)
{
    bool scheduler, devices;
    if (is_configmap(value)) {
        scheduler = data_of(value, DVL_SCHEDULER_KEY) != NULL;
        devices = data_of(value, DVL_DEVICES_KEY) != NULL;
    } else {
        scheduler = dvl_value_find(value, "tiers") || dvl_value_find(value, "actions") ||
                    dvl_value_find(value, "configurations") ||
                    (dvl_value_kind(value) == DVL_VALUE_MAP && has_argument(value));
        devices = dvl_value_find(value, "nvidia") || dvl_value_find(value, "vnpus");
    }
    if (scheduler == devices)
        return 0;
    return scheduler ? 's' : 'd';
}

const char *dvl_config_inner_text(const struct dvl_value *value)
{
    char kind = is_configmap(value) ? dvl_config_kind(value) : 0;
    if (kind == 0)
        return NULL;
    const struct dvl_value *data = data_of(value, kind == 's' ? DVL_SCHEDULER_KEY : DVL_DEVICES_KEY);
    return data->kind == DVL_VALUE_STRING ? data->text : NULL;
}

/* Reads the text under `key`, and makes it the source of messages. */
static enum dvl_status open_configmap(struct dvl_config_reader *reader, const struct dvl_value *value, const char *key,
                                      const struct dvl_value **document)
{
    const struct dvl_place data = {.name = "data"};
    const struct dvl_place place = {.in = &data, .name = key};
    const struct dvl_value *text = data_of(value, key);
    if (!text)
        return dvl_config_refuse(reader, &place, value, "is missing in the ConfigMap");
    if (text->kind != DVL_VALUE_STRING || text->length == 0)
        return dvl_config_refuse(reader, &place, text, "holds no text");
    struct dvl_value *inner = NULL;
    enum dvl_status status = dvl_text_read(reader->arena, text->text, text->length, &inner, reader->error);
    if (status == DVL_BAD_INPUT)
        return dvl_error_prefix(reader->error, "data.%s", key);
    reader->source = key;
    *document = inner;
    return status;
}

enum dvl_status dvl_config_open(struct dvl_config_reader *reader, const struct dvl_value *value, const char *key,
                                const struct dvl_value **document)
{
    *document = value;
    if (is_configmap(value)) {
        enum dvl_status status = open_configmap(reader, value, key, document);
        if (status)
            return status;
    }
    return dvl_config_is(reader, NULL, *document, DVL_VALUE_MAP);
}
