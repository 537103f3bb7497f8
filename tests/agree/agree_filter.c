/*
 * agree_filter.c - the finished filter and its answers are the same bytes whatever the SIMD level, the number of
 * threads, the batch size, the form of the keys and the device.
 *
 * The oracle is one thread on the scalar level. Each case is compared on every other CPU context and, where a GPU is
 * usable, on GPU contexts (workers.h). TAMIS_TEST_SEED repeats a run.
 */
#include "unit/samples.h"

#include "agree/workers.h"

static int setup(void **state)
{
    static const size_t batches[] = {0, 1000, 1};
    (void)state;
    make_workers(7, batches, sizeof batches / sizeof *batches);
    return 0;
}

/* Larger cases are not for a GPU that takes so few keys at once. */
static size_t most_keys(const worker *w)
{
    size_t most = w->batch == 1 ? 1100 : 300000;
    return w->batch == 0 ? SIZE_MAX : quick ? most / 20 : most;
}

/* --- one case --- */

#define MOST_COUNTED (quick ? 200000 : 1200000) /* bits */

typedef struct agree_case {
    tms_filter_params params;
    sample_form form;
    size_t n_keys;
    int on_gpu;
} agree_case;

/* What the oracle made of a case. */
typedef struct truth {
    char name[200];
    key_set in, out;              /* keys inserted, and others of the same form */
    tms_keys asked_in, asked_out; /* of these, what is asked for */
    tms_filter *filter;
    const void *image;
    size_t image_size;
    void *in_answers, *out_answers;
} truth;

static int is_probabilistic(const tms_filter_params *p) { return p->layout == TMS_LAYOUT_PROBABILISTIC; }

/* A byte a key; from a probabilistic filter the ones, 4 bytes a key. */
static size_t answers_size(const tms_filter_params *p, const tms_keys *keys)
{
    return keys->n_keys * (is_probabilistic(p) ? sizeof(uint32_t) : 1);
}

static void *ask(tms_context *ctx, const tms_filter *f, const tms_keys *keys)
{
    const tms_filter_params *p = tms_filter_get_params(f);
    void *answers = sample_alloc(answers_size(p, keys));
    memset(answers, 0xee, answers_size(p, keys));
    if (is_probabilistic(p))
        ASSERT_OK(ctx, tms_filter_count(ctx, f, keys, answers));
    else
        ASSERT_OK(ctx, tms_filter_query(ctx, f, keys, answers));
    return answers;
}

static void compare_answers(tms_context *ctx, const tms_filter *f, const truth *t, const char *who, const char *what)
{
    char label[360];
    snprintf(label, sizeof label, "%s: %s: %s", t->name, who, what);
    size_t size = answers_size(tms_filter_get_params(f), &t->asked_in);
    void *in = ask(ctx, f, &t->asked_in), *out = ask(ctx, f, &t->asked_out);
    assert_same_bytes(label, t->in_answers, size, in, size);
    assert_same_bytes(label, t->out_answers, size, out, size);
    free(in);
    free(out);
}

static void compare_image(tms_context *ctx, tms_filter *f, const truth *t, const char *who, const char *what)
{
    char label[360];
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
    snprintf(t.name, sizeof t.name, "%s %s m=%llu k=%u seed=%llu p=%g %s, %zu keys of %s", tms_layout_name(p->layout),
             tms_hash_name(p->hash), (unsigned long long)p->m_bits, p->k, (unsigned long long)p->seed, p->p, tms_sampling_name(p->sampling),
             c->n_keys, form_name(c->form));
    t.in = keys_make(c->form, c->n_keys, seed);
    t.out = keys_make(c->form, c->n_keys, ~seed);
    size_t n_asked = c->n_keys;
    if (is_probabilistic(p) && n_asked > MOST_COUNTED / p->k) /* a count looks at all k bits */
        n_asked = MOST_COUNTED / p->k + 1;
    t.asked_in = keys_slice(&t.in.keys, 0, n_asked);
    t.asked_out = keys_slice(&t.out.keys, 0, n_asked);
    ASSERT_OK(oracle_ctx, tms_filter_create(oracle_ctx, p, &t.filter));
    ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, t.filter, &t.in.keys));
    t.in_answers = ask(oracle_ctx, t.filter, &t.asked_in);
    t.out_answers = ask(oracle_ctx, t.filter, &t.asked_out);
    size_t n_missed = is_probabilistic(p) ? 0 : c->n_keys - count_hits(t.in_answers, c->n_keys);
    for (size_t i = 0; p->p == 1 && i < n_asked; i++)
        n_missed += ((const uint32_t *)t.in_answers)[i] != p->k;
    if (n_missed)
        fail_msg("%s: the oracle misses %zu of its own keys", t.name, n_missed);
    ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, t.filter, &t.image, &t.image_size));
    return t;
}

