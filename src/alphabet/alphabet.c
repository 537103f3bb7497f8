/*
 * alphabet.c - the tables of alphabet.h, written out; test_alphabet.c derives them again from the definitions.
 */
#include "tamis/alphabet.h"

#define NO TMS_NO_CODE

/* clang-format off: a row is sixteen bytes */
static const uint8_t ncbi4na_codes[256] = {
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 0,  NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, 1,  14, 2,  13, NO, NO, 4,  11, NO, NO, 12, NO, 3,  15, NO, NO, NO, 5,  6,  8,  8,  7,  9,  NO, 10, NO, NO, NO, NO, NO, NO,
    NO, 1,  14, 2,  13, NO, NO, 4,  11, NO, NO, 12, NO, 3,  15, NO, NO, NO, 5,  6,  8,  8,  7,  9,  NO, 10, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
static const uint8_t blastna_codes[256] = {
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 15, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, 0,  10, 1,  11, NO, NO, 2,  12, NO, NO, 7,  NO, 6,  14, NO, NO, NO, 4,  9,  3,  3,  13, 8,  NO, 5,  NO, NO, NO, NO, NO, NO,
    NO, 0,  10, 1,  11, NO, NO, 2,  12, NO, NO, 7,  NO, 6,  14, NO, NO, NO, 4,  9,  3,  3,  13, 8,  NO, 5,  NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
static const uint8_t ncbistdaa_codes[256] = {
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, 25, NO, NO, 0,  NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, 1,  2,  3,  4,  5,  6,  7,  8,  9,  27, 10, 11, 12, 13, 26, 14, 15, 16, 17, 18, 24, 19, 20, 21, 22, 23, NO, NO, NO, NO, NO,
    NO, 1,  2,  3,  4,  5,  6,  7,  8,  9,  27, 10, 11, 12, 13, 26, 14, 15, 16, 17, 18, 24, 19, 20, 21, 22, 23, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
    NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
};
static const uint8_t ncbi4na_complements[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
static const uint8_t blastna_complements[16] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 13, 12, 11, 10, 14, 15};
/* clang-format on */

struct alphabet {
    const uint8_t *codes, *complements;
    const char *characters;
    size_t size;
};

static const struct alphabet alphabets[] = {
    [TMS_ALPHABET_NCBI4NA] = {ncbi4na_codes, ncbi4na_complements, "-ACMGRSVTWYHKDBN", 16},
    [TMS_ALPHABET_BLASTNA] = {blastna_codes, blastna_complements, "ACGTRYMKWSBDHVN-", 16},
    [TMS_ALPHABET_NCBISTDAA] = {ncbistdaa_codes, NULL, "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ", 28},
};

/* The alphabet's tables; all NULL for an unknown alphabet. */
static struct alphabet alphabet_of(tms_alphabet alphabet)
{
    struct alphabet none = {NULL, NULL, NULL, 0};
    return (size_t)alphabet < sizeof alphabets / sizeof *alphabets ? alphabets[alphabet] : none;
}

const uint8_t *tms_alphabet_codes(tms_alphabet alphabet) { return alphabet_of(alphabet).codes; }
const char *tms_alphabet_letters(tms_alphabet alphabet) { return alphabet_of(alphabet).characters; }
size_t tms_alphabet_size(tms_alphabet alphabet) { return alphabet_of(alphabet).size; }
const uint8_t *tms_alphabet_complements(tms_alphabet alphabet) { return alphabet_of(alphabet).complements; }

size_t tms_alphabet_encode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to)
{
    const uint8_t *codes = alphabet_of(alphabet).codes;

    if (codes == NULL)
        return 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t code = codes[from[i]];
        if (code == TMS_NO_CODE)
            return i;
        to[i] = code;
    }
    return n;
}

void tms_alphabet_decode(tms_alphabet alphabet, const uint8_t *from, size_t n, uint8_t *to)
{
    const char *characters = alphabet_of(alphabet).characters;

    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)characters[from[i]];
}
