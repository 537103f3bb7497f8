/*
 * heavy.c against its definition: one insertion after the other, and after each that drew a bit of a key not reported yet,
 * the key's f_min (or f, or f_max) at that moment. Reports and filter do not depend on the number of threads or the batches.
 */
#include "unit/context_fixture.h"

#include <math.h>

#include "filter/probabilistic_cpu.h"

struct stream {
    key_set set;
    uint32_t *ids; /* key i of the stream is number ids[i] of n_different */
    size_t n_different;
};

/* The frequency of key i of n_different is proportional to 1 / i^s. Key 0 is empty if the keys have an offset table. */
static struct stream stream_make(size_t n, size_t n_different, double s, int offsets, uint64_t seed)
{
    struct stream stream = {.ids = sample_alloc(n * sizeof(uint32_t)), .n_different = n_different};
    double *sums = sample_alloc((n_different + 1) * sizeof *sums);
    sample_random r = {seed};
    uint64_t salt = random_next(&r);
    sums[0] = 0;
    stream.set.bytes = sample_alloc(12 * n);
    for (size_t i = 0; i < n_different; i++)
        sums[i + 1] = sums[i] + pow((double)(i + 1), -s);
    if (offsets) {
        stream.set.offsets = sample_alloc((n + 1) * sizeof(uint32_t));
        stream.set.offsets[0] = 0;
    }
    for (size_t i = 0; i < n; i++) {
        double u = ldexp((double)(random_next(&r) >> 11), -53) * sums[n_different];
        size_t low = 0, high = n_different;
        while (high - low > 1)
            *(u < sums[(low + high) / 2] ? &high : &low) = (low + high) / 2;
        stream.ids[i] = (uint32_t)low;
        uint64_t word = salt ^ (low * 0x9E3779B97F4A7C15u);
        if (offsets) {
            uint32_t len = low ? (uint32_t)snprintf(NULL, 0, "%zu", low) : 0, at = stream.set.offsets[i];
            char digits[24];
            snprintf(digits, sizeof digits, "%zu", low);
            memcpy(stream.set.bytes + at, digits, len);
            stream.set.bytes[at + len] = '\n';
            stream.set.offsets[i + 1] = at + len + 1;
        } else {
            memcpy(stream.set.bytes + 8 * i, &word, 8);
        }
    }
    stream.set.keys = (tms_keys){stream.set.bytes, stream.set.offsets, n, offsets ? 0 : 8, offsets ? 1 : 0};
    free(sums);
    return stream;
}

static void stream_free(struct stream *s)
{
    keys_free(&s->set);
    free(s->ids);
}

struct reports {
    tms_heavy_report *at;
    size_t n;
};

static void reports_add(struct reports *r, const tms_heavy_report *more, size_t n)
{
    r->at = realloc(r->at, (r->n + n + 1) * sizeof *r->at);
    assert_non_null(r->at);
    if (n)
        memcpy(r->at + r->n, more, n * sizeof *more);
    r->n += n;
}

/* The definition. f is filled as the stream fills it. */
static struct reports reports_by_definition(tms_filter *f, const struct stream *s, tms_frequency_by by, double min_f, double confidence)
{
    const tms_filter_params *p = tms_filter_get_params(f);
    struct reports reports = {NULL, 0};
    struct probabilistic_draws draws;
    uint64_t *functions = sample_alloc(p->k * sizeof *functions);
    uint8_t *known = calloc(s->n_different, 1);
    assert_non_null(known);
    probabilistic_draws_init(&draws, f);
    for (size_t i = 0; i < s->set.keys.n_keys; i++) {
        tms_keys key = keys_slice(&s->set.keys, i, 1);
        tms_filter_stats stats;
        tms_heavy_report report = {.key = i};
        size_t drawn = probabilistic_draw(&draws, f->n_keys, functions);
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &key));
        if (!drawn || known[s->ids[i]])
            continue;
        ASSERT_OK(ctx, tms_filter_count(ctx, f, &key, &report.ones));
        ASSERT_OK(ctx, tms_filter_get_stats(ctx, f, &stats));
        ASSERT_OK(ctx, tms_frequency_estimate(ctx, p, stats.fill, confidence, report.ones, &report.frequency));
        const double values[] = {report.frequency.f_min, report.frequency.f, report.frequency.f_max};
        if (values[by] >= min_f) {
            known[s->ids[i]] = 1;
            reports_add(&reports, &report, 1);
        }
    }
    free(functions);
    free(known);
    return reports;
}

