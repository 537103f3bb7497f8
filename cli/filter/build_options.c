/* build_options.c - see build_job.h: the options of `tamis build`, and the checks of their combinations. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/filter/build_job.h"
#include "cli/filter/build_words.h"

static const char command[] = "build";

/* Bits of .about, by which build_check() decides which options can be combined. */
enum { SIZES_BY_RATE = 1, SIZES_BY_ERROR = 2, PROBABILISTIC = 4, K_MERS = 8 };
static const option_row rows[] = {
    {.heading = "Output"},
    {'o', "output", "FILTER", OPTION_PATH(build_job, output), .help = "where to write the filter, whole or not at all"},
    {0, "append", "FILTER", OPTION_PATH(build_job, append),
     .help =
         "add the lines to this filter, of any layout, instead of making a new one. The result replaces it at the end, or goes to the file "
         "of -o. For filters of k-mers use tamis merge"},
    CLI_ROW_FORCE("replace a file that is not a filter; with --shard, make the shard again even if -o is there"),
    {0, "shard", "K/N", OPTION_PATH(build_job, shard), .excludes = "append", .because = "a shard is a new filter",
     .help =
         "insert only share K of N of the input: tamis merge makes the whole filter of all shares. The size has to be given, not left to "
         "the input. If the output is this shard already, whole, the command ends at once"},

    {.heading = "Size: from the false-positive rate, or as given"},
    {0, "fpr", "P", OPTION_RATE(build_job, fpr), .about = SIZES_BY_RATE, .such_as = "0.01, 1e-6 or 1/1000", .otherwise = "1e-3",
     .help = "false-positive rate: 0.01, 1e-6, 1/1000, or 1/n for n keys"},
    {'k', NULL, "N", OPTION_SIZE(build_job, asked.k, 1, TMS_PROBABILISTIC_MAX_K), .otherwise = "the best",
     .help = "bits per key, 1..4096; blocked: bits in each block, 1..16; probabilistic: 1..65536"},
    {'m', NULL, "BITS", OPTION_SIZE(build_job, asked.m_bits, 1, TMS_MAX_BITS), .what = "a number of bits",
     .such_as = "8000000, 1.5G or 64Mi", .help = "total number of bits: 8000000, 1.5G, 64Mi"},
    {0, "bits-per-key", "B", OPTION_POSITIVE(build_job, bits_per_key), .about = SIZES_BY_RATE,
     .help = "total number of bits, as a multiple of the number of keys: 10.5"},
    {0, "expected", "N", OPTION_SIZE(build_job, expected, 1, 0), .about = SIZES_BY_RATE, .what = "a number of keys",
     .help = "number of keys to expect, if you know it. Saves memory: without it tamis keeps 8 bytes per key until the input ends"},

    {.heading = "Kind of filter"},
    {0, "layout", "L", OPTION_CHOICE(build_job, asked.layout, "blocked classic probabilistic", TMS_LAYOUT_BLOCKED), .initial = "blocked",
     .help = "blocked: the fastest; an absent key costs one memory access\n"
             "classic: the fewest bits for a false-positive rate\n"
             "probabilistic: estimates how often each line occurred (tamis freq)"},
    {0, "blocks", "C", OPTION_SIZE(build_job, asked.blocks_per_key, 1, TMS_BLOCKED_MAX_BLOCKS),
     .otherwise = "1 down to 1e-3, 2 to 1e-6, ...; 1 with both -m and -k",
     .help =
         "blocked: blocks per key, 1..8. More blocks take fewer bits at low rates, but a present key costs one memory access per block"},
    {0, "hash", "H", OPTION_CHOICE(build_job, asked.hash, CLI_HASHES, TMS_HASH_XXH3), .initial = "xxh3",
     .help = "xxh3; in the classic and probabilistic layouts also xxh3-square, murmur3, ap"},
    CLI_ROW_SEED(build_job, asked.seed, "for hashes and random numbers: decimal or 0x..."),

    {.heading = "Probabilistic: -k, -p and -m, or --max-f and --error to choose them"},
    {'p', NULL, "P", OPTION_PROBABILITY(build_job, asked.p), .about = PROBABILISTIC, .what = "a probability", .such_as = "0.01 or 1/100",
     .help = "probability with which a line sets each of its bits: 0.01, 1/100"},
    {0, "max-f", "F", OPTION_POSITIVE(build_job, frequencies.max_f), .about = SIZES_BY_ERROR, .what = "a frequency", .such_as = "1000",
     .help = "estimate frequencies up to F ..."},
    {0, "error", "E", OPTION_FRACTION(build_job, frequencies.error), .about = SIZES_BY_ERROR, .what = "a relative error", .such_as = "0.1",
     .help = "... within this relative error, such as 0.1"},
    {0, "min-f", "L", OPTION_POSITIVE(build_job, frequencies.min_f), .about = SIZES_BY_ERROR, .what = "a frequency", .such_as = "100",
     .otherwise = "F/10, at least 1", .help = "lowest frequency for which the error holds"},
    CLI_ROW_CONFIDENCE(build_job, frequencies.confidence, SIZES_BY_ERROR),
    {0, "keys", "N", OPTION_SIZE(build_job, frequencies.n_keys, 1, 0), .about = SIZES_BY_ERROR, .what = "a number of different keys",
     .initial = "1000000", .help = "number of different lines to expect ..."},
    {0, "zipf", "S", OPTION_NUMBER(build_job, frequencies.zipf, 0, 0), .about = SIZES_BY_ERROR, .what = "an exponent", .such_as = "1.1",
     .initial = "1", .help = "... of which line i occurs F / i^S times, but at least once; 0: all occur F times"},
    {0, "sampling", "S", OPTION_CHOICE(build_job, asked.sampling, "geometric plain", TMS_SAMPLING_GEOMETRIC), .about = PROBABILISTIC,
     .initial = "geometric", .help = "geometric, or plain: a random number for each of the k bits; slower, with the same statistics"},

    {.heading = "DNA: k-mers of sequences, for tamis classify"},
    {0, "kmer", "W", OPTION_SIZE(build_job, asked.word_size, TMS_WORDS_MIN_SIZE, TMS_WORDS_MAX_SIZE), .about = K_MERS,
     .such_as = "31 or 21",
     .help =
         "insert the k-mers of FASTA or FASTQ files, W bases each, 8..255, instead of lines; k-mers with a base other than A, C, G or T "
         "are left out"},
    {0, "stranded", NULL, OPTION_FLAG(build_job, is_stranded), .about = K_MERS,
     .help = "treat a k-mer and its reverse complement as different keys; by default they are the same key"},
    {0, "mask", "M", OPTION_CHOICE(build_job, mask, "none dust lower", BUILD_MASK_NONE), .about = K_MERS, .initial = "none",
     .help =
         "leave out k-mers with half of their bases or more in low-complexity intervals (dust, as dustmasker finds them) or in lower case "
         "(lower)"},

    {.heading = "Input"},
    CLI_ROW_CRLF("a carriage return before the line feed is not part of the key"),
    {0, "force-lines", NULL, OPTION_FLAG(build_job, force_lines), .excludes = "kmer",
     .help = "insert the lines of FASTA or FASTQ files without a warning that they look like sequences"},

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
    "filter. Input may be plain, or compressed by gzip, bgzip, zstd, xz or bzip2;\n"
    "tamis detects this from the first bytes.\n",
    OPTION_ROWS(rows),
    "\n"
    "Examples\n"
    "  tamis build -o words.tms --fpr 1e-6 words.txt.gz\n"
    "  zcat huge.gz | tamis build -o huge.tms --fpr 1/1000 --expected 2G -\n"
    "  tamis build -o small.tms --layout classic -m 64Mi -k 7 a.txt b.txt\n"
    "  tamis build --layout probabilistic --max-f 1e6 --error 0.1 -o f.tms day1.log\n"
    "  tamis build --append f.tms day2.log\n"
    "  tamis build --kmer 31 -o ecoli.tms ecoli.fa.gz\n"
    "  tamis build --shard 3/16 --expected 2G -o part.3.tms huge*.gz\n"
    "\n"
    "The filter is the same, byte for byte, for any device, threads and batch size.\n"
    "The order of lines matters only in the probabilistic layout, whose random\n"
    "numbers depend on the line number.\n",
};
static int check_append(const build_job *job)
{
    char spelling[OPTIONS_SPELLING];
    const char *size = options_about(&job->given, SIZES_BY_RATE | SIZES_BY_ERROR, spelling);

    if (strcmp(job->append, "-") == 0)
        return cli_fail_usage(command, "--append needs the name of a file, not -");
    if (size != NULL)
        return cli_fail_usage(command, "%s sets the size of a new filter, but --append keeps the size: leave one of them out", size);
    return CLI_OK;
}

