/*
 * fuzz_dna.c - any bytes as a file of sequences: FASTA or FASTQ.
 *
 * The first two bytes choose chunk size and overlap, the rest is the file. It is read in such chunks and as one: both come to
 * the same end, chunks are sound, and the bases are the same.
 */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "seqio/seqio_dna.h"

/* A few bytes of zstd can stand for gigabytes: what has more bases than this is not compared. */
enum { MAX_BASES = 1 << 22 };

static uint8_t *bases; /* 0 .. 3, 4 for other letters */

/* Reads all; where to_bases, writes the bases there, else compares with them. Returns how it ended. */
static io_status read_all(const seqio_dna_options *how, int to_bases, seqio_dna_totals *totals, io_error *err)
{
    seqio_dna *dna;
    seqio_dna_chunk chunk;
    io_status status = seqio_dna_open(how, &dna, err);
    uint64_t n = 0, record = UINT64_MAX, end = 0;

    assert(status == IO_OK);
    while ((status = seqio_dna_next(dna, &chunk, err)) == IO_OK) {
        const tms_dna *d = &chunk.dna;
        size_t at = 0, run = 0, run_end = 0;
        assert(d->n_parts > 0 && d->n_bases <= how->chunk_bases + how->overlap);
        for (size_t i = 0; i < d->n_runs; i++) {
            assert(d->runs[i].n_bases > 0 && (i == 0 || d->runs[i].start > run_end));
            run_end = (size_t)d->runs[i].start + d->runs[i].n_bases;
            assert(run_end <= d->n_bases);
        }
        for (size_t i = 0; i < d->n_parts; i++) {
            const tms_dna_part *p = &d->parts[i];
            uint64_t old = 0; /* bases that the chunk before had */
            assert(p->start == at && p->name[0] != '\0');
            if (p->record == record) {
                assert(i == 0 && p->offset <= end && end - p->offset <= how->overlap);
                old = end - p->offset;
                n -= old;
            } else {
                assert(record == UINT64_MAX || p->record > record);
                assert(p->offset == 0);
            }
            assert(p->n_bases > old || how->keep_empty);
            for (size_t j = 0; j < p->n_bases && n < MAX_BASES; j++, at++, n++) {
                uint8_t base = (uint8_t)(d->codes[at / 32] >> 2 * (at % 32) & 3);
                while (run < d->n_runs && (size_t)d->runs[run].start + d->runs[run].n_bases <= at)
                    run++;
                if (run < d->n_runs && d->runs[run].start <= at) {
                    assert(base == 0);
                    base = 4;
                }
                if (to_bases)
                    bases[n] = base;
                else
                    assert(bases[n] == base);
            }
            record = p->record;
            end = p->offset + p->n_bases;
        }
        if (n >= MAX_BASES)
            break;
    }
    seqio_dna_get_totals(dna, totals);
    if (status == IO_E_INPUT)
        assert(err->text[0] != '\0');
    if (status == IO_END)
        assert(totals->n_bases == n);
    seqio_dna_close(dna);
    return status;
}

static void check_file(const uint8_t *data, size_t size, size_t chunk_bases, uint32_t overlap)
{
    const char *path;
    char name[64];
    seqio_dna_options whole = {&path, 1, TMS_DNA_MAX_BASES - 31, 0, 0}, cut = {&path, 1, chunk_bases, overlap, 1};
    seqio_dna_totals a, b;
    io_error err, again;
    io_status status;
    int fd = memfd_create("input", MFD_CLOEXEC);

    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    path = name;
    status = read_all(&whole, 1, &a, &err);
    if (status == IO_END) {
        status = read_all(&cut, 0, &b, &err);
        assert(status == IO_END && a.n_records == b.n_records && a.n_bases == b.n_bases && a.n_other == b.n_other);
    } else if (status == IO_E_INPUT) {
        status = read_all(&cut, 1, &b, &again);
        assert(status == IO_E_INPUT || status == IO_OK); /* IO_OK: enough was read */
        assert(status == IO_OK || strcmp(err.text, again.text) == 0);
    }
    close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t chunks[] = {1, 2, 31, 32, 33, 64, 1000, 100000};
    size_t chunk_bases;
    uint32_t overlap;

    if (size < 2)
        return 0;
    if (bases == NULL && (bases = malloc(MAX_BASES)) == NULL)
        abort();
    chunk_bases = chunks[data[0] & 7];
    overlap = data[1] & 31;
    data += 2;
    size -= 2;
    check_file(data, size, chunk_bases, overlap);
    return 0;
}
