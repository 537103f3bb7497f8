/*
 * test_greedy.c - greedy extension against plain forms, with all cells of all rows in one table; and, with an X-drop that nothing reaches,
 * against the best alignment by dynamic programming over all cells. Packed bases and codes give the same; the score of each alignment is
 * that of its operations.
 */
#include "extend/greedy.h"
#include "unit/extend/base_samples.h"

enum { MOST = 160, NONE = -2, DIAGONALS = 2 * MOST + 5, MOST_ROWS = 1200, MOST_DROP = 10001 /* an X-drop that nothing reaches */ };

struct costs {
    int reward, penalty, open, extend, x_drop;
};

/* One side, outwards from the start point. */
struct plain {
    uint8_t a[MOST], b[MOST];
    int n_a, n_b;
};

struct plain_result {
    int score, differences, query, subject;
    struct greedy_run longest;
};

static tms_simd best_simd;                 /* of this processor */
static int table[MOST_ROWS][DIAGONALS][3]; /* match, gap in the subject, gap in the query */
static int lows[MOST_ROWS], highs[MOST_ROWS], best[MOST_ROWS + 2 * MOST_DROP + 2];

static int *cell_of(int d, int k) { return table[d][k + MOST + 2]; }
static int max(int a, int b) { return a > b ? a : b; }
static int min(int a, int b) { return a < b ? a : b; }

static int run_of(const struct plain *p, int i, int j)
{
    int n = 0;

    while (i + n < p->n_a && j + n < p->n_b && p->a[i + n] == p->b[j + n] && p->a[i + n] < 4)
        n++;
    return n;
}

static int rounded_up(int a, int b) { return (int)ceil((double)a / b); }

/* Both the linear form's scores and the affine form's are those of doubled costs if the reward is odd. */
static struct costs doubled(struct costs c)
{
    return c.reward % 2 == 0 ? c : (struct costs){2 * c.reward, 2 * c.penalty, 2 * c.open, 2 * c.extend, 2 * c.x_drop};
}

/* The cell of a row that takes most bases of both. */
struct plain_reach {
    int n, k, j;
};

/* Continues j bases of b on diagonal k by a run. Returns the bases of b then. */
static int go_on(const struct plain *p, int k, int j, struct plain_result *r, struct plain_reach *reach)
{
    const int n = run_of(p, j + k, j);

    if (n > r->longest.n)
        r->longest = (struct greedy_run){j + k, j, n};
    j += n;
    if (j + k + j > reach->n)
        *reach = (struct plain_reach){j + k + j, k, j};
    return j;
}

static int take(struct plain_result *r, const struct plain_reach *reach, int d, int score)
{
    r->score = score;
    r->differences = d;
    r->query = reach->j + reach->k;
    r->subject = reach->j;
    return score;
}

static struct plain_result linear_plainly(const struct plain *p, struct costs costs)
{
    const struct costs c = doubled(costs);
    const int cost = c.reward - c.penalty, half = c.reward / 2, back = (c.x_drop + half) / cost + 1, first = run_of(p, 0, 0);
    struct plain_result r = {first * c.reward, 0, first, first, {0, 0, first}};
    int *scores = best + back, low = -1, high = 1;
    bool ended_a = false, ended_b = false;

    if (first == p->n_a || first == p->n_b)
        return r;
    for (int t = 0; t < back; t++)
        best[t] = 0;
    cell_of(0, 0)[0] = first;
    scores[0] = r.score;
    for (int d = 1; low <= high; d++) {
        const int from = low, to = high, need = rounded_up(scores[d - back] + cost * d - c.x_drop, half);
        struct plain_reach reach = {0, 0, 0};
        assert_true(d < MOST_ROWS);
        cell_of(d - 1, low - 1)[0] = cell_of(d - 1, low)[0] = cell_of(d - 1, high)[0] = cell_of(d - 1, high + 1)[0] = NONE;
        for (int k = from; k <= to; k++) {
            int j = max(max(cell_of(d - 1, k + 1)[0], cell_of(d - 1, k)[0]) + 1, cell_of(d - 1, k - 1)[0]), i = j + k;
            if (j < 0 || i + j < need) {
                if (k == low)
                    low++;
                else
                    cell_of(d, k)[0] = NONE;
                continue;
            }
            high = k;
            cell_of(d, k)[0] = j = go_on(p, k, j, &r, &reach);
            i = j + k;
            if (j == p->n_b) {
                low = k + 1;
                ended_b = true;
            }
            if (i == p->n_a) {
                high = k - 1;
                ended_a = true;
            }
        }
        scores[d] = scores[d - 1];
        if (reach.n * half - d * cost >= scores[d])
            scores[d] = take(&r, &reach, d, reach.n * half - d * cost);
        if (low > high)
            break;
        low -= !ended_b;
        high += !ended_a;
    }
    return r;
}

