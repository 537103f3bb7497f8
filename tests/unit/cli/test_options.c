/* Tables of options: what the parser takes, what it says, and the help. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/cli_parse.h"
#include "cli/options.h"
#include "cli/options_text.h"
#include "tamis/tamis.h"

enum { MAX_ARGUMENTS = 16, FIRST = 3 };

typedef struct job {
    int count, json, mode, threads, device, color;
    uint64_t bits, seed;
    uint32_t k;
    double min, p, confidence, rate, zipf;
    const char *output;
    option_paths queries;
    option_devices gpus;
} job;

#define COMMON_ROWS                                                                                                                        \
    {'c', "count", NULL, OPTION_FLAG(job, count), .excludes = "json tsv", .because = "-c counts", .help = "only how many"},                \
        {0, "json", NULL, OPTION_FLAG(job, json), .excludes = "tsv", .about = 2, .help = "JSON"},                                          \
        {0, "tsv", NULL, OPTION_SETS(job, mode, 7), .about = 2, .help = "tabs"}, {.heading = "Numbers"},                                   \
        {'k', NULL, "N", OPTION_SIZE(job, k, 1, 16), .about = 1, .help = "bits"}, {'m',                                                    \
                                                                                   NULL,                                                   \
                                                                                   "BITS",                                                 \
                                                                                   OPTION_SIZE(job, bits, 1, (uint64_t)1 << 48),           \
                                                                                   .what = "a number of bits",                             \
                                                                                   .such_as = "1.5G or 64Mi",                              \
                                                                                   .about = 1,                                             \
                                                                                   .help = "size"},                                        \
        {0, "seed", "N", OPTION_SEED(job, seed), .initial = "0x10", .help = "seed"},                                                       \
        {0, "min", "N", OPTION_NUMBER(job, min, 1, (int64_t)1 << 50), .what = "a frequency", .such_as = "100", .help = "least"},           \
        {0, "zipf", "S", OPTION_NUMBER(job, zipf, 0, 0), .what = "an exponent", .initial = "1", .help = "exponent"},                       \
        {'p', NULL, "P", OPTION_PROBABILITY(job, p), .needs = "min", .what = "a probability", .help = "probability"},                      \
        {0, "confidence", "C", OPTION_FRACTION(job, confidence), .initial = "0.95", .help = "of the interval"},                            \
        {0, "rate", "P", OPTION_RATE(job, rate), .help = "rate"},                                                                          \
        {0, "threads", "N", OPTION_SIZE(job, threads, 1, 0), .otherwise = "all", .help = "CPU threads"}, {.heading = "The rest"},          \
        {0, "device", "D", OPTION_DEVICE(job, device), .initial = "auto", .help = "where"},                                                \
        {0, "color", "C", OPTION_CHOICE(job, color, "red green blue", FIRST), .initial = "green", .help = "red, green\nor blue"},          \
        {'o', "output", "FILE", OPTION_PATH(job, output), .help = "where to"},                                                             \
        {'q', "quiet", NULL, OPTION_SETS(job, mode, 9), .also = "silent", .help = "nothing"},                                              \
    {                                                                                                                                      \
        'h', "help", NULL, OPTION_HELP, .help = "this text"                                                                                \
    }

static const option_row rows[] = {COMMON_ROWS};
static const option_table table = {"foo", "Usage: foo\n", OPTION_ROWS(rows), "\nEnd.\n"};
static const option_table asking = {"foo", "", OPTION_ROWS(rows), "", .ask = "which file?"};

static const option_row blast_rows[] = {
    {0, NULL, "FILE", OPTION_PATHS(job, queries), .blast = "query", .ask = "which query?", .help = "sequences"},
    {0, NULL, "N", OPTION_SIZE(job, k, 8, 32), .blast = "word_size", .initial = "16", .help = "bases of a match"},
    {0, "threads", "N", OPTION_SIZE(job, threads, 1, 8), .blast = "num_threads", .help = "CPU threads"},
    {'m', NULL, "N", OPTION_SIZE(job, bits, 1, 0), .help = "bits"},
    {'q', "quiet", NULL, OPTION_FLAG(job, json), .help = "nothing"},
    {'h', "help", NULL, OPTION_HELP, .help = "this text"},
};
static const option_table blast = {"bar", "Usage: bar\n", OPTION_ROWS(blast_rows), "", .no_operands = "files are named with -query"};

static const option_row gpu_rows[] = {
    {0, "device", "D", OPTION_DEVICES(job, gpus), .initial = "auto", .help = "auto, cpu or GPUs"},
};
static const option_table gpus = {"baz", "", OPTION_ROWS(gpu_rows), ""};

static const option_row word_rows[] = {
    {0, "without", "LIST", OPTION_WORDS(job, mode, "red green blue"), .help = "without these"},
    {0, "big", "LIST", OPTION_WORDS(job, bits, "red green blue"), .help = "without these"},
};
static const option_table some_words = {"foo bar", "", OPTION_ROWS(word_rows), ""};

static const option_row dashed_rows[] = {
    {0, "in-a-line", NULL, OPTION_FLAG(job, count), .help = "all"},
    {0, "version", NULL, OPTION_FLAG(job, json), .help = "version"},
};
static const option_table dashed = {"foo", "", OPTION_ROWS(dashed_rows), ""};

static const option_row boolean_rows[] = {
    {0, NULL, "true|false", OPTION_BOOLEAN(job, count), .blast = "soft", .initial = "false", .help = "leave it out"},
    {0, NULL, "FILE", OPTION_PATH(job, output), .blast = "out", .ask = "where to?", .help = "where to"},
    {.heading = "Of another program"},
    {0, NULL, NULL, OPTION_FLAG(job, json), .blast = "level", .help = "a level"},
    {'h', "help", NULL, OPTION_HELP, .help = "this text"},
};
static const option_table booleans = {"foo", "Usage: foo\n", OPTION_ROWS(boolean_rows), ""};

static job j;
static options_given given;

/* Parses "foo WORDS", cut at spaces. */
static options_result parse(const option_table *t, const char *words)
{
    static char text[512];
    static char *argv[MAX_ARGUMENTS + 1];
    static const char *queries[MAX_ARGUMENTS];
    int argc = 1;

    snprintf(text, sizeof text, "foo %s", words);
    argv[0] = strtok(text, " ");
    for (char *word; argc < MAX_ARGUMENTS && (word = strtok(NULL, " ")) != NULL;)
        argv[argc++] = word;
    argv[argc] = NULL;
    memset(&j, 0, sizeof j);
    j.queries.items = queries;
    return options_parse(t, argc, argv, &j, &given);
}

