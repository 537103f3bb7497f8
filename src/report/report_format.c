/* report_format.c - -outfmt as text to a writer and its columns. */
#include "report/report_format.h"

#include <string.h>

#include "report/report_columns.h"
#include "report/report_writers.h"

static const char *const standard[] = {"qaccver", "saccver", "pident", "length", "mismatch", "gapopen",
                                       "qstart",  "qend",    "sstart", "send",   "evalue",   "bitscore"};

/* ---- columns ------------------------------------------------------------------------------------------------------------------ */

static const struct report_column *find_column(const char *word, size_t n)
{
    for (size_t i = 0; i < report_n_columns; i++) {
        if (n == strlen(report_columns[i].name) && memcmp(word, report_columns[i].name, n) == 0)
            return &report_columns[i];
    }
    return NULL;
}

static size_t position_of(const struct report_format *format, const struct report_column *column)
{
    size_t i = 0;

    while (i < format->n_columns && format->columns[i] != column)
        i++;
    return i;
}

static void add_column(struct report_format *format, const struct report_column *column)
{
    if (position_of(format, column) == format->n_columns)
        format->columns[format->n_columns++] = column;
}

static void remove_column(struct report_format *format, const struct report_column *column)
{
    const size_t i = position_of(format, column);

    if (i == format->n_columns)
        return;
    format->n_columns--;
    memmove(format->columns + i, format->columns + i + 1, (format->n_columns - i) * sizeof *format->columns);
}

static void add_standard(struct report_format *format)
{
    for (size_t i = 0; i < sizeof standard / sizeof *standard; i++)
        add_column(format, find_column(standard[i], strlen(standard[i])));
}

static void take_word(struct report_format *format, const char *word, size_t n)
{
    const bool is_removed = n > 0 && word[0] == '-';
    const struct report_column *column = find_column(word + is_removed, n - is_removed);

    format->has_bases |= n == 2 && memcmp(word, "SQ", n) == 0;
    format->has_subject_references |= n == 2 && memcmp(word, "SR", n) == 0;
    if (n == 3 && memcmp(word, "std", n) == 0)
        add_standard(format);
    else if (column != NULL && is_removed)
        remove_column(format, column);
    else if (column != NULL)
        add_column(format, column);
    else if (n > 0 && format->unknown == NULL) {
        format->unknown = word;
        format->unknown_size = n;
    }
}

static void take_columns(struct report_format *format, const char *words)
{
    while (*words != '\0') {
        size_t n = strcspn(words, " ");
        take_word(format, words, n);
        words += n + (words[n] != '\0');
    }
    if (format->n_columns == 0)
        add_standard(format);
}

/* ---- the format --------------------------------------------------------------------------------------------------------------- */

/* The first n bytes as a number; -1: they are none. */
static long parse_number(const char *text, size_t n)
{
    long number = 0;
    size_t i = n > 0 && text[0] == '+';

    if (i == n)
        return -1;
    for (; i < n; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number < 1000 ? 10 * number + (text[i] - '0') : number;
    }
    return number;
}

/* "delim=;" as the second word. Returns where the rest begins; NULL: there is no '='. */
static const char *take_delimiter(struct report_format *format, const char *words)
{
    size_t n = strcspn(words, " ");
    const char *equals = memchr(words, '=', n);

    if (strncmp(words, "delim", 5) != 0)
        return words;
    if (equals == NULL)
        return NULL;
    if (equals + 1 < words + n) {
        format->delimiter = equals + 1;
        format->delimiter_size = n - (size_t)(equals + 1 - words);
    }
    return words + n;
}

/* Whether the separator of columns also separates the entries of one: NCBI's program refuses that. */
static bool separates_entries(const struct report_format *format)
{
    bool has_list = false;

    for (size_t i = 0; i < format->n_columns; i++)
        has_list |= format->columns[i]->is_list;
    return has_list && format->writer->family == REPORT_TABLE && format->delimiter_size == 1 && format->delimiter[0] == ';';
}

const char *report_format_parse(const char *outfmt, struct report_format *out)
{
    const char *words;
    size_t n;
    long number;

    *out = (struct report_format){0};
    while (*outfmt == ' ')
        outfmt++;
    n = strcspn(outfmt, " ");
    number = parse_number(outfmt, n);
    out->writer = number < 0 ? report_writer_named((struct text){outfmt, n}) : report_writer_find(number);
    if (number < 0 && out->writer == NULL)
        return "does not begin with the number of a format: " REPORT_FORMATS_THERE;
    if (out->writer == NULL)
        return "is out of range: " REPORT_FORMATS_THERE;
    if (out->writer->why_not != NULL)
        return out->writer->why_not;
    out->delimiter = &out->writer->delimiter;
    out->delimiter_size = 1;
    words = take_delimiter(out, outfmt + n + (outfmt[n] != '\0'));
    if (words == NULL)
        return "has a delimiter without '=': delim=;";
    take_columns(out, words);
    return separates_entries(out) ? "parts columns by ';', as entries within one of these columns are: give another delimiter" : NULL;
}

bool report_format_names_taxa(const struct report_format *format, bool *is_plural)
{
    bool is_there = format->writer->names_taxa;

    *is_plural = false;
    for (size_t i = 0; i < format->n_columns; i++) {
        is_there |= format->columns[i]->taxa != REPORT_NO_TAXA;
        *is_plural |= format->columns[i]->taxa == REPORT_ALL_TAXA;
    }
    return is_there;
}
