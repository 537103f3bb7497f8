/*
 * fuzz_records.c - any bytes as a file of records.
 *
 * The first two bytes choose the size of batches and of the buffer, the rest is the file. It is read in such batches and as one: both
 * have the same records and come to the same end, batches are sound, and the 2-bit reader counts the letters that the records have. Records
 * in parts are, put together, the same, too.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/byte_array.h"
#include "hash/xxh3_core.h"
#include "seqio/seqio_dna.h"
#include "seqio/seqio_records.h"

typedef struct summary {
    uint64_t n_records, n_residues, hash; /* hash: of all records in order */
    io_status status;
    io_error err;
} summary;

/* A record as it stands in the file begins with its header, and has its letters in their order. */
static void check_raw(const seqio_records_batch *batch, size_t i)
{
    const tms_seqs *s = &batch->seqs;
    const uint8_t *raw = batch->raw + batch->raw_starts[i], *end = batch->raw + batch->raw_starts[i + 1];
    uint64_t size = tms_seqs_header_size(s, i);

    assert(raw < end && *raw == (batch->is_fastq ? '@' : '>'));
    assert((uint64_t)(end - raw) > size && memcmp(raw + 1, s->headers + s->header_starts[i], size) == 0);
    raw += 1 + size;
    for (uint64_t j = s->residue_starts[i]; j + 1 < s->residue_starts[i + 1]; j++) {
        while (raw < end && *raw != s->residues[j])
            raw++;
        assert(raw++ < end);
    }
}

static void add_record(summary *sum, const seqio_records_batch *batch, size_t i)
{
    const tms_seqs *s = &batch->seqs;
    const uint8_t *letters = s->residues + s->residue_starts[i];
    const char *header = s->headers + s->header_starts[i];
    uint64_t n = tms_seqs_length(s, i), size = tms_seqs_header_size(s, i);

    assert(letters[n] == '\0' && header[size] == '\0' && strlen(header) == size && s->name_sizes[i] <= size);
    assert(memchr(letters, '\n', n) == NULL && memchr(header, '\n', size) == NULL);
    sum->hash = xxh3_64(letters, n, sum->hash);
    sum->hash = xxh3_64((const uint8_t *)header, size, sum->hash);
    if (s->qualities != NULL)
        sum->hash = xxh3_64(s->qualities + s->residue_starts[i], n, sum->hash + 1);
    check_raw(batch, i);
    sum->hash = xxh3_64(batch->raw + batch->raw_starts[i], (size_t)(batch->raw_starts[i + 1] - batch->raw_starts[i]), sum->hash);
    sum->n_residues += n;
}

static summary read_all(const seqio_records_options *how)
{
    summary sum = {0, 0, 0, IO_OK, {0, ""}};
    seqio_records_batch batch;
    seqio_records *r;

    sum.status = seqio_records_open(how, &r, &sum.err);
    assert(sum.status == IO_OK);
    while ((sum.status = seqio_records_next(r, &batch, &sum.err)) == IO_OK) {
        assert(batch.seqs.n_records > 0 && batch.seqs.first_record == sum.n_records);
        for (size_t i = 0; i < batch.seqs.n_records; i++)
            add_record(&sum, &batch, i);
        sum.n_records += batch.seqs.n_records;
    }
    assert(sum.status != IO_E_INPUT || sum.err.text[0] != '\0');
    seqio_records_close(r);
    return sum;
}

/* What the parts of a record add up to. */
typedef struct joined {
    struct byte_array letters, raw;
} joined;

static void join(joined *record, const seqio_records_batch *batch, size_t i)
{
    const tms_seqs *s = &batch->seqs;

    if (!byte_array_add(&record->letters, s->residues + s->residue_starts[i], (size_t)tms_seqs_length(s, i)) ||
        !byte_array_add(&record->raw, batch->raw + batch->raw_starts[i], (size_t)(batch->raw_starts[i + 1] - batch->raw_starts[i])))
        abort();
}

