/*
 * test_culling.c - the interval tree against a definition without one: HSPs in a flat array, each with the range of the query of its node,
 * and the ranges of all nodes.
 */
#include "hits/culling.h"
#include "unit/hits/hsp_samples.h"

enum { MOST = 500, FULL = 20, ROUNDS = 60 };

struct range {
    int begin, end;
};

struct plain {
    struct hsp hsp;
    uint64_t oid;
    int lives;
    struct range node;
};

static struct {
    struct plain items[MOST];
    size_t n;
    struct range nodes[MOST]; /* n_nodes, but for the root */
    size_t n_nodes;
    int length, limit;
} plain;

static bool dominates(const struct plain *p, const struct plain *y)
{
    const int begin = p->hsp.query > y->hsp.query ? p->hsp.query : y->hsp.query;
    const int end = p->hsp.query_end < y->hsp.query_end ? p->hsp.query_end : y->hsp.query_end;
    const int s = p->hsp.score, t = y->hsp.score, l = p->hsp.query_end - p->hsp.query, m = y->hsp.query_end - y->hsp.query;
    const int better = 3 * (s - t) * (l + m) + (l - m) * (s + t); /* 3 (s - t) / (s + t) + (l - m) / (l + m) */

    if (2 * (end - begin) < m)
        return false;
    if (better != 0)
        return better > 0;
    return s != t ? s > t : p->oid != y->oid ? p->oid < y->oid : p->hsp.subject <= y->hsp.subject;
}

static bool is_within(struct range a, struct range b) { return b.begin <= a.begin && a.end <= b.end; }
static bool is_same(struct range a, struct range b) { return a.begin == b.begin && a.end == b.end; }

/* -1: left of the middle, 1: right, 0: across. */
static int side_of(struct range node, const struct hsp *h)
{
    const int middle = (node.begin + node.end) / 2;

    return h->query_end < middle ? -1 : h->query > middle ? 1 : 0;
}

static struct range child_of(struct range node, int side)
{
    const int middle = (node.begin + node.end) / 2;

    return side < 0 ? (struct range){node.begin, middle} : (struct range){middle, node.end};
}

static struct range *find_node(struct range node)
{
    for (size_t i = 0; i < plain.n_nodes; i++)
        if (is_same(plain.nodes[i], node))
            return &plain.nodes[i];
    return NULL;
}

static bool is_there(struct range node) { return find_node(node) != NULL; }

/* A node of one residue, which would be its own child, is never split. */
static bool is_short(struct range node) { return node.end - node.begin < 2; }

static bool is_leaf(struct range node) { return is_short(node) || (!is_there(child_of(node, -1)) && !is_there(child_of(node, 1))); }

/* Does the new HSP, filed in `own`, take a life from y, in a node below? */
static bool reaches(const struct plain *x, struct range own, const struct plain *y)
{
    struct range at = own;

    for (;;) {
        const int side = side_of(at, &x->hsp), side_of_y = y->node.end <= (at.begin + at.end) / 2 ? -1 : 1;
        if (!is_same(at, own) && x->hsp.query <= at.begin && x->hsp.query_end >= at.end)
            return true;
        if (is_same(at, y->node))
            return (side == 0 || is_leaf(at) || is_same(at, own)) && dominates(x, y);
        if (side != 0 && (is_same(at, own) || side != side_of_y))
            return false;
        at = child_of(at, side_of_y);
    }
}

static struct range node_of(const struct plain *x)
{
    struct range at = {0, plain.length};

    for (;;) {
        const int side = side_of(at, &x->hsp);
        if (side == 0 || !is_there(child_of(at, side)))
            return at;
        at = child_of(at, side);
    }
}

static void split_if_full(struct range node)
{
    int n = 0;

    for (size_t i = 0; i < plain.n; i++)
        n += plain.items[i].lives > 0 && is_same(plain.items[i].node, node);
    if (n < FULL || !is_leaf(node) || is_short(node))
        return;
    for (size_t i = 0; i < plain.n; i++) {
        struct plain *p = &plain.items[i];
        const int side = side_of(node, &p->hsp);
        if (p->lives > 0 && is_same(p->node, node) && side != 0) {
            p->node = child_of(node, side);
            if (!is_there(p->node))
                plain.nodes[plain.n_nodes++] = p->node;
        }
    }
}

static bool is_empty(struct range node)
{
    for (size_t i = 0; i < plain.n; i++)
        if (plain.items[i].lives > 0 && is_same(plain.items[i].node, node))
            return false;
    return is_leaf(node);
}

