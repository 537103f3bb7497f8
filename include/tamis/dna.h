/*
 * dna.h - nucleotide sequences at two bits a base [Ma11, II-B].
 *
 * A base is 0 (A), 1 (C), 2 (G) or 3 (T), so that 3 - code is its complement. Any other nucleotide character, called an ambiguous base
 * here, has code 0 and belongs to a run that marks it: no w-mer contains it.
 *
 * Threads: one call at a time may write to an argument; any number of calls may read it at the same time.
 */
#ifndef TAMIS_DNA_H
#define TAMIS_DNA_H

#include "tamis/context.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TMS_DNA_MAX_BASES ((size_t)INT32_MAX) /* most bases of one tms_dna */

/* TMS_STRAND_MINUS is the reverse complement. */
typedef enum tms_strand { TMS_STRAND_BOTH = 0, TMS_STRAND_PLUS = 1, TMS_STRAND_MINUS = 2 } tms_strand;

/* A run of ambiguous bases: bases start .. start + n_bases - 1, at least one. */
typedef struct tms_dna_run {
    uint32_t start, n_bases;
} tms_dna_run;

/* The part of a record (a named sequence) that is in a tms_dna. No w-mer crosses the end of a part. */
typedef struct tms_dna_part {
    const char *name; /* NUL-terminated, borrowed; the library does not read it */
    uint64_t record;  /* the record's number in its input, from 0 */
    uint64_t offset;  /* bases of the record before this part */
    uint32_t start;   /* the part's first base in the tms_dna */
    uint32_t n_bases;
} tms_dna_part;

/*
 * Bases of one or more records, borrowed. A long record may be split into several consecutive tms_dna. To lose no w-mer, each of them
 * begins with the last w - 1 bases of the previous one.
 */
typedef struct tms_dna {
    const uint64_t *codes;     /* base i is in bits 2 (i mod 32) and 2 (i mod 32) + 1 of codes[i / 32]; TMS_DNA_WORDS(n_bases) words */
    size_t n_bases;            /* 0 .. TMS_DNA_MAX_BASES */
    const tms_dna_part *parts; /* ascending, without gaps from base 0 to base n_bases - 1 */
    size_t n_parts;
    const tms_dna_run *runs; /* ascending, not overlapping; they may cross the end of a part */
    size_t n_runs;
} tms_dna;

/* 64-bit words for n_bases: two more than they fill. The library reads these two, but their contents do not matter. */
#define TMS_DNA_WORDS(n_bases) (((size_t)(n_bases) + 31) / 32 + 2)

/* The destination of tms_dna_encode(). The caller owns the arrays. */
typedef struct tms_dna_room {
    uint64_t *codes;                /* as in tms_dna; the bits after base n_bases - 1 are overwritten */
    size_t n_bases, bases_capacity; /* codes has TMS_DNA_WORDS(bases_capacity) words */
    tms_dna_run *runs;
    size_t n_runs, runs_capacity;
} tms_dna_room;

/*
 * tms_dna_encode() - append bases.
 *   bases  [in]  n characters: A C G T and the ambiguous bases U R Y S W K M B D H V N, and X for masked, in upper or lower case
 *   n_done [out] bases appended: fewer than n if bases or runs reach their capacity, or at a fault
 * Returns TMS_OK; TMS_E_ARG if bases[*n_done] is none of these characters.
 * U (RNA) counts as ambiguous. A run that continues the last run is joined with it.
 */
TMS_API TMS_CHECKED tms_status tms_dna_encode(tms_context *ctx, tms_dna_room *room, const char *bases, size_t n, size_t *n_done);

/*
 * tms_dna_same() - how many bases in a row are the same in two sequences.
 *   a, i    [in] from base i of a upwards
 *   b, j    [in] from base j of b: upwards, or with reverse 1 downwards, each base complemented
 *   n       [in] most bases to compare; both sequences must have them. The caller handles the ends of parts
 * An ambiguous base is not the same as any base.
 */
TMS_API size_t tms_dna_same(const tms_dna *a, size_t i, const tms_dna *b, size_t j, int reverse, size_t n);

#ifdef __cplusplus
}
#endif
#endif
