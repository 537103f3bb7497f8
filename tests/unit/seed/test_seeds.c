/*
 * seeds.h against a search that compares every position of the query with every position of the subject, base by base,
 * and against filters computed bit by bit: all seeds in order, the passes of each sub-query's filter,
 * the counts.
 */
#include <pthread.h>

#include "unit/context_fixture.h"

#include "base/array.h"
#include "run/context.h"
#include "seed/seeds_internal.h"
#include "unit/dna_samples.h"

typedef struct triple {
    uint64_t s_start, q_start;
    int is_minus;
} triple;

typedef struct triples {
    triple *at;
    size_t n, capacity;
} triples;

static void add_triple(triples *t, uint64_t s_start, uint64_t q_start, int is_minus)
{
    assert_true(array_reserve(&t->at, &t->capacity, t->n + 1, sizeof *t->at));
    t->at[t->n++] = (triple){s_start, q_start, is_minus};
}

/* --- expected results --- */

/* A search worked out without the library. */
typedef struct truth {
    const dna_sample *query, *subject;
    tms_seeds_info info; /* parameters as the library chose them; the rest counted here */
    triples seeds;
    tms_sub_query *subs;
    tms_seed_pass *passes; /* all of them */
    size_t n_passes;
    tms_seeds_tally tally;
} truth;

static int by_value(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static uint64_t n_different(uint64_t *words, size_t n)
{
    uint64_t sum = 0;
    qsort(words, n, sizeof *words, by_value);
    for (size_t i = 0; i < n; i++)
        sum += i == 0 || words[i] != words[i - 1];
    return sum;
}

static void count_query(truth *t)
{
    const tms_seeds_params *p = &t->info.params;
    size_t n = t->query->dna.n_bases, n_all = 0;
    uint64_t *all = sample_alloc(n * sizeof *all), *one = sample_alloc(n * sizeof *one);
    t->info.n_bases = n;
    t->info.n_sub_queries = n ? (uint32_t)((n + p->sub_query - 1) / p->sub_query) : 1;
    t->subs = calloc(t->info.n_sub_queries, sizeof *t->subs);
    assert_non_null(t->subs);
    for (uint32_t s = 0; s < t->info.n_sub_queries; s++) {
        tms_sub_query *sub = &t->subs[s];
        sub->first_base = s * p->sub_query;
        sub->n_bases = n - sub->first_base < p->sub_query ? n - sub->first_base : p->sub_query;
        for (uint64_t i = sub->first_base; i < sub->first_base + sub->n_bases; i++)
            if (dna_is_window(t->query, i, p->word_size))
                one[sub->n_words++] = all[n_all++] = dna_kept(t->query, i, p->word_size, p->strand);
        sub->n_distinct = n_different(one, sub->n_words);
    }
    t->info.n_words = n_all;
    t->info.n_distinct = n_different(all, n_all);
    free(all);
    free(one);
}

static model *fill_model(truth *t)
{
    const tms_seeds_params *p = &t->info.params;
    struct bank_shape shape = {.m_bits = p->m_bits,
                               .seed = p->seed,
                               .k = p->k,
                               .n_subs = t->info.n_sub_queries,
                               .hash = p->schedule == TMS_SCHEDULE_BITMAP ? BANK_EXACT
                                       : p->hash == TMS_SEED_HASH_H3      ? BANK_H3
                                                                          : BANK_XXH3,
                               .word_size = p->word_size};
    model *m = make_model(&shape);
    for (size_t i = 0; i < t->query->dna.n_bases; i++)
        if (dna_is_window(t->query, i, p->word_size))
            model_insert(m, (uint32_t)(i / p->sub_query), dna_kept(t->query, i, p->word_size, p->strand));
    for (uint32_t s = 0; s < t->info.n_sub_queries; s++)
        for (uint64_t i = 0; i < p->m_bits; i++)
            t->subs[s].n_ones += m->set[s * p->m_bits + i];
    return m;
}

static void find_seeds(truth *t, size_t j, uint8_t *is_true)
{
    const tms_seeds_params *p = &t->info.params;
    unsigned w = p->word_size;
    memset(is_true, 0, t->info.n_sub_queries);
    for (size_t i = 0; i + w <= t->query->dna.n_bases; i++) {
        const uint8_t *q = t->query->bases + i, *s = t->subject->bases + j;
        int plus = p->strand != TMS_STRAND_MINUS, minus = p->strand != TMS_STRAND_PLUS;
        for (unsigned b = 0; b < w && (plus || minus); b++) {
            plus = plus && q[b] == s[b];
            minus = minus && q[w - 1 - b] + s[b] == 3;
        }
        if ((!plus && !minus) || !dna_is_window(t->query, i, w))
            continue;
        if (plus)
            add_triple(&t->seeds, j, i, 0);
        if (minus)
            add_triple(&t->seeds, j, i, 1);
        is_true[i / p->sub_query] = 1;
    }
}

/* All of params are set. */
static truth find_truth(const tms_seeds_params *params, const dna_sample *query, const dna_sample *subject)
{
    truth t = {.query = query, .subject = subject, .info = {.params = *params}};
    size_t capacity = 0;
    count_query(&t);
    model *m = fill_model(&t);
    uint32_t n_subs = t.info.n_sub_queries;
    uint8_t *is_true = sample_alloc(n_subs);
    for (size_t j = 0; j < subject->dna.n_bases; j++) {
        size_t before = t.n_passes, n_seeds = t.seeds.n;
        if (!dna_is_window(subject, j, params->word_size))
            continue;
        find_seeds(&t, j, is_true);
        uint64_t word = dna_asked(subject, j, params->word_size, params->strand), at[BANK_MAX_K];
        for (unsigned f = 0; f < params->k; f++)
            at[f] = model_position(m, f, word);
        for (uint32_t s = 0; s < n_subs; s++) {
            int passes = 1;
            for (unsigned f = 0; f < params->k && passes; f++)
                passes = m->set[s * params->m_bits + at[f]];
            assert_true(passes >= is_true[s]); /* checks the definition itself */
            t.subs[s].n_tested++;
            t.subs[s].n_passed += (uint64_t)passes;
            t.subs[s].n_true += is_true[s];
            if (!passes)
                continue;
            assert_true(array_reserve(&t.passes, &capacity, t.n_passes + 1, sizeof *t.passes));
            t.passes[t.n_passes++] = (tms_seed_pass){(uint32_t)j, s};
        }
        t.tally.n_tested++;
        t.tally.n_passed += t.n_passes > before;
        t.tally.n_true += t.seeds.n > n_seeds;
    }
    t.tally.n_seeds = t.seeds.n;
    free(is_true);
    free_model(m);
    return t;
}

static void free_truth(truth *t)
{
    free(t->seeds.at);
    free(t->subs);
    free(t->passes);
}

/* --- the library's results --- */

static char what[300]; /* the case, for messages */

static void describe(const tms_seeds_params *p, size_t n_query, size_t n_subject)
{
    snprintf(what, sizeof what, "w = %u, %s, %s, %s, sub-queries of %llu, m = %llu, k = %u, seed %llu; %zu and %zu bases; %s, %d threads",
             p->word_size, tms_strand_name(p->strand), tms_seed_hash_name(p->hash), tms_schedule_name(p->schedule),
             (unsigned long long)p->sub_query, (unsigned long long)p->m_bits, p->k, (unsigned long long)p->seed, n_query, n_subject,
             tms_simd_name(tms_context_simd(ctx)), tms_context_threads(ctx));
}

static void assert_tally(const tms_seeds_tally *got, const tms_seeds_tally *want)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("%s: tested %llu, passed %llu, true %llu, seeds %llu; expected %llu, %llu, %llu, %llu", what,
                 (unsigned long long)got->n_tested, (unsigned long long)got->n_passed, (unsigned long long)got->n_true,
                 (unsigned long long)got->n_seeds, (unsigned long long)want->n_tested, (unsigned long long)want->n_passed,
                 (unsigned long long)want->n_true, (unsigned long long)want->n_seeds);
}

