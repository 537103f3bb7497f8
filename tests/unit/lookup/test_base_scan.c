/* test_base_scan.c - tables of words of bases against plain lists, and scans against all pairs of positions. */
#include "lookup/base_sieve.h"

#include "base/array.h"
#include "score/base_scores.h"
#include "unit/extend/base_samples.h"

enum { ROUNDS = 60, MOST_STRANDS = 6, MOST_LENGTH = 400 };

static const char template_of_11[] = "101101100101101101";

/* Strands with codes at random, a part of them taken from the others, and segments that leave out some of their positions. */
struct group {
    struct codes codes[MOST_STRANDS];
    struct base_strand strands[MOST_STRANDS];
    size_t n;
    struct residue_range segments[4 * MOST_STRANDS];
    size_t n_segments;
};

static void make_group(sample_random *r, unsigned rarity, bool has_masks, struct group *g)
{
    int at = 0;

    g->n = 1 + random_below(r, MOST_STRANDS - 1);
    g->n_segments = 0;
    for (size_t i = 0; i < g->n; i++) {
        const int n = 1 + (int)random_below(r, MOST_LENGTH - 1), middle = has_masks ? (int)random_below(r, (unsigned)n) : n;
        g->codes[i] = random_codes(r, n, rarity, random_below(r, 3) == 0 ? 1 + (int)random_below(r, 30) : 0);
        g->strands[i] = (struct base_strand){g->codes[i].codes, n, {.x_drop = 20, .cutoff = 1, .exact_cutoff = 1}};
        g->segments[g->n_segments++] = (struct residue_range){at, at + middle};
        if (middle + 3 < n)
            g->segments[g->n_segments++] = (struct residue_range){at + middle + 3, at + n};
        at += n + 1;
    }
}

static void free_group(struct group *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->codes[i].memory);
}

/* Whether a word of the table begins at a position, and *word: which. */
static bool has_word(const struct base_words *w, const struct base_strands *s, const struct group *g, const char *bits, int position,
                     uint32_t *word)
{
    const int span = bits != NULL ? (int)strlen(bits) : w->width;
    bool is_in = false;

    *word = 0;
    for (size_t i = 0; i < g->n_segments; i++) {
        const struct residue_range segment = g->segments[i];
        is_in |= position >= segment.first && position + span <= segment.end &&
                 (bits != NULL || segment.end - segment.first >= w->word_size);
    }
    for (int k = 0; k < span && is_in; k++) {
        const uint8_t code = s->queries.codes[position + k];
        is_in = code < 4;
        if (bits == NULL || bits[k] == '1')
            *word = *word << 2 | (code & 3);
    }
    return is_in;
}

/* Each word of the table has the positions of a plain list, in the order of its kind. */
static void check_table(const struct base_words *w, const struct base_strands *s, const struct group *g, const char *bits)
{
    const bool descends = w->kind == BASE_WORDS_LARGE || w->kind == BASE_WORDS_TEMPLATE;
    size_t n_positions = 0;

    for (int p = 0; p < s->queries.n; p++) {
        uint32_t word;
        const bool is_there = has_word(w, s, g, bits, p, &word);
        bool is_found = false;
        if (bits == NULL)
            assert_int_equal(base_words_is_indexed(w, p), is_there);
        if (!is_there)
            continue;
        n_positions++;
        assert_true(base_words_has(w, word));
        for (uint32_t k = w->starts[word]; k < w->starts[word + 1]; k++) {
            is_found |= w->positions[k] == p;
            if (k > w->starts[word])
                assert_true(descends ? w->positions[k] < w->positions[k - 1] : w->positions[k] > w->positions[k - 1]);
        }
        assert_true(is_found);
    }
    assert_int_equal(w->n_positions, n_positions);
}

