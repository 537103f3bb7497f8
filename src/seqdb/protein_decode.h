/* protein_decode.h - decodes NCBIstdaa codes to characters, fast: printing a database does little else. */
#ifndef TMS_PROTEIN_DECODE_H
#define TMS_PROTEIN_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "alphabet/residues.h"

/* protein_decode() - decode n codes to characters. Returns true if all codes are valid; an invalid code becomes some byte. */
bool protein_decode(const uint8_t *codes, size_t n, uint8_t *characters);

/* protein_codes_are_sound() - true if all codes are below RESIDUE_CODES. */
bool protein_codes_are_sound(const uint8_t *codes, size_t n);

#endif