/* Adds the seeds of one piece of the subject, whose base 0 is base `first` of the whole. */
static void scan_piece(const tms_seeds *seeds, const tms_dna *piece, uint64_t first, triples *out, tms_seeds_tally *tally)
{
    tms_seed_hit *hits = sample_alloc(piece->n_bases * sizeof *hits);
    size_t n_hits = 99;
    tms_seeds_tally added = {7, 7, 7, 7}, counted = {7, 7, 7, 7};
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, piece, hits, &n_hits, &added));
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, piece, NULL, NULL, &counted));
    assert_tally(&counted, &added);
    assert_int_equal(added.n_true - 7, n_hits);
    size_t before = out->n;
    for (size_t i = 0; i < n_hits; i++) {
        const tms_seed_place *positions;
        size_t n;
        assert_true(i == 0 || hits[i].s_start > hits[i - 1].s_start);
        tms_seeds_positions(seeds, &hits[i], &positions, &n);
        assert_true(n > 0);
        for (size_t j = 0; j < n; j++)
            add_triple(out, first + hits[i].s_start, TMS_SEED_BASE(positions[j]), TMS_SEED_IS_MINUS(hits[i], positions[j]) != 0);
    }
    assert_int_equal(added.n_seeds - 7, out->n - before);
    tally->n_tested += added.n_tested - 7;
    tally->n_passed += added.n_passed - 7;
    tally->n_true += added.n_true - 7;
    tally->n_seeds += added.n_seeds - 7;
    free(hits);
}

