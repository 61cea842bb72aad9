/* What holds before any configuration was applied: the vGPU resources of
 * Volcano's device plugin, and one Ascend 310P entry. */
#include "reader.h"

static const struct dvl_template ascend310p_templates[] = {
    {.name = "vir01", .memory = 3072, .ai_cores = 1, .ai_cpus = 1},
    {.name = "vir02", .memory = 6144, .ai_cores = 2, .ai_cpus = 2},
    {.name = "vir04", .memory = 12288, .ai_cores = 4, .ai_cpus = 4},
};

static const struct dvl_vnpu_config default_vnpus[] = {{
    .chip_name = "310P3",
    .word = "Ascend310P",
    .resource_name = "huawei.com/Ascend310P",
    .memory_name = "huawei.com/Ascend310P-memory",
    .core_name = "huawei.com/Ascend310P-core",
    .memory_allocatable = 21527,
    .memory_capacity = 24576,
    .ai_cores = 8,
    .ai_cpus = 7,
    .templates = ascend310p_templates,
    .template_count = sizeof ascend310p_templates / sizeof ascend310p_templates[0],
}};

void dvl_scheduler_defaults(struct dvl_scheduler_config *out)
{
    *out = (struct dvl_scheduler_config){
        .policy = DVL_POLICY_NONE,
        .geometries_name = "volcano-vgpu-device-config",
        .geometries_namespace = "kube-system",
        .profile = DVL_PROFILE_LEDGER,
    };
}

void dvl_device_defaults(struct dvl_device_config *out)
{
    *out = (struct dvl_device_config){
        .nvidia =
            {
                .count_name = "volcano.sh/vgpu-number",
                .memory_name = "volcano.sh/vgpu-memory",
                .cores_name = "volcano.sh/vgpu-cores",
                .memory_factor = 1,
            },
        .vnpus = default_vnpus,
        .vnpu_count = sizeof default_vnpus / sizeof default_vnpus[0],
    };
}

/* All of it is constant, so nothing is taken from the arena; the contract
 * leaves room for defaults that would be. */
enum dvl_status dvl_config_defaults(struct dvl_arena *arena, struct dvl_config *out, struct dvl_error *error)
{
    (void)arena;
    (void)error;
    dvl_scheduler_defaults(&out->scheduler);
    dvl_device_defaults(&out->devices);
    return DVL_OK;
}
