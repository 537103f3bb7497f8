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

tms_status best_hit_offer(struct best_hit *best, uint64_t oid, const struct hsp *hsp)
{
    size_t n = 0, n_bare = 0;
    bool fits = array_reserve(&best->left, &best->capacity, best->n + 1, sizeof *best->left), is_dropped = !fits;

    best->n_offered++;
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
    best->left[n] = (struct arrived_hsp){*hsp, oid, best->n_offered};
    best->n = n + 1;
    if (best->n > best->limit) {
        best->n_bare = best->n;
        best->limit = 2 * best->n;
    }
    return TMS_OK;
}

tms_status best_hit_take(struct best_hit *best, struct hit_list *to)
{
    size_t n = best->n;

    best->n = best->n_bare = 0;
    return hit_list_add_arrived(to, best->left, n);
}

void best_hit_free(struct best_hit *best)
{
    for (size_t i = 0; i < best->n; i++)
        free(best->left[i].hsp.script.runs);
    free(best->left);
    memset(best, 0, sizeof *best);
}
