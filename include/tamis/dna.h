/*
 * dna.h - nucleotide sequences at two bits a base [Ma11, II-B].
 *
 * A base is 0 (A), 1 (C), 2 (G) or 3 (T), so that 3 - code is its complement. Any other letter has code 0 and is in a run
 * that marks it: no w-mer contains it.
 *
 * Threads: each call needs its arguments for itself while it writes to them; what it only reads may be shared.
 */
#ifndef TAMIS_DNA_H
#define TAMIS_DNA_H

#include "tamis/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TMS_DNA_MAX_BASES ((size_t)INT32_MAX) /* of one tms_dna */

/* Minus is the reverse complement. */
typedef enum tms_strand { TMS_STRAND_BOTH = 0, TMS_STRAND_PLUS = 1, TMS_STRAND_MINUS = 2 } tms_strand;

/* Bases start .. start + n_bases - 1, at least one, are letters other than A, C, G, T. */
typedef struct tms_dna_run {
    uint32_t start, n_bases;
} tms_dna_run;

/* The part of a record (a sequence with a name) that is in a tms_dna. No w-mer crosses the end of a part. */
typedef struct tms_dna_part {
    const char *name; /* NUL-terminated, borrowed; the library does not look at it */
    uint64_t record;  /* the record's number in its input, from 0 */
    uint64_t offset;  /* bases of the record before this part */
    uint32_t start;   /* the part's first base in the tms_dna */
    uint32_t n_bases;
} tms_dna_part;

/*
 * Bases of one or more records, borrowed. A long record may come in several tms_dna, one after the other. To lose no w-mer,
 * each of them then begins with the last w - 1 bases of the one before.
 */
typedef struct tms_dna {
    const uint64_t *codes;     /* base i: bits 2 (i mod 32) and 2 (i mod 32) + 1 of codes[i / 32]; TMS_DNA_WORDS(n_bases) words */
    size_t n_bases;            /* 0 .. TMS_DNA_MAX_BASES */
    const tms_dna_part *parts; /* ascending, without gaps from base 0 to base n_bases - 1 */
    size_t n_parts;
    const tms_dna_run *runs; /* ascending, not overlapping; they may cross the end of a part */
    size_t n_runs;
} tms_dna;

/* 64-bit words for n_bases: two more than they fill. These two are read, but their contents do not matter. */
#define TMS_DNA_WORDS(n_bases) (((size_t)(n_bases) + 31) / 32 + 2)

/* tms_dna_encode() appends to this. The caller owns the arrays. */
typedef struct tms_dna_room {
    uint64_t *codes;                /* as in tms_dna; the contents after n_bases are overwritten */
    size_t n_bases, bases_capacity; /* codes has TMS_DNA_WORDS(bases_capacity) words */
    tms_dna_run *runs;
    size_t n_runs, runs_capacity;
} tms_dna_room;

/*
 * tms_dna_encode() - append letters.
 *   letters [in] n of A C G T and the other letters of IUPAC (U R Y S W K M B D H V N, and X for masked), in upper or
 *                lower case
 *   n_done  [out] letters appended: fewer than n if bases or runs reach their capacity, or at a fault
 * Returns TMS_OK; TMS_E_ARG if letters[*n_done] is none of these.
 * U (RNA) counts as a letter other than ACGT. A run that begins at the end of the last run is joined with it.
 */
TMS_API TMS_CHECKED tms_status tms_dna_encode(tms_context *ctx, tms_dna_room *room, const char *letters, size_t n, size_t *n_done);

/*
 * tms_dna_same() - how many bases in a row are the same in two sequences.
 *   a, i    [in] from base i of a upwards
 *   b, j    [in] from base j of b: upwards, or with reverse 1 downwards, each base complemented
 *   n       [in] at most this many bases, which have to exist in both; the caller takes care of the ends of parts
 * Letters other than A, C, G, T are not the same as anything.
 */
TMS_API size_t tms_dna_same(const tms_dna *a, size_t i, const tms_dna *b, size_t j, int reverse, size_t n);

#ifdef __cplusplus
}
#endif
#endif
