/*
 * agree_filter.c - the finished filter and its answers are the same bytes whatever the SIMD level, the number of
 * threads, the batch size, the form of the keys and the device.
 *
 * The oracle is one thread on the scalar level. Each case is compared on every other CPU context and, where a GPU is
 * usable, on GPU contexts. Environment: TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure; TAMIS_AGREE_QUICK=1 keeps to
 * small sizes (for compute-sanitizer); TAMIS_TEST_SEED repeats a run.
 */
#include "unit/samples.h"

typedef struct worker {
    tms_context *ctx;
    char name[48];
    size_t batch_keys; /* of a GPU worker */
    size_t max_keys;   /* larger cases are not for it; 0: none are too large */
} worker;

#define MAX_WORKERS 32
static worker cpu_workers[MAX_WORKERS], gpu_workers[MAX_WORKERS];
static size_t n_cpu_workers, n_gpu_workers;
static tms_context *oracle_ctx;
static int quick;

/* --- workers --- */

static tms_context *cpu_context(tms_simd level, int n_threads)
{
    tms_context *ctx;
    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
    if (tms_context_set_simd(ctx, level) == TMS_OK)
        return ctx;
    tms_context_destroy(ctx);
    return NULL;
}

static void make_cpu_workers(void)
{
    static const int threads[] = {1, 2, 3, 7};
    for (int level = TMS_SIMD_SCALAR; level <= TMS_SIMD_AVX512; level++)
        for (size_t t = 0; t < (quick ? 2 : sizeof threads / sizeof *threads); t++) {
            tms_context *ctx = level || t ? cpu_context((tms_simd)level, threads[t]) : NULL;
            if (!ctx)
                continue;
            worker *w = &cpu_workers[n_cpu_workers++];
            w->ctx = ctx;
            snprintf(w->name, sizeof w->name, "%s, %d threads", tms_simd_name((tms_simd)level), threads[t]);
        }
}

static void make_gpu_workers(void)
{
    static const struct {
        size_t batch_keys, max_keys;
    } batches[] = {{0, 0}, {1000, 300000}, {1, 1100}};
    for (size_t i = 0; i < sizeof batches / sizeof *batches; i++) {
        tms_context *ctx;
        assert_int_equal(tms_context_create(&ctx), TMS_OK);
        if (tms_context_set_device(ctx, 0) != TMS_OK) {
            print_message("no GPU: %s\n", tms_context_message(ctx));
            tms_context_destroy(ctx);
            return;
        }
        tms_context_set_batch(ctx, batches[i].batch_keys);
        worker *w = &gpu_workers[n_gpu_workers++];
        w->ctx = ctx;
        w->batch_keys = batches[i].batch_keys;
        w->max_keys = quick && batches[i].max_keys ? batches[i].max_keys / 20 : batches[i].max_keys;
        snprintf(w->name, sizeof w->name, "GPU, batch %zu", batches[i].batch_keys);
    }
}

static int setup(void **state)
{
    (void)state;
    const char *wish = getenv("TAMIS_AGREE_QUICK");
    quick = wish && *wish && strcmp(wish, "0") != 0;
    oracle_ctx = cpu_context(TMS_SIMD_SCALAR, 1);
    make_cpu_workers();
    make_gpu_workers();
    sample_seed();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    for (size_t i = 0; i < n_cpu_workers; i++)
        tms_context_destroy(cpu_workers[i].ctx);
    for (size_t i = 0; i < n_gpu_workers; i++)
        tms_context_destroy(gpu_workers[i].ctx);
    tms_context_destroy(oracle_ctx);
    return 0;
}

/* --- one case --- */

typedef struct agree_case {
    tms_filter_params params;
    sample_form form;
    size_t n_keys;
    int on_gpu;
} agree_case;

/* What the oracle made of a case. */
typedef struct truth {
    char name[160];
    key_set in, out; /* keys inserted, and others of the same form */
    tms_filter *filter;
    const void *image;
    size_t image_size;
    uint8_t *in_hits, *out_hits;
} truth;

static void query(tms_context *ctx, const tms_filter *f, const truth *t, const char *who, const char *what)
{
    char label[320];
    snprintf(label, sizeof label, "%s: %s: %s", t->name, who, what);
    size_t n = t->in.keys.n_keys;
    uint8_t *hit = sample_alloc(n);
    memset(hit, 0xee, n);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &t->in.keys, hit));
    assert_same_bytes(label, t->in_hits, n, hit, n);
    memset(hit, 0xee, n);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &t->out.keys, hit));
    assert_same_bytes(label, t->out_hits, n, hit, n);
    free(hit);
}