static void test_tables(void **state)
{
    static const int sizes[] = {4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 28, 64};
    sample_random r = {sample_seed()};

    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        const char *bits = round % 5 == 4 ? template_of_11 : NULL;
        const struct base_words_rules rules = {sizes[random_below(&r, sizeof sizes / sizeof *sizes)], bits};
        struct base_strands strands;
        struct base_words words;
        struct group g;
        make_group(&r, round % 2 ? 40 : 0, round % 3 == 0, &g);
        assert_int_equal(base_strands_init(g.strands, g.n, &strands), TMS_OK);
        assert_int_equal(base_words_build(&rules, &strands, g.segments, g.n_segments, NULL, 0, &words), TMS_OK);
        check_table(&words, &strands, &g, bits);
        for (int p = 0; p <= strands.queries.n; p++) {
            const size_t i = base_strand_at(&strands, p);
            assert_true(strands.items[i].first <= p && p <= strands.items[i].end);
        }
        base_words_free(&words);
        base_strands_free(&strands);
        free_group(&g);
    }
}

/* A table that threads make together. */
struct shared_table {
    struct shared_tasks tasks;
    const struct base_words_rules *rules;
    const struct base_strands *strands;
    const struct group *group;
    struct base_words words;
    tms_status status;
};

static void make_table(void *arg, size_t task, int thread)
{
    struct shared_table *t = arg;

    if (task > 0) {
        shared_tasks_help(&t->tasks, thread);
        return;
    }
    t->status = base_words_build(t->rules, t->strands, t->group->segments, t->group->n_segments, &t->tasks, thread, &t->words);
    shared_tasks_end_one(&t->tasks);
}

static void assert_same_table(const struct base_words *a, const struct base_words *b, int n)
{
    const size_t n_words = (size_t)1 << 2 * a->width;

    assert_int_equal(a->n_positions, b->n_positions);
    assert_memory_equal(a->positions, b->positions, a->n_positions * sizeof *a->positions);
    assert_memory_equal(a->starts, b->starts, (n_words + 1) * sizeof *a->starts);
    assert_memory_equal(a->present, b->present, n_words / 8);
    assert_memory_equal(a->indexed, b->indexed, (size_t)n / 8);
}

/* Tables of so many positions that threads share them: a list's, and those of one thread. */
static void test_large_tables(void **state)
{
    enum { LENGTH = 330000, N_THREADS = 4 };
    static const struct base_words_rules rules[] = {{8, NULL}, {12, NULL}, {28, NULL}, {11, template_of_11}};
    sample_random r = {sample_seed()};
    struct group g = {
        .n = 2, .segments = {{0, 99999}, {100002, LENGTH}, {LENGTH + 1, LENGTH + 9}, {LENGTH + 150000, 2 * LENGTH + 1}}, .n_segments = 4};
    struct base_strands strands;
    tms_context *ctx;

    (void)state;
    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, N_THREADS));
    for (size_t i = 0; i < g.n; i++) {
        g.codes[i] = random_codes(&r, LENGTH, 5000, 0);
        g.strands[i] = (struct base_strand){g.codes[i].codes, LENGTH, {.x_drop = 20, .cutoff = 1, .exact_cutoff = 1}};
    }
    assert_int_equal(base_strands_init(g.strands, g.n, &strands), TMS_OK);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct shared_table t = {.rules = &rules[i], .strands = &strands, .group = &g};
        struct base_words alone;
        assert_int_equal(base_words_build(&rules[i], &strands, g.segments, g.n_segments, NULL, 0, &alone), TMS_OK);
        check_table(&alone, &strands, &g, rules[i].bits);
        shared_tasks_init(&t.tasks);
        shared_tasks_begin(&t.tasks, 1);
        ASSERT_OK(ctx, tms_context_run(ctx, N_THREADS, make_table, &t));
        assert_int_equal(t.status, TMS_OK);
        assert_same_table(&alone, &t.words, strands.queries.n);
        shared_tasks_destroy(&t.tasks);
        base_words_free(&t.words);
        base_words_free(&alone);
    }
    base_strands_free(&strands);
    free_group(&g);
    tms_context_destroy(ctx);
}

/* Equal bases in a row from a pair of positions on, within the strand and the chunk. */
static int run_from(const struct base_strands *s, const struct ungapped_strand *strand, const struct packed_bases *chunk, int q, int at)
{
    int n = 0;

    while (q + n < strand->end && at + n < chunk->n && s->queries.codes[q + n] < 4 && s->queries.codes[q + n] == packed_base(chunk, at + n))
        n++;
    return n;
}

