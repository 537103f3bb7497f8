#include "cli/cli.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blast_names.h"
#include "cli/options_text.h"
#include "cli/profile_cache.h"
#include "io/io_lines.h"
#include "io/io_stream.h"

/* code: the exit code that the message explains; CLI_OK: the command continues. */
static void say(const char *command, int code, const char *format, va_list args)
{
    char begin[64];

    if (blast_called() != NULL)
        blast_message_begins(blast_called(), code, begin, sizeof begin);
    else
        snprintf(begin, sizeof begin, command[0] != '\0' ? "tamis %s: " : "tamis: ", command);
    fflush(stdout);
    fputs(begin, stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

/* The exit code for wrong usage and bad input. */
static int bad_input(void) { return blast_called() != NULL ? BLAST_INPUT : CLI_USAGE; }

void cli_say(const char *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(command, CLI_OK, format, args);
    va_end(args);
}

int cli_fail(const char *command, int code, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    say(command, code, format, args);
    va_end(args);
    return code;
}

int cli_fail_usage(const char *command, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    if (blast_called() != NULL) {
        fflush(stdout);
        blast_print_bad_usage(blast_called(), format, args);
    } else {
        say(command, CLI_USAGE, format, args);
        fprintf(stderr, "Try 'tamis%s%s --help'.\n", command[0] != '\0' ? " " : "", command);
    }
    va_end(args);
    return bad_input();
}

int cli_fail_library(const char *command, const tms_context *ctx, tms_status status)
{
    const int codes[] = {[TMS_OK] = CLI_OK,
                         [TMS_E_ARG] = bad_input(),
                         [TMS_E_FORMAT] = CLI_BAD_FILTER,
                         [TMS_E_MISMATCH] = bad_input(),
                         [TMS_E_DEVICE] = CLI_NO_DEVICE,
                         [TMS_E_MEMORY] = CLI_NO_MEMORY,
                         [TMS_E_CANCELLED] = bad_input(),
                         [TMS_E_FILE] = CLI_NO_OUTPUT};

    return cli_fail(command, codes[status], "%s", tms_context_message(ctx));
}

int cli_fail_database(const char *command, const tms_context *ctx, tms_status status)
{
    if (status == TMS_E_FORMAT || status == TMS_E_ARG)
        return cli_fail(command, CLI_USAGE, "%s", tms_context_message(ctx));
    return cli_fail_library(command, ctx, status);
}

/* The reader of our output has exited, as `head` does: end silently by SIGPIPE, as other filters do. */
static void end_by_sigpipe(void)
{
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

int cli_fail_io(const char *command, io_status status, const io_error *err)
{
    if (status == IO_E_OUTPUT && err->sys_errno == EPIPE)
        end_by_sigpipe();
    return cli_fail(command, status == IO_E_MEMORY ? CLI_NO_MEMORY : status == IO_E_OUTPUT ? CLI_NO_OUTPUT : bad_input(), "%s", err->text);
}

int cli_end_stdout(const char *command, int code)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (errno == EPIPE)
        end_by_sigpipe();
    return cli_fail(command, CLI_NO_OUTPUT, "standard output: cannot be written: %s",
                    errno == EBADF ? "it is closed, or not open for writing"
                    : errno != 0   ? strerror(errno)
                                   : "an earlier write failed");
}

static char help_buffer[1 << 16];

static void print_help(const option_table *table, int is_brief)
{
    setvbuf(stdout, help_buffer, _IOFBF, sizeof help_buffer); /* a single write at the end: if it fails, errno has the reason */
    if (blast_called() == NULL)
        options_print_help(table, stdout);
    else if (is_brief)
        blast_print_usage(blast_called(), stdout);
    else
        blast_print_help(blast_called(), stdout);
}

int cli_options(const option_table *table, int argc, char **argv, cli_common *common, options_given *given, int *code)
{
    memset(common, 0, sizeof *common);
    common->command = table->command;
    common->device = TMS_DEVICE_AUTO;
    common->quiet = blast_called() != NULL; /* remarks are tamis's own */
    switch (options_parse(table, argc, argv, common, given)) {
    case OPTIONS_HELP:
        print_help(table, given->wants_brief);
        *code = cli_end_stdout(table->command, CLI_OK);
        return 0;
    case OPTIONS_VERSION:
        printf("tamis %s\n", tms_version());
        *code = cli_end_stdout(table->command, CLI_OK);
        return 0;
    case OPTIONS_FAULT:
        *code = cli_fail_usage(table->command, "%s", given->fault);
        return 0;
    default:
        if (blast_called() != NULL && common->n_threads == 0)
            common->n_threads = 1; /* clients that run several processes at once rely on this */
        *code = CLI_OK;
        return 1;
    }
}

int cli_check_environment(const char *command)
{
    const char *simd = getenv("TAMIS_SIMD"), *tune = getenv("TAMIS_TUNE");

    if (tune != NULL && tune[0] != '\0' && strcmp(tune, "on") != 0 && strcmp(tune, "off") != 0)
        return cli_fail(command, CLI_USAGE, "the environment variable TAMIS_TUNE must be 'on' or 'off', not '%s'", tune);
    if (simd == NULL || simd[0] == '\0')
        return CLI_OK;
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++) {
        if (strcmp(simd, tms_simd_name((tms_simd)level)) == 0)
            return CLI_OK;
    }
    return cli_fail(command, CLI_USAGE, "the environment variable TAMIS_SIMD must be 'scalar', 'avx2' or 'avx512', not '%s'", simd);
}

int cli_context_create(const cli_common *common, tms_context **out)
{
    tms_status status = tms_context_create(out);
    int n, n_wanted;

    if (status != TMS_OK)
        return cli_fail(common->command, CLI_NO_MEMORY, "out of memory");
    if (common->n_threads) /* without --threads the library's default applies, which honours OMP_NUM_THREADS */
        status = tms_context_set_threads(*out, common->n_threads);
    if (status != TMS_OK)
        return cli_fail_library(common->command, *out, status);
    tms_context_set_batch(*out, (size_t)common->batch_keys);
    n_wanted = tms_context_threads(*out);
    n = cli_start_threads(*out);
    if (n == n_wanted)
        return CLI_OK;
    if (!common->quiet)
        cli_say(common->command, "using %d thread%s instead of %d: the limit on processes or memory (ulimit) allows no more", n,
                CLI_PLURAL(n), n_wanted);
    status = tms_context_set_threads(*out, n);
    return status == TMS_OK ? CLI_OK : cli_fail_library(common->command, *out, status);
}

int cli_wants_gpu(const cli_common *common, uint64_t input_bytes, uint64_t filter_bytes)
{
    return common->device != TMS_DEVICE_CPU &&
           (common->device != TMS_DEVICE_AUTO || input_bytes > CLI_AUTO_INPUT_BYTES || filter_bytes > CLI_AUTO_FILTER_BYTES);
}

int cli_used_device(const cli_common *common, tms_context *ctx, tms_status status)
{
    tms_gpu_report report;
    char why[512];

    if (status != TMS_OK)
        return cli_fail_library(common->command, ctx, status);
    profile_cache_apply(ctx, why, sizeof why);
    if (why[0] != '\0' && !common->quiet)
        cli_say(common->command, "GPU kernels use the built-in launch shapes: %s", why);
    if (common->device != TMS_DEVICE_AUTO || tms_context_device(ctx) != TMS_DEVICE_CPU || common->quiet)
        return CLI_OK;
    tms_gpu_probe(&report);
    if (report.present)
        cli_say(common->command, "using the CPU: the GPU of this machine is not usable: %s", report.reason);
    return CLI_OK;
}

int cli_use_device(const cli_common *common, tms_context *ctx, uint64_t input_bytes, uint64_t filter_bytes)
{
    if (!cli_wants_gpu(common, input_bytes, filter_bytes))
        return CLI_OK;
    return cli_used_device(common, ctx, tms_context_set_device(ctx, common->device));
}

int cli_use_asked_device(const cli_common *common, tms_context *ctx)
{
    if (common->device == TMS_DEVICE_CPU || common->device == TMS_DEVICE_AUTO)
        return CLI_OK;
    return cli_used_device(common, ctx, tms_context_set_device(ctx, common->device));
}

int cli_fall_back(const cli_common *common, tms_context *ctx, tms_status status, const char *what)
{
    char why[512];

    if ((status != TMS_E_MEMORY && status != TMS_E_DEVICE) || common->device != TMS_DEVICE_AUTO ||
        tms_context_device(ctx) == TMS_DEVICE_CPU)
        return 0;
    snprintf(why, sizeof why, "%s", tms_context_message(ctx));
    if (tms_context_set_device(ctx, TMS_DEVICE_CPU) != TMS_OK)
        return 0;
    if (!common->quiet)
        cli_say(common->command, "using the CPU: %s: %s", what, why);
    return 1;
}

void cli_input_paths(int argc, char **argv, int first, const char *const **paths, size_t *n_paths)
{
    static const char *const from_stdin[] = {"-"};

    *paths = first < argc ? (const char *const *)(argv + first) : from_stdin;
    *n_paths = first < argc ? (size_t)(argc - first) : 1;
}

uint64_t cli_input_bytes(const char *const *paths, size_t n_paths)
{
    uint64_t sum = 0;

    for (size_t i = 0; i < n_paths; i++) {
        uint64_t size;
        if (!io_stream_path_size(paths[i], &size))
            return UINT64_MAX;
        sum += size;
    }
    return sum;
}

void cli_note_terminal(const cli_common *common, const char *const *paths, size_t n_paths)
{
    int is_stdin = 0;

    for (size_t i = 0; i < n_paths; i++)
        is_stdin |= strcmp(paths[i], "-") == 0;
    if (is_stdin && !common->quiet && blast_called() == NULL && isatty(STDIN_FILENO))
        cli_say(common->command, "reading standard input from the terminal; Ctrl-D ends it");
}
