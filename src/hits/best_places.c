/* best_places.c - see best_places.h. The tree is searched from the root, the better half first, and halves that have no better sum are left
 * out. */
#include "hits/best_places.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/lesser.h"

enum { BUCKET = 8, MOST_DEPTH = 32 };

#define NO_SUM INT64_MIN

struct placed_sum {
    numbered_sum sum;
    struct place place;
};

struct bucket {
    numbered_sum best;
    struct area extent;
};

static int buckets_of(int n) { return (n + BUCKET - 1) / BUCKET; }

static int leaves_for(int n)
{
    int leaves = 1;

    while (leaves < buckets_of(n))
        leaves *= 2;
    return leaves;
}

tms_status best_places_create(size_t n, struct best_places *out)
{
    *out = (struct best_places){.items = malloc((n + 1) * sizeof *out->items),
                                .tree = malloc(2 * (size_t)leaves_for((int)n) * sizeof *out->tree),
                                .index = malloc((n + 1) * sizeof *out->index)};
    return out->items != NULL && out->tree != NULL && out->index != NULL ? TMS_OK : TMS_E_MEMORY;
}

void best_places_destroy(struct best_places *p)
{
    free(p->items);
    free(p->tree);
    free(p->index);
}

/* --- the curve --- */

struct on_curve {
    uint64_t at;
    int number;
};

/* Moves bit i of a number to bit 2 i. */
static uint64_t spread(uint32_t bits)
{
    uint64_t x = bits;

    x = (x | x << 16) & 0x0000ffff0000ffff;
    x = (x | x << 8) & 0x00ff00ff00ff00ff;
    x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
    x = (x | x << 2) & 0x3333333333333333;
    return (x | x << 1) & 0x5555555555555555;
}

static int compare_on_curve(const void *pa, const void *pb)
{
    const struct on_curve *a = pa, *b = pb;

    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* --- the tree --- */

static struct area joined(const struct area *a, const struct area *b)
{
    return (struct area){{lesser(a->least.query, b->least.query), lesser(a->least.subject, b->least.subject)},
                         {greater(a->most.query, b->most.query), greater(a->most.subject, b->most.subject)}};
}

static void set_extents(struct best_places *p)
{
    const struct area nowhere = {{INT_MAX, INT_MAX}, {INT_MIN, INT_MIN}};

    for (int k = 1; k < 2 * p->n_leaves; k++)
        p->tree[k] = (struct bucket){NO_SUM, nowhere};
    for (int i = 0; i < p->n; i++) {
        struct area *extent = &p->tree[p->n_leaves + i / BUCKET].extent;
        *extent = joined(extent, &(struct area){p->items[i].place, p->items[i].place});
    }
    for (int k = p->n_leaves - 1; k > 0; k--)
        p->tree[k].extent = joined(&p->tree[2 * k].extent, &p->tree[2 * k + 1].extent);
}

tms_status best_places_set(const struct place *places, int n, struct best_places *p)
{
    struct on_curve *order = malloc(((size_t)n + 1) * sizeof *order);

    if (order == NULL)
        return TMS_E_MEMORY;
    for (int i = 0; i < n; i++)
        order[i] = (struct on_curve){2 * spread((uint32_t)places[i].query) + spread((uint32_t)places[i].subject), i};
    qsort(order, (size_t)n, sizeof *order, compare_on_curve);
    p->n = n;
    p->n_leaves = leaves_for(n);
    for (int i = 0; i < n; i++) {
        p->items[i] = (struct placed_sum){NO_SUM, places[order[i].number]};
        p->index[order[i].number] = i;
    }
    free(order);
    set_extents(p);
    return TMS_OK;
}

void best_places_copy(const struct best_places *from, struct best_places *p)
{
    p->n = from->n;
    p->n_leaves = from->n_leaves;
    memcpy(p->index, from->index, (size_t)p->n * sizeof *p->index);
    for (int i = 0; i < p->n; i++)
        p->items[i] = (struct placed_sum){NO_SUM, from->items[i].place};
    for (int k = 1; k < 2 * p->n_leaves; k++)
        p->tree[k] = (struct bucket){NO_SUM, from->tree[k].extent};
}

static void put(struct best_places *p, int number, numbered_sum sum)
{
    const int i = p->index[number], first = i / BUCKET * BUCKET, end = lesser(first + BUCKET, p->n);
    numbered_sum best = NO_SUM;

    p->items[i].sum = sum;
    for (int k = first; k < end; k++)
        best = p->items[k].sum > best ? p->items[k].sum : best;
    for (int k = p->n_leaves + i / BUCKET; k > 0 && p->tree[k].best != best; k /= 2) {
        p->tree[k].best = best;
        best = k > 1 && p->tree[k ^ 1].best > best ? p->tree[k ^ 1].best : best;
    }
}

void best_places_put(struct best_places *p, int number, int sum) { put(p, number, numbered_sum_of(sum, number)); }

void best_places_drop(struct best_places *p, int number) { put(p, number, NO_SUM); }

int best_places_all(const struct best_places *p) { return numbered_sum_number(p->tree[1].best); }

static bool is_in(const struct place *place, const struct area *area)
{
    return place->query >= area->least.query && place->query <= area->most.query && place->subject >= area->least.subject &&
           place->subject <= area->most.subject;
}

static bool meet(const struct area *a, const struct area *b)
{
    return a->most.query >= b->least.query && a->least.query <= b->most.query && a->most.subject >= b->least.subject &&
           a->least.subject <= b->most.subject;
}

/* The best sum of a bucket, if it is better than `best`, else that. */
static numbered_sum best_of_bucket(const struct best_places *p, int bucket, const struct area *area, int end, numbered_sum best)
{
    const int first = bucket * BUCKET, last = lesser(first + BUCKET, p->n);

    for (int i = first; i < last; i++)
        if (p->items[i].sum > best && is_in(&p->items[i].place, area) && numbered_sum_number(p->items[i].sum) < end)
            best = p->items[i].sum;
    return best;
}

int best_places_in(const struct best_places *p, const struct area *area, int end)
{
    const numbered_sum none = numbered_sum_of(1, 0) - 1;
    int later[MOST_DEPTH], n = 0;
    numbered_sum best = none;

    later[n++] = 1;
    while (n > 0) {
        const int k = later[--n];
        if (p->tree[k].best <= best || !meet(&p->tree[k].extent, area))
            continue;
        if (k >= p->n_leaves) {
            best = best_of_bucket(p, k - p->n_leaves, area, end, best);
        } else {
            const int better = 2 * k + (p->tree[2 * k + 1].best > p->tree[2 * k].best);
            later[n++] = better ^ 1;
            later[n++] = better;
        }
    }
    return best > none ? numbered_sum_number(best) : -1;
}