/* Each run of equal bases that is as long as a word lies in an ungapped HSP of its diagonal. */
static void check_scan(const struct base_lookup *l, const struct packed_bases *chunk, const struct base_found *found, int word_size)
{
    for (size_t i = 0; i < l->strands.n; i++) {
        const struct ungapped_strand *strand = &l->strands.items[i];
        for (int q = strand->first; q < strand->end; q++)
            for (int at = 0; at < chunk->n; at++) {
                bool is_found = false;
                if (run_from(&l->strands, strand, chunk, q, at) < word_size)
                    continue;
                for (size_t k = 0; k < found->n && !is_found; k++) {
                    const struct ungapped_bases *h = &found->hsps[k].hsp;
                    is_found = h->subject - h->query == at - q && h->query <= q && q + word_size <= h->query + h->length;
                }
                assert_true(is_found);
            }
    }
}

/* Words of the chunk that a scan without masks looks up, and those of them that the table has. */
static void count_words(const struct base_words *words, const struct packed_bases *chunk, uint64_t *n_looked_up, uint64_t *n_present)
{
    for (int at = 0; at + words->span <= chunk->n; at += words->stride) {
        ++*n_looked_up;
        *n_present += base_words_has(words, base_words_word(words, packed_from(chunk, at)));
    }
}

static void test_scans(void **state)
{
    static const int sizes[] = {4, 7, 8, 10, 11, 12, 16, 28};
    sample_random r = {sample_seed()};
    static struct base_scores scores;

    (void)state;
    base_scores_init(2, -3, &scores);
    for (int round = 0; round < ROUNDS; round++) {
        const struct base_words_rules rules = {sizes[random_below(&r, sizeof sizes / sizeof *sizes)], NULL};
        struct base_lookup l = {.n_words = 1};
        struct base_diagonals diagonals;
        struct base_found found = {0};
        uint64_t n_looked_up = 0, n_present = 0;
        struct group g;
        make_group(&r, 0, false, &g);
        assert_int_equal(base_strands_init(g.strands, g.n, &l.strands), TMS_OK);
        assert_int_equal(base_words_build(&rules, &l.strands, g.segments, g.n_segments, NULL, 0, &l.words[0]), TMS_OK);
        ungapped_base_costs_init(&l.costs, scores.scores, 2, -3, rules.word_size);
        l.checks_masks = l.words[0].width < rules.word_size;
        assert_int_equal(base_diagonals_init(l.strands.queries.n, 0, 0, rules.word_size, &diagonals), TMS_OK);
        for (size_t i = 0; i < g.n; i++) { /* strands are chunks, too: the diagonals pass from one to the next */
            uint8_t *bytes = calloc((size_t)g.codes[i].n / 4 + 1, 1);
            const struct packed_bases chunk = {bytes, g.codes[i].n};
            for (int k = 0; k < chunk.n; k++)
                bytes[k / 4] |= (uint8_t)(g.codes[i].codes[k] << (6 - 2 * (k % 4)));
            found.n = 0;
            assert_int_equal(base_scan(&l, &chunk, NULL, 0, &diagonals, &found), TMS_OK);
            check_scan(&l, &chunk, &found, rules.word_size);
            count_words(&l.words[0], &chunk, &n_looked_up, &n_present);
            free(bytes);
        }
        assert_int_equal(found.n_looked_up, n_looked_up);
        assert_int_equal(found.n_present, n_present);
        assert_true(found.n_hits >= n_present && found.n_extensions <= found.n_hits);
        free(found.hsps);
        base_diagonals_free(&diagonals);
        base_words_free(&l.words[0]);
        base_strands_free(&l.strands);
        free_group(&g);
    }
}

/* --- sieved hits --- */

/* Whether the approximate extension of a hit calls for the exact one: strands take any extension, so the scan's own cutoff does. */
static bool reaches(const struct base_lookup *l, const struct packed_bases *chunk, struct base_hit h)
{
    const struct ungapped_strand *strand = &l->strands.items[base_strand_at(&l->strands, h.query)];
    struct ungapped_strand any = *strand;
    struct ungapped_bases hsp = {.word_query = h.query, .word_subject = h.subject};

    any.cutoff = 0; /* so that only the approximate extension decides */
    return ungapped_bases_extend(&l->costs, &l->strands.queries, &any, chunk, &hsp);
}

