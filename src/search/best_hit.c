/* best_hit.c - few HSPs are left as a rule: each one that comes is compared with all of them. */
#include "search/best_hit.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static bool drops(const struct best_hit *best, const struct hsp *b, const struct hsp *a)
{
    int b_length = b->query_end - b->query, a_length = a->query_end - a->query;
    int overhang = (int)(b_length * best->overhang);

    return a->query >= b->query - overhang && a->query_end <= b->query_end + overhang && b->evalue <= a->evalue &&
           (double)a->score / a_length < (double)b->score / b_length * (1 - best->edge);
}

tms_status best_hit_offer(struct best_hit *best, uint64_t oid, const struct hsp *hsp)
{
    size_t n = 0;
    bool fits = array_reserve(&best->left, &best->capacity, best->n + 1, sizeof *best->left), is_dropped = !fits;

    best->n_offered++;
    for (size_t i = 0; i < best->n && !is_dropped; i++)
        is_dropped = drops(best, &best->left[i].hsp, hsp);
    if (is_dropped) {
        free(hsp->script.runs);
        return fits ? TMS_OK : TMS_E_MEMORY;
    }
    for (size_t i = 0; i < best->n; i++) {
        if (drops(best, hsp, &best->left[i].hsp))
            free(best->left[i].hsp.script.runs);
        else
            best->left[n++] = best->left[i];
    }
    best->left[n] = (struct arrived_hsp){*hsp, oid, best->n_offered};
    best->n = n + 1;
    return TMS_OK;
}

tms_status best_hit_take(struct best_hit *best, struct hit_list *to)
{
    size_t n = best->n;

    best->n = 0;
    return hit_list_add_arrived(to, best->left, n);
}

void best_hit_free(struct best_hit *best)
{
    for (size_t i = 0; i < best->n; i++)
        free(best->left[i].hsp.script.runs);
    free(best->left);
    memset(best, 0, sizeof *best);
}
