/*
 * profile_file.h - profiles of machines (tamis/model.h) as JSON files, with numbers and curves by name.
 *
 * A file is read completely or refused: it must have every name that this version of tamis knows and no other, with values in range.
 * Messages name the member that is wrong.
 */
#ifndef TAMIS_PROFILE_FILE_H
#define TAMIS_PROFILE_FILE_H

#include <stdint.h>

#include "io/io_error.h"
#include "io/io_safe_file.h"
#include "tamis/model.h"

enum { PROFILE_FILE_FORMAT = 1 };

typedef struct profile_file {
    tms_profile profile;
    char date[32]; /* when it was measured: "2026-01-31" */
} profile_file;

/* profile_file_is() - do these first bytes begin a profile? For io_output. */
int profile_file_is(const uint8_t *bytes, size_t n);

/*
 * profile_file_write() - appends the profile to a file; the caller commits it. The same profile gives the same bytes.
 * Returns IO_OK; IO_E_OUTPUT, also if a number is not finite; IO_E_MEMORY.
 */
io_status profile_file_write(io_safe_file *file, const profile_file *profile, io_error *err);

/*
 * profile_file_read() - reads a profile of this version of tamis (major and minor: kernels do not change within it).
 *   path [in] plain or compressed; "-" is standard input
 * Returns IO_OK; IO_E_INPUT: the file is missing, damaged, or of another format or version; the message says how to get a usable one;
 * IO_E_MEMORY.
 */
io_status profile_file_read(const char *path, profile_file *out, io_error *err);

/*
 * profile_file_check_machine() - checks that a profile was measured on this machine.
 *   name [in] name of the profile, for the message
 *   here [in] fields that are compared: name of the GPU, versions, n_multiprocessors, memory_bytes and l2_bytes; name of the CPU,
 *             n_processors and simd
 *   gpu  [in] 1: compare the GPUs; 0: the CPUs
 * Returns IO_OK or IO_E_INPUT.
 */
io_status profile_file_check_machine(const char *name, const tms_profile *profile, const tms_machine *here, int gpu, io_error *err);

#endif
