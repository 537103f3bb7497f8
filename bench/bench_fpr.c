/*
 * bench_fpr.c - measured against predicted false positive rates of a bank of Bloom filters, on DNA [Ma11, Figs. 4-6].
 *
 * Each sub-query's FPR is FP / (DB - TP) [eq. 3] over all w-mers of the subject. A row is one setting: the mean over
 * sub-queries with its 95 % confidence interval (Student's t), beside eq. 2 with n as asked for, and with each
 * sub-query's number of different w-mers. Fig. 4 is over m, Fig. 5 over k; Fig. 6 is the histogram of (measured -
 * predicted) / predicted over the sub-queries of all settings.
 *
 * Only whole sub-queries count: not the last one, and none where letters other than ACGT leave less than MIN_WORDS n
 * w-mers.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "model/least_squares.h"
#include "seqio/seqio_dna.h"
#include "tamis/seeds.h"

#define MIN_WORDS    0.99
#define DEFAULT_WORD 11 /* that of Mercury BLASTN */
#define FN_SUB_QUERY 50000
#define FN_PASSES    ((size_t)1 << 20)

static const uint64_t sub_queries[] = {10000, 20000, 30000, 50000, 75000, 100000, 125000, 150000, 200000, 250000, 300000};
static const struct filter {
    uint64_t m_bits;
    uint32_t k;
    const char *figure;
} filters[] = {{(uint64_t)64 << 10, 6, "4"},  {(uint64_t)128 << 10, 6, "4"}, {(uint64_t)256 << 10, 6, "4+5"},
               {(uint64_t)256 << 10, 4, "5"}, {(uint64_t)256 << 10, 8, "5"}, {(uint64_t)256 << 10, 10, "5"}};
static const tms_seed_hash hashes[] = {TMS_SEED_HASH_H3, TMS_SEED_HASH_XXH3};
#define LEN(array) (sizeof(array) / sizeof *(array))

/* Relative errors in steps of HISTOGRAM_STEP; the first and the last bin take what lies beyond. */
#define HISTOGRAM_STEP 0.02
#define HISTOGRAM_BINS 52
struct histogram {
    uint64_t n[HISTOGRAM_BINS], n_total, n_within_10;
};

static void histogram_add(struct histogram *histogram, double error)
{
    int bin = (int)floor(error / HISTOGRAM_STEP) + HISTOGRAM_BINS / 2;
    histogram->n[bin < 0 ? 0 : bin >= HISTOGRAM_BINS ? HISTOGRAM_BINS - 1 : bin]++;
    histogram->n_total++;
    histogram->n_within_10 += fabs(error) <= 0.1;
}

static void histogram_print(const struct histogram *histogram, const char *hash, const char *prediction)
{
    printf("# %s, n %s: relative error of at most 10 %% in %.2f %% of %" PRIu64 " measurements\n", hash, prediction,
           100 * (double)histogram->n_within_10 / (double)histogram->n_total, histogram->n_total);
    for (int bin = 0; bin < HISTOGRAM_BINS; bin++)
        printf("6\t%s\t%s\t%.2f\t%.2f\t%" PRIu64 "\t%.4f\n", hash, prediction, (bin - HISTOGRAM_BINS / 2) * HISTOGRAM_STEP,
               (bin + 1 - HISTOGRAM_BINS / 2) * HISTOGRAM_STEP, histogram->n[bin],
               100 * (double)histogram->n[bin] / (double)histogram->n_total);
}

static void fail(const char *what)
{
    fprintf(stderr, "tamis-bench fpr: %s\n", what);
    exit(2);
}

/* All of a file at once. The bases are the reader's until seqio_dna_close(). */
static seqio_dna *read_dna(const char *path, tms_dna *out)
{
    seqio_dna_options how = {.paths = &path, .n_paths = 1, .chunk_bases = TMS_DNA_MAX_BASES - SEQIO_DNA_MAX_OVERLAP};
    seqio_dna_chunk chunk;
    io_error err;
    seqio_dna *dna;
    if (seqio_dna_open(&how, &dna, &err) != IO_OK || seqio_dna_next(dna, &chunk, &err) != IO_OK)
        fail(err.text);
    *out = chunk.dna;
    return dna;
}

struct mean {
    double sum, sum2;
    size_t n;
};

static void mean_add(struct mean *mean, double x)
{
    mean->sum += x;
    mean->sum2 += x * x;
    mean->n++;
}

static struct confidence mean_interval(const struct mean *mean)
{
    double n = (double)mean->n;
    return mean_confidence_of(mean->sum / n, (mean->sum2 - mean->sum * mean->sum / n) / (n - 1), mean->n);
}

