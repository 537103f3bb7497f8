/*
 * cmd_build.c - lines in, a filter file out.
 *
 * Where the size is known before the first line, lines go straight into the filter. Otherwise the one pass over the
 * input goes to a builder, and the filter is sized and filled at the end. --append starts from a copy of a filter. With --kmer sequences
 * take the place of lines, and a reference that of the builder.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "build_words.h"
#include "cli.h"
#include "filter_file.h"
#include "frequency_text.h"
#include "io/io_safe_file.h"
#include "line_stream.h"

static const char command[] = "build";

typedef struct build_job {
    line_stream stream;
    tms_filter_params asked; /* zero means not given, but for what has a default */
    tms_frequency_want frequencies;
    uint64_t expected;
    double fpr, bits_per_key;
    options_given given;
    const char *output, *append;
    int is_stranded; /* --kmer */

    filter_file old; /* --append */
    tms_filter *filter;
    enum { NOT_LOST, LOST, READ_AGAIN } lost; /* what the filter had, with the GPU where it was */
    off_t stdin_from;                         /* where standard input begins, if it is a file */
    io_safe_file *file;
    tms_builder *builder;     /* until the number of keys is known */
    tms_reference *reference; /* the same with --kmer */
} build_job;

/* Which options go together depends on what they are about. */
enum { SIZES_BY_RATE = 1, SIZES_BY_ERROR = 2, PROBABILISTIC = 4, W_MERS = 8 };

