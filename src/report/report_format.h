/* report_format.h - which format, and which columns: -outfmt as text. */
#ifndef TMS_REPORT_FORMAT_H
#define TMS_REPORT_FORMAT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As -outfmt counts them. */
enum report_kind {
    REPORT_PAIRWISE = 0,
    REPORT_ANCHORED_DOTS = 1, /* all alignments below the query; dots where they have its residue */
    REPORT_ANCHORED = 2,
    REPORT_FLAT_DOTS = 3, /* with gaps in the query */
    REPORT_FLAT = 4,
    REPORT_XML = 5,
    REPORT_TABULAR = 6,
    REPORT_COMMENTED = 7, /* tabular, with lines of comments */
    REPORT_CSV = 10,
    REPORT_JSON = 15,
    REPORT_XML2 = 16
};

/* report_is_markup() - for programs, with names and masks as blastp's other writer has them. */
static inline bool report_is_markup(enum report_kind kind) { return kind == REPORT_XML || kind == REPORT_JSON || kind == REPORT_XML2; }

/* report_is_for_people() - a summary, alignments in rows, and statistics. */
static inline bool report_is_for_people(enum report_kind kind) { return kind <= REPORT_FLAT; }

static inline bool report_is_table(enum report_kind kind)
{
    return kind == REPORT_TABULAR || kind == REPORT_COMMENTED || kind == REPORT_CSV;
}

#define REPORT_MAX_COLUMNS 64

/* -outfmt: a kind, and of the three that are tables the columns. */
struct report_format {
    enum report_kind kind;
    uint8_t columns[REPORT_MAX_COLUMNS]; /* of report_columns.h */
    size_t n_columns;
    const char *delimiter; /* borrowed from the text that was parsed, or a constant; not NUL-terminated */
    size_t delimiter_size;
    const char *unknown; /* the first word that is no column, borrowed likewise, and its bytes; NULL: all of them are */
    size_t unknown_size;
};

/*
 * report_format_parse() - "6", "7 std qlen", "10 delim=; qacc sacc". A column that is not known is left out, as blastp leaves it out;
 * -column removes one.
 *   outfmt [in] borrowed for as long as *out is used
 * Returns NULL, or what is wrong, to follow the option and its value: "is ...".
 */
const char *report_format_parse(const char *outfmt, struct report_format *out);

/*
 * report_format_names_taxa() - whether there are names of taxa in it.
 *   is_plural [out] whether a column has those of all names of a subject: where these are to be had nowhere, blastp warns
 */
bool report_format_names_taxa(const struct report_format *format, bool *is_plural);

#endif
