/*
 * nucleotide_pack.h - a nucleotide sequence as BLAST databases store it: two bits a base, and beside them the ambiguous letters.
 *
 * Packed bases: four in a byte, the first in the top bits, A C G T = 0 1 2 3; n / 4 + 1 bytes. The last one has n mod 4 bases in its top
 * bits and the number n mod 4 in the low two.
 *
 * Under an ambiguous letter lies one of its bases, drawn by a generator that is seeded with the sequence's length. BLAST's search
 * for seeds reads these bases, so they are makeblastdb's. The length is known at the end only: letters come in pieces, runs of ambiguous
 * letters are kept, and their bases are drawn by nucleotide_pack_end().
 *
 * Ambiguity block, words of 32 bits, big-endian; empty if all letters are bases. The first word is the number of words that
 * follow; its top bit says which form:
 *   old   a word a run: letter (NCBI4na) 4 bits, n - 1 4 bits, start 24 bits
 *   new   two words a run: letter 4 bits, n - 1 12 bits, 16 bits of 0; start. Used if the sequence has more than 2^24 - 1 letters, or a run
 *         of more than 15
 * A run is as long as the letter repeats, but at most 4095. As makeblastdb does, sequences of 1 or 2 bases get a block of one word, 0.
 */
#ifndef TMS_NUCLEOTIDE_PACK_H
#define TMS_NUCLEOTIDE_PACK_H

#include "base/byte_array.h"

#define NUCLEOTIDE_MAX_RUN  4095
#define NUCLEOTIDE_MAX_SIZE UINT32_MAX /* bases of a sequence: the start of a run has 32 bits */

struct nucleotide_run {
    uint32_t start;
    uint16_t n;     /* 1 .. NUCLEOTIDE_MAX_RUN */
    uint8_t letter; /* NCBI4na, of more than one base */
};

/* All zero: empty; the arrays stay for the next sequence. */
struct nucleotide_pack {
    struct byte_array packed;    /* after nucleotide_pack_end(): the packed bases */
    struct byte_array ambiguity; /* after nucleotide_pack_end(): the block */
    struct nucleotide_run *runs;
    size_t n_runs, runs_capacity;
    uint64_t n_bases;
};

/* nucleotide_pack_begin() - an empty sequence. */
void nucleotide_pack_begin(struct nucleotide_pack *p);

/*
 * nucleotide_pack_add() - n letters more.
 *   codes [in] NCBI4na, 1 .. 15
 * Returns false: no memory, or more than NUCLEOTIDE_MAX_SIZE letters in all; then only begin and free are left.
 */
bool nucleotide_pack_add(struct nucleotide_pack *p, const uint8_t *codes, size_t n);

/* nucleotide_pack_end() - draw the bases under ambiguous letters; packed and ambiguity are complete. Returns false: no memory. */
bool nucleotide_pack_end(struct nucleotide_pack *p);

void nucleotide_pack_free(struct nucleotide_pack *p);

#endif
