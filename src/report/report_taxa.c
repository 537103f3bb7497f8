/*
 * report_taxa.c - the columns of taxa, as NCBI's programs have them: numbers, and names of NCBI's taxdb.
 *
 * A column in the singular has the first taxon of the subject's deflines; one in the plural has all of them: scientific and common names
 * in the order of the numbers, BLAST names and kingdoms sorted, each once.
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

/* The first taxid that is known; 0: none. */
static int64_t first_taxid(const struct report *report)
{
    for (size_t i = 0; i < report->n_deflines; i++) {
        if (report->deflines[i].taxid != 0)
            return report->deflines[i].taxid;
    }
    return 0;
}

void report_taxa_put_first(const struct report *report, int what, struct report_text *t)
{
    const int64_t taxid = report->is_of_subjects ? 0 : first_taxid(report);
    struct text name = {NULL, 0};

    if (taxid != 0 && what != REPORT_TAXID)
        name = name_of(report, taxid, (tms_taxon_name)what);
    if (taxid != 0 && what == REPORT_TAXID)
        text_number(t, taxid);
    else if (name.n > 0)
        text_put(t, name);
    else
        put_na(t);
}

/* In the order of taxids, with semicolons between. */
static void put_each(const struct report *report, const int64_t *taxids, size_t n, int what, struct report_text *t)
{
    for (size_t i = 0; i < n; i++) {
        struct text name = {NULL, 0};
        if (what != REPORT_TAXID)
            name = name_of(report, taxids[i], (tms_taxon_name)what);
        text_string(t, i > 0 ? ";" : "");
        if (what == REPORT_TAXID)
            text_number(t, taxids[i]);
        else if (name.bytes != NULL)
            text_put(t, name);
        else
            put_na(t);
    }
    if (n == 0)
        put_na(t);
}

/* Names in their order, each once, without taxa that have none. */
static void put_set(const struct report *report, const int64_t *taxids, size_t n, int what, struct report_text *t)
{
    struct text *names = calloc(n + 1, sizeof *names);
    size_t n_names = 0;

    t->is_lost = t->is_lost || names == NULL;
    if (names == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        names[n_names] = name_of(report, taxids[i], (tms_taxon_name)what);
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

/* Taxids of all deflines, ascending, each once. */
static size_t collect(const struct report *report, bool counts_unnamed, int64_t *taxids)
{
    size_t n = 0, n_once = 0;

    for (size_t i = 0; i < report->n_deflines; i++) {
        taxids[n] = report->deflines[i].taxid;
        n += counts_unnamed || name_of(report, taxids[n], TMS_TAXON_SCIENTIFIC).bytes != NULL;
    }
    qsort(taxids, n, sizeof *taxids, by_value);
    for (size_t i = 0; i < n; i++) {
        if (n_once == 0 || taxids[i] != taxids[n_once - 1])
            taxids[n_once++] = taxids[i];
    }
    return n_once;
}

void report_taxa_put_all(const struct report *report, int what, bool counts_unnamed, struct report_text *t)
{
    int64_t *taxids;
    size_t n;

    if (report->is_of_subjects) {
        put_na(t);
        return;
    }
    taxids = malloc((report->n_deflines + 1) * sizeof *taxids);
    t->is_lost = t->is_lost || taxids == NULL;
    if (taxids == NULL)
        return;
    n = collect(report, counts_unnamed, taxids);
    if (what == TMS_TAXON_BLAST || what == TMS_TAXON_KINGDOM)
        put_set(report, taxids, n, what, t);
    else
        put_each(report, taxids, n, what, t);
    free(taxids);
}
