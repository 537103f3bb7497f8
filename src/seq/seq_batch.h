/*
 * seq_batch.h - a batch of records that grows: the owner of what a tms_seqs borrows.
 *
 * A record is begun, gets letters, then quality where the batch has it, and is ended. Only ended records are in the view.
 * Functions that return bool return false if there is no memory; the batch then is as it was. Memory is kept for the next turn.
 */
#ifndef TMS_SEQ_BATCH_H
#define TMS_SEQ_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tamis/seq.h"

struct seq_batch {
    uint64_t first_record;
    bool has_qualities;
    size_t n_records;  /* ended */
    bool in_record;    /* one more is begun */
    size_t n_residues; /* bytes of each array, with NULs; what belongs to the open record is in them */
    size_t n_qualities;
    size_t headers_size;
    uint8_t *residues, *qualities;
    char *headers;
    uint64_t *residue_starts, *header_starts; /* n_records + 1 are set */
    uint32_t *name_sizes;
    size_t residues_capacity, qualities_capacity, headers_capacity, residue_starts_capacity, header_starts_capacity, names_capacity;
};

/* seq_batch_clear() - no records; the first will be number first_record of its input. Call it first, on zeroes. */
bool seq_batch_clear(struct seq_batch *b, uint64_t first_record, bool has_qualities);
void seq_batch_free(struct seq_batch *b); /* zeroes, which are fine too */

bool seq_batch_begin(struct seq_batch *b, const char *header, size_t n);
bool seq_batch_letters(struct seq_batch *b, const uint8_t *letters, size_t n);
bool seq_batch_quality(struct seq_batch *b, const uint8_t *quality, size_t n);
bool seq_batch_end(struct seq_batch *b); /* with as much quality as letters, where the batch has it */

void seq_batch_drop(struct seq_batch *b); /* the open record, instead of ending it */

/* seq_batch_go_on() - begins the open record of `from` anew in b, which has none, with all that `from` has of it. */
bool seq_batch_go_on(struct seq_batch *b, const struct seq_batch *from);

/* seq_batch_bytes() - of all arrays, with the open record. Its quality counts as soon as its letters. */
size_t seq_batch_bytes(const struct seq_batch *b);

/* seq_batch_view() - borrowed until the batch changes. */
void seq_batch_view(const struct seq_batch *b, tms_seqs *out);

#endif