/* The bases of the run of equal bases that a hit is in. */
static int run_around(const struct base_lookup *l, const struct packed_bases *chunk, struct base_hit h)
{
    const int before = packed_same_before(&l->strands.queries, h.query, chunk, h.subject, h.query < h.subject ? h.query : h.subject);
    const int left_q = l->strands.queries.n - h.query, left_s = chunk->n - h.subject;

    return before + packed_same_from(&l->strands.queries, h.query, chunk, h.subject, left_q < left_s ? left_q : left_s);
}

/* Whether a sieve passes a hit (base_sieve.h), bit by bit. */
static bool passes(const struct base_lookup *l, const struct packed_bases *chunk, struct base_hit h)
{
    const struct base_words *w = &l->words[0];

    if (w->width < w->word_size)
        return run_around(l, chunk, h) >= w->word_size;
    if (h.query > 0 && h.subject > 0 && base_words_is_indexed(w, h.query - 1) &&
        packed_same_before(&l->strands.queries, h.query, chunk, h.subject, 1) == 1)
        return false;
    return reaches(l, chunk, h);
}

static int compare_hsps(const void *pa, const void *pb)
{
    const struct ungapped_bases *a = pa, *b = pb;
    const int order = ungapped_bases_compare(a, b);

    return order != 0 ? order : (a->word_subject > b->word_subject) - (a->word_subject < b->word_subject);
}

/* Scans with all hits, and with those that pass: the same HSPs, from the same words, as often. Returns how many. */
static size_t compare_scans(const struct base_lookup *l, const struct packed_bases *chunk, struct base_diagonals *diagonals)
{
    const struct base_words *w = &l->words[0];
    struct base_found all = {0}, sieved = {0};
    struct base_hit *hits = NULL;
    size_t n = 0, capacity = 0;

    assert_int_equal(base_scan(l, chunk, NULL, 0, &diagonals[0], &all), TMS_OK);
    for (int at = 0; at + w->span <= chunk->n; at += w->stride) {
        const uint32_t word = base_words_word(w, packed_from(chunk, at));
        for (uint32_t k = w->starts[word]; k < w->starts[word + 1]; k++) {
            const struct base_hit h = {w->positions[k], at};
            assert_true(array_reserve(&hits, &capacity, n + 1, sizeof *hits));
            if (passes(l, chunk, h))
                hits[n++] = h;
        }
    }
    assert_true(n <= all.n_hits);
    assert_int_equal(base_scan_hits(l, chunk, hits, n, &diagonals[1], &sieved), TMS_OK);
    assert_int_equal(all.n, sieved.n);
    if (all.n > 0) {
        qsort(all.hsps, all.n, sizeof *all.hsps, compare_hsps);
        qsort(sieved.hsps, sieved.n, sizeof *sieved.hsps, compare_hsps);
        assert_memory_equal(all.hsps, sieved.hsps, all.n * sizeof *all.hsps);
    }
    n = all.n;
    free(hits);
    free(all.hsps);
    free(sieved.hsps);
    return n;
}

/* Random bases with pieces of a unit: so many diagonals are hit near one another that cells of the table are used again within reach. */
static struct codes pieces_of_unit(sample_random *r, const uint8_t *unit, int n_unit, int least, int n)
{
    struct codes c = random_codes(r, n, 0, 0);

    for (int at = 0; at + n_unit < n; at += n_unit + 5) {
        const int first = (int)random_below(r, (unsigned)(n_unit - least + 1)), rest = n_unit - least - first;
        memcpy(c.codes + at, unit + first, (size_t)(least + (rest > 0 ? (int)random_below(r, (unsigned)rest + 1) : 0)));
    }
    return c;
}