static void assert_seeds(const triples *got, const triples *want)
{
    for (size_t i = 0; i < got->n || i < want->n; i++) {
        triple none = {UINT64_MAX, UINT64_MAX, -1}, a = i < got->n ? got->at[i] : none, b = i < want->n ? want->at[i] : none;
        if (a.s_start != b.s_start || a.q_start != b.q_start || a.is_minus != b.is_minus)
            fail_msg("%s: seed %zu of %zu is subject %lld, query %lld, minus %d; expected %lld, %lld, %d of %zu", what, i, got->n,
                     (long long)a.s_start, (long long)a.q_start, a.is_minus, (long long)b.s_start, (long long)b.q_start, b.is_minus,
                     want->n);
    }
}

static void check_scan(const tms_seeds *seeds, const truth *t)
{
    triples got = {0};
    tms_seeds_tally tally = {0};
    scan_piece(seeds, &t->subject->dna, 0, &got, &tally);
    assert_seeds(&got, &t->seeds);
    assert_tally(&tally, &t->tally);
    free(got.at);
}

/* The same subject in pieces, each of which begins with the last w - 1 bases of its predecessor if a part continues. */
static void check_pieces(sample_random *r, const tms_seeds *seeds, const truth *t)
{
    const dna_sample *s = t->subject;
    size_t n = s->dna.n_bases, most = 1 + n / 15 + (size_t)random_below(r, n + 1);
    triples got = {0};
    tms_seeds_tally tally = {0};
    for (size_t at = 0, end; at < n; at = end) {
        size_t first = at, *ends, n_parts = 0;
        end = at + 1 + (size_t)random_below(r, most);
        end = end < n ? end : n;
        while (at - first < t->info.params.word_size - 1 && first > 0 && s->part_of[first - 1] == s->part_of[at])
            first--;
        uint8_t *bases = sample_alloc(end - first);
        ends = sample_alloc((end - first) * sizeof *ends);
        memcpy(bases, s->bases + first, end - first);
        for (size_t i = first; i < end; i++)
            if (i + 1 == end || s->part_of[i] != s->part_of[i + 1])
                ends[n_parts++] = i + 1 - first;
        dna_sample piece = dna_from_bases(r, bases, end - first, ends, n_parts);
        scan_piece(seeds, &piece.dna, first, &got, &tally);
        free(ends);
        dna_free(&piece);
    }
    assert_seeds(&got, &t->seeds);
    assert_tally(&tally, &t->tally);
    free(got.at);
}

/* By calls with so much room, from some base on. */
static void check_filter_with(const tms_seeds *seeds, const truth *t, size_t from, size_t capacity)
{
    size_t n_bases = t->subject->dna.n_bases, at = 0;
    tms_seeds_tally tally = {0, 0, 5, 6}, want = {0, 0, 5, 6};
    while (at < t->n_passes && t->passes[at].s_start < from)
        at++;
    for (size_t i = from; i < n_bases; i++)
        want.n_tested += (uint64_t)dna_is_window(t->subject, i, t->info.params.word_size);
    for (size_t i = at; i < t->n_passes; i++)
        want.n_passed += i == at || t->passes[i].s_start != t->passes[i - 1].s_start;
    for (int calls = 0;; calls++) {
        tms_seed_pass *passes = sample_alloc(capacity * sizeof *passes);
        size_t n = 99, next = 99;
        ASSERT_OK(ctx, tms_seeds_filter(ctx, seeds, &t->subject->dna, from, passes, capacity, &n, &next, &tally));
        assert_true(n <= capacity);
        for (size_t i = 0; i < n; i++, at++)
            if (at >= t->n_passes || passes[i].s_start != t->passes[at].s_start || passes[i].sub_query != t->passes[at].sub_query)
                fail_msg("%s: room for %zu passes, call %d: pass %zu of %zu is at %u, sub-query %u; expected %u, %u", what, capacity, calls,
                         at, t->n_passes, passes[i].s_start, passes[i].sub_query, at < t->n_passes ? t->passes[at].s_start : 0,
                         at < t->n_passes ? t->passes[at].sub_query : 0);
        free(passes);
        assert_true(next <= n_bases);
        if (next == n_bases)
            break;
        assert_true(next > from && n > 0 && n + t->info.n_sub_queries > capacity);
        from = next;
    }
    assert_int_equal(at, t->n_passes);
    assert_tally(&tally, &want);
}

static void check_filter(sample_random *r, const tms_seeds *seeds, const truth *t)
{
    uint32_t n_subs = t->info.n_sub_queries;
    size_t n = t->subject->dna.n_bases;
    check_filter_with(seeds, t, 0, t->n_passes + n_subs);
    if (t->n_passes / n_subs < 40)
        check_filter_with(seeds, t, 0, n_subs);
    check_filter_with(seeds, t, 0, n_subs + 1 + t->n_passes / 30 + (size_t)random_below(r, t->n_passes + 1) / 2);
    check_filter_with(seeds, t, (size_t)random_below(r, n + 1), n_subs + t->n_passes / 3);
    check_filter_with(seeds, t, n, n_subs);
}