/* A stream in batches: of `batch` keys, or, where that is 0, of random sizes. */
static struct reports reports_in_batches(tms_filter *f, const struct stream *s, tms_frequency_by by, double min_f, double confidence,
                                         size_t batch, sample_random *r)
{
    struct reports all = {NULL, 0};
    tms_heavy *heavy;
    ASSERT_OK(ctx, tms_heavy_create(ctx, f, by, min_f, confidence, &heavy));
    for (size_t first = 0, n; first < s->set.keys.n_keys; first += n) {
        const tms_heavy_report *reports = (const tms_heavy_report *)(uintptr_t)1;
        size_t n_reports = 12345, left = s->set.keys.n_keys - first;
        n = batch ? batch : (size_t)random_below(r, random_below(r, 3) ? 20 : 20000);
        n = n < left ? n : left;
        tms_keys part = keys_slice(&s->set.keys, first, n);
        if (!batch && random_below(r, 4) == 0)
            ASSERT_OK(ctx, tms_context_set_threads(ctx, 1 + (int)random_below(r, 6)));
        ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &part, &reports, &n_reports));
        reports_add(&all, reports, n_reports);
        for (size_t i = all.n - n_reports; i < all.n; i++)
            all.at[i].key += first;
    }
    tms_heavy_destroy(heavy);
    return all;
}

struct heavy_case {
    tms_filter_params params;
    double min_f, confidence;
    size_t n, n_different;
    double s;
    int offsets;
    tms_frequency_by by;
};

static void describe(char *text, size_t size, const struct heavy_case *c)
{
    const tms_filter_params *p = &c->params;
    snprintf(text, size, "%s %s m=%llu k=%u p=%g %s=%.17g confidence=%g, %zu keys of %zu, s=%g%s", tms_hash_name(p->hash),
             tms_sampling_name(p->sampling), (unsigned long long)p->m_bits, p->k, p->p, tms_frequency_by_name(c->by), c->min_f,
             c->confidence, c->n, c->n_different, c->s, c->offsets ? ", offsets" : "");
}

static void assert_same_reports(const char *text, const struct reports *want, const struct reports *got)
{
    for (size_t i = 0; i < want->n && i < got->n; i++) {
        const tms_heavy_report *a = &want->at[i], *b = &got->at[i];
        if (a->key != b->key || a->ones != b->ones || a->frequency.f != b->frequency.f || a->frequency.f_min != b->frequency.f_min ||
            a->frequency.f_max != b->frequency.f_max)
            fail_msg("%s: report %zu is key %zu, %u ones, f_min %.17g, and should be key %zu, %u ones, f_min %.17g", text, i, b->key,
                     b->ones, b->frequency.f_min, a->key, a->ones, a->frequency.f_min);
    }
    if (want->n != got->n)
        fail_msg("%s: %zu reports instead of %zu", text, got->n, want->n);
}

/* A case by the definition and in every way; returns the number of reports. */
static size_t check(const struct heavy_case *c, uint64_t seed)
{
    static const size_t batches[] = {SIZE_MAX, 0, 511, 512, 513, 32768, 1};
    static const int threads[] = {1, 2, 3, 7};
    char text[300], label[400];
    sample_random r = {seed};
    tms_filter *f, *g;
    struct stream s = stream_make(c->n, c->n_different, c->s, c->offsets, seed);
    describe(text, sizeof text, c);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
    ASSERT_OK(ctx, tms_filter_create(ctx, &c->params, &f));
    struct reports want = reports_by_definition(f, &s, c->by, c->min_f, c->confidence);
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++)
        for (size_t j = SAMPLES_TSAN; j < sizeof threads / sizeof *threads; j += sample_is_quick() ? 2 : 1) {
            if ((batches[i] == 1 && (j != 1 || c->n > 10000)) || (i > 1 && i % 4 != j))
                continue;
            snprintf(label, sizeof label, "%s: %d threads, batches of %zu", text, threads[j], batches[i]);
            ASSERT_OK(ctx, tms_context_set_threads(ctx, threads[j]));
            ASSERT_OK(ctx, tms_filter_create(ctx, &c->params, &g));
            struct reports got = reports_in_batches(g, &s, c->by, c->min_f, c->confidence, batches[i], &r);
            assert_same_reports(label, &want, &got);
            assert_same_filter(label, f, g);
            free(got.at);
            tms_filter_destroy(g);
        }
    ASSERT_OK(ctx, tms_context_set_threads(ctx, 1));
    tms_filter_destroy(f);
    free(want.at);
    stream_free(&s);
    return want.n;
}

