/*
 * agree_contexts.c - several contexts and what they share: a filter and a query for seeds that two of them ask at the
 * same time; two GPUs; and a GPU whose memory does not suffice.
 *
 * The oracle is a context with one thread of the CPU. TAMIS_REQUIRE_GPU=1 makes a missing GPU a failure. It also lets
 * these tests fill the GPU's memory, which others may be using; TAMIS_AGREE_QUICK=1 forbids it again, because
 * compute-sanitizer takes an allocation that fails for an error. TAMIS: the command, for what it does then.
 */
#include "unit/dna_samples.h"

#include <pthread.h>

#include "filter/keys_core.h"

#define N_KEYS     (sample_is_quick() ? 3000 : 50000)
#define N_BASES    (sample_is_quick() ? 3000 : 50000)
#define N_CONTEXTS 2
#define N_TURNS    5
#define MIB        ((uint64_t)1 << 20)

static const tms_filter_params layouts[] = {
    {TMS_LAYOUT_BLOCKED, TMS_HASH_XXH3, 1, 5003 * 256, 8},
    {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 2, 1000003, 7},
    {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 3, 1000003, 40, 0.1, TMS_SAMPLING_GEOMETRIC},
};
#define N_LAYOUTS (sizeof layouts / sizeof *layouts)

static tms_context *oracle;
static int quick, gpu_required;

static tms_context *context(int device, int n_threads)
{
    tms_context *ctx;
    assert_int_equal(tms_context_create(&ctx), TMS_OK);
    ASSERT_OK(ctx, tms_context_set_threads(ctx, n_threads));
    ASSERT_OK(ctx, tms_context_set_device(ctx, device));
    return ctx;
}

static int setup(void **state)
{
    const char *required = getenv("TAMIS_REQUIRE_GPU");
    (void)state;
    quick = sample_is_quick();
    gpu_required = required && strcmp(required, "1") == 0;
    sample_seed();
    oracle = context(TMS_DEVICE_CPU, 1);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    tms_context_destroy(oracle);
    return 0;
}

static void need_gpus(int n)
{
    tms_gpu_report report;
    int n_usable = 0;
    tms_gpu_probe(&report);
    for (int i = 0; i < report.n_gpus && i < n; i++)
        n_usable += report.gpus[i].usable;
    if (n_usable == n)
        return;
    if (gpu_required && n == 1)
        fail_msg("TAMIS_REQUIRE_GPU=1, and there is no usable GPU: %s", report.reason);
    print_message("skipped: %s\n", n == 1 ? "no usable GPU" : "no second usable GPU");
    skip();
}

static int counts(const tms_filter *f) { return tms_filter_get_params(f)->layout == TMS_LAYOUT_PROBABILISTIC; }

static tms_filter *built(tms_context *ctx, const tms_filter_params *p, const key_set *in)
{
    tms_filter *f;
    ASSERT_OK(ctx, tms_filter_create(ctx, p, &f));
    ASSERT_OK(ctx, tms_filter_insert(ctx, f, &in->keys));
    return f;
}

static void assert_same_filter(const char *what, tms_filter *want, tms_context *ctx, tms_filter *f)
{
    const void *a, *b;
    size_t a_size, b_size;
    ASSERT_OK(oracle, tms_filter_image(oracle, want, &a, &a_size));
    ASSERT_OK(ctx, tms_filter_image(ctx, f, &b, &b_size));
    assert_same_bytes(what, a, a_size, b, b_size);
}

/* --- one asker a thread --- */

/* cmocka can fail a test in its own thread only, so an asker keeps what it saw. */
typedef struct asker {
    pthread_t thread;
    tms_context *ctx;
    const tms_filter *filter;
    const tms_keys *keys;
    const tms_seeds *seeds;
    const tms_dna *subject;
    size_t n_subs;
    const char *failure; /* NULL, or what went wrong */
    /* What the oracle said. */
    const void *answers;
    const tms_seed_hit *hits;
    size_t n_hits;
    const tms_sub_query *subs;
} asker;

