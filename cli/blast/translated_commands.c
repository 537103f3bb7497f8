/*
 * translated_commands.c - blastx, tblastn and tblastx of NCBI BLAST+ 2.12: their output, their exit codes. blastx_options.c and its twins
 * have their options, blast_search.c the run.
 */
#include <string.h>

#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_search.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast/translated_options.h"

/* Describes the program and its search, as blastp_description_init() does. */
static void describe(translated_job *job)
{
    const translated_kind *kind = job->kind;
    const tms_blastp_params *params = &job->protein.params;
    struct report_program *out = &job->protein.program;
    tms_blastp_info info;

    tms_translated_get_info(job->search, &info);
    protein_description_init(&info, params, &job->protein.seg, out);
    out->name = kind->options->command;
    out->version = kind->version;
    out->n_references = 1;
    out->shows_chains = params->ungapped != 0 && job->params.links != 0;
    out->query_molecule = kind->queries;
    out->subject_molecule = kind->subjects;
    out->query_genetic_code = kind->queries == TMS_NUCLEOTIDE ? job->params.query_genetic_code : 0;
    out->subject_genetic_code = kind->subjects == TMS_NUCLEOTIDE ? job->params.db_genetic_code : 0;
    out->compares_masked = kind->subjects == TMS_NUCLEOTIDE && params->composition != TMS_COMPOSITION_OFF && params->soft_masking == 0;
    for (uint8_t q = 0; q < RESIDUE_CODES; q++)
        for (uint8_t s = 0; s < RESIDUE_CODES; s++)
            out->is_positive[q][s] = tms_translated_score(job->search, q, s) > 0;
}

static tms_status create(blast_job *b, const struct report_program **program)
{
    translated_job *job = (translated_job *)b;
    tms_blastp_params *p = &job->protein.params;
    tms_status status;

    protein_begin(b, p);
    status = job->kind->create(b->run.ctx, b->run.db, p, sizeof *p, &job->params, sizeof job->params, &job->search);
    if (status == TMS_OK)
        describe(job);
    *program = &job->protein.program;
    return status;
}

static void destroy(blast_job *b) { tms_translated_destroy(((translated_job *)b)->search); }

static tms_status search(blast_job *b, const tms_seqs *seqs, tms_search_results **results)
{
    return tms_translated_search(((translated_job *)b)->search, seqs, results);
}

static tms_status scan(blast_job *b, const tms_seqs *seqs, tms_search_found **found)
{
    return tms_translated_scan(((translated_job *)b)->search, seqs, found);
}

static tms_status align(blast_job *b, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results)
{
    return tms_translated_align(((translated_job *)b)->search, seqs, found, results);
}

static io_status write_stats(blast_job *b, io_error *err)
{
    const translated_job *job = (translated_job *)b;
    const struct report_program *program = &job->protein.program;
    tms_search_stats counts;
    tms_blastp_info i;

    tms_translated_get_stats(job->search, &counts);
    tms_translated_get_info(job->search, &i);
    return blast_stats_write(b, &counts,
                             blast_stats_of_proteins(&job->protein.params, &i, program->query_genetic_code, program->subject_genetic_code),
                             false, err);
}

/* What a pair of residues takes, relative to blastp, whose words are near more others: measured on an H200 machine, doc/model.md. */
#define CPU_WORK 0.32
#define GPU_WORK 0.43

/* The frames of a base have two residues. */
static double predict(const blast_job *b, const tms_profile *profile, double query_letters, double subject_letters, int on_gpu)
{
    const translated_kind *kind = ((const translated_job *)b)->kind;
    const double queries = kind->queries == TMS_NUCLEOTIDE ? 2 * query_letters : query_letters,
                 subjects = kind->subjects == TMS_NUCLEOTIDE ? 2 * subject_letters : subject_letters;

    return on_gpu ? tms_model_blastp(profile, GPU_WORK * queries, subjects, 0)
                  : tms_model_blastp(profile, CPU_WORK * queries, subjects, tms_context_threads(b->run.ctx));
}

static int check(blast_job *b) { return translated_check((translated_job *)b, &b->given); }

static int run(const translated_kind *kind, int argc, char **argv, struct blast_parts *parts)
{
    const blast_searcher searcher = {.options = kind->options,
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
    translated_job job;

    memset(&job, 0, sizeof job);
    job.kind = kind;
    job.protein.blast.molecule = kind->subjects;
    job.protein.blast.query_molecule = kind->queries;
    job.protein.blast.query_advice = kind->query_advice;
    job.protein.blast.subject_advice = kind->subject_advice;
    return blast_command(&job.protein.blast, &searcher, argc, argv, parts);
}

int blastx_run(int argc, char **argv, struct blast_parts *parts) { return run(&translated_blastx, argc, argv, parts); }
int tblastn_run(int argc, char **argv, struct blast_parts *parts) { return run(&translated_tblastn, argc, argv, parts); }
int tblastx_run(int argc, char **argv, struct blast_parts *parts) { return run(&translated_tblastx, argc, argv, parts); }

int cmd_blastx(int argc, char **argv) { return blastx_run(argc, argv, NULL); }
int cmd_tblastn(int argc, char **argv) { return tblastn_run(argc, argv, NULL); }
int cmd_tblastx(int argc, char **argv) { return tblastx_run(argc, argv, NULL); }