static int divisor(int a, int b) { return b == 0 ? a : divisor(b, a % b); }

static int before(int d, int k, int which) { return d >= 0 && k >= lows[d] && k <= highs[d] ? cell_of(d, k)[which] : NONE; }

/* Fills in the gaps of a cell. Returns where it begins: the bases of b. */
static int come_from(int d, int k, int op, int goe, int ge)
{
    int *cell = cell_of(d, k), gap = max(before(d - goe, k + 1, 0), before(d - ge, k + 1, 2));

    cell[2] = gap == NONE ? NONE : gap + 1;
    cell[1] = max(before(d - goe, k - 1, 0), before(d - ge, k - 1, 1));
    gap = max(cell[1], cell[2]);
    return d >= op && k >= lows[d - op] && k <= highs[d - op] ? max(gap, cell_of(d - op, k)[0] + 1) : gap;
}

static struct plain_result affine_plainly(const struct plain *p, struct costs costs)
{
    const struct costs c = doubled(costs);
    const int half = c.reward / 2, f = divisor(divisor(c.reward - c.penalty, c.extend + half), c.open);
    const int op = (c.reward - c.penalty) / f, ge = (c.extend + half) / f, goe = c.open / f + ge, oldest = max(op, goe);
    const int back = (c.x_drop + half) / f + 1, first = run_of(p, 0, 0), far = 100000000;
    struct plain_result r = {first * c.reward, 0, first, first, {0, 0, first}};
    int *scores = best + back, low = -1, high = 1, n_rows = 1, limit_low = -far, limit_high = far;

    if (first == p->n_a || first == p->n_b)
        return r;
    for (int t = 0; t < back; t++)
        best[t] = 0;
    cell_of(0, 0)[0] = first;
    cell_of(0, 0)[1] = cell_of(0, 0)[2] = NONE;
    scores[0] = r.score;
    lows[0] = highs[0] = 0;
    for (int d = 1; n_rows > 0;) {
        const int from = low, to = high, need = max(0, rounded_up(scores[d - back] + f * d - c.x_drop, half));
        struct plain_reach reach = {0, 0, 0};
        assert_true(d < MOST_ROWS - 1);
        for (int k = from; k <= to; k++) {
            int *cell = cell_of(d, k), j = come_from(d, k, op, goe, ge), i = j + k;
            if (j < 0 || i + j < need) {
                if (k == low)
                    low++;
                else
                    cell[0] = NONE;
                continue;
            }
            high = k;
            cell[0] = j = go_on(p, k, j, &r, &reach);
            i = j + k;
            if (i == p->n_a)
                limit_high = k - 1;
            if (j == p->n_b) {
                low = k;
                limit_low = k + 1;
            }
        }
        scores[d] = scores[d - 1];
        if (reach.n * half - d * f > scores[d])
            scores[d] = take(&r, &reach, d, reach.n * half - d * f);
        lows[d] = low <= high ? low : far;
        highs[d] = low <= high ? high : -far;
        n_rows += low <= high;
        if (d >= oldest && lows[d - oldest] <= highs[d - oldest])
            n_rows--;
        d++;
        low = min(min(d >= goe ? lows[d - goe] : far, d >= ge ? lows[d - ge] : far) - 1, d >= op ? lows[d - op] : far);
        high = max(max(d >= goe ? highs[d - goe] : -far, d >= ge ? highs[d - ge] : -far) + 1, d >= op ? highs[d - op] : -far);
        low = max(low, limit_low);
        high = min(high, limit_high);
    }
    return r;
}