static tms_status ask(tms_context *ctx, const tms_filter *f, const tms_keys *keys, void *answers)
{
    return counts(f) ? tms_filter_count(ctx, f, keys, answers) : tms_filter_query(ctx, f, keys, answers);
}

static size_t answers_size(const tms_filter *f, const tms_keys *keys) { return keys->n_keys * (counts(f) ? sizeof(uint32_t) : 1); }

static void ask_filter(asker *a)
{
    size_t size = answers_size(a->filter, a->keys);
    void *got = malloc(size);
    for (int turn = 0; turn < N_TURNS && !a->failure; turn++) {
        memset(got, 0xee, size);
        if (ask(a->ctx, a->filter, a->keys, got) != TMS_OK)
            a->failure = tms_context_message(a->ctx);
        else if (memcmp(got, a->answers, size) != 0)
            a->failure = "other answers than the oracle's";
    }
    free(got);
}

static void ask_seeds(asker *a)
{
    tms_seed_hit *hits = malloc(a->subject->n_bases * sizeof *hits);
    tms_sub_query *subs = malloc(a->n_subs * sizeof *subs);
    for (int turn = 0; turn < N_TURNS && !a->failure; turn++) {
        tms_seeds_tally tally = {0};
        size_t n_hits;
        tms_seeds_sub_queries(a->seeds, subs);
        if (tms_seeds_scan(a->ctx, a->seeds, a->subject, hits, &n_hits, &tally) != TMS_OK ||
            tms_seeds_measure(a->ctx, a->seeds, a->subject, subs) != TMS_OK)
            a->failure = tms_context_message(a->ctx);
        else if (n_hits != a->n_hits || memcmp(hits, a->hits, n_hits * sizeof *hits) != 0)
            a->failure = "other hits than the oracle's";
        else if (memcmp(subs, a->subs, a->n_subs * sizeof *subs) != 0)
            a->failure = "other counts of sub-queries than the oracle's";
    }
    free(subs);
    free(hits);
}

static void *ask_in_a_thread(void *arg)
{
    asker *a = arg;
    if (a->filter)
        ask_filter(a);
    else
        ask_seeds(a);
    return NULL;
}

static void ask_all(asker *askers, int n, const char *what)
{
    for (int i = 0; i < n; i++)
        assert_int_equal(pthread_create(&askers[i].thread, NULL, ask_in_a_thread, &askers[i]), 0);
    for (int i = 0; i < n; i++)
        pthread_join(askers[i].thread, NULL);
    for (int i = 0; i < n; i++)
        if (askers[i].failure)
            fail_msg("%s, context %d of %d: %s", what, i + 1, n, askers[i].failure);
}

/* --- shared by contexts of one device --- */

/* The second one cuts its batches small, so that the two are seldom at the same place. */
static void make_contexts(int device, tms_context **contexts)
{
    for (int i = 0; i < N_CONTEXTS; i++)
        contexts[i] = context(device, 2);
    tms_context_set_batch(contexts[1], 1000);
}

static void free_contexts(tms_context **contexts)
{
    for (int i = 0; i < N_CONTEXTS; i++)
        tms_context_destroy(contexts[i]);
}

static void shared_filter(int device)
{
    tms_context *contexts[N_CONTEXTS];
    key_set in = keys_make(FORM_GAP_1, N_KEYS, sample_seed()), out = keys_make(FORM_GAP_1, N_KEYS, ~sample_seed());
    void *answers = sample_alloc(N_KEYS * sizeof(uint32_t));
    make_contexts(device, contexts);
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *truth = built(oracle, &layouts[l], &in), *f = built(contexts[0], &layouts[l], &in);
        asker askers[N_CONTEXTS];
        ASSERT_OK(oracle, ask(oracle, truth, &out.keys, answers));
        for (int i = 0; i < N_CONTEXTS; i++)
            askers[i] = (asker){.ctx = contexts[i], .filter = f, .keys = &out.keys, .answers = answers};
        ask_all(askers, N_CONTEXTS, tms_layout_name(layouts[l].layout));
        /* who made it and who puts more in need not be the same */
        ASSERT_OK(contexts[1], tms_filter_insert(contexts[1], f, &out.keys));
        ASSERT_OK(oracle, tms_filter_insert(oracle, truth, &out.keys));
        assert_same_filter(tms_layout_name(layouts[l].layout), truth, contexts[1], f);
        tms_filter_destroy(f);
        tms_filter_destroy(truth);
    }
    free_contexts(contexts);
    free(answers);
    keys_free(&in);
    keys_free(&out);
}

