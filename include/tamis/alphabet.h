/*
 * alphabet.h - encodes characters as codes and decodes them, in the alphabets of NCBI's toolkit.
 *
 *   NCBI4na    nucleotides as sets of bases, A 1, C 2, G 4, T 8: the IUPAC character of a set; 15 is N, 0 a gap
 *   BLASTNA    A C G T R Y M K W S B D H V N and a gap: 0 to 15, the bases first
 *   NCBIstdaa  a gap, A to Z without J, O and U in the order of the alphabet, then U * O J: 0 to 27
 *
 * dna.h has two bits a base. Lower case is encoded as upper case, and U of RNA as T. Threads: all calls are thread-safe. Tables are
 * constants, valid as long as the library is loaded.
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

#define TMS_NO_CODE ((uint8_t)0xff) /* the code of a byte that is not in the alphabet */

/* tms_alphabet_codes() - the code of each of the 256 bytes, or TMS_NO_CODE. NULL for an unknown alphabet. */
TMS_API const uint8_t *tms_alphabet_codes(tms_alphabet alphabet);

/* tms_alphabet_letters() - the upper-case character of each code, in the order of the codes, and a NUL. NULL for an unknown alphabet. */
TMS_API const char *tms_alphabet_letters(tms_alphabet alphabet);

/* tms_alphabet_size() - the number of codes: 16, 16, 28; 0 for an unknown alphabet. */
TMS_API size_t tms_alphabet_size(tms_alphabet alphabet);

/* tms_alphabet_complements() - the complement of each code. NULL if the alphabet is not one of nucleotides. */
TMS_API const uint8_t *tms_alphabet_complements(tms_alphabet alphabet);

/*
 * tms_alphabet_encode() - encode n characters.
 *   from [in]  n bytes
 *   to   [out] room for n codes; may be the same array as from
 * Returns the number of characters encoded; if it is less than n, from[it] is not in the alphabet.
 */
TMS_API size_t tms_alphabet_encode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to);

/* tms_alphabet_decode() - decode n codes, each below tms_alphabet_size(), to upper-case characters; to may be the same array as from. */
TMS_API void tms_alphabet_decode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to);

#ifdef __cplusplus
}
#endif
#endif