/* The best score of an alignment from the start point on, by dynamic programming; of doubled costs if the reward is odd. */
static int optimum(const struct plain *p, struct costs costs)
{
    static int m[MOST + 1][MOST + 1], in_b[MOST + 1][MOST + 1], in_a[MOST + 1][MOST + 1];
    struct costs c = doubled(costs);
    int top = 0;

    if (costs.open == 0 && costs.extend == 0)
        c.extend = (c.reward - 2 * c.penalty) / 2;
    for (int i = 0; i <= p->n_a; i++)
        for (int j = 0; j <= p->n_b; j++) {
            const int least = -100000000;
            in_b[i][j] = i > 0 ? max(m[i - 1][j] - c.open, in_b[i - 1][j]) - c.extend : least;
            in_a[i][j] = j > 0 ? max(m[i][j - 1] - c.open, in_a[i][j - 1]) - c.extend : least;
            m[i][j] = i > 0 && j > 0 ? m[i - 1][j - 1] + (p->a[i - 1] == p->b[j - 1] && p->a[i - 1] < 4 ? c.reward : c.penalty) : least;
            m[i][j] = i + j == 0 ? 0 : max(m[i][j], max(in_a[i][j], in_b[i][j]));
            top = max(top, m[i][j]);
        }
    return top;
}

/* --- samples --- */

struct sample {
    struct codes query, subject;
    int start_query, start_subject;
};

static struct plain side_of(const struct sample *s, bool is_right)
{
    struct plain p;

    p.n_a = is_right ? s->query.n - s->start_query : s->start_query;
    p.n_b = is_right ? s->subject.n - s->start_subject : s->start_subject;
    for (int i = 0; i < p.n_a; i++)
        p.a[i] = s->query.codes[is_right ? s->start_query + i : s->start_query - 1 - i];
    for (int j = 0; j < p.n_b; j++)
        p.b[j] = s->subject.codes[is_right ? s->start_subject + j : s->start_subject - 1 - j];
    return p;
}

static struct sample any_sample(sample_random *r, int round)
{
    static const int periods[] = {0, 0, 0, 1, 2, 5, 12};
    struct sample s;

    s.query = random_codes(r, 1 + (int)random_below(r, MOST / 2 - 5), round % 5 == 0 ? 15 : 0, periods[round % 7]);
    s.subject = changed_codes(r, &s.query, 3 + (unsigned)random_below(r, 20));
    s.start_query = (int)random_below(r, (uint64_t)s.query.n + 1);
    s.start_subject = min(s.start_query, s.subject.n);
    return s;
}

static const struct costs some_costs[] = {
    {1, -2, 0, 0, 13}, {1, -2, 0, 0, 5},  {2, -3, 0, 0, 20}, {1, -1, 0, 0, 9}, {4, -5, 0, 0, 40},  {1, -2, 2, 2, 13},
    {1, -3, 0, 2, 20}, {2, -3, 5, 2, 33}, {2, -5, 4, 2, 9},  {1, -1, 3, 2, 8}, {5, -4, 10, 6, 60},
};
enum { N_COSTS = sizeof some_costs / sizeof *some_costs };

/* Is the start point amid the gap? Then both sides have paid for it. */
static bool is_amid(const struct sample *s, const struct gapped_run *gap, int i, int j)
{
    return gap->operation == GAPPED_IN_SUBJECT ? j == s->start_subject && i < s->start_query && s->start_query < i + gap->n
                                               : i == s->start_query && j < s->start_subject && s->start_subject < j + gap->n;
}

/* The score of an alignment: doubled if the reward is odd. Checks that it fills its box. */
static int script_score(const struct sample *s, struct costs costs, const struct greedy_box *box, const struct gapped_script *script)
{
    struct costs c = doubled(costs);
    int i = box->query, j = box->subject, score = 0;

    if (costs.open == 0 && costs.extend == 0)
        c.extend = (c.reward - 2 * c.penalty) / 2;
    for (size_t k = 0; k < script->n; k++) {
        const struct gapped_run run = script->runs[k];
        assert_true(run.n > 0);
        assert_true(k == 0 || run.operation != script->runs[k - 1].operation);
        if (run.operation != GAPPED_MATCH)
            score -= c.open + c.extend * run.n + (is_amid(s, &run, i, j) ? c.open : 0);
        for (int n = 0; n < run.n && run.operation == GAPPED_MATCH; n++)
            score += s->query.codes[i + n] == s->subject.codes[j + n] && s->query.codes[i + n] < 4 ? c.reward : c.penalty;
        i += run.operation != GAPPED_IN_QUERY ? run.n : 0;
        j += run.operation != GAPPED_IN_SUBJECT ? run.n : 0;
    }
    assert_int_equal(i, box->query_end);
    assert_int_equal(j, box->subject_end);
    return score;
}