static void assert_sub(const tms_sub_query *got, const tms_sub_query *want, uint32_t s)
{
    if (memcmp(got, want, sizeof *got) != 0)
        fail_msg("%s: sub-query %u: bases %llu + %llu, words %llu (%llu different), ones %llu, tested %llu, passed "
                 "%llu, true %llu; expected %llu + %llu, "
                 "%llu (%llu), %llu, %llu, %llu, %llu",
                 what, s, (unsigned long long)got->first_base, (unsigned long long)got->n_bases, (unsigned long long)got->n_words,
                 (unsigned long long)got->n_distinct, (unsigned long long)got->n_ones, (unsigned long long)got->n_tested,
                 (unsigned long long)got->n_passed, (unsigned long long)got->n_true, (unsigned long long)want->first_base,
                 (unsigned long long)want->n_bases, (unsigned long long)want->n_words, (unsigned long long)want->n_distinct,
                 (unsigned long long)want->n_ones, (unsigned long long)want->n_tested, (unsigned long long)want->n_passed,
                 (unsigned long long)want->n_true);
}

/* Twice, because measurements are added to. */
static void check_measure(const tms_seeds *seeds, const truth *t)
{
    uint32_t n_subs = t->info.n_sub_queries;
    tms_sub_query *subs = sample_alloc(n_subs * sizeof *subs);
    memset(subs, 0xee, n_subs * sizeof *subs);
    tms_seeds_sub_queries(seeds, subs);
    for (int times = 0; times < 3; times++) {
        for (uint32_t s = 0; s < n_subs; s++) {
            tms_sub_query want = t->subs[s];
            want.n_tested *= (uint64_t)times;
            want.n_passed *= (uint64_t)times;
            want.n_true *= (uint64_t)times;
            assert_sub(&subs[s], &want, s);
        }
        ASSERT_OK(ctx, tms_seeds_measure(ctx, seeds, &t->subject->dna, subs));
    }
    free(subs);
}

/* Given values are kept, unset ones are chosen. */
static void check_info(const tms_seeds *seeds, const tms_seeds_params *asked, size_t n_query)
{
    tms_seeds_info info;
    tms_seeds_get_info(seeds, &info);
    const tms_seeds_params *p = &info.params;
    assert_int_equal(p->word_size, asked->word_size);
    assert_int_equal(p->strand, asked->strand);
    assert_int_equal(p->hash, asked->hash);
    assert_int_equal(p->seed, asked->seed);
    assert_int_equal(p->only_bloom, asked->only_bloom);
    assert_true(p->schedule != TMS_SCHEDULE_AUTO && (!asked->schedule || p->schedule == asked->schedule));
    assert_true(p->sub_query >= 1);
    assert_true(!asked->sub_query || asked->sub_query > n_query || p->sub_query == asked->sub_query);
    assert_int_equal(info.n_bases, n_query);
    assert_int_equal(info.n_sub_queries, n_query ? (n_query + p->sub_query - 1) / p->sub_query : 1);
    if (p->schedule == TMS_SCHEDULE_BITMAP) {
        assert_true(p->m_bits == (uint64_t)1 << 2 * p->word_size && p->k == 1 && !p->only_bloom && !asked->k && !asked->m_bits);
    } else {
        uint64_t m = asked->m_bits;
        assert_true(p->k >= 1 && p->k <= TMS_BANK_MAX_K && (!asked->k || p->k == asked->k));
        assert_in_range(p->m_bits, TMS_BANK_MIN_BITS, TMS_BANK_MAX_BITS);
        assert_true(p->hash != TMS_SEED_HASH_H3 || (p->m_bits & (p->m_bits - 1)) == 0);
        if (m && p->hash == TMS_SEED_HASH_H3)
            assert_true(p->m_bits >= m && p->m_bits / 2 < m);
        else if (m)
            assert_int_equal(p->m_bits, m);
    }
    assert_true(info.bank_bytes * 8 >= p->m_bits * info.n_sub_queries);
    assert_true(info.table_bytes > 0);
}

/* On contexts of some kinds: SIMD levels and numbers of threads take turns. */
static void check_case(sample_random *r, const tms_seeds_params *asked, const dna_sample *query, const dna_sample *subject)
{
    truth t = {0};
    int n_threads = 1 + (int)random_below(r, 4);
    EACH_SIMD(ctx, level)
    {
        tms_seeds *seeds;
        tms_seeds_info info;
        ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads++ % 4 + 1));
        describe(asked, query->dna.n_bases, subject->dna.n_bases);
        ASSERT_OK(ctx, tms_seeds_create(ctx, asked, &query->dna, &seeds));
        check_info(seeds, asked, query->dna.n_bases);
        tms_seeds_get_info(seeds, &info);
        if (!t.subs)
            t = find_truth(&info.params, query, subject);
        assert_memory_equal(&info.params, &t.info.params, sizeof info.params);
        assert_int_equal(info.n_words, t.info.n_words);
        assert_int_equal(info.n_distinct, t.info.n_distinct);
        assert_int_equal(info.n_sub_queries, t.info.n_sub_queries);
        check_scan(seeds, &t);
        check_filter(r, seeds, &t);
        check_measure(seeds, &t);
        check_pieces(r, seeds, &t);
        tms_seeds_destroy(seeds);
    }
    free_truth(&t);
}