#define GEOMETRIC TMS_SAMPLING_GEOMETRIC
#define PLAIN     TMS_SAMPLING_PLAIN
#define CASE(hash, m, k, p, sampling)                                                                                                      \
    {                                                                                                                                      \
        TMS_LAYOUT_PROBABILISTIC, TMS_HASH_##hash, 3, m, k, p, sampling                                                                    \
    }

/* Streams of many kinds; `least`: reports that there are at least, so that a test cannot pass by seeing none. */
static void reports_as_defined(void **state)
{
    (void)state;
    static const struct {
        struct heavy_case c;
        size_t least, most;
    } cases[] = {
        {{CASE(XXH3, 1u << 18, 100, 0.02, GEOMETRIC), 20, 0.95, 30000, 1000, 1, 0}, 20, 500},
        {{CASE(XXH3, 1u << 18, 1000, 0.005, GEOMETRIC), 100, 0.95, 40000, 5000, 1.2, 1}, 10, 500},
        {{CASE(XXH3, 1u << 17, 1000, 0.001, GEOMETRIC), 300, 0.95, 40000, 20, 0, 0}, 20, 20},
        {{CASE(XXH3, 1u << 20, 1000, 0.3, GEOMETRIC), 3, 0.95, 5000, 1000, 0.5, 0}, 300, 1000},
        {{CASE(XXH3, 1u << 17, 200, 0.05, GEOMETRIC), 5, 0.9, 40000, 2000, 0.1, 0}, 500, 2000},
        {{CASE(XXH3, 20000, 50, 0.05, GEOMETRIC), 8, 0.8, 20000, 4000, 0.9, 1}, 5, 500}, /* fills up */
        {{CASE(XXH3, 500, 64, 0.02, GEOMETRIC), 10, 0.8, 10000, 50, 1, 0}, 0, 50},       /* fills up at once */
        {{CASE(XXH3, 64, 64, 0.02, GEOMETRIC), 5, 0.5, 2000, 3, 1, 0}, 0, 3},
        {{CASE(XXH3, 1u << 16, 100, 0.02, GEOMETRIC), 20, 0.95, 5000, 1, 1, 0}, 1, 1}, /* equal keys */
        {{CASE(XXH3, 1u << 16, 100, 0.02, GEOMETRIC), 20, 0.95, 5000, 1, 1, 1}, 1, 1}, /* all empty */
        {{CASE(XXH3, 1u << 16, 300, 0.01, PLAIN), 30, 0.95, 6000, 200, 1, 0}, 5, 200},
        {{CASE(XXH3_SQUARE, 100003, 33, 0.1, PLAIN), 10, 0.9, 10000, 500, 1, 1}, 5, 500},
        {{CASE(XXH3_SQUARE, 100003, 120, 0.03, GEOMETRIC), 10, 0.95, 10000, 500, 1, 0}, 5, 500},
        {{CASE(MURMUR3, 100003, 60, 0.03, GEOMETRIC), 12, 0.95, 6000, 300, 1, 1}, 5, 300},
        {{CASE(AP, 100003, 60, 0.05, PLAIN), 10, 0.95, 6000, 300, 1, 1}, 5, 300},
        {{CASE(XXH3, 1u << 16, 1, 0.5, GEOMETRIC), 0.01, 0.9, 3000, 500, 0, 0}, 300, 500},       /* k = 1 */
        {{CASE(XXH3, 1u << 16, 3000, 1e-4, GEOMETRIC), 0.05, 0.95, 3000, 3000, 0, 0}, 10, 3000}, /* by one or two ones */
        {{CASE(XXH3, 1u << 18, 100, 0.02, GEOMETRIC), 30, 0.95, 20000, 1000, 1, 0, TMS_BY_F}, 20, 500},
        {{CASE(XXH3, 1u << 18, 100, 0.02, GEOMETRIC), 60, 0.95, 20000, 1000, 1, 1, TMS_BY_F_MAX}, 10, 500},
        {{CASE(MURMUR3, 100003, 60, 0.03, PLAIN), 20, 0.95, 6000, 300, 1, 1, TMS_BY_F}, 10, 300},
        {{CASE(XXH3, 20000, 50, 0.05, GEOMETRIC), 15, 0.8, 10000, 4000, 0.9, 1, TMS_BY_F}, 5, 500}, /* fills up */
        {{CASE(XXH3, 20000, 50, 0.05, GEOMETRIC), 20, 0.8, 10000, 4000, 0.9, 1, TMS_BY_F_MAX}, 5, 4000},
        {{CASE(XXH3, 300, 64, 0.02, GEOMETRIC), 10, 0.8, 8000, 300, 0, 0, TMS_BY_F}, 100, 299},      /* f is 0 once it is full */
        {{CASE(XXH3, 300, 64, 0.02, GEOMETRIC), 1e9, 0.8, 4000, 300, 0, 0, TMS_BY_F_MAX}, 300, 300}, /* only infinity is enough */
        {{CASE(XXH3, 64, 64, 0.02, GEOMETRIC), 1e9, 0.5, 2000, 3, 1, 0, TMS_BY_F}, 0, 3},
        {{CASE(XXH3, 1u << 16, 100, 0.02, GEOMETRIC), 0.1, 0.95, 5000, 500, 1, 0, TMS_BY_F_MAX}, 400, 500}, /* by no ones at all */
        {{CASE(XXH3, 1u << 16, 10, 1, GEOMETRIC), 7, 0.95, 2000, 300, 0.5, 0, TMS_BY_F}, 250, 300}, /* p = 1: all its bits at once */
        {{CASE(XXH3, 1u << 16, 1, 0.5, GEOMETRIC), 3, 0.9, 3000, 500, 0, 0, TMS_BY_F_MAX}, 300, 500},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct heavy_case c = cases[i].c;
        if (sample_is_quick() && c.n > 6000) {
            c.n /= SAMPLES_TSAN ? 8 : 4;
            c.min_f /= 2;
        }
        size_t n = check(&c, 1000 + i);
        if (!sample_is_quick())
            assert_in_range(n, cases[i].least, cases[i].most);
    }
}

