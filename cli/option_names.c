#include "cli/option_names.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "cli/word_distance.h"

enum { LEAST_BEGIN = 3, ROW_NAMES = 3 };

const char *option_spelling(const option_row *row, char spelling[OPTIONS_SPELLING])
{
    if (row->letter != 0)
        snprintf(spelling, OPTIONS_SPELLING, "-%c", row->letter);
    else
        snprintf(spelling, OPTIONS_SPELLING, "%s%s", row->name != NULL ? "--" : "-", row->name != NULL ? row->name : row->blast);
    return spelling;
}

static char as_dash(char c) { return c == '_' ? '-' : c; }

/* Whether the name begins with these characters. */
static int begins(const char *name, const char *word, size_t n)
{
    size_t i = 0;

    if (name == NULL)
        return 0;
    while (i < n && name[i] != '\0' && as_dash(name[i]) == as_dash(word[i]))
        i++;
    return i == n;
}

static const char *name_of(const option_row *row, int i) { return i == 0 ? row->name : i == 1 ? row->also : row->blast; }

/* The first of the row's names that begins with these characters; NULL: none does. */
static const char *name_begun(const option_row *row, const char *word, size_t n)
{
    for (int i = 0; i < ROW_NAMES; i++) {
        if (begins(name_of(row, i), word, n))
            return name_of(row, i);
    }
    return NULL;
}

const option_row *option_find(const option_table *table, const char *word, size_t n)
{
    for (size_t i = 0; i < table->n_rows; i++) {
        const option_row *row = &table->rows[i];
        if (n == 1 && row->letter != 0 && row->letter == word[0])
            return row;
        for (int k = 0; k < ROW_NAMES; k++) {
            const char *name = name_of(row, k);
            if (begins(name, word, n) && name[n] == '\0')
                return row;
        }
    }
    return NULL;
}

int option_is_name_begun(const option_table *table, const char *word)
{
    size_t n;

    word += strspn(word, "-");
    n = strcspn(word, "=");
    for (size_t i = 0; i < table->n_rows && n >= LEAST_BEGIN; i++) {
        if (name_begun(&table->rows[i], word, n) != NULL)
            return 1;
    }
    return 0;
}

const option_row *option_begun(const option_table *table, const char *word)
{
    const char *bare = word + strspn(word, "-");
    const option_row *found = NULL;
    size_t n = strcspn(bare, "=");

    for (size_t i = 0; i < table->n_rows && n > 0; i++) {
        if (name_begun(&table->rows[i], bare, n) == NULL)
            continue;
        if (found != NULL)
            return NULL;
        found = &table->rows[i];
    }
    return found;
}

static const char *dashes(const option_row *row, const char *name) { return row->blast != NULL && name == row->blast ? "-" : "--"; }

/* "--seed, --silent or --size": lists the names that begin with these characters, one for each row. Returns the number of rows; *only is
 * the first. */
static size_t list_begun(const option_table *table, const char *word, size_t n, char *list, size_t size, const option_row **only)
{
    size_t n_rows = 0, n_listed = 0, at = 0;

    for (size_t i = 0; i < table->n_rows; i++) {
        if (name_begun(&table->rows[i], word, n) != NULL && n_rows++ == 0)
            *only = &table->rows[i];
    }
    list[0] = '\0';
    for (size_t i = 0; i < table->n_rows && at < size; i++) {
        const char *name = name_begun(&table->rows[i], word, n);
        if (name == NULL)
            continue;
        at += (size_t)snprintf(list + at, size - at, "%s%s%s",
                               n_listed == 0            ? ""
                               : n_listed + 1 == n_rows ? " or "
                                                        : ", ",
                               dashes(&table->rows[i], name), name);
        n_listed++;
    }
    return n_rows;
}

/* The name nearest to these n characters: two edits away at most, one if n < 5, none if n is 1. *row is NULL if there is no such name. */
static const char *nearest(const option_table *table, const char *word, size_t n, const option_row **row)
{
    size_t least = n >= 5 ? 3 : n >= 2 ? 2 : 1;
    const char *found = NULL;

    *row = NULL;
    for (size_t i = 0; i < table->n_rows * ROW_NAMES; i++) {
        const option_row *of = &table->rows[i / ROW_NAMES];
        const char *name = name_of(of, (int)(i % ROW_NAMES));
        size_t distance = name != NULL ? word_distance(word, n, name) : least;
        if (distance < least) {
            least = distance;
            found = name;
            *row = of;
        }
    }
    return found;
}

/* "--kmer31": a whole name followed by a number. Returns the offset of the number, or 0 if the word has another form. */
static size_t glued_number(const option_table *table, const char *word, size_t n, const option_row **row)
{
    size_t n_name = n;

    while (n_name > 0 && (isdigit((unsigned char)word[n_name - 1]) || word[n_name - 1] == '.'))
        n_name--;
    *row = n_name > 1 && n_name < n ? option_find(table, word, n_name) : NULL;
    return *row != NULL && (*row)->value != NULL ? n_name : 0;
}

int option_explain(const option_table *table, const char *word, char *text, size_t size)
{
    const char *bare = word + strspn(word, "-"), *name = NULL;
    const option_row *row = NULL;
    size_t n = strcspn(bare, "="), n_word = (size_t)(bare - word) + n, n_rows, number;
    char list[512], spelling[OPTIONS_SPELLING];

    n_rows = n > 0 ? list_begun(table, bare, n, list, sizeof list, &row) : 0;
    if (n_rows > 1) {
        snprintf(text, size, "option '%.*s' is ambiguous: %s", (int)n_word, word, list);
        return 1;
    }
    if (n_rows == 1)
        snprintf(text, size, "no option '%.*s'; did you mean %s?", (int)n_word, word, list);
    else if ((number = glued_number(table, bare, n, &row)) > 0)
        snprintf(text, size, "no option '%.*s'; did you mean %s %.*s?", (int)n_word, word, option_spelling(row, spelling),
                 (int)(n - number), bare + number);
    else if ((name = nearest(table, bare, n, &row)) != NULL)
        snprintf(text, size, "no option '%.*s'; did you mean %s%s?", (int)n_word, word, dashes(row, name), name);
    else
        snprintf(text, size, "no option '%.*s'", (int)n_word, word);
    return row != NULL;
}
