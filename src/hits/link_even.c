/*
 * link_even.c - HSPs from the end of the query to its begin are the nodes of two graphs, one for each size of gaps. The best chain of a
 * node is that of the best node before it, and the node itself. When a chain has been taken, sums only fall. So a sum that is out of date
 * is a bound, and a node is linked again only if it would be the best one.
 */
#include "hits/link_even.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "alphabet/translation.h"
#include "hits/best_places.h"
#include "hits/chain_bounds.h"

enum { LARGE, SMALL, N_GAPS };
enum { NONE = -1, MOST_TRIMMED = 5, TRIMMED_PART = 4 };
enum {
    SWEPT = 200,      /* so many nodes are swept over */
    SWEEP_COSTS = 32, /* a node that is linked again alone costs as much as so many of a sweep */
    NO_LIMIT = INT_MAX
};

/* The best chain that ends with a node, when it was linked. */
struct chain {
    int sum;                     /* of scores less cutoffs */
    int n;                       /* HSPs */
    int before;                  /* the node that precedes in the chain; NONE: it begins here */
    int n_links, n_links_before; /* how often the node was linked; how often the one before, at that time */
    int seen;                    /* when it was last known to be the best; as graph.now */
    int part_of;                 /* the last chain that was the best of all and had the node; as graph.n_best */
    double normalized;           /* sum of normalized scores */
    double evalue;               /* below 0: not computed yet */
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
    const struct link_even_rules *rules;
    struct node *nodes;         /* n */
    const struct place *begins; /* trimmed */
    struct best_places *places; /* for each size of gaps: where nodes begin, trimmed, with the sums of those that are not taken */
    struct chain_sweep *sweep;  /* over the nodes that may be in a chain with others, with gaps of any size; NULL: they are few */
    double *weights;            /* of these nodes, for the sweep; 0: the node is taken */
    int *waiting;               /* nodes that are linked again after the one that follows */
    int n;
    int now;            /* how many chains have been taken */
    int best[N_GAPS];   /* the end of the best chain; NONE: not known */
    int n_best[N_GAPS]; /* how often it has changed */
    int rest;           /* sum of the nodes that are left of the last best chain with gaps of any size */
    double *least;      /* E-values that chains of so many nodes or more, with gaps of any size, do not reach; NULL: not known */
    int longest;        /* nodes of the longest one */
    int next_bound;     /* n_best[LARGE] when E-values are bounded again */
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
    *place = (struct place){hsp->query + query, hsp->subject + subject};
}

/* --- chains --- */

/* Where nodes begin that may precede a node in a chain. */
static struct area area_before(const struct node *node, int gap)
{
    const struct place least = {node->query_end + 1, node->subject_end + 1};

    if (gap == LARGE)
        return (struct area){least, {INT_MAX, INT_MAX}};
    return (struct area){least, {node->query_end + LINK_EVEN_SMALL_GAP, node->subject_end + LINK_EVEN_SMALL_GAP}};
}

static int cutoff_of(const struct graph *g, int gap) { return gap == SMALL ? g->rules->cutoff_small : g->rules->cutoff_large; }

/* The best node that may precede node i; the nearest in the list of equal ones. */
static int best_before(const struct graph *g, int gap, int i)
{
    const struct area area = area_before(&g->nodes[i], gap);

    return g->nodes[i].score > cutoff_of(g, gap) ? best_places_in(&g->places[gap], &area, i) : NONE;
}

/* Node i begins its chain, or is put behind node `before`. */
static void set_chain(const struct graph *g, int gap, int i, int before)
{
    struct node *node = &g->nodes[i];
    struct chain *chain = &node->chains[gap];
    const struct chain none = {0}, *rest = before != NONE ? &g->nodes[before].chains[gap] : &none;

    chain->sum = rest->sum + node->score - cutoff_of(g, gap);
    chain->n = rest->n + 1;
    chain->before = before;
    chain->n_links++;
    chain->n_links_before = rest->n_links;
    chain->seen = g->now;
    chain->normalized = rest->normalized + node->scaled - node->log_K;
    chain->evalue = -1;
    best_places_put(&g->places[gap], i, chain->sum);
}

