/* archive_fingerprint.c - see archive_fingerprint.h. */
#include "archive/archive_fingerprint.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "hash/xxh3_core.h"

enum { FILE_BYTES = 1 << 20, RUNS = 64, RUN_RESIDUES = 1 << 20 };

/* Reads up to FILE_BYTES bytes from an offset; fewer only at the end of the file. */
static io_status read_chunk(int fd, const char *path, uint64_t at, uint8_t *buffer, size_t *n, io_error *err)
{
    for (*n = 0; *n < FILE_BYTES;) {
        const ssize_t got = pread(fd, buffer + *n, FILE_BYTES - *n, (off_t)(at + *n));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return io_fail(err, IO_E_INPUT, errno, "%s: it cannot be read", path);
        if (got == 0)
            break;
        *n += (size_t)got;
    }
    return IO_OK;
}

/* Hashes all bytes, in chunks of one size, so that the hash does not depend on what read() returns. The last chunk is not full. */
static io_status hash_bytes(int fd, const char *path, uint8_t *buffer, uint64_t *size, uint64_t *hash, io_error *err)
{
    size_t n = FILE_BYTES;
    io_status status = IO_OK;

    while (n == FILE_BYTES && (status = read_chunk(fd, path, *size, buffer, &n, err)) == IO_OK) {
        *hash = xxh3_64(buffer, n, *hash);
        *size += n;
    }
    return status;
}

/* Hashes RUNS chunks of a file of *size bytes, the first at its begin and the last at its end. */
static io_status hash_runs(int fd, const char *path, uint8_t *buffer, const uint64_t *size, uint64_t *hash, io_error *err)
{
    io_status status = IO_OK;

    for (uint64_t run = 0; run < RUNS && status == IO_OK; run++) {
        const uint64_t last = *size - FILE_BYTES, at = run == RUNS - 1 ? last : last / (RUNS - 1) * run;
        size_t n;
        status = read_chunk(fd, path, at, buffer, &n, err);
        if (status == IO_OK)
            *hash = xxh3_64(buffer, n, *hash);
    }
    return status;
}

static io_status hash_file(const char *path, bool all, uint64_t *size, uint64_t *hash, io_error *err)
{
    uint8_t *buffer = malloc(FILE_BYTES);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* of a pipe: without waiting for its writer */
    struct stat about;
    io_status status = IO_OK;

    *size = *hash = 0;
    if (buffer == NULL)
        status = io_fail_memory(err, "a file");
    else if (fd < 0 || fstat(fd, &about) != 0)
        status = io_fail(err, IO_E_INPUT, errno, "%s: it cannot be opened", path);
    else if (!S_ISREG(about.st_mode))
        status = io_fail(err, IO_E_INPUT, 0, "%s: it is no regular file, so other machines cannot read the same: give a file", path);
    else if (all || about.st_size <= (off_t)RUNS * FILE_BYTES)
        status = hash_bytes(fd, path, buffer, size, hash, err);
    else {
        *size = (uint64_t)about.st_size;
        status = hash_runs(fd, path, buffer, size, hash, err);
    }
    if (fd >= 0)
        close(fd);
    free(buffer);
    return status;
}

io_status archive_hash_file(const char *path, uint64_t *size, uint64_t *hash, io_error *err)
{
    return hash_file(path, true, size, hash, err);
}

io_status archive_hash_input(const char *path, uint64_t *size, uint64_t *hash, io_error *err)
{
    return hash_file(path, false, size, hash, err);
}

static uint64_t hash_text(const char *text, uint64_t hash) { return xxh3_64((const uint8_t *)text, strlen(text), hash); }

static uint64_t hash_number(uint64_t number, uint64_t hash)
{
    uint8_t bytes[8];

    core_write64(bytes, number);
    return xxh3_64(bytes, sizeof bytes, hash);
}

/* Hashes n bases of a sequence, from its middle if it has more. A damaged sequence is refused when it is searched. */
static uint64_t hash_bases(const tms_seqdb *db, uint64_t i, uint64_t n, uint64_t hash)
{
    enum { MOST = 1 << 14 };
    uint8_t codes[MOST];
    const uint64_t first = (tms_seqdb_length(db, i) - n) / 2;

    for (uint64_t at = 0; at < n; at += MOST) {
        const uint64_t some = n - at < MOST ? n - at : MOST;
        if (tms_seqdb_residues(db, i, first + at, first + at + some, codes) == TMS_OK)
            hash = xxh3_64(codes, some, hash);
    }
    return hash;
}

/* Hashes a sequence: its number, its length, and its residues, of nucleotides at most this many. */
static uint64_t hash_sequence(const tms_seqdb *db, tms_molecule molecule, uint64_t i, uint64_t most, uint64_t hash)
{
    const uint64_t length = tms_seqdb_length(db, i);
    uint64_t n;
    const uint8_t *codes;

    hash = hash_number(tms_seqdb_oid(db, i), hash_number(length, hash));
    if (molecule == TMS_NUCLEOTIDE)
        return hash_bases(db, i, length < most ? length : most, hash);
    codes = tms_seqdb_protein(db, i, &n);
    return xxh3_64(codes, n, hash);
}

/* Hashes the masks of a sequence: how many there are, and the first of them. Damaged ones are refused by the search. */
static uint64_t hash_masks(const tms_seqdb_masks *masks, uint64_t i, uint64_t hash)
{
    enum { MOST = 1 << 10 };
    tms_interval items[MOST];
    size_t n;

    if (tms_seqdb_masks_get(masks, i, items, MOST, &n) != TMS_OK)
        return hash;
    hash = hash_number(n, hash);
    return xxh3_64((const uint8_t *)items, (n < MOST ? n : MOST) * sizeof *items, hash);
}

uint64_t archive_hash_database(const tms_seqdb *db, const char *title, const tms_seqdb_masks *masks)
{
    uint64_t hash = hash_text(title, 0);
    tms_seqdb_info info;

    tms_seqdb_get_info(db, &info);
    hash = hash_text(info.date, hash);
    hash = hash_number(info.n_sequences, hash);
    hash = hash_number(info.n_residues, hash);
    hash = hash_number(info.stats_n_sequences, hash);
    hash = hash_number(info.stats_n_residues, hash);
    for (uint64_t run = 0; run < RUNS; run++) {
        const tms_seqdb_range range = tms_seqdb_cut(db, run, RUNS);
        const uint64_t most = info.n_residues <= (uint64_t)RUNS * RUN_RESIDUES ? UINT64_MAX : RUN_RESIDUES;
        uint64_t residues = 0;
        for (uint64_t i = range.first; i < range.end && residues < most; i++) {
            hash = hash_sequence(db, info.molecule, i, most - residues, hash);
            hash = masks != NULL ? hash_masks(masks, i, hash) : hash;
            residues += tms_seqdb_length(db, i);
        }
    }
    return hash;
}
