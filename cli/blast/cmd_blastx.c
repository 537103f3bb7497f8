/* cmd_blastx.c - blastx of NCBI BLAST+ 2.12: its output, its exit codes. blastx_options.c has its options, blast_search.c the run. */
#include <string.h>

#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_search.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast/blastx_description.h"
#include "cli/blast/blastx_job.h"

static tms_status create(blast_job *b, const struct report_program **program)
{
    blastx_job *job = (blastx_job *)b;
    tms_blastp_params *p = &job->translation.protein.params;
    tms_status status;

    p->subject_masks = b->run.masks;
    p->subject_masking = b->options.db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    if (b->run.awaits_gpus) {
        p->await_gpu = blast_await_gpu;
        p->await_arg = b;
    }
    status = tms_blastx_create(b->run.ctx, b->run.db, p, &job->params, &job->search);
    if (status == TMS_OK)
        blastx_description_init(job->search, p, &job->translation.protein.seg, job->params.genetic_code, &job->translation.protein.program);
    *program = &job->translation.protein.program;
    return status;
}

static void destroy(blast_job *b) { tms_blastx_destroy(((blastx_job *)b)->search); }

static tms_status search(blast_job *b, const tms_seqs *seqs, tms_search_results **results)
{
    return tms_blastx_search(((blastx_job *)b)->search, seqs, results);
}

static tms_status scan(blast_job *b, const tms_seqs *seqs, tms_search_found **found)
{
    return tms_blastx_scan(((blastx_job *)b)->search, seqs, found);
}

static tms_status align(blast_job *b, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results)
{
    return tms_blastx_align(((blastx_job *)b)->search, seqs, found, results);
}

static io_status write_stats(blast_job *b, io_error *err)
{
    const blastx_job *job = (blastx_job *)b;
    tms_search_stats counts;
    tms_blastp_info i;

    tms_blastx_get_stats(job->search, &counts);
    tms_blastx_get_info(job->search, &i);
    return blast_stats_write(b, &counts, blast_stats_of_proteins(&job->translation.protein.params, &i, job->params.genetic_code), false,
                             err);
}

/* The frames of a base have two residues. The rates are blastp's. */
static double predict(const blast_job *job, const tms_profile *profile, double query_bases, double subject_residues, int on_gpu)
{
    return tms_model_blastp(profile, 2 * query_bases, subject_residues, on_gpu ? 0 : tms_context_threads(job->run.ctx));
}

static int check(blast_job *b) { return blastx_check((blastx_job *)b, &b->given); }

static const blast_searcher searcher = {.options = &blastx_options,
                                        .check = check,
                                        .query_molecule = TMS_NUCLEOTIDE,
                                        .model = predict,
                                        .create = create,
                                        .fail_create = blast_fail_library,
                                        .destroy = destroy,
                                        .search = search,
                                        .scan = scan,
                                        .align = align,
                                        .fail = blast_fail_library,
                                        .write_stats = write_stats};

int blastx_run(int argc, char **argv, struct blast_parts *parts)
{
    blastx_job job;

    memset(&job, 0, sizeof job);
    job.translation.protein.blast.molecule = TMS_PROTEIN;
    return blast_command(&job.translation.protein.blast, &searcher, argc, argv, parts);
}

int cmd_blastx(int argc, char **argv) { return blastx_run(argc, argv, NULL); }
