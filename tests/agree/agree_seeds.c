/*
 * agree_seeds.c - seeds, what filters pass and what is counted are the same whatever the SIMD level, the number of
 * threads and the device; seeds are the same for any schedule and hash too.
 *
 * The oracle is one thread on the scalar level. A GPU takes a subject in steps; here they are made as small as 64
 * w-mers, because a default one is larger than any subject of a test. TAMIS_TEST_SEED repeats a run. Environment: workers.h.
 */
#include "unit/dna_samples.h"

#include "agree/workers.h"

static int setup(void **state)
{
    static const size_t steps[] = {0, 64, 1000, 100000}; /* w-mers that go through a GPU at once */
    (void)state;
    make_workers(5, steps, sizeof steps / sizeof *steps);
    return 0;
}

/* --- one case --- */

typedef struct agree_case {
    tms_seeds_params params;
    size_t n_query, n_subject; /* bases */
    int kind;                  /* 0: repeats of all kinds, and copies of the query; 1: with other letters and several parts; 2: nearly
                                  all matches; 3: random bases (repeats would match in too many positions) with copies of the query and
                                  other letters */
} agree_case;

/* All that one back end says. */
typedef struct answers {
    tms_seeds_info info;
    tms_seeds_tally scanned, counted, filtered;
    tms_seed_hit *hits;
    size_t n_hits;
    tms_seed_place *positions; /* of all hits */
    size_t n_positions;
    tms_seed_pass *passes;
    size_t n_passes;
    tms_sub_query *subs;
} answers;

static void free_answers(answers *a)
{
    free(a->hits);
    free(a->positions);
    free(a->passes);
    free(a->subs);
}

static void list_places(const tms_seeds *seeds, answers *a)
{
    size_t at = 0;
    a->n_positions = (size_t)a->scanned.n_seeds;
    a->positions = sample_alloc(a->n_positions * sizeof *a->positions);
    for (size_t i = 0; i < a->n_hits; i++) {
        const tms_seed_place *positions;
        size_t n;
        tms_seeds_positions(seeds, &a->hits[i], &positions, &n);
        assert_true(n <= a->n_positions - at);
        memcpy(a->positions + at, positions, n * sizeof *positions);
        at += n;
    }
    assert_int_equal(at, a->n_positions);
}

/* In calls with room for capacity passes. */
static void list_passes(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, size_t capacity, answers *a)
{
    size_t room = capacity, from = 0, n;
    if (capacity < a->info.n_sub_queries)
        room = capacity = a->info.n_sub_queries;
    a->passes = sample_alloc(room * sizeof *a->passes);
    do {
        if (room - a->n_passes < capacity) {
            room = 2 * room + capacity;
            a->passes = realloc(a->passes, room * sizeof *a->passes);
            assert_non_null(a->passes);
        }
        ASSERT_OK(ctx, tms_seeds_filter(ctx, seeds, subject, from, a->passes + a->n_passes, capacity, &n, &from, &a->filtered));
        assert_true(n <= capacity);
        a->n_passes += n;
    } while (from < subject->n_bases);
}

/* One pass says what the two calls said. */
static void scan_and_measure(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, const answers *a)
{
    tms_seed_hit *hits = sample_alloc(subject->n_bases * sizeof *hits);
    tms_sub_query *subs = sample_alloc(a->info.n_sub_queries * sizeof *subs);
    tms_seeds_tally tally = {0};
    size_t n_hits;
    tms_seeds_sub_queries(seeds, subs);
    ASSERT_OK(ctx, tms_seeds_scan_and_measure(ctx, seeds, subject, hits, &n_hits, &tally, subs));
    assert_same_bytes("hits of one pass", a->hits, a->n_hits * sizeof *hits, hits, n_hits * sizeof *hits);
    assert_same_bytes("sub-queries of one pass", a->subs, a->info.n_sub_queries * sizeof *subs, subs, a->info.n_sub_queries * sizeof *subs);
    assert_memory_equal(&tally, &a->scanned, sizeof tally);
    free(hits);
    free(subs);
}

