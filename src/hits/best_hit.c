/* best_hit.c - as a rule few HSPs are left, so a new one is compared with each. */
#include "hits/best_hit.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static double density(const struct hsp *h) { return (double)h->score / (h->query_end - h->query); }

/* Does b, longer by a share of its length on either side, contain the range of a, with no greater E-value? */
static bool has_range(double share, const struct hsp *b, const struct hsp *a)
{
    int overhang = (int)((b->query_end - b->query) * share);

    return a->query >= b->query - overhang && a->query_end <= b->query_end + overhang && b->evalue <= a->evalue;
}

/* The edge is applied to the new HSP in both functions: two densities that differ by just the edge are rounded as in NCBI's program. */
static bool old_drops(const struct best_hit *best, size_t i, const struct hsp *new)
{
    const struct hsp *old = &best->left[i].hsp;

    return has_range(i < best->n_bare ? 0 : best->overhang, old, new) && density(new) / (1 - best->edge) < density(old);
}

static bool new_drops(const struct best_hit *best, const struct hsp *new, const struct hsp *old)
{
    return has_range(best->overhang, new, old) && density(old) < density(new) * (1 - best->edge);
}

static int compare_begins(const void *pa, const void *pb)
{
    const struct arrived_hsp *a = pa, *b = pb;

    if (a->hsp.query != b->hsp.query)
        return a->hsp.query < b->hsp.query ? -1 : 1;
    return a->hsp.place > b->hsp.place ? -1 : a->hsp.place < b->hsp.place;
}

/* By the first position of the query; of equal ones the last first. */
static void sort_left(struct best_hit *best)
{
    for (size_t i = 0; i < best->n; i++)
        best->left[i].hsp.place = (uint32_t)i;
    if (best->n > 1)
        qsort(best->left, best->n, sizeof *best->left, compare_begins);
}

tms_status best_hit_offer(struct best_hit *best, uint64_t oid, const struct hsp *hsp)
{
    size_t n = 0, n_bare = 0;
    bool fits = array_reserve(&best->left, &best->capacity, best->n + 1, sizeof *best->left), is_dropped = !fits;

    for (size_t i = 0; i < best->n && !is_dropped; i++)
        is_dropped = old_drops(best, i, hsp);
    if (is_dropped) {
        free(hsp->script.runs);
        return fits ? TMS_OK : TMS_E_MEMORY;
    }
    for (size_t i = 0; i < best->n; i++) {
        if (new_drops(best, hsp, &best->left[i].hsp)) {
            free(best->left[i].hsp.script.runs);
            continue;
        }
        n_bare += i < best->n_bare;
        best->left[n++] = best->left[i];
    }
    best->n_bare = n_bare;
    best->left[n] = (struct arrived_hsp){.hsp = *hsp, .oid = oid};
    best->n = n + 1;
    if (best->n > best->limit) {
        best->n_bare = best->n;
        best->limit = 2 * best->n;
        sort_left(best);
    }
    return TMS_OK;
}

struct arrived_hsp *best_hit_take(struct best_hit *best, size_t *n)
{
    struct arrived_hsp *left = best->left;

    *n = best->n;
    sort_left(best);
    best->left = NULL;
    best->n = best->n_bare = best->capacity = 0;
    return left;
}

void best_hit_free(struct best_hit *best)
{
    for (size_t i = 0; i < best->n; i++)
        free(best->left[i].hsp.script.runs);
    free(best->left);
    memset(best, 0, sizeof *best);
}
