/* test_archive_damage.c - archives that are damaged, cut off, mixed up or forged are refused, with a message that says what to do. */
#include "unit/archive/archive_forge.h"
#include "unit/archive/archive_samples.h"

#include <sys/mman.h>
#include <sys/stat.h>

enum { BATCHES = 4 };

static const struct batch_sample batches[BATCHES] = {{0, 2, 2, 11}, {2, 0, 0, 12}, {2, 3, 3, 13}, {9, 5, 5, 14}};
static uint8_t *whole, *changed;
static size_t n_whole;
static uint32_t version = ARCHIVE_VERSION;

/* The archive's bytes. */
static uint8_t *read_whole(const char *path, size_t *n)
{
    FILE *file = fopen(path, "rb");
    uint8_t *bytes;
    struct stat info;

    assert_non_null(file);
    assert_int_equal(stat(path, &info), 0);
    *n = (size_t)info.st_size;
    bytes = malloc(*n);
    assert_non_null(bytes);
    assert_int_equal(fread(bytes, 1, *n, file), *n);
    fclose(file);
    return bytes;
}

static int make_whole(void **state)
{
    struct archive_manifest manifest = {0};
    io_error err;
    (void)state;

    MUST(archive_manifest_add(&manifest, "program", "blastp", &err));
    MUST(archive_manifest_add(&manifest, "shard", "3/16", &err));
    write_samples(sample_path("whole"), &manifest, version, batches, BATCHES);
    archive_manifest_free(&manifest);
    whole = read_whole(sample_path("whole"), &n_whole);
    changed = malloc(n_whole + 1);
    return changed != NULL ? 0 : -1;
}

static int free_whole(void **state)
{
    (void)state;
    free(whole);
    free(changed);
    return 0;
}

static int begin(void **state) { return sample_setup(state) == 0 ? make_whole(state) : -1; }

static int end(void **state) { return free_whole(state) == 0 ? sample_teardown(state) : -1; }

/* Where block i begins; block BATCHES is the directory. */
static size_t block_at(size_t i)
{
    size_t at = ARCHIVE_HEADER_BYTES + (size_t)core_read64(whole + ARCHIVE_AT_MANIFEST_BYTES) + ARCHIVE_CHECKSUM_BYTES;

    for (size_t k = 0; k < i; k++)
        at += ARCHIVE_HEAD_BYTES + (size_t)core_read64(whole + at + ARCHIVE_AT_STORED_BYTES);
    return at;
}

static void expect_message(const char *path, const io_error *err)
{
    if (strncmp(err->text, path, strlen(path)) != 0 || strncmp(err->text + strlen(path), ": ", 2) != 0)
        fail_msg("\"%s\" does not begin with the file's name", err->text);
    if (strstr(err->text, "run that shard again") == NULL && strstr(err->text, "use the tamis") == NULL &&
        strstr(err->text, "name files") == NULL)
        fail_msg("\"%s\" does not say what would do", err->text);
}

/* Reads everything; what is read of batches is right if `is_same`. Returns the number of faults, of which opening is one. */
static int n_faults(const char *path, bool is_same)
{
    struct archive_reader *reader;
    struct archive_lists lists = {0};
    io_error err;
    int n = 0;
    io_status status = archive_reader_open(path, &reader, &err);

    if (status != IO_OK) {
        assert_int_equal(status, IO_E_INPUT);
        assert_null(reader);
        expect_message(path, &err);
        return 1;
    }
    for (uint64_t i = 0; i < archive_reader_n_batches(reader); i++) {
        status = archive_reader_read(reader, i, &lists, &err);
        if (status == IO_OK) {
            if (is_same)
                expect_batch(reader, i, version, &batches[i], &lists);
            continue;
        }
        assert_int_equal(status, IO_E_INPUT);
        expect_message(path, &err);
        n++;
    }
    if (is_same && n > 0) {
        assert_int_equal(archive_reader_check(reader, &err), IO_E_INPUT);
        expect_message(path, &err);
    }
    archive_reader_close(reader);
    archive_lists_free(&lists);
    return n;
}

