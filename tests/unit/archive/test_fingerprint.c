/* The fingerprint of an input file: all of a small one, runs of a large one. */
#include "unit/context_fixture.h"

#include <fcntl.h>
#include <stdbool.h>
#include <unistd.h>

#include "archive/archive_fingerprint.h"

enum { MIB = 1 << 20 };

static char path[] = "/tmp/tamis-fingerprint-XXXXXX";

static void write_at(int fd, uint64_t at, const char *text)
{
    assert_int_equal(pwrite(fd, text, strlen(text), (off_t)at), (ssize_t)strlen(text));
}

static uint64_t hash_of(bool all, uint64_t want_size)
{
    uint64_t size, hash;
    io_error err;
    assert_int_equal((all ? archive_hash_file : archive_hash_input)(path, &size, &hash, &err), IO_OK);
    assert_true(size == want_size);
    return hash;
}

static void small_and_large(void **state)
{
    (void)state;
    static const uint64_t small[] = {0, 1, MIB - 1, MIB, MIB + 1, 3 * MIB, 64 * (uint64_t)MIB};
    const uint64_t large = 100 * (uint64_t)MIB + 12345;
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof small / sizeof *small; i++) {
        assert_int_equal(ftruncate(fd, (off_t)small[i]), 0);
        const uint64_t before = hash_of(false, small[i]);
        assert_true(before == hash_of(true, small[i]));
        if (small[i] == 0)
            continue;
        write_at(fd, small[i] - 1, "x");
        assert_true(hash_of(false, small[i]) != before && hash_of(false, small[i]) == hash_of(true, small[i]));
        write_at(fd, small[i] / 2, "y");
        assert_true(hash_of(false, small[i]) == hash_of(true, small[i]));
    }
    assert_int_equal(ftruncate(fd, 0), 0);
    assert_int_equal(ftruncate(fd, (off_t)large), 0); /* the system keeps it as a hole */
    const uint64_t before = hash_of(false, large);
    const uint64_t seen[] = {0, MIB - 1, (large - MIB) / 63 * 32, large - 1};
    for (size_t i = 0; i < sizeof seen / sizeof *seen; i++) {
        write_at(fd, seen[i], "x");
        assert_true(hash_of(false, large) != before);
        assert_int_equal(pwrite(fd, "", 1, (off_t)seen[i]), 1);
        assert_true(hash_of(false, large) == before);
    }
    close(fd);
    unlink(path);
}

static void no_file(void **state)
{
    (void)state;
    uint64_t size, hash;
    io_error err;
    assert_int_equal(archive_hash_input("/nonexistent", &size, &hash, &err), IO_E_INPUT);
    assert_int_equal(archive_hash_input("/dev/null", &size, &hash, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "no regular file"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_and_large), cmocka_unit_test(no_file)};
    return cmocka_run_group_tests_name("fingerprint", tests, setup, teardown);
}
