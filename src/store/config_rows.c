/* Configuration ↔ rows. The accepted text is the truth; templates, geometries
 * and resource names are written from what it reads to. */
#include "config_rows.h"

#include "../backend/vnpu.h"
#include "rows.h"

#include <string.h>

/* ---- Accepted texts ---- */

static enum dvl_status load(struct dvl_store *store, struct dvl_arena *arena, enum dvl_query query, const char *kind,
                            struct dvl_config_row *out, struct dvl_error *error)
{
    *out = (struct dvl_config_row){0};
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "kind", kind);
    bool row, failed = false;
    status = dvl_statement_step(statement, &row, error);
    if (status != DVL_OK || !row)
        return status;
    out->id = dvl_column_int(statement, "id");
    out->sha256 = dvl_column_copy(statement, arena, "sha256", &failed);
    out->applied_at = dvl_column_int(statement, "applied_at");
    if (query == DVL_QUERY_CONFIG_NEWEST)
        out->text = dvl_column_copy(statement, arena, "text", &failed);
    dvl_statement_done(statement);
    return failed ? dvl_error_memory(error) : DVL_OK;
}

enum dvl_status dvl_config_newest(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                  struct dvl_config_row *out, struct dvl_error *error)
{
    return load(store, arena, DVL_QUERY_CONFIG_NEWEST, kind, out, error);
}

enum dvl_status dvl_config_mark(struct dvl_store *store, struct dvl_arena *arena, const char *kind,
                                struct dvl_config_row *out, struct dvl_error *error)
{
    return load(store, arena, DVL_QUERY_CONFIG_MARK, kind, out, error);
}

enum dvl_status dvl_config_insert(struct dvl_store *store, int64_t now, const char *kind, const char *text,
                                  const char *sha256, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_CONFIG_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "kind", kind);
    dvl_bind_text(statement, "text", text);
    dvl_bind_text(statement, "sha256", sha256);
    dvl_bind_int(statement, "now", now);
    return dvl_statement_run(statement, NULL, error);
}

/* ---- What is derived ---- */

static enum dvl_status run_bare(struct dvl_store *store, enum dvl_query query, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, query, &statement, error);
    return status != DVL_OK ? status : dvl_statement_run(statement, NULL, error);
}

/* A row of vnpu_template. */
struct template_row {
    const char *backend, *chip, *name, *dvpp;
    int64_t memory, ai_cores, ai_cpus;
};

static enum dvl_status insert_template(struct dvl_store *store, const struct template_row *row, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_CONFIG_TEMPLATE_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "backend", row->backend);
    dvl_bind_text(statement, "chip", row->chip);
    dvl_bind_text(statement, "name", row->name);
    dvl_bind_int_or_null(statement, "memory", row->memory);
    dvl_bind_int_or_null(statement, "ai_cores", row->ai_cores);
    dvl_bind_int_or_null(statement, "ai_cpus", row->ai_cpus);
    dvl_bind_text(statement, "dvpp", row->dvpp);
    return dvl_statement_run(statement, NULL, error);
}

/* MindCluster's: the program knows them, no configuration names them. */
static enum dvl_status insert_built_in(struct dvl_store *store, const struct dvl_backend *backend,
                                       struct dvl_error *error)
{
    size_t count;
    const struct dvl_vnpu_template *templates = dvl_vnpu_templates(&count);
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < count && status == DVL_OK; i++) {
        const struct template_row row = {.backend = backend->name,
                                         .chip = templates[i].chip,
                                         .name = templates[i].name,
                                         .dvpp = dvl_vnpu_dvpp_name(templates[i].dvpp),
                                         .memory = DVL_UNSET,
                                         .ai_cores = templates[i].cores,
                                         .ai_cpus = templates[i].cpus};
        status = insert_template(store, &row, error);
    }
    return status;
}

static enum dvl_status insert_configured(struct dvl_store *store, const struct dvl_backend *backend,
                                         struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < backend->chip->template_count && status == DVL_OK; i++) {
        const struct dvl_template *template = &backend->chip->templates[i];
        const struct template_row row = {.backend = backend->name,
                                         .chip = backend->chip->chip_name,
                                         .name = template->name,
                                         .memory = template->memory,
                                         .ai_cores = template->ai_cores,
                                         .ai_cpus = template->ai_cpus};
        status = insert_template(store, &row, error);
    }
    return status;
}

static enum dvl_status derive_templates(struct dvl_store *store, const struct dvl_backends *backends,
                                        struct dvl_error *error)
{
    enum dvl_status status = run_bare(store, DVL_QUERY_CONFIG_TEMPLATES_DELETE, error);
    for (size_t i = 0; i < backends->count && status == DVL_OK; i++) {
        const struct dvl_backend *backend = &backends->items[i];
        if (backend->chip)
            status = insert_configured(store, backend, error);
        else if (backend->ops == &dvl_vnpu_ops)
            status = insert_built_in(store, backend, error);
    }
    return status;
}

