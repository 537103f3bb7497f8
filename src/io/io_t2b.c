/*
 * io_t2b.c - .t2b files, written and read (doc/format-t2b.md).
 *
 * Nothing of a block is used before its checksums have passed and every field is in range. Memory for a block grows with the
 * bytes that came, not with those that it announces.
 */
#include "io_t2b.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "hash/xxh3_core.h"
#include "io_dna_reader.h"

enum { HEADER_BYTES = 32, BLOCK_HEADER_BYTES = 40, PART_BYTES = 24, RUN_BYTES = 8, VERSION = 1, FIRST_PAYLOAD = 256 << 10 };

/* Names of a block: it closes after the one that reaches T2B_BLOCK_BASES bytes. */
#define MAX_NAME_BYTES (T2B_BLOCK_BASES + IO_DNA_MAX_NAME)

_Static_assert(sizeof(tms_dna_run) == RUN_BYTES, "runs are used as they are in the file");
_Static_assert(T2B_BLOCK_BASES + IO_DNA_MAX_OVERLAP <= TMS_DNA_MAX_BASES, "a block is a chunk");

static const char magic[T2B_MAGIC_BYTES + 1] = "TAMIST2B";
static const char mark_block[5] = "BLCK", mark_end[5] = "END.";

int t2b_is_magic(const uint8_t *bytes, size_t n) { return n >= T2B_MAGIC_BYTES && memcmp(bytes, magic, T2B_MAGIC_BYTES) == 0; }

static size_t n_code_words(size_t n_bases) { return (n_bases + 31) / 32; }

/* --- writing --- */

static io_status write_bytes(t2b_writer *w, const void *bytes, size_t n, io_error *err)
{
    w->n_bytes += n;
    return io_safe_file_write(w->file, bytes, n, err);
}

io_status t2b_write_start(t2b_writer *w, io_safe_file *file, io_error *err)
{
    uint8_t header[HEADER_BYTES] = {0};

    memset(w, 0, sizeof *w);
    w->file = file;
    memcpy(header, magic, T2B_MAGIC_BYTES);
    core_write32(header + 8, VERSION);
    core_write32(header + 12, HEADER_BYTES);
    core_write64(header + 24, xxh3_64(header, 24, 0));
    return write_bytes(w, header, sizeof header, err);
}

static size_t name_bytes(const tms_dna *dna)
{
    size_t n = 0;

    for (size_t i = 0; i < dna->n_parts; i++)
        n += strlen(dna->parts[i].name);
    return n;
}

static void fill_payload(t2b_writer *w, const tms_dna *dna, uint8_t *p)
{
    size_t n_words = n_code_words(dna->n_bases);

    if (n_words > 0)
        memcpy(p, dna->codes, 8 * n_words);
    p += 8 * n_words;
    for (size_t i = 0; i < dna->n_parts; i++, p += PART_BYTES) {
        const tms_dna_part *part = &dna->parts[i];
        core_write64(p, part->record);
        core_write64(p + 8, part->offset);
        core_write32(p + 16, part->n_bases);
        core_write32(p + 20, (uint32_t)strlen(part->name));
        w->n_records = part->record + 1;
    }
    for (size_t i = 0; i < dna->n_runs; i++, p += RUN_BYTES) {
        core_write32(p, dna->runs[i].start);
        core_write32(p + 4, dna->runs[i].n_bases);
        w->n_other += dna->runs[i].n_bases;
    }
    for (size_t i = 0; i < dna->n_parts; i++) {
        size_t n = strlen(dna->parts[i].name);
        memcpy(p, dna->parts[i].name, n);
        p += n;
    }
}

