/* search_setup.c - E-values, cutoffs, and the unmasked ranges of a query. */
#include "search/search_setup.h"

#include <stdlib.h>
#include <string.h>

/* Whether E-values use an effective search space, without the finite-size correction. */
static bool uses_search_space(const struct search_setup *setup) { return setup->has_search_space || setup->ungapped; }

double search_evalue(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                     int score, int subject_length)
{
    if (setup->rounds_odd_scores_down)
        score &= ~1;
    if (uses_search_space(setup))
        return evalue_of_search_space(statistics, score, query->search_space);
    return evalue_of(statistics, score, query->length, subject_length, (double)setup->database.n_residues);
}

int search_cutoff(const struct search_setup *setup, const struct search_query *query, double evalue, int subject_length)
{
    if (uses_search_space(setup))
        return evalue_cutoff_of_search_space(&query->statistics, evalue, query->search_space);
    return evalue_cutoff(&query->statistics, evalue, query->length, subject_length, (double)setup->database.n_residues);
}

tms_status search_query_set_ranges(const struct residue_range *masked, size_t n_masked, struct search_query *query)
{
    int at = 0;

    query->ranges = malloc((n_masked + 1) * sizeof *query->ranges);
    if (query->ranges == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n_masked; i++) {
        query->ranges[i] = (struct residue_range){at, masked[i].first};
        at = masked[i].end;
    }
    query->ranges[n_masked] = (struct residue_range){at, query->length};
    query->n_ranges = n_masked + 1;
    return TMS_OK;
}

void search_query_end_search(struct search_query *query)
{
    if (query->codes != NULL)
        free(query->codes - 1);
    free(query->ranges);
    if (query->minus != NULL)
        search_query_free(query->minus);
    free(query->minus);
    query->codes = NULL;
    query->ranges = NULL;
    query->minus = NULL;
    for (int i = 0; i < FRAMES && query->frames != NULL; i++)
        search_query_end_search(&query->frames[i]);
}

void search_query_free(struct search_query *query)
{
    search_query_end_search(query);
    for (int i = 0; i < FRAMES && query->frames != NULL; i++)
        search_query_free(&query->frames[i]);
    free(query->frames);
    free(query->shown);
    free(query->frame_masked.items);
    memset(query, 0, sizeof *query);
}
