/* protein_letters.h - NCBIstdaa codes to letters, fast: printing a database is little else. */
#ifndef TMS_PROTEIN_LETTERS_H
#define TMS_PROTEIN_LETTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"

/* protein_letters() - n codes to letters. Returns whether all were codes; others become some byte. */
bool protein_letters(const uint8_t *codes, size_t n, uint8_t *letters);

/* protein_codes_are_sound() - whether all are below RESIDUE_CODES. */
bool protein_codes_are_sound(const uint8_t *codes, size_t n);

#endif
