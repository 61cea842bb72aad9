/* Devices of a node. */
#include "rows.h"

struct device_list {
    struct dvl_arena *arena;
    struct dvl_device_rows *out;
};

static enum dvl_status add_device(void *context, struct dvl_statement *statement, struct dvl_error *error)
{
    struct device_list *list = context;
    void *items = list->out->items;
    struct dvl_device_row *row = dvl_rows_grow(list->arena, &items, &list->out->count, sizeof *row);
    bool failed = false;
    if (!row)
        return dvl_error_memory(error);
    list->out->items = items;
    row->backend = dvl_column_copy(statement, list->arena, "backend", &failed);
    struct dvl_device *device = &row->device;
    device->id = dvl_column_int(statement, "id");
    device->idx = dvl_column_int(statement, "idx");
    device->uuid = dvl_column_copy(statement, list->arena, "uuid", &failed);
    device->type = dvl_column_copy(statement, list->arena, "type", &failed);
    device->mode = dvl_column_copy(statement, list->arena, "mode", &failed);
    device->memory = dvl_column_int_or_unset(statement, "memory");
    device->cores = dvl_column_int_or_unset(statement, "cores");
    device->slots = dvl_column_int_or_unset(statement, "slots");
    device->ai_cores = dvl_column_int_or_unset(statement, "ai_cores");
    device->ai_cpus = dvl_column_int_or_unset(statement, "ai_cpus");
    device->numa = dvl_column_int_or_unset(statement, "numa");
    device->network_id = dvl_column_int_or_unset(statement, "network_id");
    device->healthy = dvl_column_int(statement, "healthy") != 0;
    device->schedulable = dvl_column_int(statement, "schedulable") != 0;
    device->reason = dvl_column_copy(statement, list->arena, "reason", &failed);
    device->removed = !dvl_column_is_null(statement, "removed_at");
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_devices_of_node(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                    struct dvl_device_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_device_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEVICE_OF_NODE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    struct device_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_device, &list, error);
}

enum dvl_status dvl_devices_of_backend(struct dvl_store *store, struct dvl_arena *arena, int64_t node_id,
                                       const char *backend, struct dvl_device_rows *out, struct dvl_error *error)
{
    *out = (struct dvl_device_rows){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEVICE_OF_NODE_BACKEND, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "backend", backend);
    struct device_list list = {.arena = arena, .out = out};
    return dvl_statement_each(statement, add_device, &list, error);
}

static void bind_described(struct dvl_statement *statement, int64_t now, const struct dvl_device *device)
{
    dvl_bind_int(statement, "idx", device->idx);
    dvl_bind_text(statement, "type", device->type);
    dvl_bind_text(statement, "mode", device->mode);
    dvl_bind_int_or_null(statement, "memory", device->memory);
    dvl_bind_int_or_null(statement, "cores", device->cores);
    dvl_bind_int_or_null(statement, "slots", device->slots);
    dvl_bind_int_or_null(statement, "ai_cores", device->ai_cores);
    dvl_bind_int_or_null(statement, "ai_cpus", device->ai_cpus);
    dvl_bind_int_or_null(statement, "numa", device->numa);
    dvl_bind_int_or_null(statement, "network_id", device->network_id);
    dvl_bind_int(statement, "healthy", device->healthy);
    dvl_bind_int(statement, "schedulable", device->schedulable);
    dvl_bind_text(statement, "reason", device->reason);
    dvl_bind_int(statement, "now", now);
}

enum dvl_status dvl_device_insert(struct dvl_store *store, int64_t now, int64_t node_id, const char *backend,
                                  const struct dvl_device *device, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEVICE_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "node_id", node_id);
    dvl_bind_text(statement, "backend", backend);
    dvl_bind_text(statement, "uuid", device->uuid);
    bind_described(statement, now, device);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_device_update(struct dvl_store *store, int64_t now, int64_t id, const struct dvl_device *device,
                                  struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEVICE_UPDATE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    bind_described(statement, now, device);
    return dvl_statement_run(statement, NULL, error);
}

enum dvl_status dvl_device_remove(struct dvl_store *store, int64_t now, int64_t id, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_DEVICE_REMOVE, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_int(statement, "id", id);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}