static void end_joined(joined *record, summary *sum)
{
    sum->n_records++;
    sum->n_residues += record->letters.n;
    sum->hash = xxh3_64(record->letters.bytes, record->letters.n, sum->hash);
    sum->hash = xxh3_64(record->raw.bytes, record->raw.n, sum->hash);
    record->letters.n = record->raw.n = 0;
}

static summary read_joined(const seqio_records_options *how)
{
    summary sum = {0, 0, 0, IO_OK, {0, ""}};
    joined record = {{NULL, 0, 0}, {NULL, 0, 0}};
    int is_open = 0;
    seqio_records_batch batch;
    seqio_records *r;

    sum.status = seqio_records_open(how, &r, &sum.err);
    assert(sum.status == IO_OK);
    while ((sum.status = seqio_records_next(r, &batch, &sum.err)) == IO_OK) {
        const tms_seqs *s = &batch.seqs;
        assert(s->n_records > 0 && s->first_record == sum.n_records && batch.goes_on == is_open);
        for (size_t i = 0; i < s->n_records; i++) {
            assert(!is_open || i > 0 || tms_seqs_header_size(s, 0) == 0);
            join(&record, &batch, i);
            if (i + 1 < s->n_records || !batch.is_cut)
                end_joined(&record, &sum);
        }
        is_open = batch.is_cut;
    }
    assert(sum.status != IO_END || !is_open);
    seqio_records_close(r);
    free(record.letters.bytes);
    free(record.raw.bytes);
    return sum;
}

static void check_same(const summary *a, const summary *b, int is_compressed)
{
    assert(a->status == b->status);
    if (a->status != IO_E_INPUT || !is_compressed) {
        assert(a->n_records == b->n_records && a->hash == b->hash);
        assert(a->status != IO_E_INPUT || strcmp(a->err.text, b->err.text) == 0);
    }
}

/* Where the letters are nucleotides and the names fit, both readers see the same. */
static void check_bases(const char *const *path, const summary *want)
{
    seqio_dna_options how = {path, 1, 1000, 0, 1, 0};
    seqio_dna_totals totals;
    seqio_dna_chunk chunk;
    seqio_dna *dna;
    io_error err;
    io_status status = seqio_dna_open(&how, &dna, &err);

    while (status == IO_OK)
        status = seqio_dna_next(dna, &chunk, &err);
    seqio_dna_get_totals(dna, &totals);
    assert(status != IO_END || want->status != IO_END || (totals.n_records == want->n_records && totals.n_bases == want->n_residues));
    seqio_dna_close(dna);
}

/* How much of a damaged stream comes out before the fault depends on how much is asked for, and so does which fault is met first. */
static int is_compressed(const uint8_t *data, size_t size)
{
    static const char *const magics[] = {"\x1f\x8b", "\x28\xb5\x2f\xfd", "\xfd\x37zXZ", "BZh"};

    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (size >= strlen(magics[i]) && memcmp(data, magics[i], strlen(magics[i])) == 0)
            return 1;
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t batches[] = {1, 50, 100, 200, 1000, 5000, 100000, 1 << 20};
    const char *path;
    char name[64];
    seqio_records_options whole = {.paths = &path, .n_paths = 1, .batch_bytes = SIZE_MAX / 4, .raw = 1}, cut = whole;
    summary a, b;
    int fd, compressed;

    if (size < 2)
        return 0;
    cut.batch_bytes = batches[data[0] & 7];
    cut.batch_records = data[0] >> 3 & 3;
    cut.buffer_bytes = data[1] + 1u;
    fd = memfd_create("input", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data + 2, size - 2) != (ssize_t)size - 2)
        abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    path = name;
    a = read_all(&whole);
    b = read_all(&cut);
    compressed = is_compressed(data + 2, size - 2);
    check_same(&a, &b, compressed);
    check_bases(&path, &a);
    whole.no_qualities = cut.no_qualities = 1;
    cut.part_bytes = cut.batch_bytes * (1 + (data[1] & 1));
    cut.together = data[0] >> 5 & 3;
    a = read_joined(&whole);
    b = read_joined(&cut);
    check_same(&a, &b, compressed);
    close(fd);
    return 0;
}
