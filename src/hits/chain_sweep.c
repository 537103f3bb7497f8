/* chain_sweep.c - see chain_sweep.h. When an HSP is taken, the tree has the values of those that begin behind its end in the query. */
#include "hits/chain_sweep.h"

#include <stdlib.h>
#include <string.h>

static int compare_ends(const void *pa, const void *pb)
{
    const struct swept_hsp *a = pa, *b = pb;

    if (a->query_end != b->query_end)
        return a->query_end > b->query_end ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* A position in the query or the subject, and the index of the HSP that begins there. */
struct begin {
    int position, index;
};

static int compare_begins(const void *pa, const void *pb)
{
    const struct begin *a = pa, *b = pb;

    if (a->position != b->position)
        return a->position > b->position ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* How many begin behind `end`. */
static int count_behind(const struct begin *begins, int n, int end)
{
    int low = 0, high = n;

    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (begins[middle].position > end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void set_orders(struct chain_sweep *s, struct begin *begins)
{
    const size_t n = (size_t)s->n;

    qsort(s->hsps, n, sizeof *s->hsps, compare_ends);
    for (int i = 0; i < s->n; i++)
        begins[i] = (struct begin){s->hsps[i].query, i};
    qsort(begins, n, sizeof *begins, compare_begins);
    for (int i = 0; i < s->n; i++)
        s->begins[i] = begins[i].index;
    for (int i = 0; i < s->n; i++)
        begins[i] = (struct begin){s->hsps[i].subject, i};
    qsort(begins, n, sizeof *begins, compare_begins);
    for (int i = 0; i < s->n; i++)
        s->rank[begins[i].index] = i + 1;
    for (int i = 0; i < s->n; i++)
        s->n_behind[i] = count_behind(begins, s->n, s->hsps[i].subject_end);
}

tms_status chain_sweep_create(const struct swept_hsp *hsps, int n, struct chain_sweep *out)
{
    const size_t items = (size_t)n + 1;
    struct begin *begins = malloc(items * sizeof *begins);
    bool has_memory;

    *out = (struct chain_sweep){.hsps = malloc(items * sizeof *out->hsps),
                                .begins = malloc(items * sizeof *out->begins),
                                .rank = malloc(items * sizeof *out->rank),
                                .n_behind = malloc(items * sizeof *out->n_behind),
                                .values = malloc(items * sizeof *out->values),
                                .tree = malloc(items * sizeof *out->tree),
                                .n = n};
    has_memory = begins != NULL && out->hsps != NULL && out->begins != NULL && out->rank != NULL && out->n_behind != NULL &&
                 out->values != NULL && out->tree != NULL;
    if (has_memory) {
        memcpy(out->hsps, hsps, (size_t)n * sizeof *hsps);
        set_orders(out, begins);
    }
    free(begins);
    return has_memory ? TMS_OK : TMS_E_MEMORY;
}

void chain_sweep_destroy(struct chain_sweep *sweep)
{
    free(sweep->hsps);
    free(sweep->begins);
    free(sweep->rank);
    free(sweep->n_behind);
    free(sweep->values);
    free(sweep->tree);
}

static int64_t best_behind(const struct chain_sweep *s, int n_behind)
{
    int64_t best = 0;

    for (int k = n_behind; k > 0; k -= k & -k)
        best = s->tree[k] > best ? s->tree[k] : best;
    return best;
}

static void add(struct chain_sweep *s, int rank, int64_t value)
{
    if (value <= 0)
        return;
    for (int k = rank; k <= s->n; k += k & -k)
        s->tree[k] = value > s->tree[k] ? value : s->tree[k];
}

int64_t chain_sweep_run(struct chain_sweep *sweep, swept_value *value, void *of)
{
    int64_t most = INT64_MIN;
    int next = 0;

    memset(sweep->tree, 0, ((size_t)sweep->n + 1) * sizeof *sweep->tree);
    for (int i = 0; i < sweep->n; i++) {
        for (; next < sweep->n && sweep->hsps[sweep->begins[next]].query > sweep->hsps[i].query_end; next++)
            add(sweep, sweep->rank[sweep->begins[next]], sweep->values[sweep->begins[next]]);
        sweep->values[i] = value(of, sweep->hsps[i].number, best_behind(sweep, sweep->n_behind[i]));
        most = sweep->values[i] > most ? sweep->values[i] : most;
    }
    return most;
}