/* --- cases --- */

/* Copies from the query, of either strand, with a base changed now and then. */
static dna_sample make_subject(sample_random *r, const dna_sample *query, size_t n, size_t n_parts)
{
    dna_sample s = dna_random(r, n, n_parts, 1);
    uint8_t *bases = sample_alloc(n);
    size_t *ends = sample_alloc(n_parts * sizeof *ends), n_query = query->dna.n_bases;
    memcpy(bases, s.bases, n);
    for (size_t p = 0; p < n_parts; p++)
        ends[p] = s.parts[p].start + s.parts[p].n_bases;
    for (size_t i = 0; i < n && n_query; i += (size_t)random_below(r, 200)) {
        size_t length = (size_t)random_below(r, 120), from = (size_t)random_below(r, n_query);
        int is_reversed = (int)random_below(r, 2);
        for (; length > 0 && i < n && from < n_query; length--, i++) {
            uint8_t base = query->bases[from];
            bases[i] = base < 4 && is_reversed ? (uint8_t)(3 - base) : base;
            if (random_below(r, 60) == 0)
                bases[i] = (uint8_t)random_below(r, 4);
            from = is_reversed ? from - 1 : from + 1; /* wraps below 0 */
        }
    }
    dna_free(&s);
    s = dna_from_bases(r, bases, n, ends, n_parts);
    free(ends);
    return s;
}

static void random_case(sample_random *r, tms_schedule schedule, tms_seed_hash hash)
{
    static const uint64_t sub_queries[] = {0, 1, 7, 50, 100000, 0, 3, 200};
    static const uint64_t ms[] = {0, 0, 64, 65, 100, 257, 1000, 4096};
    tms_seeds_params p;
    size_t n_query = (size_t)random_below(r, 500), n_subject = (size_t)random_below(r, 900);
    dna_sample query = dna_random(r, n_query, 1 + (size_t)random_below(r, 4), (int)random_below(r, 2));
    dna_sample subject = make_subject(r, &query, n_subject, 1 + (size_t)random_below(r, 4));
    tms_seeds_params_init(&p);
    p.word_size = 8 + (uint32_t)random_below(r, random_below(r, 2) ? 5 : 25);
    p.strand = (tms_strand)random_below(r, 3);
    p.hash = hash;
    p.schedule = schedule;
    p.sub_query = sub_queries[random_below(r, 8)];
    p.seed = random_next(r);
    if (schedule == TMS_SCHEDULE_BITMAP) {
        p.word_size = 8;
        p.sub_query = n_query < 40 ? p.sub_query : n_query / (1 + random_below(r, 40));
    } else if (random_below(r, 4)) {
        p.m_bits = ms[random_below(r, 8)];
        p.k = (uint32_t)random_below(r, TMS_BANK_MAX_K + 1);
        p.only_bloom = 1;
    } else if (schedule == TMS_SCHEDULE_AUTO) {
        p.word_size = p.word_size > 9 ? 17 : p.word_size; /* a bitmap here would take the test too long */
        p.sub_query = 0;
    }
    check_case(r, &p, &query, &subject);
    dna_free(&query);
    dna_free(&subject);
}

static void random_cases(void **state)
{
    (void)state;
    uint64_t seed = sample_seed();
    int rounds = sample_is_quick() ? 6 : 15;
    for (int round = 0; round < rounds; round++)
        for (int schedule = TMS_SCHEDULE_AUTO; schedule <= TMS_SCHEDULE_BITMAP; schedule++)
            for (int hash = TMS_SEED_HASH_H3; hash <= TMS_SEED_HASH_XXH3; hash++) {
                sample_random r = {seed + (uint64_t)(100 * round + 10 * schedule + hash)};
                random_case(&r, (tms_schedule)schedule, (tms_seed_hash)hash);
            }
}

/* More sub-queries than a row, or a slice of rows, has columns. */
/* A GPU's model choices on the CPU: the schedule differs, the seeds do not. */
static void tuned_schedule(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;
    ctx->tuning.bank_shared_bits = (uint64_t)1 << 32;
    for (int i = 0; i < 20; i++)
        random_case(&r, TMS_SCHEDULE_AUTO, TMS_SEED_HASH_H3);
    ctx->tuning = (struct tuning){0};
}

static void many_sub_queries(void **state)
{
    (void)state;
    static const size_t n_subs[] = {64, 65, 129, 257, 1000, 1025, 2100};
    sample_random r = {sample_seed() + 1};
    for (size_t i = 0; i < sizeof n_subs / sizeof *n_subs; i++)
        for (int schedule = TMS_SCHEDULE_SHARED; schedule <= TMS_SCHEDULE_INTERLEAVED; schedule++) {
            tms_seeds_params p;
            dna_sample query = dna_random(&r, n_subs[i], 2, 1), subject = make_subject(&r, &query, 150, 2);
            tms_seeds_params_init(&p);
            p.word_size = 9;
            p.schedule = (tms_schedule)schedule;
            p.sub_query = 1;
            p.m_bits = 100;
            p.k = 1 + (uint32_t)i % 3;
            check_case(&r, &p, &query, &subject);
            dna_free(&query);
            dna_free(&subject);
        }
}

