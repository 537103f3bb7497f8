/*
 * seq.h - batches of whole records: sequences as read, names, descriptions, qualities.
 *
 * Threads: any number of threads may read a batch.
 */
#ifndef TAMIS_SEQ_H
#define TAMIS_SEQ_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/context.h"
#include "tamis/dna.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Residues start .. end - 1 of a record, from 0. */
typedef struct tms_interval {
    uint64_t start, end;
} tms_interval;

/*
 * Records, borrowed. Record i has the characters residues[residue_starts[i]] .. residues[residue_starts[i + 1] - 2], as read, with their
 * case; a NUL follows each record. Its header is the line of the name without the '>' or '@' and without the line's end:
 * headers[header_starts[i]] .. headers[header_starts[i + 1] - 2], and a NUL. The name is the first word of the header.
 */
typedef struct tms_seqs {
    size_t n_records;
    uint64_t first_record;          /* the number of record 0 in its input, from 0 */
    const uint8_t *residues;        /* residue_starts[n_records] bytes */
    const uint64_t *residue_starts; /* n_records + 1 offsets */
    const uint8_t *qualities;       /* FASTQ: a quality for each byte of residues; NULL: FASTA */
    const char *headers;            /* header_starts[n_records] bytes; they may contain any byte but line feeds */
    const uint64_t *header_starts;  /* n_records + 1 offsets */
    const uint32_t *name_sizes;     /* length in bytes of each name; 0: no name */
} tms_seqs;

TMS_INLINE uint64_t tms_seqs_length(const tms_seqs *seqs, size_t i) { return seqs->residue_starts[i + 1] - seqs->residue_starts[i] - 1; }
TMS_INLINE uint64_t tms_seqs_header_size(const tms_seqs *seqs, size_t i) { return seqs->header_starts[i + 1] - seqs->header_starts[i] - 1; }

/* ---- the nucleotides of a batch at two bits a base, for w-mers ---------------------------------------------------------------- */

typedef struct tms_seqs_dna tms_seqs_dna;

/* tms_seqs_dna_create() - create an encoder; successive batches reuse its memory. Returns TMS_OK or TMS_E_MEMORY. */
TMS_API TMS_CHECKED tms_status tms_seqs_dna_create(tms_context *ctx, tms_seqs_dna **out);
TMS_API void tms_seqs_dna_destroy(tms_seqs_dna *dna); /* NULL is fine */

/*
 * tms_seqs_dna_encode() - encode all records of a batch.
 *   seqs [in] characters that tms_dna_encode() accepts, at most TMS_DNA_MAX_BASES in all
 * Returns TMS_OK; TMS_E_ARG: an invalid character, with its record, or too many bases; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqs_dna_encode(tms_context *ctx, const tms_seqs *seqs, tms_seqs_dna *dna);

/*
 * tms_seqs_dna_get() - the last encoded batch; without bases after a failure. Part i is record i, even if it is empty; its name is the
 * whole header, borrowed from the batch.
 */
TMS_API const tms_dna *tms_seqs_dna_get(const tms_seqs_dna *dna);

#ifdef __cplusplus
}
#endif
#endif