static void refused(const option_table *t, const char *words, const char *message)
{
    assert_int_equal(parse(t, words), OPTIONS_FAULT);
    assert_string_equal(given.fault, message);
}

static void defaults(void **state)
{
    (void)state;
    assert_int_equal(parse(&table, ""), OPTIONS_RUN);
    assert_int_equal(j.seed, 16);
    assert_true(j.zipf == 1 && j.confidence == 0.95);
    assert_int_equal(j.device, TMS_DEVICE_AUTO);
    assert_int_equal(j.color, FIRST + 1);
    assert_int_equal(j.threads, 0);
    assert_int_equal(given.n_operands, 0);
    assert_false(options_is_given(&given, "seed"));
}

static void values(void **state)
{
    (void)state;
    assert_int_equal(parse(&table, "-k7 -m 1.5G --seed=0xffffffffffffffff --min 1K.5 x"), OPTIONS_FAULT);
    assert_int_equal(parse(&table, "-k7 -m 1.5G --seed=0xffffffffffffffff --min 2.5 -p 1/4 --rate 1/n --conf 0.5 --zipf 0"), OPTIONS_RUN);
    assert_int_equal(j.k, 7);
    assert_int_equal(j.bits, 1500000000);
    assert_true(j.seed == UINT64_MAX && j.min == 2.5 && j.p == 0.25 && j.rate == 0 && j.confidence == 0.5 && j.zipf == 0);
    assert_int_equal(parse(&table, "--device cuda:2 --color blue -o- --threads 2Ki --tsv"), OPTIONS_RUN);
    assert_true(j.device == 2 && j.color == FIRST + 2 && j.threads == 2048 && j.mode == 7 && strcmp(j.output, "-") == 0);
    assert_true(options_is_given(&given, "tsv") && !options_is_given(&given, "json") && options_is_given(&given, "o"));
}

