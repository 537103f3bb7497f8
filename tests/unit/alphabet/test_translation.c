/* test_translation.c - codons by hand, ambiguous ones against all that they contain, and frames against the definition. */
#include <string.h>

#include "alphabet/residues.h"
#include "alphabet/translation.h"
#include "tamis/alphabet.h"
#include "unit/samples.h"

static struct codon_table table;

static char residue_of(const uint8_t residues[CODONS], const char *codon)
{
    uint8_t bases[3], residue, letter;

    assert_int_equal(tms_alphabet_encode(TMS_ALPHABET_BLASTNA, (const uint8_t *)codon, 3, bases), 3);
    translate(residues, bases, 1, &residue);
    tms_alphabet_decode(TMS_ALPHABET_NCBISTDAA, &residue, 1, &letter);
    return (char)letter;
}

static void test_codons(void **state)
{
    (void)state;
    assert_true(codon_table_init(1, &table));
    assert_int_equal(residue_of(table.searched, "ATG"), 'M');
    assert_int_equal(residue_of(table.searched, "tga"), '*');
    assert_int_equal(residue_of(table.searched, "TTG"), 'L'); /* also at the start */
    assert_int_equal(residue_of(table.searched, "GCN"), 'A');
    assert_int_equal(residue_of(table.searched, "YTR"), 'L');
    assert_int_equal(residue_of(table.searched, "TAR"), '*');
    assert_int_equal(residue_of(table.searched, "NNN"), 'X');
    assert_int_equal(residue_of(table.searched, "TRA"), '*');
    assert_true(codon_table_init(4, &table));
    assert_int_equal(residue_of(table.searched, "TGA"), 'W');
    assert_int_equal(residue_of(table.searched, "TGR"), 'W');
    assert_true(codon_table_init(33, &table));
    assert_int_equal(residue_of(table.searched, "AGG"), 'K');
}

/* B, Z and J are shown, and searched as X. */
static void test_two_residues(void **state)
{
    (void)state;
    assert_true(codon_table_init(1, &table));
    assert_int_equal(residue_of(table.shown, "RAY"), 'B');
    assert_int_equal(residue_of(table.shown, "SAR"), 'Z');
    assert_int_equal(residue_of(table.shown, "MTA"), 'J');
    assert_int_equal(residue_of(table.shown, "MTN"), 'X'); /* M, too */
    assert_int_equal(residue_of(table.shown, "GAY"), 'D');
    assert_int_equal(residue_of(table.searched, "RAY"), 'X');
    assert_int_equal(residue_of(table.searched, "SAR"), 'X');
    assert_int_equal(residue_of(table.searched, "MTA"), 'X');
}

static void test_codes(void **state)
{
    static const int none[] = {-1, 0, 7, 8, 17, 20, 32, 34, 1000};
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_false(codon_table_init(none[i], &table));
    for (int i = 1; i < 40; i++)
        n += codon_table_init(i, &table);
    assert_int_equal(n, 26);
}

/* Whether IUPAC's letter stands for the base. */
static int has(uint8_t code, uint8_t base)
{
    static const char *const bases[] = {"A", "C", "G", "T", "AG", "CT", "AC", "GT", "AT", "CG", "CGT", "AGT", "ACT", "ACG", "ACGT", ""};

    return strchr(bases[code], "ACGT"[base]) != NULL;
}

/* Every codon of any letters has the residue that all its codons of A, C, G and T have, or X. */
static void test_ambiguous_codons(void **state)
{
    (void)state;
    for (int number = 1; number < 34; number++) {
        if (!codon_table_init(number, &table))
            continue;
        for (size_t i = 0; i < 15 * 256; i++) {
            const uint8_t c[3] = {(uint8_t)(i >> 8), i >> 4 & 15, i & 15};
            uint8_t residue = 0;
            if (c[1] == 15 || c[2] == 15)
                continue;
            for (uint8_t k = 0; k < 64; k++) {
                const uint8_t b[3] = {k / 16, k / 4 % 4, k % 4};
                const uint8_t one = table.searched[b[0] << 8 | b[1] << 4 | b[2]];
                if (has(c[0], b[0]) && has(c[1], b[1]) && has(c[2], b[2]))
                    residue = residue == 0 || residue == one ? one : CODE_X;
            }
            assert_int_equal(table.searched[i], residue);
            if (residue != CODE_X)
                assert_int_equal(table.shown[i], residue);
        }
    }
}

static void test_frames(void **state)
{
    static const int names[FRAMES] = {1, 2, 3, -1, -2, -3};

    (void)state;
    for (int i = 0; i < FRAMES; i++) {
        assert_int_equal(frame_name(i), names[i]);
        for (int n = 0; n < 20; n++) {
            int length = 0;
            for (int at = frame_start(i); at + 3 <= n; at += 3)
                length++;
            assert_int_equal(frame_length(n, i), length);
        }
    }
}

/* All frames from packed bases are those from a byte a base, whatever the length. */
static void test_packed(void **state)
{
    enum { LONGEST = 130 };
    uint8_t packed[LONGEST / 4 + 1] = {0}, bases[LONGEST], minus[LONGEST], want[LONGEST], frames[FRAMES][LONGEST];
    struct packed_codons codons;
    uint64_t random = 7;

    (void)state;
    assert_true(codon_table_init(2, &table));
    packed_codons_init(&table, &codons);
    for (int i = 0; i < LONGEST; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        bases[i] = (uint8_t)(random >> 62);
        packed[i / 4] |= (uint8_t)(bases[i] << (6 - 2 * (i % 4)));
    }
    for (int n = 0; n <= LONGEST; n++) {
        uint8_t *const to[FRAMES] = {frames[0], frames[1], frames[2], frames[3], frames[4], frames[5]};
        complement_strand(bases, (size_t)n, minus);
        translate_packed(&codons, packed, n, to);
        for (int f = 0; f < FRAMES; f++) {
            const size_t length = (size_t)frame_length(n, f);
            translate(table.searched, (f < FRAMES_A_STRAND ? bases : minus) + frame_start(f), length, want);
            assert_memory_equal(frames[f], want, length);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed), cmocka_unit_test(test_codons),           cmocka_unit_test(test_two_residues),
        cmocka_unit_test(test_codes),  cmocka_unit_test(test_ambiguous_codons), cmocka_unit_test(test_frames),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
