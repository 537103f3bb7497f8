/* hit_filter.c - preliminary HSPs are filtered more leniently than final ones, because realignment may still change them. */
#include "hits/hit_filter.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
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

/* Begins to cull, with one culling for each frame. */
static tms_status cull(struct hit_query query, int limit, struct hit_filter *out)
{
    const int n = query.frame_lengths != NULL ? FRAMES : 1;
    tms_status status = TMS_OK;

    out->culls = limit > 0;
    for (int i = 0; i < n && limit > 0 && status == TMS_OK; i++)
        status = culling_create(query.frame_lengths != NULL ? query.frame_lengths[i] : query.length, limit, &out->culling[i]);
    return status;
}

/* A filter without rules yet. */
static struct hit_filter filter_of(struct hit_query query)
{
    return (struct hit_filter){.has_frames = query.frame_lengths != NULL, .query_length = query.length};
}

tms_status hit_filter_init_preliminary(const struct hit_filter_rules *rules, struct hit_query query, size_t max_aligned,
                                       struct hit_filter *out)
{
    const int limit = rules->culling_limit + (rules->culling_limit > 1 ? MORE_PRELIMINARY : 0);

    *out = filter_of(query);
    out->best = (struct best_hit){.edge = rules->score_edge, .limit = 2 * max_aligned};
    return cull(query, limit, out);
}

tms_status hit_filter_init_final(const struct hit_filter_rules *rules, struct hit_query query, size_t max_aligned, struct hit_filter *out)
{
    *out = filter_of(query);
    out->best = (struct best_hit){.overhang = rules->overhang, .edge = rules->score_edge, .limit = 2 * max_aligned};
    return cull(query, rules->culling_limit, out);
}

/*
 * Turns the range of an HSP of the minus strand to the other strand. For best hits NCBI's program turns those of frames as if they were of
 * bases, so that they are behind those of the plus strand.
 */
static void turn(const struct hit_filter *filter, struct hsp *hsp)
{
    const int query = hsp->query, frames_a_strand = filter->has_frames ? FRAMES_A_STRAND : 1;

    if (hsp->context < frames_a_strand || (filter->has_frames && filter->culls))
        return;
    hsp->query = filter->query_length - hsp->query_end;
    hsp->query_end = filter->query_length - query;
}

static tms_status offer(struct hit_filter *filter, uint64_t oid, const struct hsp *hsp)
{
    return filter->culls ? culling_offer(filter->culling[filter->has_frames ? hsp->context : 0], oid, hsp)
                         : best_hit_offer(&filter->best, oid, hsp);
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

static void free_scripts(struct arrived_hsp *hsps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        free(hsps[i].hsp.script.runs);
}

/* Takes what is left in frame i; the caller owns *out. */
static tms_status take_one(struct hit_filter *filter, int i, struct arrived_hsp **out, size_t *n)
{
    *n = 0;
    if (filter->culls && filter->culling[i] != NULL)
        return culling_take(filter->culling[i], out, n);
    *out = filter->culls ? NULL : best_hit_take(&filter->best, n);
    return TMS_OK;
}

/* Joins what is left, frame after frame; the caller owns *out. */
static tms_status take_all(struct hit_filter *filter, struct arrived_hsp **out, size_t *n)
{
    size_t capacity = 0;
    tms_status status = TMS_OK;

    *out = NULL;
    *n = 0;
    for (int i = 0; i < (filter->culls ? FRAMES : 1) && status == TMS_OK; i++) {
        struct arrived_hsp *left = NULL;
        size_t n_left;
        status = take_one(filter, i, &left, &n_left);
        if (status != TMS_OK || n_left == 0) {
            free(left);
            continue;
        }
        if (array_reserve(out, &capacity, *n + n_left, sizeof **out)) {
            memcpy(*out + *n, left, n_left * sizeof *left);
            *n += n_left;
        } else {
            free_scripts(left, n_left);
            status = TMS_E_MEMORY;
        }
        free(left);
    }
    if (status != TMS_OK) {
        free_scripts(*out, *n);
        free(*out);
    }
    return status;
}

tms_status hit_filter_take(struct hit_filter *filter, struct hit_list *to)
{
    struct arrived_hsp *left;
    size_t n;
    tms_status status = take_all(filter, &left, &n);

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
    for (int i = 0; i < FRAMES; i++)
        culling_destroy(filter->culling[i]);
    best_hit_free(&filter->best);
    memset(filter, 0, sizeof *filter);
}
