/* blastp_output.c - see blastp_output.h. */
#include "cli/blast/blastp_output.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blast/blastp_codes.h"
#include "cli/blast/blastp_stats.h"
#include "cli/blast_names.h"

/* ---- a signal --------------------------------------------------------------------------------------------------- */

/* For say_interrupted(). */
static io_resumable *_Atomic interruptible;
static const blastp_job *_Atomic interrupted_job;

static void say_plainly(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));

    (void)n; /* there is nobody to tell */
}

static void say_number(uint64_t number)
{
    char digits[24], *at = digits + sizeof digits - 1;

    for (*at = '\0'; at == digits + sizeof digits - 1 || number > 0; number /= 10)
        *--at = (char)('0' + number % 10);
    say_plainly(at);
}

static void say_interrupted(const blastp_job *job, uint64_t n_safe, int has_checkpoint)
{
    say_plainly(job->progress.is_drawn ? "\r\033[K" : "");
    if (n_safe == 0) {
        say_plainly("tamis blastp: interrupted before the first result\n");
        return;
    }
    say_plainly("tamis blastp: interrupted after ");
    say_number(n_safe);
    say_plainly(n_safe == 1 ? " query" : " queries");
    say_plainly(has_checkpoint ? "; --resume goes on\n" : ", whose results are written; only with -out FILE is there a --resume\n");
}

/* What was done, and the end that the parent expects: by the signal. What it calls may be called by a handler. */
static void end_by_signal(int sig)
{
    io_resumable *output = interruptible;
    const blastp_job *job = interrupted_job;

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

/* Before io_safe_file.h has a handler of its own. */
static void handle_signals(const blastp_job *job)
{
    static const int signals[] = {SIGINT, SIGTERM};
    struct sigaction action, old;

    interrupted_job = job;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_by_signal;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* what is ignored stays so */
            (void)sigaction(signals[i], &action, NULL);
    }
}

/* ---- the output ------------------------------------------------------------------------------------------------- */

/* What the output is for, as one line: what --resume compares. */
static io_status add_purpose(const blastp_job *job, struct byte_array *to, io_error *err)
{
    static const char *const others[] = {"resume", "restart", "threads",      "num_threads", "device",  "gpu-memory", "stats",
                                         "quiet",  "mt_mode", "gpu-strategy", "extension",   "scoring", "bins"};
    char line[256], **argv = job->argv;
    tms_seqdb_info info;
    int n;

    tms_seqdb_get_info(job->db, &info);
    n = snprintf(line, sizeof line, "tamis blastp, %llu sequences of %llu letters:", (unsigned long long)info.n_sequences,
                 (unsigned long long)info.n_residues);
    if (!byte_array_add(to, line, (size_t)n))
        return io_fail_memory(err, "a checkpoint");
    for (int i = 1; i < job->argc; i++) {
        const char *name = argv[i] + (argv[i][0] == '-') + (argv[i][0] == '-' && argv[i][1] == '-');
        int is_other = 0;
        for (size_t k = 0; k < sizeof others / sizeof *others && argv[i][0] == '-'; k++) {
            size_t length = strlen(others[k]);
            if (strncmp(name, others[k], length) == 0 && (name[length] == '\0' || name[length] == '=')) {
                is_other = 1;
                i += name[length] == '\0' && strcmp(others[k], "resume") != 0 && strcmp(others[k], "restart") != 0 &&
                     strcmp(others[k], "quiet") != 0;
                break;
            }
        }
        if (!is_other && strcmp(argv[i], "-q") != 0 && (!byte_array_add(to, " ", 1) || !byte_array_add(to, argv[i], strlen(argv[i]))))
            return io_fail_memory(err, "a checkpoint");
    }
    for (size_t i = 0; i < to->n; i++)
        to->bytes[i] = to->bytes[i] == '\n' ? ' ' : to->bytes[i];
    return byte_array_add(to, "", 1) ? IO_OK : io_fail_memory(err, "a checkpoint");
}

int blastp_open_output(blastp_job *job)
{
    const char *const list = blastp_lists_path(&job->lists), *const second = job->subject != NULL ? job->subject : list;
    const char *const inputs[] = {job->query, second};
    struct byte_array purpose = {NULL, 0, 0};
    io_resumable_options how = {.path = job->out,
                                .inputs = inputs,
                                .n_inputs = second != NULL ? 2 : 1,
                                .resume = job->resume,
                                .restart = job->restart || blast_called() != NULL /* blastp replaces any file */};
    io_error err;
    io_status status = add_purpose(job, &purpose, &err);

    how.purpose = (const char *)purpose.bytes;
    handle_signals(job);
    if (status == IO_OK)
        status = io_resumable_open(&how, &job->n_done, &job->output, &err);
    interruptible = job->output;
    free(purpose.bytes);
    if (status == IO_OK && job->stats_path != NULL) {
        const io_output stats = {.path = job->stats_path,
                                 .inputs = inputs,
                                 .n_inputs = how.n_inputs,
                                 .is_kind = blastp_stats_is,
                                 .kind = "statistics",
                                 .beside_stdout = strcmp(job->out, "-") == 0};
        status = io_safe_file_open(&stats, &job->stats_file, &err);
    }
    return status == IO_OK ? CLI_OK : blastp_fail_io(job, status, &err);
}

int blastp_end_output(blastp_job *job)
{
    io_error err;
    io_status status;

    interruptible = NULL;
    status = io_resumable_end(job->output, &err);
    job->output = NULL;
    if (status == IO_OK && job->stats_file != NULL) {
        tms_search_stats counts;
        tms_blastp_info info;
        tms_blastp_get_stats(job->search, &counts);
        tms_blastp_get_info(job->search, &info);
        status = blastp_stats_write(&(blastp_stats){.info = &info,
                                                    .params = &job->params,
                                                    .counts = &counts,
                                                    .estimate = &job->estimate,
                                                    .device = tms_context_device(job->ctx),
                                                    .elapsed_s = io_progress_elapsed(&job->progress)},
                                    job->stats_file, &err);
        if (status == IO_OK) {
            status = io_safe_file_commit(job->stats_file, &err);
            job->stats_file = NULL;
        }
    }
    return status == IO_OK ? CLI_OK : blastp_fail_io(job, status, &err);
}

void blastp_leave_output(blastp_job *job)
{
    interruptible = NULL;
    io_resumable_leave(job->output);
    io_safe_file_abort(job->stats_file);
}
