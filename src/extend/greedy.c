/* greedy.c - costs, and both sides of a start point. */
#include "extend/greedy.h"

#include <stdlib.h>
#include <string.h>

static int divisor_of(int a, int b)
{
    while (b != 0) {
        int rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

void greedy_costs_init(struct greedy_costs *costs, int reward, int penalty, int open, int extend, int x_drop)
{
    const int factor = reward % 2 != 0 ? 2 : 1, half = factor * reward / 2;
    int mismatch = factor * (reward - penalty), opening = factor * open, extension = factor * extend + half, unit;

    *costs = (struct greedy_costs){.reward = reward, .penalty = penalty, .is_linear = open == 0 && extend == 0};
    costs->match = 2 * half;
    costs->x_drop = factor * x_drop;
    unit = costs->is_linear ? mismatch : divisor_of(divisor_of(mismatch, extension), opening);
    costs->unit = unit;
    costs->behind = (costs->x_drop + half) / unit + 1;
    costs->mismatch = mismatch / unit;
    costs->open_extend = (opening + extension) / unit;
    costs->extend = extension / unit;
}

void greedy_workspace_free(struct greedy_workspace *ws)
{
    free(ws->rows[0]);
    free(ws->rows[1]);
    free(ws->cells);
    free(ws->kept);
    free(ws->best);
    free(ws->back.runs);
    *ws = (struct greedy_workspace){.simd = ws->simd};
}

static tms_status extend_side(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_side *side,
                              struct gapped_script *back, struct greedy_extent *out)
{
    return costs->is_linear ? greedy_linear(ws, costs, side, back, out) : greedy_affine(ws, costs, side, back, out);
}

static struct greedy_side side_of(const struct greedy_pair *pair, int query, int subject, bool is_right)
{
    return (struct greedy_side){
        pair, query, subject, is_right ? pair->query_length - query : query, is_right ? pair->subject_length - subject : subject, is_right};
}

/* Moves the start point to the middle of the longest run of the right or of the left side: that whose half in the box is longer. */
static void find_start(const struct greedy_run *right, const struct greedy_run *left, struct greedy_box *box)
{
    const int query = box->start_query, subject = box->start_subject;
    int right_query = query + right->query, right_subject = subject + right->subject, right_half = 0;
    int left_query = query - left->query, left_subject = subject - left->subject, left_half = 0;

    if (right_query < box->query_end && right_subject < box->subject_end) {
        right_half = lesser(lesser(box->query_end - right_query, box->subject_end - right_subject), right->n) / 2;
    } else {
        right_query = query;
        right_subject = subject;
    }
    if (left_query > box->query && left_subject > box->subject) {
        left_half = lesser(lesser(left_query - box->query, left_subject - box->subject), left->n) / 2;
    } else {
        left_query = query;
        left_subject = subject;
    }
    box->start_query = right_half > left_half ? right_query + right_half : left_query - left_half;
    box->start_subject = right_half > left_half ? right_subject + right_half : left_subject - left_half;
}

static void join(const struct greedy_costs *costs, int query, int subject, const struct greedy_extent *right,
                 const struct greedy_extent *left, struct greedy_box *box)
{
    const int n_bases = right->query + right->subject + left->query + left->subject;

    *box = (struct greedy_box){.query = query - left->query,
                               .query_end = query + right->query,
                               .subject = subject - left->subject,
                               .subject_end = subject + right->subject,
                               .start_query = query,
                               .start_subject = subject};
    if (costs->is_linear)
        box->score = n_bases * costs->reward / 2 - (right->n_differences + left->n_differences) * (costs->reward - costs->penalty);
    else
        box->score = (right->score + left->score) / (costs->reward % 2 != 0 ? 2 : 1);
}

tms_status greedy_score(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out)
{
    const struct greedy_side sides[] = {side_of(pair, query, subject, true), side_of(pair, query, subject, false)};
    struct greedy_extent right, left;
    tms_status status = extend_side(ws, costs, &sides[0], NULL, &right);

    if (status == TMS_OK)
        status = extend_side(ws, costs, &sides[1], NULL, &left);
    if (status != TMS_OK)
        return status;
    join(costs, query, subject, &right, &left, out);
    find_start(&right.longest, &left.longest, out);
    return TMS_OK;
}

tms_status greedy_align(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair, int query,
                        int subject, struct greedy_box *out, struct gapped_script *script)
{
    const struct greedy_side sides[] = {side_of(pair, query, subject, true), side_of(pair, query, subject, false)};
    struct greedy_extent right, left;
    tms_status status;

    ws->back.n = 0;
    status = extend_side(ws, costs, &sides[0], &ws->back, &right);
    if (status == TMS_OK)
        status = extend_side(ws, costs, &sides[1], script, &left);
    for (size_t i = ws->back.n; i-- > 0 && status == TMS_OK;)
        status = gapped_script_add(script, ws->back.runs[i].operation, ws->back.runs[i].n);
    if (status == TMS_OK)
        join(costs, query, subject, &right, &left, out);
    return status;
}
