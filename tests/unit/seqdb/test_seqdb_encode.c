/* test_seqdb_encode.c - packed nucleotides, deflines and heads of indexes, byte for byte as makeblastdb writes them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/core.h"
#include "seqdb/index_encode.h"
#include "seqdb/nucleotide_pack.h"
#include "seqid/defline_encode.h"
#include "tamis/alphabet.h"

static void expect_hex(const struct byte_array *got, const char *want)
{
    size_t n = strlen(want) / 2;

    assert_int_equal(got->n, n);
    for (size_t i = 0; i < n; i++) {
        char digits[3] = {want[2 * i], want[2 * i + 1], '\0'};
        assert_int_equal(got->bytes[i], strtoul(digits, NULL, 16));
    }
}

/* Adds the letters in pieces of n_piece. */
static void pack_letters(struct nucleotide_pack *p, const char *letters, size_t n, size_t n_piece)
{
    const uint8_t *codes_of = tms_alphabet_codes(TMS_ALPHABET_NCBI4NA);
    uint8_t *codes = malloc(n + 1);

    for (size_t i = 0; i < n; i++)
        codes[i] = codes_of[(uint8_t)letters[i]];
    nucleotide_pack_begin(p);
    for (size_t i = 0; i < n; i += n_piece)
        assert_true(nucleotide_pack_add(p, codes + i, n - i < n_piece ? n - i : n_piece));
    assert_true(nucleotide_pack_end(p));
    free(codes);
}

static void test_packed(void **state)
{
    static const struct {
        const char *letters, *packed, *ambiguity;
    } cases[] = {
        {"ACGTA", "1b01", ""},      {"ACGTNNRYACGTAC", "1b291b12", "00000003f100000450000006a0000007"},
        {"ACGTACGT", "1b1b00", ""}, {"A", "01", "00000000"},
        {"CC", "52", "00000000"},   {"TTT", "ff", ""},
    };
    struct nucleotide_pack p = {0};
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t n_piece = 1; n_piece < 20; n_piece++) {
            pack_letters(&p, cases[i].letters, strlen(cases[i].letters), n_piece);
            expect_hex(&p.packed, cases[i].packed);
            expect_hex(&p.ambiguity, cases[i].ambiguity);
        }
    }
    nucleotide_pack_free(&p);
}

/* Runs: the form of the block, and where long runs are cut. */
static void test_runs(void **state)
{
    static const struct {
        size_t n_run;
        uint32_t words[5];
    } cases[] = {
        {15, {1, 0xfe000004}},
        {16, {0x80000002, 0xf00f0000, 4}},
        {4095, {0x80000002, 0xfffe0000, 4}},
        {4096, {0x80000004, 0xfffe0000, 4, 0xf0000000, 4099}},
    };
    struct nucleotide_pack p = {0};
    char *letters = malloc(5000);
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n_words = 1 + (cases[i].words[0] & 0xffff);
        memset(letters, 'A', 5000);
        memset(letters + 4, 'N', cases[i].n_run);
        pack_letters(&p, letters, cases[i].n_run + 8, 61);
        assert_int_equal(p.ambiguity.n, 4 * n_words);
        for (size_t k = 0; k < n_words; k++)
            assert_int_equal(core_swap32(core_read32(p.ambiguity.bytes + 4 * k)), cases[i].words[k]);
    }
    free(letters);
    nucleotide_pack_free(&p);
}

static struct text text(const char *s) { return (struct text){s, strlen(s)}; }

static void test_defline(void **state)
{
    struct seqid id = {.kind = SEQID_GENERAL, .name = text("BL_ORD_ID"), .has_number = true, .number = 0};
    struct defline d = {.title = text("a first"), .ids = &id, .n_ids = 1};
    struct byte_array out = {NULL, 0, 0};
    (void)state;

    assert_true(defline_encode(&d, 1, &out));
    expect_hex(&out, "30803080a0801a07612066697273740000a1803080aa803080a0801a09424c5f4f5244"
                     "5f49440000a180a080020100000000000000000000000000a280020100000000000000");
    out.n = 0;
    id.number = 200; /* positive numbers have no sign bit */
    assert_true(defline_encode(&d, 1, &out));
    assert_int_equal(out.n, 71);
    assert_memory_equal(out.bytes + 44, "\x02\x02\x00\xc8", 4);
    free(out.bytes);
}

static void test_long_title(void **state)
{
    static const struct {
        size_t n;
        const char *size; /* hex */
    } cases[] = {{127, "7f"}, {128, "8180"}, {255, "81ff"}, {256, "820100"}, {70000, "83011170"}};
    struct byte_array out = {NULL, 0, 0};
    char *title = malloc(70000);
    (void)state;

    memset(title, 'x', 70000);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct defline d = {.title = {title, cases[i].n}};
        struct byte_array size;
        out.n = 0;
        assert_true(defline_encode(&d, 1, &out));
        size = (struct byte_array){out.bytes + 7, strlen(cases[i].size) / 2, 0};
        expect_hex(&size, cases[i].size);
        assert_int_equal(out.bytes[7 + size.n], 'x');
        assert_int_equal(out.n, 7 + size.n + cases[i].n + 2 + 8 + 7 + 4);
    }
    free(title);
    free(out.bytes);
}

static void test_index_head(void **state)
{
    struct index_head head = {.molecule = TMS_PROTEIN,
                              .version = 4,
                              .title = text("T"),
                              .date = text("Nov 21, 2026  1:17 PM"),
                              .n_sequences = 2,
                              .n_residues = 13,
                              .longest = 10};
    struct byte_array out = {NULL, 0, 0};
    (void)state;

    assert_true(index_encode_head(&head, &out));
    expect_hex(&out, "0000000400000001000000015400000017"
                     "4e6f762032312c20323032362020313a313720504d0000"
                     "000000020d000000000000000000000a");
    assert_int_equal(index_head_size(&head), 56);
    out.n = 0;
    head.version = 5;
    head.lmdb_name = text("P5.pdb");
    assert_true(index_encode_head(&head, &out));
    assert_int_equal(index_head_size(&head), out.n);
    assert_memory_equal(out.bytes, "\0\0\0\5\0\0\0\1\0\0\0\0\0\0\0\1T\0\0\0\6P5.pdb\0\0\0\x19Nov", 34);
    free(out.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_packed),     cmocka_unit_test(test_runs),       cmocka_unit_test(test_defline),
        cmocka_unit_test(test_long_title), cmocka_unit_test(test_index_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