static void as_getopt(void **state)
{
    (void)state;
    assert_int_equal(parse(&table, "a --thr 3 b -cq c -- -k --tsv"), OPTIONS_RUN);
    assert_true(j.threads == 3 && j.count == 1 && j.mode == 9 && j.k == 0);
    assert_int_equal(given.n_operands, 5);
    assert_string_equal(given.operands[0], "a");
    assert_string_equal(given.operands[3], "-k");
    assert_int_equal(parse(&table, "--silent --quiet"), OPTIONS_RUN);
    assert_int_equal(parse(&table, "--q --si"), OPTIONS_RUN); /* one option, by both its names */
    assert_int_equal(parse(&table, "-h"), OPTIONS_HELP);
    assert_int_equal(parse(&table, "x --tsv --json --help"), OPTIONS_HELP); /* before what does not go together */
    refused(&table, "--frobnicate", "no option '--frobnicate'");
    refused(&table, "--s", "option '--s' is ambiguous: --seed or --silent");
    refused(&table, "--quiet=1", "option '--quiet' takes no value");
    refused(&table, "--threads", "option '--threads' needs a value");
    refused(&table, "-k", "option '-k' needs a value");
    refused(&table, "-Z", "no option '-Z'");
    refused(&table, "--tsv -Zq", "no option '-Z'"); /* in a cluster: not the word before it */
}

/* What was probably meant. */
static void slips(void **state)
{
    (void)state;
    refused(&table, "--thread_s 3", "no option '--thread_s'; did you mean --threads?");
    refused(&table, "--jsno", "no option '--jsno'; did you mean --json?");
    refused(&table, "--confidnece=0.5", "no option '--confidnece'; did you mean --confidence?");
    refused(&table, "--threads31", "no option '--threads31'; did you mean --threads 31?");
    refused(&table, "--quiet31", "no option '--quiet31'; did you mean --quiet?");
    refused(&table, "--xyzzy=3", "no option '--xyzzy'");
    refused(&table, "-output x.tms", "no option '-output'; did you mean --output?");
    refused(&table, "-outp x.tms", "no option '-outp'; did you mean --output?");
    refused(&table, "-count x", "no option '-count'; did you mean --count?");
    refused(&table, "x -seed 3", "no option '-seed'; did you mean --seed?");
    refused(&table, "-tvs", "no option '-tvs'; did you mean --tsv?");
    assert_int_equal(parse(&table, "-ofoo -ou"), OPTIONS_RUN); /* too little of a name */
    assert_string_equal(j.output, "u");
    assert_int_equal(parse(&table, "-o utput"), OPTIONS_RUN);
    refused(&blast, "-query a -wordsize 9", "no option '-wordsize'; did you mean -word_size?");
    refused(&blast, "-querry a", "no option '-querry'; did you mean -query?");
    refused(&blast, "-query a -quite", "no option '-quite'; did you mean --quiet?");
    refused(&blast, "-hlep", "no option '-hlep'; did you mean --help?");
    refused(&blast, "-qu a", "option '-qu' is ambiguous: -query or --quiet");
    assert_int_equal(parse(&blast, "-q -query a"), OPTIONS_RUN); /* -q is at its end */
    assert_true(j.json == 1 && j.queries.n == 1);
}

