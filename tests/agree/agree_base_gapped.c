/*
 * agree_base_gapped.c - gapped extension of bases on a GPU: for each start point the CPU's ends and score, with usual and odd costs, in
 * related and unrelated sequences, at the ends of strands and of the chunk. What the GPU leaves to the CPU is counted, and must be little.
 *
 * TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to few extensions (for compute-sanitizer).
 */
#include "alphabet/bases.h"
#include "run/context.h"
#include "score/base_scores.h"
#include "search/base_gapped_cuda.h"
#include "unit/samples.h"

#include "agree/cpu_and_gpu.h"

enum { STRANDS = 5, LONGEST = 3000, CHUNK = 20000, WORD = 4, LONGEST_HSP = 20 };

/* Strands of queries, one after the other, with a gap code before each and behind the last; and a chunk. */
struct sample {
    uint8_t codes[STRANDS * (LONGEST + 1) + 1], bytes[CHUNK / 4 + 1], chunk[CHUNK + 2];
    int firsts[STRANDS + 1], from[STRANDS * (LONGEST + 1)]; /* from: the place in the chunk that a base of a strand was taken from */
    int n;
};

/* A strand is a mutated stretch of the chunk, or its repeat of some bases, or of any bases. */
static void make_sample(sample_random *r, struct sample *s)
{
    int at = 0;
    s->n = WORD + (int)random_below(r, CHUNK - WORD);
    memset(s->bytes, 0, sizeof s->bytes);
    s->chunk[0] = s->chunk[s->n + 1] = 0;
    for (int i = 0; i < s->n; i++) {
        const bool is_repeat = i / 500 % 7 == 3;
        const uint8_t code = is_repeat && i > 3 ? s->chunk[i - 2] : (uint8_t)random_below(r, 4);
        s->chunk[i + 1] = code;
        s->bytes[i / 4] |= (uint8_t)(code << (6 - 2 * (i % 4)));
    }
    for (int k = 0; k < STRANDS; k++) {
        const int length = WORD + (int)random_below(r, LONGEST - WORD), rate = 2 + (int)random_below(r, 60);
        int from = (int)random_below(r, (size_t)s->n);
        s->firsts[k] = at;
        for (int i = 0; i < length; i++) {
            const bool is_same = k % 4 != 3 && from < s->n && random_below(r, (size_t)rate) > 0;
            s->from[at] = from;
            s->codes[1 + at++] = is_same ? s->chunk[1 + from] : (uint8_t)random_below(r, random_below(r, 20) == 0 ? 15 : 4);
            from += random_below(r, (size_t)rate * 3) == 0 ? (int)random_below(r, 9) : random_below(r, (size_t)rate * 3) > 0;
        }
        s->codes[1 + at++] = BASE_GAP;
    }
    s->firsts[STRANDS] = at;
    s->codes[0] = BASE_GAP;
}

/* Draws a place for a word: where the strand was taken from the chunk, or any; where a word is if that is soon found. */
static void draw_word(sample_random *r, const struct sample *s, int first, int length, int *query, int *subject)
{
    for (int tries = 0; tries < 200; tries++) {
        const bool is_any = random_below(r, 4) == 0;
        int same = 0;
        *query = (int)random_below(r, (size_t)(length - WORD + 1));
        *subject = is_any ? (int)random_below(r, (size_t)(s->n - WORD + 1)) : s->from[first + *query];
        if (*subject + WORD > s->n)
            *subject = s->n - WORD;
        while (same < WORD && s->codes[1 + first + *query + same] == s->chunk[1 + *subject + same])
            same++;
        if (same == WORD)
            return;
    }
}

