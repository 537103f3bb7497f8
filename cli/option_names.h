/*
 * option_names.h - options by their names: as they are written, and as they were probably meant.
 */
#ifndef TAMIS_CLI_OPTION_NAMES_H
#define TAMIS_CLI_OPTION_NAMES_H

#include "cli/option_table.h"

enum { OPTIONS_SPELLING = 96 };

/* option_spelling() - the shortest way to write it: "-c", "--count" or "-query". */
const char *option_spelling(const option_row *row, char spelling[OPTIONS_SPELLING]);

/* option_find() - the row whose letter or name these n letters are, '-' and '_' alike; NULL: there is none. */
const option_row *option_find(const option_table *table, const char *word, size_t n);

/* option_is_name_begun() - whether a long name begins with the word: with three letters of it at least, behind its dashes. */
int option_is_name_begun(const option_table *table, const char *word);

/* option_begun() - the one row with a name that begins so, dashes and "=value" aside; NULL where there is none, or several. */
const option_row *option_begun(const option_table *table, const char *word);

/*
 * option_explain() - what is wrong with a word that is no option: short for more than one, or near the name of one.
 *   word [in] with its dashes, and perhaps "=value"
 *   text [out] a sentence
 * Returns whether it says more than that there is no such option.
 */
int option_explain(const option_table *table, const char *word, char *text, size_t size);

#endif