static void dashes_and_underscores(void **state)
{
    (void)state;
    assert_int_equal(parse(&blast, "-query a --num-threads 2 --word-size=9"), OPTIONS_RUN);
    assert_true(j.threads == 2 && j.k == 9);
    assert_int_equal(parse(&blast, "-query a -num-thr 3 -word_s 10"), OPTIONS_RUN);
    assert_true(j.threads == 3 && j.k == 10);
    assert_int_equal(parse(&dashed, "--in_a_line"), OPTIONS_RUN);
    assert_int_equal(j.count, 1);
    assert_true(options_is_given(&given, "in-a-line"));
}

static void version(void **state)
{
    (void)state;
    assert_int_equal(parse(&table, "x --version"), OPTIONS_VERSION);
    assert_int_equal(parse(&blast, "-version"), OPTIONS_VERSION);
    assert_int_equal(parse(&dashed, "--version"), OPTIONS_RUN); /* its own */
    assert_int_equal(j.json, 1);
}

static void bad_values(void **state)
{
    (void)state;
    refused(&table, "-k 0", "-k takes a number from 1 to 16, not '0'");
    refused(&table, "-k 17", "-k takes a number from 1 to 16, not '17'");
    refused(&table, "--threads 0", "--threads takes a number, 1 or more, not '0'");
    refused(&table, "--threads 3G", "--threads takes a number, 1 or more, not '3G'"); /* more than an int holds */
    refused(&table, "-m 1e30", "-m takes a number of bits from 1 to 2^48, such as 1.5G or 64Mi, not '1e30'");
    refused(&table, "--seed -1", "--seed takes a number from 0 to 2^64 - 1, decimal or 0x..., not '-1'");
    refused(&table, "--min 0.5", "--min takes a frequency from 1 to 2^50, such as 100, not '0.5'");
    refused(&table, "--zipf x", "--zipf takes an exponent, 0 or more, not 'x'");
    refused(&table, "-p 1.5", "-p takes a probability above 0 and up to 1, not '1.5'");
    refused(&table, "--confidence 1", "--confidence takes a number between 0 and 1, not '1'");
    refused(&table, "--rate 0", "--rate takes a number between 0 and 1, not '0'");
    refused(&table, "--device gpu", "--device takes 'auto', 'cpu', 'cuda' or 'cuda:0' (a GPU's number), not 'gpu'");
    refused(
        &table, "--device cuda:0,1",
        "--device takes 'auto', 'cpu', 'cuda' or 'cuda:0' (a GPU's number), not 'cuda:0,1': only tamis blastp and blastn can use several GPUs");
    refused(&table, "--device cuda:0,0", "--device takes 'auto', 'cpu', 'cuda' or 'cuda:0' (a GPU's number), not 'cuda:0,0'");
    refused(&table, "--color re", "--color takes 'red', 'green' or 'blue', not 're'");
}

static void lists_of_words(void **state)
{
    static const char *const bad[] = {"re", "red,", ",red", "red,,blue", "reds", "red,x", ","};
    char words[64], message[256];

    (void)state;
    assert_int_equal(parse(&some_words, ""), OPTIONS_RUN);
    assert_int_equal(j.mode, 0);
    assert_int_equal(parse(&some_words, "--without blue --big red,red"), OPTIONS_RUN);
    assert_int_equal(j.mode, 4);
    assert_int_equal(j.bits, 1);
    assert_int_equal(parse(&some_words, "--without=blue,red,green"), OPTIONS_RUN);
    assert_int_equal(j.mode, 7);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(words, sizeof words, "--without %s", bad[i]);
        snprintf(message, sizeof message, "--without takes one or more of 'red', 'green' and 'blue', separated by commas, not '%s'",
                 bad[i]);
        refused(&some_words, words, message);
    }
    refused(&some_words, "--without=", "--without takes one or more of 'red', 'green' and 'blue', separated by commas, not ''");
}

