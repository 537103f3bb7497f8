/* bases.h - BLASTNA codes of bases: 0 .. 3 for A, C, G and T, then the ambiguous bases; and the bases that each code stands for. */
#ifndef TMS_BASES_H
#define TMS_BASES_H

#include <stdint.h>

enum {
    BASE_CODES = 16,
    BASE_AMBIGUOUS = 4, /* the first code that stands for more than one base */
    BASE_HIDDEN = 10,   /* B, which blastn has in the place of hard-masked bases of subjects */
    BASE_N = 14,
    BASE_GAP = 15 /* stands before and after each sequence */
};

/* A bit for each base that a code stands for, from bit 0 for A to bit 3 for T: the code in NCBI4na. */
static const uint8_t base_sets[BASE_CODES] = {1, 2, 4, 8, 5, 10, 3, 12, 9, 6, 14, 13, 11, 7, 15, 0};

#endif