typedef struct seeds_truth {
    dna_sample query, subject;
    tms_seeds_params params;
    tms_seed_hit *hits;
    size_t n_hits, n_subs;
    tms_sub_query *subs;
} seeds_truth;

/* Random bases in three parts with the query among them: whatever the seed of the random numbers is, there are hits. */
static dna_sample subject_with(sample_random *r, const dna_sample *query)
{
    size_t n = query->dna.n_bases, ends[3] = {N_BASES / 3, N_BASES / 2, N_BASES};
    uint8_t *bases = sample_alloc(N_BASES);
    dna_fill(r, bases, N_BASES, 1);
    memcpy(bases + ends[1] - n / 2, query->bases, n);
    return dna_from_bases(r, bases, N_BASES, ends, 3);
}

static seeds_truth seeds_truth_make(uint64_t sub_query, tms_schedule schedule)
{
    sample_random r = {sample_seed() + sub_query};
    seeds_truth t = {.query = dna_random(&r, N_BASES / 4, 1, 1)};
    tms_seeds *seeds;
    tms_seeds_info info;
    tms_seeds_tally tally = {0};
    t.subject = subject_with(&r, &t.query);
    tms_seeds_params_init(&t.params);
    t.params.sub_query = sub_query;
    t.params.schedule = schedule;
    if (SAMPLES_SANITIZED)
        t.params.word_size = TMS_SEEDS_MIN_WORD; /* which few bases share too */
    ASSERT_OK(oracle, tms_seeds_create(oracle, &t.params, &t.query.dna, &seeds));
    tms_seeds_get_info(seeds, &info);
    t.params = info.params; /* what was left to choose, so that all have the same filter */
    t.n_subs = info.n_sub_queries;
    t.hits = sample_alloc(N_BASES * sizeof *t.hits);
    t.subs = sample_alloc(t.n_subs * sizeof *t.subs);
    ASSERT_OK(oracle, tms_seeds_scan(oracle, seeds, &t.subject.dna, t.hits, &t.n_hits, &tally));
    tms_seeds_sub_queries(seeds, t.subs);
    ASSERT_OK(oracle, tms_seeds_measure(oracle, seeds, &t.subject.dna, t.subs));
    assert_true(t.n_hits > 0);
    tms_seeds_destroy(seeds);
    return t;
}

static void seeds_truth_free(seeds_truth *t)
{
    dna_free(&t->query);
    dna_free(&t->subject);
    free(t->hits);
    free(t->subs);
}

static asker seeds_asker(const seeds_truth *t, tms_context *ctx, const tms_seeds *seeds)
{
    return (asker){
        .ctx = ctx, .seeds = seeds, .subject = &t->subject.dna, .n_subs = t->n_subs, .hits = t->hits, .n_hits = t->n_hits, .subs = t->subs};
}

static void shared_seeds(int device)
{
    tms_context *contexts[N_CONTEXTS];
    make_contexts(device, contexts);
    for (int schedule = TMS_SCHEDULE_SHARED; schedule <= TMS_SCHEDULE_INTERLEAVED; schedule++)
        for (uint64_t sub_query = 0; sub_query <= 700; sub_query += 700) {
            seeds_truth t = seeds_truth_make(sub_query, (tms_schedule)schedule);
            tms_seeds *seeds;
            asker askers[N_CONTEXTS];
            ASSERT_OK(contexts[0], tms_seeds_create(contexts[0], &t.params, &t.query.dna, &seeds));
            for (int i = 0; i < N_CONTEXTS; i++)
                askers[i] = seeds_asker(&t, contexts[i], seeds);
            ask_all(askers, N_CONTEXTS, tms_schedule_name((tms_schedule)schedule));
            tms_seeds_destroy(seeds);
            seeds_truth_free(&t);
        }
    free_contexts(contexts);
}