/* Of print(), to be freed. */
static char *text_of(const option_command *commands, size_t n, void (*print)(const option_command *commands, size_t n, FILE *out))
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    print(commands, n, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void print_man_of_second(const option_command *commands, size_t n, FILE *out)
{
    assert_int_equal(n, 2);
    options_print_man(&commands[1], out);
}

static void verbs_of_a_command(void **state)
{
    static const option_table foo = {"foo", "", OPTION_ROWS(gpu_rows), ""}, other = {"foo other", "", OPTION_ROWS(gpu_rows), ""};
    static const option_command verbs[] = {{&some_words, NULL, "one verb"}, {&other, NULL, "another"}, {NULL, NULL, NULL}};
    static const option_command commands[] = {{&gpus, NULL, "plain"}, {&foo, NULL, "with verbs", verbs}};
    char *text = text_of(commands, 2, options_print_bash);

    (void)state;
    assert_string_equal(option_verb(&verbs[0]), "bar");
    assert_string_equal(option_verb(&commands[0]), "baz");
    assert_non_null(strstr(text, "compgen -W 'help --help --version baz foo'"));
    assert_non_null(strstr(text, "compgen -W 'bar other --help'"));
    assert_non_null(strstr(text, "        'foo bar') words='--without --big' ;;\n"));
    assert_non_null(strstr(text, "    'foo bar --without') kind=words words='red green blue' ;;\n"));
    free(text);
    text = text_of(commands, 2, options_print_zsh);
    assert_non_null(strstr(text, "\"bar:one verb\"\n            \"other:another\"\n"));
    assert_non_null(strstr(text, "    'foo bar')\n        _arguments -s \\\n"));
    free(text);
    text = text_of(commands, 2, options_print_fish);
    assert_non_null(
        strstr(text, "'__fish_seen_subcommand_from foo; and __fish_seen_subcommand_from bar' -l without -x -a 'red green blue'"));
    assert_non_null(strstr(text, "and not __fish_seen_subcommand_from bar other' -f -a other -d \"another\"\n"));
    free(text);
    text = text_of(commands, 2, print_man_of_second);
    assert_non_null(strstr(text, "*tamis foo bar* [_option_]...++\n*tamis foo other* [_option_]...\n"));
    assert_non_null(strstr(text, "\n# tamis foo bar\n\n*--without* _LIST_\n"));
    free(text);
}

static void several_gpus(void **state)
{
    static const char *const bad[] = {"cuda:0,0",   "cuda:3,1,3", "cuda:", "cuda:,",      "cuda:0,",     "cuda:,0",
                                      "cuda:0,,1",  "cuda:0,x",   "0,1",   "cuda:0,cuda", "cuda:0,cpu",  "cuda:0-1",
                                      "cuda:1.0,2", "cuda:-1,0",  "auto,", "cuda:0;1",    "cuda:65536,0"};
    char words[128], message[512];

    (void)state;
    assert_int_equal(parse(&gpus, ""), OPTIONS_RUN);
    assert_true(j.gpus.n == 1 && j.gpus.items[0] == TMS_DEVICE_AUTO);
    assert_int_equal(parse(&gpus, "--device cpu"), OPTIONS_RUN);
    assert_true(j.gpus.n == 1 && j.gpus.items[0] == TMS_DEVICE_CPU);
    assert_int_equal(parse(&gpus, "--device cuda"), OPTIONS_RUN);
    assert_true(j.gpus.n == 1 && j.gpus.items[0] == 0);
    assert_int_equal(parse(&gpus, "--device cuda:7"), OPTIONS_RUN);
    assert_true(j.gpus.n == 1 && j.gpus.items[0] == 7);
    assert_int_equal(parse(&gpus, "--device=cuda:2,0,11"), OPTIONS_RUN);
    assert_true(j.gpus.n == 3 && j.gpus.items[0] == 2 && j.gpus.items[1] == 0 && j.gpus.items[2] == 11);
    assert_int_equal(parse(&gpus, "--device cuda:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15"), OPTIONS_RUN);
    assert_true(j.gpus.n == 16 && j.gpus.items[15] == 15);
    assert_int_equal(parse(&gpus, "--device cuda:0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"), OPTIONS_FAULT);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        snprintf(words, sizeof words, "--device %s", bad[i]);
        snprintf(message, sizeof message,
                 "--device takes 'auto', 'cpu', 'cuda', 'cuda:0' (a GPU's number) or 'cuda:0,1' (several GPUs, each once), not '%s'",
                 bad[i]);
        refused(&gpus, words, message);
    }
}

