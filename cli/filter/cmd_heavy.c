/*
 * cmd_heavy.c - tamis heavy: finds the frequent lines of a stream in one pass, in the memory of the filter.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/filter/frequency_text.h"
#include "cli/filter/heavy_final.h"
#include "cli/filter_file.h"
#include "cli/line_stream.h"
#include "io/io_safe_file.h"

static const char command[] = "heavy";

/*
 * A line that draws a bit is looked up at up to k positions, so k determines the speed: the default, -k 128, estimates a frequency within
 * about 20 %; k = 512 within 10 %, at several times the cost. The default of -m, 8 MiB of bits, stays in most caches. The estimates of
 * frequencies near --min are best if --min * |ln(1 - p)| is TMS_FREQUENCY_BEST_LOAD (doc/pbf.md).
 */

/* Above this fill, other keys have set most of a key's bits, and its own insertions set too few. */
#define HEAVY_FULL 0.5

typedef struct heavy_job {
    line_stream stream;
    tms_filter_params params;
    double min_f, confidence;
    tms_frequency_by by;
    int as_json, header, is_final;
    uint64_t top; /* lines to print, of those found; 0: all */
    const char *save;

    tms_filter *filter;
    tms_heavy *heavy;
    io_safe_file *file;
    struct heavy_final final;
    uint64_t n_found;
} heavy_job;

