/* profile_machine.c - compares a profile's machine with this one. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "figures/profile_file.h"

static io_status other_machine(const char *name, const char *what, const char *there, const char *here, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0,
                   "%s: measured on another machine (%s: %s there, %s here): measure this one with 'tamis model calibrate'", name, what,
                   there, here[0] != '\0' ? here : "none");
}

static io_status other_number(const char *name, const char *what, uint64_t there, uint64_t here, io_error *err)
{
    char texts[2][24];

    snprintf(texts[0], sizeof texts[0], "%" PRIu64, there);
    snprintf(texts[1], sizeof texts[1], "%" PRIu64, here);
    return other_machine(name, what, texts[0], texts[1], err);
}

/* CUDA writes version 12.4 as 12040. */
static io_status other_driver(const char *name, int32_t there, int32_t here, io_error *err)
{
    char texts[2][32];

    snprintf(texts[0], sizeof texts[0], "CUDA %d.%d", there / 1000, there % 1000 / 10);
    snprintf(texts[1], sizeof texts[1], "CUDA %d.%d", here / 1000, here % 1000 / 10);
    return other_machine(name, "driver", texts[0], texts[1], err);
}

io_status profile_file_check_machine(const char *name, const tms_profile *profile, const tms_machine *here, int gpu, io_error *err)
{
    const tms_machine *there = &profile->machine;

    if (!gpu) {
        if (!profile->has_cpu)
            return io_fail(err, IO_E_INPUT, 0, "%s: the profile has no CPU: measure it with 'tamis model calibrate'", name);
        if (strcmp(there->cpu, here->cpu) != 0)
            return other_machine(name, "CPU", there->cpu, here->cpu, err);
        if (there->n_processors != here->n_processors)
            return other_number(name, "processors", there->n_processors, here->n_processors, err);
        if (there->simd != here->simd)
            return other_machine(name, "instruction set", tms_simd_name((tms_simd)there->simd), tms_simd_name((tms_simd)here->simd), err);
        return IO_OK;
    }
    if (!profile->has_gpu)
        return io_fail(err, IO_E_INPUT, 0, "%s: the profile has no GPU: measure it with 'tamis model calibrate --device cuda'", name);
    if (strcmp(there->gpu, here->gpu) != 0)
        return other_machine(name, "GPU", there->gpu, here->gpu, err);
    if (there->driver_version != here->driver_version)
        return other_driver(name, there->driver_version, here->driver_version, err);
    if (there->n_multiprocessors != here->n_multiprocessors)
        return other_number(name, "multiprocessors", there->n_multiprocessors, here->n_multiprocessors, err);
    if (there->memory_bytes != here->memory_bytes)
        return other_number(name, "bytes of memory", there->memory_bytes, here->memory_bytes, err);
    if (there->l2_bytes != here->l2_bytes)
        return other_number(name, "bytes of L2", there->l2_bytes, here->l2_bytes, err);
    return IO_OK;
}