/* Removes the empty ones of a node and those below that a new HSP visits: with `all` all of them. */
static void remove_empty(struct range node, const struct hsp *h, bool all)
{
    const int side = side_of(node, h);
    struct range *empty;

    if (!is_there(node))
        return;
    all |= h->query <= node.begin && h->query_end >= node.end;
    if (!all && side != 0 && !is_leaf(node)) { /* passed through */
        remove_empty(child_of(node, side), h, false);
        return;
    }
    if (!is_leaf(node)) {
        remove_empty(child_of(node, -1), h, all);
        remove_empty(child_of(node, 1), h, all);
    }
    if (!is_empty(node))
        return;
    empty = find_node(node);
    *empty = plain.nodes[--plain.n_nodes];
}

static void offer_plainly(uint64_t oid, const struct hsp *hsp)
{
    struct plain x = {*hsp, oid, plain.limit, {0, 0}};
    bool is_struck[MOST];

    x.node = node_of(&x);
    for (size_t i = 0; i < plain.n; i++) { /* nodes above, and the own one */
        const struct plain *p = &plain.items[i];
        const bool is_on_path = p->lives > 0 && is_within(x.node, p->node);
        x.lives -= is_on_path && dominates(p, &x);
        is_struck[i] = p->lives > 0 && is_within(p->node, x.node) && reaches(&x, x.node, p);
    }
    if (x.lives <= 0)
        return;
    for (size_t i = 0; i < plain.n; i++)
        plain.items[i].lives -= is_struck[i];
    if (!is_leaf(x.node)) {
        remove_empty(child_of(x.node, -1), hsp, false);
        remove_empty(child_of(x.node, 1), hsp, false);
    }
    plain.items[plain.n++] = x;
    split_if_full(x.node);
}

/* Takes the HSPs that are left to a list; the subjects come in the order of the database. */
static struct hit_list take(struct culling *culling)
{
    struct hit_list list = {.max_hits = MOST};
    struct arrived_hsp *left;
    size_t n;

    assert_int_equal(culling_take(culling, &left, &n), TMS_OK);
    assert_int_equal(hit_list_add_arrived(&list, left, n), TMS_OK);
    free(left);
    return list;
}

static bool is_of(const struct hsp *a, const struct plain *p)
{
    return p->lives > 0 && a->query == p->hsp.query && a->query_end == p->hsp.query_end && a->score == p->hsp.score;
}

/* All that are left by definition, in the order of the tree: node before child, left before right, and the latest of a node first. */
static void assert_left(struct culling *culling)
{
    struct arrived_hsp *left;
    size_t n, n_plain = 0;
    struct plain *before = NULL;

    assert_int_equal(culling_take(culling, &left, &n), TMS_OK);
    for (size_t i = 0; i < plain.n; i++)
        n_plain += plain.items[i].lives > 0;
    assert_int_equal(n, n_plain);
    for (size_t i = 0; i < n; i++) {
        struct plain *p = plain.items;
        while (p < plain.items + plain.n && !(p->oid == left[i].oid && is_of(&left[i].hsp, p)))
            p++;
        assert_true(p < plain.items + plain.n);
        p->lives = 0; /* taken */
        assert_true(before == NULL || is_same(before->node, p->node) || !is_within(before->node, p->node));
        assert_true(before == NULL || is_within(p->node, before->node) || before->node.begin < p->node.begin);
        before = p;
    }
    arrived_free(left, n);
}

static void begin(int length, int limit, struct culling **culling)
{
    plain.n = plain.n_nodes = 0;
    plain.length = length;
    plain.limit = limit;
    assert_int_equal(culling_create(length, limit, culling), TMS_OK);
}

static struct hsp any_hsp(sample_random *random, int length)
{
    const int longest = random_below(random, 12) == 0 ? length : length / (8 << random_below(random, 4)) + 1;
    const int n = 1 + (int)random_below(random, (uint64_t)longest);
    const int query = (int)random_below(random, (uint64_t)(length - n + 1));

    return hsp_at(query, query + n, query, query + n, 1 + (int)random_below(random, 60));
}

static void test_tree(void **state)
{
    sample_random random = {sample_seed()};
    size_t n_left = 0, n_offered = 0, deepest = 0;

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const int length = round % 2 ? 4000 : 16 + (int)random_below(&random, 200);
        const size_t n = random_below(&random, MOST);
        struct culling *culling;
        uint64_t oid = 0;
        begin(length, 1 + (int)random_below(&random, 6), &culling);
        for (int again = 0; again < 2; again++) { /* a culling is used again after culling_take() */
            plain.n = plain.n_nodes = 0;
            for (size_t i = 0; i < n; i++) {
                const struct hsp h = any_hsp(&random, length);
                oid += random_below(&random, 2);
                offer_plainly(oid, &h);
                assert_int_equal(culling_offer(culling, oid, &h), TMS_OK);
            }
            n_offered += n;
            for (size_t i = 0; i < plain.n; i++) {
                size_t depth = 0;
                if (plain.items[i].lives <= 0)
                    continue;
                n_left++;
                for (int size = plain.items[i].node.end - plain.items[i].node.begin; size < length / 2; size *= 2)
                    depth++;
                deepest = depth > deepest ? depth : deepest;
            }
            assert_left(culling);
        }
        culling_destroy(culling);
    }
    assert_true(n_left > 0 && n_left < n_offered);
    assert_true(deepest >= 2); /* else the tree was not tested */
}