static void filter_shared_on_cpu(void **state)
{
    (void)state;
    shared_filter(TMS_DEVICE_CPU);
}

static void seeds_shared_on_cpu(void **state)
{
    (void)state;
    shared_seeds(TMS_DEVICE_CPU);
}

static void filter_shared_on_gpu(void **state)
{
    (void)state;
    need_gpus(1);
    shared_filter(0);
}

static void seeds_shared_on_gpu(void **state)
{
    (void)state;
    need_gpus(1);
    shared_seeds(0);
}

/* --- a second GPU --- */

static void filters_on_two_gpus(void **state)
{
    (void)state;
    need_gpus(2);
    tms_context *contexts[] = {context(0, 1), context(1, 1)};
    key_set in = keys_make(FORM_GAP_1, N_KEYS, sample_seed()), out = keys_make(FORM_GAP_1, N_KEYS, ~sample_seed());
    void *answers = sample_alloc(N_KEYS * sizeof(uint32_t));
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        const char *name = tms_layout_name(layouts[l].layout);
        tms_filter *truth = built(oracle, &layouts[l], &in), *f[2], *copy;
        asker askers[2];
        ASSERT_OK(oracle, ask(oracle, truth, &out.keys, answers));
        for (int i = 0; i < 2; i++) {
            assert_int_equal(tms_context_device(contexts[i]), i);
            f[i] = built(contexts[i], &layouts[l], &in);
            askers[i] = (asker){.ctx = contexts[i], .filter = f[i], .keys = &out.keys, .answers = answers};
        }
        ask_all(askers, 2, name);
        /* each is on its own, until its bits have been fetched */
        ASSERT_FAILS(contexts[1], TMS_E_ARG, "cuda:0", ask(contexts[1], f[0], &out.keys, answers));
        ASSERT_FAILS(contexts[1], TMS_E_ARG, "cuda:0", tms_filter_insert(contexts[1], f[0], &in.keys));
        assert_same_filter(name, truth, contexts[0], f[0]);
        assert_same_filter(name, truth, contexts[1], f[1]);
        ASSERT_OK(contexts[1], tms_filter_copy(contexts[1], f[0], &copy));
        askers[0].ctx = contexts[1];
        askers[0].filter = copy;
        ask_all(askers, 1, name);
        assert_same_filter(name, truth, contexts[1], copy);
        tms_filter_destroy(copy);
        tms_filter_destroy(f[0]); /* while the other GPU is the thread's current one */
        tms_filter_destroy(f[1]);
        tms_filter_destroy(truth);
    }
    tms_context_destroy(contexts[0]);
    tms_context_destroy(contexts[1]);
    free(answers);
    keys_free(&in);
    keys_free(&out);
}

static void seeds_on_two_gpus(void **state)
{
    (void)state;
    need_gpus(2);
    tms_context *contexts[] = {context(0, 1), context(1, 1)};
    seeds_truth t = seeds_truth_make(700, TMS_SCHEDULE_INTERLEAVED);
    tms_seeds *seeds[2];
    asker askers[2];
    tms_seeds_tally tally = {0};
    for (int i = 0; i < 2; i++) {
        ASSERT_OK(contexts[i], tms_seeds_create(contexts[i], &t.params, &t.query.dna, &seeds[i]));
        askers[i] = seeds_asker(&t, contexts[i], seeds[i]);
    }
    ask_all(askers, 2, "two GPUs");
    ASSERT_FAILS(contexts[1], TMS_E_ARG, "cuda:0", tms_seeds_scan(contexts[1], seeds[0], &t.subject.dna, NULL, NULL, &tally));
    for (int i = 0; i < 2; i++) {
        tms_seeds_destroy(seeds[i]);
        tms_context_destroy(contexts[i]);
    }
    seeds_truth_free(&t);
}

/* --- out of GPU memory --- */

