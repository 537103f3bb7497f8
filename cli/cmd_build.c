/*
 * cmd_build.c - lines in, a filter file out.
 *
 * Where the size is known before the first line, lines go straight into the filter. Otherwise the one pass over the
 * input keeps hashes (or keys), and the filter is sized and filled at the end.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_parse.h"
#include "filter_file.h"
#include "io/io_lines.h"
#include "io/io_progress.h"
#include "io/io_safe_file.h"
#include "key_store.h"

static const char command[] = "build";

static const char help[] =
    "Usage: tamis build -o FILTER [OPTION]... [FILE]...\n"
    "\n"
    "Puts the lines of the files, or of standard input (no FILE, or -), into a new filter.\n"
    "Input is plain, gzip, bgzip or zstd, told apart by its first bytes.\n"
    "\n"
    "Output\n"
    "  -o, --output FILTER    where to write the filter: whole or not at all\n"
    "\n"
    "Size: from the error rate, or as you say\n"
    "      --fpr P            false-positive rate: 0.01, 1e-6, 1/1000 (default 1/n, n keys)\n"
    "  -k N                   bits a key: 1..16 blocked, 1..4096 classic (default: the best)\n"
    "  -m BITS                bits in all: 8000000, 1.5G, 64Mi\n"
    "      --bits-per-key B   the same as a multiple of the number of keys: 10.5\n"
    "      --expected N       number of keys to come, if you know it: saves the memory that\n"
    "                         keeps 8 bytes a key until the input ends\n"
    "\n"
    "Kind of filter\n"
    "      --layout L         blocked: one memory access a key, the fastest (default)\n"
    "                         classic: the fewest bits for an error rate\n"
    "      --hash H           xxh3 (default); classic also: xxh3-square, murmur3, ap\n"
    "      --seed N           for the hash: decimal or 0x... (default 0)\n"
    "\n"
    "Input\n"
    "      --crlf             a carriage return before the line feed is not part of the key\n"
    "\n"
    "Running\n"
    "      --device D         auto, cpu, cuda or cuda:I (default auto: the GPU for large jobs)\n"
    "      --threads N        CPU threads (default: all)\n"
    "      --batch N          keys read and processed at once (default: 131072; GPU 1048576)\n"
    "  -q, --quiet            no progress, no summary, no remarks\n"
    "  -h, --help             this text\n"
    "\n"
    "Examples\n"
    "  tamis build -o words.tms --fpr 1e-6 words.txt.gz\n"
    "  zcat huge.gz | tamis build -o huge.tms --fpr 1/1000 --expected 2G -\n"
    "  tamis build -o small.tms --layout classic -m 64Mi -k 7 a.txt b.txt\n"
    "\n"
    "The file is the same, byte for byte, whatever the device, threads, batch or order of lines.\n";

typedef struct build_job {
    cli_common common;
    tms_filter_want want; /* n_keys: --expected */
    double bits_per_key;  /* 0: not given */
    int has_fpr;          /* "1/n" counts */
    const char *output;
    const char *const *paths;
    size_t n_paths;

    tms_context *ctx;
    tms_filter *filter;
    io_safe_file *file;
    io_lines *lines;
    key_store store;
    io_progress progress;
    uint64_t n_keys;
} build_job;

enum { OPT_FPR = CLI_OPT_OWN, OPT_BITS_PER_KEY, OPT_EXPECTED, OPT_LAYOUT, OPT_HASH, OPT_SEED };

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"fpr", required_argument, NULL, OPT_FPR},
                                        {"bits-per-key", required_argument, NULL, OPT_BITS_PER_KEY},
                                        {"expected", required_argument, NULL, OPT_EXPECTED},
                                        {"layout", required_argument, NULL, OPT_LAYOUT},
                                        {"hash", required_argument, NULL, OPT_HASH},
                                        {"seed", required_argument, NULL, OPT_SEED},
                                        CLI_LONG_DEVICE,
                                        CLI_LONG_THREADS,
                                        CLI_LONG_BATCH,
                                        CLI_LONG_CRLF,
                                        CLI_LONG_QUIET,
                                        CLI_LONG_HELP,
                                        CLI_LONG_END};

