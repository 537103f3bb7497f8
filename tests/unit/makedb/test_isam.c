/* test_isam.c - indexes of ids, what no test of the command can have: more than an index can say. The rest is in makedb.bats. */
#include "unit/io/io_samples.h"

#include "makedb/isam.h"

static void test_offsets_that_overflow_are_refused(void **state)
{
    (void)state;
    isam_line lines[] = {{.size = UINT32_MAX}, {.size = 1}};
    isam_index isam = {.lines = lines, .n_lines = 2};
    struct byte_array data = {NULL, 0, 0}, index = {NULL, 0, 0};
    io_error err;
    assert_int_equal(isam_words(&isam, &data, &index, &err), IO_E_INPUT);
    assert_string_equal(
        err.text, "the ids of a volume take 4294967296 bytes, but their index has less than 2^32: make smaller volumes with -max_file_sz");
    assert_int_equal(data.n + index.n, 0);
    free(data.bytes);
    free(index.bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_offsets_that_overflow_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
