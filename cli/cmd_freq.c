/*
 * cmd_freq.c - how often did each line come?
 *
 * A line's frequency depends on its number of ones alone, so each of the k + 1 possible answers is computed and
 * formatted at most once.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "filter_file.h"
#include "frequency_text.h"
#include "io/io_lines.h"
#include "io/io_progress.h"
#include "line_writer.h"

static const char command[] = "freq";

/* What follows the key, for one number of ones. */
typedef struct answer {
    uint8_t length; /* 0: not asked for yet */
    uint8_t is_wanted;
    char text[FREQUENCY_TEXT_SIZE];
} answer;

typedef struct freq_job {
    cli_common common;
    double min_f, confidence;
    tms_frequency_by by;
    int no_background, as_json, header;
    const char *const *paths;
    size_t n_paths;

    tms_context *ctx;
    filter_file filter;
    double fill;
    uint32_t least_ones; /* of a line to print */
    answer *answers;     /* k + 1 */
    io_lines *lines;
    uint32_t *ones;
    line_writer *writer;
    io_progress progress;
    uint64_t n_keys, n_printed;
} freq_job;

static const option_row rows[] = {
    {.heading = "What to print"},
    {0, "min", "N", OPTION_POSITIVE(freq_job, min_f), .what = "a frequency", .such_as = "100",
     .help = "only lines whose f_min is at least N. Few of those that came just N times are among them: tamis-freq(1) says how "
             "many"},
    {0, "by", "WHAT", OPTION_CHOICE(freq_job, by, "f_min f f_max", TMS_BY_F_MIN), .initial = "f_min", .needs = "min",
     .because = "--by says what --min is for",
     .help = "what has to be at least N: f_min, f, or f_max: that leaves out at most 2.5 % of the lines that came N times"},
    CLI_ROW_CONFIDENCE(freq_job, confidence, 0),
    {0, "no-background", NULL, OPTION_FLAG(freq_job, no_background),
     .help = "do not subtract the bits that other keys have set: too high, but the thesis's plain form"},
    {0, "header", NULL, OPTION_FLAG(freq_job, header), .excludes = "json",
     .because = "--header names columns, and --json has names in every line", .help = "a first line with the names of the columns"},
    {0, "json", NULL, OPTION_FLAG(freq_job, as_json), .help = "a JSON object a line; what is infinite is null"},
    {.heading = "Input"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the line"),
    {.heading = "Running"},
    CLI_ROW_DEVICE,
    CLI_ROW_THREADS,
    CLI_ROW_BATCH("lines read and processed at once, at most", "131072; GPU 1048576"),
    CLI_ROW_QUIET("no progress, no remarks"),
    CLI_ROW_HELP,
};

const option_table freq_options = {
    command,
    "Usage: tamis freq [OPTION]... FILTER [FILE]...\n"
    "\n"
    "Prints for every line of the files, or of standard input (no FILE, or -), how often it came in what\n"
    "the probabilistic filter was built from (tamis build --layout probabilistic), tab-separated:\n"
    "\n"
    "  key                    the line\n"
    "  ones                   how many of its k bits are set\n"
    "  f                      the frequency that so many ones speak for\n"
    "  f_min, f_max           its confidence interval; where all k bits are set nothing limits f from\n"
    "                         above: f and f_max are inf\n",
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
    tms_status status = tms_frequency_estimate(job->ctx, tms_filter_get_params(job->filter.filter), job->fill,
                                               job->confidence, ones, &frequency);

    if (status != TMS_OK)
        return status;
    a->is_wanted = ones >= job->least_ones;
    a->length = (uint8_t)frequency_values_text(job->as_json, ones, &frequency, a->text);
    return TMS_OK;
}

/* *estimated is a failure of the library, the result one of the output. */
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
            status = line_writer_put(job->writer, "{", 1, err);
        if (status == IO_OK)
            status = frequency_put_key(job->writer, job->as_json, keys->bytes + from, to - from, err);
        if (status == IO_OK)
            status = line_writer_put(job->writer, a->text, a->length, err);
        job->n_printed++;
    }
    return status;
}

