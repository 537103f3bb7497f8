/*
 * io_profile.h - profiles of machines (tamis/model.h) as files: JSON, with named numbers and curves.
 *
 * io_profile_read() accepts a whole file or refuses it: the file must have every name that this version knows and no other, and all values
 * must be in range. The message names the member at fault.
 */
#ifndef TAMIS_IO_PROFILE_H
#define TAMIS_IO_PROFILE_H

#include <stdint.h>

#include "io/io_error.h"
#include "io/io_safe_file.h"
#include "tamis/model.h"

enum { IO_PROFILE_FORMAT = 1 };

typedef struct io_profile {
    tms_profile profile;
    char date[32]; /* date of the measurement: "2026-01-31" */
} io_profile;

/* io_profile_is() - 1 if a file that begins with these n bytes is a profile. For io_output.is_kind. */
int io_profile_is(const uint8_t *bytes, size_t n);

/*
 * io_profile_write() - append the profile to a file, which the caller commits. Equal profiles give equal bytes.
 * Returns IO_OK; IO_E_OUTPUT, also if a number is not finite; IO_E_MEMORY.
 */
io_status io_profile_write(io_safe_file *file, const io_profile *profile, io_error *err);

/*
 * io_profile_read() - read a profile of this version of tamis (major and minor; kernels do not change within it).
 *   path [in] a plain or compressed file; "-" is standard input
 * Returns IO_OK; IO_E_INPUT if the file is missing, damaged, or of another format or version; the message says which would be accepted;
 * IO_E_MEMORY.
 */
io_status io_profile_read(const char *path, io_profile *out, io_error *err);

/*
 * io_profile_check_machine() - check that a profile was measured on this machine.
 *   name [in] name of the profile, for the message
 *   here [in] this machine. For a GPU set its name, the versions, compute_*, n_multiprocessors, memory_bytes and l2_bytes; for a CPU its
 *             name, n_processors and simd
 *   gpu  [in] 1: compare the GPUs; 0: compare the CPUs
 * Returns IO_OK or IO_E_INPUT.
 */
io_status io_profile_check_machine(const char *name, const tms_profile *profile, const tms_machine *here, int gpu, io_error *err);

#endif
