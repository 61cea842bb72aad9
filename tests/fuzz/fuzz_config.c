/* Any text → both configurations. What is taken must show a form that reads
 * back to itself, and must keep the bounds that the rest of the program counts
 * on; what is refused must say why, in printable ASCII where it is our text. */
#include "config/config.h"
#include "manifest/manifest.h"
#include "render/json.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A property that does not hold is a crash that the fuzzer keeps. */
static void must(bool holds)
{
    if (!holds)
        abort();
}

static void must_read_back(struct dvl_arena *arena, const struct dvl_config *config)
{
    struct dvl_error error;
    struct dvl_config again;
    struct dvl_value *shown = dvl_config_render(arena, config);
    if (!shown)
        return;
    enum dvl_status scheduler =
        dvl_scheduler_config_read(arena, dvl_value_find(shown, "scheduler"), &again.scheduler, &error);
    enum dvl_status devices = dvl_device_config_read(arena, dvl_value_find(shown, "devices"), &again.devices, &error);
    if (scheduler == DVL_NO_MEMORY || devices == DVL_NO_MEMORY)
        return;
    must(scheduler == DVL_OK && devices == DVL_OK);
    struct dvl_value *second = dvl_config_render(arena, &again);
    struct dvl_buffer one, other;
    dvl_buffer_init(&one);
    dvl_buffer_init(&other);
    dvl_json_write(&one, shown);
    dvl_json_write(&other, second);
    must(!second || one.failed || other.failed || strcmp(one.text, other.text) == 0);
    dvl_buffer_clear(&one);
    dvl_buffer_clear(&other);
}

static void must_keep_bounds(const struct dvl_config *config)
{
    must(config->scheduler.weight >= 0 && config->scheduler.weight <= 1000000);
    must(!(config->scheduler.gpu_sharing && config->scheduler.gpu_number));
    must(!(config->scheduler.vgpu && (config->scheduler.gpu_sharing || config->scheduler.gpu_number)));
    const struct dvl_nvidia_config *nvidia = &config->devices.nvidia;
    must(nvidia->memory_factor >= 1);
    for (size_t i = 0; i < nvidia->mig_count; i++) {
        for (size_t j = 0; j < nvidia->mig[i].geometry_count; j++) {
            const struct dvl_mig_geometry *group = &nvidia->mig[i].geometries[j];
            const struct dvl_mig_kind *last = &group->kinds[group->kind_count - 1];
            must(last->first_position + last->count <= 64);
        }
    }
    for (size_t i = 0; i < config->devices.vnpu_count; i++) {
        const struct dvl_vnpu_config *chip = &config->devices.vnpus[i];
        for (size_t j = 1; j < chip->template_count; j++)
            must(chip->templates[j - 1].memory <= chip->templates[j].memory);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct dvl_arena arena;
    struct dvl_error error;
    struct dvl_config config;
    struct dvl_value *value = NULL;
    dvl_arena_init(&arena, (size_t)64 << 20);
    dvl_error_clear(&error);
    if (dvl_config_defaults(&arena, &config, &error) == DVL_OK &&
        dvl_text_read(&arena, (const char *)data, size, &value, &error) == DVL_OK) {
        dvl_config_kind(value);
        dvl_config_inner_text(value);
        enum dvl_status scheduler = dvl_scheduler_config_read(&arena, value, &config.scheduler, &error);
        must(scheduler == DVL_OK || error.message[0]);
        enum dvl_status devices = dvl_device_config_read(&arena, value, &config.devices, &error);
        must(devices == DVL_OK || error.message[0]);
        must_keep_bounds(&config);
        must_read_back(&arena, &config);
    }
    dvl_arena_clear(&arena);
    return 0;
}