static int parse_layout(const char *text, tms_layout *out)
{
    for (int i = TMS_LAYOUT_BLOCKED; i <= TMS_LAYOUT_CLASSIC; i++) {
        if (strcmp(text, tms_layout_name((tms_layout)i)) == 0) {
            *out = (tms_layout)i;
            return 1;
        }
    }
    return 0;
}

static int parse_hash(const char *text, tms_hash *out)
{
    for (int i = TMS_HASH_XXH3; i <= TMS_HASH_AP; i++) {
        if (strcmp(text, tms_hash_name((tms_hash)i)) == 0) {
            *out = (tms_hash)i;
            return 1;
        }
    }
    return 0;
}

static int parse_option(build_job *job, int option, const char *value, char **argv)
{
    uint64_t n;

    switch (option) {
    case 'o':
        job->output = value;
        return CLI_OK;
    case 'k':
        if (!cli_parse_size(value, &n) || n < 1 || n > TMS_CLASSIC_MAX_K)
            return cli_fail_usage(command, "-k is a number from 1 to %d, not '%s'", TMS_CLASSIC_MAX_K, value);
        job->want.k = (uint32_t)n;
        return CLI_OK;
    case 'm':
        if (!cli_parse_size(value, &job->want.m_bits) || job->want.m_bits < 1 || job->want.m_bits > TMS_MAX_BITS)
            return cli_fail_usage(command,
                                  "-m is a number of bits from 1 to %llu, such as 8000000, 1.5G or 64Mi, not '%s'",
                                  (unsigned long long)TMS_MAX_BITS, value);
        return CLI_OK;
    case OPT_FPR:
        job->has_fpr = 1;
        if (!cli_parse_rate(value, &job->want.fpr))
            return cli_fail_usage(command, "--fpr is a number between 0 and 1, such as 0.01, 1e-6 or 1/1000, not '%s'",
                                  value);
        return CLI_OK;
    case OPT_BITS_PER_KEY:
        if (!cli_parse_positive(value, &job->bits_per_key))
            return cli_fail_usage(command, "--bits-per-key is a number above 0, not '%s'", value);
        return CLI_OK;
    case OPT_EXPECTED:
        if (!cli_parse_size(value, &job->want.n_keys) || job->want.n_keys < 1)
            return cli_fail_usage(command, "--expected is a number of keys, 1 or more, not '%s'", value);
        return CLI_OK;
    case OPT_LAYOUT:
        if (!parse_layout(value, &job->want.layout))
            return cli_fail_usage(command, "--layout is 'blocked' or 'classic', not '%s'", value);
        return CLI_OK;
    case OPT_HASH:
        if (!parse_hash(value, &job->want.hash))
            return cli_fail_usage(command, "--hash is 'xxh3', 'xxh3-square', 'murmur3' or 'ap', not '%s'", value);
        return CLI_OK;
    case OPT_SEED:
        if (!cli_parse_seed(value, &job->want.seed))
            return cli_fail_usage(command, "--seed is a number from 0 to 2^64 - 1, decimal or 0x..., not '%s'", value);
        return CLI_OK;
    default:
        return cli_common_option(&job->common, option, value, argv);
    }
}

