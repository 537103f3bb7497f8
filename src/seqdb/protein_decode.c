/*
 * protein_decode.c - decodes or checks sixteen codes at a time, by arithmetic.
 *
 * The codes of A to Z without J, O and U are in alphabetical order: a character is as far from A as its code from 1, plus one for each of
 * the three before it. With five more comparisons for the other codes this takes a third of the time of a table. The lanes are GNU C
 * vectors, which compilers map to what the processor has.
 */
#include "seqdb/protein_decode.h"

#include <string.h>

enum { LANES = 16 };
typedef uint8_t lanes __attribute__((vector_size(LANES)));

static inline lanes pick(lanes mask, uint8_t character, lanes otherwise) { return (mask & character) | (~mask & otherwise); }

static inline lanes characters_of(lanes c)
{
    lanes characters = c + ('A' - 1) - (lanes)(c > 9) - (lanes)(c > 13) - (lanes)(c > 18); /* a true comparison is -1 */

    characters = pick((lanes)(c == 0), '-', characters);
    characters = pick((lanes)(c == 24), 'U', characters);
    characters = pick((lanes)(c == 25), '*', characters);
    characters = pick((lanes)(c == 26), 'O', characters);
    return pick((lanes)(c == 27), 'J', characters);
}

static bool is_zero(lanes mask)
{
    static const uint8_t zeros[LANES];

    return memcmp(&mask, zeros, LANES) == 0;
}

bool protein_decode(const uint8_t *codes, size_t n, uint8_t *characters)
{
    lanes c = {0}, out, bad = {0};

    for (; n >= LANES; n -= LANES, codes += LANES, characters += LANES) {
        memcpy(&c, codes, LANES);
        out = characters_of(c);
        memcpy(characters, &out, LANES);
        bad |= (lanes)(c >= RESIDUE_CODES);
    }
    c = (lanes){0};
    if (n > 0)
        memcpy(&c, codes, n);
    out = characters_of(c);
    if (n > 0)
        memcpy(characters, &out, n);
    return is_zero(bad | (lanes)(c >= RESIDUE_CODES));
}

bool protein_codes_are_sound(const uint8_t *codes, size_t n)
{
    lanes c = {0}, bad = {0};

    for (; n >= LANES; n -= LANES, codes += LANES) {
        memcpy(&c, codes, LANES);
        bad |= (lanes)(c >= RESIDUE_CODES);
    }
    c = (lanes){0};
    if (n > 0)
        memcpy(&c, codes, n);
    return is_zero(bad | (lanes)(c >= RESIDUE_CODES));
}
