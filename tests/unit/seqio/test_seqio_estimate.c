/* seqio_estimate: exact where all letters are counted; about right where a part of the file has to stand for all of it; no titles, no
 * qualities. */
#include "unit/io/io_samples.h"

#include "seqio/seqio_estimate.h"

enum { N_RECORDS = 20000, LINE = 60 };

/* As many titles as letters, by bytes; letters differ, so that they do not compress to nothing. */
static sample make_records(int is_fastq)
{
    sample s = {0};
    uint32_t random = 1;

    for (int i = 0; i < N_RECORDS; i++) {
        char text[4 * LINE];
        int n = snprintf(text, sizeof text, "%crecord %051d\n", is_fastq ? '@' : '>', i);
        for (int j = 0; j < LINE; j++) {
            random = random * 1664525 + 1013904223;
            text[n++] = "ACDEFGHIKLMNPQRSTVWY"[(random >> 16) % 20];
        }
        n += snprintf(text + n, sizeof text - (size_t)n, "\n");
        if (is_fastq)
            n += snprintf(text + n, sizeof text - (size_t)n, "+\n%0*d\n", LINE, 7);
        sample_add(&s, text, (size_t)n);
    }
    return s;
}

static void assert_about(double value, double want)
{
    if (value < 0.9 * want || value > 1.1 * want)
        fail_msg("%g letters, not about %g", value, want);
}

static void letters(void **state)
{
    const double all = (double)N_RECORDS * LINE;

    (void)state;
    for (int is_fastq = 0; is_fastq < 2; is_fastq++) {
        sample plain = make_records(is_fastq), packed = {0};
        const char *path = sample_write("plain", plain.bytes, plain.size), *packed_path;
        sample_gzip(&packed, plain.bytes, plain.size, 0);
        packed_path = sample_write("packed", packed.bytes, packed.size);
        assert_true(seqio_estimate_residues(path, (uint64_t)all) == all);
        assert_true(seqio_estimate_residues(packed_path, (uint64_t)all) == all);
        assert_about(seqio_estimate_residues(path, (uint64_t)all / 4), all);
        assert_about(seqio_estimate_residues(packed_path, (uint64_t)all / 4), all);
        /* Only the beginning is looked at: as many bytes without a letter behind it count as letters like those before. */
        for (size_t i = plain.size; i > 0; i--)
            sample_add(&plain, "\n", 1);
        path = sample_write("half", plain.bytes, plain.size);
        assert_true(seqio_estimate_residues(path, 2 * (uint64_t)all) == all);
        assert_about(seqio_estimate_residues(path, (uint64_t)all / 4), 2 * all);
        sample_free(&packed);
        sample_free(&plain);
    }
}

static void odd_files(void **state)
{
    const char torn[] = ">a\nMKV\n>b\nMK\n@c\nMK\n";
    sample plain = make_records(1);

    (void)state;
    assert_true(seqio_estimate_residues(sample_path("missing"), 10) == 0);
    assert_true(seqio_estimate_residues(sample_write("empty", "", 0), 10) == 0);
    assert_true(seqio_estimate_residues(sample_write("bare", "MKV\n", 4), 10) == 3);
    assert_true(seqio_estimate_residues(sample_write("torn", torn, sizeof torn - 1), 100) >= 5);
    assert_true(seqio_estimate_residues(sample_write("cut", plain.bytes, plain.size - LINE), UINT64_MAX) >= (N_RECORDS - 1) * (double)LINE);
    sample_free(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(letters), cmocka_unit_test(odd_files)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
