/*
 * test_ungapped_bases.c - packed bases and ungapped extension against plain forms: base by base, and four bases at a time as blastn's
 * source describes them; queries with ambiguous bases, several strands, words at all places.
 */
#include "alphabet/residues.h"
#include "extend/ungapped_bases.h"
#include "unit/extend/base_samples.h"

static int scores[RESIDUE_CODES * RESIDUE_CODES];

/* Not blastn's scores of ambiguous bases: any will do. */
static void set_scores(int reward, int penalty)
{
    for (int i = 0; i < RESIDUE_CODES; i++)
        for (int j = 0; j < RESIDUE_CODES; j++)
            scores[RESIDUE_CODES * i + j] = i == j ? reward : i >= BASE_AMBIGUOUS ? (i * 7 + j) % 3 - 1 : penalty;
}

/* --- packed bases --- */

static void test_packed(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;

    for (int round = 0; round < 400; round++) {
        struct codes query = random_codes(&r, 1 + (int)random_below(&r, 100), round % 2 ? 30 : 0, round % 3);
        struct codes subject = random_codes(&r, 1 + (int)random_below(&r, 100), 0, round % 3);
        struct packed_bases packed = packed_codes(&subject);
        struct packed_queries queries;
        assert_int_equal(packed_queries_init(&queries, query.codes, query.n), TMS_OK);
        for (int k = 0; k < 200; k++) {
            const int q = (int)random_below(&r, (uint64_t)query.n + 1), s = (int)random_below(&r, (uint64_t)subject.n + 1);
            const int after = query.n - q < subject.n - s ? query.n - q : subject.n - s, before = q < s ? q : s;
            int same = 0;
            while (same < after && query.codes[q + same] == subject.codes[s + same])
                same++;
            assert_int_equal(packed_same_from(&queries, q, &packed, s, after), same);
            for (same = 0; same < before && query.codes[q - 1 - same] == subject.codes[s - 1 - same];)
                same++;
            assert_int_equal(packed_same_before(&queries, q, &packed, s, before), same);
            if (s < subject.n)
                assert_int_equal(packed_base(&packed, s), subject.codes[s]);
        }
        packed_queries_free(&queries);
        free((void *)(uintptr_t)packed.bytes);
        free(query.memory);
        free(subject.memory);
    }
}

/* --- plain forms --- */

struct sample {
    struct codes query, subject;
    struct ungapped_strand strand;
    int reward, penalty, word_size;
};

static int four_plainly(const struct sample *x, int q, int s)
{
    const uint8_t *a = x->query.codes + q, *b = x->subject.codes + s;
    const int bits = ((a[0] << 6 | a[1] << 4 | a[2] << 2 | a[3]) & 255) ^ (b[0] << 6 | b[1] << 4 | b[2] << 2 | b[3]);
    int score = 0;

    for (int k = 0; k < 4; k++)
        score += (bits >> 2 * k & 3) != 0 ? x->penalty : x->reward;
    return score;
}

static int lesser(int a, int b) { return a < b ? a : b; }

static struct ungapped_bases approach_plainly(const struct sample *x, int word_query, int word_subject)
{
    const int ahead = (4 - word_subject % 4) % 4, q = word_query + ahead, s = word_subject + ahead;
    struct ungapped_bases h = {word_query, word_subject, 0, 0, 0, 0};
    int sum = 0, first = q, last = q - 1, word_end = word_subject + x->word_size;

    for (int i = 1; i <= lesser(q, s) / 4; i++) {
        sum += four_plainly(x, q - 4 * i, s - 4 * i);
        if (sum > 0) {
            first = q - 4 * i;
            h.score += sum;
            sum = 0;
        }
        if (sum < -x->strand.x_drop)
            break;
    }
    sum = 0;
    for (int i = 0; i < lesser(x->query.n - q, x->subject.n - s) / 4; i++) {
        sum += four_plainly(x, q + 4 * i, s + 4 * i);
        if (sum > 0) {
            last = q + 4 * i + 3;
            h.score += sum;
            sum = 0;
        }
        if (sum < -x->strand.x_drop)
            break;
    }
    h.query = first;
    h.subject = s - (q - first);
    h.length = last - first + 1 > word_end - h.subject ? last - first + 1 : word_end - h.subject;
    return h;
}