static const option_row rows[] = {
    {.heading = "Output"},
    {'o', "output", "FILTER", OPTION_PATH(build_job, output), .help = "where to write the filter, whole or not at all"},
    {0, "append", "FILTER", OPTION_PATH(build_job, append),
     .help = "add to this filter, of any layout, instead of making one. The result replaces it at the end; with -o it stays, and the "
             "result goes there"},
    CLI_ROW_FORCE("replace a file that is not a filter"),

    {.heading = "Size: from the false-positive rate, or as given"},
    {0, "fpr", "P", OPTION_RATE(build_job, fpr), .about = SIZES_BY_RATE, .such_as = "0.01, 1e-6 or 1/1000", .otherwise = "1e-3",
     .help = "false-positive rate: 0.01, 1e-6, 1/1000, or 1/n for n keys"},
    {'k', NULL, "N", OPTION_SIZE(build_job, asked.k, 1, TMS_PROBABILISTIC_MAX_K), .otherwise = "the best",
     .help = "bits a key, 1..4096; blocked: bits in each block, 1..16; probabilistic: 1..65536"},
    {'m', NULL, "BITS", OPTION_SIZE(build_job, asked.m_bits, 1, TMS_MAX_BITS), .what = "a number of bits",
     .such_as = "8000000, 1.5G or 64Mi", .help = "bits in all: 8000000, 1.5G, 64Mi"},
    {0, "bits-per-key", "B", OPTION_POSITIVE(build_job, bits_per_key), .about = SIZES_BY_RATE,
     .help = "the same as a multiple of the number of keys: 10.5"},
    {0, "expected", "N", OPTION_SIZE(build_job, expected, 1, 0), .about = SIZES_BY_RATE, .what = "a number of keys",
     .help = "number of keys to come, if you know it: saves memory, because otherwise 8 bytes a key are kept until the input ends"},

    {.heading = "Kind of filter"},
    {0, "layout", "L", OPTION_CHOICE(build_job, asked.layout, "blocked classic probabilistic", TMS_LAYOUT_BLOCKED), .initial = "blocked",
     .help = "blocked: the fastest; a missing key costs one memory access\n"
             "classic: the fewest bits for a false-positive rate\n"
             "probabilistic: estimates how often each line came (tamis freq)"},
    {0, "blocks", "C", OPTION_SIZE(build_job, asked.blocks_per_key, 1, TMS_BLOCKED_MAX_BLOCKS),
     .otherwise = "1 down to 1e-3, 2 to 1e-6, ...; 1 with both -m and -k",
     .help = "blocked: blocks a key, 1..8. More blocks take fewer bits at low rates, and one more access for each present key"},
    {0, "hash", "H", OPTION_CHOICE(build_job, asked.hash, CLI_HASHES, TMS_HASH_XXH3), .initial = "xxh3",
     .help = "xxh3; in the other layouts also xxh3-square, murmur3, ap"},
    CLI_ROW_SEED(build_job, asked.seed, "for hashes and random numbers: decimal or 0x..."),

    {.heading = "Probabilistic: -k, -p and -m, or --max-f and --error to choose them"},
    {'p', NULL, "P", OPTION_PROBABILITY(build_job, asked.p), .about = PROBABILISTIC, .what = "a probability", .such_as = "0.01 or 1/100",
     .help = "probability with which a line sets each of its bits: 0.01, 1/100"},
    {0, "max-f", "F", OPTION_POSITIVE(build_job, frequencies.max_f), .about = SIZES_BY_ERROR, .what = "a frequency", .such_as = "1000",
     .help = "estimate frequencies up to F ..."},
    {0, "error", "E", OPTION_FRACTION(build_job, frequencies.error), .about = SIZES_BY_ERROR, .what = "a relative error", .such_as = "0.1",
     .help = "... within this relative error, such as 0.1"},
    {0, "min-f", "L", OPTION_POSITIVE(build_job, frequencies.min_f), .about = SIZES_BY_ERROR, .what = "a frequency", .such_as = "100",
     .otherwise = "F/10, at least 1", .help = "the error holds from this frequency on"},
    CLI_ROW_CONFIDENCE(build_job, frequencies.confidence, SIZES_BY_ERROR),
    {0, "keys", "N", OPTION_SIZE(build_job, frequencies.n_keys, 1, 0), .about = SIZES_BY_ERROR, .what = "a number of different keys",
     .initial = "1000000", .help = "number of different lines to come ..."},
    {0, "zipf", "S", OPTION_NUMBER(build_job, frequencies.zipf, 0, 0), .about = SIZES_BY_ERROR, .what = "an exponent", .such_as = "1.1",
     .initial = "1", .help = "... of which line i comes F / i^S times, at least once; 0: all come F times"},
    {0, "sampling", "S", OPTION_CHOICE(build_job, asked.sampling, "geometric plain", TMS_SAMPLING_GEOMETRIC), .about = PROBABILISTIC,
     .initial = "geometric", .help = "geometric, or plain: a random number for each of the k bits; slower, with the same statistics"},

    {.heading = "DNA: w-mers of sequences, for tamis classify"},
    {0, "kmer", "W", OPTION_SIZE(build_job, asked.word_size, TMS_WORDS_MIN_SIZE, TMS_WORDS_MAX_SIZE), .about = W_MERS,
     .such_as = "31 or 21",
     .help = "the keys are the w-mers of FASTA or FASTQ files, W letters each, 8..255, instead of lines; windows with a letter other than "
             "ACGT are left out"},
    {0, "stranded", NULL, OPTION_FLAG(build_job, is_stranded), .about = W_MERS,
     .help = "as they are written; otherwise a w-mer and its reverse complement are the same"},

    {.heading = "Input"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the key"),

    {.heading = "Running"},
    CLI_ROW_DEVICE,
    CLI_ROW_THREADS,
    CLI_ROW_BATCH("keys read and processed at once", "131072; GPU 1048576"),
    CLI_ROW_QUIET("no progress, no summary, no remarks"),
    CLI_ROW_HELP,
};

const option_table build_options = {
    command,
    "Usage: tamis build -o FILTER [OPTION]... [FILE]...\n"
    "       tamis build --append FILTER [OPTION]... [FILE]...\n"
    "\n"
    "Puts the lines of the files, or of standard input (no FILE, or -), into a new\n"
    "filter. Input may be plain, gzip, bgzip, zstd, xz or bzip2; the first bytes\n"
    "decide.\n",
    OPTION_ROWS(rows),
    "\n"
    "Examples\n"
    "  tamis build -o words.tms --fpr 1e-6 words.txt.gz\n"
    "  zcat huge.gz | tamis build -o huge.tms --fpr 1/1000 --expected 2G -\n"
    "  tamis build -o small.tms --layout classic -m 64Mi -k 7 a.txt b.txt\n"
    "  tamis build --layout probabilistic --max-f 1e6 --error 0.1 -o f.tms day1.log\n"
    "  tamis build --append f.tms day2.log\n"
    "  tamis build --kmer 31 -o ecoli.tms ecoli.fa.gz\n"
    "\n"
    "The filter is the same, byte for byte, for any device, threads and batch size.\n"
    "The order of lines matters only in the probabilistic layout, whose random\n"
    "numbers depend on the number of the line.\n",
};

static int is_given(const build_job *job, const char *name) { return options_is_given(&job->given, name); }

static int check_append(const build_job *job)
{
    char spelling[OPTIONS_SPELLING];
    const char *size = options_about(&job->given, SIZES_BY_RATE | SIZES_BY_ERROR, spelling);

    if (strcmp(job->append, "-") == 0)
        return cli_fail_usage(command, "the filter to append to has to be a file");
    if (size != NULL)
        return cli_fail_usage(command, "%s sizes a new filter, and --append keeps the size: leave one of them out", size);
    return CLI_OK;
}

static int check_probabilistic(const build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, SIZES_BY_RATE, spelling);

    if (name != NULL)
        return cli_fail_usage(command,
                              "%s sizes a filter of the other layouts: the probabilistic one takes -k, -p and -m, "
                              "or --max-f and --error",
                              name);
    if (asked->blocks_per_key != 0)
        return cli_fail_usage(command, "--blocks needs --layout blocked");
    if (options_about(&job->given, SIZES_BY_ERROR, spelling) == NULL) {
        if (asked->k == 0 || asked->p == 0 || asked->m_bits == 0)
            return cli_fail_usage(command,
                                  "a probabilistic filter takes -k, -p and -m, all of them, or --max-f and --error: "
                                  "%s is missing",
                                  asked->k == 0   ? "-k"
                                  : asked->p == 0 ? "-p"
                                                  : "-m");
        return CLI_OK;
    }
    if (!is_given(job, "max-f") || !is_given(job, "error"))
        return cli_fail_usage(command, "%s needs %s: the two of them choose k, p and m",
                              options_about(&job->given, SIZES_BY_ERROR, spelling),
                              !is_given(job, "max-f") && !is_given(job, "error") ? "--max-f and --error"
                              : is_given(job, "max-f")                           ? "--error"
                                                                                 : "--max-f");
    if (asked->k != 0 || asked->p != 0)
        return cli_fail_usage(command, "%s conflicts with --max-f and --error, which choose k and p: leave out one or the other",
                              asked->k != 0 ? "-k" : "-p");
    return CLI_OK;
}