static void may_fill_the_gpu(void)
{
    need_gpus(1);
    if (gpu_required && !quick)
        return;
    print_message("skipped: only ./dev check-gpu may fill a GPU's memory, and not under compute-sanitizer\n");
    skip();
}

/* Filters that take all memory of the GPU but the last MiB. */
typedef struct filling {
    tms_filter *filters[400];
    size_t n;
} filling;

static tms_filter *filter_of_bytes(tms_context *ctx, uint64_t size_bytes)
{
    tms_filter_params p = {TMS_LAYOUT_CLASSIC, TMS_HASH_XXH3, 0, size_bytes * 8, 1};
    tms_filter *f;
    tms_status status = tms_filter_create(ctx, &p, &f);
    if (status == TMS_OK)
        return f;
    assert_int_equal(status, TMS_E_MEMORY);
    assert_non_null(strstr(tms_context_message(ctx), "out of GPU memory"));
    assert_null(f);
    return NULL;
}

static void fill(tms_context *ctx, filling *all)
{
    all->n = 0;
    for (uint64_t size = 32 << 10; size > 0; size /= 2)
        for (tms_filter *f; all->n < 400 && (f = filter_of_bytes(ctx, size * MIB)) != NULL;)
            all->filters[all->n++] = f;
    assert_true(all->n < 400);
}

static void empty(filling *all)
{
    while (all->n > 0)
        tms_filter_destroy(all->filters[--all->n]);
}

static void a_filter_larger_than_the_gpu(void **state)
{
    (void)state;
    may_fill_the_gpu();
    tms_gpu_report report;
    tms_context *ctx = context(0, 1);
    key_set in = keys_make(FORM_GAP_1, N_KEYS, sample_seed());
    tms_gpu_probe(&report);
    for (int turn = 0; turn < 3; turn++) {
        tms_filter *truth = built(oracle, &layouts[turn], &in), *f;
        assert_null(filter_of_bytes(ctx, report.gpus[0].memory_bytes + 1024 * MIB));
        f = built(ctx, &layouts[turn], &in);
        assert_same_filter("after a filter that did not fit", truth, ctx, f);
        tms_filter_destroy(f);
        tms_filter_destroy(truth);
    }
    keys_free(&in);
    tms_context_destroy(ctx);
}

/* Room for what is there already, and none for a batch or for a step: once there is, the same call goes on. */
static void no_room_to_work_in(void **state)
{
    (void)state;
    may_fill_the_gpu();
    tms_context *holder = context(0, 1), *ctx = context(0, 1);
    key_set in = keys_make(FORM_FIXED_20, 1 << 20, sample_seed());
    seeds_truth t = seeds_truth_make(700, TMS_SCHEDULE_INTERLEAVED);
    sample_random r = {sample_seed()};
    dna_sample large = dna_random(&r, 4 << 20, 1, 0);
    uint8_t *want = sample_alloc(in.keys.n_keys), *got = sample_alloc(in.keys.n_keys);
    tms_filter *truth = built(oracle, &layouts[1], &in), *f;
    tms_seeds *seeds, *other;
    tms_seeds_tally want_tally = {0}, tally = {0};
    filling all;

    ASSERT_OK(ctx, tms_filter_create(ctx, &layouts[1], &f));
    ASSERT_OK(ctx, tms_seeds_create(ctx, &t.params, &t.query.dna, &seeds));
    ASSERT_OK(oracle, tms_filter_query(oracle, truth, &in.keys, want));
    ASSERT_OK(oracle, tms_seeds_create(oracle, &t.params, &t.query.dna, &other));
    ASSERT_OK(oracle, tms_seeds_scan(oracle, other, &large.dna, NULL, NULL, &want_tally));
    tms_seeds_destroy(other);

    fill(holder, &all);
    ASSERT_FAILS(ctx, TMS_E_MEMORY, "memory", tms_filter_insert(ctx, f, &in.keys));
    ASSERT_FAILS(ctx, TMS_E_MEMORY, "memory", tms_filter_query(ctx, f, &in.keys, got));
    ASSERT_FAILS(ctx, TMS_E_MEMORY, "memory", tms_seeds_scan(ctx, seeds, &large.dna, NULL, NULL, &tally));
    ASSERT_FAILS(ctx, TMS_E_MEMORY, "memory", tms_seeds_create(ctx, &t.params, &large.dna, &other));
    assert_null(other);
    empty(&all);

    tms_filter_destroy(f);
    f = built(ctx, &layouts[1], &in);
    ASSERT_OK(ctx, tms_filter_query(ctx, f, &in.keys, got));
    assert_same_bytes("answers after there was no room", want, in.keys.n_keys, got, in.keys.n_keys);
    assert_same_filter("filter after there was no room", truth, ctx, f);
    tally = (tms_seeds_tally){0};
    ASSERT_OK(ctx, tms_seeds_scan(ctx, seeds, &large.dna, NULL, NULL, &tally));
    assert_memory_equal(&tally, &want_tally, sizeof tally);

    tms_seeds_destroy(seeds);
    tms_filter_destroy(f);
    tms_filter_destroy(truth);
    tms_context_destroy(ctx);
    tms_context_destroy(holder);
    dna_free(&large);
    seeds_truth_free(&t);
    keys_free(&in);
    free(want);
    free(got);
}

