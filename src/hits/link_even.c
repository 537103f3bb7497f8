/*
 * link_even.c - HSPs from the end of the query to its begin are the nodes of two graphs, one for each size of gaps. The best chain of a
 * node is that of the best node before it, and the node itself. When a chain has been taken, sums only fall, so nodes are linked again only
 * if the node that they are linked to was taken, or was itself linked again.
 */
#include "hits/link_even.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { LARGE, SMALL, N_GAPS };
enum { NONE = -1, MOST_TRIMMED = 5, TRIMMED_PART = 4 };

/* What a search for the best node reads: where a node begins, trimmed, and the best chain that it ends. */
struct place {
    int query, subject;
    int sum;    /* of scores less cutoffs; INT_MIN: the node is taken */
    int better; /* the nearest node ahead in the list with a greater sum; NONE: there is none */
};

/* The best chain that ends with a node. */
struct chain {
    int n;             /* HSPs */
    int before;        /* the node that precedes in the chain; NONE: it begins here */
    double normalized; /* sum of normalized scores */
    bool is_new;       /* it was linked in this round */
};

struct node {
    int query_end, subject_end; /* trimmed */
    int score;
    bool is_taken;
    double scaled, log_K; /* the normalized score is scaled - log_K */
    struct hsp *hsp;
    struct chain chains[N_GAPS];
};

/* The nodes of a context. */
struct graph {
    struct node *nodes; /* n */
    struct place *places[N_GAPS];
    int n;
};