static int count_lines(freq_job *job)
{
    static const char header[] = "key\tones\tf\tf_min\tf_max\n";
    io_error err;
    io_batch batch;
    io_status status = job->header ? line_writer_put(job->writer, header, sizeof header - 1, &err) : IO_OK;
    tms_status counted = TMS_OK;

    while (status == IO_OK && (status = cli_next_lines(&job->common, job->lines, job->writer, &job->progress, &batch,
                                                       &err)) == IO_OK) {
        counted = tms_filter_count(job->ctx, job->filter.filter, &batch.keys, job->ones);
        if (counted == TMS_OK)
            status = print_lines(job, &batch.keys, &counted, &err);
        if (counted != TMS_OK || status != IO_OK)
            break;
        job->n_keys += batch.keys.n_keys;
        io_progress_update(&job->progress, batch.n_read, job->n_keys);
    }
    io_progress_end(&job->progress);
    if (counted != TMS_OK)
        return cli_fail_library(command, job->ctx, counted);
    if (status == IO_END) {
        status = line_writer_flush(job->writer, &err);
        return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
    }
    if (status == IO_E_INPUT) {
        io_error second; /* lines before the fault are right, so they go out; the fault is what is reported */
        (void)line_writer_flush(job->writer, &second);
    }
    return cli_fail_io(command, status, &err);
}

/* --min: from how many ones on a line is printed. */
static int find_least(freq_job *job, const tms_filter_params *params)
{
    tms_status status =
        tms_frequency_least_ones(job->ctx, params, job->fill, job->confidence, job->by, job->min_f, &job->least_ones);

    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    return frequency_remark_min(&job->common, job->ctx, params, job->fill, job->confidence, job->by, job->min_f);
}

static int open_filter(freq_job *job, const char *path, uint64_t input_bytes)
{
    const tms_filter_params *params;
    tms_filter_stats stats;
    tms_status status;
    int code = filter_file_open_for(&job->filter, &job->common, job->ctx, path, input_bytes);

    if (code != CLI_OK)
        return code;
    params = tms_filter_get_params(job->filter.filter);
    if (params->layout != TMS_LAYOUT_PROBABILISTIC)
        return cli_fail(command, CLI_USAGE,
                        "%s: a filter of the %s layout tells whether a line came, not how often: ask 'tamis query', or "
                        "build one with --layout probabilistic",
                        path, tms_layout_name(params->layout));
    status = tms_filter_get_stats(job->ctx, job->filter.filter, &stats);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    job->fill = job->no_background ? 0 : stats.fill;
    if (stats.is_union && !job->common.quiet)
        cli_say(command, "%s is a union: a line's frequency lies between the largest of its filters and their sum",
                path);
    job->answers = calloc((size_t)params->k + 1, sizeof *job->answers);
    if (job->answers == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    return job->min_f > 0 ? find_least(job, params) : CLI_OK;
}

static int open_input(freq_job *job)
{
    void *answers = NULL;
    int code = cli_alloc_answers(&job->common, job->ctx, sizeof *job->ones, &answers);

    job->ones = answers;
    if (code == CLI_OK && (job->writer = calloc(1, sizeof *job->writer)) == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    return code == CLI_OK ? cli_open_lines(&job->common, job->ctx, job->paths, job->n_paths, &job->lines) : code;
}

static int run(freq_job *job, const char *filter_path)
{
    uint64_t total = cli_input_bytes(job->paths, job->n_paths);
    int code = cli_context_create(&job->common, &job->ctx);

    if (code == CLI_OK)
        code = open_filter(job, filter_path, total);
    if (code == CLI_OK)
        code = open_input(job);
    if (code != CLI_OK)
        return code;
    io_progress_start(&job->progress, command, "keys", total == UINT64_MAX ? 0 : total,
                      job->common.quiet || isatty(STDOUT_FILENO));
    code = count_lines(job);
    return code == CLI_OK && job->n_printed == 0 ? CLI_NO_MATCH : code;
}

int cmd_freq(int argc, char **argv)
{
    freq_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&freq_options, argc, argv, &job.common, &given, &code))
        return code;
    cli_input_paths(given.n_operands, given.operands, 1, &job.paths, &job.n_paths);
    code = run(&job, given.operands[0]);
    io_lines_close(job.lines);
    if (job.ctx != NULL)
        tms_host_free(job.ctx, job.ones);
    free(job.writer);
    free(job.answers);
    filter_file_close(&job.filter);
    tms_context_destroy(job.ctx);
    return code;
}
