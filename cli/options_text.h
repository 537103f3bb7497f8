/*
 * options_text.h - prints a table of options as --help, as shells' completions, and as the skeleton of a man page.
 */
#ifndef TAMIS_CLI_OPTIONS_TEXT_H
#define TAMIS_CLI_OPTIONS_TEXT_H

#include "cli/options.h"

enum { OPTIONS_HELP_WIDTH = 80 };

typedef struct option_command {
    const option_table *options;
    int (*run)(int argc, char **argv);
    const char *summary;                /* for `tamis --help` and the completions */
    const struct option_command *verbs; /* of "tamis model VERB", ended by one whose options are NULL; NULL: no verbs */
} option_command;

/* option_verb() - the name of a verb: "predict" for "model predict". */
const char *option_verb(const option_command *verb);

/* options_print_help() - the text of --help. */
void options_print_help(const option_table *table, FILE *out);

/* options_print_rows() - only the options of the help. hidden: BLAST's names of options to leave out, separated by spaces; or NULL. */
void options_print_rows(const option_table *table, const char *hidden, FILE *out);

/* options_print_usage() - "USAGE" and a synopsis of the options that BLAST+ has too, in the form of BLAST+ programs. */
void options_print_usage(const option_table *table, const char *name, const char *hidden, FILE *out);

/* options_print_man() - a page for scdoc(5) with all options, from which to write a new doc/man/tamis-<command>.1.scd. */
void options_print_man(const option_command *command, FILE *out);

/* The shells' completions of all commands. */
void options_print_bash(const option_command *commands, size_t n, FILE *out);
void options_print_zsh(const option_command *commands, size_t n, FILE *out);
void options_print_fish(const option_command *commands, size_t n, FILE *out);

#endif