static void palindromes_and_repeats(void **state)
{
    (void)state;
    static const char *const letters[] = {"A", "AT", "ACGT", "GC", "AAT", "ACC"};
    sample_random r = {sample_seed() + 2};
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        for (size_t j = 0; j < sizeof letters / sizeof *letters; j++)
            for (int strand = TMS_STRAND_BOTH; strand <= TMS_STRAND_MINUS; strand++) {
                char a[61] = "", b[81] = "";
                tms_seeds_params p;
                for (size_t x = 0; x < 60; x++)
                    a[x] = letters[i][x % strlen(letters[i])];
                for (size_t x = 0; x < 80; x++)
                    b[x] = letters[j][x % strlen(letters[j])];
                dna_sample query = dna_from_letters(a), subject = dna_from_letters(b);
                tms_seeds_params_init(&p);
                p.word_size = 8 + (uint32_t)random_below(&r, 9);
                p.strand = (tms_strand)strand;
                p.only_bloom = 1;
                p.sub_query = random_below(&r, 2) ? 13 : 0;
                check_case(&r, &p, &query, &subject);
                dna_free(&query);
                dna_free(&subject);
            }
}

/* Nothing to find is no error. */
static void nothing_there(void **state)
{
    (void)state;
    static const char *const letters[] = {
        "", "|", "ACGTACG", "NNNNNNNNNNNNNNNNNNNN", "ACGTACG|ACGTACG|ACGTACG", "ACGTACGNACGTACG", "ACGTACGTACGT"};
    sample_random r = {sample_seed() + 3};
    size_t n = sizeof letters / sizeof *letters;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            tms_seeds_params p;
            dna_sample query = dna_from_letters(letters[i]), subject = dna_from_letters(letters[j]);
            tms_seeds_params_init(&p);
            p.word_size = 8;
            p.schedule = (tms_schedule)((i + j) % 4);
            check_case(&r, &p, &query, &subject);
            dna_free(&query);
            dna_free(&subject);
        }
}

/* More bases than a thread takes at a time. The subject is the query, moved, so that what is true is known without a
 * search. */
static void several_tasks(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 4};
    size_t n = sample_is_quick() ? 140000 : 400000;
    uint8_t *bases = sample_alloc(n), *moved = sample_alloc(n + 77);
    for (size_t i = 0; i < n; i++)
        bases[i] = (uint8_t)random_below(&r, 4);
    for (size_t i = 0; i < n + 77; i++)
        moved[i] = i < 77 ? DNA_OTHER : bases[i - 77];
    dna_sample query = dna_from_bases(&r, bases, n, NULL, 0), subject = dna_from_bases(&r, moved, n + 77, NULL, 0);
    for (int n_threads = 1; n_threads <= 4; n_threads++)
        EACH_SIMD(ctx, level)
        {
            tms_seeds_params p;
            tms_seeds *seeds;
            triples got = {0};
            tms_seeds_tally tally = {0};
            tms_seeds_params_init(&p);
            p.word_size = 32;
            p.sub_query = n_threads == 3 ? 30000 : 0;
            p.schedule = n_threads == 2 ? TMS_SCHEDULE_SHARED : TMS_SCHEDULE_AUTO;
            ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
            describe(&p, n, n + 77);
            ASSERT_OK(ctx, tms_seeds_create(ctx, &p, &query.dna, &seeds));
            scan_piece(seeds, &subject.dna, 0, &got, &tally);
            assert_int_equal(got.n, n - 31); /* random words of 32 bases do not come twice */
            for (size_t i = 0; i < got.n; i++)
                assert_true(got.at[i].s_start == i + 77 && got.at[i].q_start == i && got.at[i].is_minus == 0);
            free(got.at);
            tms_seeds_destroy(seeds);
        }
    dna_free(&query);
    dna_free(&subject);
}

/* The bitmap is the default where it fits, says so, and has no false positive; --filter bloom keeps to filters. */
static void bitmap_by_default(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 5};
    dna_sample query = dna_random(&r, 5000, 2, 1), subject = make_subject(&r, &query, 20000, 2);
    for (int only_bloom = 0; only_bloom < 2; only_bloom++) {
        tms_seeds_params p;
        tms_seeds_info info;
        tms_seeds *seeds;
        tms_seeds_tally tally = {0};
        tms_seeds_params_init(&p);
        p.word_size = 11;
        p.only_bloom = only_bloom;
        ASSERT_OK(ctx, tms_seeds_create(ctx, &p, &query.dna, &seeds));
        tms_seeds_get_info(seeds, &info);
        assert_true((info.params.schedule == TMS_SCHEDULE_BITMAP) == !only_bloom);
        ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, &subject.dna, NULL, NULL, &tally));
        assert_true(only_bloom ? tally.n_passed > tally.n_true : tally.n_passed == tally.n_true);
        tms_seeds_destroy(seeds);
    }
    dna_free(&query);
    dna_free(&subject);
}

