/*
 * options.h - parses a command's arguments by its table of options.
 */
#ifndef TAMIS_CLI_OPTIONS_H
#define TAMIS_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/option_names.h"
#include "cli/option_table.h"

typedef struct options_given {
    const option_table *table;
    unsigned char is_given[OPTIONS_MAX_ROWS];
    const char *values[OPTIONS_MAX_ROWS]; /* values of the given options, as typed; NULL for a flag */
    char **operands;                      /* arguments that are not options, in argv */
    int n_operands;
    const option_row *takes_option; /* the last option whose value looks like an option: "--stats -query" */
    const char *taken;              /* the value of takes_option: "-query" */
    int wants_brief;                /* OPTIONS_HELP: -h was given, not --help */
    char fault[1024];               /* OPTIONS_FAULT: the message */
} options_given;

typedef enum options_result { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_VERSION, OPTIONS_FAULT } options_result;

/*
 * options_parse() - stores the options of argv in the job. The syntax is getopt_long()'s: unambiguous prefixes of names, --name=value, -k7,
 * operands between options, "--". In long names - and _ are equal. -h as the only argument asks for help, also if the command has another
 * -h; every command has --version.
 *   argv [in,out] argv[0] is ignored; operands move to the end
 */
options_result options_parse(const option_table *table, int argc, char **argv, void *job, options_given *given);

/* options_is_given() - whether argv has the option, by one of its names. */
int options_is_given(const options_given *given, const char *name);

/* options_about() - the spelling of the first given option with one of these bits in `about`: "--fpr"; or NULL. */
const char *options_about(const options_given *given, unsigned about, char spelling[OPTIONS_SPELLING]);

/*
 * options_text() - option i of the table as typed: "-evalue" and its value, with a blank between; the spelling alone for a flag.
 *   out [out] size bytes
 * Returns false if the option is not given, or is longer.
 */
bool options_text(const options_given *given, size_t i, char *out, size_t size);

/* options_are_blast() - whether long options may have one dash. */
int options_are_blast(const option_table *table);

#endif