static answers ask(tms_context *ctx, const agree_case *c, const tms_dna *query, const tms_dna *subject, size_t capacity)
{
    answers a;
    tms_seeds *seeds;
    memset(&a, 0, sizeof a);
    ASSERT_OK(ctx, tms_seeds_create(ctx, &c->params, query, &seeds));
    tms_seeds_get_info(seeds, &a.info);
    a.hits = sample_alloc(subject->n_bases * sizeof *a.hits);
    memset(a.hits, 0xee, subject->n_bases * sizeof *a.hits);
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, subject, a.hits, &a.n_hits, &a.scanned));
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, subject, NULL, NULL, &a.counted));
    list_places(seeds, &a);
    list_passes(ctx, seeds, subject, capacity, &a);
    a.subs = sample_alloc(a.info.n_sub_queries * sizeof *a.subs);
    tms_seeds_sub_queries(seeds, a.subs);
    ASSERT_OK(ctx, tms_seeds_measure(ctx, seeds, subject, a.subs));
    scan_and_measure(ctx, seeds, subject, &a);
    tms_seeds_destroy(seeds);
    return a;
}

static char case_name[300];

static void same(const char *who, const char *what, const void *a, size_t n_a, const void *b, size_t n_b, size_t size)
{
    char label[480];
    snprintf(label, sizeof label, "%s: %s: %s", case_name, who, what);
    assert_same_bytes(label, a, n_a * size, b, n_b * size);
}

/* With AUTO another back end may take another filter: then seeds alone have to agree. */
static void compare(const char *who, const agree_case *c, const answers *a, const answers *b)
{
    same(who, "hits", a->hits, a->n_hits, b->hits, b->n_hits, sizeof *a->hits);
    same(who, "places", a->positions, a->n_positions, b->positions, b->n_positions, sizeof *a->positions);
    same(who, "tally without hits", &b->scanned, 1, &b->counted, 1, sizeof b->counted);
    if (c->params.schedule == TMS_SCHEDULE_AUTO) {
        assert_true(a->scanned.n_tested == b->scanned.n_tested && a->scanned.n_true == b->scanned.n_true &&
                    a->scanned.n_seeds == b->scanned.n_seeds);
        return;
    }
    same(who, "parameters", &a->info.params, 1, &b->info.params, 1, sizeof a->info.params);
    same(who, "tally", &a->scanned, 1, &b->scanned, 1, sizeof a->scanned);
    same(who, "tally of the filters", &a->filtered, 1, &b->filtered, 1, sizeof a->filtered);
    same(who, "passes", a->passes, a->n_passes, b->passes, b->n_passes, sizeof *a->passes);
    same(who, "sub-queries", a->subs, a->info.n_sub_queries, b->subs, b->info.n_sub_queries, sizeof *a->subs);
}

/* The subject is made of pieces of the query, of both strands, and of others. */
static void make_sequences(sample_random *r, const agree_case *c, dna_sample *query, dna_sample *subject)
{
    uint8_t *bases = sample_alloc(c->n_subject);
    size_t ends[3] = {c->n_subject / 3, c->n_subject / 2, c->n_subject};
    if (c->kind == 3) {
        uint8_t *q = sample_alloc(c->n_query);
        for (size_t i = 0; i < c->n_query; i++)
            q[i] = (uint8_t)random_below(r, 4);
        for (size_t i = 0; i < c->n_subject; i++)
            bases[i] = random_below(r, 200) ? (uint8_t)random_below(r, 4) : DNA_OTHER;
        *query = dna_from_bases(r, q, c->n_query, NULL, 0);
    } else {
        *query = dna_random(r, c->n_query, c->kind == 1 ? 3 : 1, c->kind == 1);
        dna_fill(r, bases, c->n_subject, c->kind == 1);
    }
    for (size_t i = 0; i < c->n_subject && c->n_query; i += c->kind == 2 ? 0 : (size_t)random_below(r, 3000)) {
        size_t length = 1 + (size_t)random_below(r, 600), from = (size_t)random_below(r, c->n_query);
        int is_reversed = (int)random_below(r, 2);
        for (; length > 0 && i < c->n_subject && from < c->n_query; length--, i++, from = is_reversed ? from - 1 : from + 1)
            bases[i] = is_reversed && query->bases[from] < 4 ? (uint8_t)(3 - query->bases[from]) : query->bases[from];
    }
    *subject = dna_from_bases(r, bases, c->n_subject, c->kind == 1 ? ends : NULL, 3);
}

