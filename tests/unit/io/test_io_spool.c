/* test_io_spool.c - bytes that wait in memory and in a file are those that were added; faults of the file's directory. */
#include "unit/io/io_samples.h"
#include "unit/samples.h"

#include "io/io_spool.h"

enum { MOST = 100000 };

static void same_bytes(void **state)
{
    static const size_t limits[] = {0, 1, 1000, MOST};
    sample_random r = {sample_seed()};
    uint8_t *want = sample_alloc(MOST), *got = sample_alloc(MOST);
    (void)state;

    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        io_spool s = {.memory_bytes = limits[i]};
        io_error err;
        for (int round = 0; round < 3; round++) {
            size_t n = 0, most = 1 + (size_t)random_below(&r, MOST);
            random_fill(&r, want, MOST);
            while (n < most) {
                size_t some = (size_t)random_below(&r, most - n + 1);
                assert_int_equal(io_spool_add(&s, want + n, some, &err), IO_OK);
                n += some;
                assert_int_equal(s.n, n);
                if (random_below(&r, 4) == 0)
                    assert_int_equal(io_spool_read(&s, 0, got, n, &err), IO_OK);
            }
            for (int j = 0; j < 50; j++) {
                size_t at = (size_t)random_below(&r, n + 1), size = (size_t)random_below(&r, n - at + 1);
                assert_int_equal(io_spool_read(&s, at, got, size, &err), IO_OK);
                assert_memory_equal(got, want + at, size);
            }
            assert_true(s.memory.n <= limits[i]);
            assert_int_equal(s.has_file || n <= limits[i], 1);
            assert_int_equal(io_spool_clear(&s, &err), IO_OK);
            assert_int_equal(s.n, 0);
        }
        io_spool_free(&s);
        assert_int_equal(io_spool_add(&s, want, 10, &err), IO_OK); /* it may be used again */
        assert_int_equal(io_spool_read(&s, 0, got, 10, &err), IO_OK);
        assert_memory_equal(got, want, 10);
        io_spool_free(&s);
    }
    free(want);
    free(got);
}

static void no_directory(void **state)
{
    const char *before = getenv("TMPDIR");
    char *kept = before != NULL ? strdup(before) : NULL;
    io_spool s = {.memory_bytes = 4};
    uint8_t bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8}, got[4];
    io_error err;
    (void)state;

    assert_int_equal(setenv("TMPDIR", sample_path("nowhere"), 1), 0);
    assert_int_equal(io_spool_add(&s, bytes, 4, &err), IO_OK);
    assert_int_equal(io_spool_add(&s, bytes + 4, 1, &err), IO_E_OUTPUT);
    assert_non_null(strstr(err.text, "nowhere: a temporary file for a long record cannot be created: No such file or directory"));
    assert_int_equal(io_spool_read(&s, 0, got, 4, &err), IO_OK);
    assert_memory_equal(got, bytes, 4);
    io_spool_free(&s);
    assert_int_equal(kept != NULL ? setenv("TMPDIR", kept, 1) : unsetenv("TMPDIR"), 0);
    free(kept);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_bytes), cmocka_unit_test(no_directory)};
    return cmocka_run_group_tests(tests, sample_setup, sample_teardown);
}
