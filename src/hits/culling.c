/*
 * culling.c - an interval tree over the query. A new HSP is filed in the deepest existing node that contains its range on one side of the
 * parent's middle. When a leaf is split, HSPs on one side of its middle move to a child. Nodes and HSPs refer to each other by indices
 * into two arrays; 0 is none.
 */
#include "hits/culling.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { SPLIT_AT = 20 }; /* HSPs in a leaf */

struct kept {
    struct arrived_hsp arrived;
    int lives;     /* the HSP is dropped when so many more dominate it; 0: it is dropped */
    uint32_t next; /* HSP in the same node, or in the list of free entries */
};

enum side { LEFT, RIGHT, BOTH };

struct node {
    int begin, end;       /* half-open range of the query */
    uint32_t children[2]; /* [LEFT], [RIGHT] */
    uint32_t first;       /* HSP in the node; of a free node: the next free one */
};

struct culling {
    int query_length, limit;
    struct kept *kept;
    size_t n_kept, kept_capacity;
    struct node *nodes;
    size_t n_nodes, nodes_capacity;
    uint32_t free_kept, free_node; /* heads of the lists of free entries */
    uint32_t root;
};

/* --- the two arrays --- */

static bool new_node(struct culling *c, int begin, int end, uint32_t *out)
{
    uint32_t at = c->free_node;

    if (at != 0) {
        c->free_node = c->nodes[at].first;
    } else {
        if (c->n_nodes >= UINT32_MAX || !array_reserve(&c->nodes, &c->nodes_capacity, c->n_nodes + 1, sizeof *c->nodes))
            return false;
        at = (uint32_t)c->n_nodes++;
    }
    c->nodes[at] = (struct node){.begin = begin, .end = end};
    *out = at;
    return true;
}

static bool new_kept(struct culling *c, uint32_t *out)
{
    uint32_t at = c->free_kept;

    if (at != 0) {
        c->free_kept = c->kept[at].next;
    } else {
        if (c->n_kept >= UINT32_MAX || !array_reserve(&c->kept, &c->kept_capacity, c->n_kept + 1, sizeof *c->kept))
            return false;
        at = (uint32_t)c->n_kept++;
    }
    *out = at;
    return true;
}

tms_status culling_create(int query_length, int limit, struct culling **out)
{
    struct culling *c = calloc(1, sizeof *c);

    *out = c;
    if (c == NULL)
        return TMS_E_MEMORY;
    c->query_length = query_length;
    c->limit = limit;
    if (!array_reserve(&c->kept, &c->kept_capacity, 1, sizeof *c->kept) ||
        !array_reserve(&c->nodes, &c->nodes_capacity, 1, sizeof *c->nodes)) {
        culling_destroy(c);
        *out = NULL;
        return TMS_E_MEMORY;
    }
    c->n_kept = c->n_nodes = 1; /* number 0 is none */
    return TMS_OK;
}

void culling_destroy(struct culling *c)
{
    if (c == NULL)
        return;
    for (size_t i = 1; i < c->n_kept; i++)
        if (c->kept[i].lives > 0)
            free(c->kept[i].arrived.hsp.script.runs);
    free(c->kept);
    free(c->nodes);
    free(c);
}

/* --- who dominates whom --- */

static bool dominates(const struct arrived_hsp *p, const struct arrived_hsp *y)
{
    int64_t p_length = p->hsp.query_end - p->hsp.query, y_length = y->hsp.query_end - y->hsp.query;
    int64_t p_score = p->hsp.score, y_score = y->hsp.score, better;
    int begin = p->hsp.query > y->hsp.query ? p->hsp.query : y->hsp.query;
    int end = p->hsp.query_end < y->hsp.query_end ? p->hsp.query_end : y->hsp.query_end;

    if (2 * ((int64_t)end - begin) < y_length)
        return false;
    /* above 0 if 3 (s - t) / (s + t) + (l - m) / (l + m) is, for the scores s, t and the lengths l, m of p and y */
    better = 4 * p_score * p_length + 2 * p_score * y_length - 2 * y_score * p_length - 4 * y_score * y_length;
    if (better != 0)
        return better > 0;
    if (p_score != y_score)
        return p_score > y_score;
    if (p->oid != y->oid)
        return p->oid < y->oid;
    return p->hsp.subject <= y->hsp.subject;
}

