/*
 * seq_batch.h - a growing batch of records: owns what a tms_seqs borrows.
 *
 * For each record the caller calls seq_batch_begin(), seq_batch_residues(), seq_batch_quality() if the batch has qualities, and
 * seq_batch_end(). The view has ended records only. Functions that return bool return false if there is no memory; the batch is then
 * unchanged. seq_batch_clear() keeps the memory for the next batch.
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
    size_t n_records;  /* records that have ended */
    bool in_record;    /* a record has begun and not ended */
    size_t n_residues; /* bytes of residues, with a NUL after each record; includes the open record */
    size_t n_qualities;
    size_t headers_size;
    uint8_t *residues, *qualities;
    char *headers;
    uint64_t *residue_starts, *header_starts; /* offsets: n_records + 1 entries are set */
    uint32_t *name_sizes;
    size_t residues_capacity, qualities_capacity, headers_capacity, residue_starts_capacity, header_starts_capacity, names_capacity;
};

/* seq_batch_clear() - remove all records. first_record: number in the input of the next record. Call it first, on a zeroed batch. */
bool seq_batch_clear(struct seq_batch *b, uint64_t first_record, bool has_qualities);
void seq_batch_free(struct seq_batch *b); /* frees the memory; zeroed is fine */

bool seq_batch_begin(struct seq_batch *b, const char *header, size_t n);
bool seq_batch_residues(struct seq_batch *b, const uint8_t *residues, size_t n);
bool seq_batch_quality(struct seq_batch *b, const uint8_t *quality, size_t n);
bool seq_batch_end(struct seq_batch *b); /* a batch with qualities must have as many of them as residues in the record */

void seq_batch_drop(struct seq_batch *b); /* discards the open record instead of ending it */

/* seq_batch_go_on() - begin in b, which has no open record, a record with all that the open record of `from` has so far. */
bool seq_batch_go_on(struct seq_batch *b, const struct seq_batch *from);

/* seq_batch_bytes() - bytes used in all arrays, including the open record. Counts a quality for each residue at once. */
size_t seq_batch_bytes(const struct seq_batch *b);

/* seq_batch_view() - the ended records; borrowed until the batch changes. */
void seq_batch_view(const struct seq_batch *b, tms_seqs *out);

#endif