static int check_probabilistic(const build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, SIZES_BY_RATE, spelling);

    if (name != NULL)
        return cli_fail_usage(command,
                              "%s sets the size of the other layouts: a probabilistic filter needs -k, -p and -m, "
                              "or --max-f and --error",
                              name);
    if (asked->blocks_per_key != 0)
        return cli_fail_usage(command, "--blocks needs --layout blocked");
    if (options_about(&job->given, SIZES_BY_ERROR, spelling) == NULL) {
        if (asked->k == 0 || asked->p == 0 || asked->m_bits == 0)
            return cli_fail_usage(command,
                                  "a probabilistic filter needs -k, -p and -m together, or --max-f and --error: "
                                  "%s is missing",
                                  asked->k == 0   ? "-k"
                                  : asked->p == 0 ? "-p"
                                                  : "-m");
        return CLI_OK;
    }
    if (!build_is_given(job, "max-f") || !build_is_given(job, "error"))
        return cli_fail_usage(command, "%s needs %s: --max-f and --error together determine k, p and m",
                              options_about(&job->given, SIZES_BY_ERROR, spelling),
                              !build_is_given(job, "max-f") && !build_is_given(job, "error") ? "--max-f and --error"
                              : build_is_given(job, "max-f")                                 ? "--error"
                                                                                             : "--max-f");
    if (asked->k != 0 || asked->p != 0)
        return cli_fail_usage(command, "%s conflicts with --max-f and --error, which determine k and p: leave out one or the other",
                              asked->k != 0 ? "-k" : "-p");
    return CLI_OK;
}

