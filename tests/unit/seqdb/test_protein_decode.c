/* test_protein_letters.c - every byte in every lane, against the alphabet's table. */
#include "seqdb/protein_decode.h"
#include "tamis/alphabet.h"
#include "unit/samples.h"

static void test_every_byte_everywhere(void **state)
{
    (void)state;
    const char *table = tms_alphabet_letters(TMS_ALPHABET_NCBISTDAA);
    assert_int_equal(tms_alphabet_size(TMS_ALPHABET_NCBISTDAA), RESIDUE_CODES);
    for (size_t n = 0; n <= 50; n++) {
        uint8_t *codes = malloc(n + 1), *letters = malloc(n + 1);
        assert_true(codes && letters);
        for (size_t at = 0; at < n; at++) {
            for (int code = 0; code < 256; code++) {
                for (size_t i = 0; i < n; i++)
                    codes[i] = (uint8_t)(core_splitmix(n, i) % RESIDUE_CODES);
                codes[at] = (uint8_t)code;
                letters[n] = 0xee;
                assert_int_equal(protein_decode(codes, n, letters), code < RESIDUE_CODES);
                assert_int_equal(protein_codes_are_sound(codes, n), code < RESIDUE_CODES);
                for (size_t i = 0; i < n; i++)
                    assert_true(codes[i] >= RESIDUE_CODES || letters[i] == (uint8_t)table[codes[i]]);
                assert_int_equal(letters[n], 0xee);
            }
        }
        free(codes);
        free(letters);
    }
    assert_true(protein_decode(NULL, 0, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_byte_everywhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
