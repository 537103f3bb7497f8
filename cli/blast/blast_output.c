/* blast_output.c - see blast_output.h. */
#include "cli/blast/blast_output.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blast_stats.h"
#include "cli/blast_names.h"

/* ---- signals ---------------------------------------------------------------------------------------------------- */

/* For end_by_signal(). */
static io_resumable *_Atomic interruptible;
static const blast_job *_Atomic interrupted_job;

static void say_plainly(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));

    (void)n; /* a failure cannot be reported */
}

static void say_number(uint64_t number)
{
    char digits[24], *at = digits + sizeof digits - 1;

    for (*at = '\0'; at == digits + sizeof digits - 1 || number > 0; number /= 10)
        *--at = (char)('0' + number % 10);
    say_plainly(at);
}

static void say_interrupted(const blast_job *job, uint64_t n_safe, int has_checkpoint)
{
    say_plainly(job->run.progress.is_drawn ? "\r\033[K" : "");
    say_plainly("tamis ");
    say_plainly(job->common.command);
    say_plainly(": ");
    if (n_safe == 0) {
        say_plainly("interrupted before the first result\n");
        return;
    }
    say_plainly("interrupted after ");
    say_number(n_safe);
    say_plainly(n_safe == 1 ? " query" : " queries");
    say_plainly(has_checkpoint ? "; --resume continues\n" : ", whose results are written; --resume needs -out FILE\n");
}

/* Prints the number of finished queries, and ends by the signal, as the parent expects. Calls only functions that a handler may call. */
static void end_by_signal(int sig)
{
    io_resumable *output = interruptible;
    const blast_job *job = interrupted_job;

    if (output != NULL) {
        int has_checkpoint;
        const uint64_t n_safe = io_resumable_interrupted(output, &has_checkpoint);
        if (!job->common.quiet)
            say_interrupted(job, n_safe, has_checkpoint);
    }
    io_safe_file_remove_temporary();
    signal(sig, SIG_DFL);
    raise(sig);
}

/* The caller must call this before io_safe_file.h sets its own handler. */
static void handle_signals(const blast_job *job)
{
    static const int signals[] = {SIGINT, SIGTERM};
    struct sigaction action, old;

    interrupted_job = job;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* an ignored signal stays ignored */
            (void)sigaction(signals[i], &action, NULL);
    }
}

/* ---- the output ------------------------------------------------------------------------------------------------- */

/* The database and the options that change the output: --resume compares them with those of the checkpoint. */
static io_status add_purpose(const blast_job *job, struct byte_array *to, io_error *err)
{
    enum { MOST = 4096 };
    const struct blast_grid *grid = &job->plan.grid;
    char text[MOST];
    tms_seqdb_info info;
    int n;

    tms_seqdb_get_info(job->run.db, &info);
    n = snprintf(text, sizeof text, "tamis %s, %llu sequences of %llu letters:", job->common.command, (unsigned long long)info.n_sequences,
                 (unsigned long long)info.n_residues);
    if (grid->n_query_shards > 1)
        n += snprintf(text + n, sizeof text - (size_t)n, " query shard %llu/%llu:", (unsigned long long)grid->query_shard + 1,
                      (unsigned long long)grid->n_query_shards);
    if (!byte_array_add(to, text, (size_t)n))
        return io_fail_memory(err, "a checkpoint");
    for (size_t i = 0; i < job->given.table->n_rows; i++) {
        if (!job->given.is_given[i] || (job->given.table->rows[i].about & BLAST_ABOUT_RUN))
            continue;
        if (!options_text(&job->given, i, text, sizeof text))
            return io_fail(err, IO_E_REFUSED, 0, "an option has more than %d characters", MOST - 1);
        if (!byte_array_add(to, " ", 1) || !byte_array_add(to, text, strlen(text)))
            return io_fail_memory(err, "a checkpoint");
    }
    for (size_t i = 0; i < to->n; i++)
        to->bytes[i] = to->bytes[i] == '\n' ? ' ' : to->bytes[i];
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a checkpoint");
}

int blast_open_output(blast_job *job)
{
    const char *const list = blast_lists_path(&job->options.lists), *const second = job->options.subject != NULL ? job->options.subject
                                                                                                                 : list;
    const char *const inputs[] = {job->options.query, second};
    struct byte_array purpose = {NULL, 0, 0};
    io_resumable_options how = {.path = job->options.out,
                                .inputs = inputs,
                                .n_inputs = second != NULL ? 2 : 1,
                                .resume = job->options.resume,
                                .restart = job->options.restart || blast_called() != NULL /* BLAST+ replaces any file */};
    const bool has_report = !blast_is_cell(job);
    io_error err;
    io_status status = has_report ? add_purpose(job, &purpose, &err) : IO_OK;

    how.purpose = (const char *)purpose.bytes;
    handle_signals(job);
    if (status == IO_OK && has_report)
        status = io_resumable_open(&how, &job->run.n_done, &job->run.output, &err);
    interruptible = job->run.output;
    free(purpose.bytes);
    if (status == IO_OK && job->options.stats_path != NULL) {
        const io_output stats = {.path = job->options.stats_path,
                                 .inputs = inputs,
                                 .n_inputs = how.n_inputs,
                                 .is_kind = blast_stats_is,
                                 .kind = "statistics",
                                 .lacks_force = 1,
                                 .beside_stdout = has_report && strcmp(job->options.out, "-") == 0};
        status = io_safe_file_open(&stats, &job->run.stats_file, &err);
    }
    return status == IO_OK ? CLI_OK : blast_fail_io(job, status, &err);
}

int blast_end_output(blast_job *job)
{
    io_error err;
    io_status status;

    interruptible = NULL;
    if (job->run.output == NULL)
        return CLI_OK; /* a cell's part has ended */
    status = io_resumable_end(job->run.output, &err);
    job->run.output = NULL;
    return status == IO_OK ? CLI_OK : blast_fail_io(job, status, &err);
}

void blast_leave_output(blast_job *job)
{
    interruptible = NULL;
    io_resumable_leave(job->run.output);
    cell_writer_abort(job->run.cell);
    io_safe_file_abort(job->run.stats_file);
}