/* A node of a sweep: `best` has the sum and the number of the best one before it. The sweep also offers nodes behind in the list. */
static int64_t link_swept(void *of, int i, int64_t best)
{
    const struct graph *g = of;
    int before = best > 0 ? numbered_sum_number(best) : NONE;

    if (g->nodes[i].is_taken)
        return INT64_MIN;
    if (before > i)
        before = best_before(g, LARGE, i);
    set_chain(g, LARGE, i, before);
    return numbered_sum_of(g->nodes[i].chains[LARGE].sum, i);
}

static void link_all(struct graph *g, int gap)
{
    const bool is_swept = gap == LARGE && g->sweep != NULL;

    for (int i = 0; i < g->n; i++)
        if (!is_swept || g->nodes[i].score <= cutoff_of(g, gap))
            set_chain(g, gap, i, best_before(g, gap, i));
    if (is_swept)
        chain_sweep_run(g->sweep, link_swept, g);
}

/* The node whose best chain has to be known before that of node i is; NONE: node i has its best chain, which it may get here. */
static int node_to_see(const struct graph *g, int gap, int i)
{
    struct chain *chain = &g->nodes[i].chains[gap];
    const struct node *before = chain->before != NONE ? &g->nodes[chain->before] : NULL;

    if (before == NULL || (!before->is_taken && before->chains[gap].n_links == chain->n_links_before)) {
        if (before != NULL && before->chains[gap].seen != g->now)
            return chain->before;
        chain->seen = g->now;
    } else {
        const int best = best_before(g, gap, i);
        if (best != NONE && g->nodes[best].chains[gap].seen != g->now)
            return best;
        set_chain(g, gap, i, best);
    }
    return NONE;
}

/* Links a node again, if its chain is not the best any more, after those before it, `limit` at most. Returns what is left of the limit. */
static int link_again(const struct graph *g, int gap, int i, int limit)
{
    int n = 0;

    g->waiting[n++] = i;
    while (n > 0 && limit > 0) {
        const int next = node_to_see(g, gap, g->waiting[n - 1]);
        if (next == NONE)
            n--;
        else
            g->waiting[n++] = next;
        limit -= limit < NO_LIMIT;
    }
    return limit;
}