/* Whatever parameters come. */
static void random_cases(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    size_t n_reports = 0;
    for (int i = 0; i < (SAMPLES_TSAN ? 5 : sample_is_quick() ? 15 : 40); i++) {
        double p = pow(10, -3 * ldexp((double)(random_next(&r) >> 11), -53));
        uint32_t k = 1 + (uint32_t)random_below(&r, 200);
        struct heavy_case c = {{TMS_LAYOUT_PROBABILISTIC, (tms_hash)(1 + random_below(&r, 4)), random_next(&r),
                                64 + random_below(&r, random_below(&r, 2) ? 3000 : 200000), k, p, (tms_sampling)random_below(&r, 2)},
                               pow(10, 3 * ldexp((double)(random_next(&r) >> 11), -53) - 1) / (p * 50),
                               0.5 + ldexp((double)(random_next(&r) >> 11), -53) * 0.4999,
                               (size_t)random_below(&r, 3000),
                               1 + (size_t)random_below(&r, 300),
                               2 * ldexp((double)(random_next(&r) >> 11), -53),
                               (int)random_below(&r, 2),
                               (tms_frequency_by)random_below(&r, 3)};
        uint32_t least;
        if (tms_frequency_least_ones(ctx, &c.params, 0, c.confidence, c.by, c.min_f, &least) == TMS_OK && least <= k)
            n_reports += check(&c, random_next(&r));
    }
    assert_true(n_reports > 0);
}

/* A filter that has had a stream before: its fill and its insertions' numbers count. */
static void goes_on_from_a_filter(void **state)
{
    (void)state;
    tms_filter_params p = CASE(XXH3, 1u << 17, 100, 0.02, GEOMETRIC);
    struct stream before = stream_make(7001, 500, 1, 0, 5), s = stream_make(9000, 500, 1, 0, 5);
    tms_filter *f, *g;
    sample_random r = {sample_seed()};
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &before.set.keys));
    ASSERT_OK(ctx, tms_filter_copy(ctx, f, &g));
    struct reports want = reports_by_definition(f, &s, TMS_BY_F_MIN, 40, 0.95),
                   got = reports_in_batches(g, &s, TMS_BY_F_MIN, 40, 0.95, 0, &r);
    assert_true(want.n > 3);
    assert_same_reports("after another stream", &want, &got);
    assert_same_filter("after another stream", f, g);
    free(want.at);
    free(got.at);
    tms_filter_destroy(f);
    tms_filter_destroy(g);
    stream_free(&before);
    stream_free(&s);
}

