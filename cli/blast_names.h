/*
 * blast_names.h - tamis called by the name of a program of BLAST+: blastp, makeblastdb, blastdbcmd, segmasker, dustmasker.
 *
 * By such a name tamis is that program: it has its -version and -h and its exit codes, runs one thread by default, and prints nothing on
 * standard error that the program would not print. blast_programs.h has all programs.
 */
#ifndef TAMIS_CLI_BLAST_NAMES_H
#define TAMIS_CLI_BLAST_NAMES_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"

enum { BLAST_IMPLIED = 2 };

/* Exit codes of those programs. */
enum { BLAST_INPUT = 1, BLAST_DATABASE = 2, BLAST_ENGINE = 3, BLAST_MEMORY = 4, BLAST_OUTPUT = 6, BLAST_EXCEPTION = 255 };

typedef struct blast_program {
    const char *name;
    const option_table *options; /* of tamis's command */
    const char *version, *description;
    const char *input_error;      /* the beginning of messages about options and input; NULL: as of other messages */
    char *implied[BLAST_IMPLIED]; /* arguments before those on the command line; NULL: no more */
    const char *hidden;           /* the command's options that the program does not have, spaces between */
    unsigned fails_with_1 : 1;    /* the exit code is 1 for any failure */
} blast_program;

/*
 * blast_call() - from now on tamis is this program; NULL: tamis itself, as in the beginning.
 * blast_called() - the program that tamis is.
 */
void blast_call(const blast_program *program);
const blast_program *blast_called(void);

/* blast_prints_version() - whether one of the arguments asks for the version, which is printed then. */
int blast_prints_version(const blast_program *program, int argc, char **argv);

/* blast_print_usage() - the text of -h: USAGE, DESCRIPTION. */
void blast_print_usage(const blast_program *program, FILE *out);

/* blast_print_help() - the text of -help: that of -h, and all options. */
void blast_print_help(const blast_program *program, FILE *out);

/* blast_print_bad_usage() - the text of -h and a message, on standard error. */
void blast_print_bad_usage(const blast_program *program, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/*
 * blast_message_begins() - the beginning of a message, as the program has it.
 *   code [in] the exit code that it explains; 0: a warning
 */
void blast_message_begins(const blast_program *program, int code, char *text, size_t size);

#endif