static const option_row rows[] = {
    {.heading = "What to print"},
    {0, "min", "N", OPTION_NUMBER(heavy_job, min_f, 1, (int64_t)1 << 50), .what = "a frequency", .such_as = "1000",
     .ask = "which frequency?", .help = "the frequency to reach (required)"},
    {0, "by", "WHAT", OPTION_CHOICE(heavy_job, by, "f_min f f_max", TMS_BY_F_MIN), .initial = "f_min",
     .help = "the value that must reach N: f_min, f or f_max. f_max prints 97.5 % of the lines that occur N times, and half of those that "
             "occur 0.8 N times"},
    CLI_ROW_CONFIDENCE(heavy_job, confidence, 0),
    {0, "final", NULL, OPTION_FLAG(heavy_job, is_final),
     .help = "print nothing before the end of the input; then the lines found, the most frequent first, with their final frequencies: "
             "tamis counts each line exactly after it has reached N"},
    {0, "top", "K", OPTION_SIZE(heavy_job, top, 1, 0), .what = "a number of lines", .such_as = "10",
     .help = "as --final, but print only the first K lines"},
    {.heading = "Filter (probabilistic: counts lines without keeping them)"},
    {'k', NULL, "N", OPTION_SIZE(heavy_job, params.k, 1, TMS_PROBABILISTIC_MAX_K), .initial = "128", .help = "bits per key, 1..65536"},
    {'p', NULL, "P", OPTION_PROBABILITY(heavy_job, params.p), .what = "a probability", .such_as = "0.01 or 1/100",
     .otherwise = "the best for N, 1 - exp(-1.59 / N)", .help = "probability with which a line sets each of its bits"},
    {'m', NULL, "BITS", OPTION_SIZE(heavy_job, params.m_bits, 1, TMS_MAX_BITS), .what = "a number of bits",
     .such_as = "8000000, 1.5G or 64Mi", .initial = "64Mi", .help = "total number of bits: 8000000 or 1.5G; 64Mi is 8 MiB"},
    {0, "hash", "H", OPTION_CHOICE(heavy_job, params.hash, CLI_HASHES, TMS_HASH_XXH3), .initial = "xxh3",
     .help = "xxh3, xxh3-square, murmur3, ap"},
    CLI_ROW_SEED(heavy_job, params.seed, "for the hash and the random numbers: decimal or 0x..."),
    {0, "save", "FILTER", OPTION_PATH(heavy_job, save),
     .help = "write the filter at the end, whole or not at all, for tamis freq; also if SIGINT (Ctrl-C) or SIGTERM ends the input"},
    CLI_ROW_FORCE("let --save replace a file that is not a filter"),
    {.heading = "Output"},
    {0, "header", NULL, OPTION_FLAG(heavy_job, header), .excludes = "json",
     .because = "--header names the columns, but --json has names in every line",
     .help = "print a first line with the names of the columns"},
    {0, "json", NULL, OPTION_FLAG(heavy_job, as_json), .help = "print a JSON object for each line; infinite values are null"},
    {.heading = "Input and running"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the line"),
    CLI_ROW_THREADS,
    CLI_ROW_BATCH("lines read and processed at once, at most", "131072"),
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table heavy_options = {
    command,
    "Usage: tamis heavy --min N [OPTION]... [FILE]...\n"
    "\n"
    "Finds the frequent lines of the files, or of standard input (no FILE, or -), in\n"
    "one pass. Its memory does not grow with the input. It prints a line once, when\n"
    "the lower limit of its frequency, f_min, first reaches N. At k = 128 it prints\n"
    "few of the lines that occur exactly N times, half of those that occur 1.3 N\n"
    "times, and 97.5 % of those that occur 1.6 N times. If no line may be missed, use\n"
    "--by f_max. Printed frequencies are those so far; --final and --top print the\n"
    "frequencies at the end. The columns, with tabs between them:\n"
    "\n"
    "  line                   the number of the line in the input, from 1, all files\n"
    "                         counted together\n"
    "  key                    the line\n"
    "  ones                   the number of its k bits that are set\n"
    "  f, f_min, f_max        its estimated frequency so far, and its confidence\n"
    "                         interval; with --final and --top, at the end\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0 if a line was printed, 1 if none was; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis heavy --min 1000 stream.log\n"
    "  tamis heavy --min 1000 --top 10 stream.log\n"
    "  tail -f access.log | stdbuf -oL cut -d' ' -f1 | tamis heavy --min 100\n",
};

static io_status print_line(heavy_job *job, uint64_t line, const uint8_t *key, size_t size, uint32_t ones, const tms_frequency *frequency,
                            io_error *err)
{
    char values[FREQUENCY_TEXT_SIZE], number[40];
    int n = snprintf(number, sizeof number, job->as_json ? "{\"line\": %llu, " : "%llu\t", (unsigned long long)line);
    io_status status = line_writer_put(job->stream.writer, number, (size_t)n, err);

    if (status == IO_OK)
        status = frequency_put_key(job->stream.writer, job->as_json, key, size, err);
    if (status != IO_OK)
        return status;
    return line_writer_put(job->stream.writer, values, frequency_values_text(job->as_json, ones, frequency, values), err);
}

static io_status print_report(heavy_job *job, const tms_keys *keys, const tms_heavy_report *report, io_error *err)
{
    size_t from = keys->offsets[report->key], size = keys->offsets[report->key + 1] - keys->gap - from;

    return print_line(job, job->stream.n_keys + report->key + 1, keys->bytes + from, size, report->ones, &report->frequency, err);
}

/* Writes the lines found at the end of their batch, for readers that follow the stream. */
static io_status print_reports(heavy_job *job, const tms_keys *keys, const tms_heavy_report *reports, size_t n, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < n && status == IO_OK; i++)
        status = print_report(job, keys, &reports[i], err);
    return status == IO_OK && n > 0 ? line_writer_flush(job->stream.writer, err) : status;
}

/* State of stop_reading(), the signal handler: the input that it ends, and the signal that it received. */
static io_lines *volatile stoppable;
static volatile sig_atomic_t stopped_by;

static void stop_reading(int sig)
{
    stopped_by = sig;
    io_lines_stop(stoppable);
}

/* With --save, --final or --top a signal ends the input instead of the process, so that Ctrl-C does not lose hours of counting. A second
 * signal kills. */
static void end_on_signals(heavy_job *job)
{
    static const int signals[] = {SIGINT, SIGTERM};
    struct sigaction action, old;

    signal(SIGPIPE, SIG_IGN); /* a closed pipe is a write error, after which the filter is saved; see cli_fail_io() */
    memset(&action, 0, sizeof action);
    action.sa_handler = stop_reading;
    action.sa_flags = SA_RESTART | (int)SA_RESETHAND;
    stoppable = job->stream.lines;
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL) /* an ignored signal stays ignored */
            (void)sigaction(signals[i], &action, NULL);
    }
}

/* Ends the process by the signal, as its parent expects. */
static void end_by_signal(const heavy_job *job)
{
    if (!job->stream.common.quiet)
        cli_say(command, "stopped by a signal after %llu line%s%s%s%s", (unsigned long long)job->stream.n_keys,
                CLI_PLURAL(job->stream.n_keys), job->save != NULL ? ": " : "", job->save != NULL ? job->save : "",
                job->save != NULL ? " is saved" : "");
    signal(stopped_by, SIG_DFL);
    raise(stopped_by);
}