/* Queries of so many positions that diagonals are in a table, whose cells are used again. Repeats have many hits. */
static void test_sieved_hits(void **state)
{
    static const int sizes[] = {11, 11, 12, 16, 28}, lengths[] = {13000, 60000, 200000}; /* the last: words of 11 as a whole */
    sample_random r = {sample_seed()};
    static struct base_scores scores;
    size_t n_found[2] = {0, 0}; /* by whether words are whole */

    (void)state;
    base_scores_init(1, -2, &scores);
    for (int round = 0; round < 24; round++) {
        const struct base_words_rules rules = {sizes[random_below(&r, sizeof sizes / sizeof *sizes)], NULL};
        const int length = lengths[round % 3], period = round % 4 == 3 ? 1 + (int)random_below(&r, 60) : 0;
        struct codes unit = random_codes(&r, 45, 0, 0), query, copy;
        const struct residue_range segment = {round % 5 == 0 ? 100 : 0, length};
        struct base_lookup l = {.n_words = 1, .checks_masks = round % 5 == 0};
        struct base_diagonals diagonals[2];
        struct base_strand strand;
        uint8_t *bytes = calloc(3000 / 4 + 1, 1);
        int n;
        query = round % 4 == 1 ? pieces_of_unit(&r, unit.codes, 45, 28, length) : random_codes(&r, length, round % 2 ? 300 : 0, period);
        copy = round % 4 == 1 ? pieces_of_unit(&r, unit.codes, 45, 45, 3000) : changed_codes(&r, &query, 12);
        n = copy.n < 3000 ? copy.n : 3000;
        for (int k = 0; k < n; k++)
            bytes[k / 4] |= (uint8_t)((copy.codes[k] & 3) << (6 - 2 * (k % 4)));
        strand = (struct base_strand){query.codes, length, {.x_drop = 10, .cutoff = 14, .exact_cutoff = 14}};
        assert_int_equal(base_strands_init(&strand, 1, &l.strands), TMS_OK);
        assert_int_equal(base_words_build(&rules, &l.strands, &segment, 1, NULL, 0, &l.words[0]), TMS_OK);
        l.checks_masks &= l.words[0].width < rules.word_size;
        ungapped_base_costs_init(&l.costs, scores.scores, 1, -2, rules.word_size);
        for (int i = 0; i < 2; i++)
            assert_int_equal(base_diagonals_init(l.strands.queries.n, 0, 0, rules.word_size, &diagonals[i]), TMS_OK);
        if (base_sieve_takes(&l))
            n_found[l.words[0].width == rules.word_size] += compare_scans(&l, &(struct packed_bases){bytes, n}, diagonals);
        for (int i = 0; i < 2; i++)
            base_diagonals_free(&diagonals[i]);
        base_words_free(&l.words[0]);
        base_strands_free(&l.strands);
        free(bytes);
        free(unit.memory);
        free(query.memory);
        free(copy.memory);
    }
    assert_true(n_found[0] > 0 && n_found[1] > 0);
}

/* The table keeps what the array keeps, as long as cells are not used again within reach. */
static void test_diagonals(void **state)
{
    sample_random r = {sample_seed()};
    struct base_diagonals array, table;

    (void)state;
    assert_int_equal(base_diagonals_init(1000, 40, 0, 11, &array), TMS_OK);
    assert_int_equal(base_diagonals_init(100000, 40, 0, 11, &table), TMS_OK);
    assert_true(array.mask > 0 && table.mask == 0);
    for (int at = 0; at < 4000; at++) {
        const int diagonal = at - (int)random_below(&r, 900), position = at + array.base;
        const struct base_diagonal a = base_diagonal_get(&array, diagonal), t = base_diagonal_get(&table, diagonal);
        const struct base_diagonal next = {position + 11, 11, at % 3 == 0};
        if (a.level + 40 > position) { /* within reach */
            assert_int_equal(t.level, a.level);
            assert_int_equal(t.is_extended, a.is_extended);
        }
        assert_int_equal(base_diagonal_set(&array, diagonal, position, next), TMS_OK);
        assert_int_equal(base_diagonal_set(&table, diagonal, position, next), TMS_OK);
    }
    base_diagonals_free(&array);
    base_diagonals_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_tables), cmocka_unit_test(test_large_tables), cmocka_unit_test(test_scans),
                                       cmocka_unit_test(test_diagonals), cmocka_unit_test(test_sieved_hits)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
