/*
 * device_start.h - opens a GPU in a thread of its own. That takes some tenths of a second, in which the command can read input and index a
 * query on the CPU.
 */
#ifndef TAMIS_CLI_DEVICE_START_H
#define TAMIS_CLI_DEVICE_START_H

#include <pthread.h>

#include "cli/cli.h"

typedef struct device_start {
    const cli_common *common;
    tms_context *ctx; /* owned by the thread until it has ended */
    tms_status status;
    pthread_t thread;
    int thread_runs;
} device_start;

/*
 * device_start_begin() - starts to open the device that cli_use_device() would use, in the background.
 *   d [in,out] all zero
 * Returns CLI_OK, also if no GPU is wanted; CLI_NO_MEMORY after a message.
 */
int device_start_begin(device_start *d, const cli_common *common, uint64_t input_bytes, uint64_t filter_bytes);

/*
 * device_start_end() - waits until the device is open.
 *   out [out] a context on the GPU, which the caller destroys with tms_context_destroy(); NULL: no GPU, continue on the CPU
 * Returns as cli_use_device().
 */
int device_start_end(device_start *d, tms_context **out);

void device_start_close(device_start *d); /* in any state, also all zero */

#endif
