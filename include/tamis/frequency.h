/*
 * frequency.h - estimates how often keys occur in a stream, by probabilistic Bloom filters [thesis, 1.2 and chapter 3].
 *
 * An insertion sets each of the key's k bits with probability p. After f insertions each of these bits is a one with probability
 *
 *     q = 1 - (1 - b) (1 - p)^f,       b: the fill that comes from other keys (background),
 *
 * so the number of ones among the k bits gives an estimate of f. Derivations, limits and measurements: doc/pbf.md.
 *
 *     tms_frequency_size(ctx, &want, &params);         k, p and m for the frequencies to estimate
 *     tms_filter_create(ctx, &params, &filter);
 *     tms_filter_insert(ctx, filter, &keys);           every occurrence
 *     tms_filter_get_stats(ctx, filter, &stats);       stats.fill is b
 *     tms_filter_count(ctx, filter, &keys, ones);
 *     tms_frequency_estimate(ctx, &params, stats.fill, 0.95, ones[i], &estimate);
 *
 * Threads: estimates and sizes need only a context for each thread; tms_filter_count() is as thread-safe as tms_filter_query(). One thread
 * may use a tms_heavy and its filter at a time.
 */
#ifndef TAMIS_FREQUENCY_H
#define TAMIS_FREQUENCY_H

#include "tamis/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * tms_filter_count() - count, for each key, how many of its k bits are ones [thesis, 3.2.1: query of the probabilistic filter].
 *   keys [in]  in host memory
 *   ones [out] n_keys counts, 0 .. k, caller-allocated
 * Returns TMS_OK; TMS_E_ARG if the batch is malformed or the filter is not probabilistic; TMS_E_DEVICE; TMS_E_MEMORY.
 * Thread safety as tms_filter_query().
 */
TMS_API TMS_CHECKED tms_status tms_filter_count(tms_context *ctx, const tms_filter *filter, const tms_keys *keys, uint32_t *ones);

/* tms_filter_count_device() - as tms_filter_count(), in GPU memory, queued; see tms_filter_query_device(). */
TMS_API TMS_CHECKED tms_status tms_filter_count_device(tms_context *ctx, const tms_filter *filter, const tms_keys *keys, uint32_t *d_ones);

/* The value of f |ln(1 - p)| at which a frequency f is estimated best; so p = 1 - exp(-TMS_FREQUENCY_BEST_LOAD / f) (doc/pbf.md). */
#define TMS_FREQUENCY_BEST_LOAD 1.59

typedef struct tms_frequency {
    double f;     /* max(0, ln[(1 - ones/k) / (1 - fill)] / ln(1 - p)); infinite if all k bits are ones */
    double f_min; /* the same formula at the lower Clopper-Pearson limit of q */
    double f_max; /* the same formula at the upper Clopper-Pearson limit; infinite if all k bits are ones */
} tms_frequency;

/*
 * tms_frequency_estimate() - estimate the frequency from a number of ones, with its confidence interval.
 *   params     [in] of a probabilistic filter
 *   fill       [in] background b, 0 <= b < 1: tms_filter_stats.fill, or 0 for the thesis's uncorrected form. A fill of 1 gives no
 *                   information: f and f_min are then 0 and f_max is infinite
 *   confidence [in] of the two-sided interval, 0 < confidence < 1, such as 0.95
 *   ones       [in] 0 .. k
 * Returns TMS_OK or TMS_E_ARG. Thread-safe with a context for each thread.
 */
TMS_API TMS_CHECKED tms_status tms_frequency_estimate_sized(tms_context *ctx, const tms_filter_params *params, size_t params_size,
                                                            double fill, double confidence, uint32_t ones, tms_frequency *out);
TMS_INLINE TMS_CHECKED tms_status tms_frequency_estimate(tms_context *ctx, const tms_filter_params *params, double fill, double confidence,
                                                         uint32_t ones, tms_frequency *out)
{
    return tms_frequency_estimate_sized(ctx, params, sizeof *params, fill, confidence, ones, out);
}

/*
 * Which value of an estimate has to reach a threshold N. With a = 1 - confidence, for keys that occur
 *   N times             TMS_BY_F_MIN reports at most a / 2, TMS_BY_F about one in two, TMS_BY_F_MAX misses at most a / 2;
 *   more or less often  TMS_BY_F_MIN misses keys only somewhat more frequent than N, TMS_BY_F_MAX reports many somewhat less frequent than
 *   N. What "somewhat" means depends on k (doc/pbf.md, "Thresholds").
 */
typedef enum tms_frequency_by {
    TMS_BY_F_MIN = 0, /* reported keys are frequent: of keys that occur N times or less, at most a / 2 are reported */
    TMS_BY_F = 1,
    TMS_BY_F_MAX = 2 /* frequent keys are reported: of keys that occur N times or more, at most a / 2 are missed */
} tms_frequency_by;

/*
 * tms_frequency_least_ones() - the least number of ones whose f_min, f or f_max is at least min_f; k + 1 if none is enough.
 * Arguments as tms_frequency_estimate(); min_f > 0.
 */
TMS_API TMS_CHECKED tms_status tms_frequency_least_ones_sized(tms_context *ctx, const tms_filter_params *params, size_t params_size,
                                                              double fill, double confidence, tms_frequency_by by, double min_f,
                                                              uint32_t *out);
TMS_INLINE TMS_CHECKED tms_status tms_frequency_least_ones(tms_context *ctx, const tms_filter_params *params, double fill,
                                                           double confidence, tms_frequency_by by, double min_f, uint32_t *out)
{
    return tms_frequency_least_ones_sized(ctx, params, sizeof *params, fill, confidence, by, min_f, out);
}