io_status t2b_write_block(t2b_writer *w, const tms_dna *dna, io_error *err)
{
    size_t n_names = name_bytes(dna);
    size_t n = 8 * n_code_words(dna->n_bases) + PART_BYTES * dna->n_parts + RUN_BYTES * dna->n_runs + n_names;
    uint8_t *header, *payload;

    if (!array_reserve(&w->block, &w->block_capacity, BLOCK_HEADER_BYTES + n, 1))
        return io_fail_memory(err, "a block of sequences");
    header = w->block;
    payload = header + BLOCK_HEADER_BYTES;
    fill_payload(w, dna, payload);
    memcpy(header, mark_block, 4);
    core_write32(header + 4, (uint32_t)dna->n_bases);
    core_write32(header + 8, (uint32_t)dna->n_parts);
    core_write32(header + 12, (uint32_t)dna->n_runs);
    core_write32(header + 16, (uint32_t)n_names);
    core_write32(header + 20, 0);
    core_write64(header + 24, xxh3_64(payload, n, w->n_blocks));
    core_write64(header + 32, xxh3_64(header, 32, w->n_blocks));
    w->n_blocks++;
    w->n_bases += dna->n_bases;
    return write_bytes(w, header, BLOCK_HEADER_BYTES + n, err);
}

io_status t2b_write_end(t2b_writer *w, io_error *err)
{
    uint8_t header[BLOCK_HEADER_BYTES] = {0};

    memcpy(header, mark_end, 4);
    core_write64(header + 8, w->n_records);
    core_write64(header + 16, w->n_bases);
    core_write64(header + 24, w->n_other);
    core_write64(header + 32, xxh3_64(header, 32, w->n_blocks));
    return write_bytes(w, header, sizeof header, err);
}

void t2b_writer_free(t2b_writer *w) { free(w->block); }

/* --- reading --- */

struct t2b_reader {
    dna_reader *r;
    io_input *in;
    uint64_t n_blocks, n_records, n_bases, n_other; /* read so far */
    size_t n_names;
    tms_dna dna; /* the block; its parts stay as they are in the file, at parts_at */
    const uint8_t *parts_at, *names;
    size_t n_parts, part; /* of the block; part: the first of which bases may be left */
    const uint8_t *name;  /* its name */
    size_t part_start;    /* its first base in the block */
    size_t start, run;    /* the first base and run of the block that are left */
    uint64_t *payload;
    size_t payload_capacity; /* words */
    int has_header, at_end;
};

static io_status fail_corrupt(const t2b_reader *t, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: corrupt .t2b: %s in block %llu", t->in->name, what, (unsigned long long)t->n_blocks);
}

/* Up to n bytes; *n_got is less where the file ends. */
static io_status take(io_input *in, uint8_t *to, size_t n, size_t *n_got, io_error *err)
{
    size_t held = in->end - in->pos;

    *n_got = held < n ? held : n;
    memcpy(to, in->bytes + in->pos, *n_got);
    in->pos += *n_got;
    while (*n_got < n) {
        size_t some;
        io_status status = io_stream_read(in->stream, to + *n_got, n - *n_got, &some, err);
        if (status != IO_OK)
            return status == IO_END ? IO_OK : status;
        *n_got += some;
    }
    return IO_OK;
}

/* n bytes, or the file is truncated. */
static io_status take_all(t2b_reader *t, void *to, size_t n, io_error *err)
{
    size_t n_got;
    io_status status = take(t->in, to, n, &n_got, err);

    if (status == IO_OK && n_got < n)
        return io_fail(err, IO_E_INPUT, 0, "%s: truncated .t2b: it ends in block %llu", t->in->name, (unsigned long long)t->n_blocks);
    return status;
}