/* Takes a life from the HSP at *link. Returns false if that was the last one: then the HSP is dropped, and *link is the next one. */
static bool strike(struct culling *c, uint32_t *link)
{
    uint32_t at = *link;
    struct kept *kept = &c->kept[at];

    if (--kept->lives > 0)
        return true;
    free(kept->arrived.hsp.script.runs);
    *link = kept->next;
    kept->next = c->free_kept;
    c->free_kept = at;
    return false;
}

static void strike_dominated(struct culling *c, uint32_t *link, const struct kept *by)
{
    while (*link != 0)
        if (!dominates(&by->arrived, &c->kept[*link].arrived) || strike(c, link))
            link = &c->kept[*link].next;
}

/* --- the tree --- */

static enum side side_of(const struct node *node, const struct hsp *hsp)
{
    int middle = (node->begin + node->end) / 2;

    return hsp->query_end < middle ? LEFT : hsp->query > middle ? RIGHT : BOTH;
}

/* Returns the node, or 0 if nothing is left in the node: then it is freed. */
static uint32_t unless_empty(struct culling *c, uint32_t at)
{
    struct node *node = &c->nodes[at];

    if (node->first != 0 || node->children[LEFT] != 0 || node->children[RIGHT] != 0)
        return at;
    node->first = c->free_node;
    c->free_node = at;
    return 0;
}

static uint32_t strike_all(struct culling *c, uint32_t at)
{
    struct node *node = &c->nodes[at];
    uint32_t *link = &node->first;

    if (at == 0)
        return 0;
    while (*link != 0)
        if (strike(c, link))
            link = &c->kept[*link].next;
    node->children[LEFT] = strike_all(c, node->children[LEFT]);
    node->children[RIGHT] = strike_all(c, node->children[RIGHT]);
    return unless_empty(c, at);
}

static bool is_leaf(const struct node *node) { return node->children[LEFT] == 0 && node->children[RIGHT] == 0; }

/*
 * A node below the one where the new HSP is filed. If the new HSP covers the node's whole range, all HSPs from here on down lose a life,
 * whatever their scores; otherwise those that the new one dominates do. An inner node is skipped if the new HSP lies on one side of its
 * middle: only the child on that side counts. The node that was skipped stays, even if nothing is left in it [sic]: later HSPs are filed
 * there.
 */
static uint32_t strike_below(struct culling *c, uint32_t at, const struct kept *by)
{
    struct node *node = &c->nodes[at];
    enum side side;

    if (at == 0)
        return 0;
    side = side_of(node, &by->arrived.hsp);
    if (by->arrived.hsp.query <= node->begin && by->arrived.hsp.query_end >= node->end)
        return strike_all(c, at);
    if (!is_leaf(node) && side != BOTH) {
        node->children[side] = strike_below(c, node->children[side], by);
        return at;
    }
    strike_dominated(c, &node->first, by);
    node->children[LEFT] = strike_below(c, node->children[LEFT], by);
    node->children[RIGHT] = strike_below(c, node->children[RIGHT], by);
    return unless_empty(c, at);
}

/* The new HSP's own node, and the nodes below. HSPs in the nodes above lose no life. */
static void strike_from(struct culling *c, uint32_t at, const struct kept *by)
{
    struct node *node = &c->nodes[at];

    strike_dominated(c, &node->first, by);
    node->children[LEFT] = strike_below(c, node->children[LEFT], by);
    node->children[RIGHT] = strike_below(c, node->children[RIGHT], by);
}

