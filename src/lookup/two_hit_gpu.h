/*
 * two_hit_gpu.h - two_hit_scan() on a GPU for many subjects at once, with the same results.
 *
 * A first sieve takes all hits. It remembers the last hit of each diagonal, and passes on hits that are near an earlier one; these include
 * all hits from which the two-hit rule extends. A second sieve computes an upper bound of the score of extensions that could begin there.
 * The two-hit rule itself (two_hit_core.h) is applied to the few diagonals where a bound reaches the cutoff, from end to end. Words of 4
 * residues or more have so few hits that all hits go to the second sieve.
 *
 * A build without CUDA uses two_hit_none.c instead.
 */
#ifndef TMS_TWO_HIT_GPU_H
#define TMS_TWO_HIT_GPU_H

#include <stdbool.h>

#include "alphabet/translation.h"
#include "lookup/long_words.h"
#include "lookup/two_hit_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Subjects in a GPU's memory. They do not change after two_hit_gpu_subjects_finish(): any number of contexts of the GPU may use them. */
struct two_hit_gpu_subjects;

enum { TWO_HIT_GPU_MOST_CODES = 1 << 30 };

/* two_hit_gpu_free_bytes() - free memory of the GPU in bytes; 0 if it is unknown. */
size_t two_hit_gpu_free_bytes(const tms_context *ctx);

/*
 * two_hit_gpu_subjects_bytes() - device memory of n subjects, except for some hundred bytes: codes, positions, and the words at each
 * position if words have 2 or 3 residues.
 */
static inline size_t two_hit_gpu_subjects_bytes(int word_size, size_t n_codes, size_t n)
{
    return (long_words_are(word_size) ? 1 : 3) * n_codes + 4 * n;
}

/* two_hit_gpu_bases_bytes() - what n subjects that are translated on the GPU take beside it, with so many bytes of bases. */
static inline size_t two_hit_gpu_bases_bytes(size_t n_packed, size_t n) { return n_packed + 8 * n; }

/*
 * two_hit_gpu_subjects_space() - allocates space for up to n subjects with up to n_codes codes, gaps included. The space is empty at first.
 *   word_size [in] of the queries that will be searched with
 *   n_packed  [in] bytes of the bases that subjects are translated from; 0: they are not
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_subjects_space(tms_context *ctx, int word_size, size_t n_codes, size_t n, size_t n_packed,
                                      struct two_hit_gpu_subjects **out);

/*
 * two_hit_gpu_subjects_begin() - replaces the subjects, which no scan may be using, by n others. Their codes lie one after the other, with
 * a 0 before the first and after each.
 *   starts [in] n + 1 positions, ascending: subject i has the codes starts[i] .. starts[i + 1] - 2; the last position is at most
 *     TWO_HIT_GPU_MOST_CODES
 * Returns TMS_OK or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_subjects_begin(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint32_t *starts, size_t n);

/* Copies codes first .. first + n - 1. */
tms_status two_hit_gpu_subjects_put(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint8_t *codes, size_t first, size_t n);

/*
 * Instead of copying codes: two_hit_gpu_subjects_put_bases() copies bytes first .. first + n - 1 of the bases, in two bits each, four a
 * byte, the first in the highest bits; once all are copied, two_hit_gpu_subjects_translate() makes all codes of them.
 *   codons [in] for each subject: twice the first of the three bases that its first residue is of, all bases counted, plus 1 if the subject
 *     is of the minus strand; the next residue's begin 3 bases later, or earlier. Read when the call returns
 * Both return TMS_OK or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_subjects_put_bases(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint8_t *packed, size_t first,
                                          size_t n);
tms_status two_hit_gpu_subjects_translate(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const struct packed_codons *residues,
                                          const uint64_t *codons);

/* Call once all codes have been copied or made. */
tms_status two_hit_gpu_subjects_finish(tms_context *ctx, struct two_hit_gpu_subjects *subjects);
void two_hit_gpu_subjects_destroy(struct two_hit_gpu_subjects *subjects); /* NULL is fine */

/* Default limit of the device memory of scans, without subjects. */
#define TWO_HIT_GPU_WORK_BYTES ((size_t)4 << 30)