/* --- by hand --- */

/* How many are left of n HSPs, one of each subject; *first: which is the first that is. */
static size_t n_left_of(const struct hsp *items, size_t n, int limit, size_t *first)
{
    struct hit_list list;
    struct culling *culling;
    size_t left;

    assert_int_equal(culling_create(1000, limit, &culling), TMS_OK);
    for (size_t i = 0; i < n; i++) {
        struct hsp h = items[i];
        h.script = sample_script();
        assert_int_equal(culling_offer(culling, i, &h), TMS_OK);
    }
    list = take(culling);
    left = list.n;
    *first = list.items[0].oid;
    hit_list_free(&list);
    culling_destroy(culling);
    return left;
}

/* Of five on one range a limit of k leaves the k best, in whatever order they come. */
static void test_limit(void **state)
{
    const struct hsp up[] = {{0, 100, 0, 100, .score = 50},
                             {0, 100, 0, 100, .score = 60},
                             {0, 100, 0, 100, .score = 70},
                             {0, 100, 0, 100, .score = 80},
                             {0, 100, 0, 100, .score = 90}};
    const struct hsp down[] = {up[4], up[3], up[2], up[1], up[0]};

    (void)state;
    for (size_t limit = 1; limit <= 7; limit++) {
        size_t first;
        assert_int_equal(n_left_of(up, 5, (int)limit, &first), limit < 5 ? limit : 5);
        assert_int_equal(first, limit < 5 ? 5 - limit : 0);
        assert_int_equal(n_left_of(down, 5, (int)limit, &first), limit < 5 ? limit : 5);
        assert_int_equal(first, 0);
    }
}

static void test_half(void **state)
{
    const struct hsp half[] = {{0, 100, 0, 100, .score = 90}, {50, 150, 50, 150, .score = 20}};
    const struct hsp less[] = {{0, 100, 0, 100, .score = 90}, {51, 151, 51, 151, .score = 20}};

    size_t first;

    (void)state;
    assert_int_equal(n_left_of(half, 2, 1, &first), 1);
    assert_int_equal(n_left_of(less, 2, 1, &first), 2);
}

/* 3 x 10 / 110 is less than 60 / 140, and more than 40 / 160. */
static void test_criterion(void **state)
{
    const struct hsp longer_wins[] = {{0, 100, 0, 100, .score = 50}, {0, 40, 0, 40, .score = 60}};
    const struct hsp shorter_wins[] = {{0, 100, 0, 100, .score = 50}, {0, 60, 0, 60, .score = 60}};
    size_t first;

    (void)state;
    assert_int_equal(n_left_of(longer_wins, 2, 1, &first), 1);
    assert_int_equal(first, 0);
    assert_int_equal(n_left_of(shorter_wins, 2, 1, &first), 1);
    assert_int_equal(first, 1);
}

/* The second one of equals goes: of two subjects the one of the higher ordinal id. */
static void test_equals(void **state)
{
    const struct hsp items[] = {{0, 100, 7, 107, .score = 50}, {0, 100, 0, 100, .score = 50}};
    struct hit_list list;
    struct culling *culling;

    (void)state;
    assert_int_equal(culling_create(1000, 1, &culling), TMS_OK);
    assert_int_equal(culling_offer(culling, 8, &items[0]), TMS_OK);
    assert_int_equal(culling_offer(culling, 5, &items[0]), TMS_OK); /* drops the first */
    assert_int_equal(culling_offer(culling, 6, &items[1]), TMS_OK); /* is dropped */
    assert_int_equal(culling_offer(culling, 5, &items[1]), TMS_OK); /* drops the second: it begins earlier in the subject */
    assert_int_equal(culling_offer(culling, 5, &items[1]), TMS_OK); /* is dropped: the same once more */
    list = take(culling);
    assert_int_equal(list.n, 1);
    assert_int_equal(list.items[0].oid, 5);
    assert_int_equal(list.items[0].hsps.n, 1);
    assert_int_equal(list.items[0].hsps.items[0].subject, 0);
    hit_list_free(&list);
    culling_destroy(culling);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tree), cmocka_unit_test(test_limit), cmocka_unit_test(test_half),
                                       cmocka_unit_test(test_criterion), cmocka_unit_test(test_equals)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
