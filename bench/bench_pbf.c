/*
 * bench_pbf.c - probabilistic filter, the thesis's keys (1 to 150 letters and digits) in host memory, p = 0.01.
 *
 * Every row's n is as large as takes ROW_SECONDS, up to N. All rows of one k and m are measured in turns, RUNS times, and the
 * ratios in the notes are medians over the turns, because a shared machine's speed drifts. "fill" is what so many different keys
 * lead to. The GPU's keys are in pinned memory, and its limit is what the copies alone take. Rows "insert x10" insert the same
 * batch ten times, as the thesis's test lets the user choose: on the GPU it is copied once and stays there.
 */
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "tamis/tamis.h"

#define P            0.01
#define RUNS         5
#define ROW_SECONDS  0.3
#define REPEATS      10
#define COUNTED_KEYS 1000000 /* inserted before rows "count" */
#define MAX_ROWS     16

enum what { INSERT, INSERT_REPEATED, COUNT };

struct row {
    enum what what;
    const char *place; /* "x1" */
    tms_context *ctx;
    int is_reference; /* the notes of later rows have ratios to it */
    tms_filter_params params;
    const tms_keys *keys;
    const tms_filter *filter; /* COUNT */
    uint32_t *ones;           /* COUNT */
    size_t n;                 /* keys of the batch */
    double seconds[RUNS];
};

/* Seconds for REPEATS insertions of the batch, the copy to the GPU included. */
static double insert_repeatedly(const struct row *row, const tms_keys *keys)
{
    tms_filter *f = bench_new_filter(row->ctx, &row->params);
    double start = bench_now();
    if (tms_context_device(row->ctx) >= 0) {
        tms_keys d_keys = bench_device_alloc(keys);
        start = bench_now();
        bench_device_copy(row->ctx, &d_keys, keys);
        for (int i = 0; i < REPEATS; i++)
            bench_must(row->ctx, tms_filter_insert_device(row->ctx, f, &d_keys));
        bench_must(row->ctx, tms_context_wait(row->ctx));
        double seconds = bench_now() - start;
        bench_device_free(&d_keys);
        tms_filter_destroy(f);
        return seconds;
    }
    for (int i = 0; i < REPEATS; i++)
        bench_must(row->ctx, tms_filter_insert(row->ctx, f, keys));
    double seconds = bench_now() - start;
    tms_filter_destroy(f);
    return seconds;
}

static double row_seconds(void *arg, size_t n)
{
    struct row *row = arg;
    tms_keys keys = *row->keys;
    keys.n_keys = n;
    if (row->what == INSERT)
        return bench_insert_seconds(row->ctx, &row->params, &keys);
    if (row->what == INSERT_REPEATED)
        return insert_repeatedly(row, &keys);
    double start = bench_now();
    bench_must(row->ctx, tms_filter_count(row->ctx, row->filter, &keys, row->ones));
    return bench_now() - start;
}

static size_t operations(const struct row *row) { return row->n * (row->what == INSERT_REPEATED ? REPEATS : 1); }

static int backend_name(const struct row *row, char *name, size_t size)
{
    if (row->what == COUNT)
        return snprintf(name, size, "%s", row->place);
    return snprintf(name, size, "%s %s", tms_sampling_name(row->params.sampling), row->place);
}

/* How many times as fast as another row: the median over the turns. */
static double speed_ratio(const struct row *row, const struct row *other)
{
    double ratios[RUNS];
    for (int run = 0; run < RUNS; run++)
        ratios[run] = other->seconds[run] / (double)operations(other) / (row->seconds[run] / (double)operations(row));
    return bench_median(ratios, RUNS);
}

static void print_row(const struct row *rows, int which)
{
    static const char *const names[] = {"insert", "insert x10", "count"};
    const struct row *row = &rows[which];
    char backend[64], other[64], note[512];
    int at = 0;
    backend_name(row, backend, sizeof backend);
    for (int i = 0; i < which; i++)
        if (rows[i].what == row->what && rows[i].is_reference) {
            backend_name(&rows[i], other, sizeof other);
            at += snprintf(note + at, sizeof note - (size_t)at, "%.3g x %s, ", speed_ratio(row, &rows[i]), other);
        }
    size_t inserted = row->what == COUNT ? COUNTED_KEYS : row->n;
    inserted = inserted < row->keys->n_keys ? inserted : row->keys->n_keys;
    snprintf(note + at, sizeof note - (size_t)at, "fill %.3g%%",
             100 * tms_frequency_expected_fill(&row->params, inserted, row->what == INSERT_REPEATED ? REPEATS : 1, 0));

    double limit = 0, bytes_per_key = (double)row->keys->offsets[row->n] / (double)row->n + sizeof(uint32_t);
    if (tms_context_device(row->ctx) >= 0) {
        tms_keys keys = *row->keys;
        keys.n_keys = row->n;
        limit = (double)operations(row) / bench_copies_alone(row->ctx, &keys, row->ones, row->ones ? sizeof *row->ones : 0);
    }
    double seconds[RUNS];
    memcpy(seconds, row->seconds, sizeof seconds);
    struct bench_row out = {names[row->what],
                            backend,
                            operations(row),
                            row->params.k,
                            row->params.m_bits,
                            bench_median(seconds, RUNS),
                            row->what == COUNT ? bytes_per_key + sizeof(uint32_t) : bytes_per_key,
                            limit,
                            note};
    bench_print(&out);
}

/* Contexts for one thread, for two, for all and for a GPU; NULL where that is none or the same again. */
struct places {
    tms_context *one, *two, *all, *cuda;
    char all_name[16];
};

