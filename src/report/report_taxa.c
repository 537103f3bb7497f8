/*
 * report_taxa.c - the columns of taxa, as blastp has them: numbers, and names of NCBI's taxdb.
 *
 * The columns in the singular are of the first taxon that a defline has; in the plural of all, where scientific and common names follow the
 * numbers one by one, and BLAST names and kingdoms are sorted, each once.
 */
#include "report/report_taxa.h"

#include <stdlib.h>

static void put_na(struct report_text *t) { text_string(t, "N/A"); }

static int by_value(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static int by_bytes(const void *a, const void *b)
{
    const struct text *x = a, *y = b;
    int order = memcmp(x->bytes, y->bytes, x->n < y->n ? x->n : y->n);

    return order != 0 ? order : (x->n > y->n) - (x->n < y->n);
}

static struct text name_of(const struct report *report, int64_t taxid, tms_taxon_name which)
{
    struct text name;

    name.bytes = tms_taxonomy_name(report->options.taxonomy, taxid, which, &name.n);
    if (which >= TMS_TAXON_BLAST && name.n == 1 && name.bytes[0] == '-')
        return (struct text){NULL, 0};
    return name;
}

/* The first that is known; 0: none. */
static int64_t first_taxid(const struct report *report)
{
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (report->deflines[i].taxid != 0)
            return report->deflines[i].taxid;
    }
    return 0;
}

static void put_first(const struct report *report, int which, struct report_text *t)
{
    const int64_t taxid = first_taxid(report);
    struct text name = {NULL, 0};

    if (taxid != 0 && which >= 0)
        name = name_of(report, taxid, (tms_taxon_name)which);
    if (taxid != 0 && which < 0)
        text_number(t, taxid);
    else if (name.n > 0)
        text_put(t, name);
    else
        put_na(t);
}

/* One after the other, with semicolons; which: -1: the numbers themselves. */
static void put_each(const struct report *report, const int64_t *taxids, size_t n, int which, struct report_text *t)
{
    for (size_t i = 0; i < n; i++) {
        struct text name = {NULL, 0};
        if (which >= 0)
            name = name_of(report, taxids[i], (tms_taxon_name)which);
        text_string(t, i > 0 ? ";" : "");
        if (which < 0)
            text_number(t, taxids[i]);
        else if (name.bytes != NULL)
            text_put(t, name);
        else
            put_na(t);
    }
    if (n == 0)
        put_na(t);
}

/* Names without the same one twice, and without those that there are not. */
static void put_set(const struct report *report, const int64_t *taxids, size_t n, int which, struct report_text *t)
{
    struct text *names = calloc(n + 1, sizeof *names);
    size_t n_names = 0;

    t->is_lost = t->is_lost || names == NULL;
    if (names == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        names[n_names] = name_of(report, taxids[i], (tms_taxon_name)which);
        n_names += names[n_names].bytes != NULL;
    }
    qsort(names, n_names, sizeof *names, by_bytes);
    for (size_t i = 0; i < n_names; i++) {
        if (i > 0 && by_bytes(&names[i], &names[i - 1]) == 0)
            continue;
        text_string(t, i > 0 ? ";" : "");
        text_put(t, names[i]);
    }
    if (n_names == 0)
        put_na(t);
    free(names);
}

/* Taxa that have no names count in lines that have a column of numbers. */
static bool counts(const struct report *report, int64_t taxid)
{
    const struct report_format *format = &report->options.format;

    return memchr(format->columns, COLUMN_STAXIDS, format->n_columns) != NULL || name_of(report, taxid, TMS_TAXON_SCIENTIFIC).bytes != NULL;
}

/* Of all deflines, ascending, each once. */
static void put_all(const struct report *report, int which, struct report_text *t)
{
    int64_t *taxids = malloc((report->n_deflines + 1) * sizeof *taxids);
    size_t n = 0, n_counted = 0;

    t->is_lost = t->is_lost || taxids == NULL;
    if (taxids == NULL)
        return;
    for (size_t i = 0; i < report->n_deflines; i++) {
        taxids[n] = report->deflines[i].taxid;
        n += counts(report, taxids[n]);
    }
    qsort(taxids, n, sizeof *taxids, by_value);
    for (size_t i = 0; i < n; i++) {
        if (n_counted == 0 || taxids[i] != taxids[n_counted - 1])
            taxids[n_counted++] = taxids[i];
    }
    if (which == TMS_TAXON_BLAST || which == TMS_TAXON_KINGDOM)
        put_set(report, taxids, n_counted, which, t);
    else
        put_each(report, taxids, n_counted, which, t);
    free(taxids);
}

bool report_taxa_put(struct report *report, enum report_column column, struct report_text *t)
{
    static const struct {
        enum report_column one, all;
        int which;
    } columns[] = {
        {COLUMN_STAXID, COLUMN_STAXIDS, -1},
        {COLUMN_SSCINAME, COLUMN_SSCINAMES, TMS_TAXON_SCIENTIFIC},
        {COLUMN_SCOMNAME, COLUMN_SCOMNAMES, TMS_TAXON_COMMON},
        {COLUMN_SBLASTNAME, COLUMN_SBLASTNAMES, TMS_TAXON_BLAST},
        {COLUMN_SSKINGDOM, COLUMN_SSKINGDOMS, TMS_TAXON_KINGDOM},
    };

    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        if (column != columns[i].one && column != columns[i].all)
            continue;
        if (report->is_of_subjects)
            put_na(t);
        else if (column == columns[i].one)
            put_first(report, columns[i].which, t);
        else
            put_all(report, columns[i].which, t);
        return true;
    }
    return false;
}
