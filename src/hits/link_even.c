/*
 * link_even.c - HSPs from the end of the query to its begin are the nodes of two graphs, one for each size of gaps. The best chain of a
 * node is that of the best node before it, and the node itself. When a chain has been taken, sums only fall, so nodes are linked again only
 * if the node that they are linked to was taken, or was itself linked again. A tree of winners has the best chain of all.
 */
#include "hits/link_even.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "alphabet/translation.h"

enum { LARGE, SMALL, N_GAPS };
enum { NONE = -1, MOST_TRIMMED = 5, TRIMMED_PART = 4, BITS = 64 };

/* What a search for the best node reads: where a node begins, trimmed, and the best chain that it ends. */
struct place {
    int query, subject;
    int sum;    /* of scores less cutoffs; INT_MIN: the node is taken */
    int most;   /* its sum when `better` was set */
    int better; /* no node ahead in the list, but behind this one, has a greater sum than `most`; NONE: no node at all has */
};

/* The best chain that ends with a node. */
struct chain {
    int n;                 /* HSPs */
    int before;            /* the node that precedes in the chain; NONE: it begins here */
    double normalized;     /* sum of normalized scores */
    double evalue;         /* below 0: not computed yet */
    int first_after, next; /* the nodes that are linked to this one are a list; NONE ends it */
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
    struct node *nodes; /* n */
    struct place *places[N_GAPS];
    uint64_t *changed;    /* a bit for each node that is to be linked again */
    int *winners[N_GAPS]; /* of a binary tree: 1 is the root, 2 k and 2 k + 1 follow k, the nodes are leaves from n_leaves on */
    int n, n_leaves;      /* n_leaves: a power of two */
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

/* --- the best chain of all --- */

static int leaves_for(int n)
{
    int leaves = 1;

    while (leaves < n)
        leaves *= 2;
    return leaves;
}

/* The better one of two nodes, the second of equal ones. */
static int winner(const struct place *places, int a, int b)
{
    if (b == NONE)
        return a;
    return places[b].sum >= places[a].sum ? b : a;
}

/* Sets the winners for the first time. */
static void set_winners(const struct graph *g, int gap)
{
    int *winners = g->winners[gap];

    for (int i = 0; i < g->n_leaves; i++)
        winners[g->n_leaves + i] = i < g->n ? i : NONE;
    for (int k = g->n_leaves - 1; k > 0; k--)
        winners[k] = winner(g->places[gap], winners[2 * k], winners[2 * k + 1]);
}

/* Sets the winners anew on the way from a node to the root. */
static void update_winners(const struct graph *g, int gap, int i)
{
    int *winners = g->winners[gap];

    for (int k = (g->n_leaves + i) / 2; k > 0; k /= 2)
        winners[k] = winner(g->places[gap], winners[2 * k], winners[2 * k + 1]);
}

/* --- chains --- */

/* Node i begins its chain, or is put behind node `before`. */
static void set_chain(const struct graph *g, int gap, int i, int before, int cutoff)
{
    struct node *node = &g->nodes[i];
    struct chain *chain = &node->chains[gap], *rest = before != NONE ? &g->nodes[before].chains[gap] : NULL;

    chain->n = rest != NULL ? rest->n + 1 : 1;
    chain->before = before;
    chain->normalized = (rest != NULL ? rest->normalized : 0) + node->scaled - node->log_K;
    chain->evalue = -1;
    if (rest != NULL) {
        chain->next = rest->first_after;
        rest->first_after = i;
    }
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
        if (place->sum > best_sum && place->query > query_end && place->subject > subject_end) {
            best_sum = place->sum;
            best = j;
        }
        j = place->most <= best_sum ? place->better : j - 1;
    }
    return best;
}

static void set_better(struct place *places, int i)
{
    int better = i - 1;

    while (better != NONE && places[better].most <= places[i].sum)
        better = places[better].better;
    places[i].better = better;
    places[i].most = places[i].sum;
}

static void link_node(const struct graph *g, int gap, int i)
{
    const int cutoff = gap == SMALL ? g->rules->cutoff_small : g->rules->cutoff_large;
    const bool is_linked = g->nodes[i].score > cutoff;

    set_chain(g, gap, i, !is_linked ? NONE : gap == SMALL ? best_close(g, i) : best_anywhere(g, i), cutoff);
    if (gap == LARGE)
        set_better(g->places[gap], i);
}

static void link_all(const struct graph *g, int gap)
{
    for (int i = 0; i < g->n; i++) {
        g->nodes[i].chains[gap].first_after = NONE;
        link_node(g, gap, i);
    }
    set_winners(g, gap);
}

/* Nodes that are linked to node i will be linked again. All of them are behind it in the list. */
static void mark_after(const struct graph *g, int gap, int i)
{
    int *first = &g->nodes[i].chains[gap].first_after;

    for (int k = *first; k != NONE; k = g->nodes[k].chains[gap].next)
        g->changed[k / BITS] |= (uint64_t)1 << k % BITS;
    *first = NONE;
}

