/*
 * option_table.h - a command's options as a table, with a row for each option.
 *
 * The parser, its messages, --help, the shells' completions and the skeleton of the man page (options_text.h) come from the same
 * rows. A row describes the range of its value and where the parser stores it in the command's job; the command checks
 * afterwards what a row cannot express (such as rules that depend on the layout of a filter).
 *
 *   static const option_row rows[] = {
 *       {.heading = "What to print"},
 *       {'c', "count", NULL, OPTION_FLAG(foo_job, count), .excludes = "json", .help = "only the number of lines"},
 *       {0, "min", "N", OPTION_SIZE(foo_job, min, 1, 1000), .initial = "10", .help = "lines that occur N times"},
 *       {0, NULL, "FILE", OPTION_PATHS(foo_job, queries), .blast = "query", .ask = "which query?", .help = "sequences"},
 *   };
 */
#ifndef TAMIS_CLI_OPTION_TABLE_H
#define TAMIS_CLI_OPTION_TABLE_H

#include <stddef.h>
#include <stdint.h>

typedef enum option_kind {
    KIND_HEADING, /* not an option: only .heading is set */
    KIND_HELP,    /* no value: asks for the help text */
    KIND_FLAG,    /* no value: stores .set */
    KIND_SIZE,   /* an integer in low .. high (0: no limit); except with BLAST's options, K M G T are powers of 1000, Ki Mi Gi Ti of 1024 */
    KIND_SEED,   /* 64 bits, decimal or 0x... */
    KIND_NUMBER, /* a number in low (OPTION_ANY: no limit) .. high (0: no limit) */
    KIND_POSITIVE,    /* above 0 */
    KIND_PROBABILITY, /* above 0 and up to 1, also as 1/100 */
    KIND_FRACTION,    /* above 0 and below 1, also as 1/100 */
    KIND_RATE,        /* as KIND_FRACTION, or 1/n, stored as 0 */
    KIND_BOOLEAN,     /* true, t, yes, y, 1, or false, f, no, n, 0, in any case: stores 1 or 0 */
    KIND_CHOICE,      /* one of the words of .choices: stores low, low + 1, ... */
    KIND_WORDS,       /* some of the words of .choices, separated by commas: stores the sum of their bits 1, 2, 4, ... */
    KIND_DEVICE,
    KIND_DEVICES, /* as KIND_DEVICE, or several GPUs */
    KIND_PATH,
    KIND_PATHS /* may be given several times */
} option_kind;

typedef struct option_row {
    char letter;       /* 'c': -c, or 0 */
    const char *name;  /* "count": --count, or an unambiguous prefix of it; or NULL */
    const char *value; /* what help calls the value: "N"; NULL for a flag */
    option_kind kind;  /* OPTION_FLAG() and so on set this and the next two lines */
    size_t at, bytes;
    int64_t low, high;
    int set;
    const char *choices; /* "both plus minus" */
    const char *also;    /* a second name */
    const char *blast; /* BLAST's name, which is printed with one dash: -num_threads. All long options of the table may then have one dash.
                          A number has BLAST+'s syntax, and the option may be given only once, unless it is KIND_PATHS */
    const char *initial;   /* the default, which is stored before the options, and which the help prints */
    const char *otherwise; /* a default that the help prints, but that is not stored: "all" */
    const char *what;      /* the value in messages: "a number of keys"; NULL: "a number" */
    const char *such_as;   /* an example of a value for messages: "0.01 or 1/100" */
    const char *excludes;  /* names of options that exclude this one, separated by spaces */
    const char *needs;     /* names of options, one of which this one requires */
    const char *because;   /* the reason that .excludes or .needs gives, before "give one of them" or "give ... too" */
    const char *ask;       /* set if the option is required: the question, "which query?" */
    unsigned about;        /* bits that the command defines, for options_about() */
    const char *heading;   /* KIND_HEADING */
    const char *help;      /* "\n" begins a line; the printed text includes the default */
} option_row;

/* Set a row's kind, and the job's member that it stores: an integer (flag, size, choice), a double, a uint64_t (seed) or a path. */
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

/* KIND_DEVICES: different GPUs; or one item, TMS_DEVICE_CPU or TMS_DEVICE_AUTO. */
typedef struct option_devices {
    int32_t items[OPTIONS_MAX_DEVICES];
    size_t n;
} option_devices;

/* KIND_PATHS: items has room for all arguments. */
typedef struct option_paths {
    const char **items;
    size_t n;
} option_paths;

/* An option of the BLAST+ program that the command knows, but refuses. */
typedef struct option_refused {
    const char *name, *why; /* why: follows the option's name: "is not supported: ..." */
} option_refused;

typedef struct option_table {
    const char *command;
    const char *before; /* help: usage and description */
    const option_row *rows;
    size_t n_rows;
    const char *after;       /* help: the text after the options */
    const char *ask;         /* set if an operand is required: the question, "which filter?" */
    const char *no_operands; /* set if operands are not allowed: the reason, "files are named with -query" */
    const option_refused *refused;
    size_t n_refused; /* at most OPTIONS_MAX_ROWS */
} option_table;

#define OPTION_ROWS(array) .rows = (array), .n_rows = sizeof(array) / sizeof *(array)

enum { OPTIONS_MAX_ROWS = 128 };

#endif
