/*
 * dust.h - symmetric DUST [Morgulis 2006] of one sequence, exactly as NCBI's programs mask it.
 *
 * blastn and dustmasker treat runs of N differently, so there are two rules; see dust.c.
 */
#ifndef TMS_MASK_DUST_H
#define TMS_MASK_DUST_H

#include <stdbool.h>

#include "base/lagged_random.h"
#include "mask/intervals.h"
#include "tamis/mask.h"

enum { DUST_MIN_WINDOW = 8, DUST_MAX_WINDOW = 64, DUST_MIN_LEVEL = 2, DUST_MAX_LEVEL = 64, DUST_MIN_LINKER = 1, DUST_MAX_LINKER = 32 };

/*
 * dust_mask() - mask a sequence by the rule of blastn or of dustmasker.
 *   codes [in]     n BLASTNA codes
 *   out   [in,out] the function appends the intervals, ascending and without overlaps
 * Returns false if there is no memory for the intervals. Thread-safe.
 */
bool dust_mask(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out);

/*
 * dust_mask_minus() - same as dust_mask() for a query whose minus strand alone is searched: the reverse complement is masked, which may
 * give other intervals, and draws other bases for N. out [in,out] the function appends intervals of the plus strand, ascending Returns
 * false if there is no memory. Thread-safe.
 */
bool dust_mask_minus(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out);

/* ---- steps of dust_mask(), for dust_long.c */

/* A segment start .. end - 1, masked as if nothing were around it. A run of N up to run_end, masked whole, may follow it. */
struct dust_segment {
    size_t start, end, run_end;
};

/* dust_next_segment() - the next segment of a record. segment [in,out] zeroed at first. Returns false if there is no more. */
bool dust_next_segment(const tms_dust_params *params, const uint8_t *codes, size_t n, struct dust_segment *segment);

/* The intervals of a record. */
struct dust_list {
    struct intervals *out;
    size_t first; /* intervals before this one are of other records */
    uint32_t linker;
    bool at_border; /* the next interval is the first of a segment, or a run of N */
};

/* dust_list_add() - append an interval, or join it to the previous one. Returns false if there is no memory. */
bool dust_list_add(struct dust_list *list, uint64_t start, uint64_t end);

/*
 * dust_cut() - the first position from `at` on where the work on a segment without N may be cut, or the segment's end: intervals that
 * begin there or later do not depend on bases more than a few windows before it.
 */
size_t dust_cut(const tms_dust_params *params, const uint8_t *codes, const struct dust_segment *segment, size_t at);

/*
 * dust_mask_part() - append the intervals of a segment that begin in from .. to - 1. These are ends of the segment, or positions returned
 * by dust_cut().
 *   random [in,out] the generator for N as the previous segments have left it; lagged_random_unseeded at the start of a record
 * Returns false if there is no memory.
 */
bool dust_mask_part(const tms_dust_params *params, const uint8_t *codes, const struct dust_segment *segment, size_t from, size_t to,
                    struct lagged_random *random, struct intervals *out);

#endif
