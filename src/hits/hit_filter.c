/* hit_filter.c - the preliminary stage is more lenient than the end, because alignments may still change. */
#include "hits/hit_filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MORE_PRELIMINARY = 3 }; /* HSPs that a culling limit of 2 or more lets pass */

bool hit_filter_is_wanted(const struct search_params *params) { return params->culling_limit > 0 || params->best_hits; }

tms_status hit_filter_init(const struct search_setup *setup, int query_length, enum hit_filter_stage stage, struct hit_filter *out)
{
    const struct search_params *params = &setup->params;
    int more = stage == FILTER_PRELIMINARY && params->culling_limit > 1 ? MORE_PRELIMINARY : 0;

    memset(out, 0, sizeof *out);
    if (params->culling_limit > 0)
        return culling_create(query_length, params->culling_limit + more, &out->culling);
    out->best.overhang = stage == FILTER_PRELIMINARY ? 0 : params->overhang;
    out->best.edge = params->score_edge;
    out->best.limit = stage == FILTER_PRELIMINARY ? SIZE_MAX / 2 : 2 * (size_t)params->max_target_seqs;
    return TMS_OK;
}

static tms_status offer(struct hit_filter *filter, uint64_t oid, const struct hsp *hsp)
{
    return filter->culling != NULL ? culling_offer(filter->culling, oid, hsp) : best_hit_offer(&filter->best, oid, hsp);
}

tms_status hit_filter_offer(struct hit_filter *filter, struct hit_list *from)
{
    tms_status status = TMS_OK;

    for (size_t i = 0; i < from->n; i++) {
        struct hsp_list *hsps = &from->items[i].hsps;
        for (size_t k = 0; k < hsps->n; k++) {
            if (status == TMS_OK)
                status = offer(filter, from->items[i].oid, &hsps->items[k]);
            else
                free(hsps->items[k].script.runs);
        }
        hsps->n = 0;
        hsp_list_free(hsps);
    }
    from->n = 0;
    return status;
}

tms_status hit_filter_take(struct hit_filter *filter, struct hit_list *to)
{
    return filter->culling != NULL ? culling_take(filter->culling, to) : best_hit_take(&filter->best, to);
}

void hit_filter_free(struct hit_filter *filter)
{
    culling_destroy(filter->culling);
    best_hit_free(&filter->best);
    memset(filter, 0, sizeof *filter);
}
