/*
 * alphabet.h - letters to codes and back, in the alphabets of NCBI's toolkit.
 *
 *   NCBI4na    nucleotides as sets of bases, A 1, C 2, G 4, T 8: the letter of a set is IUPAC's, 15 is N, 0 a gap
 *   BLASTNA    A C G T R Y M K W S B D H V N and a gap: 0 to 15, the bases first
 *   NCBIstdaa  a gap, A to Z without J, O and U in the order of the alphabet, then U * O J: 0 to 27
 *
 * Two bits a base: dna.h. Lower case is upper case, and U of RNA is T. Threads: nothing here changes.
 */
#ifndef TAMIS_ALPHABET_H
#define TAMIS_ALPHABET_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tms_alphabet { TMS_ALPHABET_NCBI4NA = 1, TMS_ALPHABET_BLASTNA = 2, TMS_ALPHABET_NCBISTDAA = 3 } tms_alphabet;

#define TMS_NO_CODE ((uint8_t)0xff) /* the code of a byte that is no letter of the alphabet */

/* tms_alphabet_codes() - the code of each of the 256 bytes, or TMS_NO_CODE. NULL: there is no such alphabet. */
TMS_API const uint8_t *tms_alphabet_codes(tms_alphabet alphabet);

/* tms_alphabet_letters() - the letter of each code, in upper case, in the order of the codes, and a NUL. NULL: no such alphabet. */
TMS_API const char *tms_alphabet_letters(tms_alphabet alphabet);

/* tms_alphabet_size() - how many codes there are: 16, 16, 28; 0: no such alphabet. */
TMS_API size_t tms_alphabet_size(tms_alphabet alphabet);

/* tms_alphabet_complements() - the complement of each code. NULL: no alphabet of nucleotides. */
TMS_API const uint8_t *tms_alphabet_complements(tms_alphabet alphabet);

/*
 * tms_alphabet_encode() - n letters to codes; to may be from.
 * Returns how many were encoded: fewer than n if from[that many] is no letter of the alphabet.
 */
TMS_API size_t tms_alphabet_encode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to);

/* tms_alphabet_decode() - n codes, each below tms_alphabet_size(), to letters; to may be from. */
TMS_API void tms_alphabet_decode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to);

#ifdef __cplusplus
}
#endif
#endif
