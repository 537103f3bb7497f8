/* sw_early_stop.c - replays the decisions of NCBI's program in the order of its subjects, after threads have aligned all of them. */
#include "protein/sw_early_stop.h"

#include <stdlib.h>
#include <string.h>

#define SURE_EVALUE      0.002             /* subjects up to this E-value are kept, whatever their number */
#define PROMISING_EVALUE (5 * SURE_EVALUE) /* promising preliminary E-value */

struct subject {
    double evalue;
    int score;
    uint64_t oid;
    struct subject_hits *hits;
};

/* The best subjects of a query so far. */
struct best {
    struct subject *items;
    size_t n;
    bool is_cut; /* a subject was dropped, or replaced by a better one */
};

/* A subject of a list. */
struct turn {
    size_t list, item;
    uint64_t oid;
    const struct smith_waterman_evidence *evidence;
};

static int compare(const struct subject *a, const struct subject *b)
{
    if (a->evalue != b->evalue)
        return a->evalue < b->evalue ? -1 : 1;
    if (a->score != b->score)
        return a->score > b->score ? -1 : 1;
    return a->oid > b->oid ? -1 : a->oid < b->oid;
}

static size_t worst_of(const struct best *best)
{
    size_t worst = 0;

    for (size_t i = 1; i < best->n; i++)
        if (compare(&best->items[i], &best->items[worst]) > 0)
            worst = i;
    return worst;
}

static bool is_filled(const struct best *best, size_t most) { return best->n >= most && best->items[worst_of(best)].evalue <= SURE_EVALUE; }

static bool all_are_filled(const struct best *best, size_t n, size_t most)
{
    for (size_t i = 0; i < n; i++)
        if (!is_filled(&best[i], most))
            return false;
    return true;
}

static bool would_take(const struct best *best, size_t most, struct subject subject)
{
    return best->n < most || subject.evalue <= SURE_EVALUE || compare(&subject, &best->items[worst_of(best)]) < 0;
}

static void drop(struct best *best, struct subject_hits *hits)
{
    hsp_list_clear(&hits->hsps);
    best->is_cut = true;
}

/* Adds the subject, or replaces the worst one by it, or drops it. */
static void offer(struct best *best, size_t most, struct subject subject)
{
    size_t worst = best->n >= most ? worst_of(best) : 0;

    if (best->n < most || (subject.evalue <= SURE_EVALUE && best->items[worst].evalue <= SURE_EVALUE)) {
        best->items[best->n++] = subject;
    } else if (compare(&subject, &best->items[worst]) < 0) {
        drop(best, best->items[worst].hits);
        best->items[worst] = subject;
    } else {
        drop(best, subject.hits);
    }
}

static void take(struct best *best, size_t n, size_t most, const struct turn *turn, struct subject_hits *hits)
{
    const struct smith_waterman_evidence *e = turn->evidence;
    const struct subject first = {e->first_evalue, e->first_score, hits->oid, hits};
    const struct subject whole = {hits->evalue, e->scaled_score, hits->oid, hits};

    if (hits->hsps.n == 0)
        return;
    if ((e->preliminary_evalue > PROMISING_EVALUE && all_are_filled(best, n, most)) || !would_take(&best[turn->list], most, first))
        hsp_list_clear(&hits->hsps);
    else
        offer(&best[turn->list], most, whole);
}

static int compare_turns(const void *pa, const void *pb)
{
    const struct turn *a = pa, *b = pb;

    if (a->oid != b->oid)
        return a->oid < b->oid ? -1 : 1;
    return a->list < b->list ? -1 : a->list > b->list;
}

/* Lists the subjects in the order in which BLAST aligns them. */
static void fill_turns(const struct hit_list *lists, const struct smith_waterman_evidence *evidence, size_t n, bool by_oid,
                       struct turn *turns)
{
    size_t n_turns = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < lists[i].n; k++, n_turns++)
            turns[n_turns] = (struct turn){i, k, lists[i].items[k].oid, &evidence[n_turns]};
    if (by_oid)
        qsort(turns, n_turns, sizeof *turns, compare_turns);
}

tms_status sw_early_stop(struct hit_list *lists, const struct smith_waterman_evidence *evidence, size_t n, size_t most, bool by_oid)
{
    bool are_many = false, is_done;
    size_t n_hits = 0, at = 0;
    struct subject *items;
    struct turn *turns;
    struct best *best;

    for (size_t i = 0; i < n; i++) {
        are_many |= lists[i].n > most;
        n_hits += lists[i].n;
    }
    if (!are_many)
        return TMS_OK; /* BLAST skips no subject */
    items = calloc(n_hits, sizeof *items);
    turns = calloc(n_hits, sizeof *turns);
    best = calloc(n, sizeof *best);
    is_done = items != NULL && turns != NULL && best != NULL;
    for (size_t i = 0; i < n && is_done; at += lists[i++].n)
        best[i].items = items + at;
    if (is_done)
        fill_turns(lists, evidence, n, by_oid, turns);
    for (size_t i = 0; i < n_hits && is_done; i++)
        take(best, n, most, &turns[i], &lists[turns[i].list].items[turns[i].item]);
    for (size_t i = 0; i < n && is_done; i++)
        lists[i].is_cut |= best[i].is_cut;
    free(items);
    free(turns);
    free(best);
    return is_done ? TMS_OK : TMS_E_MEMORY;
}
