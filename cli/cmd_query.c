/*
 * cmd_query.c - which lines are in the set?
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "filter_file.h"
#include "io/io_lines.h"
#include "io/io_progress.h"
#include "line_writer.h"

static const char command[] = "query";

static const char help[] =
    "Usage: tamis query [OPTION]... FILTER [FILE]...\n"
    "\n"
    "Prints the lines of the files, or of standard input (no FILE, or -), that are probably in the\n"
    "filter's set, in the order of the input. No line of the set is ever missing; a line that is not\n"
    "in the set is printed at the filter's false-positive rate.\n"
    "Input is plain, gzip, bgzip, zstd, xz or bzip2, told apart by its first bytes.\n"
    "Where the input is a pipe that pauses, the lines that have come are answered at once.\n"
    "\n"
    "What to print\n"
    "  -v, --invert-match     the lines that are certainly not in the set instead\n"
    "  -c, --count            only how many lines\n"
    "      --tsv              every line, a tab, and 1 (probably in the set) or 0 (certainly not)\n"
    "\n"
    "Input\n"
    "      --crlf             a carriage return before the line feed is not part of the line\n"
    "                         (and is not printed)\n"
    "\n"
    "Running\n"
    "      --device D         auto, cpu, cuda or cuda:I (default auto: the GPU for large jobs)\n"
    "      --threads N        CPU threads (default: all)\n"
    "      --batch N          lines read and processed at once, at most (default: 131072; GPU 1048576)\n"
    "  -q, --quiet            no progress, no remarks\n"
    "  -h, --help             this text\n"
    "\n"
    "Exit status: 0 if a line was selected (with --tsv: if one got a 1), 1 if none was; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis query words.tms candidates.txt\n"
    "  zstdcat log.zst | tamis query -v known.tms > new.txt\n"
    "  tail -f access.log | tamis query known.tms\n";

typedef enum query_mode { PRINT_LINES, PRINT_COUNT, PRINT_TSV } query_mode;

typedef struct query_job {
    cli_common common;
    query_mode mode;
    int invert;
    const char *const *paths;
    size_t n_paths;

    tms_context *ctx;
    filter_file filter;
    io_lines *lines;
    uint8_t *hit;
    line_writer *writer;
    io_progress progress;
    uint64_t n_keys, n_selected;
} query_job;

enum { OPT_TSV = CLI_OPT_OWN };

static const struct option options[] = {{"invert-match", no_argument, NULL, 'v'},
                                        {"count", no_argument, NULL, 'c'},
                                        {"tsv", no_argument, NULL, OPT_TSV},
                                        CLI_LONG_DEVICE,
                                        CLI_LONG_THREADS,
                                        CLI_LONG_BATCH,
                                        CLI_LONG_CRLF,
                                        CLI_LONG_QUIET,
                                        CLI_LONG_HELP,
                                        CLI_LONG_END};

/* The first i >= from with hit[i] != value, or n: eight at a time. */
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

/* Lines that follow each other lie next to each other in the arena, line feeds included: one copy a run. */
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
        status = line_writer_put(job->writer, keys->bytes + from, to - from, err);
        job->n_selected += i - start;
    }
    return status;
}

