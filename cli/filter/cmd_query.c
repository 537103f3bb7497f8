/*
 * cmd_query.c - tamis query: prints the lines that are in the set of a filter.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/decimal.h"
#include "cli/filter_file.h"
#include "cli/line_fields.h"
#include "cli/line_stream.h"

static const char command[] = "query";

typedef enum query_mode { PRINT_LINES, PRINT_COUNT, PRINT_TSV } query_mode;
typedef enum name_mode { NAMES_OF_SEVERAL, NAMES_ALWAYS, NAMES_NEVER } name_mode;

typedef struct query_job {
    line_stream stream;
    query_mode mode;
    int invert;
    int only_status; /* -q */
    int numbers;     /* -n */
    name_mode when_names;
    int names; /* print file names */

    const char *delimiter;
    struct line_fields fields;
    filter_file filter;
    uint8_t *hit;
    uint64_t n_selected;

    size_t file;                /* index of the batch's file */
    uint64_t n_before;          /* lines of that file before the batch */
    uint64_t n_selected_before; /* lines selected in earlier files */
} query_job;

static const option_row rows[] = {
    {.heading = "What to print"},
    {'v', "invert-match", NULL, OPTION_FLAG(query_job, invert), .excludes = "tsv",
     .because = "--tsv prints every line, so -v has nothing to invert",
     .help = "print the lines that are certainly not in the set instead"},
    {'c', "count", NULL, OPTION_SETS(query_job, mode, PRINT_COUNT), .excludes = "tsv", .because = "-c and --tsv ask for different output",
     .help = "print only the number of lines, for each file"},
    {0, "tsv", NULL, OPTION_SETS(query_job, mode, PRINT_TSV),
     .help = "print every line, a tab, and 1 (probably in the set) or 0 (certainly not)"},
    {'n', "line-number", NULL, OPTION_FLAG(query_job, numbers),
     .help = "print the line's number in its file, from 1, and a colon before each line"},
    {'H', "with-filename", NULL, OPTION_SETS(query_job, when_names, NAMES_ALWAYS),
     .help = "print the file's name and a colon before each line or count; the default for two files or more. With --tsv it is "
             "a first column, and only with -H"},
    {'h', "no-filename", NULL, OPTION_SETS(query_job, when_names, NAMES_NEVER), .help = "print no file names"},
    {'q', "quiet", NULL, OPTION_FLAG(query_job, only_status), .also = "silent",
     .help = "print nothing, and exit with status 0 at the first selected line"},
    {.heading = "Input"},
    {'f', "field", "N", OPTION_SIZE(query_job, fields.number, 1, 0), .what = "the number of a field", .such_as = "3",
     .help = "query field N of each line, from 1, instead of the whole line. It is empty in a line with fewer fields"},
    {'F', "delimiter", "C", OPTION_PATH(query_job, delimiter), .needs = "field", .because = "-F separates the fields that -f counts",
     .otherwise = "a tab", .help = "the character that separates fields"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the line, and is not printed"),
    {.heading = "Running"},
    CLI_ROW_DEVICE,
    CLI_ROW_THREADS,
    CLI_ROW_BATCH("lines read and processed at once, at most", "131072; GPU 1048576"),
    {0, "no-remarks", NULL, OPTION_FLAG(cli_common, quiet), .help = "no progress and no remarks, as -q in the other commands"},
    {0, "help", NULL, OPTION_HELP, .help = "this text"},
};

const option_table query_options = {
    command,
    "Usage: tamis query [OPTION]... FILTER [FILE]...\n"
    "\n"
    "Prints the lines of the files, or of standard input (no FILE, or -), that are\n"
    "probably in the filter's set, in the order of the input. No line of the set is\n"
    "ever missing. A line that is not in the set is printed at the filter's\n"
    "false-positive rate. Input may be plain, or compressed by gzip, bgzip, zstd, xz\n"
    "or bzip2; tamis detects this from the first bytes. If the input is a pipe and\n"
    "pauses, tamis processes the lines received so far.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 0 if a line was selected (with --tsv: if a line got a 1), 1 if none\n"
    "was; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis query words.tms candidates.txt\n"
    "  tamis query -n words.tms *.txt                 # FILE:LINE:TEXT, as grep -n\n"
    "  tamis query -q words.tms mail.txt && echo hit\n"
    "  tamis query -F , -f 3 ids.tms table.csv        # rows by their field 3\n"
    "  zstdcat log.zst | tamis query -v known.tms > new.txt\n"
    "  tail -f access.log | tamis query known.tms\n",
    .ask = "which filter?",
};

/* Returns the first i >= from with hit[i] != value, or n. Compares eight at a time. */
static size_t run_end(const uint8_t *hit, size_t from, size_t n, uint8_t value)
{
    const uint64_t same = value * UINT64_C(0x0101010101010101);

    for (; from + 8 <= n; from += 8) {
        uint64_t eight;
        memcpy(&eight, hit + from, 8);
        if (eight != same)
            break;
    }
    while (from < n && hit[from] == value)
        from++;
    return from;
}

/* The name of the current file, as grep prints it. */
static const char *file_name(const query_job *job)
{
    return strcmp(job->stream.paths[job->file], "-") == 0 ? "(standard input)" : job->stream.paths[job->file];
}

/* Consecutive lines are adjacent in the arena, with their line feeds: each run of selected lines is one copy. */
static io_status print_lines(query_job *job, const tms_keys *keys, io_error *err)
{
    uint8_t wanted = !job->invert;
    io_status status = IO_OK;
    size_t i = 0;

    while (status == IO_OK) {
        size_t start = run_end(job->hit, i, keys->n_keys, !wanted), from, to;
        if (start == keys->n_keys)
            break;
        i = run_end(job->hit, start, keys->n_keys, wanted);
        from = keys->offsets[start];
        to = keys->offsets[i];
        status = line_writer_put(job->stream.writer, keys->bytes + from, to - from, err);
        job->n_selected += i - start;
    }
    return status;
}

/* Writes "name:", "number:" or both for line i of the batch. end: the colon, or a tab for --tsv. */
static io_status print_prefix(query_job *job, size_t i, char end, io_error *err)
{
    char text[DECIMAL_MAX + 2], *to = text;

    if (job->names) {
        const char *name = file_name(job);
        io_status status = line_writer_put(job->stream.writer, name, strlen(name), err);
        if (status != IO_OK)
            return status;
        *to++ = end;
    }
    if (job->numbers) {
        to = decimal_put(to, job->n_before + i + 1);
        *to++ = end;
    }
    return line_writer_put(job->stream.writer, text, (size_t)(to - text), err);
}

static io_status print_lines_with_prefix(query_job *job, const tms_keys *keys, io_error *err)
{
    uint8_t wanted = !job->invert;
    io_status status = IO_OK;

    for (size_t i = run_end(job->hit, 0, keys->n_keys, !wanted); i < keys->n_keys && status == IO_OK;
         i = run_end(job->hit, i + 1, keys->n_keys, !wanted)) {
        size_t from = keys->offsets[i], to = keys->offsets[i + 1];
        status = print_prefix(job, i, ':', err);
        if (status == IO_OK)
            status = line_writer_put(job->stream.writer, keys->bytes + from, to - from, err);
        job->n_selected++;
    }
    return status;
}

static io_status print_tsv(query_job *job, const tms_keys *keys, io_error *err)
{
    static const char ends[2][3] = {"\t0\n", "\t1\n"};
    io_status status = IO_OK;

    for (size_t i = 0; i < keys->n_keys && status == IO_OK; i++) {
        size_t from = keys->offsets[i], to = keys->offsets[i + 1] - 1;
        if (job->names || job->numbers)
            status = print_prefix(job, i, '\t', err);
        if (status == IO_OK)
            status = line_writer_put(job->stream.writer, keys->bytes + from, to - from, err);
        if (status == IO_OK)
            status = line_writer_put(job->stream.writer, ends[job->hit[i]], 3, err);
        job->n_selected += job->hit[i];
    }
    return status;
}

static void count_lines(query_job *job, const tms_keys *keys)
{
    uint64_t n_hits = 0;

    for (size_t i = 0; i < keys->n_keys; i++)
        n_hits += job->hit[i];
    job->n_selected += job->invert ? keys->n_keys - n_hits : n_hits;
}

/* Ends the files before number `until`: with -c writes their counts. */
static io_status end_files(query_job *job, size_t until, io_error *err)
{
    io_status status = IO_OK;

    for (; job->file < until && status == IO_OK; job->file++) {
        if (job->mode == PRINT_COUNT && !job->only_status) {
            char text[DECIMAL_MAX + 2], *to = text;
            const char *name = file_name(job);
            if (job->names) {
                status = line_writer_put(job->stream.writer, name, strlen(name), err);
                *to++ = ':';
            }
            to = decimal_put(to, job->n_selected - job->n_selected_before);
            *to++ = '\n';
            if (status == IO_OK)
                status = line_writer_put(job->stream.writer, text, (size_t)(to - text), err);
        }
        job->n_selected_before = job->n_selected;
        job->n_before = 0;
    }
    return status;
}

static io_status print_batch(query_job *job, const tms_keys *keys, io_error *err)
{
    if (job->mode == PRINT_COUNT || job->only_status) {
        count_lines(job, keys);
        return job->only_status && job->n_selected > 0 ? IO_END : IO_OK;
    }
    if (job->mode == PRINT_TSV)
        return print_tsv(job, keys, err);
    return job->names || job->numbers ? print_lines_with_prefix(job, keys, err) : print_lines(job, keys, err);
}

static tms_status ask(query_job *job, const tms_keys *keys)
{
    tms_status done = tms_filter_query(job->stream.ctx, job->filter.filter, keys, job->hit);

    if (done != TMS_OK && line_stream_falls_back(&job->stream, done)) {
        done = filter_file_reopen(&job->filter, job->stream.ctx);
        if (done == TMS_OK)
            done = tms_filter_query(job->stream.ctx, job->filter.filter, keys, job->hit);
    }
    return done;
}

static io_status take_batch(void *query, const io_batch *batch, tms_status *done, io_error *err)
{
    query_job *job = query;
    tms_keys keys = batch->keys;
    io_status status;

    if (job->fields.number > 0 && !line_fields_take(&job->fields, &batch->keys, &keys))
        return io_fail(err, IO_E_MEMORY, 0, "out of memory: the fields of %zu lines", batch->keys.n_keys);
    *done = ask(job, &keys);
    if (*done != TMS_OK)
        return IO_OK;
    status = end_files(job, batch->file, err);
    if (status == IO_OK)
        status = print_batch(job, &batch->keys, err);
    job->n_before += batch->keys.n_keys;
    return status;
}

/* Writes the counts of complete files, also before a fault. */
static io_status end_input(void *job, const io_batch *batch, io_error *err) { return end_files(job, batch->file, err); }

static int run(query_job *job, const char *filter_path)
{
    static const line_work work = {.take = take_batch, .end = end_input};
    line_stream *stream = &job->stream;
    int code = line_stream_begin(stream);

    if (code == CLI_OK)
        code = filter_file_open_for(&job->filter, &stream->common, stream->ctx, filter_path, stream->input_bytes);
    if (code == CLI_OK && tms_filter_get_params(job->filter.filter)->layout == TMS_LAYOUT_PROBABILISTIC)
        code = cli_fail(command, CLI_USAGE, "%s: a probabilistic filter estimates how often a line occurred: use 'tamis freq'",
                        filter_path);
    if (code == CLI_OK && tms_filter_get_params(job->filter.filter)->layout == TMS_LAYOUT_WORDS)
        code = cli_fail(command, CLI_USAGE, "%s: a filter of k-mers takes sequences, not lines: use 'tamis classify'", filter_path);
    if (code == CLI_OK)
        code = line_stream_open(stream, 1, sizeof *job->hit);
    job->hit = stream->answers;
    if (code != CLI_OK)
        return code;
    /* No progress bar if the lines go to the terminal: they show the progress. */
    line_stream_progress(stream, job->mode != PRINT_COUNT && isatty(STDOUT_FILENO));
    code = line_stream_each(stream, &work, job);
    return code == CLI_OK && job->n_selected == 0 ? CLI_NO_MATCH : code;
}

int cmd_query(int argc, char **argv)
{
    query_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    if (!cli_options(&query_options, argc, argv, &job.stream.common, &given, &code))
        return code;
    if (job.delimiter != NULL && strlen(job.delimiter) != 1)
        return cli_fail_usage(command, "-F '%s': give one character, such as a comma", job.delimiter);
    job.fields.delimiter = job.delimiter != NULL ? (uint8_t)job.delimiter[0] : '\t';
    cli_input_paths(given.n_operands, given.operands, 1, &job.stream.paths, &job.stream.n_paths);
    job.stream.common.quiet |= job.only_status;
    job.names = job.when_names == NAMES_ALWAYS || (job.when_names == NAMES_OF_SEVERAL && job.stream.n_paths > 1 && job.mode != PRINT_TSV);
    job.stream.common.by_file = job.names || job.numbers || job.mode == PRINT_COUNT;
    code = run(&job, given.operands[0]);
    line_fields_free(&job.fields);
    filter_file_close(&job.filter);
    line_stream_close(&job.stream);
    return code;
}