static void compare_image(tms_context *ctx, tms_filter *f, const truth *t, const char *who, const char *what)
{
    char label[320];
    const void *image;
    size_t size;
    snprintf(label, sizeof label, "%s: %s: %s", t->name, who, what);
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &image, &size));
    assert_same_bytes(label, t->image, t->image_size, image, size);
}

static truth find_truth(const agree_case *c)
{
    truth t;
    uint64_t seed = sample_seed() ^ ((uint64_t)c->n_keys << 32 | (uint64_t)c->form << 24 | c->params.k);
    const tms_filter_params *p = &c->params;
    snprintf(t.name, sizeof t.name, "%s %s m=%llu k=%u seed=%llu, %zu keys of %s", tms_layout_name(p->layout),
             tms_hash_name(p->hash), (unsigned long long)p->m_bits, p->k, (unsigned long long)p->seed, c->n_keys,
             form_name(c->form));
    t.in = keys_make(c->form, c->n_keys, seed);
    t.out = keys_make(c->form, c->n_keys, ~seed);
    t.in_hits = sample_alloc(c->n_keys);
    t.out_hits = sample_alloc(c->n_keys);
    ASSERT_OK(oracle_ctx, tms_filter_create(oracle_ctx, p, &t.filter));
    ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, t.filter, &t.in.keys));
    ASSERT_OK(oracle_ctx, tms_filter_query(oracle_ctx, t.filter, &t.in.keys, t.in_hits));
    ASSERT_OK(oracle_ctx, tms_filter_query(oracle_ctx, t.filter, &t.out.keys, t.out_hits));
    if (count_hits(t.in_hits, c->n_keys) != c->n_keys)
        fail_msg("%s: the oracle misses %zu of its own keys", t.name, c->n_keys - count_hits(t.in_hits, c->n_keys));
    ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, t.filter, &t.image, &t.image_size));
    return t;
}

static void free_truth(truth *t)
{
    tms_filter_destroy(t->filter);
    keys_free(&t->in);
    keys_free(&t->out);
    free(t->in_hits);
    free(t->out_hits);
}

/* In three calls, the middle one the largest. */
static void insert_in_parts(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    size_t cuts[] = {0, keys->n_keys / 5, keys->n_keys - keys->n_keys / 7, keys->n_keys};
    for (int i = 0; i < 3; i++) {
        tms_keys part = keys_part(keys, cuts[i], cuts[i + 1] - cuts[i]);
        ASSERT_OK(ctx, tms_filter_insert(ctx, f, &part));
    }
}

static void check_hashes(const worker *w, const agree_case *c, const truth *t)
{
    size_t words = (size_t)tms_hash_words(&c->params);
    if (!words)
        return;
    uint64_t *hashes = sample_alloc(c->n_keys * words * sizeof *hashes);
    tms_filter *f;
    ASSERT_OK(w->ctx, tms_keys_hash(w->ctx, &c->params, &t->in.keys, hashes));
    ASSERT_OK(w->ctx, tms_filter_create(w->ctx, &c->params, &f));
    ASSERT_OK(w->ctx, tms_filter_insert_hashes(w->ctx, f, hashes, c->n_keys / 3));
    ASSERT_OK(w->ctx, tms_filter_insert_hashes(w->ctx, f, hashes + c->n_keys / 3 * words, c->n_keys - c->n_keys / 3));
    compare_image(w->ctx, f, t, w->name, "image from hashes");
    tms_filter_destroy(f);
    free(hashes);
}

static void check_worker(const worker *w, const agree_case *c, const truth *t, int in_parts)
{
    tms_filter *f, *opened;
    ASSERT_OK(w->ctx, tms_filter_create(w->ctx, &c->params, &f));
    if (in_parts)
        insert_in_parts(w->ctx, f, &t->in.keys);
    else
        ASSERT_OK(w->ctx, tms_filter_insert(w->ctx, f, &t->in.keys));
    query(w->ctx, f, t, w->name, "answers");
    compare_image(w->ctx, f, t, w->name, "image");
    query(oracle_ctx, f, t, w->name, "answers of the oracle");
    tms_filter_destroy(f);
    if (c->on_gpu || w == cpu_workers) {
        ASSERT_OK(w->ctx, tms_filter_open(w->ctx, t->image, t->image_size, &opened));
        query(w->ctx, opened, t, w->name, "answers of the opened image");
        compare_image(w->ctx, opened, t, w->name, "opened image");
        tms_filter_destroy(opened);
    }
    check_hashes(w, c, t);
}