static void free_truth(truth *t)
{
    tms_filter_destroy(t->filter);
    keys_free(&t->in);
    keys_free(&t->out);
    free(t->in_answers);
    free(t->out_answers);
}

/* In three calls, the middle one the largest. */
static void insert_in_parts(tms_context *ctx, tms_filter *f, const tms_keys *keys)
{
    size_t cuts[] = {0, keys->n_keys / 5, keys->n_keys - keys->n_keys / 7, keys->n_keys};
    for (int i = 0; i < 3; i++) {
        tms_keys part = keys_slice(keys, cuts[i], cuts[i + 1] - cuts[i]);
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

/* Kept until their number is known, then inserted. A builder sizes no probabilistic filter. */
static void check_builder(const worker *w, const agree_case *c, const truth *t)
{
    if (is_probabilistic(&c->params))
        return;
    tms_filter_want want = {.layout = c->params.layout, .hash = c->params.hash, .seed = c->params.seed};
    tms_keys first = keys_slice(&t->in.keys, 0, c->n_keys / 3), rest = keys_slice(&t->in.keys, c->n_keys / 3, c->n_keys - c->n_keys / 3);
    tms_builder *b;
    tms_filter *f;
    ASSERT_OK(w->ctx, tms_builder_create(w->ctx, &want, &b));
    ASSERT_OK(w->ctx, tms_builder_add(w->ctx, b, &first));
    ASSERT_OK(w->ctx, tms_builder_add(w->ctx, b, &rest));
    ASSERT_OK(w->ctx, tms_filter_create(w->ctx, &c->params, &f));
    ASSERT_OK(w->ctx, tms_builder_insert(w->ctx, b, f));
    compare_image(w->ctx, f, t, w->name, "image from a builder");
    tms_filter_destroy(f);
    tms_builder_destroy(b);
}

static void check_worker(const worker *w, const agree_case *c, const truth *t, int in_parts)
{
    tms_filter *f, *opened;
    ASSERT_OK(w->ctx, tms_filter_create(w->ctx, &c->params, &f));
    if (in_parts)
        insert_in_parts(w->ctx, f, &t->in.keys);
    else
        ASSERT_OK(w->ctx, tms_filter_insert(w->ctx, f, &t->in.keys));
    compare_answers(w->ctx, f, t, w->name, "answers");
    compare_image(w->ctx, f, t, w->name, "image");
    compare_answers(oracle_ctx, f, t, w->name, "answers of the oracle");
    tms_filter_destroy(f);
    if (c->on_gpu || w == cpu_workers) {
        ASSERT_OK(w->ctx, tms_filter_open(w->ctx, t->image, t->image_size, &opened));
        compare_answers(w->ctx, opened, t, w->name, "answers of the opened image");
        compare_image(w->ctx, opened, t, w->name, "opened image");
        tms_filter_destroy(opened);
    }
    check_hashes(w, c, t);
    if (!in_parts)
        check_builder(w, c, t);
}

static void check(const agree_case *c)
{
    truth t = find_truth(c);
    const worker *workers = c->on_gpu ? gpu_workers : cpu_workers;
    size_t n = c->on_gpu ? n_gpu_workers : n_cpu_workers;
    for (size_t i = 0; i < n; i++)
        if (c->n_keys <= most_keys(&workers[i]))
            check_worker(&workers[i], c, &t, i % 2 == 1);
    free_truth(&t);
}

/* --- the grids --- */

#define BLOCKED(blocks, k, seed)                                                                                                           \
    {                                                                                                                                      \
        TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, (seed), (uint64_t)(blocks)*256, (k)                                                             \
    }
/* The same in each of several parts. */
#define PARTS(parts, blocks, k, seed)                                                                                                      \
    {                                                                                                                                      \
        TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, (seed), (uint64_t)(parts) * (blocks)*256, (k), .blocks_per_key = (parts)                        \
    }
#define MIB_BLOCKS 32768 /* in 1 MiB */

static const size_t key_counts[] = {0, 1, 31, 32, 33, 255, 256, 257, 1023, 1025, 8191, 8193};
#define N_KEY_COUNTS (sizeof key_counts / sizeof *key_counts)

/* Every k on filters of one block, few blocks, and more, as one part and as several; counts and forms of keys take turns. */
static void blocked_grid(int on_gpu)
{
    static const uint32_t ks[] = {1, 2, 3, 7, 8, 9, 13, 15, 16};
    static const uint64_t blocks[] = {1, 2, 3, 7, 65, 1000, MIB_BLOCKS};
    static const uint32_t parts[] = {2, 3, 8, 5};
    size_t turn = 0;
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
        for (size_t j = 0; j < sizeof blocks / sizeof *blocks; j++, turn += 5) {
            agree_case c = {BLOCKED(blocks[j], ks[i], i % 2 ? 0 : 0x123456789abcdef0u + i), (sample_form)(turn % FORM_COUNT),
                            key_counts[turn % N_KEY_COUNTS], on_gpu};
            agree_case several = {PARTS(parts[turn / 5 % 4], blocks[j], ks[i], i), (sample_form)((turn + 1) % FORM_COUNT),
                                  key_counts[(turn + 3) % N_KEY_COUNTS], on_gpu};
            check(&c);
            check(&several);
        }
}

/* Every count of keys in every form. */
static void forms_grid(int on_gpu)
{
    need_gpu(on_gpu);
    for (size_t i = 0; i < N_KEY_COUNTS; i += quick ? 3 : 1)
        for (int form = 0; form < FORM_COUNT; form++) {
            agree_case blocked = {BLOCKED(1021, 8, 0), (sample_form)form, key_counts[i], on_gpu};
            agree_case several = {PARTS(2, 101, 8, 0), (sample_form)form, key_counts[i], on_gpu};
            agree_case classic = {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 5, 100003, 7}, (sample_form)form, key_counts[i], on_gpu};
            agree_case probabilistic = {
                {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 5, 100003, 30, 0.1, (tms_sampling)((i + (size_t)form) % 2)},
                (sample_form)form,
                key_counts[i],
                on_gpu};
            check(&blocked);
            check(&several);
            check(&classic);
            check(&probabilistic);
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
        {PARTS(2, MIB_BLOCKS, 8, 4), FORM_FIXED_8, 300000, 0},
        {PARTS(3, 3 * MIB_BLOCKS + 1, 8, 4), FORM_GAP_1, 300000, 0},
        {PARTS(3, 3, 16, 1), FORM_FIXED_7, 300000, 0},
        {PARTS(2, MIB_BLOCKS, 8, 2), FORM_EQUAL_8, 300000, 0},
        {PARTS(2, 9 * MIB_BLOCKS, 8, 3), FORM_FIXED_8, 3000000, 0},
        {BLOCKED(9 * MIB_BLOCKS, 8, 3), FORM_FIXED_8, 3000000, 0},
        {BLOCKED(16 * MIB_BLOCKS - 1, 1, 3), FORM_FIXED_20, 3000000, 0},
        {BLOCKED(70 * MIB_BLOCKS, 3, 3), FORM_FIXED_8, 1300000, 0},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agree_case c = cases[i];
        c.on_gpu = on_gpu;
        if ((quick) && (c.n_keys > 400000 || i == 1 || i == 2 || i == 6))
            continue;
        if (!on_gpu && c.n_keys > 1000000)
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
                agree_case c = {{TMS_LAYOUT_CLASSIC, (tms_hash)hash, i % 2 ? 0 : turn * 0x9E3779B97F4A7C15u, ms[j], ks[i]},
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
        if ((quick) && i)
            continue;
        if (c.n_keys > 400000 && !on_gpu)
            continue;
        check(&c);
    }
}

/*
 * Every family, sampling, k and p, the ends of the table of jumps among them (p = 1: one entry; 1e-5: all of them, and k
 * beyond it). Forms and numbers of keys and sizes are drawn, the same in every run.
 */
static void probabilistic_grid(int on_gpu)
{
    static const uint32_t ks[] = {1, 4, 7, 31, 33, 100, 1000, 1024, 1025, 3000, 5000, 65536};
    static const double ps[] = {1, 0.75, 0.1, 0.01, 1e-3, 1e-5};
    static const uint64_t ms[] = {1, 63, 1009, 65536, (1u << 20) + 7, 9000011};
    uint64_t most_work = quick ? 20000 : on_gpu ? 500000 : 60000;
    sample_random r = {1};
    need_gpu(on_gpu);
    for (int hash = TMS_HASH_XXH3; hash <= TMS_HASH_AP; hash++)
        for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++)
            for (size_t i = 0; i < sizeof ks / sizeof *ks; i++)
                for (size_t j = 0; j < sizeof ps / sizeof *ps; j++) {
                    agree_case c = {{TMS_LAYOUT_PROBABILISTIC, (tms_hash)hash, random_next(&r) * (i % 2), ms[random_below(&r, 6)], ks[i],
                                     ps[j], (tms_sampling)sampling},
                                    (sample_form)random_below(&r, FORM_COUNT),
                                    key_counts[random_below(&r, N_KEY_COUNTS)],
                                    on_gpu};
                    if (random_below(&r, 6) >= (quick ? 1 : on_gpu ? 6 : 2))
                        continue;
                    if (c.n_keys * ks[i] > most_work)
                        c.n_keys = most_work / ks[i] | 1;
                    if (hash >= TMS_HASH_MURMUR3 && c.form == FORM_LONG)
                        c.form = FORM_GAP_1; /* these families read a key k times */
                    check(&c);
                }
}

/* Enough insertions for several rounds of several CPU threads and for several pieces on the GPU. */
static void probabilistic_large(int on_gpu)
{
#define PROBABILISTIC(hash, m, k, p, sampling) TMS_LAYOUT_PROBABILISTIC, hash, (k), (m), (k), (p), sampling
    static const agree_case cases[] = {
        {{PROBABILISTIC(TMS_HASH_XXH3, 1u << 23, 1000, 0.002, TMS_SAMPLING_GEOMETRIC)}, FORM_FIXED_20, 120000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3_SQUARE, 9000011, 3000, 1e-4, TMS_SAMPLING_GEOMETRIC)}, FORM_GAP_1, 120001, 0},
        {{PROBABILISTIC(TMS_HASH_MURMUR3, 3000017, 100, 0.01, TMS_SAMPLING_GEOMETRIC)}, FORM_FIXED_8, 120000, 0},
        {{PROBABILISTIC(TMS_HASH_AP, 3000017, 5000, 1e-5, TMS_SAMPLING_GEOMETRIC)}, FORM_FIXED_7, 120000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3, 3000017, 40, 0.9, TMS_SAMPLING_GEOMETRIC)}, FORM_GAP_0, 50000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3, 3000017, 100, 0.02, TMS_SAMPLING_PLAIN)}, FORM_FIXED_8, 50000, 0},
        {{PROBABILISTIC(TMS_HASH_MURMUR3, 100003, 7, 0.3, TMS_SAMPLING_PLAIN)}, FORM_EQUAL_GAP_1, 100000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3_SQUARE, 9000011, 1025, 0.1, TMS_SAMPLING_PLAIN)}, FORM_FIXED_8, 20000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3, 1u << 27, 3000, 0.01, TMS_SAMPLING_GEOMETRIC)}, FORM_FIXED_8, 800000, 0},
        {{PROBABILISTIC(TMS_HASH_XXH3, 1u << 27, 3000, 1e-4, TMS_SAMPLING_GEOMETRIC)}, FORM_FIXED_8, 3000000, 0},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        agree_case c = cases[i];
        c.on_gpu = on_gpu;
        if ((quick) && i % 5)
            continue;
        if (c.n_keys > 200000 && !on_gpu)
            continue;
        if (quick)
            c.n_keys /= 8;
        check(&c);
    }
}