/* The tracker knows a reported key at its next occurrence in the same batch, and in later batches. */
static void once_each(void **state)
{
    (void)state;
    tms_filter_params p = CASE(XXH3, 1u << 20, 200, 0.05, GEOMETRIC);
    struct stream s = stream_make(4000, 3, 0, 0, 1);
    const tms_heavy_report *reports;
    size_t n;
    tms_filter *f;
    tms_heavy *heavy;
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_OK(ctx, tms_heavy_create(ctx, f, TMS_BY_F_MIN, 5, 0.95, &heavy));
    ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &s.set.keys, &reports, &n));
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_in_range(reports[i].key, 6, 120);
        assert_true(reports[i].frequency.f_min >= 5 && reports[i].frequency.f_min < 7);
        assert_true(i == 0 || reports[i].key > reports[i - 1].key);
    }
    for (int again = 0; again < 3; again++) {
        ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &s.set.keys, &reports, &n));
        assert_int_equal(n, 0);
    }
    tms_keys none = keys_slice(&s.set.keys, 0, 0);
    ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &none, &reports, &n));
    assert_int_equal(n, 0);
    assert_int_equal(f->n_keys, 16000);
    tms_heavy_destroy(heavy);
    tms_heavy_destroy(NULL);
    tms_filter_destroy(f);
    stream_free(&s);
}

/* --- rejected arguments --- */

static void refused(void **state)
{
    (void)state;
    static const double wrong_f[] = {0, -1, NAN, -INFINITY}, wrong_confidence[] = {0, 1, -1, 2, NAN};
    tms_filter_params p = CASE(XXH3, 1000, 20, 0.1, GEOMETRIC), classic = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 1000, 3};
    tms_filter *f, *opened;
    tms_heavy *heavy = (tms_heavy *)(uintptr_t)1;
    const void *image;
    size_t size;
    ASSERT_OK(ctx, tms_filter_create(ctx, &classic, &f));
    ASSERT_FAILS(ctx, TMS_E_ARG, "probabilistic", tms_heavy_create(ctx, f, TMS_BY_F_MIN, 5, 0.95, &heavy));
    assert_null(heavy);
    tms_filter_destroy(f);
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    for (size_t i = 0; i < sizeof wrong_f / sizeof *wrong_f; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, "above 0", tms_heavy_create(ctx, f, TMS_BY_F_MIN, wrong_f[i], 0.95, &heavy));
    for (size_t i = 0; i < sizeof wrong_confidence / sizeof *wrong_confidence; i++)
        ASSERT_FAILS(ctx, TMS_E_ARG, "confidence", tms_heavy_create(ctx, f, TMS_BY_F_MIN, 5, wrong_confidence[i], &heavy));
    ASSERT_FAILS(ctx, TMS_E_ARG, "p = ", tms_heavy_create(ctx, f, TMS_BY_F_MIN, 1000, 0.95, &heavy));
    ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_heavy_create(ctx, f, TMS_BY_F_MIN, INFINITY, 0.95, &heavy));
    ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_heavy_create(ctx, f, (tms_frequency_by)3, 5, 0.95, &heavy));
    ASSERT_FAILS(ctx, TMS_E_ARG, "unknown", tms_heavy_create(ctx, f, (tms_frequency_by)-1, 5, 0.95, &heavy));
    assert_null(heavy);
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    ASSERT_OK(ctx, tms_filter_open(ctx, image, size, &opened));
    ASSERT_FAILS(ctx, TMS_E_ARG, "read-only", tms_heavy_create(ctx, opened, TMS_BY_F_MIN, 5, 0.95, &heavy));
    tms_filter_destroy(opened);
    tms_filter_destroy(f);
    p.p = 1; /* every key has all its bits after one insertion */
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_FAILS(ctx, TMS_E_ARG, "p = ", tms_heavy_create(ctx, f, TMS_BY_F_MIN, 5, 0.95, &heavy));
    tms_filter_destroy(f);
    p.p = 0.9; /* a full filter carries no information */
    p.m_bits = 64;
    key_set in = keys_make(FORM_FIXED_8, 1000, 1);
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
    ASSERT_FAILS(ctx, TMS_E_ARG, "", tms_heavy_create(ctx, f, TMS_BY_F_MIN, 0.1, 0.95, &heavy));
    assert_null(heavy);
    tms_filter_destroy(f);
    keys_free(&in);
}

