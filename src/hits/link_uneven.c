/*
 * link_uneven.c - greedy: the HSP with the greatest normalized score is joined with the HSP or chain that lowers the E-value most; then the
 * joined chain with another one, and so forth. The order of the steps and of equal candidates is that of NCBI BLAST+ 2.12.
 */
#include "hits/link_uneven.h"

#include <stdlib.h>

#include "alphabet/translation.h"
#include "score/sum_statistics.h"

enum { MOST_OVERLAP = 9 };

/* An HSP, and its neighbours in its chain. */
struct link {
    struct hsp *hsp;
    int axis;      /* the query's strand; HSPs of different axes are not linked */
    double score;  /* normalized, of the whole chain */
    double evalue; /* of the chain */
    int n;         /* HSPs of the chain */
    size_t place;  /* before sorting */
    struct link *before, *after;
};

struct linking {
    const struct link_rules *rules;
    const struct link_context *contexts;
    struct link *links;
    struct link **best;  /* the links by normalized score, the best first */
    struct link **along; /* the links by axis, then by position in the query */
    size_t *farthest;    /* for each index of `along`: that of the link, up to it and on its axis, that ends last; the first of equals */
    size_t n;
};

/* --- orders --- */

static int compare_best(const void *pa, const void *pb)
{
    const struct link *a = *(struct link *const *)pa, *b = *(struct link *const *)pb;
    int order;

    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    order = hsp_compare_score(a->hsp, b->hsp);
    return order != 0 ? order : a->place < b->place ? -1 : a->place > b->place;
}

