/* report_format.c - -outfmt to a kind and its columns. */
#include "report/report_format.h"

#include <stdbool.h>
#include <string.h>

#include "report/report_columns.h"

const struct report_column_info report_columns[REPORT_N_COLUMNS] = {
    [COLUMN_QSEQID] = {"qseqid", "query id"},
    [COLUMN_QGI] = {"qgi", "query gi"},
    [COLUMN_QACC] = {"qacc", "query acc."},
    [COLUMN_QACCVER] = {"qaccver", "query acc.ver"},
    [COLUMN_QLEN] = {"qlen", "query length"},
    [COLUMN_SSEQID] = {"sseqid", "subject id"},
    [COLUMN_SALLSEQID] = {"sallseqid", "subject ids"},
    [COLUMN_SGI] = {"sgi", "subject gi"},
    [COLUMN_SALLGI] = {"sallgi", "subject gis"},
    [COLUMN_SACC] = {"sacc", "subject acc."},
    [COLUMN_SACCVER] = {"saccver", "subject acc.ver"},
    [COLUMN_SALLACC] = {"sallacc", "subject accs."},
    [COLUMN_SLEN] = {"slen", "subject length"},
    [COLUMN_QSTART] = {"qstart", "q. start"},
    [COLUMN_QEND] = {"qend", "q. end"},
    [COLUMN_SSTART] = {"sstart", "s. start"},
    [COLUMN_SEND] = {"send", "s. end"},
    [COLUMN_QSEQ] = {"qseq", "query seq"},
    [COLUMN_SSEQ] = {"sseq", "subject seq"},
    [COLUMN_EVALUE] = {"evalue", "evalue"},
    [COLUMN_BITSCORE] = {"bitscore", "bit score"},
    [COLUMN_SCORE] = {"score", "score"},
    [COLUMN_LENGTH] = {"length", "alignment length"},
    [COLUMN_PIDENT] = {"pident", "% identity"},
    [COLUMN_NIDENT] = {"nident", "identical"},
    [COLUMN_MISMATCH] = {"mismatch", "mismatches"},
    [COLUMN_POSITIVE] = {"positive", "positives"},
    [COLUMN_GAPOPEN] = {"gapopen", "gap opens"},
    [COLUMN_GAPS] = {"gaps", "gaps"},
    [COLUMN_PPOS] = {"ppos", "% positives"},
    [COLUMN_FRAMES] = {"frames", "query/sbjct frames"},
    [COLUMN_QFRAME] = {"qframe", "query frame"},
    [COLUMN_SFRAME] = {"sframe", "sbjct frame"},
    [COLUMN_BTOP] = {"btop", "BTOP"},
    [COLUMN_STAXID] = {"staxid", "subject tax id"},
    [COLUMN_SSCINAME] = {"ssciname", "subject sci name"},
    [COLUMN_SCOMNAME] = {"scomname", "subject com names"},
    [COLUMN_SBLASTNAME] = {"sblastname", "subject blast name"},
    [COLUMN_SSKINGDOM] = {"sskingdom", "subject super kingdom"},
    [COLUMN_STAXIDS] = {"staxids", "subject tax ids"},
    [COLUMN_SSCINAMES] = {"sscinames", "subject sci names"},
    [COLUMN_SCOMNAMES] = {"scomnames", "subject com names"},
    [COLUMN_SBLASTNAMES] = {"sblastnames", "subject blast names"},
    [COLUMN_SSKINGDOMS] = {"sskingdoms", "subject super kingdoms"},
    [COLUMN_STITLE] = {"stitle", "subject title"},
    [COLUMN_SALLTITLES] = {"salltitles", "subject titles"},
    [COLUMN_SSTRAND] = {"sstrand", "subject strand"},
    [COLUMN_QCOVS] = {"qcovs", "% query coverage per subject"},
    [COLUMN_QCOVHSP] = {"qcovhsp", "% query coverage per hsp"},
    [COLUMN_QCOVUS] = {"qcovus", "% query coverage per uniq subject"},
};

_Static_assert(REPORT_N_COLUMNS <= REPORT_MAX_COLUMNS, "a format has each column once at most");

static const uint8_t standard[] = {COLUMN_QACCVER, COLUMN_SACCVER, COLUMN_PIDENT, COLUMN_LENGTH, COLUMN_MISMATCH, COLUMN_GAPOPEN,
                                   COLUMN_QSTART,  COLUMN_QEND,    COLUMN_SSTART, COLUMN_SEND,   COLUMN_EVALUE,   COLUMN_BITSCORE};

/* ---- columns ------------------------------------------------------------------------------------------------------------------ */

static void add_column(struct report_format *format, uint8_t column)
{
    if (memchr(format->columns, column, format->n_columns) == NULL)
        format->columns[format->n_columns++] = column;
}