static void print_setting(const tms_seeds_info *info, const struct filter *filter, const tms_sub_query *subs,
                          struct histogram histograms[2])
{
    const tms_seeds_params *p = &info->params;
    double n = (double)p->sub_query, by_n = tms_bank_fpr(p->m_bits, p->k, p->sub_query);
    struct mean measured = {0}, by_distinct = {0}, distinct = {0};
    for (uint32_t s = 0; s + 1 < info->n_sub_queries; s++) {
        const tms_sub_query *sub = &subs[s];
        if (sub->n_passed < sub->n_true)
            fail("a filter passed fewer w-mers than are in its sub-query");
        if ((double)sub->n_words < MIN_WORDS * n)
            continue;
        double fpr = (double)(sub->n_passed - sub->n_true) / (double)(sub->n_tested - sub->n_true);
        double predicted = tms_bank_fpr(p->m_bits, p->k, sub->n_distinct);
        mean_add(&measured, fpr);
        mean_add(&by_distinct, predicted);
        mean_add(&distinct, (double)sub->n_distinct);
        histogram_add(&histograms[0], (fpr - by_n) / by_n);
        histogram_add(&histograms[1], (fpr - predicted) / predicted);
    }
    if (measured.n < 2)
        fail("the query has fewer than two whole sub-queries of the largest size: 1 Mbp without letters other than "
             "ACGT would do");
    double mean = measured.sum / (double)measured.n;
    struct confidence interval = mean_interval(&measured);
    printf("%s\t%s\t%" PRIu32 "\t%" PRIu64 "\t%" PRIu32 "\t%" PRIu64 "\t%zu\t%" PRIu64 "\t%.6g\t%.6g\t%.6g\t%.6g\t%.6g\t%.1f\n",
           filter->figure, tms_seed_hash_name(p->hash), p->word_size, p->m_bits, p->k, p->sub_query, measured.n, subs[0].n_tested, mean,
           interval.low, interval.high, by_n, by_distinct.sum / (double)measured.n, distinct.sum / (double)measured.n);
    fflush(stdout);
}

static tms_seeds *make_seeds(tms_context *ctx, const tms_seeds_params *params, const tms_dna *query, tms_seeds_info *info)
{
    tms_seeds *seeds;
    bench_must(ctx, tms_seeds_create(ctx, params, query, &seeds));
    tms_seeds_get_info(seeds, info);
    return seeds;
}

static void measure(tms_context *ctx, const tms_seeds_params *params, const struct filter *filter, const tms_dna *query,
                    const tms_dna *subject, struct histogram histograms[2])
{
    tms_seeds_info info;
    tms_seeds *seeds = make_seeds(ctx, params, query, &info);
    tms_sub_query *subs = bench_alloc(info.n_sub_queries * sizeof *subs);
    tms_seeds_sub_queries(seeds, subs);
    bench_must(ctx, tms_seeds_measure(ctx, seeds, subject, subs));
    print_setting(&info, filter, subs, histograms);
    bench_free(subs, info.n_sub_queries * sizeof *subs);
    tms_seeds_destroy(seeds);
}

/* All true pairs of a place in the subject and a sub-query, ascending, each once. */
struct truth {
    const tms_seeds *seeds;
    const tms_seed_hit *hits;
    size_t n_hits, hit, place; /* the next ones */
    uint64_t sub_query;
};

static int truth_next(struct truth *truth, tms_seed_pass *out)
{
    for (; truth->hit < truth->n_hits; truth->hit++, truth->place = 0) {
        const tms_seed_place *positions;
        size_t n;
        tms_seeds_positions(truth->seeds, &truth->hits[truth->hit], &positions, &n);
        if (truth->place == n)
            continue;
        uint32_t sub = (uint32_t)(TMS_SEED_BASE(positions[truth->place]) / truth->sub_query);
        *out = (tms_seed_pass){truth->hits[truth->hit].s_start, sub};
        while (truth->place < n && TMS_SEED_BASE(positions[truth->place]) / truth->sub_query == sub)
            truth->place++;
        return 1;
    }
    return 0;
}

static int before(tms_seed_pass a, tms_seed_pass b)
{
    return a.s_start < b.s_start || (a.s_start == b.s_start && a.sub_query < b.sub_query);
}

/*
 * Every true pair has to be among what the filters pass, w-mer by w-mer and sub-query by sub-query. The truth comes
 * from one search without sub-queries; where a bitmap is small enough (w = 11) that search has no Bloom filter at all.
 */
