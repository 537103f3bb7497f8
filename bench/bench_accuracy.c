/*
 * bench_accuracy.c - which keys came most often, and how often: the probabilistic filter against count-min sketches of the same
 * bytes, plain and conservative (tests/unit/filter/count_min.h: 4 rows of 32-bit counters), on Zipf streams that are counted exactly.
 *
 * Each structure ranks every key that came by its estimate. "top N" are the keys whose true count is at least the N-th largest;
 * a structure names those whose estimate is at least the N-th largest estimate. Ties are in, so a structure that cannot tell
 * the largest apart names more than N and loses precision. recall: the share of the top N that is named; precision: the share
 * of the named that is in the top N. Errors are |estimate - count| / count over the top N; a filter all of whose k bits of a key
 * are ones estimates infinity, and such keys are counted apart.
 *
 * The filter needs k and p for a range of frequencies. f(r) is the count of rank r that the stream's law expects:
 *     range 100    tms_frequency_size() for f(100) to f(1), with the least error that it takes for so many bits
 *     at 100       p for the least error at f(100) alone, and the k up to MOST_K with the least error there: what comes far more
 *                  often fills all k bits
 *     at 1000      the same for f(1000). (f(1000) to f(1) is a range that only the largest filters can be sized for.)
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../tests/unit/filter/count_min.h"
#include "bench.h"
#include "tamis/tamis.h"

#define ROWS        4
#define RUNS        3
#define MOST_K      16384 /* counting k bits of every key takes its time */
#define TIMED_KEYS  10000
#define STREAM_SEED 1
#define KEYS_SEED   2
#define CONFIDENCE  0.95

struct stream {
    double zipf;
    size_t n_items, n_keys;
    uint64_t *items;  /* n_items */
    uint64_t *keys;   /* that came, n_came */
    uint32_t *counts; /* their true counts */
    size_t n_came;
    double first; /* f(1) */
};

/* What a structure says of all keys: a score to rank by, and the frequency that a score stands for where that is another number. */
struct answer {
    uint32_t *scores;
    const double *frequency_of; /* NULL: the score itself */
    double insert_ns, estimate_ns;
};

static const size_t tops[] = {100, 1000};

static struct stream make_stream(size_t n_items, size_t n_keys, double s)
{
    struct stream stream = {s,
                            n_items,
                            n_keys,
                            bench_alloc(n_items * sizeof(uint64_t)),
                            bench_alloc(n_keys * sizeof(uint64_t)),
                            bench_alloc(n_keys * sizeof(uint32_t)),
                            0,
                            0};
    struct bench_zipf zipf = bench_zipf_make(n_keys, s);
    memset(stream.counts, 0, n_keys * sizeof *stream.counts);
    for (size_t i = 0; i < n_items; i++) {
        size_t rank = bench_zipf_rank(&zipf, STREAM_SEED, i);
        stream.counts[rank]++;
        stream.items[i] = core_splitmix(KEYS_SEED, rank);
    }
    double sum = 0;
    for (size_t rank = n_keys; rank > 0; rank--)
        sum += pow((double)rank, -s);
    stream.first = (double)n_items / sum;
    for (size_t rank = 0; rank < n_keys; rank++)
        if (stream.counts[rank]) {
            stream.counts[stream.n_came] = stream.counts[rank];
            stream.keys[stream.n_came++] = core_splitmix(KEYS_SEED, rank);
        }
    bench_zipf_free(&zipf);
    return stream;
}

static void free_stream(struct stream *stream)
{
    bench_free(stream->items, stream->n_items * sizeof *stream->items);
    bench_free(stream->keys, stream->n_keys * sizeof *stream->keys);
    bench_free(stream->counts, stream->n_keys * sizeof *stream->counts);
}

static double expected_count(const struct stream *stream, size_t rank) { return stream->first * pow((double)rank, -stream->zipf); }

static int compare_down(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x < y) - (x > y);
}

/* The top-th largest of n values. */
static uint32_t threshold(const uint32_t *values, size_t n, size_t top)
{
    uint32_t *sorted = bench_alloc(n * sizeof *sorted);
    memcpy(sorted, values, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, compare_down);
    uint32_t value = sorted[(top < n ? top : n) - 1];
    bench_free(sorted, n * sizeof *sorted);
    return value;
}