struct reader {
    const tms_seeds *seeds;
    const tms_dna *subject;
    const tms_seeds_tally *want;
};

/* Not NULL: wrong. cmocka cannot fail a test from another thread. */
static void *read_seeds(void *arg)
{
    struct reader *r = arg;
    tms_context *own;
    tms_seeds_tally tally = {0};
    tms_sub_query subs[6];
    tms_seeds_sub_queries(r->seeds, subs);
    int is_wrong = tms_context_create(&own) != TMS_OK || tms_context_set_threads(own, 1) != TMS_OK ||
                   tms_seeds_scan(own, r->seeds, r->subject, NULL, NULL, &tally) != TMS_OK ||
                   tms_seeds_measure(own, r->seeds, r->subject, subs) != TMS_OK || memcmp(&tally, r->want, sizeof tally) != 0 ||
                   subs[5].n_tested != r->want->n_tested;
    tms_context_destroy(own);
    return is_wrong ? arg : NULL;
}

/* Threads that share one search, each with a separate context. */
static void shared_by_threads(void **state)
{
    (void)state;
    sample_random r = {sample_seed() + 6};
    dna_sample query = dna_random(&r, 3000, 2, 1), subject = make_subject(&r, &query, 9000, 3);
    tms_seeds_params p;
    tms_seeds *seeds;
    tms_seeds_tally alone = {0};
    enum { N = 4 };
    tms_seeds_params_init(&p);
    p.word_size = 12;
    p.only_bloom = 1;
    p.sub_query = 500;
    ASSERT_OK(ctx, tms_seeds_create(ctx, &p, &query.dna, &seeds));
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, &subject.dna, NULL, NULL, &alone));
    struct reader reader = {seeds, &subject.dna, &alone};
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, read_seeds, &reader), 0);
    for (int i = 0; i < N; i++) {
        void *is_wrong;
        assert_int_equal(pthread_join(threads[i], &is_wrong), 0);
        assert_null(is_wrong);
    }
    tms_seeds_destroy(seeds);
    dna_free(&query);
    dna_free(&subject);
}

/* --- rejected arguments --- */

static void refuse(const char *word, const tms_seeds_params *p, const tms_dna *query)
{
    tms_seeds *seeds = (tms_seeds *)&seeds;
    ASSERT_FAILS(ctx, TMS_E_ARG, word, tms_seeds_create(ctx, p, query, &seeds));
    assert_null(seeds);
}

static void parameters_out_of_range(void **state)
{
    (void)state;
    dna_sample query = dna_from_letters("ACGTACGTACGTACGTACGTACGTACGTACGTACGT");
    tms_seeds_params init, p;
    tms_seeds_params_init(&init);
    assert_true(init.word_size == 16 && init.strand == TMS_STRAND_BOTH && init.hash == TMS_SEED_HASH_H3 &&
                init.schedule == TMS_SCHEDULE_AUTO && !init.only_bloom && !init.sub_query && !init.m_bits && !init.k && !init.seed);
#define REFUSE(word, ...)                                                                                                                  \
    do {                                                                                                                                   \
        p = init;                                                                                                                          \
        __VA_ARGS__;                                                                                                                       \
        refuse(word, &p, &query.dna);                                                                                                      \
    } while (0)
    REFUSE("word size 7: give 8 to 32", p.word_size = 7);
    REFUSE("word size 33", p.word_size = 33);
    REFUSE("word size 0", p.word_size = 0);
    REFUSE("unknown", p.strand = (tms_strand)3);
    REFUSE("unknown", p.schedule = (tms_schedule)4);
    REFUSE("unknown", p.hash = (tms_seed_hash)0);
    REFUSE("unknown", p.hash = (tms_seed_hash)3);
    REFUSE("k = 17", p.k = 17);
    REFUSE("m = 63", p.m_bits = 63);
    REFUSE("m = 4294967297", p.m_bits = TMS_BANK_MAX_BITS + 1);
    REFUSE("bitmap has no m", p.schedule = TMS_SCHEDULE_BITMAP, p.m_bits = 4096);
    REFUSE("bitmap has no m", p.schedule = TMS_SCHEDULE_BITMAP, p.k = 2);
    REFUSE("bitmap has no m", p.schedule = TMS_SCHEDULE_BITMAP, p.only_bloom = 1);
    REFUSE("17 bases is too large", p.schedule = TMS_SCHEDULE_BITMAP, p.word_size = 17);
#undef REFUSE
    dna_free(&query);

    sample_random r = {1};
    size_t n = (size_t)TMS_BANK_MAX_SUB_QUERIES + 1;
    dna_sample many = dna_from_bases(&r, memset(sample_alloc(n), 0, n), n, NULL, 0);
    p = init;
    p.sub_query = 1;
    refuse("so give them 2 w-mers or more", &p, &many.dna);
    if (!SAMPLES_SANITIZED) {
        tms_seeds *seeds = NULL;
        p.sub_query = 2;
        p.m_bits = TMS_BANK_MAX_BITS;
        ASSERT_FAILS(ctx, TMS_E_MEMORY, "filters", tms_seeds_create(ctx, &p, &many.dna, &seeds));
        assert_null(seeds);
    }
    dna_free(&many);
}