static void check(const agree_case *c)
{
    truth t = find_truth(c);
    const worker *workers = c->on_gpu ? gpu_workers : cpu_workers;
    size_t n = c->on_gpu ? n_gpu_workers : n_cpu_workers;
    for (size_t i = 0; i < n; i++)
        if (!workers[i].max_keys || c->n_keys <= workers[i].max_keys)
            check_worker(&workers[i], c, &t, i % 2 == 1);
    free_truth(&t);
}

/* --- the grids --- */

#define BLOCKED(blocks, k, seed)                                                                                       \
    {                                                                                                                  \
        TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, (seed), (uint64_t)(blocks)*256, (k)                                         \
    }
#define MIB_BLOCKS 32768 /* in 1 MiB */

static const size_t key_counts[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1025, 8191, 8193};
#define N_KEY_COUNTS (sizeof key_counts / sizeof *key_counts)

static void need_gpu(int on_gpu)
{
    if (!on_gpu || n_gpu_workers)
        return;
    const char *required = getenv("TAMIS_REQUIRE_GPU");
    if (required && strcmp(required, "1") == 0)
        fail_msg("TAMIS_REQUIRE_GPU=1, and there is no usable GPU");
    print_message("skipped: no usable GPU\n");
    skip();
}

/* Every k on filters of one block, few blocks, and more; counts and forms of keys take turns. */
static void blocked_grid(int on_gpu)
{
    static const uint32_t ks[] = {1, 2, 3, 7, 8, 9, 13, 15, 16};
    static const uint64_t blocks[] = {1, 2, 3, 7, 65, 1000, MIB_BLOCKS};
    size_t turn = 0;
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++, turn += 5) {
            agree_case c = {BLOCKED(blocks[j], ks[i], i % 2 ? 0 : 0x123456789abcdef0u + i),
                            (sample_form)(turn % FORM_COUNT), key_counts[turn % N_KEY_COUNTS], on_gpu};
            check(&c);
        }
}

/* Every count of keys in every form. */
static void forms_grid(int on_gpu)
{
    need_gpu(on_gpu);
    for (size_t i = 0; i < N_KEY_COUNTS; i += quick ? 3 : 1)
        for (int form = 0; form < FORM_COUNT; form++) {
            agree_case blocked = {BLOCKED(1021, 8, 0), (sample_form)form, key_counts[i], on_gpu};
            agree_case classic = {
                {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 5, 100003, 7}, (sample_form)form, key_counts[i], on_gpu};
            check(&blocked);
            check(&classic);
        }
}

/* Enough keys for the GPU's partitioned insertion (2^18 in a piece) and for several rounds of several CPU threads. */
static void blocked_large(int on_gpu)
{
    static const agree_case cases[] = {
        {BLOCKED(MIB_BLOCKS, 8, 7), FORM_FIXED_8, 300000, 0},
        {BLOCKED(MIB_BLOCKS + 13, 13, 0), FORM_FIXED_20, 300001, 0},
        {BLOCKED(9 * MIB_BLOCKS + 1, 7, 1), FORM_FIXED_7, 400000, 0},
        {BLOCKED(3, 16, 1), FORM_FIXED_7, 300000, 0},
        {BLOCKED(MIB_BLOCKS, 9, 2), FORM_GAP_1, 300000, 0},
        {BLOCKED(MIB_BLOCKS, 8, 2), FORM_EQUAL_8, 300000, 0},
        {BLOCKED(9 * MIB_BLOCKS, 16, 2), FORM_EQUAL_GAP_1, 300000, 0},
        {BLOCKED(MIB_BLOCKS, 8, 3), FORM_FIXED_0, 300000, 0},
        {BLOCKED(9 * MIB_BLOCKS, 8, 3), FORM_FIXED_8, 3000000, 0},
        {BLOCKED(16 * MIB_BLOCKS - 1, 1, 3), FORM_FIXED_20, 3000000, 0},
        {BLOCKED(70 * MIB_BLOCKS, 3, 3), FORM_FIXED_8, 1300000, 0},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agree_case c = cases[i];
        c.on_gpu = on_gpu;
        if ((quick || SAMPLES_SANITIZED) && (c.n_keys > 400000 || i == 1 || i == 2 || i == 6))
            continue;
        if (!on_gpu && c.n_keys > 2000000)
            continue; /* for the GPU's partition; the CPU has the same code for fewer */
        check(&c);
    }
}