static io_status read_header(t2b_reader *t, io_error *err)
{
    uint8_t h[HEADER_BYTES];
    io_status status = take_all(t, h, sizeof h, err);

    if (status != IO_OK)
        return status;
    if (core_read32(h + 8) != VERSION)
        return io_fail(err, IO_E_INPUT, 0, "%s: .t2b format version %u; this program reads version %d", t->in->name, core_read32(h + 8),
                       VERSION);
    if (core_read64(h + 24) != xxh3_64(h, 24, 0) || core_read32(h + 12) != HEADER_BYTES || core_read64(h + 16) != 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: corrupt .t2b: its header", t->in->name);
    return IO_OK;
}

/* The payload, n bytes and one word more to be read, whose memory grows as it comes. */
static io_status read_payload(t2b_reader *t, size_t n, io_error *err)
{
    size_t n_have = 0;

    while (n_have < n) {
        size_t step = n_have > FIRST_PAYLOAD ? n_have : FIRST_PAYLOAD, words;
        io_status status;
        if (step > n - n_have)
            step = n - n_have;
        words = (n_have + step + 7) / 8 + 1;
        if (!array_reserve(&t->payload, &t->payload_capacity, words, sizeof *t->payload))
            return io_fail_memory(err, "a block of sequences");
        status = take_all(t, (uint8_t *)t->payload + n_have, step, err);
        if (status != IO_OK)
            return status;
        n_have += step;
    }
    return IO_OK;
}

/* Are the codes of bases from .. to - 1 all 0? */
static int are_zero(const uint64_t *codes, size_t from, size_t to)
{
    for (size_t i = from / 32; i < (to + 31) / 32; i++) {
        uint64_t word = codes[i];
        if (i == from / 32)
            word = word >> 2 * (from % 32) << 2 * (from % 32);
        if (i == to / 32)
            word &= ((uint64_t)1 << 2 * (to % 32)) - 1;
        if (word != 0)
            return 0;
    }
    return 1;
}

/* Other letters in order, with a base or more between two runs; they and what is left of the last word have code 0. */
static io_status check_runs(t2b_reader *t, io_error *err)
{
    const tms_dna *d = &t->dna;
    size_t end = 0;

    for (size_t i = 0; i < d->n_runs; i++) {
        size_t start = d->runs[i].start, n = d->runs[i].n_bases;
        if (n == 0 || start > d->n_bases || n > d->n_bases - start || (i > 0 && start <= end))
            return fail_corrupt(t, "a run of other letters", err);
        end = start + n;
        if (!are_zero(d->codes, start, end))
            return fail_corrupt(t, "the code of another letter than ACGT", err);
        t->n_other += n;
    }
    if (!are_zero(d->codes, d->n_bases, 32 * n_code_words(d->n_bases)))
        return fail_corrupt(t, "what follows the last base", err);
    return IO_OK;
}

/* Parts go on where the one before ended and fill the block; a record is begun again only by a block's first part. */
static io_status check_parts(const t2b_reader *t, size_t n_parts, io_error *err)
{
    uint64_t n_records = t->n_records, n_bases = 0, n_names = 0;

    for (size_t i = 0; i < n_parts; i++) {
        const uint8_t *p = t->parts_at + PART_BYTES * i;
        uint64_t record = core_read64(p), offset = core_read64(p + 8);
        uint32_t n = core_read32(p + 16), n_name = core_read32(p + 20);
        int goes_on = i == 0 && record + 1 == n_records && n_records > 0;

        if (n_name == 0 || n_name > IO_DNA_MAX_NAME || n_name > t->n_names - n_names)
            return fail_corrupt(t, "the length of a name", err);
        for (uint32_t j = 0; j < n_name; j++) {
            if (memchr("\0\t\n\r ", t->names[n_names + j], 5) != NULL)
                return fail_corrupt(t, "a name", err);
        }
        if (goes_on ? n == 0 || offset == 0 || offset != dna_record_bases(t->r) || n_name != strlen(dna_record_name(t->r)) ||
                          memcmp(t->names, dna_record_name(t->r), n_name) != 0
                    : record != n_records || offset != 0)
            return fail_corrupt(t, "the order of records", err);
        if (n > t->dna.n_bases - n_bases)
            return fail_corrupt(t, "the bases of a record", err);
        n_records = record + 1;
        n_bases += n;
        n_names += n_name;
    }
    if (n_bases != t->dna.n_bases || n_names != t->n_names)
        return fail_corrupt(t, "the sum of its records", err);
    return IO_OK;
}

/* The parts of the block that are left. */
static io_status add_parts(t2b_reader *t, io_error *err)
{
    while (t->part < t->n_parts) {
        const uint8_t *p = t->parts_at + PART_BYTES * t->part;
        uint32_t n_name = core_read32(p + 20);
        io_status status = IO_OK;
        if (core_read64(p) == t->n_records) {
            status = dna_begin_record(t->r, (const char *)t->name, n_name, err);
            t->n_records += status == IO_OK;
        }
        if (status == IO_OK)
            status = dna_add_packed(t->r, &t->dna, &t->start, t->part_start + core_read32(p + 16), &t->run, err);
        if (status != IO_OK)
            return status;
        t->part_start = t->start;
        t->name += n_name;
        t->part++;
    }
    return IO_OK;
}

/* h: the block's header, its mark and its checksum are right. */
static io_status read_block(t2b_reader *t, const uint8_t *h, io_error *err)
{
    size_t n_bases = core_read32(h + 4), n_parts = core_read32(h + 8), n_runs = core_read32(h + 12);
    size_t n_words = n_code_words(n_bases), n;
    io_status status;

    t->n_names = core_read32(h + 16);
    if (n_bases > T2B_BLOCK_BASES || t->n_names > MAX_NAME_BYTES || n_parts == 0 || n_parts > t->n_names || n_runs > (n_bases + 1) / 2 ||
        core_read32(h + 20) != 0)
        return fail_corrupt(t, "sizes", err);
    n = 8 * n_words + PART_BYTES * n_parts + RUN_BYTES * n_runs + t->n_names;
    status = read_payload(t, n, err);
    if (status != IO_OK)
        return status;
    if (core_read64(h + 24) != xxh3_64((const uint8_t *)t->payload, n, t->n_blocks))
        return fail_corrupt(t, "checksum", err);
    t->dna.codes = t->payload;
    t->dna.n_bases = n_bases;
    t->parts_at = (const uint8_t *)(t->payload + n_words);
    t->dna.runs = (const tms_dna_run *)(const void *)(t->parts_at + PART_BYTES * n_parts);
    t->dna.n_runs = n_runs;
    t->names = t->parts_at + PART_BYTES * n_parts + RUN_BYTES * n_runs;
    status = check_runs(t, err);
    if (status == IO_OK)
        status = check_parts(t, n_parts, err);
    if (status != IO_OK)
        return status;
    t->n_parts = n_parts;
    t->part = t->part_start = t->start = t->run = 0;
    t->name = t->names;
    t->n_bases += n_bases;
    t->n_blocks++;
    return IO_OK;
}

static io_status check_end(t2b_reader *t, const uint8_t *h, io_error *err)
{
    uint8_t after;
    size_t n_after;
    io_status status;

    if (core_read32(h + 4) != 0 || core_read64(h + 8) != t->n_records || core_read64(h + 16) != t->n_bases ||
        core_read64(h + 24) != t->n_other)
        return fail_corrupt(t, "totals", err);
    status = take(t->in, &after, 1, &n_after, err);
    if (status == IO_OK && n_after > 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: bytes follow the end of the .t2b: to join files, give them to tamis encode", t->in->name);
    return status;
}

io_status t2b_reader_create(dna_reader *r, io_input *in, t2b_reader **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return io_fail_memory(err, "reading sequences");
    (*out)->r = r;
    (*out)->in = in;
    return IO_OK;
}

void t2b_reader_free(t2b_reader *t)
{
    if (t == NULL)
        return;
    free(t->payload);
    free(t);
}

/* The next block, checked, or the end. */
static io_status next_block(t2b_reader *t, io_error *err)
{
    uint8_t h[BLOCK_HEADER_BYTES];
    io_status status = take_all(t, h, sizeof h, err);

    if (status != IO_OK)
        return status;
    t->at_end = memcmp(h, mark_end, 4) == 0;
    if ((!t->at_end && memcmp(h, mark_block, 4) != 0) || core_read64(h + 32) != xxh3_64(h, 32, t->n_blocks))
        return fail_corrupt(t, "header", err);
    return t->at_end ? check_end(t, h, err) : read_block(t, h, err);
}

io_status t2b_read(t2b_reader *t, io_error *err)
{
    io_status status = t->has_header ? add_parts(t, err) : read_header(t, err);

    t->has_header = 1;
    while (status == IO_OK && !t->at_end) {
        status = next_block(t, err);
        if (status == IO_OK)
            status = add_parts(t, err);
    }
    return status;
}