static void calls_that_cannot_be(void **state)
{
    (void)state;
    dna_sample query = dna_from_letters("ACGTACGTACGTACGTACGTACGTACGTACGTACGT"), subject = dna_from_letters("ACGTTTACGTACGTACGTACGTACGTAC");
    tms_dna broken = subject.dna;
    tms_dna_run run = {27, 2};
    tms_seeds_params p;
    tms_seeds *seeds;
    tms_seeds_tally tally = {0}, zero = {0};
    tms_seed_pass passes[10];
    tms_seed_hit hits[28];
    tms_sub_query subs[10], before[10];
    size_t n, next;
    broken.runs = &run;
    broken.n_runs = 1;
    tms_seeds_params_init(&p);
    refuse("run 0", &p, &broken);
    p.sub_query = 4;
    ASSERT_OK(ctx, tms_seeds_create(ctx, &p, &query.dna, &seeds));
    ASSERT_FAILS(ctx, TMS_E_ARG, "room for 8 passes: a w-mer may have 9",
                 tms_seeds_filter(ctx, seeds, &subject.dna, 0, passes, 8, &n, &next, &tally));
    ASSERT_FAILS(ctx, TMS_E_ARG, "base 29 of a sequence of 28",
                 tms_seeds_filter(ctx, seeds, &subject.dna, 29, passes, 9, &n, &next, &tally));
    ASSERT_FAILS(ctx, TMS_E_ARG, "run 0", tms_seeds_filter(ctx, seeds, &broken, 0, passes, 9, &n, &next, &tally));
    assert_int_equal(n, 0);
    ASSERT_FAILS(ctx, TMS_E_ARG, "run 0", tms_seeds_scan(ctx, seeds, &broken, hits, &n, &tally));
    assert_int_equal(n, 0);
    memset(subs, 1, sizeof subs);
    memset(before, 1, sizeof before);
    ASSERT_FAILS(ctx, TMS_E_ARG, "run 0", tms_seeds_measure(ctx, seeds, &broken, subs));
    assert_memory_equal(subs, before, sizeof subs);
    assert_memory_equal(&tally, &zero, sizeof tally);
    tms_context_cancel(ctx); /* a call that continues afterwards misses no seed */
    n = next = 99;
    assert_int_equal(tms_seeds_filter(ctx, seeds, &subject.dna, 3, passes, 9, &n, &next, &tally), TMS_E_CANCELLED);
    tms_context_resume(ctx);
    assert_int_equal(n, 0);
    assert_int_equal(next, 3);
    assert_memory_equal(&tally, &zero, sizeof tally);
    ASSERT_OK(ctx, tms_seeds_filter(ctx, seeds, &subject.dna, 0, passes, 9, &n, &next, &tally));
    tms_seeds_destroy(seeds);
    tms_seeds_destroy(NULL);
    dna_free(&query);
    dna_free(&subject);
}

static void names(void **state)
{
    (void)state;
    assert_string_equal(tms_seed_hash_name(TMS_SEED_HASH_H3), "h3");
    assert_string_equal(tms_seed_hash_name(TMS_SEED_HASH_XXH3), "xxh3");
    assert_string_equal(tms_schedule_name(TMS_SCHEDULE_SHARED), "shared");
    assert_string_equal(tms_schedule_name(TMS_SCHEDULE_INTERLEAVED), "interleaved");
    assert_string_equal(tms_schedule_name(TMS_SCHEDULE_BITMAP), "bitmap");
    assert_string_equal(tms_strand_name(TMS_STRAND_BOTH), "both");
    assert_string_equal(tms_strand_name(TMS_STRAND_PLUS), "plus");
    assert_string_equal(tms_strand_name(TMS_STRAND_MINUS), "minus");
    assert_non_null(tms_seed_hash_name((tms_seed_hash)9));
    assert_non_null(tms_schedule_name((tms_schedule)9));
    assert_non_null(tms_strand_name((tms_strand)9));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_cases),
        cmocka_unit_test(tuned_schedule),
        cmocka_unit_test(many_sub_queries),
        cmocka_unit_test(palindromes_and_repeats),
        cmocka_unit_test(nothing_there),
        cmocka_unit_test(several_tasks),
        cmocka_unit_test(bitmap_by_default),
        cmocka_unit_test(shared_by_threads),
        cmocka_unit_test(parameters_out_of_range),
        cmocka_unit_test(calls_that_cannot_be),
        cmocka_unit_test(names),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