/* Every family, k and m; counts and forms of keys take turns, with n k bounded. */
static void classic_grid(int on_gpu)
{
    static const uint32_t ks[] = {1, 2, 7, 31, 32, 33, 47, 48, 49, 64, 500, 1025, 4096};
    static const uint64_t ms[] = {1, 63, 65, 1009, 16411, (1u << 20) + 7, 80000023};
    uint64_t most_work = quick ? 20000 : on_gpu ? 250000 : 60000;
    size_t turn = 0;
    need_gpu(on_gpu);
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
            for (size_t j = 0; j < sizeof ms / sizeof *ms; j++, turn += 5) {
                if (ms[j] > 2000000 && (i % 4 != 2 || quick))
                    continue;
                agree_case c = {
                    {TMS_LAYOUT_CLASSIC, (tms_hash)hash, i % 2 ? 0 : turn * 0x9E3779B97F4A7C15u, ms[j], ks[i]},
                    (sample_form)(turn % FORM_COUNT),
                    key_counts[turn % N_KEY_COUNTS],
                    on_gpu};
                if (c.n_keys * ks[i] > most_work)
                    c.n_keys = most_work / ks[i] | 1;
                if (hash >= TMS_HASH_MURMUR3 && c.form == FORM_LONG && ks[i] > (quick ? 2 : 33))
                    c.form = FORM_GAP_1; /* these families read a key k times */
                check(&c);
            }
}

static void classic_large(int on_gpu)
{
    static const agree_case cases[] = {
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 3000017, 7}, FORM_FIXED_20, 300000, 0},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3_SQUARE, 9, 9000011, 10}, FORM_GAP_1, 300000, 0},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_MURMUR3, 0, 3000017, 5}, FORM_FIXED_8, 300000, 0},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_AP, 3, 3000017, 5}, FORM_FIXED_7, 300000, 0},
        {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, 80000023, 3}, FORM_FIXED_8, 3000000, 0},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agree_case c = cases[i];
        c.on_gpu = on_gpu;
        if ((quick || SAMPLES_SANITIZED) && i)
            continue;
        if (c.n_keys > 400000 && !on_gpu)
            continue;
        check(&c);
    }
}

/* m beyond 2^32: pages are used sparsely on the CPU; images are compared whole, which touches them all. */
static void beyond_32_bits(int on_gpu)
{
    need_gpu(on_gpu);
    if (quick || SAMPLES_SANITIZED || available_mib() < 4000) {
        print_message("skipped: a quick run, sanitizers, or less than 4 GB of free memory\n");
        skip();
    }
    agree_case classic = {
        {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 1, ((uint64_t)1 << 32) + 500000003, 5}, FORM_FIXED_20, 30000, on_gpu};
    agree_case blocked = {BLOCKED(((uint64_t)1 << 24) + 1000003, 8, 1), FORM_FIXED_8, 30000, on_gpu};
    const agree_case *cases[] = {&classic, &blocked};
    for (int i = 0; i < 2; i++) { /* one worker each: the time goes into comparing 600 MB */
        truth t = find_truth(cases[i]);
        check_worker(on_gpu ? gpu_workers : &cpu_workers[n_cpu_workers - 1], cases[i], &t, 0);
        free_truth(&t);
    }
}

/* Batches in pinned memory, cut so that pieces begin at every alignment. */
static void pinned_batches(int on_gpu)
{
    tms_filter_params p = BLOCKED(1021, 8, 0);
    size_t n = quick ? 1000 : 20000;
    void *pinned;
    tms_filter *a, *b;
    const void *image_a, *image_b;
    size_t size_a, size_b;
    need_gpu(on_gpu);
    key_set in = keys_make(FORM_GAP_1, n, sample_seed());
    tms_context *ctx = gpu_workers[0].ctx;
    ASSERT_OK(ctx, tms_host_alloc(ctx, in.offsets[n] + 1, &pinned));
    memcpy(pinned, in.bytes, in.offsets[n]);
    tms_keys keys = in.keys;
    keys.bytes = pinned;
    ASSERT_OK(oracle_ctx, tms_filter_create(oracle_ctx, &p, &a));
    ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, a, &in.keys));
    ASSERT_OK(ctx, tms_filter_create(ctx, &p, &b));
    tms_context_set_batch(ctx, 777);
    ASSERT_OK(ctx, tms_filter_insert(ctx, b, &keys));
    tms_context_set_batch(ctx, 0);
    ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, a, &image_a, &size_a));
    ASSERT_OK(ctx, tms_filter_image(ctx, b, &image_b, &size_b));
    assert_same_bytes("pinned batches", image_a, size_a, image_b, size_b);
    tms_filter_destroy(a);
    tms_filter_destroy(b);
    int device = tms_context_device(ctx); /* a batch outlives its context's choice of device */
    ASSERT_OK(ctx, tms_context_set_device(ctx, TMS_DEVICE_CPU));
    tms_host_free(ctx, pinned);
    ASSERT_OK(ctx, tms_context_set_device(ctx, device));
    keys_free(&in);
}

