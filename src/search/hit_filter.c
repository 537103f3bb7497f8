/* hit_filter.c - the preliminary stage is more lenient than the end, because alignments may still change. */
#include "search/hit_filter.h"

#include <string.h>

enum { MORE_PRELIMINARY = 3 }; /* HSPs that a culling limit of 2 or more lets pass */

bool hit_filter_is_wanted(const struct blastp_params *params) { return params->culling_limit > 0 || params->best_hits; }

tms_status hit_filter_init(const struct blastp_params *params, int query_length, enum hit_filter_stage stage, struct hit_filter *out)
{
    int more = stage == FILTER_PRELIMINARY && params->culling_limit > 1 ? MORE_PRELIMINARY : 0;

    memset(out, 0, sizeof *out);
    if (params->culling_limit > 0)
        return culling_create(query_length, params->culling_limit + more, &out->culling);
    out->best.overhang = stage == FILTER_PRELIMINARY ? 0 : params->overhang;
    out->best.edge = params->score_edge;
    return TMS_OK;
}

tms_status hit_filter_offer(struct hit_filter *filter, struct hit_list *from)
{
    return filter->culling != NULL ? culling_offer(filter->culling, from) : best_hit_offer(&filter->best, from);
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