/* Finds the end of the best chain of all, the last of equal ones. It remains the best until a node of it is taken. */
static void find_best(struct graph *g, int gap)
{
    int end, limit = gap == LARGE && g->sweep != NULL ? g->sweep->n / SWEEP_COSTS + 1 : NO_LIMIT;

    while (end = best_places_all(&g->places[gap]), g->nodes[end].chains[gap].seen != g->now) {
        limit = link_again(g, gap, end, limit);
        if (limit == 0) {
            chain_sweep_run(g->sweep, link_swept, g);
            limit = NO_LIMIT;
        }
    }
    g->best[gap] = end;
    g->n_best[gap]++;
    for (int i = end; i != NONE; i = g->nodes[i].chains[gap].before)
        g->nodes[i].chains[gap].part_of = g->n_best[gap];
    if (gap == LARGE)
        g->rest = g->nodes[end].chains[LARGE].sum;
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

/* The best chain of all, with its E-value. */
static const struct chain *best_chain(struct graph *g, const struct sum_space *space, int gap)
{
    struct chain *chain;

    if (g->best[gap] == NONE)
        find_best(g, gap);
    chain = &g->nodes[g->best[gap]].chains[gap];
    if (chain->evalue < 0)
        chain->evalue = evalue_of_chain(g->rules, space, chain, gap);
    return chain;
}

/* --- chains with gaps of any size that need not be known --- */

/*
 * E-values of sums, which are integrals, are not quite in the order of the sums. And a probability near 1 is not known well enough for its
 * E-value: that counts as if the probability were less.
 */
#define UNSURE           1000.0
#define MOST_SURE_EVALUE 2.0 /* of a probability of 0.86, in a space as large as the pair's */

static void set_least(struct graph *g, const struct sum_space *space, const struct chain_bounds *bounds)
{
    const double pairs = (double)space->search_space / ((double)space->query_length * (double)space->subject_length);
    double least = SUM_MOST_EVALUE;

    free(g->least);
    g->least = malloc(((size_t)bounds->longest + 1) * sizeof *g->least);
    g->longest = g->least != NULL ? bounds->longest : 0;
    for (int n = g->longest; n > 1; n--) {
        const struct chain chain = {.n = n, .normalized = chain_bounds_most(bounds, n)};
        const double sure = MOST_SURE_EVALUE * pairs / gap_decay_divisor(g->rules->decay, n);
        least = fmin(least, fmin(sure, evalue_of_chain(g->rules, space, &chain, LARGE)));
        g->least[n] = least / UNSURE;
    }
}

/* Bounds the E-values of chains with gaps of any size; those of the nodes that will be left are not lower. */
static void bound_evalues(struct graph *g, const struct sum_space *space)
{
    struct chain_bounds bounds;

    g->next_bound = 2 * g->n_best[LARGE];
    if (chain_bounds_find(g->sweep, g->weights, &bounds) == TMS_OK)
        set_least(g, space, &bounds);
}

/*
 * Whether the best chain with small gaps surely has an E-value below that of the best one with gaps of any size: no node adds more to a
 * chain than the whole of the former has, so the latter has some length.
 */
static bool is_surely_less(const struct graph *g, const struct chain *small)
{
    const int most = small->sum + g->rules->cutoff_small - g->rules->cutoff_large;
    const int n = most > 0 ? (g->rest + most - 1) / most : 0;

    return n > 1 && n <= g->longest && small->evalue <= g->least[n];
}

/* --- taking chains --- */

static int n_gaps_of(const struct graph *g) { return g->rules->small_gaps ? N_GAPS : 1; }

/* A node that is taken is in no other chain. */
static void drop_node(struct graph *g, int i)
{
    g->nodes[i].is_taken = true;
    if (g->sweep != NULL)
        g->weights[i] = 0;
    for (int gap = 0; gap < n_gaps_of(g); gap++) {
        best_places_drop(&g->places[gap], i);
        if (g->nodes[i].chains[gap].part_of != g->n_best[gap])
            continue;
        g->best[gap] = NONE;
        if (gap == LARGE)
            g->rest -= g->nodes[i].score - g->rules->cutoff_large;
    }
}

/* Takes the best chain. Returns how many nodes it has. */
static int take(struct graph *g, int gap)
{
    const int end = g->best[gap];
    const struct chain *chain = &g->nodes[end].chains[gap];

    g->nodes[end].is_first = true;
    for (int i = end; i != NONE; i = g->nodes[i].chains[gap].before) {
        struct node *node = &g->nodes[i];
        const int before = node->chains[gap].before;
        node->next = before != NONE ? &g->nodes[before] : NULL;
        node->hsp->evalue = chain->evalue;
        node->hsp->n_linked = chain->n;
        drop_node(g, i);
    }
    g->now++;
    return chain->n;
}

/* The size of gaps of the chain that is taken next: the less likely one. */
static int next_gap(struct graph *g, const struct sum_space *space)
{
    const struct chain *large, *small = g->rules->small_gaps ? best_chain(g, space, SMALL) : NULL;

    if (small != NULL && g->best[LARGE] == NONE && is_surely_less(g, small))
        return SMALL;
    large = best_chain(g, space, LARGE);
    if (small == NULL || small->evalue > large->evalue)
        return LARGE;
    if (g->sweep != NULL && g->n_best[LARGE] >= g->next_bound && small->evalue < large->evalue / UNSURE)
        bound_evalues(g, space);
    return SMALL;
}

/* Takes all nodes, chain after chain. */
static void take_all(struct graph *g, const struct sum_space *space)
{
    for (int gap = 0; gap < n_gaps_of(g); gap++)
        link_all(g, gap);
    for (int left = g->n; left > 0;)
        left -= take(g, next_gap(g, space));
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

/* Memory for the graphs of a list, one after the other, and for all of their nodes together. */
struct memory {
    struct node *nodes;
    struct place *places;
    int *waiting;
    struct best_places sums[N_GAPS];
};

/* n_nodes: of all graphs; n: of the largest one */
static tms_status reserve(size_t n_nodes, size_t n, struct memory *m)
{
    const tms_status large = best_places_create(n, &m->sums[LARGE]), small = best_places_create(n, &m->sums[SMALL]);

    m->nodes = malloc((n_nodes + 1) * sizeof *m->nodes);
    m->places = malloc((n + 1) * sizeof *m->places);
    m->waiting = malloc((n + 1) * sizeof *m->waiting);
    return m->nodes != NULL && m->places != NULL && m->waiting != NULL && large == TMS_OK && small == TMS_OK ? TMS_OK : TMS_E_MEMORY;
}

static void release(struct memory *m)
{
    best_places_destroy(&m->sums[LARGE]);
    best_places_destroy(&m->sums[SMALL]);
    free(m->nodes);
    free(m->places);
    free(m->waiting);
}

/* Sets the weights of nodes that may be in a chain with others, with gaps of any size, and lists them. Returns their number. */
static int list_swept(const struct graph *g, struct swept_hsp *hsps, double *weights)
{
    int n = 0;

    for (int i = 0; i < g->n; i++) {
        const struct node *node = &g->nodes[i];
        const struct place *begin = &g->begins[i];
        weights[i] = 0;
        if (node->score <= cutoff_of(g, LARGE))
            continue;
        weights[i] = node->scaled - node->log_K;
        hsps[n++] = (struct swept_hsp){begin->query, node->query_end, begin->subject, node->subject_end, i};
    }
    return n;
}

/* Links with sweeps over the nodes, if these are many. */
static tms_status link_graph(struct graph *g, const struct sum_space *space)
{
    struct swept_hsp *hsps;
    struct chain_sweep sweep = {0};
    tms_status status = TMS_E_MEMORY;
    int n;

    if (g->n < SWEPT) {
        take_all(g, space);
        return TMS_OK;
    }
    hsps = malloc((size_t)g->n * sizeof *hsps);
    g->weights = malloc((size_t)g->n * sizeof *g->weights);
    n = hsps != NULL && g->weights != NULL ? list_swept(g, hsps, g->weights) : 0;
    if (hsps != NULL && g->weights != NULL)
        status = chain_sweep_create(hsps, n, &sweep);
    free(hsps);
    if (status == TMS_OK) {
        g->sweep = n > 0 ? &sweep : NULL;
        take_all(g, space);
    }
    chain_sweep_destroy(&sweep);
    free(g->weights);
    free(g->least);
    return status;
}

/* Links the HSPs first .. first + n - 1 of a list, which are those of a strand of both sequences, from the end of the query. */
static tms_status link_strands(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list,
                               size_t first, int n, struct memory *m)
{
    const int strand = strands_of(&list->items[first], rules->frames_a_strand) / 2;
    struct graph g = {.rules = rules,
                      .nodes = m->nodes + first,
                      .begins = m->places,
                      .places = m->sums,
                      .waiting = m->waiting,
                      .n = n,
                      .best = {NONE, NONE}};
    tms_status status;

    for (int i = 0; i < n; i++) {
        struct hsp *hsp = &list->items[first + (size_t)i];
        set_node(hsp, strand, &contexts[hsp->context], &g.nodes[i], &m->places[i]);
    }
    status = best_places_set(m->places, n, &m->sums[LARGE]);
    if (status != TMS_OK)
        return status;
    best_places_copy(&m->sums[LARGE], &m->sums[SMALL]);
    return link_graph(&g, &contexts[list->items[first].context].space);
}

/* The end of the HSPs from `first` on that are of the same strands; the list is in their order. */
static size_t end_of_strands(const struct link_even_rules *rules, const struct hsp_list *list, size_t first)
{
    const int strands = strands_of(&list->items[first], rules->frames_a_strand);
    size_t end = first + 1;

    while (end < list->n && strands_of(&list->items[end], rules->frames_a_strand) == strands)
        end++;
    return end;
}

static size_t most_of_strands(const struct link_even_rules *rules, const struct hsp_list *list)
{
    size_t most = 0;

    for (size_t first = 0, end; first < list->n; first = end) {
        end = end_of_strands(rules, list, first);
        most = end - first > most ? end - first : most;
    }
    return most;
}

tms_status link_even(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list)
{
    struct memory m;
    tms_status status;

    hsp_sort_by(list, rules->frames_a_strand == 1 ? compare_from_end : compare_frames_from_end);
    status = reserve(list->n, most_of_strands(rules, list), &m);
    for (size_t first = 0, end; first < list->n && status == TMS_OK; first = end) {
        end = end_of_strands(rules, list, first);
        status = link_strands(rules, contexts, list, first, (int)(end - first), &m);
    }
    if (status == TMS_OK && list->n > 1)
        status = order_by_chains(m.nodes, list->n, list);
    release(&m);
    hsp_sort(list);
    return status;
}