static void together(void **state)
{
    char name[OPTIONS_SPELLING];

    (void)state;
    refused(&table, "--tsv -c", "-c counts: give one of them");
    refused(&table, "--tsv --json", "--json and --tsv cannot be used together: give one of them");
    refused(&asking, "-k 3", "which file?");
    assert_int_equal(parse(&asking, "-k 3 x"), OPTIONS_RUN);
    refused(&table, "-p 0.5", "-p has no effect alone: give --min N too");
    assert_int_equal(parse(&table, "-p 0.5 --min 3"), OPTIONS_RUN);
    assert_int_equal(parse(&table, "-m 5 -k 3"), OPTIONS_RUN);
    assert_string_equal(options_about(&given, 1 | 4, name), "-k");
    assert_null(options_about(&given, 2, name));
}

static void as_blast(void **state)
{
    (void)state;
    assert_int_equal(parse(&blast, "-query a.fa --query b.fa -word_size 20 -num_threads=2 -q -m7"), OPTIONS_RUN);
    assert_true(j.queries.n == 2 && j.k == 20 && j.threads == 2 && j.json == 1 && j.bits == 7);
    assert_string_equal(j.queries.items[1], "b.fa");
    assert_int_equal(parse(&blast, "-qu a.fa"), OPTIONS_FAULT); /* -query or -quiet */
    assert_int_equal(parse(&blast, "-que a.fa -thr 3"), OPTIONS_RUN);
    assert_int_equal(j.threads, 3);
    refused(&blast, "", "which query? Give -query FILE");
    refused(&blast, "-q a.fa", "'a.fa': files are named with -query");
    refused(&blast, "-query a -word_size 33", "-word_size takes a number from 8 to 32, not '33'");
    refused(&blast, "-query a -num_threads 9", "--threads takes a number from 1 to 8, not '9'");
    refused(&blast, "-query", "option '-query' needs a value");
    refused(&blast, "-quiet=1", "option '-quiet' takes no value");
    refused(&blast, "-frobnicate", "no option '-frobnicate'");
}

/* What is printed, to be freed. */
static char *help_of(const option_table *t)
{
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);

    assert_non_null(out);
    options_print_help(t, out);
    assert_int_equal(fclose(out), 0);
    return text;
}

