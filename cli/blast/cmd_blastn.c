/* cmd_blastn.c - blastn of NCBI BLAST+ 2.12: its output, its exit codes. blastn_options.c has its options, blast_search.c the run. */
#include <stdio.h>
#include <string.h>

#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_search.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast/blastn_description.h"
#include "cli/blast/blastn_job.h"

#define USUAL_BATCH_BASES 1e6 /* of queries: their number follows from what is hit, see blastn/blastn_batches.h */

static tms_status create(blast_job *b, const struct report_program **program)
{
    blastn_job *job = (blastn_job *)b;
    tms_status status;

    job->params.subject_masks = b->run.masks;
    job->params.hides_masked = b->options.db_hard_mask != NULL;
    if (b->run.awaits_gpus) {
        job->params.await_gpu = blast_await_gpu;
        job->params.await_arg = b;
    }
    status = tms_blastn_create(b->run.ctx, b->run.db, &job->params, &job->search);

    if (status == TMS_OK)
        blastn_description_init(job->search, &job->params, &job->program);
    *program = &job->program;
    return status;
}

/* BLAST's engine, not its options, refuses scores and costs without statistics: then the search can be made with the task's own. */
static int fail_create(blast_job *b, tms_status status)
{
    tms_blastn_params p = ((blastn_job *)b)->params;
    const int code = blast_fail_library(b, status);
    tms_blastn *other = NULL;

    p.reward = p.penalty = 0;
    p.gap_open = p.gap_extend = -1;
    if (status == TMS_E_ARG && tms_blastn_create(b->run.ctx, b->run.db, &p, &other) == TMS_OK) {
        tms_blastn_destroy(other);
        return BLAST_ENGINE;
    }
    return code;
}

static void destroy(blast_job *b) { tms_blastn_destroy(((blastn_job *)b)->search); }

/* With -query_loc the sizes count whole queries, although parts of them are searched with. */
static uint64_t batch_residues(const blast_job *b) { return tms_blastn_batch_residues(((const blastn_job *)b)->search); }

static tms_status search(blast_job *b, const tms_seqs *seqs, tms_search_results **results)
{
    return tms_blastn_search(((blastn_job *)b)->search, seqs, results);
}

static void put_batches(const blast_job *b, char text[BLAST_BATCHES])
{
    const tms_blastn *search = ((const blastn_job *)b)->search;

    snprintf(text, BLAST_BATCHES, "%llu %a", (unsigned long long)tms_blastn_batch_residues(search), tms_blastn_batch_rate(search));
}

static bool set_batches(blast_job *b, const char *text)
{
    unsigned long long residues;
    double rate;

    if (sscanf(text, "%llu %la", &residues, &rate) != 2 || residues == 0 || !(rate >= 0))
        return false;
    tms_blastn_set_batches(((blastn_job *)b)->search, residues, rate);
    return true;
}

static tms_status scan(blast_job *b, const tms_seqs *seqs, tms_search_found **found)
{
    return tms_blastn_scan(((blastn_job *)b)->search, seqs, found);
}

static tms_status align(blast_job *b, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results)
{
    return tms_blastn_align(((blastn_job *)b)->search, seqs, found, results);
}

static io_status write_stats(blast_job *b, io_error *err)
{
    static const char *const tasks[] = {[TMS_TASK_MEGABLAST] = "megablast",
                                        [TMS_TASK_BLASTN] = "blastn",
                                        [TMS_TASK_BLASTN_SHORT] = "blastn-short",
                                        [TMS_TASK_DC_MEGABLAST] = "dc-megablast",
                                        [TMS_TASK_RMBLASTN] = "rmblastn"};
    const blastn_job *job = (blastn_job *)b;
    tms_search_stats counts;
    tms_blastn_info i;

    tms_blastn_get_stats(job->search, &counts);
    tms_blastn_get_info(job->search, &i);
    return blast_stats_write(b, &counts,
                             json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:f, s:i, s:I, s:I}", "task", tasks[job->params.task], "reward",
                                       (int)i.reward, "penalty", (int)i.penalty, "gap_open", (int)i.gap_open, "gap_extend",
                                       (int)i.gap_extend, "word_size", (int)i.word_size, "window", (int)i.window, "evalue",
                                       job->params.evalue, "max_target_seqs", (int)job->params.max_target_seqs, "database_sequences",
                                       (json_int_t)i.n_sequences, "database_letters", (json_int_t)i.n_residues),
                             true, err);
}

/* The task that usually has words like those of the search. */
static tms_blastn_task task_of_words(const tms_blastn_params *p)
{
    enum { LONG_WORD = 16, SHORTEST_FOR_GPU = 11 };

    if (p->task == TMS_TASK_DC_MEGABLAST || p->word_size == 0)
        return (tms_blastn_task)p->task;
    return p->word_size >= LONG_WORD ? TMS_TASK_MEGABLAST : p->word_size >= SHORTEST_FOR_GPU ? TMS_TASK_BLASTN : TMS_TASK_BLASTN_SHORT;
}

static double predict(const blast_job *job, const tms_profile *profile, double query_bases, double subject_bases, int on_gpu)
{
    const tms_blastn_params *p = &((const blastn_job *)job)->params;
    const double batch_bases = p->batch_residues > 0 ? (double)p->batch_residues : USUAL_BATCH_BASES;

    (void)profile; /* has no rates of bases */
    return tms_model_blastn(task_of_words(p), query_bases, 1 + query_bases / batch_bases, subject_bases, tms_context_threads(job->run.ctx),
                            on_gpu);
}

static int check(blast_job *b) { return blastn_check((blastn_job *)b, &b->given); }

static const blast_searcher searcher = {.options = &blastn_options,
                                        .check = check,
                                        .model = predict,
                                        .create = create,
                                        .fail_create = fail_create,
                                        .destroy = destroy,
                                        .batch_residues = batch_residues,
                                        .search = search,
                                        .put_batches = put_batches,
                                        .set_batches = set_batches,
                                        .scan = scan,
                                        .align = align,
                                        .fail = blast_fail_library,
                                        .write_stats = write_stats};

int blastn_run(int argc, char **argv, struct blast_parts *parts)
{
    blastn_job job;

    memset(&job, 0, sizeof job);
    job.blast.molecule = job.blast.query_molecule = TMS_NUCLEOTIDE;
    return blast_command(&job.blast, &searcher, argc, argv, parts);
}

int cmd_blastn(int argc, char **argv) { return blastn_run(argc, argv, NULL); }
