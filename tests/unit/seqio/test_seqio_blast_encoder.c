/* test_seqio_blast_letters.c - what is kept of a line, and what is said, as makeblastdb does; lines cut into pieces at every place. */
#include "unit/io/io_samples.h"

#include "seqio/seqio_blast_encoder.h"
#include "tamis/alphabet.h"

static char said[2048];

static void say(void *arg, const char *text)
{
    (void)arg;
    assert_true(strlen(said) + strlen(text) + 2 < sizeof said);
    strcat(strcat(said, text), "\n");
}

/* One record of lines; pieces of n_piece bytes. The codes as letters go to `kept`. */
static io_status take(seqio_blast_encoder *l, const char *lines, size_t n_piece, tms_alphabet alphabet, char *kept, io_error *err)
{
    io_status status = IO_OK;
    seqio_position place = {.file = "x", .line = 1};
    uint8_t codes[256];
    size_t n_codes, n_kept = 0;

    said[0] = '\0';
    seqio_blast_encoder_begin(l);
    for (const char *line = lines; *line != '\0' && status == IO_OK; place.line++) {
        size_t n = strcspn(line, "\n"), n_end = n;
        while (n_end > 0 && (line[n_end - 1] == ' ' || line[n_end - 1] == '\t')) /* as the parser does */
            n_end--;
        for (size_t at = 0; at < n_end && status == IO_OK; at += n_piece) {
            place.column = at + 1;
            status = seqio_blast_encoder_take(l, (const uint8_t *)line + at, n_end - at < n_piece ? n_end - at : n_piece, &place, codes,
                                              &n_codes, err);
            tms_alphabet_decode(alphabet, codes, n_codes, (uint8_t *)kept + n_kept);
            n_kept += n_codes;
        }
        line += n + (line[n] == '\n');
    }
    kept[n_kept] = '\0';
    return status == IO_OK ? seqio_blast_encoder_end(l, err) : status;
}

#define WARNING     "FASTA-Reader: Ignoring invalid residues at position(s): On line "
#define IMPLAUSIBLE "there's a line that doesn't look like plausible data, but it's not marked as defline or comment."

typedef struct letters_case {
    tms_molecule molecule;
    int keep_hyphens;
    const char *lines, *kept, *said; /* kept NULL: an error, that says `said` */
} letters_case;

static const letters_case cases[] = {
    {TMS_PROTEIN, 1, "MKV\nmkvjouxbz*", "MKVMKVJOUXBZ*", ""},
    {TMS_PROTEIN, 1, "AC-DE\n--", "AC-DE--", ""},
    {TMS_PROTEIN, 0, "AC-DE\nA", "ACDEA", "CFastaReader: Hyphens are invalid and will be ignored around line 1\n"},
    {TMS_PROTEIN, 1, "1MKLLLLLLLLLV>V\n @MKV\n M K\tV", "MKLLLLLLLLLVVMKVMKV", WARNING "1: 1, 14\n" WARNING "2: 1\n"},
    {TMS_PROTEIN, 1, "MKV;rest 123\n;MMM\n!MMM\n#MMM\nAA", "MKVAA", ""},
    {TMS_PROTEIN, 1, "MKV\n,,..,,1", "MKV", WARNING "2: 1-7\n"},
    {TMS_PROTEIN, 1, ",,..,,.,.", NULL, "Near line 1, " IMPLAUSIBLE},
    {TMS_PROTEIN, 1, "\n\n123", NULL, "Near line 3, " IMPLAUSIBLE},
    {TMS_PROTEIN, 1, ".AA", "AA", WARNING "1: 1\n"},
    {TMS_PROTEIN, 1, "..A", NULL, "Near line 1, " IMPLAUSIBLE},
    {TMS_PROTEIN, 1, "..AA", NULL, "Near line 1, " IMPLAUSIBLE},
    {TMS_PROTEIN, 1, "---.", NULL, "Near line 1, " IMPLAUSIBLE},
    {TMS_PROTEIN, 1, "---;.....\n---", "------", ""},
    {TMS_PROTEIN, 1, "M123456789012345678901234567890", NULL, "Near line 1, " IMPLAUSIBLE},
    {TMS_NUCLEOTIDE, 1, "ACGT EFIACGT.,1\nAC-GTUN*X", "ACGTACGTACNGTTN", WARNING "1: 6-8, 13-15\n" WARNING "2: 8-9\n"},
    {TMS_NUCLEOTIDE, 1, "ryswkmbdhvn", "RYSWKMBDHVN", ""},
    {TMS_NUCLEOTIDE, 1, "EEEEE\nACGT", "ACGT", WARNING "1: 1-5\n"},
    {TMS_NUCLEOTIDE, 1, "EEEEE\n,,,,", NULL, "Near line 2, " IMPLAUSIBLE},
    {TMS_NUCLEOTIDE, 0, "NNNN", "NNNN", ""},
};

static void test_lines(void **state)
{
    char kept[256];
    io_error err;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const letters_case *c = &cases[i];
        tms_alphabet alphabet = c->molecule == TMS_PROTEIN ? TMS_ALPHABET_NCBISTDAA : TMS_ALPHABET_NCBI4NA;
        seqio_blast_encoder l;
        seqio_blast_encoder_init(&l, c->molecule, say, NULL);
        l.keep_hyphens = c->keep_hyphens;
        for (size_t n_piece = 1; n_piece <= strlen(c->lines); n_piece++) {
            io_status status = take(&l, c->lines, n_piece, alphabet, kept, &err);
            if (c->kept == NULL) {
                assert_int_equal(status, IO_E_INPUT);
                assert_non_null(strstr(err.text, c->said));
                continue;
            }
            assert_int_equal(status, IO_OK);
            assert_string_equal(kept, c->kept);
            assert_string_equal(said, c->said);
            assert_int_equal(l.n_kept, strlen(c->kept));
        }
        seqio_blast_encoder_free(&l);
    }
}

static void test_titles(void **state)
{
    static const char header[] = "a\tb \x01"
                                 "c\xc3\xa9\x7f\0~ ";
    static const char want[] = "a   b  c####~ ";
    struct byte_array title = {NULL, 0, 0};
    size_t n_changed;
    io_error err;
    (void)state;

    assert_int_equal(seqio_blast_title(header, sizeof header - 1, &title, &n_changed, &err), IO_OK);
    assert_int_equal(n_changed, 4);
    assert_int_equal(title.n, sizeof want - 1);
    assert_memory_equal(title.bytes, want, sizeof want - 1);
    free(title.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_lines), cmocka_unit_test(test_titles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
