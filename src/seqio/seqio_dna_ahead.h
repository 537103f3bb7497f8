/*
 * seqio_dna_ahead.h - chunks of sequences one after the other, and as many of the following chunks as the caller asks for.
 *
 * A chunk of seqio_dna is valid until the next call. Here chunks are copied, so that several exist at once.
 */
#ifndef TAMIS_SEQIO_DNA_AHEAD_H
#define TAMIS_SEQIO_DNA_AHEAD_H

#include "seqio/seqio_dna.h"

typedef struct seqio_dna_piece {
    seqio_dna_chunk chunk;
    tms_dna before; /* the base before the chunk's first, if the chunk continues a record; no base if it does not, or if that base is
                     * ambiguous */
    const struct seqio_dna_piece *next; /* the next chunk; NULL: not read yet, or the end */
} seqio_dna_piece;

typedef struct seqio_dna_ahead seqio_dna_ahead;

/* seqio_dna_ahead_create() - read ahead of seqio_dna_next(). dna [in] borrowed. Returns IO_OK or IO_E_MEMORY. */
io_status seqio_dna_ahead_create(seqio_dna *dna, seqio_dna_ahead **out, io_error *err);
void seqio_dna_ahead_destroy(seqio_dna_ahead *ahead); /* NULL is fine */

/* seqio_dna_ahead_next() - the next chunk; valid until the next call. Returns as seqio_dna_next(). */
io_status seqio_dna_ahead_next(seqio_dna_ahead *ahead, const seqio_dna_piece **out, io_error *err);

/* seqio_dna_ahead_more() - read one more chunk, behind the last one held. Returns as seqio_dna_next(). */
io_status seqio_dna_ahead_more(seqio_dna_ahead *ahead, io_error *err);

#endif
