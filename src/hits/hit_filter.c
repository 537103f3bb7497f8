/* hit_filter.c - preliminary HSPs are filtered more leniently than final ones, because realignment may still change them. */
#include "hits/hit_filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run/context.h"

#define USUAL_BEST_HIT 0.1 /* default of the overhang and of the score edge if the caller sets only the other one */
#define MOST_BEST_HIT  0.5

enum { MORE_PRELIMINARY = 3 }; /* added to a culling limit of 2 or more */

tms_status hit_filter_rules_set(tms_context *ctx, uint64_t culling_limit, double overhang, double score_edge, struct hit_filter_rules *out)
{
    out->culling_limit = culling_limit > INT32_MAX / 2 ? INT32_MAX / 2 : (int)culling_limit;
    out->best_hits = overhang != 0 || score_edge != 0;
    if (!out->best_hits)
        return TMS_OK;
    out->overhang = overhang != 0 ? overhang : USUAL_BEST_HIT;
    out->score_edge = score_edge != 0 ? score_edge : USUAL_BEST_HIT;
    if (!(out->overhang > 0 && out->overhang < MOST_BEST_HIT && out->score_edge > 0 && out->score_edge < MOST_BEST_HIT))
        return context_fail(ctx, TMS_E_ARG, "best hits with an overhang of %g and a score edge of %g: give both above 0 and below %g",
                            out->overhang, out->score_edge, MOST_BEST_HIT);
    if (out->culling_limit > 0)
        return context_fail(ctx, TMS_E_ARG, "a culling limit and best hits: give one of them");
    return TMS_OK;
}

bool hit_filter_is_wanted(const struct hit_filter_rules *rules) { return rules->culling_limit > 0 || rules->best_hits; }

tms_status hit_filter_init_preliminary(const struct hit_filter_rules *rules, int query_length, struct hit_filter *out)
{
    const int limit = rules->culling_limit + (rules->culling_limit > 1 ? MORE_PRELIMINARY : 0);

    *out = (struct hit_filter){.best = {.edge = rules->score_edge, .limit = SIZE_MAX / 2}, .query_length = query_length};
    return limit > 0 ? culling_create(query_length, limit, &out->culling) : TMS_OK;
}

tms_status hit_filter_init_final(const struct hit_filter_rules *rules, int query_length, size_t max_aligned, struct hit_filter *out)
{
    *out = (struct hit_filter){.best = {.overhang = rules->overhang, .edge = rules->score_edge, .limit = 2 * max_aligned},
                               .query_length = query_length};
    return rules->culling_limit > 0 ? culling_create(query_length, rules->culling_limit, &out->culling) : TMS_OK;
}

/* Turns the range of an HSP of the minus strand to the other strand. */
static void turn(const struct hit_filter *filter, struct hsp *hsp)
{
    const int query = hsp->query;

    if (hsp->context == 0)
        return;
    hsp->query = filter->query_length - hsp->query_end;
    hsp->query_end = filter->query_length - query;
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
            turn(filter, &hsps->items[k]);
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
    struct arrived_hsp *left;
    tms_status status = TMS_OK;
    size_t n = 0;

    if (filter->culling != NULL)
        status = culling_take(filter->culling, &left, &n);
    else
        left = best_hit_take(&filter->best, &n);
    if (status != TMS_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        turn(filter, &left[i].hsp);
    status = hit_list_add_arrived(to, left, n);
    free(left);
    return status;
}

void hit_filter_free(struct hit_filter *filter)
{
    culling_destroy(filter->culling);
    best_hit_free(&filter->best);
    memset(filter, 0, sizeof *filter);
}