static int compare_from_end(const void *pa, const void *pb)
{
    const struct hsp *a = pa, *b = pb;

    if (a->context != b->context)
        return a->context < b->context ? -1 : 1;
    if (a->query != b->query)
        return a->query > b->query ? -1 : 1;
    if (a->query_end != b->query_end)
        return a->query_end > b->query_end ? -1 : 1;
    if (a->subject != b->subject)
        return a->subject > b->subject ? -1 : 1;
    if (a->subject_end != b->subject_end)
        return a->subject_end > b->subject_end ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

static int trim_of(int length) { return length / TRIMMED_PART < MOST_TRIMMED ? length / TRIMMED_PART : MOST_TRIMMED; }

static void set_node(struct hsp *hsp, const struct link_even_context *context, struct node *node, struct place *place)
{
    const int query = trim_of(hsp->query_end - hsp->query), subject = trim_of(hsp->subject_end - hsp->subject);

    *node = (struct node){.query_end = hsp->query_end - query,
                          .subject_end = hsp->subject_end - subject,
                          .score = hsp->score,
                          .scaled = hsp->score * context->lambda,
                          .log_K = context->log_K,
                          .hsp = hsp};
    *place = (struct place){.query = hsp->query + query, .subject = hsp->subject + subject};
}

/* --- chains --- */

/* Node i begins its chain, or is put behind node `before`. */
static void set_chain(const struct graph *g, int gap, int i, int before, int cutoff)
{
    const struct chain none = {0}, *rest = before != NONE ? &g->nodes[before].chains[gap] : &none;
    struct node *node = &g->nodes[i];

    node->chains[gap] = (struct chain){
        .n = rest->n + 1, .before = before, .normalized = rest->normalized + node->scaled - node->log_K, .is_new = true};
    g->places[gap][i].sum = (before != NONE ? g->places[gap][before].sum : 0) + node->score - cutoff;
}

/* The best of the nodes that begin close behind node i; the nearest in the list of equal ones. */
static int best_close(const struct graph *g, int i)
{
    const struct place *places = g->places[SMALL];
    const int query_end = g->nodes[i].query_end, subject_end = g->nodes[i].subject_end;
    const int query = query_end + LINK_EVEN_SMALL_GAP, subject = subject_end + LINK_EVEN_SMALL_GAP;
    int best = NONE, best_sum = 0;

    for (int j = i - 1; j >= 0 && places[j].query <= query + MOST_TRIMMED; j--)
        if (places[j].sum > best_sum && places[j].query > query_end && places[j].query <= query && places[j].subject > subject_end &&
            places[j].subject <= subject) {
            best_sum = places[j].sum;
            best = j;
        }
    return best;
}

/* The best of all nodes that begin behind node i. Those that are not better than the best one so far are passed over. */
static int best_anywhere(const struct graph *g, int i)
{
    const struct place *places = g->places[LARGE];
    const int query_end = g->nodes[i].query_end, subject_end = g->nodes[i].subject_end;
    int best = NONE, best_sum = 0;

    for (int j = i - 1; j >= 0;) {
        const struct place *place = &places[j];
        if (place->sum <= best_sum) {
            j = place->better;
            continue;
        }
        if (place->query > query_end && place->subject > subject_end) {
            best_sum = place->sum;
            best = j;
        }
        j--;
    }
    return best;
}

/* Links node i again if its chain is no more. */
static void link_node(const struct graph *g, int gap, int i, int cutoff, bool is_first)
{
    struct place *places = g->places[gap];
    struct chain *chain = &g->nodes[i].chains[gap];
    const int before = chain->before;
    int better = i - 1;

    chain->is_new = false;
    if (g->nodes[i].is_taken) {
        places[i].sum = INT_MIN;
    } else if (is_first || (before != NONE && (g->nodes[before].is_taken || g->nodes[before].chains[gap].is_new))) {
        const bool is_linked = g->nodes[i].score > cutoff;
        set_chain(g, gap, i, !is_linked ? NONE : gap == SMALL ? best_close(g, i) : best_anywhere(g, i), cutoff);
    }
    while (better != NONE && places[better].sum <= places[i].sum)
        better = places[better].better;
    places[i].better = better;
}

/* Links all nodes. Returns the last of those with the greatest sum. */
static int link_nodes(const struct graph *g, int gap, int cutoff, bool is_first)
{
    int best = NONE;

    for (int i = 0; i < g->n; i++) {
        link_node(g, gap, i, cutoff, is_first);
        if (!g->nodes[i].is_taken && (best == NONE || g->places[gap][i].sum >= g->places[gap][best].sum))
            best = i;
    }
    return best;
}

/* --- E-values --- */

static double evalue_of_chain(const struct link_even_rules *rules, const struct sum_space *space, const struct chain *chain, int gap)
{
    const double divisor = gap_decay_divisor(rules->decay, chain->n), share = gap == SMALL ? rules->small_share : 1 - rules->small_share;
    const double evalue = gap == SMALL
                              ? small_gaps_evalue(space, chain->n, chain->normalized, LINK_EVEN_SMALL_GAP, LINK_EVEN_SMALL_GAP, divisor)
                              : large_gaps_evalue(space, chain->n, chain->normalized, divisor);

    return rules->small_gaps && chain->n > 1 ? fmin(evalue / share, SUM_MOST_EVALUE) : evalue;
}

/* Takes the chain that ends with a node. Returns how many nodes it has. */
static int take(struct node *nodes, int end, int gap, double evalue)
{
    const int n = nodes[end].chains[gap].n;

    for (int i = end; i != NONE; i = nodes[i].chains[gap].before) {
        nodes[i].is_taken = true;
        nodes[i].hsp->evalue = evalue;
        nodes[i].hsp->n_linked = n;
    }
    return n;
}

/* Takes all nodes, chain after chain. */
static void take_all(const struct link_even_rules *rules, const struct sum_space *space, const struct graph *g)
{
    for (int left = g->n; left > 0;) {
        const int large = link_nodes(g, LARGE, rules->cutoff_large, left == g->n);
        const double evalue = evalue_of_chain(rules, space, &g->nodes[large].chains[LARGE], LARGE);
        if (rules->small_gaps) {
            const int small = link_nodes(g, SMALL, rules->cutoff_small, left == g->n);
            const double other = evalue_of_chain(rules, space, &g->nodes[small].chains[SMALL], SMALL);
            if (other <= evalue) {
                left -= take(g->nodes, small, SMALL, other);
                continue;
            }
        }
        left -= take(g->nodes, large, LARGE, evalue);
    }
}

tms_status link_even(const struct link_even_rules *rules, const struct link_even_context *contexts, struct hsp_list *list)
{
    struct node *nodes = list->n > 0 ? malloc(list->n * sizeof *nodes) : NULL;
    struct place *places = list->n > 0 ? malloc(N_GAPS * list->n * sizeof *places) : NULL;
    const bool is_fine = list->n == 0 || (nodes != NULL && places != NULL);

    hsp_sort_by(list, compare_from_end);
    for (size_t first = 0, end; first < list->n && is_fine; first = end) {
        const struct link_even_context *context = &contexts[list->items[first].context];
        struct graph g = {nodes, {places, places + list->n}, 0};
        for (end = first; end < list->n && list->items[end].context == list->items[first].context; end++, g.n++) {
            set_node(&list->items[end], context, &nodes[g.n], &g.places[LARGE][g.n]);
            g.places[SMALL][g.n] = g.places[LARGE][g.n];
        }
        take_all(rules, &context->space, &g);
    }
    free(nodes);
    free(places);
    hsp_sort(list);
    return is_fine ? TMS_OK : TMS_E_MEMORY;
}