/* Links marked nodes again, of which the first is not before node `from`, and then those that are linked to them. */
static void link_changed(const struct graph *g, int gap, int from)
{
    for (int word = from / BITS; word * BITS < g->n; word++)
        while (g->changed[word] != 0) {
            const int i = word * BITS + __builtin_ctzll(g->changed[word]);
            g->changed[word] &= g->changed[word] - 1;
            if (g->nodes[i].is_taken)
                continue;
            link_node(g, gap, i);
            mark_after(g, gap, i);
            update_winners(g, gap, i);
        }
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

/* The best chain of all, with its E-value; the last of equal ones. */
static const struct chain *best_chain(const struct graph *g, const struct sum_space *space, int gap, int *end)
{
    struct chain *chain;

    *end = g->winners[gap][1];
    chain = &g->nodes[*end].chains[gap];
    if (chain->evalue < 0)
        chain->evalue = evalue_of_chain(g->rules, space, chain, gap);
    return chain;
}

/* Takes the chain that ends with a node, and links again what was linked to it. Returns how many nodes it has. */
static int take(const struct graph *g, int end, int gap, double evalue)
{
    const int n = g->nodes[end].chains[gap].n, n_gaps = g->rules->small_gaps ? N_GAPS : 1;
    int first = end;

    g->nodes[end].is_first = true;
    for (int i = end; i != NONE; i = g->nodes[i].chains[gap].before) {
        struct node *node = &g->nodes[i];
        node->next = node->chains[gap].before != NONE ? &g->nodes[node->chains[gap].before] : NULL;
        node->is_taken = true;
        node->hsp->evalue = evalue;
        node->hsp->n_linked = n;
        first = i;
    }
    for (int k = 0; k < n_gaps; k++) {
        for (int i = end; i != NONE; i = g->nodes[i].chains[gap].before) {
            g->places[k][i].sum = INT_MIN;
            update_winners(g, k, i);
            mark_after(g, k, i);
        }
        link_changed(g, k, first);
    }
    return n;
}

/* Takes all nodes, chain after chain. */
static void take_all(const struct graph *g, const struct sum_space *space)
{
    link_all(g, LARGE);
    if (g->rules->small_gaps)
        link_all(g, SMALL);
    for (int left = g->n; left > 0;) {
        int end, small_end;
        const struct chain *large = best_chain(g, space, LARGE, &end), *small = NULL;
        if (g->rules->small_gaps)
            small = best_chain(g, space, SMALL, &small_end);
        if (small != NULL && small->evalue <= large->evalue)
            left -= take(g, small_end, SMALL, small->evalue);
        else
            left -= take(g, end, LARGE, large->evalue);
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

/* Memory for the graphs of n nodes together, one after the other. */
struct memory {
    struct node *nodes;
    struct place *places;
    uint64_t *changed;
    int *winners;
};

static tms_status reserve(size_t n, struct memory *m)
{
    const size_t n_tree = 2 * (size_t)leaves_for((int)n);

    m->nodes = malloc((n + 1) * sizeof *m->nodes);
    m->places = malloc(N_GAPS * (n + 1) * sizeof *m->places);
    m->changed = calloc(n / BITS + 1, sizeof *m->changed);
    m->winners = malloc(N_GAPS * n_tree * sizeof *m->winners);
    return m->nodes != NULL && m->places != NULL && m->changed != NULL && m->winners != NULL ? TMS_OK : TMS_E_MEMORY;
}

static void release(struct memory *m)
{
    free(m->nodes);
    free(m->places);
    free(m->changed);
    free(m->winners);
}

/* Links the HSPs first .. first + n - 1 of a list, which are those of a strand of both sequences, from the end of the query. */
static void link_strands(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list, size_t first,
                         int n, const struct memory *m)
{
    const int strand = strands_of(&list->items[first], rules->frames_a_strand) / 2, n_leaves = leaves_for(n);
    const struct graph g = {rules, m->nodes + first, {m->places, m->places + n}, m->changed, {m->winners, m->winners + 2 * n_leaves},
                            n,     n_leaves};

    for (int i = 0; i < n; i++) {
        struct hsp *hsp = &list->items[first + (size_t)i];
        set_node(hsp, strand, &contexts[hsp->context], &g.nodes[i], &g.places[LARGE][i]);
        g.places[SMALL][i] = g.places[LARGE][i];
    }
    take_all(&g, &contexts[list->items[first].context].space);
}

tms_status link_even(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list)
{
    struct memory m;
    tms_status status = reserve(list->n, &m);

    hsp_sort_by(list, rules->frames_a_strand == 1 ? compare_from_end : compare_frames_from_end);
    for (size_t first = 0, end; first < list->n && status == TMS_OK; first = end) {
        const int strands = strands_of(&list->items[first], rules->frames_a_strand);
        for (end = first + 1; end < list->n && strands_of(&list->items[end], rules->frames_a_strand) == strands;)
            end++;
        link_strands(rules, contexts, list, first, (int)(end - first), &m);
    }
    if (status == TMS_OK && list->n > 1)
        status = order_by_chains(m.nodes, list->n, list);
    release(&m);
    hsp_sort(list);
    return status;
}
