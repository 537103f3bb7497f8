/*
 * blast_names.h - tamis under the name of a BLAST+ program: blastp, makeblastdb, blastdbcmd, segmasker, dustmasker.
 *
 * Called by one of these names, tamis behaves as that program: it has the program's -version, -h and exit codes, runs one thread by
 * default, and prints nothing on standard error that the program would not print. blast_programs.h lists the programs.
 */
#ifndef TAMIS_CLI_BLAST_NAMES_H
#define TAMIS_CLI_BLAST_NAMES_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"

enum { BLAST_IMPLIED = 2 };

/* Exit codes of BLAST+ programs. */
enum { BLAST_INPUT = 1, BLAST_DATABASE = 2, BLAST_ENGINE = 3, BLAST_MEMORY = 4, BLAST_OUTPUT = 6, BLAST_EXCEPTION = 255 };

typedef struct blast_program {
    const char *name;
    const option_table *options; /* of the tamis command that does the work */
    const char *version, *description;
    const char *input_error;      /* prefix of messages about options and input; NULL: as in other messages */
    char *implied[BLAST_IMPLIED]; /* arguments inserted before those on the command line; NULL: no more */
    const char *hidden;           /* options of the command that the program does not have, separated by spaces */
    unsigned fails_with_1 : 1;    /* any failure has exit code 1 */
} blast_program;

/*
 * blast_call() - sets the program that tamis behaves as; NULL: tamis itself, the initial state.
 * blast_called() - the program that tamis behaves as, or NULL.
 */
void blast_call(const blast_program *program);
const blast_program *blast_called(void);

/* blast_prints_version() - prints the version if an argument asks for it. Returns whether one does. */
int blast_prints_version(const blast_program *program, int argc, char **argv);

/* blast_print_usage() - prints the text of -h: USAGE and DESCRIPTION. */
void blast_print_usage(const blast_program *program, FILE *out);

/* blast_print_help() - prints the text of -help: the text of -h, then all options. */
void blast_print_help(const blast_program *program, FILE *out);

/* blast_print_bad_usage() - prints the text of -h and a message on standard error. */
void blast_print_bad_usage(const blast_program *program, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/*
 * blast_message_begins() - writes the prefix that the program gives to a message.
 *   code [in] the exit code that the message explains; 0: a warning
 */
void blast_message_begins(const blast_program *program, int code, char *text, size_t size);

#endif
