/*
 * option_names.h - finds options by exact names, by prefixes, and by similar names.
 */
#ifndef TAMIS_CLI_OPTION_NAMES_H
#define TAMIS_CLI_OPTION_NAMES_H

#include "cli/option_table.h"

enum { OPTIONS_SPELLING = 96 };

/* option_spelling() - writes the shortest spelling of an option: "-c", "--count" or "-query". */
const char *option_spelling(const option_row *row, char spelling[OPTIONS_SPELLING]);

/* option_find() - the row whose letter or name is these n characters, with '-' and '_' equal; NULL: none. */
const option_row *option_find(const option_table *table, const char *word, size_t n);

/* option_is_name_begun() - whether the word, with at least three characters after its dashes, is a prefix of a long name. */
int option_is_name_begun(const option_table *table, const char *word);

/* option_begun() - the only row with a name that begins with the word, without dashes and "=value"; NULL: none or several. */
const option_row *option_begun(const option_table *table, const char *word);

/*
 * option_explain() - explains why a word is not an option: it is an ambiguous prefix, or only similar to a name.
 *   word [in] with its dashes, and perhaps "=value"
 *   text [out] a sentence
 * Returns false if the text only says that there is no such option.
 */
int option_explain(const option_table *table, const char *word, char *text, size_t size);

#endif