/* Copies travel: GPU filter -> CPU copy -> GPU copy, and a filter on the GPU can be extended after its image was taken.
 */
static void copies_and_growth(int on_gpu)
{
    tms_filter_params p = BLOCKED(1021, 5, 9);
    size_t n = 3000;
    tms_filter *whole, *f, *on_cpu, *back;
    const void *want, *got;
    size_t want_size, got_size;
    need_gpu(on_gpu);
    key_set in = keys_make(FORM_GAP_0, n, sample_seed() + 1);
    tms_keys first = keys_part(&in.keys, 0, n / 2), second = keys_part(&in.keys, n / 2, n - n / 2);
    tms_context *gpu = gpu_workers[0].ctx;
    ASSERT_OK(oracle_ctx, tms_filter_create(oracle_ctx, &p, &whole));
    ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, whole, &in.keys));
    ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, whole, &want, &want_size));
    ASSERT_OK(gpu, tms_filter_create(gpu, &p, &f));
    ASSERT_OK(gpu, tms_filter_insert(gpu, f, &first));
    ASSERT_FAILS(oracle_ctx, TMS_E_ARG, "tms_filter_image", tms_filter_copy(oracle_ctx, f, &on_cpu));
    ASSERT_OK(gpu, tms_filter_image(gpu, f, &got, &got_size));
    ASSERT_OK(oracle_ctx, tms_filter_copy(oracle_ctx, f, &on_cpu));
    ASSERT_OK(gpu, tms_filter_copy(gpu, on_cpu, &back));
    ASSERT_OK(gpu, tms_filter_insert(gpu, f, &second));
    ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, on_cpu, &second));
    ASSERT_OK(gpu, tms_filter_insert(gpu, back, &second));
    tms_filter *made[] = {f, on_cpu, back};
    tms_context *by[] = {gpu, oracle_ctx, gpu};
    for (int i = 0; i < 3; i++) {
        ASSERT_OK(by[i], tms_filter_image(by[i], made[i], &got, &got_size));
        assert_same_bytes("copies", want, want_size, got, got_size);
        tms_filter_destroy(made[i]);
    }
    tms_filter_destroy(whole);
    keys_free(&in);
}

#define BOTH(grid)                                                                                                     \
    static void grid##_on_cpu(void **state)                                                                            \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        grid(0);                                                                                                       \
    }                                                                                                                  \
    static void grid##_on_gpu(void **state)                                                                            \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        grid(1);                                                                                                       \
    }

BOTH(blocked_grid)
BOTH(forms_grid)
BOTH(blocked_large)
BOTH(classic_grid)
BOTH(classic_large)
BOTH(beyond_32_bits)

static void pinned_batches_on_gpu(void **state)
{
    (void)state;
    pinned_batches(1);
}
static void copies_and_growth_on_gpu(void **state)
{
    (void)state;
    copies_and_growth(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocked_grid_on_cpu),   cmocka_unit_test(forms_grid_on_cpu),
        cmocka_unit_test(blocked_large_on_cpu),  cmocka_unit_test(classic_grid_on_cpu),
        cmocka_unit_test(classic_large_on_cpu),  cmocka_unit_test(beyond_32_bits_on_cpu),
        cmocka_unit_test(blocked_grid_on_gpu),   cmocka_unit_test(forms_grid_on_gpu),
        cmocka_unit_test(blocked_large_on_gpu),  cmocka_unit_test(classic_grid_on_gpu),
        cmocka_unit_test(classic_large_on_gpu),  cmocka_unit_test(beyond_32_bits_on_gpu),
        cmocka_unit_test(pinned_batches_on_gpu), cmocka_unit_test(copies_and_growth_on_gpu),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
