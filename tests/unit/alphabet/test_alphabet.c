/* test_alphabet.c - the tables against the definitions of NCBI's alphabets, and letters to codes and back. */
#include <ctype.h>
#include <string.h>

#include "tamis/alphabet.h"
#include "unit/samples.h"

/* The sets of IUPAC's nucleotide code [Cornish-Bowden 1985]. */
static const struct iupac {
    char letter;
    const char *bases;
} iupac[] = {{'A', "A"},  {'C', "C"},  {'G', "G"},   {'T', "T"},   {'R', "AG"},  {'Y', "CT"},  {'M', "AC"},   {'K', "GT"},
             {'W', "AT"}, {'S', "CG"}, {'B', "CGT"}, {'D', "AGT"}, {'H', "ACT"}, {'V', "ACG"}, {'N', "ACGT"}, {'-', ""}};

static unsigned set_of(const char *bases)
{
    unsigned set = 0;
    for (; *bases; bases++)
        set |= 1u << (strchr("ACGT", *bases) - "ACGT");
    return set;
}

static unsigned complement_of(unsigned set) { return (set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3; }

static void test_nucleotides_are_sets(void **state)
{
    (void)state;
    const uint8_t *na4 = tms_alphabet_codes(TMS_ALPHABET_NCBI4NA), *blastna = tms_alphabet_codes(TMS_ALPHABET_BLASTNA);
    for (size_t i = 0; i < sizeof iupac / sizeof *iupac; i++) {
        uint8_t letter = (uint8_t)iupac[i].letter;
        unsigned set = set_of(iupac[i].bases);
        assert_int_equal(na4[letter], set);
        assert_int_equal(na4[tolower(letter)], set);
        assert_int_equal(tms_alphabet_complements(TMS_ALPHABET_NCBI4NA)[set], complement_of(set));
        assert_int_equal(blastna[letter], strchr("ACGTRYMKWSBDHVN-", letter) - "ACGTRYMKWSBDHVN-");
        assert_int_equal(tms_alphabet_letters(TMS_ALPHABET_BLASTNA)[blastna[letter]], letter);
        assert_int_equal(
            na4[(uint8_t)tms_alphabet_letters(TMS_ALPHABET_BLASTNA)[tms_alphabet_complements(TMS_ALPHABET_BLASTNA)[blastna[letter]]]],
            complement_of(set));
    }
    assert_int_equal(na4['U'], 8);
    assert_int_equal(blastna['u'], 3);
}

static void test_codes_and_letters_are_inverse(void **state)
{
    (void)state;
    const size_t sizes[] = {16, 16, 28};
    const int n_named[] = {15 * 2 + 3, 15 * 2 + 3, 26 * 2 + 2}; /* letters in two cases, the gap, U; the gap and '*' */
    for (int a = TMS_ALPHABET_NCBI4NA; a <= TMS_ALPHABET_NCBISTDAA; a++) {
        const uint8_t *codes = tms_alphabet_codes((tms_alphabet)a);
        const char *letters = tms_alphabet_letters((tms_alphabet)a);
        int n = 0;
        assert_int_equal(tms_alphabet_size((tms_alphabet)a), sizes[a - 1]);
        assert_int_equal(strlen(letters), sizes[a - 1]);
        for (size_t i = 0; i < sizes[a - 1]; i++)
            assert_int_equal(codes[(uint8_t)letters[i]], i);
        for (int c = 0; c < 256; c++) {
            n += codes[c] != TMS_NO_CODE;
            assert_int_equal(codes[c], codes[c < 128 ? toupper(c) : c]);
        }
        assert_int_equal(n, n_named[a - 1]);
    }
    assert_null(tms_alphabet_complements(TMS_ALPHABET_NCBISTDAA));
    assert_null(tms_alphabet_codes((tms_alphabet)0));
    assert_null(tms_alphabet_letters((tms_alphabet)4));
    assert_int_equal(tms_alphabet_size((tms_alphabet)-1), 0);
}

static void test_stops_at_what_is_no_letter(void **state)
{
    (void)state;
    uint8_t codes[8];
    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, (const uint8_t *)"MKv*-UOJ", 8, codes), 8);
    assert_memory_equal(codes, "\x0c\x0a\x13\x19\x00\x18\x1a\x1b", 8);
    tms_alphabet_decode(TMS_ALPHABET_NCBISTDAA, codes, 8, codes);
    assert_memory_equal(codes, "MKV*-UOJ", 8);
    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, (const uint8_t *)"ACGE", 4, codes), 3);
    assert_int_equal(tms_alphabet_encode((tms_alphabet)9, (const uint8_t *)"A", 1, codes), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nucleotides_are_sets),
        cmocka_unit_test(test_codes_and_letters_are_inverse),
        cmocka_unit_test(test_stops_at_what_is_no_letter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
