/*
 * options_text.h - what is printed from a table of options: --help, completions for shells, and the skeleton of a man page.
 */
#ifndef TAMIS_CLI_OPTIONS_TEXT_H
#define TAMIS_CLI_OPTIONS_TEXT_H

#include "cli/options.h"

enum { OPTIONS_HELP_WIDTH = 80 };

typedef struct option_command {
    const option_table *options;
    int (*run)(int argc, char **argv);
    const char *summary;                /* a line of `tamis --help` */
    const struct option_command *verbs; /* "tamis model VERB": tables of "model VERB", behind them one without options; NULL: none */
} option_command;

/* option_verb() - what a verb is called: "predict" of "model predict". */
const char *option_verb(const option_command *verb);

void options_print_help(const option_table *table, FILE *out);

/* Of it only the options, without those of BLAST+ that are hidden: names, spaces between; or NULL. */
void options_print_rows(const option_table *table, const char *hidden, FILE *out);

/* "USAGE", and a synopsis as programs of BLAST+ print theirs, of the options that BLAST+ has too. */
void options_print_usage(const option_table *table, const char *name, const char *hidden, FILE *out);

/* A page for scdoc(5) with all options: where a new doc/man/tamis-<command>.1.scd begins. */
void options_print_man(const option_command *command, FILE *out);

void options_print_bash(const option_command *commands, size_t n, FILE *out);
void options_print_zsh(const option_command *commands, size_t n, FILE *out);
void options_print_fish(const option_command *commands, size_t n, FILE *out);

#endif
