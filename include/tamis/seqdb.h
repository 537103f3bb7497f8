/*
 * seqdb.h - sequences by number: BLAST databases, mapped as they lie on disk, and records in memory.
 *
 * A sequence's number is its ordinal id, from 0, through all databases and volumes that were opened together. Getting a sequence by
 * number takes constant time; deflines are decoded when they are asked for.
 *
 * Threads: a tms_seqdb does not change once it is open. Any number of threads may read it, each with its own context.
 */
#ifndef TAMIS_SEQDB_H
#define TAMIS_SEQDB_H

#include "tamis/dna.h"
#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tms_molecule { TMS_NUCLEOTIDE = 0, TMS_PROTEIN = 1 } tms_molecule;

typedef struct tms_seqdb tms_seqdb;

/*
 * tms_seqdb_open() - map databases.
 *   names [in] as BLAST's -db: names with spaces between; a name with spaces in double quotes. Each is looked for at its path, then in the
 *              working directory, in $BLASTDB, and in BLASTDB of section [BLAST] of .ncbirc; an alias (.pal, .nal) comes
 *              before a volume
 *   out   [out] destroyed with tms_seqdb_destroy()
 * Returns TMS_OK; TMS_E_ARG: no such database; TMS_E_FORMAT: a file is damaged: the message names file and field; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_open(tms_context *ctx, const char *names, tms_molecule molecule, tms_seqdb **out);

/*
 * tms_seqdb_from_seqs() - records in memory, encoded as in a database.
 *   seqs [in] borrowed for the call; letters that are none of the alphabet's are TMS_E_ARG
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_from_seqs(tms_context *ctx, const tms_seqs *seqs, tms_molecule molecule, const char *title,
                                                   tms_seqdb **out);
TMS_API void tms_seqdb_destroy(tms_seqdb *db); /* NULL is fine */

typedef struct tms_seqdb_info {
    tms_molecule molecule;
    int version;                                  /* of its files: 4 or 5; 0 in memory */
    uint64_t n_sequences;                         /* ordinal ids 0 .. n_sequences - 1 */
    uint64_t n_residues;                          /* of these */
    uint64_t stats_n_sequences, stats_n_residues; /* for statistics and reports: an alias file may say others (NSEQ, LENGTH) */
    uint64_t longest;                             /* residues */
    size_t n_volumes;
    const char *title; /* owned by the database; of several, "; " between */
    const char *date;  /* of the newest volume, as stored, "Nov 21, 2026  1:17 PM" */
} tms_seqdb_info;

TMS_API void tms_seqdb_get_info_sized(const tms_seqdb *db, tms_seqdb_info *out, size_t out_size);
TMS_INLINE void tms_seqdb_get_info(const tms_seqdb *db, tms_seqdb_info *out) { tms_seqdb_get_info_sized(db, out, sizeof *out); }

/* tms_seqdb_length() - residues of a sequence. */
TMS_API uint64_t tms_seqdb_length(const tms_seqdb *db, uint64_t oid);

/* tms_seqdb_protein() - a protein's NCBIstdaa codes, borrowed, with a 0 before the first and after the last. */
TMS_API const uint8_t *tms_seqdb_protein(const tms_seqdb *db, uint64_t oid, uint64_t *n_residues);

/* tms_seqdb_packed() - a nucleotide sequence's bases, borrowed, as they lie on disk: four in a byte, the first in the top bits. Where the
 * sequence has an ambiguous letter there is some base. */
TMS_API const uint8_t *tms_seqdb_packed(const tms_seqdb *db, uint64_t oid, uint64_t *n_bases);

/*
 * tms_seqdb_residues() - residues start .. end - 1 as codes, one a byte: NCBIstdaa, or BLASTNA with the ambiguous letters in place.
 *   codes [out] end - start of them
 */
TMS_API void tms_seqdb_residues(const tms_seqdb *db, uint64_t oid, uint64_t start, uint64_t end, uint8_t *codes);

/* Sequences first .. end - 1. */
typedef struct tms_seqdb_piece {
    uint64_t first, end;
} tms_seqdb_piece;

/* tms_seqdb_cut() - the database in n_pieces of about equal residues, in order; some may be empty. Piece i of n. Never crosses a volume's
 * end if by_volume. */
TMS_API tms_seqdb_piece tms_seqdb_cut(const tms_seqdb *db, uint64_t i, uint64_t n_pieces);

#ifdef __cplusplus
}
#endif
#endif
