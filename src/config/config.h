/* The configuration in force: scheduler arguments and device configuration,
 * parsed and checked. Reading either never touches the database; `verb/config`
 * keeps the accepted text and hands the parsed form to the backends. */
#ifndef DVL_CONFIG_CONFIG_H
#define DVL_CONFIG_CONFIG_H

#include "../manifest/object.h"
#include "../model.h"

/* Data keys of the ConfigMaps that hold a configuration. */
#define DVL_SCHEDULER_KEY "volcano-scheduler.conf"
#define DVL_DEVICES_KEY "device-config.yaml"

/* Resource names that no configuration can change. */
#define DVL_GPUSHARE_MEMORY_RESOURCE "volcano.sh/gpu-memory"
#define DVL_GPUSHARE_NUMBER_RESOURCE "volcano.sh/gpu-number"
#define DVL_VNPU_CORE_RESOURCE "huawei.com/npu-core"

enum dvl_policy { DVL_POLICY_NONE, DVL_POLICY_BINPACK, DVL_POLICY_SPREAD };
enum dvl_profile { DVL_PROFILE_LEDGER, DVL_PROFILE_VOLCANO_1_14 };

/* Labels that a pod must all carry to match. */
struct dvl_exclusive_rule {
    struct dvl_pairs labels;
};

/* The deviceshare arguments of a Volcano scheduler configuration. */
struct dvl_scheduler_config {
    bool gpu_sharing, gpu_number, vgpu, vnpu, hami; /* the five …Enable switches */
    bool node_lock;
    enum dvl_policy policy;
    int64_t weight;
    const char *geometries_name, *geometries_namespace; /* the ConfigMap with device-config.yaml */
    const struct dvl_exclusive_rule *rules;
    size_t rule_count;
    enum dvl_profile profile;
};

/* One kind of instance within a MIG geometry. */
struct dvl_mig_kind {
    const char *name;
    int64_t memory; /* MiB, whatever gpuMemoryFactor is */
    int64_t count;
    int64_t first_position; /* counts of the kinds before it */
};

struct dvl_mig_geometry {
    const char *group;
    const struct dvl_mig_kind *kinds;
    size_t kind_count;
};

/* The geometries that a model allows, in order of the configuration. */
struct dvl_mig_model {
    const char *const *models; /* one of them occurs in the device's type */
    size_t model_count;
    const struct dvl_mig_geometry *geometries;
    size_t geometry_count;
};

struct dvl_nvidia_config {
    const char *count_name, *memory_name, *cores_name; /* resource names, never NULL */
    const char *percentage_name;                       /* NULL: not configured */
    int64_t memory_factor;                             /* 1 unless configured */
    const struct dvl_mig_model *mig;
    size_t mig_count;
};

struct dvl_template {
    const char *name;
    int64_t memory;
    int64_t ai_cores, ai_cpus; /* DVL_UNSET when the configuration does not name them */
};

/* One entry of `vnpus`: one chip kind, one backend `hami-<word>`. */
struct dvl_vnpu_config {
    const char *chip_name, *word;                        /* 910B4-1, Ascend910B4-1 */
    const char *resource_name, *memory_name, *core_name; /* core_name: resource_name + "-core" */
    int64_t memory_allocatable, memory_capacity;
    int64_t ai_cores, ai_cpus;            /* DVL_UNSET when not named */
    const struct dvl_template *templates; /* by memory ascending, then order of the configuration */
    size_t template_count;
};

struct dvl_device_config {
    struct dvl_nvidia_config nvidia;
    bool hami_core; /* vnpus.hamiVnpuCore: nodes slice softly unless their annotation says otherwise */
    const struct dvl_vnpu_config *vnpus;
    size_t vnpu_count;
};

struct dvl_config {
    struct dvl_scheduler_config scheduler;
    struct dvl_device_config devices;
};

/* What holds before any configuration was applied. Cannot fail but for memory. */
enum dvl_status dvl_config_defaults(struct dvl_arena *arena, struct dvl_config *out, struct dvl_error *error);

/* Both read a value: the bare document, a ConfigMap that holds one, or (for
 * the batch protocol) for the scheduler a plain map of `deviceshare.*`
 * arguments, for devices the parsed document. What a file does not name keeps
 * its default. DVL_BAD_INPUT names key and line; *out is then unchanged. */
enum dvl_status dvl_scheduler_config_read(struct dvl_arena *arena, const struct dvl_value *value,
                                          struct dvl_scheduler_config *out, struct dvl_error *error);
enum dvl_status dvl_device_config_read(struct dvl_arena *arena, const struct dvl_value *value,
                                       struct dvl_device_config *out, struct dvl_error *error);

/* Which of the two a value is (bare document or ConfigMap): 's', 'd', or 0
 * when it is neither. */
char dvl_config_kind(const struct dvl_value *value);

/* The text inside a ConfigMap's data key when it is one, to be kept as the
 * config row: answers the inner text, or NULL when value is a bare document. */
const char *dvl_config_inner_text(const struct dvl_value *value);

/* The configuration in force, as a value for `config show` (defaults filled
 * in; per backend its name, upstreamName, lock name, ignoredResources are
 * added by the verb). */
struct dvl_value *dvl_config_render(struct dvl_arena *arena, const struct dvl_config *config);

#endif