static void help_text(void **state)
{
    static const option_row long_rows[] = {
        {'o', "a-name-that-is-long", "FILE", OPTION_PATH(job, output), .otherwise = "none",
         .help = "it takes a line of its own, and what is said of it is longer than a line of the help, so that it is cut"},
        {0, "b", NULL, OPTION_FLAG(job, count), .help = "b"},
    };
    static const option_table long_table = {"foo", "", OPTION_ROWS(long_rows), ""};
    char *text = help_of(&table);

    (void)state;
    assert_non_null(strstr(text, "Usage: foo\n\n  -c, --count            only how many\n      --json             JSON\n"));
    assert_non_null(strstr(text, "tabs\n\nNumbers\n  -k N                   bits\n"));
    assert_non_null(strstr(text, "      --threads N        CPU threads (default: all)\n\nThe rest\n"));
    assert_non_null(strstr(text, "      --color C          red, green (default)\n                         or blue\n"));
    assert_non_null(strstr(text, "  -q, --quiet, --silent  nothing\n"));
    assert_string_equal(strstr(text, "this text"), "this text\n\nEnd.\n");
    free(text);
    text = help_of(&long_table);
    assert_string_equal(text, "\n  -o, --a-name-that-is-long FILE\n"
                              "                         it takes a line of its own, and what is said of it is\n"
                              "                         longer than a line of the help, so that it is cut\n"
                              "                         (default: none)\n"
                              "      --b                b\n");
    free(text);
    text = help_of(&blast);
    assert_string_equal(text, "Usage: bar\n\n"
                              "  -query FILE            sequences\n"
                              "  -word_size N           bases of a match (default: 16)\n"
                              "  --threads, -num_threads N\n"
                              "                         CPU threads\n"
                              "  -m N                   bits\n"
                              "  -q, --quiet            nothing\n"
                              "  -h, --help             this text\n");
    free(text);
}

static void ranges(void **state)
{
    static const struct {
        const char *text, *why;
    } bad[] = {{"", "must be start-stop, such as 11-20"},
               {"5", "must be start-stop, such as 11-20"},
               {"5-", "must be start-stop, such as 11-20"},
               {"-5", "must be start-stop, such as 11-20"},
               {"5-x", "must be start-stop, such as 11-20"},
               {"1-2-3", "must be start-stop, such as 11-20"},
               {" 5-6", "must be start-stop, such as 11-20"},
               {"0-5", "begins or stops at 0: positions are counted from 1"},
               {"6-5", "stops before it starts"},
               {"5-5", "must have at least two positions"},
               {"5-99999999999999999999", "is beyond the end of any sequence"}};
    uint64_t start = 7, end = 8;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const char *why = cli_parse_range(bad[i].text, &start, &end);
        assert_non_null(why);
        assert_string_equal(why, bad[i].why);
    }
    assert_int_equal(start, 7);
    assert_int_equal(end, 8);
    assert_null(cli_parse_range("11-9999", &start, &end));
    assert_int_equal(start, 10);
    assert_int_equal(end, 9999);
}

static void blast_numbers(void **state)
{
    static const char *const no_whole[] = {"", "+", " 3", "3 ", "3.0", "3e0", "3K", "+0x3", "0xg", "1,000", "--3", "9223372036854775808"};
    static const char *const no_number[] = {"", ".", " 1", "1 ", "1e+", "1e-", "e5", "nan", "inf", "1K", "+-1", "0x", "1e5x"};
    static const struct {
        const char *text;
        double number;
    } numbers[] = {{"+1", 1}, {"1e", 1}, {"1.E", 1}, {".5", 0.5}, {"-5", -5}, {"1E5", 1e5}, {"0x1p3", 8}, {"1e-400", 0}};
    int64_t whole = 7;
    double number = 7;

    (void)state;
    for (size_t i = 0; i < sizeof no_whole / sizeof *no_whole; i++)
        assert_false(cli_parse_blast_whole(no_whole[i], &whole));
    for (size_t i = 0; i < sizeof no_number / sizeof *no_number; i++)
        assert_false(cli_parse_blast_number(no_number[i], &number));
    assert_true(whole == 7 && number == 7);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        assert_true(cli_parse_blast_number(numbers[i].text, &number) && number == numbers[i].number);
    assert_true(cli_parse_blast_number("-1e400", &number) && isinf(number) && number < 0);
    assert_true(cli_parse_blast_whole("+03", &whole) && whole == 3);
    assert_true(cli_parse_blast_whole("0X1f", &whole) && whole == 31);
    assert_true(cli_parse_blast_whole("0x", &whole) && whole == 0);
    assert_true(cli_parse_blast_whole("-9223372036854775808", &whole) && whole == INT64_MIN);
    assert_int_equal(parse(&blast, "-query a -word_size +0016"), OPTIONS_RUN);
    assert_int_equal(j.k, 16);
    refused(&blast, "-query a -word_size 16.0", "-word_size takes a number from 8 to 32, not '16.0'");
    refused(&blast, "-query a -word_size 16 --word-size 17", "-word_size is given twice");
    assert_int_equal(parse(&blast, "-query a -m 1K"), OPTIONS_RUN); /* not BLAST's */
    assert_int_equal(j.bits, 1000);
}

