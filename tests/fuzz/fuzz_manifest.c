/* Any bytes → objects. What comes out must survive being written as JSON and
 * read again; what is refused must say so in text that a terminal can show. */
#include "manifest/manifest.h"
#include "manifest/quantity.h"
#include "render/json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MEMORY = 64 << 20 };

/* A property that does not hold is a crash that the fuzzer keeps. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

static void must_be_harmless(enum dvl_status status, const struct dvl_error *error)
{
    must(status == DVL_OK || status == DVL_BAD_INPUT || status == DVL_NO_MEMORY);
    if (status == DVL_OK)
        return;
    must(error->status == status && error->message[0]);
    must(dvl_text_utf8_valid(error->message, strlen(error->message)));
    for (const char *at = error->message; *at; at++)
        must((unsigned char)*at >= 0x20 && *at != 0x7F);
}

static void must_read_back(const struct dvl_value *value)
{
    struct dvl_arena arena;
    struct dvl_error error;
    struct dvl_value *again = NULL;
    struct dvl_buffer first, second;
    dvl_arena_init(&arena, MEMORY);
    dvl_buffer_init(&first);
    dvl_buffer_init(&second);
    dvl_json_write(&first, value);
    enum dvl_status status = dvl_json_read(&arena, first.text, first.length, &again, &error);
    must(status == DVL_OK || status == DVL_NO_MEMORY);
    if (status == DVL_OK) {
        dvl_json_write(&second, again);
        must(first.length == second.length && memcmp(first.text, second.text, first.length) == 0);
    }
    dvl_buffer_clear(&first);
    dvl_buffer_clear(&second);
    dvl_arena_clear(&arena);
}

static void must_be_pairs(struct dvl_arena *arena, const struct dvl_pairs *pairs)
{
    struct dvl_error error;
    struct dvl_pairs again;
    int64_t number;
    for (size_t i = 0; i < pairs->count; i++) {
        must(i == 0 || strcmp(pairs->items[i - 1].key, pairs->items[i].key) < 0);
        must(dvl_pairs_get(pairs, pairs->items[i].key) == pairs->items[i].value);
        must(dvl_quantity_whole(pairs->items[i].value, &number) != DVL_QUANTITY_OK || number >= 0);
    }
    const char *json = dvl_pairs_json(arena, pairs);
    if (!json || dvl_pairs_read_json(arena, json, &again, &error) == DVL_NO_MEMORY)
        return;
    const char *second = dvl_pairs_json(arena, &again);
    must(!second || strcmp(json, second) == 0);
}

static void must_be_pod(struct dvl_arena *arena, const struct dvl_pod *pod)
{
    struct dvl_error error;
    struct dvl_pod again = {0};
    must_be_pairs(arena, &pod->annotations);
    for (size_t i = 0; i < pod->container_count; i++) {
        must(pod->containers[i].requests.count >= pod->containers[i].limits.count);
        must_be_pairs(arena, &pod->containers[i].requests);
    }
    const char *json = dvl_containers_json(arena, pod);
    if (!json || dvl_containers_read_json(arena, json, &again, &error) == DVL_NO_MEMORY)
        return;
    const char *second = dvl_containers_json(arena, &again);
    must(!second || strcmp(json, second) == 0);
}

static void must_be_object(struct dvl_arena *arena, const struct dvl_manifest_item *item)
{
    struct dvl_object object;
    struct dvl_error error;
    must_read_back(item->value);
    enum dvl_status status = dvl_object_read(arena, item->value, item->kind_hint, &object, &error);
    must_be_harmless(status, &error);
    if (status != DVL_OK)
        return;
    must(object.name && *object.name && !strchr(object.name, '/') && object.kind_name && *object.kind_name);
    switch (object.kind) {
    case DVL_OBJECT_NODE:
        must_be_pairs(arena, &object.as.node.labels);
        must_be_pairs(arena, &object.as.node.allocatable);
        break;
    case DVL_OBJECT_POD:
        must_be_pod(arena, &object.as.pod);
        break;
    case DVL_OBJECT_CONFIGMAP:
        must_be_pairs(arena, &object.as.configmap.data);
        break;
    case DVL_OBJECT_OTHER:
        break;
    }
}

static void read_file(const uint8_t *data, size_t size)
{
    struct dvl_manifest *manifest = NULL;
    struct dvl_error error;
    struct dvl_arena arena;
    bool got = true;
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL;
    if (!file)
        return;
    dvl_arena_init(&arena, MEMORY);
    enum dvl_status status = dvl_manifest_open(file, "f", &manifest, &error);
    size_t position = 0;
    while (status == DVL_OK && got) {
        struct dvl_manifest_item item;
        status = dvl_manifest_next(manifest, &arena, &item, &got, &error);
        if (status == DVL_OK && got) {
            must(item.position == ++position && item.line > 0);
            must_be_object(&arena, &item);
        }
        dvl_arena_reset(&arena);
    }
    must_be_harmless(status, &error);
    must(status != DVL_BAD_INPUT || strncmp(error.message, "f:", 2) == 0);
    dvl_manifest_close(manifest);
    dvl_arena_clear(&arena);
    fclose(file);
}

static void read_texts(const char *text, size_t size)
{
    struct dvl_arena arena;
    struct dvl_error error;
    struct dvl_value *value = NULL;
    dvl_arena_init(&arena, MEMORY);
    enum dvl_status status = dvl_json_read(&arena, text, size, &value, &error);
    must_be_harmless(status, &error);
    if (status == DVL_OK)
        must_read_back(value);
    status = dvl_yaml_read(&arena, text, size, &value, &error);
    must_be_harmless(status, &error);
    if (status == DVL_OK)
        must_read_back(value);
    dvl_arena_clear(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    read_file(data, size);
    read_texts((const char *)data, size);
    return 0;
}