static void print_answer(const struct stream *stream, size_t size_bytes, const char *structure, const char *parameters,
                         const struct answer *answer)
{
    for (size_t t = 0; t < sizeof tops / sizeof *tops; t++) {
        uint32_t least_count = threshold(stream->counts, stream->n_came, tops[t]);
        uint32_t least_score = threshold(answer->scores, stream->n_came, tops[t]);
        size_t n_true = 0, n_named = 0, n_both = 0, n_infinite = 0;
        double error = 0;
        for (size_t i = 0; i < stream->n_came; i++) {
            int is_top = stream->counts[i] >= least_count, is_named = answer->scores[i] >= least_score;
            n_true += (size_t)is_top;
            n_named += (size_t)is_named;
            n_both += (size_t)(is_top && is_named);
            if (!is_top)
                continue;
            double estimate = answer->frequency_of ? answer->frequency_of[answer->scores[i]] : answer->scores[i];
            if (isinf(estimate))
                n_infinite++;
            else
                error += fabs(estimate - stream->counts[i]) / stream->counts[i];
        }
        printf("%.1f\t%zu\t%s\t%s\t%zu\t%.3f\t%.3f\t", stream->zipf, size_bytes, structure, parameters, tops[t],
               (double)n_both / (double)n_true, (double)n_both / (double)n_named);
        if (n_infinite < n_true)
            printf("%.4f", error / (double)(n_true - n_infinite));
        printf("\t%zu\t%.1f\t%.1f\n", n_infinite, answer->insert_ns, answer->estimate_ns);
    }
    fflush(stdout);
}

static void run_count_min(const struct stream *stream, size_t size_bytes, int conservative, uint32_t *scores)
{
    uint32_t width = (uint32_t)(size_bytes / sizeof(uint32_t) / ROWS);
    struct answer answer = {scores, NULL, 0, 0};
    count_min sketch;
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        sketch = count_min_make(ROWS, width, conservative);
        if (!sketch.counters)
            exit(5);
        double start = bench_now();
        for (size_t i = 0; i < stream->n_items; i++)
            count_min_add(&sketch, stream->items[i]);
        seconds[run] = bench_now() - start;
        if (run + 1 < RUNS)
            count_min_free(&sketch);
    }
    answer.insert_ns = 1e9 * bench_median(seconds, RUNS) / (double)stream->n_items;
    double start = bench_now();
    for (size_t i = 0; i < stream->n_came; i++)
        scores[i] = count_min_estimate(&sketch, stream->keys[i]);
    answer.estimate_ns = 1e9 * (bench_now() - start) / (double)stream->n_came;
    char parameters[64];
    snprintf(parameters, sizeof parameters, "%d x %u", ROWS, width);
    print_answer(stream, size_bytes, conservative ? "count-min conservative" : "count-min", parameters, &answer);
    count_min_free(&sketch);
}

static tms_keys keys_of(const uint64_t *words, size_t n) { return (tms_keys){(const uint8_t *)words, NULL, n, sizeof *words, 0}; }

static void run_filter(tms_context *one, tms_context *all, const struct stream *stream, size_t size_bytes, const char *name,
                       const tms_filter_params *params, uint32_t *scores)
{
    struct answer answer = {scores, NULL, 0, 0};
    tms_keys items = keys_of(stream->items, stream->n_items), keys = keys_of(stream->keys, stream->n_came);
    tms_filter *f = NULL;
    double seconds[RUNS];
    for (int run = 0; run < RUNS; run++) {
        tms_filter_destroy(f);
        f = bench_new_filter(one, params);
        double start = bench_now();
        bench_must(one, tms_filter_insert(one, f, &items));
        seconds[run] = bench_now() - start;
    }
    answer.insert_ns = 1e9 * bench_median(seconds, RUNS) / (double)stream->n_items;

    bench_must(all, tms_filter_count(all, f, &keys, scores));
    keys.n_keys = keys.n_keys < TIMED_KEYS ? keys.n_keys : TIMED_KEYS;
    uint32_t *ones = bench_alloc(keys.n_keys * sizeof *ones);
    double start = bench_now();
    bench_must(one, tms_filter_count(one, f, &keys, ones));
    answer.estimate_ns = 1e9 * (bench_now() - start) / (double)keys.n_keys;
    bench_free(ones, keys.n_keys * sizeof *ones);

    tms_filter_stats stats;
    bench_must(one, tms_filter_get_stats(one, f, &stats));
    double *frequency_of = bench_alloc((params->k + (size_t)1) * sizeof *frequency_of);
    for (uint32_t x = 0; x <= params->k; x++) {
        tms_frequency frequency;
        bench_must(one, tms_frequency_estimate(one, params, stats.fill, CONFIDENCE, x, &frequency));
        frequency_of[x] = frequency.f;
    }
    answer.frequency_of = frequency_of;
    char structure[64], parameters[128];
    snprintf(structure, sizeof structure, "filter %s", name);
    snprintf(parameters, sizeof parameters, "k=%u p=%.3g fill=%.3g", params->k, params->p, stats.fill);
    print_answer(stream, size_bytes, structure, parameters, &answer);
    bench_free(frequency_of, (params->k + (size_t)1) * sizeof *frequency_of);
    tms_filter_destroy(f);
}