/* Suggested values work, for all kinds of parameters. */
static void suggestions_do(void **state)
{
    (void)state;
    sample_random r = {sample_seed()};
    int n_p = 0, n_k = 0, n_empty = 0;
    for (int i = 0; i < 1000; i++) {
        double unit = ldexp((double)(random_next(&r) >> 11), -53), min_f = pow(10, 12 * unit - 1);
        double confidence = 1 - pow(10, -0.4 - 9 * ldexp((double)(random_next(&r) >> 11), -53));
        tms_filter_params p = CASE(XXH3, 64, 1 + (uint32_t)random_below(&r, 80), 1, GEOMETRIC);
        tms_filter *f;
        tms_heavy *heavy;
        p.p = fmax(pow(10, 1 - 14 * ldexp((double)(random_next(&r) >> 11), -53)) / fmax(min_f, 1), 1e-15);
        p.p = fmin(p.p, 1);
        ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
        if (i % 4 == 0) { /* filled, up to full */
            key_set in = keys_make(FORM_FIXED_8, 1 + random_below(&r, 100), i);
            ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in.keys));
            keys_free(&in);
        }
        tms_status status = tms_heavy_create(ctx, f, TMS_BY_F_MIN, min_f, confidence, &heavy);
        char text[512];
        snprintf(text, sizeof text, "%s", tms_context_message(ctx));
        tms_heavy_destroy(heavy);
        tms_filter_destroy(f);
        if (status == TMS_OK)
            continue;
        const char *k = strrchr(text, ':'), *more = strstr(k ? k : text, "p = ");
        assert_non_null(k);
        assert_non_null(strstr(k, "would do"));
        if (more)
            p.p = strtod(more + 4, NULL);
        if ((k = strstr(k, "k = ")))
            p.k = (uint32_t)strtoul(k + 4, NULL, 10);
        n_p += more && !k;
        n_k += k != NULL;
        n_empty += strstr(text, "an empty filter") != NULL;
        ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
        if (tms_heavy_create(ctx, f, TMS_BY_F_MIN, min_f, confidence, &heavy) != TMS_OK)
            fail_msg("'%s' and then '%s'", text, tms_context_message(ctx));
        tms_heavy_destroy(heavy);
        tms_filter_destroy(f);
    }
    assert_true(n_p > 0 && n_k > 0 && n_empty > 0);
}

static void refused_batches(void **state)
{
    (void)state;
    tms_filter_params p = CASE(XXH3, 1000, 20, 0.1, GEOMETRIC);
    static const uint32_t backwards[] = {0, 3, 2};
    static const uint8_t bytes[80];
    const tms_heavy_report *reports;
    size_t n, size;
    const void *image;
    tms_filter *f;
    tms_heavy *heavy;
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &f));
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    void *forged = image_with_n_keys(image, size, UINT64_MAX - 5);
    tms_filter_destroy(f);
    f = copy_of_image(ctx, forged, size);
    ASSERT_OK(ctx, tms_heavy_create(ctx, f, TMS_BY_F_MIN, 5, 0.95, &heavy));
    tms_keys wrong = {bytes, backwards, 2, 0, 0}, keys = {bytes, NULL, 6, 8, 0};
    ASSERT_FAILS(ctx, TMS_E_ARG, "offsets[2]", tms_heavy_insert(ctx, heavy, &wrong, &reports, &n));
    assert_int_equal(n, 0);
    wrong = (tms_keys){NULL, NULL, 3, 8, 0};
    ASSERT_FAILS(ctx, TMS_E_ARG, "no bytes", tms_heavy_insert(ctx, heavy, &wrong, &reports, &n));
    ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_heavy_insert(ctx, heavy, &keys, &reports, &n));
    assert_true(f->n_keys == UINT64_MAX - 5);
    keys.n_keys = 5;
    ASSERT_OK(ctx, tms_heavy_insert(ctx, heavy, &keys, &reports, &n));
    assert_true(f->n_keys == UINT64_MAX);
    keys.n_keys = 1;
    ASSERT_FAILS(ctx, TMS_E_ARG, "2^64", tms_heavy_insert(ctx, heavy, &keys, &reports, &n));
    tms_heavy_destroy(heavy);
    tms_filter_destroy(f);
    free(forged);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reports_as_defined), cmocka_unit_test(random_cases), cmocka_unit_test(goes_on_from_a_filter),
        cmocka_unit_test(once_each),          cmocka_unit_test(refused),      cmocka_unit_test(suggestions_do),
        cmocka_unit_test(refused_batches),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