static void assert_same_box(const struct greedy_box *a, const struct greedy_box *b)
{
    assert_int_equal(a->query, b->query);
    assert_int_equal(a->query_end, b->query_end);
    assert_int_equal(a->subject, b->subject);
    assert_int_equal(a->subject_end, b->subject_end);
    assert_int_equal(a->score, b->score);
}

/* One side alone: also the longest run, although rows that cannot win are left out. */
static void check_side(struct greedy_workspace *ws, const struct greedy_costs *costs, const struct greedy_pair *pair,
                       const struct sample *s, bool is_right, const struct plain_result *want)
{
    const struct greedy_side side = {pair,
                                     s->start_query,
                                     s->start_subject,
                                     is_right ? s->query.n - s->start_query : s->start_query,
                                     is_right ? s->subject.n - s->start_subject : s->start_subject,
                                     is_right};
    struct greedy_extent got;

    if (!costs->is_linear)
        return;
    assert_int_equal(greedy_linear(ws, costs, &side, NULL, &got), TMS_OK);
    assert_int_equal(got.n_differences, want->differences);
    assert_int_equal(got.query, want->query);
    assert_int_equal(got.subject, want->subject);
    assert_memory_equal(&got.longest, &want->longest, sizeof got.longest);
}

static void check(struct greedy_workspace *ws, const struct sample *s, struct costs c)
{
    const struct greedy_pair pair = {
        .query = s->query.codes, .subject = s->subject.codes, .query_length = s->query.n, .subject_length = s->subject.n};
    const struct plain right = side_of(s, true), left = side_of(s, false);
    const bool is_linear = c.open == 0 && c.extend == 0, is_odd = c.reward % 2 != 0;
    const struct plain_result r = is_linear ? linear_plainly(&right, c) : affine_plainly(&right, c);
    const struct plain_result l = is_linear ? linear_plainly(&left, c) : affine_plainly(&left, c);
    struct gapped_script script = {0};
    struct greedy_costs costs;
    struct greedy_box scored, aligned;

    greedy_costs_init(&costs, c.reward, c.penalty, c.open, c.extend, c.x_drop);
    assert_int_equal(greedy_score(ws, &costs, &pair, s->start_query, s->start_subject, &scored), TMS_OK);
    assert_int_equal(greedy_align(ws, &costs, &pair, s->start_query, s->start_subject, &aligned, &script), TMS_OK);
    assert_same_box(&scored, &aligned);
    check_side(ws, &costs, &pair, s, true, &r);
    check_side(ws, &costs, &pair, s, false, &l);
    assert_int_equal(scored.query, s->start_query - l.query);
    assert_int_equal(scored.query_end, s->start_query + r.query);
    assert_int_equal(scored.subject, s->start_subject - l.subject);
    assert_int_equal(scored.subject_end, s->start_subject + r.subject);
    assert_int_equal(script_score(s, c, &aligned, &script), r.score + l.score);
    assert_int_equal(scored.score, (r.score + l.score) / (is_odd ? 2 : 1));
    if (c.x_drop == MOST_DROP)
        assert_int_equal(r.score + l.score, optimum(&right, c) + optimum(&left, c));
    free(script.runs);
}

static void test_plain(void **state)
{
    sample_random r = {sample_seed()};
    struct greedy_workspace ws = {0};
    (void)state;

    for (int round = 0; round < (sample_is_quick() ? 300 : 5000); round++) {
        struct sample s = any_sample(&r, round);
        struct costs c = some_costs[random_below(&r, N_COSTS)];
        ws.simd = (tms_simd)(round % (best_simd + 1));
        check(&ws, &s, c);
        free(s.query.memory);
        free(s.subject.memory);
    }
    greedy_workspace_free(&ws);
}

/* Without a limit the best alignment is found. */
static void test_optimum(void **state)
{
    sample_random r = {sample_seed()};
    struct greedy_workspace ws = {0};
    (void)state;

    for (int round = 0; round < (sample_is_quick() ? 30 : 300); round++) {
        struct sample s = any_sample(&r, round);
        struct costs c = some_costs[round % N_COSTS];
        c.x_drop = MOST_DROP;
        ws.simd = (tms_simd)(round % (best_simd + 1));
        if (s.query.n < 40 && s.subject.n < 40 && c.reward < 4)
            check(&ws, &s, c);
        free(s.query.memory);
        free(s.subject.memory);
    }
    greedy_workspace_free(&ws);
}