/* For the frequencies of the first 100 ranks, with the least error that is possible. Returns 0 where none is. */
static int size_range(tms_context *ctx, const struct stream *stream, size_t size_bytes, tms_filter_params *out)
{
    tms_frequency_want want = {.hash = TMS_HASH_XXH3,
                               .max_f = stream->first,
                               .min_f = expected_count(stream, 100),
                               .confidence = CONFIDENCE,
                               .n_keys = stream->n_keys,
                               .zipf = stream->zipf,
                               .m_bits = (uint64_t)size_bytes * 8};
    double low = 0, high = 1; /* refused, and accepted or never tried */
    int found = 0;
    for (int i = 0; i < 12; i++) {
        want.error = (low + high) / 2;
        if (tms_frequency_size(ctx, &want, out) == TMS_OK) {
            high = want.error;
            found = 1;
        } else {
            low = want.error;
        }
    }
    want.error = high;
    return found && tms_frequency_size(ctx, &want, out) == TMS_OK;
}

/* p so that a filter errs least at the frequency of `rank`, 1.59 / |ln(1 - p)|, and the k that errs least with so many bits.
   Returns 0 where none tells it. */
static int size_at(tms_context *ctx, const struct stream *stream, size_t size_bytes, size_t rank, tms_filter_params *out)
{
    double p = -expm1(-1.59 / expected_count(stream, rank)), least = INFINITY;
    for (double k = 16; k <= MOST_K; k *= M_SQRT2) {
        tms_filter_params params = {TMS_LAYOUT_PROBABILISTIC, TMS_HASH_XXH3, 0, (uint64_t)size_bytes * 8, (uint32_t)k, p,
                                    TMS_SAMPLING_GEOMETRIC};
        double fill = tms_frequency_expected_fill(&params, stream->n_keys, stream->first, stream->zipf);
        tms_frequency_reach reach;
        if (fill >= 1)
            break;
        bench_must(ctx, tms_frequency_range(ctx, &params, fill, CONFIDENCE, 0.5, &reach));
        if (reach.best_error < least) {
            least = reach.best_error;
            *out = params;
        }
    }
    return least < INFINITY;
}

static void run_stream(tms_context *one, tms_context *all, const struct stream *stream)
{
    static const size_t sizes[] = {(size_t)128 << 10, (size_t)1 << 20, (size_t)4 << 20};
    uint32_t *scores = bench_alloc(stream->n_came * sizeof *scores);
    printf("# zipf %.1f: %zu items of %zu keys, %zu of which came; expected of the first %.0f, of the 100th %.0f, of the 1000th %.0f\n",
           stream->zipf, stream->n_items, stream->n_keys, stream->n_came, stream->first, expected_count(stream, 100),
           expected_count(stream, 1000));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run_count_min(stream, sizes[i], 0, scores);
        run_count_min(stream, sizes[i], 1, scores);
        tms_filter_params params;
        if (size_range(one, stream, sizes[i], &params))
            run_filter(one, all, stream, sizes[i], "range 100", &params, scores);
        else
            printf("# range 100 in %zu bytes: %s\n", sizes[i], tms_context_message(one));
        for (size_t t = 0; t < sizeof tops / sizeof *tops; t++) {
            char name[32];
            snprintf(name, sizeof name, "at %zu", tops[t]);
            if (size_at(one, stream, sizes[i], tops[t], &params))
                run_filter(one, all, stream, sizes[i], name, &params, scores);
            else
                printf("# %s in %zu bytes: no k resolves that frequency\n", name, sizes[i]);
        }
    }
    bench_free(scores, stream->n_came * sizeof *scores);
}

int bench_accuracy(int argc, char **argv)
{
    double n_items = argc > 1 ? atof(argv[1]) : 1e7, n_keys = argc > 2 ? atof(argv[2]) : 1e6;
    if (!(n_items >= 1e4 && n_items <= 4e9 && n_keys >= 1e4 && n_keys <= 1e9)) {
        fprintf(stderr, "tamis-bench: ITEMS must be 1e4 to 4e9, KEYS 1e4 to 1e9\n");
        return 2;
    }
    tms_context *one, *all;
    if (tms_context_create(&one) != TMS_OK || tms_context_create(&all) != TMS_OK)
        return 5;
    bench_must(one, tms_context_set_threads(one, 1));
    static const double exponents[] = {0.8, 1.0, 1.2};
    for (size_t i = 0; i < sizeof exponents / sizeof *exponents; i++) {
        struct stream stream = make_stream((size_t)n_items, (size_t)n_keys, exponents[i]);
        run_stream(one, all, &stream);
        free_stream(&stream);
    }
    tms_context_destroy(one);
    tms_context_destroy(all);
    return 0;
}