/* What the library cannot see, because it never hears of --bits-per-key, nor of "1/n". */
static int check_membership(const build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, PROBABILISTIC | SIZES_BY_ERROR, spelling);

    if (name != NULL)
        return cli_fail_usage(command, "%s needs --layout probabilistic", name);
    if (job->bits_per_key > 0 && asked->m_bits > 0)
        return cli_fail_usage(command, "-m and --bits-per-key both set the size: give one of them");
    if (is_given(job, "fpr") && job->fpr == 0 && (asked->m_bits > 0 || job->bits_per_key > 0))
        return cli_fail_usage(command, "--fpr 1/n asks for a size, which %s sets already: leave one of them out",
                              asked->m_bits > 0 ? "-m" : "--bits-per-key");
    if (asked->layout != TMS_LAYOUT_BLOCKED && asked->blocks_per_key != 0)
        return cli_fail_usage(command, "--blocks needs --layout blocked");
    if (asked->layout == TMS_LAYOUT_BLOCKED && asked->hash != TMS_HASH_XXH3)
        return cli_fail_usage(command, "--hash %s needs --layout classic; the blocked layout always uses xxh3", tms_hash_name(asked->hash));
    if (asked->layout == TMS_LAYOUT_BLOCKED && asked->k > TMS_BLOCKED_MAX_K)
        return cli_fail_usage(command, "-k %u needs another --layout; the blocked one takes 1 to %d", asked->k, TMS_BLOCKED_MAX_K);
    if (asked->layout == TMS_LAYOUT_CLASSIC && asked->k > TMS_CLASSIC_MAX_K)
        return cli_fail_usage(command, "-k %u is too large: the classic layout takes 1 to %d", asked->k, TMS_CLASSIC_MAX_K);
    return CLI_OK;
}

/* --kmer has a layout of its own. */
static int check_words(const build_job *job)
{
    static const char *const of_lines[] = {"append", "layout", "hash", "blocks", "crlf", "batch"};
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, PROBABILISTIC | SIZES_BY_ERROR, spelling);

    if (asked->word_size == 0)
        return cli_fail_usage(command, "--stranded needs --kmer");
    for (size_t i = 0; i < sizeof of_lines / sizeof *of_lines; i++)
        if (is_given(job, of_lines[i]))
            return cli_fail_usage(command, "--%s is for filters of lines: leave it or --kmer out", of_lines[i]);
    if (name != NULL)
        return cli_fail_usage(command, "%s is for filters of lines: leave it or --kmer out", name);
    if (asked->k > TMS_WORDS_MAX_K)
        return cli_fail_usage(command, "-k %u is too large: with --kmer it is 1 to %d", asked->k, TMS_WORDS_MAX_K);
    return CLI_OK;
}

