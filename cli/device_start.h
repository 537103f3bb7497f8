/*
 * device_start.h - a GPU that is opened by a thread of its own: that takes some tenths of a second, in which input can be read and a
 * query indexed on the CPU.
 */
#ifndef TAMIS_CLI_DEVICE_START_H
#define TAMIS_CLI_DEVICE_START_H

#include <pthread.h>

#include "cli/cli.h"

typedef struct device_start {
    const cli_common *common;
    tms_context *ctx; /* the thread's, until it has ended */
    tms_status status;
    pthread_t thread;
    int thread_runs;
} device_start;

/*
 * device_start_begin() - of zeroes; as cli_use_device(), but in the background.
 * Returns CLI_OK, also where no GPU is wanted; CLI_NO_MEMORY, having said so.
 */
int device_start_begin(device_start *d, const cli_common *common, uint64_t input_bytes, uint64_t filter_bytes);

/*
 * device_start_end() - wait for it.
 *   out [out] a context on the GPU, destroyed with tms_context_destroy(); NULL: there is none, go on with the CPU
 * Returns as cli_use_device().
 */
int device_start_end(device_start *d, tms_context **out);

void device_start_close(device_start *d); /* whatever became of it; zeroed is fine */

#endif