/* The tables of a group of queries, in host memory, for scans of any subjects on any GPU; two_hit_tables.h. */
struct two_hit_gpu_tables;

/* The words of the queries. */
struct two_hit_gpu_words {
    const struct word_lookup_rules *rules;
    const struct word_lookup_query *queries; /* two_hit_queries.n queries, in the same order */
};

/*
 * two_hit_gpu_tables_create() - makes the tables; any thread, with or without a GPU. The tables keep no pointer to `queries` or `words`.
 *   queries [in] queries->words is used unless the words are long_words_are(); the GPU finds long words itself
 *   out [out] NULL: GPUs do not support these queries; they need fewer than 2^16 positions, and usual windows and scores
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status two_hit_gpu_tables_create(const struct two_hit_queries *queries, const struct two_hit_gpu_words *words, int n_positions,
                                     struct two_hit_gpu_tables **out);
void two_hit_gpu_tables_destroy(struct two_hit_gpu_tables *tables); /* NULL is fine */

/*
 * two_hit_gpu_takes() - whether the context has a GPU that supports the tables. They must take a small part of work_bytes, the device
 * memory for scans.
 */
bool two_hit_gpu_takes(const tms_context *ctx, const struct two_hit_gpu_tables *tables, size_t work_bytes);

/* An ungapped HSP that a scan has kept. */
struct two_hit_gpu_hsp {
    struct two_hit_hsp hsp;
    uint32_t subject;
};

/* The results of a scan. All zero is empty; freed with two_hit_gpu_found_free(). */
struct two_hit_gpu_found {
    struct two_hit_gpu_hsp *hsps; /* n HSPs, sorted by query, then by subject; only those copied by two_hit_gpu_fetch() are set */
    size_t n, capacity;
    size_t *ends; /* of two_hit_stretches_scan(): where the HSPs of each of n_ends tables end, which are sorted by themselves */
    size_t n_ends, ends_capacity;
    size_t room; /* at least n: HSPs for which the next stage can allocate memory within the limit */
    /* Device memory that the next stage on the GPU reads; valid until the context's next scan. */
    const struct two_hit_gpu_hsp *d_hsps;
    const uint8_t *d_codes;                     /* codes of the subjects */
    const uint32_t *d_starts;                   /* position of each subject, and the end */
    const uint8_t *d_query_codes;               /* codes of the queries by position; a byte before and after each query */
    uint64_t n_hits, n_candidates, n_diagonals; /* candidates: hits that the second sieve bounded; diagonals processed by the rule */
    uint64_t n_words;                           /* positions in tables that the GPU has made */
    double expected_hits;                       /* hits of these tables expected for one position of a random subject */
};

void two_hit_gpu_found_free(struct two_hit_gpu_found *found);

/*
 * Subjects first .. end - 1, and the device memory for their scan. If the results need more memory, the scan stops after fewer subjects and
 * lowers `end`. It always scans one subject at least, with as much memory as that takes.
 */
struct two_hit_gpu_part {
    uint32_t first, end;
    size_t work_bytes;     /* memory for this scan and the next stage */
    size_t next_hsp_bytes; /* the part of work_bytes that the next stage needs for each HSP */
    const uint32_t *sets;  /* first and end count sets of subjects that are not divided; set i has subjects sets[i] .. sets[i + 1] - 1.
                              NULL: each subject is one */
};

/*
 * two_hit_gpu_scan() - scans a part of the subjects.
 *   tables [in] tables for which two_hit_gpu_takes() is true
 *   part [in,out] has at least one subject, unless there are none; `end` becomes the end of the scanned subjects
 *   out [in,out] replaced by the results
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                            struct two_hit_gpu_part *part, struct two_hit_gpu_found *out);

/*
 * two_hit_gpu_fetch() - copies HSPs first .. first + n - 1 of the context's last scan to the same positions in found->hsps. Returns TMS_OK,
 * TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status two_hit_gpu_fetch(tms_context *ctx, struct two_hit_gpu_found *found, size_t first, size_t n);

#ifdef __cplusplus
}
#endif
#endif
