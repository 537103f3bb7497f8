/*
 * fuzz_archive.c - any bytes as an archive: they are refused with a message, or give lists that can be packed again.
 *
 * Each input is tried as it is, and once more with its checksums put right, because no fuzzer guesses those.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../unit/archive/archive_forge.h"
#include "archive/archive_reader.h"
#include "fuzz_require.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int is_same(const tms_found_list *a, const tms_found_list *b)
{
    return a->is_cut == b->is_cut && a->n_subjects == b->n_subjects && a->n_hsps == b->n_hsps &&
           (a->n_subjects == 0 || memcmp(a->subjects, b->subjects, a->n_subjects * sizeof *a->subjects) == 0) &&
           (a->n_hsps == 0 || memcmp(a->hsps, b->hsps, a->n_hsps * sizeof *a->hsps) == 0);
}

static void use(const struct archive_lists *lists, uint32_t version)
{
    struct byte_array packed = {0};
    struct archive_lists again = {0};
    io_error err;

    for (size_t i = 0; i < lists->n; i++)
        REQUIRE(archive_list_pack(&lists->lists[i], version, &packed, &err) == IO_OK);
    REQUIRE(archive_lists_unpack(packed.bytes, packed.n, version, lists->n, &again, &err) == IO_OK);
    for (size_t i = 0; i < lists->n; i++)
        REQUIRE(is_same(&lists->lists[i], &again.lists[i]));
    archive_lists_free(&again);
    free(packed.bytes);
}

static void read_archive(const uint8_t *bytes, size_t n)
{
    struct archive_reader *reader;
    struct archive_lists lists = {0};
    io_error err;
    char path[64];
    int fd = memfd_create("archive", 0);
    io_status status;

    if (fd < 0 || write(fd, bytes, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    status = archive_reader_open(path, &reader, &err);
    REQUIRE(status == IO_OK || (status == IO_E_INPUT && reader == NULL && strncmp(err.text, path, strlen(path)) == 0));
    for (uint64_t i = 0; status == IO_OK && i < archive_reader_n_batches(reader); i++) {
        const io_status read = archive_reader_read(reader, i, &lists, &err);
        REQUIRE(read == IO_OK || (read == IO_E_INPUT && strncmp(err.text, path, strlen(path)) == 0));
        if (read == IO_OK)
            use(&lists, bytes[ARCHIVE_AT_VERSION]);
    }
    archive_lists_free(&lists);
    archive_reader_close(reader);
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    uint8_t *forged = malloc(size + 1);

    if (forged == NULL)
        return 0;
    read_archive(data, size);
    memcpy(forged, data, size);
    archive_forge(forged, size);
    read_archive(forged, size);
    free(forged);
    return 0;
}
