/* blastn_link.c - see blastn_link.h. */
#include "blastn/blastn_link.h"

#include "base/lesser.h"
#include "score/sum_statistics.h"
#include "search/search_link.h"

#define HSP_EVALUE 1.0 /* of the least HSP that can be in a chain, in a search of sequences of average lengths */

enum { N_STRANDS = 2 };

/* The average length of the strands of n queries, where those that are not searched with count as empty. */
static int64_t mean_length(const struct blastn_setup *setup, const struct search_query *queries, size_t n)
{
    int64_t length = setup->has_minus ? -1 : 0;

    for (size_t i = 0; i < n; i++)
        length += (setup->has_plus + setup->has_minus) * ((int64_t)queries[i].length + 1);
    return length / (N_STRANDS * (int64_t)n);
}

/* Lowers cutoffs of n queries that are searched with together, but not one that the user has set. */
static void set_cutoffs(const struct blastn_setup *setup, struct search_query *queries, size_t n)
{
    const int64_t subject = setup->space.mean_length, query = mean_length(setup, queries, n),
                  space = (query < subject ? query : subject) * subject;
    int cutoff_small = INT32_MAX;

    for (size_t i = 0; i < N_STRANDS * n; i++) {
        struct search_query *strand = i % N_STRANDS == 0 ? &queries[i / N_STRANDS] : queries[i / N_STRANDS].minus;
        if (strand == NULL || strand->is_left_out)
            continue;
        cutoff_small = lesser(cutoff_small, strand->cutoff_ungapped);
        if (!setup->search.ungapped && setup->space.given_score == 0) {
            const double evalue = HSP_EVALUE * gap_decay_divisor(SEARCH_LINK_DECAY, 1);
            strand->cutoff = lesser(strand->cutoff, evalue_cutoff_of_search_space(&strand->statistics, evalue, space));
        }
    }
    for (size_t i = 0; i < n; i++) {
        queries[i].cutoff_small_gaps = cutoff_small;
        if (queries[i].minus != NULL)
            queries[i].minus->cutoff_small_gaps = cutoff_small;
    }
}

void blastn_link_batch(const struct search_setup *setup, struct search_queries *queries)
{
    if (!setup->links_evenly)
        return;
    if (queries->n > 0)
        set_cutoffs(blastn_setup_of(setup), queries->whole, queries->n);
    for (size_t first = 0, end; first < queries->n_chunks; first = end) {
        for (end = first; end < queries->n_chunks && queries->chunks[end].number == queries->chunks[first].number;)
            end++;
        set_cutoffs(blastn_setup_of(setup), &queries->searched[first], end - first);
    }
}

tms_status blastn_rate(const struct search_setup *setup, const struct search_query *query, int subject_length, bool is_final,
                       struct hsp_list *list)
{
    const struct base_search_space *space = &blastn_setup_of(setup)->space;
    const tms_status status = setup->links_evenly ? search_link_strands(query, subject_length, is_final, list) : TMS_OK;

    for (size_t i = 0; i < list->n && !setup->links_evenly; i++) {
        struct hsp *h = &list->items[i];
        const struct search_query *strand = search_query_strand(query, h->context);
        h->evalue = search_evalue(setup, strand, &strand->statistics, h->score, subject_length);
    }
    if (status == TMS_OK && !is_final && space->raw_limits)
        hsp_keep_scores(list, space->given_score); /* preliminary HSPs may have any E-value [sic] */
    else if (status == TMS_OK)
        hsp_keep_significant(list, setup->evalue);
    return status;
}
