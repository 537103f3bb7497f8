/*
 * two_hit_extension.h - ungapped extension of two hits in concatenated queries; same as ungapped_two_hits() after it has found the best
 * prefix of the second word.
 *
 * An extension's score and length are one number, score x 2^16 - length, to which each pair of residues adds its score x 2^16 - 1. Of two
 * extensions with equal scores the shorter one is the larger number, so a maximum keeps the first best. The gaps at the ends of the queries
 * and of the copy of the subject stop every extension.
 */
#ifndef TMS_TWO_HIT_EXTENSION_H
#define TMS_TWO_HIT_EXTENSION_H

#include <stdbool.h>

#include "lookup/two_hit_types.h"

/* An extension to make, and its result. */
struct two_hit_job {
    int position, subject; /* positions after the best prefix of the second word */
    int x_drop;
    int reach;              /* residues that the left side must take before the right side is extended */
    int left, right, score; /* residues taken on each side, and the score */
    bool went_right;
    int stopped; /* if went_right: residues looked at on the right side, without the last */
};

enum { TWO_HIT_JOBS = 256 };

/* Makes n extensions, at most TWO_HIT_JOBS. */
typedef void two_hit_extend(const struct concatenated_queries *queries, const uint8_t *subject, struct two_hit_job *jobs, size_t n);

/* The form for processors with AVX-512 VBMI. */
#if TMS_HAVE_X86_SIMD
bool two_hit_vbmi_usable(void);
two_hit_extend two_hit_extend_vbmi;
#endif

/* An extension to one side in progress. */
struct two_hit_run {
    int64_t run, best;
    int n; /* residues taken so far */
};

static inline int two_hit_score_of(int64_t scored) { return (int)((scored + 0xFFFF) >> 16); }
static inline int two_hit_length_of(int64_t scored) { return (int)((uint64_t)-scored & 0xFFFF); }
static inline int64_t two_hit_higher(int64_t a, int64_t b) { return a > b ? a : b; }

/* Extends to the left. Returns the best score and length. */
static inline int64_t two_hit_left(const struct concatenated_queries *queries, int position, const uint8_t *subject, int x_drop,
                                   struct two_hit_run r)
{
    const uint16_t *rows = queries->rows + position;
    const int64_t drop = (int64_t)x_drop * (1 << 16);
    int64_t lowest = r.best - drop;

    for (ptrdiff_t i = -1 - r.n;; i--) {
        r.run += queries->scores[rows[i] + subject[i]];
        if (r.run <= lowest)
            break;
        lowest = two_hit_higher(lowest, r.run - drop);
    }
    return lowest + drop;
}

/* Extends to the right. *stopped: residues looked at, without the last. */
static inline int64_t two_hit_right(const struct concatenated_queries *queries, int position, const uint8_t *subject, int x_drop,
                                    struct two_hit_run r, int *stopped)
{
    const uint16_t *rows = queries->rows + position;
    const int64_t drop = (int64_t)x_drop * (1 << 16);
    int64_t lowest = two_hit_higher(r.best - drop, 0);
    ptrdiff_t i = r.n;

    for (;; i++) {
        r.run += queries->scores[rows[i] + subject[i]];
        if (r.run <= lowest)
            break;
        r.best = two_hit_higher(r.best, r.run);
        lowest = two_hit_higher(lowest, r.run - drop);
    }
    *stopped = (int)i;
    return r.best;
}

#endif