/* Insertions have numbers: a filter that says it has had so many goes on from there, past 2^32 and up to 2^64 - 1. */
static void far_numbers(int on_gpu)
{
    static const uint64_t starts[] = {1, 2, 3, UINT32_MAX - 100, ((uint64_t)1 << 34) - 3, (uint64_t)1 << 63, UINT64_MAX - 1000};
    enum { N = 1000 };
    need_gpu(on_gpu);
    key_set in = keys_make(FORM_GAP_1, N, sample_seed() + 2);
    tms_keys one_more = keys_slice(&in.keys, 0, 1);
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        for (int sampling = TMS_SAMPLING_GEOMETRIC; sampling <= TMS_SAMPLING_PLAIN; sampling++) {
            tms_filter_params p = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 11, 100003, 50, 0.05, (tms_sampling)sampling};
            tms_filter *empty, *f;
            const void *image, *want;
            size_t size, want_size;
            ASSERT_OK(oracle_ctx, tms_filter_create(oracle_ctx, &p, &empty));
            ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, empty, &image, &size));
            void *forged = image_with_n_keys(image, size, starts[i]);
            tms_filter_destroy(empty);
            tms_filter *whole = copy_of_image(oracle_ctx, forged, size);
            ASSERT_OK(oracle_ctx, tms_filter_insert(oracle_ctx, whole, &in.keys));
            ASSERT_OK(oracle_ctx, tms_filter_image(oracle_ctx, whole, &want, &want_size));
            const worker *workers = on_gpu ? gpu_workers : cpu_workers;
            for (size_t w = 0; w < (on_gpu ? n_gpu_workers : n_cpu_workers); w++) {
                char label[100];
                snprintf(label, sizeof label, "%s, numbers from %llu", workers[w].name, (unsigned long long)starts[i]);
                f = copy_of_image(workers[w].ctx, forged, size);
                insert_in_parts(workers[w].ctx, f, &in.keys);
                ASSERT_OK(workers[w].ctx, tms_filter_image(workers[w].ctx, f, &image, &size));
                assert_same_bytes(label, want, want_size, image, size);
                if (starts[i] == UINT64_MAX - N)
                    ASSERT_FAILS(workers[w].ctx, TMS_E_ARG, "2^64", tms_filter_insert(workers[w].ctx, f, &one_more));
                tms_filter_destroy(f);
            }
            tms_filter_destroy(whole);
            free(forged);
        }
    keys_free(&in);
}

