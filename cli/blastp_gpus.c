/* blastp_gpus.c - see blastp_gpus.h. */
#include "blastp_gpus.h"

#include "blastp_codes.h"

#define SECONDS_A_CELL   1.1e-11 /* a letter of the queries against one of the database, on a thread */
#define SECONDS_TO_START 0.5     /* a GPU, and to leave it, with reserve */

int blastp_gpus_begin(blastp_job *job)
{
    int code = CLI_OK;

    for (size_t i = 0; i < job->devices.n && code == CLI_OK && job->common.device >= 0; i++) {
        job->starts[i].common = job->common;
        job->starts[i].common.device = job->devices.items[i];
        code = device_start_begin(&job->starts[i].start, &job->starts[i].common, 0, 0);
    }
    job->awaits_gpus = code == CLI_OK && job->common.device >= 0;
    return blast_code(code);
}

/* auto takes a GPU if the CPU's first stages would take longer than a GPU takes to start: some tenths of a second in which the CPU would
 * have other work make no difference then. */
int blastp_gpus_use(blastp_job *job)
{
    const uint64_t bytes = cli_input_bytes(&job->query, 1);
    tms_seqdb_info info;
    double seconds;

    if (job->common.device != TMS_DEVICE_AUTO)
        return CLI_OK;
    tms_seqdb_get_info(job->db, &info);
    seconds = SECONDS_A_CELL * (double)bytes * (double)info.n_residues / tms_context_threads(job->ctx);
    if (seconds < SECONDS_TO_START)
        return CLI_OK;
    return blast_code(cli_used_device(&job->common, job->ctx, tms_context_set_device(job->ctx, job->common.device)));
}

int blastp_gpus_wait(blastp_job *job, size_t n)
{
    int code = CLI_OK;

    for (size_t i = 0; i < n && i < job->devices.n && job->awaits_gpus && code == CLI_OK; i++) {
        if (job->starts[i].ctx == NULL)
            code = device_start_end(&job->starts[i].start, &job->starts[i].ctx);
    }
    if (code != CLI_OK)
        job->awaits_gpus = 0;
    return blast_code(code);
}

void blastp_gpus_end(blastp_job *job)
{
    for (size_t i = 0; i < job->devices.n; i++) {
        device_start_close(&job->starts[i].start);
        tms_context_destroy(job->starts[i].ctx);
        job->starts[i].ctx = NULL;
    }
    job->awaits_gpus = 0;
}
