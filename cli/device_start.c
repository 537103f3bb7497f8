#include "cli/device_start.h"

#include <signal.h>

static void *open_device(void *arg)
{
    device_start *d = arg;

    d->status = tms_context_set_device(d->ctx, d->common->device);
    return NULL;
}

int device_start_begin(device_start *d, const cli_common *common, uint64_t input_bytes, uint64_t filter_bytes)
{
    sigset_t all, before;

    d->common = common;
    if (!cli_wants_gpu(common, input_bytes, filter_bytes))
        return CLI_OK;
    if (tms_context_create(&d->ctx) != TMS_OK)
        return cli_fail(common->command, CLI_NO_MEMORY, "out of memory");
    tms_context_set_batch(d->ctx, (size_t)common->batch_keys);
    sigfillset(&all); /* the first thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    d->thread_runs = pthread_create(&d->thread, NULL, open_device, d) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!d->thread_runs) /* the limit of threads is reached: open the device here */
        open_device(d);
    return CLI_OK;
}

static void wait_for(device_start *d)
{
    if (d->thread_runs)
        pthread_join(d->thread, NULL);
    d->thread_runs = 0;
}

int device_start_end(device_start *d, tms_context **out)
{
    int code;

    *out = NULL;
    if (d->ctx == NULL)
        return CLI_OK;
    wait_for(d);
    code = cli_used_device(d->common, d->ctx, d->status);
    if (code == CLI_OK && tms_context_device(d->ctx) != TMS_DEVICE_CPU) {
        *out = d->ctx;
        d->ctx = NULL;
    }
    device_start_close(d);
    return code;
}

void device_start_close(device_start *d)
{
    wait_for(d);
    tms_context_destroy(d->ctx);
    d->ctx = NULL;
}