static struct ungapped_bases extend_plainly(const struct sample *x, int word_query, int word_subject)
{
    struct ungapped_bases h = {word_query, word_subject, word_query, word_subject, 0, 0};
    int sum = 0, end = word_query, limit = x->strand.x_drop;

    for (int i = 1; word_query - i >= x->strand.first && word_subject - i >= 0; i++) {
        sum += scores[RESIDUE_CODES * x->query.codes[word_query - i] + x->subject.codes[word_subject - i]];
        if (sum > 0) {
            h.query = word_query - i;
            h.score += sum;
            sum = 0;
        } else if (sum < -limit) {
            break;
        }
    }
    sum = 0;
    for (int i = 0; word_query + i < x->strand.end && word_subject + i < x->subject.n; i++) {
        sum += scores[RESIDUE_CODES * x->query.codes[word_query + i] + x->subject.codes[word_subject + i]];
        if (sum > 0) {
            end = word_query + i + 1;
            h.score += sum;
            sum = 0;
            limit = lesser(x->strand.x_drop, h.score);
        } else if (sum < -limit) {
            break;
        }
    }
    h.subject = word_subject - (word_query - h.query);
    h.length = end - h.query;
    return h;
}

/* --- comparison --- */

static int n_fails; /* words of which the bases nearby show that their extension fails */

static void check_word(const struct sample *x, const struct ungapped_base_costs *costs, const struct packed_queries *queries,
                       const struct packed_bases *subject, int q, int s)
{
    struct ungapped_bases want = approach_plainly(x, q, s), got = {q, s, 0, 0, 0, 0};
    bool is_exact = x->word_size < 11 || want.score >= x->strand.exact_cutoff;

    if (is_exact)
        want = extend_plainly(x, q, s);
    assert_int_equal(ungapped_bases_extend(costs, queries, &x->strand, subject, &got), is_exact && want.score >= x->strand.cutoff);
    assert_int_equal(got.query, want.query);
    assert_int_equal(got.subject, want.subject);
    assert_int_equal(got.length, want.length);
    assert_int_equal(got.score, want.score);
    assert_true(got.word_query == q && got.word_subject == s);
    if (ungapped_bases_fails(costs, queries, &x->strand, subject, q, s)) {
        assert_true(x->word_size < 11 && want.score < x->strand.cutoff);
        n_fails++;
    }
}

/* Three strands of about a third of the codes each. */
static struct sample any_sample(sample_random *r, int round)
{
    static const int costs[][2] = {{1, -2}, {2, -3}, {1, -1}, {5, -4}, {1, -5}}, word_sizes[] = {7, 11, 28};
    struct sample x;
    const int n = 120 + (int)random_below(r, 600), k = (int)random_below(r, 3);

    x.reward = costs[round % 5][0];
    x.penalty = costs[round % 5][1];
    x.word_size = word_sizes[random_below(r, 3)];
    x.query = random_codes(r, n, round % 3 == 0 ? 0 : 40, round % 4 == 0 ? 3 : 0);
    x.query.codes[n / 3] = x.query.codes[2 * n / 3] = BASE_GAP;
    x.subject = changed_codes(r, &x.query, 5 + (unsigned)random_below(r, 60));
    for (int i = 0; i < x.subject.n; i++)
        x.subject.codes[i] &= 3;
    x.strand = (struct ungapped_strand){.first = k == 0 ? 0 : k * n / 3 + 1, .end = k == 2 ? n : (k + 1) * n / 3};
    x.strand.x_drop = (int)random_below(r, 40);
    x.strand.cutoff = 5 + (int)random_below(r, 60);
    x.strand.exact_cutoff = x.strand.cutoff * 4 / 5;
    return x;
}

