/* blast_search.h - the run of a search program: opens everything, searches batch by batch, writes, and closes. */
#ifndef TAMIS_CLI_BLAST_SEARCH_H
#define TAMIS_CLI_BLAST_SEARCH_H

#include "cli/blast/blast_gpus.h"
#include "cli/blast/blast_job.h"

/* What a program does itself in the run. Each function takes the job of the program. */
typedef struct blast_searcher {
    const option_table *options;
    int (*check)(blast_job *job); /* of the program's own options; returns the exit code, after a message if it is not CLI_OK */
    blast_model *model;           /* for --device auto */

    /*
     * Makes the search; the context, the database and its masks are open. If run.awaits_gpus is set, the search opens GPUs by
     * blast_await_gpu(). *program [out] what reports say of the program, valid until destroy().
     */
    tms_status (*create)(blast_job *job, const struct report_program **program);
    int (*fail_create)(blast_job *job, tms_status status); /* prints why create() has failed; returns the exit code */
    void (*destroy)(blast_job *job);                       /* a search that was not made is fine */

    /*
     * With plan.sets_batches: the size of the next query batch, in residues. It ends with the query that reaches it.
     */
    uint64_t (*batch_residues)(const blast_job *job);
    tms_status (*search)(blast_job *job, const tms_seqs *seqs, tms_search_results **results);
    /* With plan.sets_batches: the state from which the sizes of the next batches follow, as text, and back; false: it is no such text. */
    void (*put_batches)(const blast_job *job, char text[BLAST_BATCHES]);
    bool (*set_batches)(blast_job *job, const char *text);
    tms_status (*scan)(blast_job *job, const tms_seqs *seqs, tms_search_found **found);                               /* for a part */
    tms_status (*align)(blast_job *job, const tms_seqs *seqs, tms_search_found *found, tms_search_results **results); /* of parts */
    int (*fail)(blast_job *job, tms_status status); /* prints why one of these has failed; returns the exit code */

    io_status (*write_stats)(blast_job *job, io_error *err); /* by blast_stats_write() */
} blast_searcher;

/*
 * blast_command() - the program's command: parses its options, checks them, and runs.
 *   job [in,out] the program's own, zeroed but for its molecule and advice
 *   parts [in] as blast_job.parts
 * Returns the exit code, after a message if it is not CLI_OK.
 */
int blast_command(blast_job *job, const blast_searcher *searcher, int argc, char **argv, struct blast_parts *parts);

/* blast_await_gpu() - waits for the GPUs that start in the background, and puts the context on the first; arg: the job. */
tms_status blast_await_gpu(void *arg, tms_context *ctx);

#endif
