/* blast_gpus.c - see blast_gpus.h. */
#include "cli/blast/blast_gpus.h"

#include <stdlib.h>
#include <string.h>

#include "cli/blast/blast_codes.h"
#include "cli/profile_cache.h"
#include "seqio/seqio_estimate.h"
#include "tamis/model.h"

#define COUNTED_RESIDUES ((uint64_t)1 << 20) /* of the queries; counting takes some milliseconds */

int blast_gpus_begin(blast_job *job)
{
    int code = CLI_OK;

    for (size_t i = 0; i < job->options.devices.n && code == CLI_OK && job->common.device >= 0; i++) {
        job->run.gpus[i].common = job->common;
        job->run.gpus[i].common.device = job->options.devices.items[i];
        code = device_start_begin(&job->run.gpus[i].start, &job->run.gpus[i].common, 0, 0);
    }
    job->run.awaits_gpus = code == CLI_OK && job->common.device >= 0;
    return blast_code(code);
}

/* An estimate of the residues of all queries. Standard input, even if it is a file, can be read only once: there it is the number of bytes,
 * with those of titles. */
static double query_residues(const blast_job *job, uint64_t bytes)
{
    return strcmp(job->options.query, "-") == 0 ? (double)bytes : seqio_estimate_residues(job->options.query, COUNTED_RESIDUES);
}

/* Estimates by the profile of this machine, if there is one: a cell has its share of the queries and of the database. */
static int make_estimate(blast_job *job, blast_model *model, uint64_t query_bytes)
{
    const struct blast_grid *grid = &job->plan.grid;
    const double queries = query_residues(job, query_bytes) / (double)grid->n_query_shards;
    double subjects;
    blast_estimate *e = &job->run.estimate;
    profile_file *kept = malloc(sizeof *kept);
    const tms_profile *profile;
    tms_seqdb_info info;
    tms_machine here;

    if (kept == NULL)
        return cli_fail(job->common.command, CLI_NO_MEMORY, "out of memory");
    profile = tms_model_machine(job->run.ctx, &here) == TMS_OK && profile_cache_find(&here, kept, e->profile) ? &kept->profile : NULL;
    tms_seqdb_get_info(job->run.db, &info);
    subjects = (double)info.n_residues / (double)grid->n_shards;
    e->cpu = model(job, profile, queries, subjects, 0);
    e->gpu = model(job, profile, queries, subjects, 1);
    e->takes_gpu = e->gpu < e->cpu;
    e->is_made = 1;
    free(kept);
    return CLI_OK;
}

/*
 * auto takes a GPU if that makes the stages before traceback faster (how many alignments will follow is unknown), or if queries come from a
 * pipe, since their number is unknown. Called as a BLAST+ program, tamis does not take one for a pipe: clients pipe few queries, to several
 * processes at once.
 */
int blast_gpus_use(blast_job *job, blast_model *model)
{
    const uint64_t bytes = cli_input_bytes(&job->options.query, 1);
    int code = CLI_OK, takes_gpu;

    if (job->common.device != TMS_DEVICE_AUTO)
        return CLI_OK;
    if (bytes != UINT64_MAX)
        code = make_estimate(job, model, bytes);
    takes_gpu = bytes != UINT64_MAX ? job->run.estimate.takes_gpu : blast_called() == NULL;
    if (code == CLI_OK && takes_gpu)
        code = cli_used_device(&job->common, job->run.ctx, tms_context_set_device(job->run.ctx, job->common.device));
    return blast_code(code);
}

int blast_gpus_wait(blast_job *job, size_t n)
{
    int code = CLI_OK;

    for (size_t i = 0; i < n && i < job->options.devices.n && job->run.awaits_gpus && code == CLI_OK; i++) {
        if (job->run.gpus[i].ctx == NULL)
            code = device_start_end(&job->run.gpus[i].start, &job->run.gpus[i].ctx);
    }
    if (code != CLI_OK)
        job->run.awaits_gpus = 0;
    return blast_code(code);
}

void blast_gpus_end(blast_job *job)
{
    for (size_t i = 0; i < job->options.devices.n; i++) {
        device_start_close(&job->run.gpus[i].start);
        tms_context_destroy(job->run.gpus[i].ctx);
        job->run.gpus[i].ctx = NULL;
    }
    job->run.awaits_gpus = 0;
}