/* What the library cannot see, because it never hears of --bits-per-key, nor of "1/n". */
static int check_options(const build_job *job)
{
    const tms_filter_want *want = &job->want;

    if (job->output == NULL)
        return cli_fail_usage(command, "where should the filter go? Give -o FILTER");
    if (job->bits_per_key > 0 && want->m_bits > 0)
        return cli_fail_usage(command, "-m and --bits-per-key both set the size: give one of them");
    if (job->has_fpr && want->fpr == 0 && (want->m_bits > 0 || job->bits_per_key > 0))
        return cli_fail_usage(command, "--fpr 1/n asks for a size, which %s sets already: leave one of them out",
                              want->m_bits > 0 ? "-m" : "--bits-per-key");
    if (want->layout == TMS_LAYOUT_BLOCKED && want->hash != TMS_HASH_XXH3)
        return cli_fail_usage(command, "--hash %s needs --layout classic; the blocked layout always uses xxh3",
                              tms_hash_name(want->hash));
    if (want->layout == TMS_LAYOUT_BLOCKED && want->k > TMS_BLOCKED_MAX_K)
        return cli_fail_usage(command, "-k %u needs --layout classic; the blocked layout takes 1 to %d", want->k,
                              TMS_BLOCKED_MAX_K);
    return CLI_OK;
}

/* The request for a known number of keys. */
static tms_status size_filter(build_job *job, uint64_t n_keys, tms_filter_params *out)
{
    tms_filter_want want = job->want;

    want.n_keys = n_keys > 0 ? n_keys : 1; /* no keys at all: the smallest filter there is, which answers no */
    if (job->bits_per_key > 0) {
        double m = ceil(job->bits_per_key * (double)want.n_keys);
        want.m_bits = m <= (double)TMS_MAX_BITS ? (uint64_t)m : TMS_MAX_BITS + 1; /* too large: the library says so */
    }
    return tms_filter_size(job->ctx, &want, out);
}

static int create_filter(build_job *job, const tms_filter_params *params)
{
    tms_status status = tms_filter_create(job->ctx, params, &job->filter);

    if (status != TMS_OK && cli_fall_back(&job->common, job->ctx, status))
        status = tms_filter_create(job->ctx, params, &job->filter);
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->ctx, status);
}