static void test_extend(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;

    for (int round = 0; round < 600; round++) {
        struct sample x = any_sample(&r, round);
        struct packed_bases subject = packed_codes(&x.subject);
        struct packed_queries queries;
        struct ungapped_base_costs costs;
        set_scores(x.reward, x.penalty);
        ungapped_base_costs_init(&costs, scores, x.reward, x.penalty, x.word_size);
        assert_int_equal(packed_queries_init(&queries, x.query.codes, x.query.n), TMS_OK);
        for (int k = 0; k < 300; k++) {
            const int length = x.strand.end - x.strand.first - x.word_size,
                      q = x.strand.first + (int)random_below(&r, (uint64_t)length + 1);
            int s = q + (int)random_below(&r, 5) - 2;
            if (s >= 0 && s + x.word_size <= x.subject.n)
                check_word(&x, &costs, &queries, &subject, q, s);
        }
        packed_queries_free(&queries);
        free((void *)(uintptr_t)subject.bytes);
        free(x.query.memory);
        free(x.subject.memory);
    }
    assert_true(n_fails > 0);
}

/* By hand, with 1 and -2: eight equal bases, one that differs, and eight equal ones. */
static void test_by_hand(void **state)
{
    static uint8_t query[] = {15, 0, 1, 2, 3, 0, 1, 2, 3, 3, 0, 1, 2, 3, 0, 1, 2, 3, 15};
    static const uint8_t bytes[] = {0x1B, 0x1B, 0x06, 0xC6, 0xC0}; /* ACGT ACGT A ACGT ACGT AAA */
    const struct packed_bases subject = {bytes, 17};
    struct ungapped_strand strand = {0, 17, 10, 13, 10};
    struct ungapped_bases h = {.word_query = 1, .word_subject = 1};
    struct ungapped_base_costs costs;
    struct packed_queries queries;
    (void)state;

    set_scores(1, -2);
    ungapped_base_costs_init(&costs, scores, 1, -2, 7);
    assert_int_equal(packed_queries_init(&queries, query + 1, 17), TMS_OK);
    assert_true(ungapped_bases_extend(&costs, &queries, &strand, &subject, &h));
    assert_int_equal(h.score, 14);
    assert_true(h.query == 0 && h.subject == 0 && h.length == 17);
    strand.cutoff = 15;
    assert_false(ungapped_bases_extend(&costs, &queries, &strand, &subject, &h));
    strand.x_drop = 1; /* now the one that differs ends it */
    strand.cutoff = 8;
    assert_true(ungapped_bases_extend(&costs, &queries, &strand, &subject, &h));
    assert_int_equal(h.score, 8);
    assert_int_equal(h.length, 8);
    packed_queries_free(&queries);
}

static void test_order(void **state)
{
    static const struct ungapped_bases sorted[] = {
        {0, 0, 5, 9, 7, 50}, {0, 0, 5, 2, 7, 40}, {0, 0, 9, 3, 8, 40}, {0, 0, 2, 3, 7, 40}, {0, 0, 3, 3, 7, 40},
    };
    (void)state;

    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            const int order = ungapped_bases_compare(&sorted[i], &sorted[k]);
            assert_true(i < k ? order < 0 : i > k ? order > 0 : order == 0);
        }
}

/* The first best part; one below the cutoff is forgotten where the sum falls below 0. */
static void test_rescore(void **state)
{
    static const uint8_t query[] = {0, 0, 0, 1, 1, 1, 0, 0, 0, 0, 1, 0}, subject[12] = {0};
    struct ungapped_stretch s = {0, 0, 12, 99};
    (void)state;

    set_scores(1, -2);
    assert_true(ungapped_bases_rescore(scores, query, subject, 3, &s));
    assert_true(s.query == 6 && s.subject == 6 && s.length == 4 && s.score == 4);
    s = (struct ungapped_stretch){0, 0, 9, 99};
    assert_true(ungapped_bases_rescore(scores, query, subject, 3, &s));
    assert_true(s.query == 0 && s.length == 3 && s.score == 3);
    s = (struct ungapped_stretch){0, 0, 8, 99};
    assert_false(ungapped_bases_rescore(scores, query, subject, 4, &s));
    s = (struct ungapped_stretch){3, 3, 2, 99};
    assert_false(ungapped_bases_rescore(scores, query, subject, 1, &s));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed), cmocka_unit_test(test_extend),  cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_order),  cmocka_unit_test(test_rescore),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
