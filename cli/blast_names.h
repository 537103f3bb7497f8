/*
 * blast_names.h - tamis called by the name of a program of BLAST+: blastp, makeblastdb, blastdbcmd, segmasker, dustmasker.
 *
 * By such a name tamis behaves as that program: its -version and -h, its exit codes, one thread by default, and no message on standard
 * error that the program does not print. blast_programs.h lists these programs.
 */
#ifndef TAMIS_CLI_BLAST_NAMES_H
#define TAMIS_CLI_BLAST_NAMES_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"

enum { BLAST_IMPLIED = 2 };

/* Exit codes of those programs; blastp has all of them. */
enum { BLAST_INPUT = 1, BLAST_DATABASE = 2, BLAST_ENGINE = 3, BLAST_MEMORY = 4, BLAST_OUTPUT = 6, BLAST_EXCEPTION = 255 };

typedef struct blast_program {
    const char *name;
    const option_table *options; /* of the command that it is */
    const char *version, *description;
    const char *input_error;      /* what its messages about options and input begin with */
    char *implied[BLAST_IMPLIED]; /* arguments before those given; NULL: no more */
    const char *hidden;           /* the command's options that are not the program's, spaces between */
    unsigned fails_with_1 : 1;    /* whatever the failure */
} blast_program;

/*
 * blast_call() - makes tamis behave as this program from now on; NULL: as tamis itself, the initial state.
 * blast_called() - the program that tamis behaves as, or NULL.
 */
void blast_call(const blast_program *program);
const blast_program *blast_called(void);

/* blast_prints_version() - prints the version if one of the arguments asks for it. Returns whether it did. */
int blast_prints_version(const blast_program *program, int argc, char **argv);

/* blast_print_usage() - prints the text of -h: USAGE, DESCRIPTION. */
void blast_print_usage(const blast_program *program, FILE *out);

/* blast_print_help() - prints the text of -help: USAGE, DESCRIPTION and all options. */
void blast_print_help(const blast_program *program, FILE *out);

/* blast_print_bad_usage() - prints the text of -h and a message on standard error. */
void blast_print_bad_usage(const blast_program *program, const char *format, va_list args) __attribute__((format(printf, 2, 0)));

/*
 * blast_message_begins() - the beginning of a message, as the program writes it.
 *   code [in] the exit code that the message explains; 0: the program continues
 */
void blast_message_begins(const blast_program *program, int code, char *text, size_t size);

#endif
