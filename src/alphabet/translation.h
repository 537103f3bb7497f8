/*
 * translation.h - codons to residues, by NCBI's genetic codes, and the six reading frames of a sequence.
 *
 * A codon of ambiguous bases stands for all codons of unambiguous ones that it contains. If they all have one residue, that is the codon's.
 * Else a search takes X. Reports show B for asparagine or aspartate, Z for glutamine or glutamate, J for leucine or isoleucine; else X.
 */
#ifndef TMS_TRANSLATION_H
#define TMS_TRANSLATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FRAMES = 6, /* frame i of 0 .. 5: 1, 2, 3, -1, -2, -3 */
    FRAMES_A_STRAND = 3,
    CODONS = 1 << 12 /* triples of BLASTNA codes */
};

struct codon_table {
    uint8_t searched[CODONS], shown[CODONS]; /* NCBIstdaa codes; the codon's first base is in the highest four bits */
};

/* codon_table_init() - genetic_code: NCBI's number. Returns false if there is no such code, or BLAST programs do not take it. */
bool codon_table_init(int genetic_code, struct codon_table *out);

/* translate() - residues of n codons. bases [in] 3 n BLASTNA codes. residues [out] n codes; may be where bases are */
void translate(const uint8_t residue_of[CODONS], const uint8_t *bases, size_t n, uint8_t *residues);

/*
 * The residues of codons of unambiguous bases, by the codon's number in two bits a base: as codons of the plus strand, and of the minus
 * strand.
 */
struct packed_codons {
    uint8_t plus[64], minus[64];
};
void packed_codons_init(const struct codon_table *table, struct packed_codons *out);

/*
 * translate_packed() - all frames of a sequence in two bits a base, four bases a byte, the first in the highest bits.
 *   frames [out] frame_length(n_bases, i) codes of each frame i
 */
void translate_packed(const struct packed_codons *codons, const uint8_t *packed, int n_bases, uint8_t *const frames[FRAMES]);

/* complement_strand() - the minus strand of n BLASTNA codes, in its own direction. minus may not overlap bases. */
void complement_strand(const uint8_t *bases, size_t n, uint8_t *minus);

/* frame_name() - 1, 2, 3, -1, -2, -3 for frames 0 .. 5. */
static inline int frame_name(int frame) { return frame < FRAMES_A_STRAND ? frame + 1 : FRAMES_A_STRAND - 1 - frame; }

/* frame_start() - the first base of a frame, in the direction of its strand: 0, 1 or 2. */
static inline int frame_start(int frame) { return frame % FRAMES_A_STRAND; }

/* frame_length() - residues of a frame of a sequence of n_bases. */
static inline int frame_length(int n_bases, int frame) { return n_bases > frame_start(frame) ? (n_bases - frame_start(frame)) / 3 : 0; }

#endif