/* Do HSPs on the path down to its node dominate a new HSP too often? If not, the new one starts with the lives that are left. */
static bool is_dominated(const struct culling *c, struct kept *h)
{
    enum side side;

    for (uint32_t at = c->root; at != 0; at = side == BOTH ? 0 : c->nodes[at].children[side]) {
        for (uint32_t k = c->nodes[at].first; k != 0; k = c->kept[k].next)
            if (dominates(&c->kept[k].arrived, &h->arrived) && --h->lives <= 0)
                return true;
        side = side_of(&c->nodes[at], &h->arrived.hsp);
    }
    return false;
}

/* HSPs that lie on one side of the middle move to the new child there. Returns false if there is no memory; nothing is lost. */
static bool split_node(struct culling *c, uint32_t at)
{
    int begin = c->nodes[at].begin, end = c->nodes[at].end, middle = (begin + end) / 2;
    uint32_t children[2], *link;

    if (!new_node(c, begin, middle, &children[LEFT]) || !new_node(c, middle, end, &children[RIGHT]))
        return false;
    link = &c->nodes[at].first;
    while (*link != 0) {
        uint32_t k = *link;
        enum side side = side_of(&c->nodes[at], &c->kept[k].arrived.hsp);
        if (side == BOTH) {
            link = &c->kept[k].next;
            continue;
        }
        *link = c->kept[k].next;
        c->kept[k].next = c->nodes[children[side]].first;
        c->nodes[children[side]].first = k;
    }
    c->nodes[at].children[LEFT] = unless_empty(c, children[LEFT]);
    c->nodes[at].children[RIGHT] = unless_empty(c, children[RIGHT]);
    return true;
}

/* The deepest node that contains the HSP's range on one side of the parent's middle. */
static uint32_t node_of(const struct culling *c, const struct hsp *hsp)
{
    uint32_t at = c->root;

    for (;;) {
        enum side side = side_of(&c->nodes[at], hsp);
        if (side == BOTH || c->nodes[at].children[side] == 0)
            return at;
        at = c->nodes[at].children[side];
    }
}

static bool is_full(const struct culling *c, uint32_t at)
{
    const struct node *node = &c->nodes[at];
    int n = 0;

    if (!is_leaf(node) || node->end - node->begin < 2)
        return false;
    for (uint32_t k = node->first; k != 0 && n < SPLIT_AT; k = c->kept[k].next)
        n++;
    return n == SPLIT_AT;
}

tms_status culling_offer(struct culling *c, uint64_t oid, const struct hsp *hsp)
{
    struct kept h = {.arrived = {.hsp = *hsp, .oid = oid}, .lives = c->limit};
    uint32_t at, k;

    if (is_dominated(c, &h)) {
        free(h.arrived.hsp.script.runs);
        return TMS_OK;
    }
    if ((c->root == 0 && !new_node(c, 0, c->query_length, &c->root)) || !new_kept(c, &k)) {
        free(h.arrived.hsp.script.runs);
        return TMS_E_MEMORY;
    }
    at = node_of(c, hsp);
    strike_from(c, at, &h);
    h.next = c->nodes[at].first;
    c->kept[k] = h;
    c->nodes[at].first = k;
    return is_full(c, at) && !split_node(c, at) ? TMS_E_MEMORY : TMS_OK;
}

/* Copies a node's HSPs, the latest first, then its children's, to out + n. Returns the number of all in `out`. */
static size_t copy_left(const struct culling *c, uint32_t at, struct arrived_hsp *out, size_t n)
{
    const struct node *node = &c->nodes[at];

    if (at == 0)
        return n;
    for (uint32_t k = node->first; k != 0; k = c->kept[k].next)
        out[n++] = c->kept[k].arrived;
    n = copy_left(c, node->children[LEFT], out, n);
    return copy_left(c, node->children[RIGHT], out, n);
}

tms_status culling_take(struct culling *c, struct arrived_hsp **out, size_t *n)
{
    struct arrived_hsp *left = malloc(c->n_kept * sizeof *left);

    if (left == NULL)
        return TMS_E_MEMORY;
    *n = copy_left(c, c->root, left, 0);
    *out = left;
    c->n_kept = c->n_nodes = 1;
    c->free_kept = c->free_node = c->root = 0;
    return TMS_OK;
}
