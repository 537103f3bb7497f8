/* cmd_blastp.c - blastp of NCBI BLAST+ 2.12: its output, its exit codes. blastp_options.c has its options, blast_search.c the run. */
#include <string.h>

#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_search.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast/blastp_job.h"

static const char dna_advice[] =
    "blastp searches proteins with proteins. Give translated sequences; 'tamis classify' assigns reads to genomes, 'tamis seeds' finds exact "
    "matches of bases";

static tms_status create(blast_job *b, const struct report_program **program)
{
    blastp_job *job = (blastp_job *)b;
    tms_blastp_params *p = &job->protein.params;
    tms_status status;

    protein_begin(b, p);
    status = tms_blastp_create(b->run.ctx, b->run.db, p, &job->search);
    if (status == TMS_OK)
        blastp_description_init(job->search, p, &job->protein.seg, &job->protein.program);
    *program = &job->protein.program;
    return status;
}

static void destroy(blast_job *b) { tms_blastp_destroy(((blastp_job *)b)->search); }

static tms_status search(blast_job *b, const tms_seqs *seqs, tms_search_results **results)
{
    return tms_blastp_search(((blastp_job *)b)->search, seqs, results);
}

static tms_status scan(blast_job *b, const tms_seqs *seqs, tms_search_found **found)
{
    return tms_blastp_scan(((blastp_job *)b)->search, seqs, found);
}

static tms_status align(blast_job *b, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results)
{
    return tms_blastp_align(((blastp_job *)b)->search, seqs, found, results);
}

static io_status write_stats(blast_job *b, io_error *err)
{
    const blastp_job *job = (blastp_job *)b;
    tms_search_stats counts;
    tms_blastp_info i;

    tms_blastp_get_stats(job->search, &counts);
    tms_blastp_get_info(job->search, &i);
    return blast_stats_write(b, &counts, blast_stats_of_proteins(&job->protein.params, &i, 0, 0), false, err);
}

static double predict(const blast_job *job, const tms_profile *profile, double query_residues, double subject_residues, int on_gpu)
{
    return tms_model_blastp(profile, query_residues, subject_residues, on_gpu ? 0 : tms_context_threads(job->run.ctx));
}

static int check(blast_job *b) { return blastp_check((blastp_job *)b, &b->given); }

static const blast_searcher searcher = {.options = &blastp_options,
                                        .check = check,
                                        .model = predict,
                                        .create = create,
                                        .fail_create = blast_fail_library,
                                        .destroy = destroy,
                                        .search = search,
                                        .scan = scan,
                                        .align = align,
                                        .fail = protein_fail_search,
                                        .write_stats = write_stats};

int blastp_run(int argc, char **argv, struct blast_parts *parts)
{
    blastp_job job;

    memset(&job, 0, sizeof job);
    job.protein.blast.molecule = job.protein.blast.query_molecule = TMS_PROTEIN;
    job.protein.blast.query_advice = job.protein.blast.subject_advice = dna_advice;
    return blast_command(&job.protein.blast, &searcher, argc, argv, parts);
}

int cmd_blastp(int argc, char **argv) { return blastp_run(argc, argv, NULL); }