static void remove_column(struct report_format *format, uint8_t column)
{
    uint8_t *at = memchr(format->columns, column, format->n_columns);

    if (at == NULL)
        return;
    format->n_columns--;
    memmove(at, at + 1, (size_t)(format->columns + format->n_columns - at));
}

static void add_standard(struct report_format *format)
{
    for (size_t i = 0; i < sizeof standard; i++)
        add_column(format, standard[i]);
}

static bool is_word(const char *word, size_t n, const char *want) { return n == strlen(want) && memcmp(word, want, n) == 0; }

static void take_word(struct report_format *format, const char *word, size_t n)
{
    const bool is_removed = n > 0 && word[0] == '-';
    bool is_known = n == 0;

    if (is_word(word, n, "std")) {
        add_standard(format);
        return;
    }
    for (uint8_t i = 0; i < REPORT_N_COLUMNS; i++) {
        if (!is_word(word + is_removed, n - is_removed, report_columns[i].name))
            continue;
        is_known = true;
        if (is_removed)
            remove_column(format, i);
        else
            add_column(format, i);
    }
    if (!is_known && format->unknown == NULL) {
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

/* ---- the kind ----------------------------------------------------------------------------------------------------------------- */

#define THERE "0 to 7, 10, 15 and 16 are there"

static const char *refuse(long number)
{
    switch (number) {
    case REPORT_PAIRWISE:
    case REPORT_ANCHORED_DOTS:
    case REPORT_ANCHORED:
    case REPORT_FLAT_DOTS:
    case REPORT_FLAT:
    case REPORT_XML:
    case REPORT_TABULAR:
    case REPORT_COMMENTED:
    case REPORT_CSV:
    case REPORT_JSON:
    case REPORT_XML2:
        return NULL;
    case 8:
    case 9:
    case 11:
        return "is ASN.1, which tamis does not write: " THERE;
    case 12:
        return "is Seqalign as JSON, which tamis does not write: " THERE;
    case 13:
    case 14:
        return "is JSON or XML in several files, which tamis does not write: 15 and 16 have all queries in one";
    case 17:
        return "is SAM, which is for nucleotides only";
    case 18:
        return "is the organism report, which tamis does not write: " THERE;
    default:
        return "is out of range: " THERE;
    }
}

/* The number at the start, up to a blank or the end; -1: there is none. */
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

static bool is_table(enum report_kind kind) { return kind == REPORT_TABULAR || kind == REPORT_COMMENTED || kind == REPORT_CSV; }

/* Whether the record separator also parts the entries of a column that has several: blastp refuses that. */
static bool parts_entries(const struct report_format *format)
{
    static const uint8_t lists[] = {COLUMN_SALLSEQID, COLUMN_STAXIDS,     COLUMN_SSCINAMES,
                                    COLUMN_SCOMNAMES, COLUMN_SBLASTNAMES, COLUMN_SSKINGDOMS};
    bool has_list = false;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        has_list |= memchr(format->columns, lists[i], format->n_columns) != NULL;
    return has_list && is_table(format->kind) && format->delimiter_size == 1 && format->delimiter[0] == ';';
}

const char *report_format_parse(const char *outfmt, struct report_format *out)
{
    const char *words, *fault;
    size_t n;
    long number;

    *out = (struct report_format){0};
    while (*outfmt == ' ')
        outfmt++;
    n = strcspn(outfmt, " ");
    number = parse_number(outfmt, n);
    if (number < 0)
        return "does not begin with the number of a format: " THERE;
    fault = refuse(number);
    if (fault != NULL)
        return fault;
    out->kind = (enum report_kind)number;
    out->delimiter = number == REPORT_CSV ? "," : "\t";
    out->delimiter_size = 1;
    words = take_delimiter(out, outfmt + n + (outfmt[n] != '\0'));
    if (words == NULL)
        return "has a delimiter without '=': delim=;";
    take_columns(out, words);
    return parts_entries(out) ? "parts columns by ';', as entries within one of these columns are: give another delimiter" : NULL;
}

bool report_format_names_taxa(const struct report_format *format, bool *is_plural)
{
    bool is_there = format->kind == REPORT_JSON || format->kind == REPORT_XML2;

    *is_plural = false;
    for (size_t i = 0; i < format->n_columns; i++) {
        const enum report_column column = (enum report_column)format->columns[i];
        const bool is_all = column >= COLUMN_SSCINAMES && column <= COLUMN_SSKINGDOMS;
        is_there = is_there || is_all || (column >= COLUMN_SSCINAME && column <= COLUMN_SSKINGDOM);
        *is_plural = *is_plural || is_all;
    }
    return is_there;
}