/* What goes together, as far as the rows do not say it. */
static int check_options(const build_job *job)
{
    char spelling[OPTIONS_SPELLING];
    if (options_about(&job->given, W_MERS, spelling) != NULL) {
        int code = check_words(job);
        if (code != CLI_OK)
            return code;
    }
    if (job->append != NULL)
        return check_append(job);
    if (job->output == NULL)
        return cli_fail_usage(command, "where should the filter go? Give -o FILTER");
    return job->asked.layout == TMS_LAYOUT_PROBABILISTIC ? check_probabilistic(job) : check_membership(job);
}

/* What is asked of a classic or blocked filter. */
static tms_filter_want membership_want(const build_job *job, uint64_t n_keys)
{
    const tms_filter_params *a = &job->asked;
    int one_in_n = is_given(job, "fpr") && job->fpr == 0;

    return (tms_filter_want){.layout = a->word_size > 0 ? TMS_LAYOUT_WORDS : a->layout,
                             .hash = a->hash,
                             .seed = a->seed,
                             .n_keys = n_keys,
                             .fpr = one_in_n ? 1.0 / (double)(n_keys > 2 ? n_keys : 2) : job->fpr,
                             .m_bits = a->m_bits,
                             .k = a->k,
                             .blocks_per_key = a->blocks_per_key,
                             .word_size = a->word_size,
                             .strand = job->is_stranded ? TMS_STRAND_PLUS : TMS_STRAND_BOTH};
}

/* The request for a known number of keys. */
static tms_status size_filter(build_job *job, uint64_t n_keys, tms_filter_params *out)
{
    /* No keys at all: the smallest filter there is, which answers no. */
    tms_filter_want want = membership_want(job, n_keys > 0 ? n_keys : 1);

    if (job->bits_per_key > 0) {
        double m = ceil(job->bits_per_key * (double)want.n_keys);
        want.m_bits = m <= (double)TMS_MAX_BITS ? (uint64_t)m : TMS_MAX_BITS + 1; /* too large: the library says so */
    }
    return tms_filter_size(job->stream.ctx, &want, out);
}

/* An empty filter, or a copy of the one that --append continues. */
static tms_status make_filter(build_job *job, const tms_filter_params *params)
{
    return job->append != NULL ? tms_filter_copy(job->stream.ctx, job->old.filter, &job->filter)
                               : tms_filter_create(job->stream.ctx, params, &job->filter);
}