/* A shell's commands; $TAMIS is the command, and the GPU is the only one they see. */
static void shell(const char *commands)
{
    char script[2000];
    snprintf(script, sizeof script,
             "set -eu; export CUDA_VISIBLE_DEVICES=\"${CUDA_VISIBLE_DEVICES:-0}\"; "
             "export CUDA_VISIBLE_DEVICES=\"${CUDA_VISIBLE_DEVICES%%%%,*}\"; %s",
             commands);
    if (system(script) != 0)
        fail_msg("failed: %s", commands);
}

/* 1.5 GiB are left, of which a process takes some hundred MiB to begin with: a filter of 2 GiB does not fit. */
static void the_command_falls_back(void **state)
{
    (void)state;
    may_fill_the_gpu();
    if (!getenv("TAMIS")) {
        print_message("skipped: TAMIS does not name the command\n");
        skip();
    }
    char folder[] = "/tmp/tamis-contexts-XXXXXX", script[400];
    tms_context *holder = context(0, 1);
    tms_filter *left = filter_of_bytes(holder, 1536 * MIB);
    filling all;
    assert_non_null(left);
    assert_non_null(mkdtemp(folder));
    fill(holder, &all);
    tms_filter_destroy(left);
    assert_int_equal(setenv("FOLDER", folder, 1), 0);
    assert_int_equal(setenv("LARGE", "build --layout classic -k 3 -m 16Gi", 1), 0);
    shell("cd \"$FOLDER\"; seq 1 1000 >in; \"$TAMIS\" $LARGE -q --device cpu -o cpu.tms in; "
          "\"$TAMIS\" $LARGE --device auto -o auto.tms in 2>err || { cat err; exit 1; }; "
          "grep -q 'using the CPU: the GPU cannot take this filter: out of GPU memory' err || { cat err; exit 1; }; "
          "cmp cpu.tms auto.tms");
    /* who asks for the GPU is told, and gets no half of a filter */
    shell("cd \"$FOLDER\"; status=0; \"$TAMIS\" $LARGE --device cuda -o cuda.tms in 2>err || status=$?; "
          "[ $status -eq 5 ]; grep -q 'out of GPU memory' err; [ ! -e cuda.tms ]");
    /* reading a filter falls back too */
    shell("cd \"$FOLDER\"; \"$TAMIS\" query --device auto cpu.tms in >out 2>err || { cat err; exit 1; }; "
          "grep -q 'using the CPU: the GPU cannot take this filter: out of GPU memory' err; cmp in out");
    snprintf(script, sizeof script, "rm -rf %s", folder);
    shell(script);
    empty(&all);
    tms_context_destroy(holder);
}

/* --- moved there and back, and cancelled there --- */