/* Checks that the library cannot make, because it does not know --bits-per-key and "1/n". */
static int check_membership(const build_job *job)
{
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, PROBABILISTIC | SIZES_BY_ERROR, spelling);

    if (name != NULL)
        return cli_fail_usage(command, "%s needs --layout probabilistic", name);
    if (job->bits_per_key > 0 && asked->m_bits > 0)
        return cli_fail_usage(command, "-m and --bits-per-key both set the size: give one of them");
    if (build_is_given(job, "fpr") && job->fpr == 0 && (asked->m_bits > 0 || job->bits_per_key > 0))
        return cli_fail_usage(command, "--fpr 1/n determines the size, which %s sets already: leave one of them out",
                              asked->m_bits > 0 ? "-m" : "--bits-per-key");
    if (asked->layout != TMS_LAYOUT_BLOCKED && asked->blocks_per_key != 0)
        return cli_fail_usage(command, "--blocks needs --layout blocked");
    if (asked->layout == TMS_LAYOUT_BLOCKED && asked->hash != TMS_HASH_XXH3)
        return cli_fail_usage(command, "--hash %s needs --layout classic; the blocked layout always uses xxh3", tms_hash_name(asked->hash));
    if (asked->layout == TMS_LAYOUT_BLOCKED && asked->k > TMS_BLOCKED_MAX_K)
        return cli_fail_usage(
            command, "-k %u needs another --layout: the blocked layout takes 1 to %d bits per key; for k-mers of %u bases use --kmer %u",
            asked->k, TMS_BLOCKED_MAX_K, asked->k, asked->k);
    if (asked->layout == TMS_LAYOUT_CLASSIC && asked->k > TMS_CLASSIC_MAX_K)
        return cli_fail_usage(command, "-k %u is too large: the classic layout takes 1 to %d", asked->k, TMS_CLASSIC_MAX_K);
    return CLI_OK;
}

