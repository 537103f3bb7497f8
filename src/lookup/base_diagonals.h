/*
 * base_diagonals.h - how far the hits of each diagonal have been dealt with, for one chunk of a subject after the other.
 *
 * Levels are positions in the subject plus a base, which grows from chunk to chunk, so that those of earlier chunks are out of reach. Few
 * query positions have an array of diagonals, many a hash table. A cell of the table that seems out of reach is used again for another
 * diagonal. With the one-hit rule it may be within reach, because the window is 0: a diagonal is then extended a second time, which later
 * steps notice.
 */
#ifndef TMS_BASE_DIAGONALS_H
#define TMS_BASE_DIAGONALS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/context.h"

enum { BASE_DIAGONAL_BUCKETS = 512 };

/* The state of a diagonal. All zero: nothing was hit. */
struct base_diagonal {
    int32_t level;    /* where its last hit or extension ends, plus the base */
    uint32_t length;  /* bases of the last hit, if that was not extended */
    bool is_extended; /* the last hit was extended */
};

struct base_diagonal_cell {
    int32_t diagonal, next;
    struct base_diagonal state;
};

struct base_diagonals {
    int window, reach; /* a cell is used again if the level is `reach` behind a hit, or more */
    int32_t base;
    uint32_t mask;               /* of the array; 0: a table */
    struct base_diagonal *array; /* diagonal d is at d & mask */
    int32_t buckets[BASE_DIAGONAL_BUCKETS];
    struct base_diagonal_cell *cells; /* lists of the cells of a bucket, the newest first */
    size_t n_cells, cells_capacity;
};

/*
 * base_diagonals_init() - for n_positions query positions.
 *   window, off_diagonal [in] of the two-hit rule, in bases; 0 with the one-hit rule
 *   word_size [in] bases of a word
 *   out       [out] freed with base_diagonals_free(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_diagonals_init(int n_positions, int window, int off_diagonal, int word_size, struct base_diagonals *out);
void base_diagonals_free(struct base_diagonals *d); /* zeroed is fine */

/* base_diagonals_begin() - before each chunk of a subject, of n bases; base_diagonals_end() - after it. */
void base_diagonals_begin(struct base_diagonals *d);
void base_diagonals_end(struct base_diagonals *d, int n);

static inline uint32_t base_diagonal_bucket(int32_t diagonal) { return ((uint32_t)diagonal * 0x9e370001u) & (BASE_DIAGONAL_BUCKETS - 1); }

/* base_diagonal_get() - the state of a diagonal: subject position - query position. */
static inline struct base_diagonal base_diagonal_get(const struct base_diagonals *d, int32_t diagonal)
{
    if (d->mask > 0)
        return d->array[(uint32_t)diagonal & d->mask];
    for (int32_t i = d->buckets[base_diagonal_bucket(diagonal)]; i >= 0; i = d->cells[i].next)
        if (d->cells[i].diagonal == diagonal)
            return d->cells[i].state;
    return (struct base_diagonal){0, 0, false};
}

/* base_diagonal_add() - adds a cell to the table. Returns TMS_OK or TMS_E_MEMORY. */
tms_status base_diagonal_add(struct base_diagonals *d, int32_t diagonal, struct base_diagonal state);

/*
 * base_diagonal_set() - sets the state of a diagonal.
 *   at [in] where the hit begins in the subject, plus the base
 * Returns TMS_OK or TMS_E_MEMORY.
 */
static inline tms_status base_diagonal_set(struct base_diagonals *d, int32_t diagonal, int32_t at, struct base_diagonal state)
{
    if (d->mask > 0) {
        d->array[(uint32_t)diagonal & d->mask] = state;
        return TMS_OK;
    }
    for (int32_t i = d->buckets[base_diagonal_bucket(diagonal)]; i >= 0; i = d->cells[i].next) {
        struct base_diagonal_cell *cell = &d->cells[i];
        if (cell->diagonal == diagonal || at - cell->state.level >= d->reach) {
            cell->diagonal = diagonal;
            cell->state = state;
            return TMS_OK;
        }
    }
    return base_diagonal_add(d, diagonal, state);
}

#endif