/* "f_min", "f", "f_max"; "?" for other values. */
TMS_API const char *tms_frequency_by_name(tms_frequency_by by);

/* Which frequencies a probabilistic filter should estimate. In a field with a default, zero means "not given". */
typedef struct tms_frequency_want {
    tms_hash hash;
    uint64_t seed;
    tms_sampling sampling;
    double max_f;      /* 1 .. 2^50: frequencies from min_f to max_f are estimated within `error`, with `confidence` */
    double min_f;      /* 1 .. max_f, default max_f / 10, at least 1. Below min_f the absolute error stays under error * min_f */
    double error;      /* relative, 0 < error < 1 */
    double confidence; /* default 0.95 */
    uint64_t n_keys;   /* different keys in the stream, default 1,000,000 */
    double zipf;       /* key i of n_keys occurs max_f / i^zipf times, but at least once; 0 is not a default: all keys occur max_f times */
    uint64_t m_bits;   /* default: such that the fill becomes about 1/4 */
} tms_frequency_want;

/*
 * tms_frequency_size() - compute k, p and m. For large k the relative error is at best 1.24 z / sqrt(k), at f |ln(1 - p)| = 1.59, so a
 * wide range of f or a small error takes a large k.
 * Returns TMS_OK; TMS_E_ARG if the request cannot be met; the message names changes that would do.
 */
TMS_API TMS_CHECKED tms_status tms_frequency_size_sized(tms_context *ctx, const tms_frequency_want *want, size_t want_size,
                                                        tms_filter_params *out, size_t out_size);
TMS_INLINE TMS_CHECKED tms_status tms_frequency_size(tms_context *ctx, const tms_frequency_want *want, tms_filter_params *out)
{
    return tms_frequency_size_sized(ctx, want, sizeof *want, out, sizeof *out);
}

typedef struct tms_frequency_reach {
    double low, high;          /* the range; both 0 if no frequency is estimated this well */
    double best_error, best_f; /* the least relative error, and its frequency; infinite and 0 for a fill of 1 or p = 1 */
} tms_frequency_reach;

/*
 * tms_frequency_range() - the range of frequencies that a filter estimates within a relative error.
 *   fill [in] 0 <= fill <= 1
 *   error [in] 0 < error < 1
 * Returns TMS_OK or TMS_E_ARG. Thread-safe with a context for each thread.
 */
TMS_API TMS_CHECKED tms_status tms_frequency_range_sized(tms_context *ctx, const tms_filter_params *params, size_t params_size, double fill,
                                                         double confidence, double error, tms_frequency_reach *out);
TMS_INLINE TMS_CHECKED tms_status tms_frequency_range(tms_context *ctx, const tms_filter_params *params, double fill, double confidence,
                                                      double error, tms_frequency_reach *out)
{
    return tms_frequency_range_sized(ctx, params, sizeof *params, fill, confidence, error, out);
}

/*
 * tms_frequency_expected_fill() - the fill after a stream in which key i of n_keys occurs f_i = max(1, max_f / i^zipf) times: b = 1 -
 * exp(-(k/m) * sum over i of [1 - (1 - p)^f_i]).
 */
TMS_API double tms_frequency_expected_fill_sized(const tms_filter_params *params, size_t params_size, uint64_t n_keys, double max_f,
                                                 double zipf);
TMS_INLINE double tms_frequency_expected_fill(const tms_filter_params *params, uint64_t n_keys, double max_f, double zipf)
{
    return tms_frequency_expected_fill_sized(params, sizeof *params, n_keys, max_f, zipf);
}

/*
 * Heavy hitters in one pass: tms_heavy inserts a stream into a probabilistic filter and reports each key once, at the insertion at which
 * its f_min (or f, or f_max) first reaches min_f. It checks this whenever an insertion draws at least one of the key's bits (other
 * insertions do not change the filter), with the fill at that moment.
 * Memory: that of the filter, some 10 MB of work space, and 32 to 64 bytes for each key reported. The reports are the same for any number
 * of threads and any batch size. Works on the CPU.
 */
typedef struct tms_heavy tms_heavy;

typedef struct tms_heavy_report {
    size_t key; /* index in the batch */
    uint32_t ones;
    tms_frequency frequency;
} tms_heavy_report;

/*
 * tms_heavy_create() - watch a filter.
 *   filter [in] probabilistic, on the CPU, writable; borrowed until tms_heavy_destroy(); no other call may insert into it meanwhile
 *   by     [in] the value that has to reach min_f: TMS_BY_F_MIN, unless no frequent key may be missed
 *   min_f  [in] above 0, at most 2^50
 * Returns TMS_OK; TMS_E_ARG, also if no number of ones would show min_f: the message names parameters that would do; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_heavy_create(tms_context *ctx, tms_filter *filter, tms_frequency_by by, double min_f, double confidence,
                                                tms_heavy **out);
TMS_API void tms_heavy_destroy(tms_heavy *heavy);

/*
 * tms_heavy_insert() - insert a batch. The filter gets the same bytes as by tms_filter_insert().
 *   reports   [out] borrowed until the next call, in the order of the keys
 *   n_reports [out] their number
 * Returns TMS_OK; TMS_E_ARG, with nothing done; TMS_E_MEMORY or TMS_E_CANCELLED: the filter then has a part of the batch, and reports are
 * lost: destroy both.
 */
TMS_API TMS_CHECKED tms_status tms_heavy_insert(tms_context *ctx, tms_heavy *heavy, const tms_keys *keys, const tms_heavy_report **reports,
                                                size_t *n_reports);

#ifdef __cplusplus
}
#endif
#endif