/* Half of the keys on the CPU, half on the GPU, and some more on the CPU: the filter of all of them. */
static void filters_move(void **state)
{
    (void)state;
    need_gpus(1);
    tms_context *cpu = context(TMS_DEVICE_CPU, 2), *gpu = context(0, 1);
    key_set in = keys_make(FORM_FIXED_20, N_KEYS, sample_seed() + 7);
    tms_keys parts[3] = {keys_slice(&in.keys, 0, N_KEYS / 2), keys_slice(&in.keys, N_KEYS / 2, N_KEYS / 4),
                         keys_slice(&in.keys, N_KEYS / 2 + N_KEYS / 4, N_KEYS - N_KEYS / 2 - N_KEYS / 4)};
    for (size_t l = 0; l < N_LAYOUTS; l++) {
        tms_filter *want = built(oracle, &layouts[l], &in), *f, *opened;
        const void *image;
        size_t size;
        void *a = sample_alloc(answers_size(want, &in.keys)), *b = sample_alloc(answers_size(want, &in.keys));
        ASSERT_OK(cpu, tms_filter_create(cpu, &layouts[l], &f));
        ASSERT_OK(cpu, tms_filter_insert(cpu, f, &parts[0]));
        ASSERT_OK(gpu, tms_filter_upload(gpu, f));
        ASSERT_OK(gpu, tms_filter_upload(gpu, f)); /* is there */
        assert_int_equal(tms_filter_insert(cpu, f, &parts[1]), TMS_E_ARG);
        ASSERT_OK(gpu, tms_filter_insert(gpu, f, &parts[1]));
        ASSERT_OK(cpu, tms_filter_download(cpu, f)); /* any context will do */
        ASSERT_OK(cpu, tms_filter_insert(cpu, f, &parts[2]));
        assert_same_filter("moved twice", want, cpu, f);
        ASSERT_OK(cpu, tms_filter_image(cpu, f, &image, &size));
        ASSERT_OK(cpu, tms_filter_open(cpu, image, size, &opened));
        ASSERT_OK(gpu, tms_filter_upload(gpu, opened)); /* read-only */
        ASSERT_OK(oracle, ask(oracle, want, &in.keys, a));
        ASSERT_OK(gpu, ask(gpu, opened, &in.keys, b));
        assert_memory_equal(a, b, answers_size(want, &in.keys));
        free(a);
        free(b);
        tms_filter_destroy(opened);
        tms_filter_destroy(f);
        tms_filter_destroy(want);
    }
    keys_free(&in);
    tms_context_destroy(gpu);
    tms_context_destroy(cpu);
}

static void calls_end_on_gpu(void **state)
{
    (void)state;
    need_gpus(1);
    tms_context *gpu = context(0, 1);
    key_set in = keys_make(FORM_FIXED_20, N_KEYS, sample_seed() + 8);
    uint8_t *hit = sample_alloc(N_KEYS);
    tms_filter *f = built(gpu, &layouts[0], &in);
    tms_context_cancel(gpu);
    assert_int_equal(tms_filter_query(gpu, f, &in.keys, hit), TMS_E_CANCELLED);
    assert_int_equal(tms_filter_insert(gpu, f, &in.keys), TMS_E_CANCELLED);
    tms_context_resume(gpu);
    ASSERT_OK(gpu, tms_filter_query(gpu, f, &in.keys, hit));
    assert_int_equal(count_hits(hit, N_KEYS), N_KEYS);
    tms_filter_destroy(f);
    free(hit);
    keys_free(&in);
    tms_context_destroy(gpu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filter_shared_on_cpu), cmocka_unit_test(seeds_shared_on_cpu),    cmocka_unit_test(filter_shared_on_gpu),
        cmocka_unit_test(seeds_shared_on_gpu),  cmocka_unit_test(filters_move),           cmocka_unit_test(calls_end_on_gpu),
        cmocka_unit_test(filters_on_two_gpus),  cmocka_unit_test(seeds_on_two_gpus),      cmocka_unit_test(a_filter_larger_than_the_gpu),
        cmocka_unit_test(no_room_to_work_in),   cmocka_unit_test(the_command_falls_back),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