static void count_false_negatives(tms_context *ctx, const tms_seeds_params *params, const tms_dna *query, const tms_dna *subject)
{
    tms_seeds_params exact;
    tms_seeds_params_init(&exact);
    exact.word_size = params->word_size;
    exact.strand = params->strand;
    tms_seeds_info exact_info, info;
    tms_seeds *exact_seeds = make_seeds(ctx, &exact, query, &exact_info), *seeds = make_seeds(ctx, params, query, &info);
    tms_seed_hit *hits = bench_alloc(subject->n_bases * sizeof *hits);
    struct truth truth = {.seeds = exact_seeds, .hits = hits, .sub_query = params->sub_query};
    tms_seeds_tally exact_tally = {0}, bloom_tally = {0}, filter_tally = {0};
    bench_must(ctx, tms_seeds_scan(ctx, seeds, subject, NULL, NULL, &bloom_tally));
    bench_must(ctx, tms_seeds_scan(ctx, exact_seeds, subject, hits, &truth.n_hits, &exact_tally));

    size_t capacity = FN_PASSES > info.n_sub_queries ? FN_PASSES : info.n_sub_queries, n_passes;
    tms_seed_pass *passes = bench_alloc(capacity * sizeof *passes), next;
    uint64_t n_true = 0, n_missed = 0, n_all = 0;
    int is_left = truth_next(&truth, &next);
    for (size_t from = 0; from < subject->n_bases; n_all += n_passes) {
        bench_must(ctx, tms_seeds_filter(ctx, seeds, subject, from, passes, capacity, &n_passes, &from, &filter_tally));
        for (size_t i = 0; i < n_passes && is_left; i++) {
            for (; is_left && before(next, passes[i]); n_true++, n_missed++)
                is_left = truth_next(&truth, &next);
            if (is_left && !before(passes[i], next)) {
                n_true++;
                is_left = truth_next(&truth, &next);
            }
        }
    }
    for (; is_left; n_true++, n_missed++)
        is_left = truth_next(&truth, &next);
    printf("# false negatives, %s, m = %" PRIu64 ", k = %" PRIu32 ", n = %" PRIu64 ": %" PRIu64 " of %" PRIu64
           " true pairs of a w-mer and a sub-query (%" PRIu64 " pairs passed); seeds %" PRIu64 ", by %s %" PRIu64 "\n",
           tms_seed_hash_name(params->hash), params->m_bits, params->k, params->sub_query, n_missed, n_true, n_all, bloom_tally.n_seeds,
           exact_info.params.schedule == TMS_SCHEDULE_BITMAP ? "a bitmap" : "one filter", exact_tally.n_seeds);
    if (n_missed || bloom_tally.n_seeds != exact_tally.n_seeds || bloom_tally.n_true != exact_tally.n_true)
        fail("there are false negatives");
    bench_free(passes, capacity * sizeof *passes);
    bench_free(hits, subject->n_bases * sizeof *hits);
    tms_seeds_destroy(seeds);
    tms_seeds_destroy(exact_seeds);
}

int bench_fpr(int argc, char **argv)
{
    static struct histogram histograms[LEN(hashes)][2];
    static const char *const predictions[] = {"nominal", "distinct"};
    if (argc < 3 || argc > 4)
        fail("give QUERY SUBJECT [W]: two files of sequences, and bases of a w-mer (default 11)");
    tms_dna query, subject;
    seqio_dna *query_file = read_dna(argv[1], &query), *subject_file = read_dna(argv[2], &subject);
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        fail("no memory for a context");
    tms_seeds_params params;
    tms_seeds_params_init(&params);
    params.word_size = argc > 3 ? (uint32_t)atoi(argv[3]) : DEFAULT_WORD;
    params.strand = TMS_STRAND_PLUS;
    params.only_bloom = 1;
    printf("# query: %zu bases; subject: %zu bases; plus strand. Left out: the last sub-query, and those with fewer "
           "than %.2f n w-mers\n",
           query.n_bases, subject.n_bases, MIN_WORDS);
    for (size_t h = 0; h < LEN(hashes); h++) {
        params.hash = hashes[h];
        for (size_t f = 0; f < LEN(filters); f++) {
            params.m_bits = filters[f].m_bits;
            params.k = filters[f].k;
            for (size_t i = 0; i < LEN(sub_queries); i++) {
                params.sub_query = sub_queries[i];
                measure(ctx, &params, &filters[f], &query, &subject, histograms[h]);
            }
        }
    }
    params.m_bits = (uint64_t)256 << 10;
    params.k = 6;
    params.sub_query = FN_SUB_QUERY;
    for (size_t h = 0; h < LEN(hashes); h++) {
        params.hash = hashes[h];
        count_false_negatives(ctx, &params, &query, &subject);
    }
    printf("fig\thash\tprediction\terror_from\terror_to\tsub_queries\tpercent\n");
    for (size_t h = 0; h < LEN(hashes); h++)
        for (size_t i = 0; i < LEN(predictions); i++)
            histogram_print(&histograms[h][i], tms_seed_hash_name(hashes[h]), predictions[i]);
    tms_context_destroy(ctx);
    seqio_dna_close(subject_file);
    seqio_dna_close(query_file);
    return 0;
}