static int compare_along(const void *pa, const void *pb)
{
    const struct link *a = *(struct link *const *)pa, *b = *(struct link *const *)pb;

    if (a->axis != b->axis)
        return a->axis < b->axis ? -1 : 1;
    if (a->hsp->query != b->hsp->query)
        return a->hsp->query < b->hsp->query ? -1 : 1;
    if (a->hsp->subject != b->hsp->subject)
        return a->hsp->subject < b->hsp->subject ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static void set_farthest(struct linking *l)
{
    for (size_t i = 0; i < l->n; i++) {
        const size_t last = i > 0 ? l->farthest[i - 1] : 0;
        const bool is_farther = i == 0 || l->along[last]->axis != l->along[i]->axis ||
                                l->along[i]->hsp->query_end > l->along[last]->hsp->query_end;
        l->farthest[i] = is_farther ? i : last;
    }
}

/* --- chains --- */

static struct link *first_of(struct link *link)
{
    while (link->before != NULL)
        link = link->before;
    return link;
}

static struct link *last_of(struct link *link)
{
    while (link->after != NULL)
        link = link->after;
    return link;
}

/* Takes the next link of two chains by position in the query; of equal ones that of the second chain. */
static struct link *take_next(struct link **a, struct link **b)
{
    struct link **from = *a == NULL || (*b != NULL && (*b)->hsp->query <= (*a)->hsp->query) ? b : a, *next = *from;

    *from = next->after;
    return next;
}

/* May `right` follow `left` in a chain? */
static bool may_follow(const struct link_rules *rules, const struct hsp *left, const struct hsp *right)
{
    return left->query_end >= right->query - rules->query_gap && left->query < right->query &&
           left->query_end <= right->query + MOST_OVERLAP && left->query_end < right->query_end &&
           left->subject_end <= right->subject + MOST_OVERLAP && left->subject_end >= right->subject - rules->subject_gap &&
           left->subject < right->subject && left->subject_end < right->subject_end;
}

static int strand_of_subject(const struct link *link) { return link->hsp->subject_frame / FRAMES_A_STRAND; }

/* May two chains become one? */
static bool may_join(const struct linking *l, struct link *head, struct link *other)
{
    struct link *a = head, *b = first_of(other), *left = NULL;

    if (head->before != NULL || head == b || head->axis != other->axis || strand_of_subject(head) != strand_of_subject(other))
        return false;
    while (a != NULL || b != NULL) {
        struct link *right = take_next(&a, &b);
        if (left != NULL && !may_follow(l->rules, left->hsp, right->hsp))
            return false;
        left = right;
    }
    return true;
}

/* Joins two chains. Returns the first link of the joined chain. */
static struct link *join(struct link *head, struct link *other, double evalue)
{
    struct link *a = head, *b = first_of(other), *first = NULL, *last = NULL;
    const double score = head->score + other->score;
    const int n = head->n + other->n;

    while (a != NULL || b != NULL) {
        struct link *next = take_next(&a, &b);
        next->score = score;
        next->evalue = evalue;
        next->n = n;
        next->before = last;
        next->after = NULL;
        if (last != NULL)
            last->after = next;
        else
            first = next;
        last = next;
    }
    return first;
}

/* The E-value of the chain that two chains would be together. */
static double evalue_together(const struct linking *l, const struct link *head, const struct link *other)
{
    const int n = head->n + other->n;

    return small_gaps_evalue(&l->contexts[head->hsp->context].space, n, head->score + other->score, l->rules->query_gap + MOST_OVERLAP + 1,
                             l->rules->subject_gap + MOST_OVERLAP + 1, gap_decay_divisor(l->rules->decay, n));
}

/* --- candidates --- */

/* The first index of `along` that a candidate for a chain can have; found as NCBI's program does, which may begin later than it could. */
static size_t first_candidate(const struct linking *l, int axis, int from)
{
    size_t begin = 0, end = l->n;

    while (begin < end) {
        const size_t middle = (begin + end) / 2, far = l->farthest[middle];
        const struct link *x = l->along[far];
        if (x->axis < axis)
            begin = middle + 1;
        else if (x->axis > axis)
            end = far;
        else if (x->hsp->query_end >= from)
            end = far;
        else
            begin = middle + 1;
    }
    return end;
}

static size_t end_of_candidates(const struct linking *l, int axis, int from)
{
    size_t begin = 0, end = l->n;

    while (begin < end) {
        const size_t middle = (begin + end) / 2;
        const struct link *x = l->along[middle];
        if (x->axis > axis || (x->axis == axis && x->hsp->query >= from))
            end = middle;
        else
            begin = middle + 1;
    }
    return end;
}

/* The best chain to join with one; NULL: none lowers the E-value. */
static struct link *find_partner(const struct linking *l, struct link *head, double *evalue)
{
    const int from = head->hsp->query - l->rules->query_gap;
    const size_t end = end_of_candidates(l, head->axis, last_of(head)->hsp->query_end + l->rules->query_gap);
    struct link *best = NULL;

    *evalue = head->evalue;
    for (size_t i = first_candidate(l, head->axis, from); i < end; i++) {
        struct link *x = l->along[i];
        double together;
        if ((x->before != NULL && x->before->hsp->query_end >= from) || !may_join(l, head, x))
            continue;
        together = evalue_together(l, head, x);
        if (together < *evalue && together < x->evalue) {
            best = x;
            *evalue = together;
        }
    }
    return best;
}

static void link_all(struct linking *l)
{
    struct link *head = NULL;

    for (size_t i = 0; i < l->n;) {
        double evalue;
        struct link *partner;
        while (head == NULL && i < l->n) {
            if (l->best[i]->before == NULL && l->best[i]->after == NULL)
                head = l->best[i];
            else
                i++;
        }
        if (head == NULL)
            return;
        partner = find_partner(l, head, &evalue);
        if (partner != NULL) {
            head = join(head, partner, evalue);
        } else {
            head = NULL;
            i++;
        }
    }
}

tms_status link_uneven(const struct link_rules *rules, const struct link_context *contexts, struct hsp_list *list)
{
    const size_t n = list->n;
    struct linking l = {.rules = rules, .contexts = contexts, .n = n};
    tms_status status = TMS_E_MEMORY;

    if (n == 1)
        list->items[0].n_linked = 1;
    if (n <= 1)
        return TMS_OK;
    l.links = calloc(n, sizeof *l.links);
    l.best = malloc(n * sizeof *l.best);
    l.along = malloc(n * sizeof *l.along);
    l.farthest = malloc(n * sizeof *l.farthest);
    if (l.links != NULL && l.best != NULL && l.along != NULL && l.farthest != NULL) {
        for (size_t i = 0; i < n; i++) {
            struct hsp *h = &list->items[i];
            const struct link_context *c = &contexts[h->context];
            l.links[i] = (struct link){h, h->context / FRAMES_A_STRAND, c->lambda * h->score - c->log_K, h->evalue, 1, i, NULL, NULL};
            l.best[i] = l.along[i] = &l.links[i];
        }
        qsort(l.best, n, sizeof *l.best, compare_best);
        qsort(l.along, n, sizeof *l.along, compare_along);
        set_farthest(&l);
        link_all(&l);
        for (size_t i = 0; i < n; i++) {
            list->items[i].evalue = l.links[i].evalue;
            list->items[i].n_linked = l.links[i].n;
        }
        hsp_sort(list);
        status = TMS_OK;
    }
    free(l.links);
    free(l.best);
    free(l.along);
    free(l.farthest);
    return status;
}
