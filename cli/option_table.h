/*
 * option_table.h - a command's options as a table, with a row for each option.
 *
 * The parser, its messages, --help, the completions of the shells and the skeleton of the man page (options_text.h) come from the
 * same rows. A row describes the range of its value and where the parser stores it in the command's job; the command checks
 * afterwards what a row cannot express (such as rules that depend on the layout of a filter).
 *
 *   static const option_row rows[] = {
 *       {.heading = "What to print"},
 *       {'c', "count", NULL, OPTION_FLAG(foo_job, count), .excludes = "json", .help = "only how many"},
 *       {0, "min", "N", OPTION_SIZE(foo_job, min, 1, 1000), .initial = "10", .help = "lines that come N times"},
 *       {0, NULL, "FILE", OPTION_PATHS(foo_job, queries), .blast = "query", .ask = "which query?", .help = "sequences"},
 *   };
 */
#ifndef TAMIS_CLI_OPTION_TABLE_H
#define TAMIS_CLI_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    KIND_HEADING, /* no option: .heading alone */
    KIND_HELP,    /* no value: the help text is wanted */
    KIND_FLAG,    /* no value: stores .set */
    KIND_SIZE,   /* a whole number in low .. high (0: no limit); K M G T are powers of 1000, Ki Mi Gi Ti of 1024, but for BLAST's options */
    KIND_SEED,   /* 64 bits, decimal or 0x... */
    KIND_NUMBER, /* low (OPTION_ANY: no limit) .. high (0: no limit) */
    KIND_POSITIVE,    /* above 0 */
    KIND_PROBABILITY, /* above 0 and up to 1, also as 1/100 */
    KIND_FRACTION,    /* above 0 and below 1, also as 1/100 */
    KIND_RATE,        /* the same, or 1/n, stored as 0 */
    KIND_BOOLEAN,     /* true, t, yes, y, 1 or their contraries, in any case: stores 1 or 0 */
    KIND_CHOICE,      /* one of the words of .choices: stores low, low + 1, ... */
    KIND_WORDS,       /* some of them, commas between: stores the sum of 1, 2, 4, ... */
    KIND_DEVICE,
    KIND_DEVICES, /* the same, or several GPUs */
    KIND_PATH,
    KIND_PATHS /* may be given several times */
} option_kind;

typedef struct option_row {
    char letter;       /* 'c': -c, or 0 */
    const char *name;  /* "count": --count, or a beginning of it that no other option has; or NULL */
    const char *value; /* what help calls the value: "N"; NULL for a flag */
    option_kind kind;  /* this and the next two by OPTION_FLAG() and so on */
    size_t at, bytes;
    int64_t low, high;
    int set;
    const char *choices;   /* "both plus minus" */
    const char *also;      /* a second name */
    const char *blast;     /* BLAST's name, which is printed with one dash: -num_threads. All long options may then have one. Numbers are as
                              BLAST+ takes them, and it may be given once, unless it is KIND_PATHS */
    const char *initial;   /* the default: is stored before any option is, and printed */
    const char *otherwise; /* a default that is only printed: "all" */
    const char *what;      /* "a number of keys", for the message about a bad value; NULL: "a number" */
    const char *such_as;   /* "0.01 or 1/100", an example for that message */
    const char *excludes;  /* names of options that exclude this one, separated by spaces */
    const char *needs;     /* names of options, one of which has to be given with this one */
    const char *because;   /* reason in the message, before "give one of them", or before "give ... too" */
    const char *ask;       /* set if the option is required: the question, "which query?" */
    unsigned about;        /* bits of the command's own, for options_about() */
    const char *heading;   /* KIND_HEADING */
    const char *help;      /* "\n" begins a line; the default is added */
} option_row;

/* A row's kind and the job's member that it sets: an integer (flag, size, choice), a double, a uint64_t (seed) or a path. */
#define OPTION_AT(job, member)                   .at = offsetof(job, member), .bytes = sizeof(((job *)0)->member)
#define OPTION_ANY                               INT64_MIN
#define OPTION_HELP                              .kind = KIND_HELP
#define OPTION_FLAG(job, member)                 OPTION_SETS(job, member, 1)
#define OPTION_SETS(job, member, to)             .kind = KIND_FLAG, .set = (to), OPTION_AT(job, member)
#define OPTION_SIZE(job, member, from, to)       .kind = KIND_SIZE, .low = (from), .high = (int64_t)(to), OPTION_AT(job, member)
#define OPTION_SEED(job, member)                 .kind = KIND_SEED, OPTION_AT(job, member)
#define OPTION_NUMBER(job, member, from, to)     .kind = KIND_NUMBER, .low = (from), .high = (to), OPTION_AT(job, member)
#define OPTION_POSITIVE(job, member)             .kind = KIND_POSITIVE, OPTION_AT(job, member)
#define OPTION_PROBABILITY(job, member)          .kind = KIND_PROBABILITY, OPTION_AT(job, member)
#define OPTION_FRACTION(job, member)             .kind = KIND_FRACTION, OPTION_AT(job, member)
#define OPTION_RATE(job, member)                 .kind = KIND_RATE, OPTION_AT(job, member)
#define OPTION_BOOLEAN(job, member)              .kind = KIND_BOOLEAN, OPTION_AT(job, member)
#define OPTION_CHOICE(job, member, words, first) .kind = KIND_CHOICE, .choices = (words), .low = (first), OPTION_AT(job, member)
#define OPTION_WORDS(job, member, words)         .kind = KIND_WORDS, .choices = (words), OPTION_AT(job, member)
#define OPTION_DEVICE(job, member)               .kind = KIND_DEVICE, OPTION_AT(job, member)
#define OPTION_DEVICES(job, member)              .kind = KIND_DEVICES, OPTION_AT(job, member)
#define OPTION_PATH(job, member)                 .kind = KIND_PATH, OPTION_AT(job, member)
#define OPTION_PATHS(job, member)                .kind = KIND_PATHS, OPTION_AT(job, member)

enum { OPTIONS_MAX_DEVICES = 16 };

/* KIND_DEVICES: GPUs, each once; or one item, which is TMS_DEVICE_CPU or TMS_DEVICE_AUTO. */
typedef struct option_devices {
    int32_t items[OPTIONS_MAX_DEVICES];
    size_t n;
} option_devices;

/* KIND_PATHS: items has room for as many as there are arguments. */
typedef struct option_paths {
    const char **items;
    size_t n;
} option_paths;

/* An option of the program that the command replaces, which the command recognises and refuses. */
typedef struct option_refused {
    const char *name, *why; /* "is not there: ...": follows the option's name */
} option_refused;

typedef struct option_table {
    const char *command;
    const char *before; /* help: usage and description */
    const option_row *rows;
    size_t n_rows;
    const char *after;       /* help: the rest */
    const char *ask;         /* set if an operand is required: the question, "which filter?" */
    const char *no_operands; /* set if operands are not allowed: the reason, "files are named with -query" */
    const option_refused *refused;
    size_t n_refused; /* OPTIONS_MAX_ROWS at most */
} option_table;

#define OPTION_ROWS(array) .rows = (array), .n_rows = sizeof(array) / sizeof *(array)

enum { OPTIONS_MAX_ROWS = 128 };

#endif
