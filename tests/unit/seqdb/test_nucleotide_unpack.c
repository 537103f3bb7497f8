/* test_nucleotide_unpack.c - the tables against their definition; unpacking and both forms of ambiguity against one base at a time. */
#include "seqdb/nucleotide_unpack.h"
#include "tamis/alphabet.h"
#include "unit/samples.h"

static void test_tables(void **state)
{
    (void)state;
    const char *na4 = tms_alphabet_letters(TMS_ALPHABET_NCBI4NA);
    for (int byte = 0; byte < 256; byte++) {
        for (int i = 0; i < 4; i++) {
            assert_int_equal(nucleotide_blastna.of_byte[byte][i], byte >> (6 - 2 * i) & 3);
            assert_int_equal(nucleotide_characters.of_byte[byte][i], "ACGT"[byte >> (6 - 2 * i) & 3]);
        }
    }
    for (int set = 0; set < 16; set++) {
        assert_int_equal(nucleotide_characters.of_ncbi4na[set], na4[set]);
        assert_int_equal(nucleotide_blastna.of_ncbi4na[set], tms_alphabet_codes(TMS_ALPHABET_BLASTNA)[(uint8_t)na4[set]]);
    }
}

static void test_any_range(void **state)
{
    (void)state;
    uint8_t packed[16], out[64];
    for (size_t i = 0; i < sizeof packed; i++)
        packed[i] = (uint8_t)core_splitmix(7, i);
    for (uint64_t start = 0; start <= 64; start++) {
        for (uint64_t end = start; end <= 64; end++) {
            memset(out, 0xee, sizeof out);
            nucleotide_unpack(&nucleotide_blastna, packed, start, end, out);
            for (uint64_t i = start; i < end; i++)
                assert_int_equal(out[i - start], packed[i / 4] >> (6 - 2 * (i % 4)) & 3);
            if (end - start < sizeof out)
                assert_int_equal(out[end - start], 0xee);
        }
    }
}

/* Bases 10 .. 12 and 12 .. 15, 20: N, R, Y. */
static const char short_form[] = "\0\0\0\3\xf1\0\0\x0a\x52\0\0\x0c\xa0\0\0\x14";
static const char long_form[] = "\x80\0\0\6\xf0\1\0\0\0\0\0\x0a\x50\2\0\0\0\0\0\x0c\xa0\0\0\0\0\0\0\x14";

static void test_letters_over_bases(void **state)
{
    (void)state;
    const struct seqdb_bytes blocks[] = {{(const uint8_t *)short_form, sizeof short_form - 1},
                                         {(const uint8_t *)long_form, sizeof long_form - 1}};
    static const char want[] = "..........NNRRR.....Y...";
    for (size_t b = 0; b < 2; b++) {
        struct ambiguity ambiguity;
        assert_null(ambiguity_read(blocks[b], &ambiguity));
        assert_int_equal(ambiguity.n_runs, 3);
        assert_null(ambiguity_check(&ambiguity, 21));
        assert_string_equal(ambiguity_check(&ambiguity, 20), "has a run beyond the sequence's end");
        for (uint64_t start = 0; start <= 24; start++) {
            for (uint64_t end = start; end <= 24; end++) {
                uint8_t out[25];
                memset(out, '.', sizeof out);
                assert_null(ambiguity_lay(&nucleotide_characters, &ambiguity, 24, start, end, out));
                assert_memory_equal(out, want + start, end - start);
                assert_int_equal(out[end - start], '.');
            }
        }
    }
}

static void test_unsound_blocks(void **state)
{
    (void)state;
    struct ambiguity ambiguity;
    for (size_t n = 1; n < sizeof long_form - 1; n++)
        assert_non_null(ambiguity_read((struct seqdb_bytes){(const uint8_t *)long_form, n}, &ambiguity));
    assert_non_null(ambiguity_read((struct seqdb_bytes){(const uint8_t *)"\x80\0\0\1\0\0\0\0", 8}, &ambiguity)); /* half a run */
    assert_null(ambiguity_read((struct seqdb_bytes){NULL, 0}, &ambiguity));
    assert_int_equal(ambiguity.n_runs, 0);
    assert_null(ambiguity_read((struct seqdb_bytes){(const uint8_t *)"\0\0\0\0", 4}, &ambiguity)); /* of one or two bases */
    assert_null(ambiguity_check(&ambiguity, 1));
    assert_null(ambiguity_read((struct seqdb_bytes){(const uint8_t *)"\0\0\0\2\xf0\0\0\5\xf0\0\0\5", 12}, &ambiguity));
    assert_string_equal(ambiguity_check(&ambiguity, 100), "has runs that are not in order");
    for (uint64_t start = 0; start < 10; start++) { /* the sanitizers see what is written elsewhere */
        uint8_t *out = malloc(10 - start);
        assert_non_null(out);
        const char *fault = ambiguity_lay(&nucleotide_characters, &ambiguity, 10, start, 10, out);
        assert_true(start > 5 || (fault != NULL && strcmp(fault, "has runs that are not in order") == 0));
        free(out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_any_range),
        cmocka_unit_test(test_letters_over_bases),
        cmocka_unit_test(test_unsound_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
