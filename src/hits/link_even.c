/*
 * link_even.c - HSPs from the end of the query to its begin are the nodes of two graphs, one for each size of gaps. The best chain of a
 * node is that of the best node before it, and the node itself. When a chain has been taken, sums only fall, so nodes are linked again only
 * if the node that they are linked to was taken, or was itself linked again.
 */
#include "hits/link_even.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "alphabet/translation.h"

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
    const struct node *next; /* of its chain, once it is taken; NULL: the chain ends here */
    bool is_first;           /* of its chain */
    int strand;              /* of the query */
    struct chain chains[N_GAPS];
};

/* The nodes of a context. */
struct graph {
    struct node *nodes; /* n */
    struct place *places[N_GAPS];
    int n;
};

/* The strands of an HSP as a number: of the query plus first, of the subject minus. */
static int strands_of(const struct hsp *h, int frames_a_strand)
{
    return 2 * (h->context / frames_a_strand) + (h->subject_frame < frames_a_strand);
}

static int compare_strands_from_end(const struct hsp *a, const struct hsp *b, int frames_a_strand)
{
    const int strands_a = strands_of(a, frames_a_strand), strands_b = strands_of(b, frames_a_strand);

    if (strands_a != strands_b)
        return strands_a < strands_b ? -1 : 1;
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

static int compare_from_end(const void *a, const void *b) { return compare_strands_from_end(a, b, 1); }

static int compare_frames_from_end(const void *a, const void *b) { return compare_strands_from_end(a, b, FRAMES_A_STRAND); }

static int trim_of(int length) { return length / TRIMMED_PART < MOST_TRIMMED ? length / TRIMMED_PART : MOST_TRIMMED; }

static void set_node(struct hsp *hsp, int strand, const struct link_context *context, struct node *node, struct place *place)
{
    const int query = trim_of(hsp->query_end - hsp->query), subject = trim_of(hsp->subject_end - hsp->subject);

    *node = (struct node){.strand = strand,
                          .query_end = hsp->query_end - query,
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

    nodes[end].is_first = true;
    for (int i = end; i != NONE; i = nodes[i].chains[gap].before) {
        nodes[i].next = nodes[i].chains[gap].before != NONE ? &nodes[nodes[i].chains[gap].before] : NULL;
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

/* --- the order --- */

static int compare_begins(const void *pa, const void *pb)
{
    const struct node *a = *(const struct node *const *)pa, *b = *(const struct node *const *)pb;

    if (a->strand != b->strand)
        return a->strand < b->strand ? -1 : 1;
    if (a->hsp->query != b->hsp->query)
        return a->hsp->query < b->hsp->query ? -1 : 1;
    if (a->hsp->subject != b->hsp->subject)
        return a->hsp->subject < b->hsp->subject ? -1 : 1;
    return a < b ? -1 : a > b;
}

/*
 * Replaces a list by its HSPs chain by chain, of which the first one begins first. So HSPs with the same positions in other frames are in
 * another order than before, and in the next linking in other chains [sic].
 *   n [in] nodes: all HSPs of the list
 */
static tms_status order_by_chains(const struct node *nodes, size_t n, struct hsp_list *list)
{
    const struct node **begins = malloc(n * sizeof *begins);
    struct hsp *items = malloc(n * sizeof *items);
    size_t n_items = 0;

    if (begins == NULL || items == NULL) {
        free(begins);
        free(items);
        return TMS_E_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        begins[i] = &nodes[i];
    qsort(begins, n, sizeof *begins, compare_begins);
    for (size_t i = 0; i < n; i++)
        for (const struct node *at = begins[i]->is_first ? begins[i] : NULL; at != NULL; at = at->next)
            items[n_items++] = *at->hsp;
    free(begins);
    free(list->items);
    *list = (struct hsp_list){items, n, n};
    return TMS_OK;
}

tms_status link_even(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list)
{
    struct node *nodes = malloc((list->n + 1) * sizeof *nodes);
    struct place *places = malloc(N_GAPS * (list->n + 1) * sizeof *places);
    tms_status status = nodes != NULL && places != NULL ? TMS_OK : TMS_E_MEMORY;

    hsp_sort_by(list, rules->frames_a_strand == 1 ? compare_from_end : compare_frames_from_end);
    for (size_t first = 0, end; first < list->n && status == TMS_OK; first = end) {
        const int strands = strands_of(&list->items[first], rules->frames_a_strand);
        struct graph g = {nodes + first, {places, places + list->n}, 0};
        for (end = first; end < list->n && strands_of(&list->items[end], rules->frames_a_strand) == strands; end++, g.n++) {
            const struct link_context *context = &contexts[list->items[end].context];
            set_node(&list->items[end], strands / 2, context, &g.nodes[g.n], &g.places[LARGE][g.n]);
            g.places[SMALL][g.n] = g.places[LARGE][g.n];
        }
        take_all(rules, &contexts[list->items[first].context].space, &g);
    }
    if (status == TMS_OK && list->n > 1)
        status = order_by_chains(nodes, list->n, list);
    free(nodes);
    free(places);
    hsp_sort(list);
    return status;
}