static io_status print_tsv(query_job *job, const tms_keys *keys, io_error *err)
{
    static const char ends[2][3] = {"\t0\n", "\t1\n"};
    io_status status = IO_OK;

    for (size_t i = 0; i < keys->n_keys && status == IO_OK; i++) {
        size_t from = keys->offsets[i], to = keys->offsets[i + 1] - 1;
        status = line_writer_put(job->writer, keys->bytes + from, to - from, err);
        if (status == IO_OK)
            status = line_writer_put(job->writer, ends[job->hit[i]], 3, err);
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

static int query_lines(query_job *job)
{
    io_error err;
    io_batch batch;
    io_status status;

    while ((status = cli_next_lines(&job->common, job->lines, job->writer, &job->progress, &batch, &err)) == IO_OK) {
        tms_status asked = tms_filter_query(job->ctx, job->filter.filter, &batch.keys, job->hit);
        if (asked != TMS_OK) {
            io_progress_end(&job->progress);
            return cli_fail_library(command, job->ctx, asked);
        }
        if (job->mode == PRINT_COUNT)
            count_lines(job, &batch.keys);
        else
            status = job->mode == PRINT_TSV ? print_tsv(job, &batch.keys, &err) : print_lines(job, &batch.keys, &err);
        if (status != IO_OK)
            break;
        job->n_keys += batch.keys.n_keys;
        io_progress_update(&job->progress, batch.n_read, job->n_keys);
    }
    io_progress_end(&job->progress);
    if (status == IO_END) {
        status = line_writer_flush(job->writer, &err);
        return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
    }
    if (status == IO_E_INPUT && job->mode != PRINT_COUNT) {
        io_error second; /* lines before the fault are right, so they go out; the fault is what is reported */
        (void)line_writer_flush(job->writer, &second);
    }
    return cli_fail_io(command, status, &err);
}

static int open_input(query_job *job)
{
    void *answers = NULL;
    int code = cli_alloc_answers(&job->common, job->ctx, sizeof *job->hit, &answers);

    job->hit = answers;
    if (code == CLI_OK && (job->writer = calloc(1, sizeof *job->writer)) == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory");
    return code == CLI_OK ? cli_open_lines(&job->common, job->ctx, job->paths, job->n_paths, &job->lines) : code;
}

static int run(query_job *job, const char *filter_path)
{
    uint64_t total = cli_input_bytes(job->paths, job->n_paths);
    int code = cli_context_create(&job->common, &job->ctx);

    if (code == CLI_OK)
        code = filter_file_open_for(&job->filter, &job->common, job->ctx, filter_path, total);
    if (code == CLI_OK && tms_filter_get_params(job->filter.filter)->layout == TMS_LAYOUT_PROBABILISTIC)
        code = cli_fail(command, CLI_USAGE, "%s: a probabilistic filter tells how often a line came: ask 'tamis freq'",
                        filter_path);
    if (code == CLI_OK)
        code = open_input(job);
    if (code != CLI_OK)
        return code;
    /* No bar where the lines themselves go to the terminal: they show how far it is. */
    io_progress_start(&job->progress, command, total == UINT64_MAX ? 0 : total,
                      job->common.quiet || (job->mode != PRINT_COUNT && isatty(STDOUT_FILENO)));
    code = query_lines(job);
    if (code == CLI_OK && job->mode == PRINT_COUNT) {
        printf("%llu\n", (unsigned long long)job->n_selected);
        code = cli_end_stdout(command, code);
    }
    return code == CLI_OK && job->n_selected == 0 ? CLI_NO_MATCH : code;
}

static int parse_option(query_job *job, int option, int *n_modes, char **argv)
{
    switch (option) {
    case 'v':
        job->invert = 1;
        return CLI_OK;
    case 'c':
        *n_modes |= 1;
        job->mode = PRINT_COUNT;
        return CLI_OK;
    case OPT_TSV:
        *n_modes |= 2;
        job->mode = PRINT_TSV;
        return CLI_OK;
    default:
        return cli_common_option(&job->common, option, optarg, argv);
    }
}

int cmd_query(int argc, char **argv)
{
    query_job job;
    int option, code, n_modes = 0;

    memset(&job, 0, sizeof job);
    cli_common_init(&job.common, command);
    while ((option = getopt_long(argc, argv, ":vcqh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_print_help(command, help);
        code = parse_option(&job, option, &n_modes, argv);
        if (code != CLI_OK)
            return code;
    }
    if (n_modes == 3)
        return cli_fail_usage(command, "-c and --tsv ask for different output: give one of them");
    if (job.mode == PRINT_TSV && job.invert)
        return cli_fail_usage(command, "--tsv prints every line, so -v has nothing to invert: give one of them");
    if (optind == argc)
        return cli_fail_usage(command, "which filter?");
    if (strcmp(argv[optind], "-") == 0)
        return cli_fail_usage(command, "the filter has to be a file, because it is mapped; the lines can come from "
                                       "standard input");
    cli_input_paths(argc, argv, optind + 1, &job.paths, &job.n_paths);
    code = run(&job, argv[optind]);
    io_lines_close(job.lines);
    if (job.ctx != NULL)
        tms_host_free(job.ctx, job.hit);
    free(job.writer);
    filter_file_close(&job.filter);
    tms_context_destroy(job.ctx);
    return code;
}
