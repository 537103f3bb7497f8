/* cmd_tblastn.c - tblastn of NCBI BLAST+ 2.12: its output, its exit codes. tblastn_options.c has its options, blast_search.c the run. */
#include <string.h>

#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_search.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast/tblastn_description.h"
#include "cli/blast/tblastn_job.h"

static tms_status create(blast_job *b, const struct report_program **program)
{
    tblastn_job *job = (tblastn_job *)b;
    tms_blastp_params *p = &job->translation.protein.params;
    tms_status status;

    p->subject_masks = b->run.masks;
    p->subject_masking = b->options.db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    status = tms_tblastn_create(b->run.ctx, b->run.db, p, &job->params, &job->search);
    if (status == TMS_OK)
        tblastn_description_init(job->search, p, &job->translation.protein.seg, job->params.genetic_code,
                                 &job->translation.protein.program);
    *program = &job->translation.protein.program;
    return status;
}

static void destroy(blast_job *b) { tms_tblastn_destroy(((tblastn_job *)b)->search); }

static tms_status search(blast_job *b, const tms_seqs *seqs, tms_search_results **results)
{
    return tms_tblastn_search(((tblastn_job *)b)->search, seqs, results);
}

static tms_status scan(blast_job *b, const tms_seqs *seqs, tms_search_found **found)
{
    return tms_tblastn_scan(((tblastn_job *)b)->search, seqs, found);
}

static tms_status align(blast_job *b, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results)
{
    return tms_tblastn_align(((tblastn_job *)b)->search, seqs, found, results);
}

static io_status write_stats(blast_job *b, io_error *err)
{
    const tblastn_job *job = (tblastn_job *)b;
    tms_search_stats counts;
    tms_blastp_info i;

    tms_tblastn_get_stats(job->search, &counts);
    tms_tblastn_get_info(job->search, &i);
    return blast_stats_write(b, &counts, blast_stats_of_proteins(&job->translation.protein.params, &i, job->params.genetic_code), false,
                             err);
}

static int check(blast_job *b) { return tblastn_check((tblastn_job *)b, &b->given); }

static const blast_searcher searcher = {.options = &tblastn_options,
                                        .check = check,
                                        .query_molecule = TMS_PROTEIN,
                                        .create = create,
                                        .fail_create = blast_fail_library,
                                        .destroy = destroy,
                                        .search = search,
                                        .scan = scan,
                                        .align = align,
                                        .fail = blast_fail_library,
                                        .write_stats = write_stats};

int tblastn_run(int argc, char **argv, struct blast_parts *parts)
{
    tblastn_job job;

    memset(&job, 0, sizeof job);
    job.translation.protein.blast.molecule = TMS_NUCLEOTIDE;
    return blast_command(&job.translation.protein.blast, &searcher, argc, argv, parts);
}

int cmd_tblastn(int argc, char **argv) { return tblastn_run(argc, argv, NULL); }
