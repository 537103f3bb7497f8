/*
 * io_dna_ahead.h - chunks of sequences one after the other, and as much of what follows as is asked for.
 *
 * What io_dna gives is good until the next call. Here chunks are copied, so that several are there at once.
 */
#ifndef TAMIS_IO_DNA_AHEAD_H
#define TAMIS_IO_DNA_AHEAD_H

#include "io_dna.h"

typedef struct io_dna_piece {
    io_dna_chunk chunk;
    tms_dna before; /* the base before the chunk's first, if that goes on with a record; no base if it does not, or if it is
                       another letter than A, C, G, T */
    const struct io_dna_piece *next; /* NULL: not read yet, or the end */
} io_dna_piece;

typedef struct io_dna_ahead io_dna_ahead;

/* io_dna_ahead_create() - over chunks that are read by io_dna_next(); dna is borrowed. Returns IO_OK or IO_E_MEMORY. */
io_status io_dna_ahead_create(io_dna *dna, io_dna_ahead **out, io_error *err);
void io_dna_ahead_destroy(io_dna_ahead *ahead); /* NULL is fine */

/* io_dna_ahead_next() - the next chunk, until the next call of this. Returns as io_dna_next(). */
io_status io_dna_ahead_next(io_dna_ahead *ahead, const io_dna_piece **out, io_error *err);

/* io_dna_ahead_more() - one chunk more behind the last that is held. Returns as io_dna_next(). */
io_status io_dna_ahead_more(io_dna_ahead *ahead, io_error *err);

#endif
