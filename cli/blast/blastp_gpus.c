/* blastp_gpus.c - see blastp_gpus.h. */
#include "cli/blast/blastp_gpus.h"

#include <stdlib.h>
#include <string.h>

#include "cli/blast/blastp_codes.h"
#include "cli/profile_cache.h"
#include "seqio/seqio_estimate.h"
#include "tamis/model.h"

#define COUNTED_RESIDUES ((uint64_t)1 << 20) /* of queries: some milliseconds */

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

/* Standard input, which may be a file too, can be read once; its titles count. */
static double query_residues(const blastp_job *job, uint64_t bytes)
{
    return strcmp(job->query, "-") == 0 ? (double)bytes : seqio_estimate_residues(job->query, COUNTED_RESIDUES);
}

/* By the profile that is kept of this machine, if there is one. */
static int make_estimate(blastp_job *job, uint64_t query_bytes)
{
    const double residues = query_residues(job, query_bytes);
    blastp_estimate *e = &job->estimate;
    profile_file *kept = malloc(sizeof *kept);
    const tms_profile *profile;
    tms_seqdb_info info;
    tms_machine here;

    if (kept == NULL)
        return cli_fail(job->common.command, CLI_NO_MEMORY, "out of memory");
    profile = tms_model_machine(job->ctx, &here) == TMS_OK && profile_cache_find(&here, kept, e->profile) ? &kept->profile : NULL;
    tms_seqdb_get_info(job->db, &info);
    e->cpu = tms_model_blastp(profile, residues, (double)info.n_residues, tms_context_threads(job->ctx));
    e->gpu = tms_model_blastp(profile, residues, (double)info.n_residues, 0);
    e->takes_gpu = e->gpu < e->cpu;
    e->is_made = 1;
    free(kept);
    return CLI_OK;
}

/*
 * auto takes a GPU if it is faster as far as the last alignments, which the CPU makes in any case; and if queries come from a pipe, since
 * nobody knows how many they are. Clients of blastp pipe few, to several at once.
 */
int blastp_gpus_use(blastp_job *job)
{
    const uint64_t bytes = cli_input_bytes(&job->query, 1);
    int code = CLI_OK, takes_gpu;

    if (job->common.device != TMS_DEVICE_AUTO)
        return CLI_OK;
    if (bytes != UINT64_MAX)
        code = make_estimate(job, bytes);
    takes_gpu = bytes != UINT64_MAX ? job->estimate.takes_gpu : blast_called() == NULL;
    if (code == CLI_OK && takes_gpu)
        code = cli_used_device(&job->common, job->ctx, tms_context_set_device(job->ctx, job->common.device));
    return blast_code(code);
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
