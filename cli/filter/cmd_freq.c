/*
 * cmd_freq.c - tamis freq: estimates how often each line occurred.
 *
 * A line's frequency depends only on its number of ones, so each of the k + 1 possible answers is computed and formatted at most once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/filter/frequency_text.h"
#include "cli/filter_file.h"
#include "cli/line_stream.h"

static const char command[] = "freq";

/* The output after the key, for one number of ones. */
typedef struct answer {
    uint8_t length; /* 0: not computed yet */
    uint8_t is_wanted;
    char text[FREQUENCY_TEXT_SIZE];
} answer;

typedef struct freq_job {
    line_stream stream;
    double min_f, confidence;
    tms_frequency_by by;
    int no_background, as_json, header;

    filter_file filter;
    double fill;
    uint32_t least_ones; /* fewest ones of a line that is printed */
    answer *answers;     /* k + 1 */
    uint32_t *ones;
    uint64_t n_printed;
} freq_job;

static const option_row rows[] = {
    {.heading = "What to print"},
    {0, "min", "N", OPTION_POSITIVE(freq_job, min_f), .what = "a frequency", .such_as = "100",
     .help = "print only lines whose f_min is at least N. This includes few of the lines that occurred exactly N times: see "
             "tamis-freq(1)"},
    {0, "by", "WHAT", OPTION_CHOICE(freq_job, by, "f_min f f_max", TMS_BY_F_MIN), .initial = "f_min", .needs = "min",
     .because = "--by names the value that --min limits",
     .help = "the value that must reach N: f_min, f or f_max. f_max misses at most 2.5 % of the lines that occurred N times"},
    CLI_ROW_CONFIDENCE(freq_job, confidence, 0),
    {0, "no-background", NULL, OPTION_FLAG(freq_job, no_background),
     .help = "do not correct for the bits that other keys have set, as the plain form of the thesis: estimates are too high"},
    {0, "header", NULL, OPTION_FLAG(freq_job, header), .excludes = "json",
     .because = "--header names the columns, but --json has names in every line",
     .help = "print a first line with the names of the columns"},
    {0, "json", NULL, OPTION_FLAG(freq_job, as_json), .help = "print a JSON object for each line; infinite values are null"},
    {.heading = "Input"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the line"),
    {.heading = "Running"},
    CLI_ROW_DEVICE,
    CLI_ROW_THREADS,
    CLI_ROW_BATCH("lines read and processed at once, at most", "131072; GPU 1048576"),
    CLI_ROW_QUIET("no progress and no remarks"),
    CLI_ROW_HELP,
};

const option_table freq_options = {
    command,
    "Usage: tamis freq [OPTION]... FILTER [FILE]...\n"
    "\n"
    "Estimates for every line of the files, or of standard input (no FILE, or -), how\n"
    "often it occurred in the input of the probabilistic filter (tamis build --layout\n"
    "probabilistic). Prints, with tabs between the columns:\n"
    "\n"
    "  key                    the line\n"
    "  ones                   the number of its k bits that are set\n"
    "  f                      the estimated frequency\n"
    "  f_min, f_max           its confidence interval. If all k bits are set, the\n"
    "                         frequency has no upper limit: f and f_max are inf\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0 if a line was printed, 1 if none was; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis freq --header flows.tms keys.txt\n"
    "  tamis freq --min 100 flows.tms keys.txt | cut -f1\n",
    .ask = "which filter?",
};

static tms_status make_answer(freq_job *job, uint32_t ones, answer *a)
{
    tms_frequency frequency;
    tms_status status = tms_frequency_estimate(job->stream.ctx, tms_filter_get_params(job->filter.filter), job->fill, job->confidence, ones,
                                               &frequency);

    if (status != TMS_OK)
        return status;
    a->is_wanted = ones >= job->least_ones;
    a->length = (uint8_t)frequency_values_text(job->as_json, ones, &frequency, a->text);
    return TMS_OK;
}

/* Returns the status of the output; *estimated is set if the library fails. */
static io_status print_lines(freq_job *job, const tms_keys *keys, tms_status *estimated, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < keys->n_keys && status == IO_OK; i++) {
        size_t from = keys->offsets[i], to = keys->offsets[i + 1] - 1;
        answer *a = &job->answers[job->ones[i]];
        if (a->length == 0 && (*estimated = make_answer(job, job->ones[i], a)) != TMS_OK)
            break;
        if (!a->is_wanted)
            continue;
        if (job->as_json)
            status = line_writer_put(job->stream.writer, "{", 1, err);
        if (status == IO_OK)
            status = frequency_put_key(job->stream.writer, job->as_json, keys->bytes + from, to - from, err);
        if (status == IO_OK)
            status = line_writer_put(job->stream.writer, a->text, a->length, err);
        job->n_printed++;
    }
    return status;
}