/* A strand among others, on packed bases; long runs; start points of tracebacks. */
static void test_packed(void **state)
{
    sample_random r = {sample_seed()};
    struct greedy_workspace ws = {0};
    (void)state;

    for (int round = 0; round < (sample_is_quick() ? 100 : 1000); round++) {
        const struct costs c = some_costs[random_below(&r, N_COSTS)];
        struct codes all = random_codes(&r, 1200, round % 3 == 0 ? 50 : 0, round % 4 == 0 ? 31 : 0), subject, strand = all;
        const int first = 1 + (int)random_below(&r, 300), n = 100 + (int)random_below(&r, 600);
        struct packed_bases packed;
        struct packed_queries queries;
        struct greedy_pair pair;
        struct greedy_costs costs;
        struct greedy_box by_codes, by_words;
        int start;
        all.codes[first - 1] = all.codes[first + n] = BASE_GAP;
        strand.codes = all.codes + first;
        strand.n = n;
        subject = changed_codes(&r, &strand, 8 + (unsigned)random_below(&r, 100));
        for (int i = 0; i < subject.n; i++)
            subject.codes[i] &= 3;
        packed = packed_codes(&subject);
        start = (int)random_below(&r, (uint64_t)min(n, subject.n) + 1);
        pair = (struct greedy_pair){NULL, 0, NULL, strand.codes, subject.codes, n, subject.n};
        greedy_costs_init(&costs, c.reward, c.penalty, c.open, c.extend, c.x_drop);
        assert_int_equal(packed_queries_init(&queries, all.codes, all.n), TMS_OK);
        ws.simd = (tms_simd)(round % (best_simd + 1));
        assert_int_equal(greedy_score(&ws, &costs, &pair, start, start, &by_codes), TMS_OK);
        pair = (struct greedy_pair){&queries, first, &packed, NULL, NULL, n, subject.n};
        assert_int_equal(greedy_score(&ws, &costs, &pair, start, start, &by_words), TMS_OK);
        assert_same_box(&by_codes, &by_words);
        assert_int_equal(by_codes.start_query, by_words.start_query);
        assert_int_equal(by_codes.start_subject, by_words.start_subject);
        assert_true(by_codes.start_query >= by_codes.query && by_codes.start_query <= by_codes.query_end);
        packed_queries_free(&queries);
        free((void *)(uintptr_t)packed.bytes);
        free(all.memory);
        free(subject.memory);
    }
    greedy_workspace_free(&ws);
}

/* By hand: the middle of the longer half-run; an odd total of bases loses the half point. */
static void test_by_hand(void **state)
{
    static const uint8_t query[] = {15, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 1, 2, 3, 3, 0, 2, 1, 1, 3, 0, 15};
    static const uint8_t subject[] = {15, 0, 1, 2, 3, 3, 2, 1, 0, 0, 1, 0, 1, 2, 3, 3, 0, 2, 1, 1, 3, 0, 15};
    const struct greedy_pair pair = {.query = query + 1, .subject = subject + 1, .query_length = 20, .subject_length = 21};
    struct gapped_script script = {0};
    struct greedy_workspace ws = {0};
    struct greedy_costs costs;
    struct greedy_box box;
    (void)state;

    greedy_costs_init(&costs, 1, -2, 0, 0, 13);
    assert_int_equal(greedy_align(&ws, &costs, &pair, 3, 3, &box, &script), TMS_OK);
    assert_int_equal(box.score, 17); /* 20 equal bases, and a gap of one, 2.5: 17.5 */
    assert_true(box.query == 0 && box.query_end == 20 && box.subject == 0 && box.subject_end == 21);
    assert_int_equal(script.n, 3);
    assert_int_equal(script.runs[1].operation, GAPPED_IN_QUERY);
    assert_int_equal(script.runs[1].n, 1);
    assert_int_equal(greedy_score(&ws, &costs, &pair, 3, 3, &box), TMS_OK);
    assert_true(box.start_query == 15 && box.start_subject == 16); /* the run of ten bases behind the gap */
    free(script.runs);
    greedy_workspace_free(&ws);
}

int main(void)
{
    tms_context *ctx;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_optimum),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_by_hand),
    };
    if (tms_context_create(&ctx) != TMS_OK)
        return 1;
    best_simd = tms_context_simd(ctx);
    tms_context_destroy(ctx);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
