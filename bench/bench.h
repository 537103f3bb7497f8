/* bench.h - shared by the benchmark's parts: timing, random keys, and one way to print a row. */
#ifndef TMS_BENCH_H
#define TMS_BENCH_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "tamis/tamis.h"

#ifdef __cplusplus
extern "C" {
#endif

double bench_now(void); /* seconds */

/* Ends the program with the context's message unless status is TMS_OK. */
void bench_must(tms_context *ctx, tms_status status);

/* Huge pages, touched. Ends the program when there is no memory. */
void *bench_alloc(size_t size_bytes);
void bench_free(void *ptr, size_t size_bytes);

/* n random keys of size bytes; different sets for different seeds. */
void bench_random_keys(uint8_t *bytes, size_t n, size_t size, uint64_t seed);

/*
 * n random words of 4 to BENCH_WORD_MAX lower-case letters, one after the other; offsets has n + 1 entries.
 * Word i depends on seed and i alone.
 */
#define BENCH_WORD_MAX 20
void bench_random_words(uint8_t *bytes, uint32_t *offsets, size_t n, uint64_t seed);

/*
 * The workload of the [thesis, 4.1]: n random keys of 1 to BENCH_THESIS_MAX letters and digits, every length as likely as another.
 * Key i of a batch depends on seed, batch and i alone. bench_thesis_key() returns its length.
 */
#define BENCH_THESIS_MAX 150
size_t bench_thesis_key(uint8_t *out, uint64_t seed, uint64_t batch, uint64_t i);

/* Keys 0 .. n - 1, one after the other; offsets has n + 1 entries. bytes NULL: the offsets only, to know how much room. */
void bench_thesis_keys(uint8_t *bytes, uint32_t *offsets, size_t n, uint64_t seed, uint64_t batch);

/* A batch of them in memory of tms_host_alloc(); at most BENCH_THESIS_MOST keys fit into 4 GiB. */
#define BENCH_THESIS_MOST 50000000
tms_keys bench_thesis_batch(tms_context *ctx, size_t n, uint64_t seed);
void bench_free_keys(tms_context *ctx, tms_keys *keys);

/*
 * A stream in which rank r of 0 .. n_keys - 1 comes with a probability proportional to (r + 1)^-s. Item i depends on seed and i
 * alone. Alias method (Walker 1977, Vose 1991): one random number and one look-up an item.
 */
struct bench_zipf {
    size_t n_keys; /* below 2^32 */
    struct bench_alias {
        uint32_t keep, other; /* with probability keep / 2^32 the entry's own rank, else the other */
    } * table;
};
struct bench_zipf bench_zipf_make(size_t n_keys, double s);
void bench_zipf_free(struct bench_zipf *zipf);
size_t bench_zipf_rank(const struct bench_zipf *zipf, uint64_t seed, uint64_t i);

/* Where a service runs: "serial", "threads x16", and "cuda" where a GPU is usable. */
struct bench_place {
    char name[32];
    tms_context *ctx;
};
int bench_places(struct bench_place places[3]); /* returns how many; destroyed with tms_context_destroy() */

/* An empty filter whose pages were touched: the operating system's zeroing is not the filter's time. */
tms_filter *bench_new_filter(tms_context *ctx, const tms_filter_params *params);

/* Seconds for inserting keys into a new filter. */
double bench_insert_seconds(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys);

/*
 * How many keys, up to `most`, take about `seconds`: seconds_of(arg, n) is called with more and more of them, and so is
 * warmed up.
 */
size_t bench_fit(double (*seconds_of)(void *arg, size_t n), void *arg, size_t most, double seconds);

#define BENCH_FIG13_KEYS ((size_t)1 << 17) /* [thesis, Fig. 13], for `thesis` and `rows` */

/* From here to bench_device_free(): with a GPU. */

/*
 * Seconds for the copies alone: the keys in and, unless NULL, answers of answer_size bytes out at the same time, in the pieces
 * that the library makes. Median. All in pinned memory.
 */
double bench_copies_alone(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_size);

/* Device memory for a batch with offsets; the copy of it, queued on tms_context_stream(). */
tms_keys bench_device_alloc(const tms_keys *keys);
void bench_device_copy(tms_context *ctx, tms_keys *d_keys, const tms_keys *keys);
void bench_device_free(tms_keys *d_keys);

/* `# cpu: ...`, `# gpu: ...`, `# date: ...`, `# commit: ...`, `# command: ...`, and the column names. */
#define BENCH_COLUMNS "what\tbackend\tn\tk\tm_bits\tns_per_key\tM_keys_per_s\tGB_per_s\tlimit_M_per_s\tpercent_of_limit\tnote"
#define BENCH_ACCURACY_COLUMNS                                                                                                             \
    "zipf\tbytes\tstructure\tparameters\ttop\trecall\tprecision\tmean_relative_error\tinfinite\tinsert_ns\testimate_ns"
#define BENCH_FPR_COLUMNS                                                                                                                  \
    "fig\thash\tw\tm_bits\tk\tn\tsub_queries\tdb_w_mers\tmean_fpr\tci_low\tci_high\ttheory_fpr\tfpr_eq2_distinct\t"                        \
    "mean_distinct"
#define BENCH_RATES_COLUMNS                                                                                                                \
    "fpr_asked\tblocks\tk\tn\tbits_per_key\tfpr_expected\tfpr_from_bits\tqueries\thits\tfpr_measured\tci_low\tci_high\t"                   \
    "measured_over_expected\tG_queries_per_s"
#define BENCH_BANK_COLUMNS                                                                                                                 \
    "fig\tschedule\tn\tm_bits\tk\tsub_queries\trow_bits\tw_mers\tblocks\tthreads\tvectors\tactive_blocks\tregisters\tseconds\t"            \
    "tests_per_s\tw_mers_per_s\tlimit_tests_per_s\tpercent_of_limit\tpass_rate"
#define BENCH_RECORDS_COLUMNS "what\tfiles\trecords\tletters\tseconds\tMB_per_s\tpercent_of_limit"
#define BENCH_CLASSIFY_COLUMNS                                                                                                             \
    "what\tbackend\tfilters\treads\tletters\tmatching\twithout_test_s\tseconds\tM_reads_per_s\tpercent_of_no_test"
#define BENCH_PARTS_COLUMNS "parts\tMB\tlists\tsubjects\thsps\tseconds\tMB_per_s\thsps_per_s"
#define BENCH_BLASTP_COLUMNS                                                                                                               \
    "fig\tqueries\tpacks\tstrategy\textension\tscoring\tbins\tlanes\tl1\thits\tkept\textensions\thsps\tdetect_ms\tassemble_ms\tsort_ms\t"  \
    "filter_ms\textend_ms\treplay_ms\tall_ms\tratio_to_tamis"
#define BENCH_BLASTN_COLUMNS                                                                                                               \
    "what\tquery\tquery_bases\tdatabase_bases\tn\tm_bits\tk\tsub_queries\tblocks\tthreads\tlooked_up\ttests\tcandidates\tpassed\t"         \
    "present\thits\tungapped\tpreliminary\thsps\tfill_s\ttest_s\tscan_s\tgapped_s\telapsed_s\tM_bases_per_s"
void bench_header(int argc, char **argv, const char *columns);

/* One case. m_bits 0 and limit 0 where they do not apply. limit: keys per second that the hardware would allow. */
struct bench_row {
    const char *what;    /* "insert", "query missing", ... */
    const char *backend; /* "cpu avx512 x1", "cuda part-shared 64K", ... */
    size_t n;
    uint32_t k;
    uint64_t m_bits;
    double seconds;
    double bytes_per_key; /* moved by necessity: key in, answer out, sector */
    double limit;
    const char *note;
};
void bench_print(const struct bench_row *row);

/* "", or " 2 blocks": for the backend of a row. */
const char *bench_blocks_text(const tms_filter_params *params);

/* Median of `values` (sorted in place). */
double bench_median(double *values, int n);

/* Each returns the exit code. */
int bench_cpu(int argc, char **argv);
int bench_gpu(int argc, char **argv);
int bench_host(int argc, char **argv);
int bench_classic(int argc, char **argv);
int bench_ong(int argc, char **argv);
int bench_pbf(int argc, char **argv);
int bench_accuracy(int argc, char **argv);
int bench_thesis(int argc, char **argv);
int bench_rows(int argc, char **argv);
int bench_bank(int argc, char **argv);
int bench_rates(int argc, char **argv);
int bench_fpr(int argc, char **argv);
int bench_records(int argc, char **argv);
int bench_classify(int argc, char **argv);
int bench_parts(int argc, char **argv);
int bench_blastp(int argc, char **argv);
int bench_blastn(int argc, char **argv);
int bench_model(int argc, char **argv);
int bench_shapes(int argc, char **argv);
int bench_words(int argc, char **argv);
int bench_sieve(int argc, char **argv);
int bench_keys(int argc, char **argv);
int bench_hashes(int argc, char **argv);
int bench_genomes(int argc, char **argv);

#ifdef __cplusplus
}
#endif
#endif