static io_status take_batch(void *freq, const io_batch *batch, tms_status *done, io_error *err)
{
    freq_job *job = freq;

    *done = tms_filter_count(job->stream.ctx, job->filter.filter, &batch->keys, job->ones);
    if (*done != TMS_OK && line_stream_falls_back(&job->stream, *done)) {
        *done = filter_file_reopen(&job->filter, job->stream.ctx);
        if (*done == TMS_OK)
            *done = tms_filter_count(job->stream.ctx, job->filter.filter, &batch->keys, job->ones);
    }
    return *done == TMS_OK ? print_lines(job, &batch->keys, done, err) : IO_OK;
}

/* --min: finds the fewest ones of a line that is printed. */
static int find_least(freq_job *job, const tms_filter_params *params)
{
    tms_status status = tms_frequency_least_ones(job->stream.ctx, params, job->fill, job->confidence, job->by, job->min_f,
                                                 &job->least_ones);

    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    return frequency_remark_min(&job->stream.common, job->stream.ctx, params, job->fill, job->confidence, job->by, job->min_f);
}

static int open_filter(freq_job *job, const char *path, uint64_t input_bytes)
{
    const tms_filter_params *params;
    tms_filter_stats stats;
    tms_status status;
    int code = filter_file_open_for(&job->filter, &job->stream.common, job->stream.ctx, path, input_bytes);

    if (code != CLI_OK)
        return code;
    params = tms_filter_get_params(job->filter.filter);
    if (params->layout == TMS_LAYOUT_WORDS)
        return cli_fail(command, CLI_USAGE, "%s: a filter of k-mers takes sequences, not lines: use 'tamis classify'", path);
    if (params->layout != TMS_LAYOUT_PROBABILISTIC)
        return cli_fail(command, CLI_USAGE,
                        "%s: a filter of the %s layout shows whether a line occurred, not how often: use 'tamis query', or "
                        "build one with --layout probabilistic",
                        path, tms_layout_name(params->layout));
    status = tms_filter_get_stats(job->stream.ctx, job->filter.filter, &stats);
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    job->fill = job->no_background ? 0 : stats.fill;
    if (stats.is_union && !job->stream.common.quiet)
        cli_say(command, "%s is a union: a line's frequency lies between the largest of its filters and their sum", path);
    job->answers = calloc((size_t)params->k + 1, sizeof *job->answers);
    if (job->answers == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    return job->min_f > 0 ? find_least(job, params) : CLI_OK;
}

static int run(freq_job *job, const char *filter_path)
{
    const line_work work = {.take = take_batch, .header = job->header ? "key\tones\tf\tf_min\tf_max\n" : NULL};
    line_stream *stream = &job->stream;
    int code = line_stream_begin(stream);

    if (code == CLI_OK)
        code = open_filter(job, filter_path, stream->input_bytes);
    if (code == CLI_OK)
        code = line_stream_open(stream, 1, sizeof *job->ones);
    job->ones = stream->answers;
    if (code != CLI_OK)
        return code;
    line_stream_progress(stream, isatty(STDOUT_FILENO));
    code = line_stream_each(stream, &work, job);
    return code == CLI_OK && job->n_printed == 0 ? CLI_NO_MATCH : code;
}

int cmd_freq(int argc, char **argv)
{
    freq_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&freq_options, argc, argv, &job.stream.common, &given, &code))
        return code;
    cli_input_paths(given.n_operands, given.operands, 1, &job.stream.paths, &job.stream.n_paths);
    code = run(&job, given.operands[0]);
    free(job.answers);
    filter_file_close(&job.filter);
    line_stream_close(&job.stream);
    return code;
}