/* The same of bytes, in a file that is in memory only, because there are thousands. */
static int n_faults_of(const uint8_t *bytes, size_t n, bool is_same)
{
    char path[32];
    int fd = memfd_create("changed", MFD_CLOEXEC), n_found;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, bytes, n), n);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    n_found = n_faults(path, is_same);
    close(fd);
    return n_found;
}

static void test_every_byte(void **state)
{
    (void)state;

    assert_int_equal(n_faults_of(whole, n_whole, true), 0);
    memcpy(changed, whole, n_whole);
    for (size_t i = 0; i < n_whole; i++) {
        const uint8_t masks[] = {(uint8_t)(1 << i % 8), 0xff};
        for (size_t k = 0; k < 2; k++) {
            changed[i] ^= masks[k];
            if (n_faults_of(changed, n_whole, true) != 1)
                fail_msg("byte %zu of %zu was changed by %02x, and not one fault was found", i, n_whole, masks[k]);
            changed[i] ^= masks[k];
        }
    }
}

static void test_every_length(void **state)
{
    (void)state;

    for (size_t n = 0; n < n_whole; n++)
        if (n_faults_of(whole, n, true) != 1)
            fail_msg("cut off after %zu bytes of %zu, and opened", n, n_whole);
    memcpy(changed, whole, n_whole);
    changed[n_whole] = 0;
    assert_int_equal(n_faults_of(changed, n_whole + 1, true), 1);
}

static void test_no_files(void **state)
{
    struct archive_reader *reader;
    io_error err;
    const char *path = sample_path("fifo");
    (void)state;

    assert_int_equal(archive_reader_open(sample_path("none"), &reader, &err), IO_E_INPUT);
    assert_int_equal(archive_reader_open(sample_dir, &reader, &err), IO_E_INPUT);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(archive_reader_open(path, &reader, &err), IO_E_INPUT);
    assert_null(reader);
    assert_int_equal(unlink(path), 0);
    memcpy(changed, whole, n_whole);
    core_write32(changed + ARCHIVE_AT_VERSION, 4);
    assert_int_equal(archive_reader_open(sample_write("new", changed, n_whole), &reader, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "of version 4, and this tamis reads versions 1 to 3"));
}

/* The file is replaced by another one, or cut off, after it was opened. */
static void test_changed_meanwhile(void **state)
{
    const char *path = sample_write("meanwhile", whole, n_whole);
    struct archive_reader *reader;
    struct archive_lists lists = {0};
    io_error err;
    (void)state;

    MUST(archive_reader_open(path, &reader, &err));
    expect_batch(reader, 0, version, &batches[0], &lists);
    assert_int_equal(truncate(path, (off_t)block_at(2) + 9), 0);
    assert_int_equal(archive_reader_read(reader, 2, &lists, &err), IO_E_INPUT);
    expect_message(path, &err);
    assert_int_equal(archive_reader_read(reader, 0, &lists, &err), IO_E_INPUT);
    assert_non_null(strstr(err.text, "has changed"));
    assert_int_equal(unlink(path), 0);
    assert_int_equal(archive_reader_check(reader, &err), IO_E_INPUT);
    archive_reader_close(reader);
    archive_lists_free(&lists);
}