static io_status take_batch(void *heavy, const io_batch *batch, tms_status *done, io_error *err)
{
    heavy_job *job = heavy;
    const tms_heavy_report *reports;
    size_t n_reports;

    *done = tms_heavy_insert(job->stream.ctx, job->heavy, &batch->keys, &reports, &n_reports);
    if (*done != TMS_OK)
        return IO_OK;
    job->n_found += n_reports;
    if (!job->is_final)
        return print_reports(job, &batch->keys, reports, n_reports, err);
    *done = heavy_final_add(&job->final, job->stream.ctx, &batch->keys, job->stream.n_keys, reports, n_reports);
    if (*done != TMS_E_MEMORY)
        return IO_OK;
    *done = TMS_OK;
    return io_fail(err, IO_E_MEMORY, 0, "out of memory: the %llu lines found", (unsigned long long)job->n_found);
}

/* At the end of the input, or at its damaged part. */
static io_status print_final(void *heavy, const io_batch *batch, io_error *err)
{
    heavy_job *job = heavy;
    io_status status = IO_OK;

    (void)batch;
    heavy_final_sort(&job->final);
    for (size_t i = 0; i < job->final.n_found && (job->top == 0 || i < job->top) && status == IO_OK; i++) {
        const struct heavy_found *found = &job->final.found[i];
        const tms_frequency frequency = heavy_final_frequency(found);
        status = print_line(job, found->line, job->final.text.bytes + found->start, found->size, found->ones, &frequency, err);
    }
    job->final.n_found = 0;
    return status;
}

static int end_filter(heavy_job *job)
{
    tms_filter_stats stats;
    tms_status status;

    if (job->save != NULL) {
        int code = filter_file_write(&job->stream.common, job->stream.ctx, job->filter, &job->file);
        if (code != CLI_OK)
            return code;
    }
    if (job->stream.common.quiet)
        return CLI_OK;
    status = tms_filter_get_stats(job->stream.ctx, job->filter, &stats);
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    if (stats.fill > HEAVY_FULL)
        cli_say(command, "%.0f %% of the %llu bits are set: lines are reported late or not at all; a larger -m would help",
                100 * stats.fill, (unsigned long long)job->params.m_bits);
    return CLI_OK;
}

static int run(heavy_job *job)
{
    const line_work work = {.take = take_batch,
                            .end = job->is_final ? print_final : NULL,
                            .outlives_output = 1,
                            .header = job->header ? "line\tkey\tones\tf\tf_min\tf_max\n" : NULL};
    line_stream *stream = &job->stream;
    io_output output = {.path = job->save, .inputs = stream->paths, .n_inputs = stream->n_paths, .beside_stdout = 1};
    tms_status made;
    int code = job->save != NULL ? filter_file_create(&job->stream.common, output, &job->file) : CLI_OK;

    if (code == CLI_OK)
        code = line_stream_begin(stream);
    if (code != CLI_OK)
        return code;
    made = tms_filter_create(job->stream.ctx, &job->params, &job->filter);
    if (made == TMS_OK)
        made = tms_heavy_create(job->stream.ctx, job->filter, job->by, job->min_f, job->confidence, &job->heavy);
    if (made != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, made);
    code = frequency_remark_min(&job->stream.common, job->stream.ctx, &job->params, 0, job->confidence, job->by, job->min_f);
    if (code != CLI_OK)
        return code;
    code = line_stream_open(stream, 1, 0);
    if (code != CLI_OK)
        return code;
    line_stream_progress(stream, isatty(STDOUT_FILENO));
    if (job->save != NULL || job->is_final)
        end_on_signals(job);
    code = line_stream_each(stream, &work, job);
    if (code == CLI_OK)
        code = end_filter(job);
    if (code == CLI_OK && stopped_by != 0)
        end_by_signal(job);
    if (code == CLI_OK && stream->written != IO_OK) /* the filter was saved nevertheless */
        return cli_fail_io(command, stream->written, &stream->why);
    return code == CLI_OK && job->n_found == 0 ? CLI_NO_MATCH : code;
}

int cmd_heavy(int argc, char **argv)
{
    heavy_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    job.params.layout = TMS_LAYOUT_PROBABILISTIC;
    job.params.sampling = TMS_SAMPLING_GEOMETRIC;
    if (!cli_options(&heavy_options, argc, argv, &job.stream.common, &given, &code))
        return code;
    if (job.save != NULL && strcmp(job.save, "-") == 0)
        return cli_fail_usage(command, "standard output is for the lines: --save needs a file");
    job.is_final |= job.top > 0;
    if (job.params.p == 0)
        job.params.p = -expm1(-TMS_FREQUENCY_BEST_LOAD / job.min_f);
    cli_input_paths(given.n_operands, given.operands, 0, &job.stream.paths, &job.stream.n_paths);
    code = run(&job);
    io_safe_file_abort(job.file);
    heavy_final_free(&job.final);
    tms_heavy_destroy(job.heavy);
    tms_filter_destroy(job.filter);
    line_stream_close(&job.stream);
    return code;
}