static void hashes(void **state)
{
    char words[100] = "";

    (void)state;
    for (int hash = TMS_HASH_XXH3; strcmp(tms_hash_name((tms_hash)hash), "?") != 0; hash++)
        snprintf(words + strlen(words), sizeof words - strlen(words), " %s", tms_hash_name((tms_hash)hash));
    assert_string_equal(words + 1, CLI_HASHES);
}

static void booleans_in_any_case(void **state)
{
    static const char *const words[2][6] = {{"false", "F", "No", "n", "0", "FALSE"}, {"true", "T", "yEs", "y", "1", "True"}};
    char line[64];

    (void)state;
    for (int i = 0; i < 12; i++) {
        snprintf(line, sizeof line, "-out o -soft %s", words[i / 6][i % 6]);
        assert_int_equal(parse(&booleans, line), OPTIONS_RUN);
        assert_int_equal(j.count, i / 6);
    }
    assert_int_equal(parse(&booleans, "-out o"), OPTIONS_RUN);
    assert_int_equal(j.count, 0);
    refused(&booleans, "-out o -soft on", "-soft takes true or false, not 'on'");
    refused(&booleans, "-out o -soft tr", "-soft takes true or false, not 'tr'");
}

/* What is printed by a function into a file. */
static void printed(FILE *file, char text[1024])
{
    size_t n;

    rewind(file);
    n = fread(text, 1, 1023, file);
    text[n] = '\0';
    fclose(file);
}

static void as_another_program(void **state)
{
    char text[1024];
    FILE *file = tmpfile();

    (void)state;
    options_print_usage(&booleans, "bar", "level", file);
    printed(file, text);
    assert_string_equal(text, "USAGE\n  bar [-h] [-help] [-soft true|false] -out FILE [-version]\n");
    file = tmpfile();
    options_print_rows(&booleans, "level", file);
    printed(file, text);
    assert_null(strstr(text, "-level"));
    assert_non_null(strstr(text, "Of another program\n  -h, --help"));
    file = tmpfile();
    options_print_rows(&booleans, "level h", file);
    printed(file, text);
    assert_non_null(strstr(text, "-soft true|false"));
    assert_int_equal(parse(&booleans, "-h"), OPTIONS_HELP);
    assert_true(given.wants_brief);
    assert_int_equal(parse(&booleans, "-soft T -h"), OPTIONS_HELP);
    assert_true(given.wants_brief);
    assert_int_equal(parse(&booleans, "-help"), OPTIONS_HELP);
    assert_false(given.wants_brief);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults),
        cmocka_unit_test(values),
        cmocka_unit_test(as_getopt),
        cmocka_unit_test(bad_values),
        cmocka_unit_test(lists_of_words),
        cmocka_unit_test(verbs_of_a_command),
        cmocka_unit_test(several_gpus),
        cmocka_unit_test(together),
        cmocka_unit_test(as_blast),
        cmocka_unit_test(help_text),
        cmocka_unit_test(hashes),
        cmocka_unit_test(ranges),
        cmocka_unit_test(slips),
        cmocka_unit_test(dashes_and_underscores),
        cmocka_unit_test(version),
        cmocka_unit_test(blast_numbers),
        cmocka_unit_test(booleans_in_any_case),
        cmocka_unit_test(as_another_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
