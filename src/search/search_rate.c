/* search_rate.c - see search_rate.h. */
#include "search/search_rate.h"

#include "score/sum_statistics.h"
#include "search/search_link.h"

tms_status search_rate(const struct search_setup *setup, const struct search_query *query, const struct gapped_statistics *statistics,
                       int subject_length, struct hsp_list *list)
{
    for (size_t i = 0; i < list->n; i++) {
        struct hsp *h = &list->items[i];
        const struct search_query *strand = search_query_strand(query, h->context);
        h->evalue = search_evalue(setup, strand, statistics != NULL ? statistics : &strand->statistics, h->score, subject_length);
        h->n_linked = 0;
        if (setup->links)
            h->evalue /= gap_decay_divisor(setup->link_rules.decay, 1);
    }
    if (setup->links || (setup->links_evenly && query->minus == NULL))
        return search_link_frames(setup, query, statistics, subject_length, list);
    return TMS_OK;
}

tms_status search_keep_significant(const struct search_setup *setup, const struct search_query *query,
                                   const struct gapped_statistics *statistics, int subject_length, double limit, struct hsp_list *list)
{
    tms_status status = search_rate(setup, query, statistics, subject_length, list);

    hsp_keep_significant(list, limit);
    return status;
}

/* With linking a third of the bases; else the length of the last frame, for HSPs of any [sic]. */
int search_rated_length(const struct search_setup *setup, const struct subject_frames *subject)
{
    if (!setup->translates_subjects)
        return subject->lengths[0];
    return setup->links || setup->links_evenly ? subject->lengths[0] : subject->lengths[FRAMES - 1];
}