/*
 * Each step is a dozen of calls to the GPU, so there is a limit to their number. Where time is short, twelve are enough to go round the
 * pipeline's slots several times, and a subject of one step is left to the worker that takes all at once.
 */
static int is_left_out(const worker *w, const agree_case *c)
{
    if (!w->batch)
        return 0;
    return quick ? c->n_subject <= w->batch || c->n_subject / w->batch > 12 : c->n_subject / w->batch > 2100;
}

static void check(const agree_case *c, int on_gpu)
{
    const tms_seeds_params *p = &c->params;
    const worker *workers = on_gpu ? gpu_workers : cpu_workers;
    size_t n = on_gpu ? n_gpu_workers : n_cpu_workers;
    sample_random r = {sample_seed() ^ ((uint64_t)c->n_query << 40 | (uint64_t)c->n_subject << 8 | p->k)};
    dna_sample query, subject;
    make_sequences(&r, c, &query, &subject);
    snprintf(case_name, sizeof case_name, "w = %u, %s, %s, %s, sub-queries of %llu, m = %llu, k = %u; %zu and %zu bases, kind %d",
             p->word_size, tms_strand_name(p->strand), tms_seed_hash_name(p->hash), p->schedule ? tms_schedule_name(p->schedule) : "auto",
             (unsigned long long)p->sub_query, (unsigned long long)p->m_bits, p->k, c->n_query, c->n_subject, c->kind);
    answers truth = ask(oracle_ctx, c, &query.dna, &subject.dna, 1 << 20);
    for (size_t i = 0; i < n; i++) {
        size_t capacity = i % 2 ? 1 + truth.n_passes / 3 : 1 << 20;
        if (is_left_out(&workers[i], c))
            continue;
        answers a = ask(workers[i].ctx, c, &query.dna, &subject.dna, capacity);
        compare(workers[i].name, c, &truth, &a);
        free_answers(&a);
    }
    free_answers(&truth);
    dna_free(&query);
    dna_free(&subject);
}

/* --- the grids --- */

static tms_seeds_params params_of(uint32_t w, tms_schedule schedule, uint64_t sub_query, uint64_t m_bits, uint32_t k, size_t turn)
{
    tms_seeds_params p;
    tms_seeds_params_init(&p);
    p.word_size = w;
    p.schedule = schedule;
    p.sub_query = sub_query;
    p.m_bits = schedule == TMS_SCHEDULE_BITMAP ? 0 : m_bits;
    p.k = schedule == TMS_SCHEDULE_BITMAP ? 0 : k;
    p.strand = (tms_strand)(turn % 3);
    p.hash = turn % 4 == 3 ? TMS_SEED_HASH_XXH3 : TMS_SEED_HASH_H3;
    p.seed = turn;
    return p;
}

/* So many windows, on both sides of the sizes of warps, blocks and tasks. */
static void sizes_grid(int on_gpu)
{
    static const size_t n_windows[] = {1,   2,   7,   8,   9,   15,  17,   31,   32,   33,   63,   64,    65,    127,   128,
                                       129, 255, 256, 257, 511, 513, 1023, 1024, 1025, 4095, 4097, 65535, 65536, 65537, 131073};
    size_t turn = 0;
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof n_windows / sizeof *n_windows; i += quick ? 3 : 1)
        for (int schedule = TMS_SCHEDULE_AUTO; schedule <= TMS_SCHEDULE_BITMAP; schedule++, turn++) {
            static const uint32_t ws[] = {8, 11, 16, 27, 32};
            uint32_t w = schedule == TMS_SCHEDULE_BITMAP ? 8 + (uint32_t)turn % 4 : ws[turn % 5];
            agree_case c = {params_of(w, (tms_schedule)schedule, turn % 3 ? 0 : 700, 0, 0, turn), 1000 + 13 * turn, n_windows[i] + w - 1,
                            (int)(turn % 3)};
            check(&c, on_gpu);
        }
}

