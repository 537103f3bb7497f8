#include "seq/seq_batch.h"

#include "base/array.h"

enum { BYTES_PER_RECORD = 2 * sizeof(uint64_t) + sizeof(uint32_t) };

/* Reserves room for n more bytes and a NUL. */
static bool reserve_bytes(void *array, size_t *capacity, size_t used, size_t n)
{
    return n < SIZE_MAX - used && array_reserve(array, capacity, used + n + 1, 1);
}

bool seq_batch_clear(struct seq_batch *b, uint64_t first_record, bool has_qualities)
{
    b->first_record = first_record;
    b->has_qualities = has_qualities;
    b->in_record = false;
    b->n_records = b->n_residues = b->n_qualities = b->headers_size = 0;
    if (!array_reserve(&b->residue_starts, &b->residue_starts_capacity, 1, sizeof *b->residue_starts) ||
        !array_reserve(&b->header_starts, &b->header_starts_capacity, 1, sizeof *b->header_starts))
        return false;
    b->residue_starts[0] = b->header_starts[0] = 0;
    return true;
}

void seq_batch_free(struct seq_batch *b)
{
    free(b->residues);
    free(b->qualities);
    free(b->headers);
    free(b->residue_starts);
    free(b->header_starts);
    free(b->name_sizes);
    memset(b, 0, sizeof *b);
}

static size_t up_to(const char *header, size_t n, char c)
{
    const char *found = n ? memchr(header, c, n) : NULL;
    return found ? (size_t)(found - header) : n;
}

/* The size of the record's name: the header's first word. 0 if the header begins with a blank. */
static size_t name_size(const char *header, size_t n)
{
    size_t size = up_to(header, up_to(header, up_to(header, n, ' '), '\t'), '\r');
    return size < UINT32_MAX ? size : UINT32_MAX;
}

bool seq_batch_begin(struct seq_batch *b, const char *header, size_t n)
{
    if (!reserve_bytes(&b->headers, &b->headers_capacity, b->headers_size, n) ||
        !array_reserve(&b->residue_starts, &b->residue_starts_capacity, b->n_records + 2, sizeof *b->residue_starts) ||
        !array_reserve(&b->header_starts, &b->header_starts_capacity, b->n_records + 2, sizeof *b->header_starts) ||
        !array_reserve(&b->name_sizes, &b->names_capacity, b->n_records + 1, sizeof *b->name_sizes))
        return false;
    if (n)
        memcpy(b->headers + b->headers_size, header, n);
    b->headers_size += n;
    b->headers[b->headers_size++] = '\0';
    b->name_sizes[b->n_records] = (uint32_t)name_size(header, n);
    b->in_record = true;
    return true;
}

bool seq_batch_residues(struct seq_batch *b, const uint8_t *residues, size_t n)
{
    if (!reserve_bytes(&b->residues, &b->residues_capacity, b->n_residues, n))
        return false;
    memcpy(b->residues + b->n_residues, residues, n);
    b->n_residues += n;
    return true;
}

bool seq_batch_quality(struct seq_batch *b, const uint8_t *quality, size_t n)
{
    if (!reserve_bytes(&b->qualities, &b->qualities_capacity, b->n_qualities, n))
        return false;
    memcpy(b->qualities + b->n_qualities, quality, n);
    b->n_qualities += n;
    return true;
}

bool seq_batch_end(struct seq_batch *b)
{
    if (!reserve_bytes(&b->residues, &b->residues_capacity, b->n_residues, 0) ||
        (b->has_qualities && !reserve_bytes(&b->qualities, &b->qualities_capacity, b->n_qualities, 0)))
        return false;
    b->residues[b->n_residues++] = '\0';
    if (b->has_qualities)
        b->qualities[b->n_qualities++] = '\0';
    b->n_records++;
    b->residue_starts[b->n_records] = b->n_residues;
    b->header_starts[b->n_records] = b->headers_size;
    b->in_record = false;
    return true;
}

void seq_batch_drop(struct seq_batch *b)
{
    b->headers_size = (size_t)b->header_starts[b->n_records];
    b->n_residues = (size_t)b->residue_starts[b->n_records];
    b->n_qualities = b->has_qualities ? b->n_residues : 0;
    b->in_record = false;
}

bool seq_batch_go_on(struct seq_batch *b, const struct seq_batch *from)
{
    size_t header = (size_t)from->header_starts[from->n_records], start = (size_t)from->residue_starts[from->n_records];
    if (!from->in_record)
        return true;
    if (!seq_batch_begin(b, from->headers + header, from->headers_size - header - 1))
        return false;
    if (from->n_residues > start && !seq_batch_residues(b, from->residues + start, from->n_residues - start))
        return false;
    return from->n_qualities <= start || seq_batch_quality(b, from->qualities + start, from->n_qualities - start);
}

size_t seq_batch_bytes(const struct seq_batch *b)
{
    return b->n_residues * (b->has_qualities ? 2 : 1) + b->headers_size + BYTES_PER_RECORD * (b->n_records + b->in_record);
}

void seq_batch_view(const struct seq_batch *b, tms_seqs *out)
{
    out->n_records = b->n_records;
    out->first_record = b->first_record;
    out->residues = b->residues;
    out->residue_starts = b->residue_starts;
    out->qualities = b->has_qualities ? b->qualities : NULL;
    out->headers = b->headers;
    out->header_starts = b->header_starts;
    out->name_sizes = b->name_sizes;
}