/* Checks the options that --kmer excludes: filters of k-mers have their own layout. */
static int check_words(const build_job *job)
{
    static const char *const of_lines[] = {"append", "layout", "hash", "blocks", "crlf", "batch"};
    const tms_filter_params *asked = &job->asked;
    char spelling[OPTIONS_SPELLING];
    const char *name = options_about(&job->given, PROBABILISTIC | SIZES_BY_ERROR, spelling);

    if (asked->word_size == 0)
        return cli_fail_usage(command, "%s needs --kmer", options_about(&job->given, K_MERS, spelling));
    for (size_t i = 0; i < sizeof of_lines / sizeof *of_lines; i++)
        if (build_is_given(job, of_lines[i]))
            return cli_fail_usage(command, "--kmer excludes --%s, which is for filters of lines", of_lines[i]);
    if (name != NULL)
        return cli_fail_usage(command, "--kmer excludes %s, which is for filters of lines", name);
    if (asked->k > TMS_WORDS_MAX_K)
        return cli_fail_usage(command, "-k %u is too large: with --kmer it is 1 to %d", asked->k, TMS_WORDS_MAX_K);
    return CLI_OK;
}

int build_check(const build_job *job)
{
    char spelling[OPTIONS_SPELLING];
    if (options_about(&job->given, K_MERS, spelling) != NULL) {
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

tms_filter_want build_membership_want(const build_job *job, uint64_t n_keys)
{
    const tms_filter_params *a = &job->asked;
    int one_in_n = build_is_given(job, "fpr") && job->fpr == 0;

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
static int fail_differs(const build_job *job, const char *what, const char *has, const char *asked)
{
    return cli_fail(command, CLI_USAGE, "%s has %s %s, not %s: --append keeps the filter's parameters", job->append, what, has, asked);
}

static int differ_numbers(const build_job *job, const char *what, uint64_t has, uint64_t asked)
{
    char a[24], b[24];

    snprintf(a, sizeof a, "%llu", (unsigned long long)has);
    snprintf(b, sizeof b, "%llu", (unsigned long long)asked);
    return fail_differs(job, what, a, b);
}

int build_check_same(const build_job *job)
{
    const tms_filter_params *has = tms_filter_get_params(job->old.filter), *asked = &job->asked;
    uint64_t m = asked->m_bits;
    char a[32], b[32], spelling[OPTIONS_SPELLING];

    if (has->layout == TMS_LAYOUT_BLOCKED) { /* rounded up as for a new filter */
        uint64_t unit = (uint64_t)TMS_BLOCK_BITS * has->blocks_per_key;
        m = (m + unit - 1) / unit * unit;
    }
    if (build_is_given(job, "layout") && asked->layout != has->layout)
        return fail_differs(job, "layout", tms_layout_name(has->layout), tms_layout_name(asked->layout));
    if (options_about(&job->given, PROBABILISTIC, spelling) != NULL && has->layout != TMS_LAYOUT_PROBABILISTIC)
        return cli_fail(command, CLI_USAGE, "%s has layout %s, but %s is for probabilistic filters", job->append,
                        tms_layout_name(has->layout), options_about(&job->given, PROBABILISTIC, spelling));
    if (build_is_given(job, "hash") && asked->hash != has->hash)
        return fail_differs(job, "hash", tms_hash_name(has->hash), tms_hash_name(asked->hash));
    if (build_is_given(job, "seed") && asked->seed != has->seed)
        return differ_numbers(job, "seed", has->seed, asked->seed);
    if (m != 0 && m != has->m_bits)
        return differ_numbers(job, "m =", has->m_bits, asked->m_bits);
    if (asked->k != 0 && asked->k != has->k)
        return differ_numbers(job, "k =", has->k, asked->k);
    if (asked->blocks_per_key != 0 && asked->blocks_per_key != has->blocks_per_key)
        return differ_numbers(job, "blocks per key =", has->blocks_per_key, asked->blocks_per_key);
    if (asked->p != 0 && asked->p != has->p) {
        int digits = fabs(has->p - asked->p) > 1e-9 * has->p ? 10 : 17;
        snprintf(a, sizeof a, "%.*g", digits, has->p);
        snprintf(b, sizeof b, "%.*g", digits, asked->p);
        return fail_differs(job, "p =", a, b);
    }
    if (build_is_given(job, "sampling") && asked->sampling != has->sampling)
        return fail_differs(job, "sampling", tms_sampling_name(has->sampling), tms_sampling_name(asked->sampling));
    return CLI_OK;
}
