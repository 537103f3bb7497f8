/*
 * two_hit_gpu.h - two_hit_scan() on a GPU, for many subjects at once: the same extensions are kept.
 *
 * A sieve goes over all hits: it remembers where the last hit of each diagonal was, and lets pairs of hits through that are near each
 * other, which are more than the rule takes. A second one bounds the score of what an extension could begin with there. The few diagonals
 * on which something reaches the cutoff are walked along from end to end, by the rule (two_hit_core.h). Words of 4 residues and more have
 * so few hits that all go to the second sieve.
 *
 * In a build without CUDA two_hit_none.c stands in its place.
 */
#ifndef TMS_TWO_HIT_GPU_H
#define TMS_TWO_HIT_GPU_H

#include <stdbool.h>

#include "lookup/long_words.h"
#include "lookup/two_hit_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Subjects in a GPU's memory. Nothing in it changes after two_hit_gpu_subjects_finish(): any number of contexts of the GPU may use it. */
struct two_hit_gpu_subjects;

enum { TWO_HIT_GPU_MOST_CODES = 1 << 30 };

/* two_hit_gpu_free_bytes() - of the GPU's memory; 0 when that cannot be told. */
size_t two_hit_gpu_free_bytes(const tms_context *ctx);

/*
 * two_hit_gpu_subjects_bytes() - what subjects take of it, but for some hundred bytes: codes, positions, and the words that begin there if
 * they have 2 or 3 residues.
 */
static inline size_t two_hit_gpu_subjects_bytes(int word_size, size_t n_codes, size_t n)
{
    return (long_words_are(word_size) ? 1 : 3) * n_codes + 4 * n;
}

/*
 * two_hit_gpu_subjects_space() - space for up to n subjects with up to n_codes codes, gaps included; there are none in it yet.
 *   word_size [in] of the queries that they are scanned for
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_subjects_space(tms_context *ctx, int word_size, size_t n_codes, size_t n, struct two_hit_gpu_subjects **out);

/*
 * two_hit_gpu_subjects_begin() - n subjects instead of those that are there, which no scan is using. Their codes lie one after the other,
 * with a 0 before the first and after each.
 *   starts [in] n + 1 positions, ascending: subject i has the codes starts[i] .. starts[i + 1] - 2; the last is at most
 * TWO_HIT_GPU_MOST_CODES Returns TMS_OK or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_subjects_begin(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint32_t *starts, size_t n);

/* Copies codes first .. first + n - 1. */
tms_status two_hit_gpu_subjects_put(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint8_t *codes, size_t first, size_t n);
/* Once all codes are there. */
tms_status two_hit_gpu_subjects_finish(tms_context *ctx, struct two_hit_gpu_subjects *subjects);
void two_hit_gpu_subjects_destroy(struct two_hit_gpu_subjects *subjects); /* NULL is fine */

/* Device memory that scans take where nobody says how much they may, subjects not included. */
#define TWO_HIT_GPU_WORK_BYTES ((size_t)4 << 30)

/* Queries as scans take them, in host memory: for scans of any subjects, on any GPU; two_hit_tables.h. */
struct two_hit_gpu_tables;

/* What the words of queries are. */
struct two_hit_gpu_words {
    const struct word_lookup_rules *rules;
    const struct word_lookup_query *queries; /* as many as two_hit_queries has, in this order */
    const double *frequencies;               /* [RESIDUE_CODES] of codes in a random subject */
};

/*
 * two_hit_gpu_tables_create() - by any thread, whether there is a GPU or not. Nothing of `queries` and `words` is kept.
 *   queries [in] queries->words is used if they are not long_words_are(): those are looked for on the GPU
 *   out [out] NULL: these queries are for no GPU, which takes fewer than 2^16 positions, and usual windows and scores
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status two_hit_gpu_tables_create(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int n_positions,
                                     struct two_hit_gpu_tables **out);
void two_hit_gpu_tables_destroy(struct two_hit_gpu_tables *tables); /* NULL is fine */

/* Does the context have a GPU, and are the tables for it? They have to take a small part of work_bytes, device memory for scans. */
bool two_hit_gpu_takes(const tms_context *ctx, const struct two_hit_gpu_tables *tables, size_t work_bytes);

/* An extension that was kept. */
struct two_hit_gpu_hsp {
    struct two_hit_hsp hsp;
    uint32_t subject;
};

/* Zeroed is empty; freed with two_hit_gpu_found_free(). */
struct two_hit_gpu_found {
    struct two_hit_gpu_hsp *hsps; /* by query, then by subject, else in no order; what two_hit_gpu_fetch() has brought of the n */
    size_t n, capacity;
    size_t room; /* at least n: with memory for so many a next stage stays within the limit */
    /* What a next stage on the GPU works with, until the context's next scan; device memory. */
    const struct two_hit_gpu_hsp *d_hsps;
    const uint8_t *d_codes;                     /* of subjects */
    const uint32_t *d_starts;                   /* of subjects, and one more */
    const uint8_t *d_strip;                     /* codes of queries, by place; a byte before and after each */
    uint64_t n_hits, n_candidates, n_diagonals; /* n_candidates: hits whose extension was bounded; diagonals that were walked along */
    uint64_t n_words;                           /* positions in tables that were made on the GPU */
    double expected_hits;                       /* by these, at a place of a random subject */
};

void two_hit_gpu_found_free(struct two_hit_gpu_found *found);

/*
 * Subjects first .. end - 1, and the device memory that their scan may take. What it keeps may have no space in that: then the scan is of
 * the first of them only, and end comes back lower. One subject is always taken, with as much memory as it needs.
 */
struct two_hit_gpu_part {
    uint32_t first, end;
    size_t work_bytes;     /* for this scan and the next stage */
    size_t next_hsp_bytes; /* of it, what the next stage takes for each extension that is kept */
};

/*
 * two_hit_gpu_scan() - a part of the subjects.
 *   tables [in] those that two_hit_gpu_takes()
 *   part [in,out] at least one subject, unless there is none; end: that of the subjects that were scanned
 *   out [in,out] what was in it is replaced
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                            struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

/* two_hit_gpu_fetch() - extensions first .. first + n - 1 of the context's last scan, to their positions in found->hsps. Returns likewise.
 */
tms_status two_hit_gpu_fetch(tms_context *ctx, struct two_hit_gpu_found *found, size_t first, size_t n);

#ifdef __cplusplus
}
#endif
#endif