static enum dvl_status insert_kind(struct dvl_store *store, const char *model, const struct dvl_mig_geometry *group,
                                   size_t group_ordinal, size_t kind_ordinal, struct dvl_error *error)
{
    const struct dvl_mig_kind *kind = &group->kinds[kind_ordinal];
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_CONFIG_GEOMETRY_INSERT, &statement, error);
    if (status != DVL_OK)
        return status;
    dvl_bind_text(statement, "model", model);
    dvl_bind_int(statement, "group_ordinal", (int64_t)group_ordinal);
    dvl_bind_text(statement, "group_name", group->group);
    dvl_bind_int(statement, "kind_ordinal", (int64_t)kind_ordinal);
    dvl_bind_text(statement, "kind_name", kind->name);
    dvl_bind_int(statement, "memory", kind->memory);
    dvl_bind_int(statement, "count", kind->count);
    dvl_bind_int(statement, "first_position", kind->first_position);
    return dvl_statement_run(statement, NULL, error);
}

static enum dvl_status insert_model(struct dvl_store *store, const struct dvl_mig_model *entry, const char *model,
                                    struct dvl_error *error)
{
    enum dvl_status status = DVL_OK;
    for (size_t i = 0; i < entry->geometry_count; i++) {
        for (size_t j = 0; j < entry->geometries[i].kind_count && status == DVL_OK; j++)
            status = insert_kind(store, model, &entry->geometries[i], i, j, error);
    }
    return status;
}

/* The same model stood in an earlier entry, or earlier in this one: the first counts. */
static bool is_shadowed(const struct dvl_nvidia_config *nvidia, size_t entry, size_t model)
{
    const char *name = nvidia->mig[entry].models[model];
    for (size_t i = 0; i <= entry; i++) {
        size_t count = i < entry ? nvidia->mig[i].model_count : model;
        for (size_t j = 0; j < count; j++) {
            if (strcmp(nvidia->mig[i].models[j], name) == 0)
                return true;
        }
    }
    return false;
}

static enum dvl_status derive_geometries(struct dvl_store *store, const struct dvl_nvidia_config *nvidia,
                                         struct dvl_error *error)
{
    enum dvl_status status = run_bare(store, DVL_QUERY_CONFIG_GEOMETRIES_DELETE, error);
    for (size_t i = 0; i < nvidia->mig_count; i++) {
        const struct dvl_mig_model *entry = &nvidia->mig[i];
        for (size_t j = 0; j < entry->model_count && status == DVL_OK; j++) {
            if (!is_shadowed(nvidia, i, j))
                status = insert_model(store, entry, entry->models[j], error);
        }
    }
    return status;
}

struct resource_names {
    const char *count, *memory, *cores;
};

static struct resource_names names_of(const struct dvl_backend *backend)
{
    const struct dvl_nvidia_config *nvidia = &backend->config->devices.nvidia;
    if (backend->chip)
        return (struct resource_names){backend->chip->resource_name, backend->chip->memory_name,
                                       backend->chip->core_name};
    if (backend->ops == &dvl_vgpu_ops)
        return (struct resource_names){nvidia->count_name, nvidia->memory_name, nvidia->cores_name};
    if (backend->ops == &dvl_vnpu_ops)
        return (struct resource_names){.cores = DVL_VNPU_CORE_RESOURCE};
    return (struct resource_names){.count = DVL_GPUSHARE_NUMBER_RESOURCE, .memory = DVL_GPUSHARE_MEMORY_RESOURCE};
}

static enum dvl_status derive_resources(struct dvl_store *store, const struct dvl_backends *backends,
                                        struct dvl_error *error)
{
    enum dvl_status status = run_bare(store, DVL_QUERY_CONFIG_RESOURCES_DELETE, error);
    for (size_t i = 0; i < backends->count && status == DVL_OK; i++) {
        struct resource_names names = names_of(&backends->items[i]);
        struct dvl_statement *statement;
        status = dvl_statement_take(store, DVL_QUERY_CONFIG_RESOURCE_INSERT, &statement, error);
        if (status != DVL_OK)
            return status;
        dvl_bind_text(statement, "backend", backends->items[i].name);
        dvl_bind_text(statement, "count_name", names.count);
        dvl_bind_text(statement, "memory_name", names.memory);
        dvl_bind_text(statement, "cores_name", names.cores);
        status = dvl_statement_run(statement, NULL, error);
    }
    return status;
}

enum dvl_status dvl_config_derive(struct dvl_store *store, const struct dvl_config *config,
                                  const struct dvl_backends *backends, struct dvl_error *error)
{
    enum dvl_status status = derive_templates(store, backends, error);
    if (status == DVL_OK)
        status = derive_geometries(store, &config->devices.nvidia, error);
    if (status == DVL_OK)
        status = derive_resources(store, backends, error);
    return status;
}

enum dvl_status dvl_config_is_derived(struct dvl_store *store, bool *out, struct dvl_error *error)
{
    struct dvl_statement *statement;
    enum dvl_status status = dvl_statement_take(store, DVL_QUERY_CONFIG_IS_DERIVED, &statement, error);
    if (status != DVL_OK)
        return status;
    bool row = false;
    status = dvl_statement_step(statement, &row, error);
    *out = status == DVL_OK && row && dvl_column_int(statement, "derived") != 0;
    dvl_statement_done(statement);
    return status;
}