static int create_filter(build_job *job, const tms_filter_params *params)
{
    tms_status status = make_filter(job, params);

    if (status != TMS_OK && cli_fall_back(&job->stream.common, job->stream.ctx, status, CLI_GPU_IS_FULL))
        status = make_filter(job, params);
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

/*
 * The GPU failed amid the input. If its memory can still be read, the filter goes on on the CPU: the batch that failed may be in it in
 * part, and to insert that again sets the same bits. Returns 1 then. Otherwise files are read once more.
 */
static int moves_to_cpu(build_job *job, tms_status failure)
{
    if (!line_stream_falls_back(&job->stream, failure))
        return 0;
    if (tms_filter_download(job->stream.ctx, job->filter) == TMS_OK)
        return 1;
    job->lost = job->stream.input_bytes != UINT64_MAX ? READ_AGAIN : LOST;
    return 0;
}

/* Into the filter if there is one, else to the builder. */
static io_status take_batch(void *build, const io_batch *batch, tms_status *done, io_error *err)
{
    build_job *job = build;

    (void)err;
    if (job->filter == NULL) {
        *done = tms_builder_add(job->stream.ctx, job->builder, &batch->keys);
        return IO_OK;
    }
    *done = tms_filter_insert(job->stream.ctx, job->filter, &batch->keys);
    if (*done != TMS_OK && moves_to_cpu(job, *done))
        *done = tms_filter_insert(job->stream.ctx, job->filter, &batch->keys);
    return IO_OK;
}

static int fail_batch(void *build, tms_status status)
{
    build_job *job = build;

    if (job->lost == READ_AGAIN) /* no failure yet */
        return CLI_NO_DEVICE;
    if (job->lost == LOST)
        return cli_fail(command, CLI_NO_DEVICE,
                        "the lines before were lost with the GPU, and a pipe cannot be read again: give "
                        "--device cpu");
    if (status == TMS_E_MEMORY && job->filter == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory after %llu keys, kept until their number is known: --expected N avoids that",
                        (unsigned long long)job->stream.n_keys);
    return cli_fail_library(command, job->stream.ctx, status);
}

static int read_lines(build_job *job)
{
    static const line_work work = {.take = take_batch, .fail = fail_batch};
    int code = line_stream_open(&job->stream, 0);

    return code == CLI_OK ? line_stream_each(&job->stream, &work, job) : code;
}

/* The parameters, where they are known before the first line. */
static tms_status choose_params(build_job *job, tms_filter_params *out)
{
    tms_frequency_want frequencies = job->frequencies;
    tms_filter_want want = membership_want(job, 0);

    if (job->append != NULL) {
        *out = *tms_filter_get_params(job->old.filter);
        return TMS_OK;
    }
    if (job->asked.layout != TMS_LAYOUT_PROBABILISTIC)
        return job->expected > 0 ? size_filter(job, job->expected, out) : tms_filter_size(job->stream.ctx, &want, out);
    if (!is_given(job, "max-f")) {
        *out = job->asked;
        return TMS_OK;
    }
    frequencies.hash = job->asked.hash;
    frequencies.seed = job->asked.seed;
    frequencies.sampling = job->asked.sampling;
    frequencies.m_bits = job->asked.m_bits;
    return tms_frequency_size(job->stream.ctx, &frequencies, out);
}

/* On the CPU, after the GPU was lost with what it had. */
static int start_over(build_job *job, const tms_filter_params *params)
{
    int code;

    job->lost = NOT_LOST;
    io_lines_close(job->stream.lines);
    job->stream.lines = NULL;
    job->stream.n_keys = 0;
    tms_filter_destroy(job->filter);
    job->filter = NULL;
    for (size_t i = 0; i < job->stream.n_paths; i++) { /* other files are opened anew */
        if (strcmp(job->stream.paths[i], "-") == 0 && lseek(STDIN_FILENO, job->stdin_from, SEEK_SET) < 0)
            return cli_fail(command, CLI_NO_DEVICE, "standard input cannot be read again, after the GPU failed: give --device cpu");
    }
    code = create_filter(job, params);
    return code == CLI_OK ? read_lines(job) : code;
}

/* The size is known first: one filter, filled as lines come. */
static int build_straight(build_job *job)
{
    tms_filter_params params;
    tms_status status = choose_params(job, &params);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    job->stdin_from = lseek(STDIN_FILENO, 0, SEEK_CUR);
    code = cli_use_device(&job->stream.common, job->stream.ctx, job->stream.input_bytes, params.m_bits / 8);
    if (code == CLI_OK)
        code = create_filter(job, &params);
    if (code == CLI_OK)
        code = read_lines(job);
    return job->lost == READ_AGAIN ? start_over(job, &params) : code;
}

/* The number of keys comes out of the input. */
static int build_counted(build_job *job)
{
    tms_filter_params params;
    tms_filter_want want = membership_want(job, 0);
    tms_status status = tms_builder_create(job->stream.ctx, &want, &job->builder);
    int code;

    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = cli_use_device(&job->stream.common, job->stream.ctx, job->stream.input_bytes, job->asked.m_bits / 8);
    if (code == CLI_OK)
        code = read_lines(job);
    if (code != CLI_OK)
        return code;
    status = size_filter(job, job->stream.n_keys, &params); /* the library never hears of --bits-per-key, nor of "1/n" */
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = create_filter(job, &params);
    if (code != CLI_OK)
        return code;
    status = tms_builder_insert(job->stream.ctx, job->builder, job->filter);
    if (status != TMS_OK && line_stream_falls_back(&job->stream, status)) {
        tms_filter_destroy(job->filter);
        code = create_filter(job, &params);
        if (code != CLI_OK)
            return code;
        status = tms_builder_insert(job->stream.ctx, job->builder, job->filter);
    }
    tms_builder_destroy(job->builder); /* its memory, before the filter is written */
    job->builder = NULL;
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

/* --kmer */
static int build_words(build_job *job)
{
    tms_filter_params params;
    tms_filter_want want = membership_want(job, job->expected);
    tms_status status;
    int code;

    code = cli_use_asked_device(&job->stream.common, job->stream.ctx);
    if (code != CLI_OK)
        return code;
    if (want.m_bits > 0 || job->expected == 0) /* whether a rate can be had depends on the number of w-mers */
        want.fpr = 0;
    status = tms_reference_create(job->stream.ctx, &want, &job->reference);
    if (status != TMS_OK)
        return cli_fail_library(command, job->stream.ctx, status);
    code = build_words_read(&job->stream, job->reference);
    if (code != CLI_OK)
        return code;
    status = size_filter(job, job->expected > 0 ? job->expected : job->stream.n_keys, &params);
    if (status == TMS_OK)
        status = tms_filter_create(job->stream.ctx, &params, &job->filter);
    if (status == TMS_OK)
        status = tms_reference_insert(job->stream.ctx, job->reference, job->filter);
    tms_reference_destroy(job->reference); /* its memory, before the filter is written */
    job->reference = NULL;
    return status == TMS_OK ? CLI_OK : cli_fail_library(command, job->stream.ctx, status);
}

static int fail_differs(const build_job *job, const char *what, const char *has, const char *asked)
{
    return cli_fail(command, CLI_USAGE, "%s has %s %s, not %s: --append keeps what a filter was built with", job->append, what, has, asked);
}

static int differ_numbers(const build_job *job, const char *what, uint64_t has, uint64_t asked)
{
    char a[24], b[24];

    snprintf(a, sizeof a, "%llu", (unsigned long long)has);
    snprintf(b, sizeof b, "%llu", (unsigned long long)asked);
    return fail_differs(job, what, a, b);
}

/* What is given together with --append has to be what the filter has. */
static int check_same(const build_job *job)
{
    const tms_filter_params *has = tms_filter_get_params(job->old.filter), *asked = &job->asked;
    uint64_t m = asked->m_bits;
    char a[32], b[32], spelling[OPTIONS_SPELLING];

    if (has->layout == TMS_LAYOUT_BLOCKED) { /* as a new filter's would be */
        uint64_t unit = (uint64_t)TMS_BLOCK_BITS * has->blocks_per_key;
        m = (m + unit - 1) / unit * unit;
    }
    if (is_given(job, "layout") && asked->layout != has->layout)
        return fail_differs(job, "layout", tms_layout_name(has->layout), tms_layout_name(asked->layout));
    if (options_about(&job->given, PROBABILISTIC, spelling) != NULL && has->layout != TMS_LAYOUT_PROBABILISTIC)
        return cli_fail(command, CLI_USAGE, "%s has layout %s, and %s is for probabilistic filters", job->append,
                        tms_layout_name(has->layout), options_about(&job->given, PROBABILISTIC, spelling));
    if (is_given(job, "hash") && asked->hash != has->hash)
        return fail_differs(job, "hash", tms_hash_name(has->hash), tms_hash_name(asked->hash));
    if (is_given(job, "seed") && asked->seed != has->seed)
        return differ_numbers(job, "seed", has->seed, asked->seed);
    if (m != 0 && m != has->m_bits)
        return differ_numbers(job, "m =", has->m_bits, asked->m_bits);
    if (asked->k != 0 && asked->k != has->k)
        return differ_numbers(job, "k =", has->k, asked->k);
    if (asked->blocks_per_key != 0 && asked->blocks_per_key != has->blocks_per_key)
        return differ_numbers(job, "blocks a key:", has->blocks_per_key, asked->blocks_per_key);
    if (asked->p != 0 && asked->p != has->p) {
        int digits = fabs(has->p - asked->p) > 1e-9 * has->p ? 10 : 17;
        snprintf(a, sizeof a, "%.*g", digits, has->p);
        snprintf(b, sizeof b, "%.*g", digits, asked->p);
        return fail_differs(job, "p =", a, b);
    }
    if (is_given(job, "sampling") && asked->sampling != has->sampling)
        return fail_differs(job, "sampling", tms_sampling_name(has->sampling), tms_sampling_name(asked->sampling));
    return CLI_OK;
}

/* On the CPU: the copy goes to the device. */
static int open_old(build_job *job)
{
    int code = filter_file_open(&job->old, &job->stream.common, job->stream.ctx, job->append);

    if (code == CLI_OK && tms_filter_get_params(job->old.filter)->layout == TMS_LAYOUT_WORDS)
        return cli_fail(command, CLI_USAGE, "%s: lines cannot be added to a filter of w-mers; build another with --kmer, and merge them",
                        job->append);
    return code == CLI_OK ? check_same(job) : code;
}

/* "k = 8", "k = 8 in each of 2 blocks" */
static const char *k_text(const tms_filter_params *p, char text[40])
{
    snprintf(text, 40, p->blocks_per_key > 1 ? "k = %u in each of %u blocks" : "k = %u", p->k, p->blocks_per_key);
    return text;
}

/* Who did not say how large or how exact gets the default, and the price of others. */
static void remark_default_rate(const build_job *job, const tms_filter_params *p)
{
    static const double rates[] = {1e-2, 1e-6};
    uint64_t n = job->expected > 0 ? job->expected : job->stream.n_keys; /* what it was sized for */
    double bits[2];

    if (job->bits_per_key > 0 || job->asked.m_bits > 0 || is_given(job, "fpr"))
        return;
    for (int i = 0; i < 2; i++) {
        tms_filter_want want = membership_want(job, n);
        tms_filter_params params;
        want.fpr = rates[i];
        if (tms_filter_size(job->stream.ctx, &want, &params) != TMS_OK)
            return;
        bits[i] = (double)params.m_bits / (double)n;
    }
    cli_say(command, "the default rate is 1 in 1000, at %.1f bits a key; --fpr 0.01 would take %.1f, --fpr 1e-6 %.1f",
            (double)p->m_bits / (double)n, bits[0], bits[1]);
}

static void print_rate(const build_job *job, const tms_filter_params *p)
{
    uint64_t n = job->stream.n_keys, expected = job->expected;
    double fpr = tms_filter_expected_fpr(p, n);
    char k[40];

    if (expected > 0 && n > expected)
        cli_say(command, "%llu keys came, %llu were expected: the false-positive rate is %.3g instead of %.3g", (unsigned long long)n,
                (unsigned long long)expected, fpr, tms_filter_expected_fpr(p, expected));
    cli_say(command, "%llu key%s, m = %llu bits (%.2f a key), %s, expected false-positive rate %.3g, %.2f s", (unsigned long long)n,
            CLI_PLURAL(n), (unsigned long long)p->m_bits, (double)p->m_bits / (double)n, k_text(p, k), fpr,
            io_progress_elapsed(&job->stream.progress));
    remark_default_rate(job, p);
}

/*
 * "-k K -p P -m BITS" with which the same lines would leave --max-f told: this k and p, and bits that as many drawn ones fill less. Empty
 * where there are none.
 */
static void size_that_would_do(const build_job *job, const tms_filter_params *now, double fill, char *text, size_t size)
{
    const tms_frequency_want *want = &job->frequencies;
    double drawn = -log1p(-fill) * (double)now->m_bits, low, high, best_error, best_f;
    tms_filter_params p = *now;
    char p_text[32];

    text[0] = '\0';
    snprintf(p_text, sizeof p_text, "%.6g", now->p);
    p.p = strtod(p_text, NULL);
    for (; fill < 1 && p.m_bits <= TMS_MAX_BITS; p.m_bits += p.m_bits / 16 + 1) {
        double then = 1.01 * -expm1(-drawn / (double)p.m_bits); /* it scatters */
        if (then >= 1)
            continue;
        if (tms_frequency_range(job->stream.ctx, &p, then, want->confidence, want->error, &low, &high, &best_error, &best_f) != TMS_OK)
            return;
        if (high >= want->max_f) {
            snprintf(text, size, "; -k %u -p %s -m %llu would do", p.k, p_text, (unsigned long long)p.m_bits);
            return;
        }
    }
}

static tms_status print_range(const build_job *job, const tms_filter_params *p, double fill)
{
    const tms_frequency_want *want = &job->frequencies;
    char range[FREQUENCY_TEXT_SIZE];
    char would[96];
    double low, high = 0, best_error, best_f;
    tms_status status = frequency_range_text(job->stream.ctx, p, fill, want->confidence, want->error, range);

    if (status == TMS_OK)
        cli_say(command, "resolves %s", range);
    if (status == TMS_OK && fill < 1)
        status = tms_frequency_range(job->stream.ctx, p, fill, want->confidence, want->error, &low, &high, &best_error, &best_f);
    if (status != TMS_OK || high >= want->max_f)
        return status;
    size_that_would_do(job, p, fill, would, sizeof would);
    cli_say(command, "%.10g was asked for: more different keys came than --keys and --zipf say, or they came more often%s", want->max_f,
            would);
    return status;
}

/* The bits say more than their number: references repeat themselves. */
static void print_words(const build_job *job, const tms_filter_params *p)
{
    uint64_t n = job->stream.n_keys;
    double seconds = io_progress_elapsed(&job->stream.progress);
    tms_filter_stats stats;

    if (tms_filter_get_stats(job->stream.ctx, job->filter, &stats) != TMS_OK) {
        cli_say(command, "no summary: %s", tms_context_message(job->stream.ctx)); /* the filter is written all the same */
        return;
    }
    cli_say(command, "%llu w-mer%s of %u letters, %s, m = %llu bits (%.2f a w-mer), k = %u, false-positive rate %.3g, %.2f s",
            (unsigned long long)n, CLI_PLURAL(n), p->word_size, p->strand == TMS_STRAND_BOTH ? "both strands" : "stranded",
            (unsigned long long)p->m_bits, (double)p->m_bits / (double)n, p->k, stats.actual_fpr, seconds);
}

static void print_summary(const build_job *job)
{
    const tms_filter_params *p = tms_filter_get_params(job->filter);
    unsigned long long n = job->stream.n_keys, m = p->m_bits;
    double seconds = io_progress_elapsed(&job->stream.progress);
    tms_filter_stats stats;
    tms_status status;
    char added[64] = "", k[40];

    if (job->stream.common.quiet)
        return;
    if (job->append == NULL && n == 0) {
        cli_say(command,
                p->layout == TMS_LAYOUT_WORDS ? "no w-mers: the filter answers %s to everything"
                                              : "no keys: the filter answers %s to everything",
                p->layout == TMS_LAYOUT_PROBABILISTIC ? "0" : "no");
        return;
    }
    if (p->layout == TMS_LAYOUT_WORDS) {
        print_words(job, p);
        return;
    }
    if (job->append == NULL && p->layout != TMS_LAYOUT_PROBABILISTIC) {
        print_rate(job, p);
        return;
    }
    if (job->append != NULL)
        snprintf(added, sizeof added, "%llu key%s added: ", n, CLI_PLURAL(n));
    status = tms_filter_get_stats(job->stream.ctx, job->filter, &stats);
    n = status == TMS_OK ? stats.n_keys : 0;
    if (status == TMS_OK && p->layout != TMS_LAYOUT_PROBABILISTIC) {
        cli_say(command, "%s%llu key%s, m = %llu bits, %s, expected false-positive rate %.3g, %.2f s", added, n, CLI_PLURAL(n), m,
                k_text(p, k), stats.expected_fpr, seconds);
    } else if (status == TMS_OK) {
        cli_say(command, "%s%llu insertion%s, m = %llu bits, k = %u, p = %.6g, fill %.4f, %.2f s", added, n, CLI_PLURAL(n), m, p->k, p->p,
                stats.fill, seconds);
        status = print_range(job, p, stats.fill);
    }
    if (status != TMS_OK) /* the filter is written all the same */
        cli_say(command, "no summary: %s", tms_context_message(job->stream.ctx));
}

static int run(build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    int is_sized = job->append != NULL || asked->layout == TMS_LAYOUT_PROBABILISTIC || job->expected > 0 ||
                   (asked->m_bits > 0 && asked->k > 0 && job->fpr == 0);
    int code = line_stream_begin(&job->stream);

    if (code == CLI_OK && job->append != NULL)
        code = open_old(job);
    if (code == CLI_OK) /* before an hour's work, not after */
        code = filter_file_create(&job->stream.common,
                                  (io_output){.path = job->output != NULL ? job->output : job->append,
                                              .inputs = job->stream.paths,
                                              .n_inputs = job->stream.n_paths},
                                  &job->file);
    if (code != CLI_OK)
        return code;
    line_stream_progress(&job->stream, 0);
    code = asked->word_size > 0 ? build_words(job) : is_sized ? build_straight(job) : build_counted(job);
    io_progress_end(&job->stream.progress);
    if (code == CLI_OK)
        code = filter_file_write(&job->stream.common, job->stream.ctx, job->filter, &job->file);
    if (code == CLI_OK)
        print_summary(job);
    return code;
}

int cmd_build(int argc, char **argv)
{
    build_job job;
    int code;

    memset(&job, 0, sizeof job);
    job.frequencies.error = 0.25; /* what the summary speaks of where nothing else was asked for */
    if (!cli_options(&build_options, argc, argv, &job.stream.common, &job.given, &code))
        return code;
    code = check_options(&job);
    if (code != CLI_OK)
        return code;
    cli_input_paths(job.given.n_operands, job.given.operands, 0, &job.stream.paths, &job.stream.n_paths);
    code = run(&job);
    io_safe_file_abort(job.file);
    tms_builder_destroy(job.builder);
    tms_reference_destroy(job.reference);
    tms_filter_destroy(job.filter);
    filter_file_close(&job.old);
    line_stream_close(&job.stream);
    return code;
}