static void check(sample_random *r, int reward, int penalty, int open, int extend, int x_drop, size_t n)
{
    static struct sample s;
    struct base_scores scores;
    struct packed_queries queries;
    struct packed_bases chunk;
    struct gapped_workspace ws = {0};
    struct base_gapped_start *starts = calloc(n, sizeof *starts);
    struct base_gapped_sides *sides = calloc(n, sizeof *sides);
    struct base_box *boxes = calloc(n, sizeof *boxes);
    struct base_place *places = calloc(n, sizeof *places);
    struct gapped_costs costs = {.open = open, .extend = extend, .x_drop = x_drop, .match = reward};
    size_t n_left = 0;
    make_sample(r, &s);
    base_scores_init(reward, penalty, &scores);
    costs.scores = scores.scores;
    chunk = (struct packed_bases){s.bytes, s.n};
    ws.simd = tms_context_simd(cpu_ctx);
    assert_int_equal(packed_queries_init(&queries, s.codes + 1, s.firsts[STRANDS] - 1), TMS_OK);
    for (size_t i = 0; i < n; i++) {
        const int k = (int)random_below(r, STRANDS), first = s.firsts[k], length = s.firsts[k + 1] - 1 - first;
        const struct base_pair pair = {scores.scores, s.codes + 1 + first, s.chunk + 1, length, s.n};
        struct gapped_costs own = costs;
        int query, subject, most, end, start_query, start_subject;
        draw_word(r, &s, first, length, &query, &subject);
        most = s.n - subject < length - query ? s.n - subject : length - query;
        end = subject + WORD + (int)random_below(r, (size_t)((most < LONGEST_HSP ? most : LONGEST_HSP) - WORD + 1));
        own.x_drop = (int)random_below(r, (size_t)x_drop + 1);
        start_query = query;
        start_subject = subject;
        places[i] = base_gapped_origin(length, s.n, end, &start_query, &start_subject);
        starts[i] = (struct base_gapped_start){first + places[i].query, places[i].subject, places[i].query, length - places[i].query,
                                               own.x_drop};
        assert_int_equal(base_gapped_score(&ws, &own, &pair, end, &query, &subject, &boxes[i]), TMS_OK);
        assert_true(query == start_query && subject == start_subject);
    }
    assert_true(base_gapped_gpu_takes(&costs));
    ASSERT_OK(gpu_ctx, base_gapped_gpu_set_queries(gpu_ctx, &queries));
    ASSERT_OK(gpu_ctx, base_gapped_gpu_score(gpu_ctx, &costs, &(struct base_gapped_batch){&chunk, starts, sides, n}));
    for (size_t i = 0; i < n; i++) {
        struct base_box got;
        n_left += sides[i].sides[0].score == BASE_GAPPED_LEFT;
        if (sides[i].sides[0].score == BASE_GAPPED_LEFT)
            continue;
        got = base_gapped_box(&places[i], &sides[i].sides[0], &sides[i].sides[1]);
        assert_memory_equal(&got, &boxes[i], sizeof got);
    }
    print_message("%d/%d, %d/%d, X-drop %d: %zu extensions, %zu left\n", reward, penalty, open, extend, x_drop, n, n_left);
    assert_true(n_left <= (x_drop < 60 ? n / 20 : n / 2)); /* in repeats, more columns than a warp has may be within a great X-drop */
    packed_queries_free(&queries);
    gapped_workspace_free(&ws);
    free(starts);
    free(sides);
    free(boxes);
    free(places);
}

static void test_same_as_the_cpu(void **state)
{
    static const struct {
        int reward, penalty, open, extend, x_drop;
    } costs[] = {{2, -3, 5, 2, 33}, {1, -3, 5, 2, 20}, {1, -2, 2, 1, 60}, {1, -1, 3, 2, 60}, {5, -4, 8, 6, 100}, {1, -4, 0, 2, 9}};
    sample_random r = {sample_seed()};
    const size_t n = sample_is_quick() ? 300 : 20000;
    (void)state;
    gpu_needed(gpu_ctx->gpu);
    for (int round = 0; round < (sample_is_quick() ? 1 : 4); round++)
        for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
            check(&r, costs[i].reward, costs[i].penalty, costs[i].open, costs[i].extend, costs[i].x_drop, n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_as_the_cpu)};
    return cmocka_run_group_tests(tests, setup, teardown);
}