/* Blocks at each other's place, and a block of another run. */
static void test_mixed_up(void **state)
{
    const size_t first = block_at(2), second = block_at(3), end = block_at(4);
    const struct batch_sample other = {2, 3, 3, 15};
    struct archive_manifest manifest = {0};
    uint8_t *mixed, *stranger;
    size_t n;
    (void)state;

    memcpy(changed, whole, n_whole);
    memcpy(changed + first, whole + second, end - second);
    memcpy(changed + first + end - second, whole + first, second - first);
    assert_int_equal(n_faults_of(changed, n_whole, true), 2);
    memcpy(changed + end + 2 * ARCHIVE_HEAD_BYTES, whole + end + 3 * ARCHIVE_HEAD_BYTES, ARCHIVE_HEAD_BYTES);
    memcpy(changed + end + 3 * ARCHIVE_HEAD_BYTES, whole + end + 2 * ARCHIVE_HEAD_BYTES, ARCHIVE_HEAD_BYTES);
    assert_int_equal(n_faults_of(changed, n_whole, true), 1);
    archive_forge(changed, n_whole);
    assert_int_equal(n_faults_of(changed, n_whole, true), 1);

    write_samples(sample_path("other"), &manifest, version, &other, 1);
    stranger = read_whole(sample_path("other"), &n);
    n -= ARCHIVE_HEADER_BYTES + ARCHIVE_CHECKSUM_BYTES + ARCHIVE_HEAD_BYTES + ARCHIVE_TRAILER_BYTES; /* its only block */
    mixed = malloc(n_whole + n);
    assert_non_null(mixed);
    memcpy(mixed, whole, first);
    memcpy(mixed + first, stranger + ARCHIVE_HEADER_BYTES + ARCHIVE_CHECKSUM_BYTES, n);
    memcpy(mixed + first + n, whole + second, n_whole - second);
    core_write64(mixed + n_whole - second + first + n - ARCHIVE_TRAILER_BYTES + ARCHIVE_AT_DIRECTORY, end - second + first + n);
    assert_int_equal(n_faults_of(mixed, n_whole - second + first + n, true), 1);
    free(mixed);
    free(stranger);
}

/* Every number of the directory and the trailer is another one, and all checksums are right. */
static void test_forged(void **state)
{
    static const uint64_t numbers[] = {0, 1, 2, 15, 16, 255, UINT32_MAX, 1ull << 32, 1ull << 48, 1ull << 63, INT64_MAX, UINT64_MAX};
    const size_t end = block_at(BATCHES);
    (void)state;

    for (size_t at = end + ARCHIVE_AT_STORED_BYTES; at + 8 <= n_whole - 8; at += 8)
        for (size_t i = 0; i < sizeof numbers / sizeof *numbers + 3; i++) {
            const uint64_t old = core_read64(whole + at);
            const size_t field = (at - end) % ARCHIVE_HEAD_BYTES;
            const bool is_head = at < n_whole - ARCHIVE_TRAILER_BYTES;
            int n;
            memcpy(changed, whole, n_whole);
            core_write64(changed + at, i >= 3 ? numbers[i - 3] : i == 2 ? old ^ 1 : old + 2 * i - 1);
            archive_forge(changed, n_whole);
            n = n_faults_of(changed, n_whole, false);
            if (is_head && field >= ARCHIVE_AT_STORED_BYTES && core_read64(changed + at) != old &&
                (field == ARCHIVE_AT_STORED_BYTES || field >= 32) && n == 0)
                fail_msg("number at %zu was changed to %llu", at, (unsigned long long)core_read64(changed + at));
        }
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        memcpy(changed, whole, n_whole);
        core_write64(changed + ARCHIVE_AT_MANIFEST_BYTES, numbers[i]);
        archive_forge(changed, n_whole);
        assert_int_equal(n_faults_of(changed, n_whole, true), 1);
    }
}

/* Any bytes behind right checksums: refused, or lists. */
static void test_forged_bytes(void **state)
{
    sample_random r = {sample_seed()};
    (void)state;

    for (int round = 0; round < 2000; round++) {
        memcpy(changed, whole, n_whole);
        for (uint64_t n = 1 + random_below(&r, 4); n > 0; n--)
            changed[random_below(&r, n_whole)] = (uint8_t)random_next(&r);
        archive_forge(changed, n_whole);
        (void)n_faults_of(changed, n_whole, false);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte),   cmocka_unit_test(test_every_length),      cmocka_unit_test(test_no_files),
        cmocka_unit_test(test_mixed_up),     cmocka_unit_test(test_changed_meanwhile), cmocka_unit_test(test_forged),
        cmocka_unit_test(test_forged_bytes),
    };
    int n = cmocka_run_group_tests_name("archives", tests, begin, free_whole);

    version = ARCHIVE_VERSION_OF_CHAINS;
    n += cmocka_run_group_tests_name("archives with chains", tests, make_whole, end);
    return n;
}
