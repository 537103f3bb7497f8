/*
 * nucleotide_pack.h - packs a nucleotide sequence as BLAST databases store it: two bits a base, and a separate block of ambiguous bases.
 *
 * Packed bases: four in a byte, the first in the top bits, A C G T = 0 1 2 3; n / 4 + 1 bytes. The last byte has n mod 4 bases in its top
 * bits and the number n mod 4 in the low two.
 *
 * At the position of an ambiguous base the packed sequence has one of the bases it stands for, drawn by a generator seeded with the
 * sequence's length. BLAST's search for seeds reads these bases, so they must be those of makeblastdb. The length is known only at the
 * end: codes come in pieces, the struct keeps the runs of ambiguous bases, and nucleotide_pack_end() draws theirs.
 *
 * Ambiguity block, words of 32 bits, big-endian; empty if no base is ambiguous. The first word is the number of words that follow; its top
 * bit selects the form:
 *   old   one word a run: code (NCBI4na) 4 bits, n - 1 4 bits, start 24 bits
 *   new   two words a run: code 4 bits, n - 1 12 bits, 16 bits of 0; start. Used if the sequence has more than 2^24 - 1 bases, or a run of
 *         more than 15
 * A run is as long as the code repeats, but at most 4095. As in makeblastdb, sequences of 1 or 2 bases get a block of one word, 0.
 */
#ifndef TMS_NUCLEOTIDE_PACK_H
#define TMS_NUCLEOTIDE_PACK_H

#include "base/byte_array.h"

#define NUCLEOTIDE_MAX_RUN  4095
#define NUCLEOTIDE_MAX_SIZE UINT32_MAX /* most bases of a sequence, because the start of a run has 32 bits */

struct nucleotide_run {
    uint32_t start;
    uint16_t n;   /* 1 .. NUCLEOTIDE_MAX_RUN */
    uint8_t code; /* the run's NCBI4na code, of more than one base */
};

/* Empty if all zero; the arrays are kept for the next sequence. */
struct nucleotide_pack {
    struct byte_array packed;    /* after nucleotide_pack_end(): the packed bases */
    struct byte_array ambiguity; /* after nucleotide_pack_end(): the ambiguity block */
    struct nucleotide_run *runs;
    size_t n_runs, runs_capacity;
    uint64_t n_bases;
};

/* nucleotide_pack_begin() - begin an empty sequence. */
void nucleotide_pack_begin(struct nucleotide_pack *p);

/*
 * nucleotide_pack_add() - append n bases.
 *   codes [in] NCBI4na, 1 .. 15
 * Returns false if there is no memory, or if there would be more than NUCLEOTIDE_MAX_SIZE bases; after that only begin and free are
 * allowed.
 */
bool nucleotide_pack_add(struct nucleotide_pack *p, const uint8_t *codes, size_t n);

/*
 * nucleotide_pack_end() - draw the bases at ambiguous positions; packed and ambiguity are then complete. Returns false if there is no
 * memory.
 */
bool nucleotide_pack_end(struct nucleotide_pack *p);

void nucleotide_pack_free(struct nucleotide_pack *p);

#endif