/* Nothing to look for, nothing to look in, and less than a window. */
static void empty_grid(int on_gpu)
{
    static const size_t n_bases[] = {0, 1, 10, 11, 12};
    size_t turn = 0;
    need_gpu(on_gpu);
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++, turn++) {
            agree_case c = {params_of(11, (tms_schedule)(turn % 4), turn % 2 ? 0 : 3, 0, 0, turn / 4), n_bases[i], n_bases[j],
                            (int)(turn % 3)};
            check(&c, on_gpu);
        }
}

/* From one sub-query to more than a row has columns. */
static void sub_queries_grid(int on_gpu)
{
    static const size_t n_subs[] = {1, 2, 3, 17, 31, 32, 33, 64, 65, 128, 129, 300, 1000, 1024, 1025, 2100};
    static const uint64_t ms[] = {64, 1024, 8192, 100};
    size_t turn = 0;
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof n_subs / sizeof *n_subs; i += quick ? 3 : 1)
        for (int schedule = TMS_SCHEDULE_SHARED; schedule <= TMS_SCHEDULE_INTERLEAVED; schedule++, turn++) {
            size_t n_subject = n_subs[i] < 300 ? 5000 : 700;
            agree_case c = {params_of(9 + (uint32_t)turn % 16, (tms_schedule)schedule, 20, ms[turn % 4], 1 + (uint32_t)turn % 16, turn),
                            20 * n_subs[i] - turn % 20, n_subject, (int)(turn % 3)};
            check(&c, on_gpu);
            c.params.k = 2; /* many pass */
            c.params.m_bits = 64;
            check(&c, on_gpu);
        }
}

/* The sizes of [Ma11], and a filter that does not fit in shared memory. */
static void large_grid(int on_gpu)
{
    static const struct {
        uint32_t w;
        tms_schedule schedule;
        uint64_t sub_query, m_bits;
        uint32_t k;
        size_t n_query, n_subject;
    } cases[] = {
        {11, TMS_SCHEDULE_SHARED, 50000, 1 << 18, 6, 300000, 100000},
        {11, TMS_SCHEDULE_INTERLEAVED, 50000, 1 << 18, 6, 300000, 300000},
        {11, TMS_SCHEDULE_BITMAP, 0, 0, 0, 300000, 300000},
        {11, TMS_SCHEDULE_BITMAP, 100000, 0, 0, 300000, 300000},
        {16, TMS_SCHEDULE_SHARED, 25000, 1 << 17, 4, 400000, 100000},
        {16, TMS_SCHEDULE_SHARED, 0, 0, 0, 800000, 300000},
        {28, TMS_SCHEDULE_INTERLEAVED, 1000, 1 << 14, 10, 300000, 100000},
        {32, TMS_SCHEDULE_INTERLEAVED, 0, 0, 0, 1000000, 1000000},
        {13, TMS_SCHEDULE_AUTO, 0, 0, 0, 1000000, 1000000},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agree_case c = {params_of(cases[i].w, cases[i].schedule, cases[i].sub_query, cases[i].m_bits, cases[i].k, i), cases[i].n_query,
                        cases[i].n_subject, 3};
        if (quick) {
            c.n_query /= 10;
            c.n_subject /= 10;
            c.params.sub_query /= 10;
        }
        check(&c, on_gpu);
    }
}

#define BOTH(grid)                                                                                                                         \
    static void grid##_on_cpu(void **state)                                                                                                \
    {                                                                                                                                      \
        (void)state;                                                                                                                       \
        grid(0);                                                                                                                           \
    }                                                                                                                                      \
    static void grid##_on_gpu(void **state)                                                                                                \
    {                                                                                                                                      \
        (void)state;                                                                                                                       \
        grid(1);                                                                                                                           \
    }

BOTH(sizes_grid)
BOTH(empty_grid)
BOTH(sub_queries_grid)
BOTH(large_grid)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_grid_on_cpu),       cmocka_unit_test(empty_grid_on_cpu), cmocka_unit_test(sub_queries_grid_on_cpu),
        cmocka_unit_test(large_grid_on_cpu),       cmocka_unit_test(sizes_grid_on_gpu), cmocka_unit_test(empty_grid_on_gpu),
        cmocka_unit_test(sub_queries_grid_on_gpu), cmocka_unit_test(large_grid_on_gpu),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
