/*
 * seqio_dna_ahead.h - chunks of sequences one after the other, and as much of what follows as is asked for.
 *
 * What seqio_dna gives is good until the next call. Here chunks are copied, so that several are there at once.
 */
#ifndef TAMIS_IO_DNA_AHEAD_H
#define TAMIS_IO_DNA_AHEAD_H

#include "seqio/seqio_dna.h"

typedef struct seqio_dna_piece {
    seqio_dna_chunk chunk;
    tms_dna before; /* the base before the chunk's first, if that goes on with a record; no base if it does not, or if it is
                       another letter than A, C, G, T */
    const struct seqio_dna_piece *next; /* NULL: not read yet, or the end */
} seqio_dna_piece;

typedef struct seqio_dna_ahead seqio_dna_ahead;

/* seqio_dna_ahead_create() - over chunks that are read by seqio_dna_next(); dna is borrowed. Returns IO_OK or IO_E_MEMORY. */
io_status seqio_dna_ahead_create(seqio_dna *dna, seqio_dna_ahead **out, io_error *err);
void seqio_dna_ahead_destroy(seqio_dna_ahead *ahead); /* NULL is fine */

/* seqio_dna_ahead_next() - the next chunk, until the next call of this. Returns as seqio_dna_next(). */
io_status seqio_dna_ahead_next(seqio_dna_ahead *ahead, const seqio_dna_piece **out, io_error *err);

/* seqio_dna_ahead_more() - one chunk more behind the last that is held. Returns as seqio_dna_next(). */
io_status seqio_dna_ahead_more(seqio_dna_ahead *ahead, io_error *err);

#endif