static int open_lines(build_job *job)
{
    io_lines_options how = {job->paths, job->n_paths, cli_batch_keys(&job->common, job->ctx), cli_batch_bytes(job->ctx),
                            job->common.crlf};
    io_error err;
    io_status status = io_lines_open(job->ctx, &how, &job->lines, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

/* Takes all lines, into the filter if there is one, else into the store. */
static int read_lines(build_job *job, const tms_filter_params *params)
{
    io_error err;
    io_batch batch;
    io_status status;
    tms_status added = TMS_OK;

    while ((status = io_lines_next(job->lines, &batch, &err)) == IO_OK) {
        added = job->filter != NULL ? tms_filter_insert(job->ctx, job->filter, &batch.keys)
                                    : key_store_add(&job->store, job->ctx, params, &batch.keys);
        if (added != TMS_OK)
            break;
        job->n_keys += batch.keys.n_keys;
        io_progress_update(&job->progress, batch.n_read, job->n_keys);
    }
    io_progress_end(&job->progress); /* before anything is said */
    if (added == TMS_E_MEMORY && job->filter == NULL)
        return cli_fail(command, CLI_NO_MEMORY,
                        "out of memory after %llu keys, kept until their number is known: --expected N avoids that",
                        (unsigned long long)job->n_keys);
    if (added != TMS_OK)
        return cli_fail_library(command, job->ctx, added);
    return status == IO_END ? CLI_OK : cli_fail_io(command, status, &err);
}

/* The size is known first: one filter, filled as lines come. */
static int build_straight(build_job *job)
{
    tms_filter_params params;
    tms_status status = job->want.n_keys > 0 ? size_filter(job, job->want.n_keys, &params)
                                             : tms_filter_size(job->ctx, &job->want, &params);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    code = cli_use_device(&job->common, job->ctx, cli_input_bytes(job->paths, job->n_paths), params.m_bits / 8);
    if (code == CLI_OK)
        code = create_filter(job, &params);
    if (code == CLI_OK)
        code = open_lines(job);
    if (code == CLI_OK)
        code = read_lines(job, &params);
    return code;
}

/* The number of keys comes out of the input. */
static int build_counted(build_job *job)
{
    tms_filter_params params;
    tms_filter_want probe = job->want;
    tms_status status;
    int code;

    /* Faults that do not depend on the number of keys are worth finding before the input is read. */
    probe.n_keys = 1;
    if (probe.m_bits > 0)
        probe.fpr = 0;
    else if (probe.fpr > 0 && probe.fpr < 0.5)
        probe.fpr = 0.5; /* whether a lower rate can be had, and which, depends on that number */
    status = tms_filter_size(job->ctx, &probe, &params);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    code = cli_use_device(&job->common, job->ctx, cli_input_bytes(job->paths, job->n_paths), job->want.m_bits / 8);
    if (code == CLI_OK)
        code = open_lines(job);
    if (code == CLI_OK)
        code = read_lines(job, &params);
    if (code != CLI_OK)
        return code;
    status = size_filter(job, job->n_keys, &params);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    code = create_filter(job, &params);
    if (code != CLI_OK)
        return code;
    status = key_store_insert(&job->store, job->ctx, job->filter);
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->ctx, status);
}

static void print_summary(const build_job *job)
{
    const tms_filter_params *p = tms_filter_get_params(job->filter);
    uint64_t n = job->n_keys, expected = job->want.n_keys;
    double fpr = tms_filter_expected_fpr(p, n);

    if (job->common.quiet)
        return;
    if (expected > 0 && n > expected)
        cli_say(command, "%llu keys came, %llu were expected: the false-positive rate is %.3g instead of %.3g",
                (unsigned long long)n, (unsigned long long)expected, fpr, tms_filter_expected_fpr(p, expected));
    if (n == 0) {
        cli_say(command, "no keys: the filter answers no to everything");
        return;
    }
    cli_say(command, "%llu key%s, m = %llu bits (%.2f a key), k = %u, expected false-positive rate %.3g, %.2f s",
            (unsigned long long)n, CLI_PLURAL(n), (unsigned long long)p->m_bits, (double)p->m_bits / (double)n, p->k,
            fpr, io_progress_elapsed(&job->progress));
}

static int run(build_job *job)
{
    uint64_t total = cli_input_bytes(job->paths, job->n_paths);
    int is_sized = job->want.n_keys > 0 || (job->want.m_bits > 0 && job->want.k > 0 && job->want.fpr == 0);
    io_error err;
    io_status opened;
    int code = cli_context_create(&job->common, &job->ctx);

    if (code != CLI_OK)
        return code;
    opened = io_safe_file_open(job->output, &job->file, &err); /* before an hour's work, not after */
    if (opened != IO_OK)
        return cli_fail_io(command, opened, &err);
    io_progress_start(&job->progress, command, total == UINT64_MAX ? 0 : total, job->common.quiet);
    code = is_sized ? build_straight(job) : build_counted(job);
    io_progress_end(&job->progress);
    if (code == CLI_OK)
        code = filter_file_write(&job->common, job->ctx, job->filter, &job->file);
    if (code == CLI_OK)
        print_summary(job);
    return code;
}

int cmd_build(int argc, char **argv)
{
    static const char *const from_stdin[] = {"-"};
    build_job job;
    int option, code;

    memset(&job, 0, sizeof job);
    cli_common_init(&job.common, command);
    job.want.layout = TMS_LAYOUT_BLOCKED;
    job.want.hash = TMS_HASH_XXH3;
    while ((option = getopt_long(argc, argv, ":o:k:m:qh", options, NULL)) != -1) {
        if (option == 'h')
            return cli_print_help(command, help);
        code = parse_option(&job, option, optarg, argv);
        if (code != CLI_OK)
            return code;
    }
    code = check_options(&job);
    if (code != CLI_OK)
        return code;
    job.paths = optind < argc ? (const char *const *)(argv + optind) : from_stdin;
    job.n_paths = optind < argc ? (size_t)(argc - optind) : 1;
    code = run(&job);
    io_progress_end(&job.progress);
    io_safe_file_abort(job.file);
    io_lines_close(job.lines);
    key_store_free(&job.store);
    tms_filter_destroy(job.filter);
    tms_context_destroy(job.ctx);
    return code;
}
