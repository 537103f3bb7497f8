/*
 * cli.h - shared by the commands: exit codes, messages, common options, and the choice of the device.
 */
#ifndef TAMIS_CLI_H
#define TAMIS_CLI_H

#include <stdint.h>

#include "cli/options.h"
#include "io/io_error.h"
#include "io/io_lines.h"
#include "tamis/tamis.h"

/* Exit codes, as documented in tamis(1). */
enum {
    CLI_OK = 0,
    CLI_NO_MATCH = 1,   /* query, freq, heavy: no line was selected; dbinfo: an id was not found */
    CLI_USAGE = 2,      /* wrong usage, bad input, or a missing or damaged database */
    CLI_BAD_FILTER = 3, /* a filter file is missing, corrupt, truncated or of another version */
    CLI_NO_DEVICE = 4,  /* --device cuda was given, but no GPU is usable */
    CLI_NO_MEMORY = 5,
    CLI_NO_OUTPUT = 6 /* an output cannot be written */
};

/* The commands and their options. argv[0] is the command's name; each returns the exit code. */
int cmd_build(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_freq(int argc, char **argv);
int cmd_heavy(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_classify(int argc, char **argv);
int cmd_seeds(int argc, char **argv);
int cmd_makedb(int argc, char **argv);
int cmd_dbinfo(int argc, char **argv);
int cmd_mask(int argc, char **argv);
int cmd_blastn(int argc, char **argv);
int cmd_blastx(int argc, char **argv);
int cmd_blastp(int argc, char **argv);
int cmd_tblastn(int argc, char **argv);
int cmd_tblastx(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_plan(int argc, char **argv);
int cmd_model(int argc, char **argv);
int cmd_links(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
extern const option_table build_options, query_options, freq_options, heavy_options, info_options, merge_options, classify_options,
    seeds_options, makedb_options, dbinfo_options, mask_options, blastn_options, blastp_options, blastx_options, tblastn_options,
    tblastx_options, report_options, plan_options, links_options, model_options, doctor_options;

/* The values of --hash, in the order of tms_hash. */
#define CLI_HASHES "xxh3 xxh3-square murmur3 ap"

/* Options that several commands have. Every command's job begins with this struct, into which the rows below store. */
typedef struct cli_common {
    const char *command; /* "build" */
    int device;          /* TMS_DEVICE_CPU, TMS_DEVICE_AUTO or an index */
    int n_threads;       /* 0: all */
    uint64_t batch_keys; /* 0: the default */
    int crlf;
    int by_file; /* set by the command, not by an option: a batch of lines ends with its file */
    int quiet;
    int force; /* an output may replace a file of another kind */
} cli_common;

/* Rows of options that several commands have. */
#define CLI_ROW_DEVICE                                                                                                                     \
    {                                                                                                                                      \
        0, "device", "D", OPTION_DEVICE(cli_common, device), .initial = "auto",                                                            \
                                                             .help = "auto, cpu, cuda or cuda:I; auto uses the GPU for large jobs"         \
    }
#define CLI_ROW_THREADS                                                                                                                    \
    {                                                                                                                                      \
        0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .otherwise = "all", .help = "CPU threads"                          \
    }
#define CLI_ROW_BATCH(text, usual)                                                                                                         \
    {                                                                                                                                      \
        0, "batch", "N", OPTION_SIZE(cli_common, batch_keys, 1, IO_BATCH_MAX_KEYS), .what = "a number of keys", .otherwise = (usual),      \
                                                                                    .help = (text)                                         \
    }
#define CLI_ROW_CRLF(text)                                                                                                                 \
    {                                                                                                                                      \
        0, "crlf", NULL, OPTION_FLAG(cli_common, crlf), .help = (text)                                                                     \
    }
#define CLI_ROW_FORCE(text)                                                                                                                \
    {                                                                                                                                      \
        0, "force", NULL, OPTION_FLAG(cli_common, force), .help = (text)                                                                   \
    }
#define CLI_ROW_QUIET(text)                                                                                                                \
    {                                                                                                                                      \
        'q', "quiet", NULL, OPTION_FLAG(cli_common, quiet), .help = (text)                                                                 \
    }
#define CLI_ROW_HELP                                                                                                                       \
    {                                                                                                                                      \
        'h', "help", NULL, OPTION_HELP, .help = "this text"                                                                                \
    }
#define CLI_ROW_SEED(job, member, text)                                                                                                    \
    {                                                                                                                                      \
        0, "seed", "N", OPTION_SEED(job, member), .initial = "0", .help = (text)                                                           \
    }
#define CLI_ROW_CONFIDENCE(job, member, of)                                                                                                \
    {                                                                                                                                      \
        0, "confidence", "C", OPTION_FRACTION(job, member), .initial = "0.95", .such_as = "0.95", .about = (of),                           \
                                                            .help = "confidence of the interval"                                           \
    }

/*
 * cli_options() - calls options_parse(), and prints help, version and messages.
 *   common [out] the first member of the job
 * Returns 1 if the command continues; 0 if it ends with *code, because argv asks for help or the version, or an option is wrong.
 */
int cli_options(const option_table *table, int argc, char **argv, cli_common *common, options_given *given, int *code);

/* Print a message on standard error, as "tamis build: ...". The cli_fail functions return the exit code. */
void cli_say(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail(const char *command, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
int cli_fail_usage(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
int cli_fail_library(const char *command, const tms_context *ctx, tms_status status);
int cli_fail_io(const char *command, io_status status, const io_error *err);
int cli_fail_database(const char *command, const tms_context *ctx,
                      tms_status status); /* for calls of seqdb.h: a damaged database is bad input */

/* cli_end_stdout() - flushes standard output. Returns code, or CLI_NO_OUTPUT after a message if something could not be written. */
int cli_end_stdout(const char *command, int code);

/* cli_check_environment() - checks TAMIS_SIMD and TAMIS_TUNE, whose unknown values are ignored elsewhere. Returns CLI_OK, or CLI_USAGE
 * after a message. */
int cli_check_environment(const char *command);

/*
 * cli_start_threads() - starts as many of the context's threads as the system's limits allow, with a reserve of threads and memory for the
 * work itself.
 * Returns the number of threads, including the caller: at least 1.
 */
int cli_start_threads(tms_context *ctx);

/*
 * cli_context_create() - a context on the CPU with --threads and --batch applied, and its threads started.
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int cli_context_create(const cli_common *common, tms_context **out);

/*
 * cli_use_device() - puts the context on the device of --device. Only this function has the rule for auto: a GPU takes a good
 * part of a second to start, so auto uses it for input from a pipe (of unknown size), for input larger than
 * CLI_AUTO_INPUT_BYTES, or for a filter larger than CLI_AUTO_FILTER_BYTES; smaller jobs finish sooner on the CPU.
 *   input_bytes  [in] UINT64_MAX when unknown
 *   filter_bytes [in] 0 when unknown
 * Returns CLI_OK or CLI_NO_DEVICE. Prints one remark if auto finds a GPU that is not usable.
 */
#define CLI_AUTO_INPUT_BYTES  ((uint64_t)64 << 20)
#define CLI_AUTO_FILTER_BYTES ((uint64_t)256 << 20)
int cli_use_device(const cli_common *common, tms_context *ctx, uint64_t input_bytes, uint64_t filter_bytes);

/* The two halves of cli_use_device(), for device_start.c: cli_wants_gpu() tells whether to try a GPU; cli_used_device() takes the status of
 * tms_context_set_device(), prints messages, and returns as cli_use_device(). */
int cli_wants_gpu(const cli_common *common, uint64_t input_bytes, uint64_t filter_bytes);
int cli_used_device(const cli_common *common, tms_context *ctx, tms_status status);

/* cli_use_asked_device() - like cli_use_device(), but auto is the CPU: for k-mers, where reading the input takes longer than the work. */
int cli_use_asked_device(const cli_common *common, tms_context *ctx);

/*
 * cli_fall_back() - after a failure of the GPU, or of an allocation on it: if auto chose the GPU, moves the context to the CPU.
 *   what [in] the beginning of the remark, such as "the GPU cannot take this filter"; the reason follows
 * Returns 1 if the context is now on the CPU, so that the caller should repeat the failed call.
 */
#define CLI_GPU_IS_FULL "the GPU cannot take this filter"
#define CLI_GPU_FAILED  "the GPU failed"
int cli_fall_back(const cli_common *common, tms_context *ctx, tms_status status, const char *what);

/* cli_input_bytes() - the total size of the inputs; UINT64_MAX if one of them is a pipe or missing. */
uint64_t cli_input_bytes(const char *const *paths, size_t n_paths);

/* cli_input_paths() - the files from argv[first] on, or standard input if there are none. Borrows argv. */
void cli_input_paths(int argc, char **argv, int first, const char *const **paths, size_t *n_paths);

/* cli_note_terminal() - prints a remark if an input is a terminal, because the user may have forgotten to name a file. */
void cli_note_terminal(const cli_common *common, const char *const *paths, size_t n_paths);

/* "1 key", "2 keys" */
#define CLI_PLURAL(n) ((n) == 1 ? "" : "s")

#endif