/* m beyond 2^32: pages are used sparsely on the CPU; images are compared whole, which touches them all. */
static void beyond_32_bits(int on_gpu)
{
    need_gpu(on_gpu);
    if (quick || available_mib() < 4000) {
        print_message("skipped: a quick run, sanitizers, or less than 4 GB of free memory\n");
        skip();
    }
    agree_case classic = {{TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 1, ((uint64_t)1 << 32) + 500000003, 5}, FORM_FIXED_20, 30000, on_gpu};
    agree_case blocked = {BLOCKED(((uint64_t)1 << 24) + 1000003, 8, 1), FORM_FIXED_8, 30000, on_gpu};
    agree_case probabilistic = {
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 1, ((uint64_t)1 << 32) + 500000003, 100, 0.05, TMS_SAMPLING_GEOMETRIC},
        FORM_FIXED_20,
        30000,
        on_gpu};
    const agree_case *cases[] = {&classic, &blocked, &probabilistic};
    for (int i = 0; i < 3; i++) { /* one worker each: the time goes into comparing 600 MB */
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
static void copies_and_growth_of(tms_filter_params p)
{
    size_t n = 3000;
    tms_filter *whole, *f, *on_cpu, *back;
    const void *want, *got;
    size_t want_size, got_size;
    key_set in = keys_make(FORM_GAP_0, n, sample_seed() + 1);
    tms_keys first = keys_slice(&in.keys, 0, n / 2), second = keys_slice(&in.keys, n / 2, n - n / 2);
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

static void copies_and_growth(int on_gpu)
{
    static const tms_filter_params cases[] = {
        BLOCKED(1021, 5, 9),
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 9, 100003, 50, 0.05, TMS_SAMPLING_GEOMETRIC},
        {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_AP, 9, 100003, 50, 0.05, TMS_SAMPLING_PLAIN},
    };
    need_gpu(on_gpu);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        copies_and_growth_of(cases[i]);
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

BOTH(blocked_grid)
BOTH(forms_grid)
BOTH(blocked_large)
BOTH(classic_grid)
BOTH(classic_large)
BOTH(probabilistic_grid)
BOTH(probabilistic_large)
BOTH(far_numbers)
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
        cmocka_unit_test(blocked_grid_on_cpu),        cmocka_unit_test(forms_grid_on_cpu),
        cmocka_unit_test(blocked_large_on_cpu),       cmocka_unit_test(classic_grid_on_cpu),
        cmocka_unit_test(classic_large_on_cpu),       cmocka_unit_test(probabilistic_grid_on_cpu),
        cmocka_unit_test(probabilistic_large_on_cpu), cmocka_unit_test(far_numbers_on_cpu),
        cmocka_unit_test(beyond_32_bits_on_cpu),      cmocka_unit_test(blocked_grid_on_gpu),
        cmocka_unit_test(forms_grid_on_gpu),          cmocka_unit_test(blocked_large_on_gpu),
        cmocka_unit_test(classic_grid_on_gpu),        cmocka_unit_test(classic_large_on_gpu),
        cmocka_unit_test(probabilistic_grid_on_gpu),  cmocka_unit_test(probabilistic_large_on_gpu),
        cmocka_unit_test(far_numbers_on_gpu),         cmocka_unit_test(beyond_32_bits_on_gpu),
        cmocka_unit_test(pinned_batches_on_gpu),      cmocka_unit_test(copies_and_growth_on_gpu),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