static tms_context *cpu_context(int n_threads)
{
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        exit(5);
    bench_must(ctx, tms_context_set_threads(ctx, n_threads));
    return ctx;
}

static void find_places(struct places *places)
{
    memset(places, 0, sizeof *places);
    places->one = cpu_context(1);
    tms_context *ctx = cpu_context(0);
    int n = tms_context_threads(ctx);
    snprintf(places->all_name, sizeof places->all_name, "x%d", n);
    if (n > 1)
        places->all = ctx;
    else
        tms_context_destroy(ctx);
    if (n > 2)
        places->two = cpu_context(2);
    ctx = cpu_context(0);
    if (tms_context_set_device(ctx, TMS_DEVICE_AUTO) == TMS_OK && tms_context_device(ctx) >= 0)
        places->cuda = ctx;
    else
        tms_context_destroy(ctx);
}

static int list_rows(const struct places *places, struct row *rows)
{
    const struct {
        enum what what;
        const char *place;
        tms_context *ctx;
        tms_sampling sampling;
        int is_reference;
    } all[] = {
        {INSERT, "x1", places->one, TMS_SAMPLING_PLAIN, 1},
        {INSERT, places->all_name, places->all, TMS_SAMPLING_PLAIN, 0},
        {INSERT, "x1", places->one, TMS_SAMPLING_GEOMETRIC, 1},
        {INSERT, "x2", places->two, TMS_SAMPLING_GEOMETRIC, 0},
        {INSERT, places->all_name, places->all, TMS_SAMPLING_GEOMETRIC, 1},
        {INSERT, "cuda", places->cuda, TMS_SAMPLING_GEOMETRIC, 0},
        {INSERT, "cuda", places->cuda, TMS_SAMPLING_PLAIN, 0},
        {INSERT_REPEATED, "x1", places->one, TMS_SAMPLING_PLAIN, 1},
        {INSERT_REPEATED, places->all_name, places->all, TMS_SAMPLING_GEOMETRIC, 1},
        {INSERT_REPEATED, "cuda", places->cuda, TMS_SAMPLING_GEOMETRIC, 0},
        {COUNT, "x1", places->one, TMS_SAMPLING_GEOMETRIC, 1},
        {COUNT, places->all_name, places->all, TMS_SAMPLING_GEOMETRIC, 1},
        {COUNT, "cuda", places->cuda, TMS_SAMPLING_GEOMETRIC, 0},
    };
    int n = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].ctx) {
            rows[n] = (struct row){.what = all[i].what, .place = all[i].place, .ctx = all[i].ctx, .is_reference = all[i].is_reference};
            rows[n++].params.sampling = all[i].sampling;
        }
    return n;
}

static tms_filter *filled(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys)
{
    tms_filter *f;
    tms_keys part = *keys;
    part.n_keys = keys->n_keys < COUNTED_KEYS ? keys->n_keys : COUNTED_KEYS;
    bench_must(ctx, tms_filter_create(ctx, params, &f));
    bench_must(ctx, tms_filter_insert(ctx, f, &part));
    return f;
}

static void run_size(const struct places *places, uint64_t m_bits, uint32_t k, const tms_keys *keys, uint32_t *ones)
{
    struct row rows[MAX_ROWS];
    int n_rows = list_rows(places, rows);
    tms_filter_params params = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, m_bits, k, P, TMS_SAMPLING_GEOMETRIC};
    tms_filter *on_cpu = filled(places->all ? places->all : places->one, &params, keys);
    tms_filter *on_gpu = places->cuda ? filled(places->cuda, &params, keys) : NULL;
    for (int i = 0; i < n_rows; i++) {
        struct row *row = &rows[i];
        params.sampling = row->params.sampling;
        row->params = params;
        row->keys = keys;
        if (row->what == COUNT) {
            row->filter = row->ctx == places->cuda ? on_gpu : on_cpu;
            row->ones = ones;
        }
        size_t most = row->what == INSERT_REPEATED && row->ctx != places->cuda ? keys->n_keys / REPEATS : keys->n_keys;
        row->n = bench_fit(row_seconds, row, most, ROW_SECONDS);
    }
    for (int run = 0; run < RUNS; run++)
        for (int i = 0; i < n_rows; i++)
            rows[i].seconds[run] = row_seconds(&rows[i], rows[i].n);
    for (int i = 0; i < n_rows; i++)
        print_row(rows, i);
    tms_filter_destroy(on_cpu);
    tms_filter_destroy(on_gpu);
}

int bench_pbf(int argc, char **argv)
{
    double n = argc > 1 ? atof(argv[1]) : 8000000;
    if (!(n >= 10000 && n <= BENCH_THESIS_MOST)) {
        fprintf(stderr, "tamis-bench: N must be 1e4 to %.0e\n", (double)BENCH_THESIS_MOST);
        return 2;
    }
    struct places places;
    find_places(&places);
    tms_context *owner = places.cuda ? places.cuda : places.one;
    tms_keys keys = bench_thesis_batch(owner, (size_t)n, 1);
    void *ones;
    bench_must(owner, tms_host_alloc(owner, keys.n_keys * sizeof(uint32_t), &ones));
    static const uint64_t sizes[] = {8388608, (uint64_t)1 << 28};
    static const uint32_t ks[] = {1000, 2000, 3000};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t j = 0; j < sizeof ks / sizeof *ks; j++)
            run_size(&places, sizes[i], ks[j], &keys, ones);
    tms_host_free(owner, ones);
    bench_free_keys(owner, &keys);
    tms_context_destroy(places.one);
    tms_context_destroy(places.two);
    tms_context_destroy(places.all);
    tms_context_destroy(places.cuda);
    return 0;
}
