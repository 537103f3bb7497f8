/*
 * dust.h - symmetric DUST [Morgulis 2006] of one sequence, exactly as NCBI's programs mask it.
 *
 * blastn and dustmasker differ in runs of N, so there are two rules; see dust.c.
 */
#ifndef TMS_MASK_DUST_H
#define TMS_MASK_DUST_H

#include <stdbool.h>

#include "base/lagged_random.h"
#include "mask/intervals.h"
#include "tamis/mask.h"

enum { DUST_MIN_WINDOW = 8, DUST_MAX_WINDOW = 64, DUST_MIN_LEVEL = 2, DUST_MAX_LEVEL = 64, DUST_MIN_LINKER = 1, DUST_MAX_LINKER = 32 };

/*
 * dust_mask() - by the rule of blastn or of dustmasker.
 *   codes [in]     n BLASTNA codes
 *   out   [in,out] the intervals are added to it, ascending; they do not overlap
 * Returns false if there is no memory for the intervals. Any number of threads may call it at once.
 */
bool dust_mask(const tms_dust_params *params, const uint8_t *codes, size_t n, struct intervals *out);

/* ---- its parts, for dust_long.c */

/* A piece is masked as if nothing were around it; behind it is a run of N that is masked whole, or nothing. */
struct dust_piece {
    size_t start, end, run_end;
};

/* dust_next_piece() - the next piece of a record. piece: zeroes at first. Returns false if there is no more. */
bool dust_next_piece(const tms_dust_params *params, const uint8_t *codes, size_t n, struct dust_piece *piece);

/* The intervals of a record. */
struct dust_list {
    struct intervals *out;
    size_t first; /* those before it are of other records */
    uint32_t linker;
    bool at_border; /* the next one is the first of a piece, or a run of N */
};

/* dust_list_add() - an interval at the end, or joined to the one before. Returns false if there is no memory. */
bool dust_list_add(struct dust_list *list, uint64_t start, uint64_t end);

/*
 * dust_cut() - the first place from `at` on where the work on a piece without N may be cut, or the piece's end: what begins there or later
 * does not depend on letters more than a few windows before it.
 */
size_t dust_cut(const tms_dust_params *params, const uint8_t *codes, const struct dust_piece *piece, size_t at);

/*
 * dust_mask_part() - of the stretches of a piece those that begin in from .. to - 1, which are its ends, or positions of dust_cut().
 *   random [in,out] for N: as the pieces before have left it; lagged_random_unseeded at the record's start
 */
bool dust_mask_part(const tms_dust_params *params, const uint8_t *codes, const struct dust_piece *piece, size_t from, size_t to,
                    struct lagged_random *random, struct intervals *out);

#endif
