/*
 * seqdb_volume.c - one volume: maps, checks and closes it.
 *
 * The check of the offsets reads each array once, on the context's threads: a volume of 10^6 sequences takes about a millisecond.
 */
#include "seqdb/seqdb_volume.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/atomic_min.h"
#include "seqdb/nucleotide_unpack.h"
#include "seqdb/protein_decode.h"

enum { GRAIN = 1 << 17 /* sequences that a thread checks at once */ };

tms_status seqdb_volume_fail(tms_context *ctx, const struct seqdb_volume *volume, char part, const char *format, ...)
{
    const char *last = part == 'i' ? "in" : part == 'h' ? "hr" : "sq";
    char text[384];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return context_fail(ctx, TMS_E_FORMAT, "%s.%c%s: %s", volume->path != NULL ? volume->path : "in memory",
                        volume->molecule == TMS_PROTEIN ? 'p' : 'n', last, text);
}

/* ---- the head of the index ------------------------------------------------------------------------------------- */

/* The part of the index not read yet. */
struct reader {
    const uint8_t *at;
    size_t left;
};

static bool read_word(struct reader *r, uint32_t *out)
{
    if (r->left < 4)
        return false;
    *out = seqdb_word(r->at, 0);
    r->at += 4;
    r->left -= 4;
    return true;
}

static bool read_text(struct reader *r, struct text *out)
{
    uint32_t n;

    if (!read_word(r, &n) || r->left < n)
        return false;
    *out = (struct text){(const char *)r->at, n};
    r->at += n;
    r->left -= n;
    return true;
}

static bool read_n_residues(struct reader *r, uint64_t *out)
{
    if (r->left < 8)
        return false;
    *out = core_read64(r->at); /* the only little-endian number of the index */
    r->at += 8;
    r->left -= 8;
    return true;
}

/* Version 4 has neither the volume's number nor the name of the LMDB file. */
static const char *read_head(struct seqdb_volume *v, struct reader *r)
{
    uint32_t version, type;

    if (!read_word(r, &version))
        return "version";
    v->version = version == 4 || version == 5 ? (int)version : 0;
    if (v->version == 0)
        return NULL;
    if (!read_word(r, &type))
        return "type";
    if (type > 1)
        return "type";
    v->molecule = type == 1 ? TMS_PROTEIN : TMS_NUCLEOTIDE;
    if (version == 5 && !read_word(r, &v->number))
        return "volume number";
    if (!read_text(r, &v->title))
        return "title";
    if (version == 5 && !read_text(r, &v->lmdb_name))
        return "LMDB name";
    if (!read_text(r, &v->date))
        return "date";
    if (!read_word(r, &v->n_oids))
        return "number of sequences";
    if (!read_n_residues(r, &v->n_residues))
        return "total length";
    if (!read_word(r, &v->longest))
        return "longest sequence";
    while (v->date.n > 0 && v->date.bytes[v->date.n - 1] == '\0')
        v->date.n--;
    return NULL;
}

static tms_status check_head(tms_context *ctx, struct seqdb_volume *v)
{
    struct reader r = {v->index.bytes, v->index.size};
    tms_molecule asked = v->molecule;
    const char *field = read_head(v, &r), *words = asked == TMS_PROTEIN ? "proteins" : "nucleotides";
    uint64_t array_bytes, n_arrays = asked == TMS_PROTEIN ? 2 : 3;

    if (field != NULL)
        return seqdb_volume_fail(ctx, v, 'i', "%s: %s", field,
                                 strcmp(field, "type") == 0 && r.left > 0 ? "is neither 0 nor 1" : "ends beyond the end of the file");
    if (v->version == 0)
        return seqdb_volume_fail(ctx, v, 'i', "version: is neither 4 nor 5");
    if (v->molecule != asked) {
        v->molecule = asked;
        return seqdb_volume_fail(ctx, v, 'i', "type: is not that of %s", words);
    }
    array_bytes = 4 * ((uint64_t)v->n_oids + 1);
    if (r.left != n_arrays * array_bytes)
        return seqdb_volume_fail(ctx, v, 'i', "number of sequences: %u take %llu bytes of offsets, but the file has %zu", v->n_oids,
                                 (unsigned long long)(n_arrays * array_bytes), r.left);
    v->header_starts = r.at;
    v->sequence_starts = r.at + array_bytes;
    v->ambiguity_starts = asked == TMS_PROTEIN ? NULL : r.at + 2 * array_bytes;
    return TMS_OK;
}

/* ---- the offsets ----------------------------------------------------------------------------------------------- */

/* What the threads find: sums and maxima, and the first fault. */
struct offsets_check {
    const struct seqdb_volume *volume;
    atomic_uint_fast64_t bad_header, bad_sequence, bad_ambiguity; /* lowest oid with this fault, or n_oids */
    atomic_uint_fast64_t longest;                                 /* residues; for nucleotides the bytes before the last one */
    atomic_uint_fast64_t total_bytes;                             /* nucleotides: sum of the bytes before the last one */
};

static void raise_to(atomic_uint_fast64_t *greatest, uint64_t value)
{
    uint_fast64_t old = atomic_load(greatest);

    while (value > old && !atomic_compare_exchange_weak(greatest, &old, value)) {
    }
}

/* Checks starts[i + 1] >= starts[i] + least for i in first .. end - 1; stores the greatest difference in *longest. */
static bool rises(const uint8_t *starts, size_t first, size_t end, uint32_t least, uint32_t *longest)
{
    uint32_t falls = 0, greatest = 0;

    for (size_t i = first; i < end; i++) {
        uint32_t a = seqdb_word(starts, i), b = seqdb_word(starts, i + 1), d = b - a;
        falls |= (uint32_t)(b < a) | (uint32_t)(d < least);
        greatest = d > greatest ? d : greatest;
    }
    *longest = greatest;
    return falls == 0;
}

/* The lowest i for which rises() fails. */
static size_t where_it_falls(const uint8_t *starts, size_t first, size_t end, uint32_t least)
{
    uint32_t unused;

    while (first < end && rises(starts, first, first + 1, least, &unused))
        first++;
    return first;
}

/* Checks that sequence start < ambiguity start <= next sequence start. */
static bool has_bases(const struct seqdb_volume *v, size_t i)
{
    uint32_t start = seqdb_word(v->sequence_starts, i), end = seqdb_word(v->ambiguity_starts, i);

    return start < end && end <= seqdb_word(v->sequence_starts, i + 1);
}

static void check_bases(struct offsets_check *check, size_t first, size_t end)
{
    const struct seqdb_volume *v = check->volume;
    uint64_t total = 0;
    uint32_t falls = 0, longest = 0;

    for (size_t i = first; i < end; i++) {
        uint32_t a = seqdb_word(v->sequence_starts, i), b = seqdb_word(v->ambiguity_starts, i), d = b - a - 1;
        falls |= (uint32_t)(b <= a) | (uint32_t)(b > seqdb_word(v->sequence_starts, i + 1));
        longest = d > longest ? d : longest;
        total += d;
    }
    for (size_t i = first; falls && i < end; i++) {
        if (!has_bases(v, i)) {
            atomic_min(&check->bad_ambiguity, i);
            return;
        }
    }
    raise_to(&check->longest, longest);
    atomic_fetch_add(&check->total_bytes, total);
}

static void check_range(void *arg, size_t first, size_t end)
{
    struct offsets_check *check = arg;
    const struct seqdb_volume *v = check->volume;
    uint32_t longest;

    if (!rises(v->header_starts, first, end, 0, &longest))
        atomic_min(&check->bad_header, where_it_falls(v->header_starts, first, end, 0));
    if (!rises(v->sequence_starts, first, end, 1, &longest))
        atomic_min(&check->bad_sequence, where_it_falls(v->sequence_starts, first, end, 1));
    else if (v->molecule == TMS_PROTEIN)
        raise_to(&check->longest, longest - 1);
    else
        check_bases(check, first, end);
}

static tms_status check_ends(tms_context *ctx, const struct seqdb_volume *v)
{
    uint32_t n = v->n_oids, first = seqdb_word(v->sequence_starts, 0), last = seqdb_word(v->sequence_starts, n);

    if (seqdb_word(v->header_starts, n) != v->headers.size)
        return seqdb_volume_fail(ctx, v, 'h', "the file has %zu bytes, but its index says %u", v->headers.size,
                                 seqdb_word(v->header_starts, n));
    if (last != v->sequences.size)
        return seqdb_volume_fail(ctx, v, 's', "the file has %zu bytes, but its index says %u", v->sequences.size, last);
    if (first > last)
        return seqdb_volume_fail(ctx, v, 'i', "sequence offsets: the first is %u, but the last is %u", first, last);
    if (first == 0)
        return seqdb_volume_fail(ctx, v, 'i', "sequence offsets: the first is 0, but the file begins with a zero byte");
    if (v->molecule == TMS_PROTEIN && (v->sequences.bytes[first - 1] != 0 || v->sequences.bytes[last - 1] != 0))
        return seqdb_volume_fail(ctx, v, 's', "does not begin and end with a zero byte");
    if (v->molecule == TMS_NUCLEOTIDE && seqdb_word(v->ambiguity_starts, n) != last)
        return seqdb_volume_fail(ctx, v, 'i', "ambiguity offsets: the last is %u, but that of the sequences is %u",
                                 seqdb_word(v->ambiguity_starts, n), last);
    return TMS_OK;
}

/* Compares the index's totals with the offsets: exactly for proteins; in nucleotides the last byte of each sequence has up to 3 bases. */
static tms_status check_totals(tms_context *ctx, const struct seqdb_volume *v, const struct offsets_check *check)
{
    uint32_t n = v->n_oids;
    uint64_t low, high, longest = atomic_load(&check->longest), low_longest = longest, high_longest = longest;

    if (v->molecule == TMS_PROTEIN) {
        low = high = (uint64_t)seqdb_word(v->sequence_starts, n) - seqdb_word(v->sequence_starts, 0) - n;
    } else {
        low = 4 * atomic_load(&check->total_bytes);
        high = low + 3 * (uint64_t)n;
        low_longest = 4 * longest;
        high_longest = n > 0 ? low_longest + 3 : 0;
    }
    if (v->n_residues < low || v->n_residues > high)
        return seqdb_volume_fail(ctx, v, 'i', "total length: %llu, but the offsets give %s%llu", (unsigned long long)v->n_residues,
                                 low < high ? "about " : "", (unsigned long long)low);
    if (v->longest < low_longest || v->longest > high_longest)
        return seqdb_volume_fail(ctx, v, 'i', "longest sequence: %u, but the offsets give %s%llu", v->longest,
                                 low_longest < high_longest ? "about " : "", (unsigned long long)low_longest);
    return TMS_OK;
}

tms_status seqdb_volume_check(tms_context *ctx, struct seqdb_volume *v)
{
    struct offsets_check check = {.volume = v};
    uint64_t bad;
    tms_status status = check_head(ctx, v);

    if (status == TMS_OK)
        status = check_ends(ctx, v);
    if (status != TMS_OK)
        return status;
    atomic_init(&check.bad_header, v->n_oids);
    atomic_init(&check.bad_sequence, v->n_oids);
    atomic_init(&check.bad_ambiguity, v->n_oids);
    atomic_init(&check.longest, 0);
    atomic_init(&check.total_bytes, 0);
    status = context_run_ranges(ctx, v->n_oids, GRAIN, check_range, &check);
    if (status != TMS_OK)
        return status;
    bad = atomic_load(&check.bad_header);
    if (bad < v->n_oids)
        return seqdb_volume_fail(ctx, v, 'i', "header offsets: decrease after sequence %llu", (unsigned long long)bad);
    bad = atomic_load(&check.bad_sequence);
    if (bad < v->n_oids)
        return seqdb_volume_fail(ctx, v, 'i', "sequence offsets: do not increase after sequence %llu", (unsigned long long)bad);
    bad = atomic_load(&check.bad_ambiguity);
    if (bad < v->n_oids)
        return seqdb_volume_fail(ctx, v, 'i', "ambiguity offsets: that of sequence %llu is outside the sequence", (unsigned long long)bad);
    return check_totals(ctx, v, &check);
}

/* ---- one sequence ---------------------------------------------------------------------------------------------- */

const char *seqdb_volume_fault(const struct seqdb_volume *v, uint32_t oid)
{
    const uint8_t *sequence = seqdb_volume_sequence(v, oid);
    uint64_t n = seqdb_volume_length(v, oid);
    struct ambiguity ambiguity;
    const char *fault;

    if (v->molecule == TMS_PROTEIN) {
        if (sequence[-1] != 0 || sequence[n] != 0)
            return "is not between two zero bytes";
        return protein_codes_are_sound(sequence, n) ? NULL : "has a code that is not an amino acid";
    }
    fault = ambiguity_read(seqdb_volume_ambiguity(v, oid), &ambiguity);
    return fault != NULL ? fault : ambiguity_check(&ambiguity, n);
}

tms_status seqdb_volume_check_sequence(tms_context *ctx, const struct seqdb_volume *v, uint32_t oid)
{
    const char *fault = seqdb_volume_fault(v, oid);

    return fault == NULL ? TMS_OK
                         : seqdb_volume_fail(ctx, v, 's', "sequence %u: %s%s", oid,
                                             v->molecule == TMS_PROTEIN ? "it " : "its ambiguity block ", fault);
}

/* ---- files ----------------------------------------------------------------------------------------------------- */

static tms_status map_file(tms_context *ctx, const struct seqdb_volume *v, const char *last, struct seqdb_bytes *out)
{
    size_t n = strlen(v->path);
    char *path = malloc(n + 5);
    tms_status status;

    if (path == NULL)
        return context_fail_memory(ctx, "the name of a file", n);
    memcpy(path, v->path, n);
    path[n] = '.';
    path[n + 1] = v->molecule == TMS_PROTEIN ? 'p' : 'n';
    memcpy(path + n + 2, last, 3);
    status = seqdb_map_file(ctx, path, last[0] == 'i', out);
    if (status == TMS_OK && out->size == 0)
        status = context_fail(ctx, TMS_E_FORMAT, "%s: is empty", path);
    free(path);
    return status;
}

tms_status seqdb_volume_open(tms_context *ctx, const char *path, tms_molecule molecule, struct seqdb_volume *out)
{
    tms_status status;

    *out = (struct seqdb_volume){.molecule = molecule, .is_mapped = true};
    out->path = strdup(path);
    if (out->path == NULL)
        return context_fail_memory(ctx, "the name of a file", strlen(path));
    status = map_file(ctx, out, "in", &out->index);
    if (status == TMS_OK)
        status = map_file(ctx, out, "hr", &out->headers);
    if (status == TMS_OK)
        status = map_file(ctx, out, "sq", &out->sequences);
    if (status == TMS_OK)
        status = seqdb_volume_check(ctx, out);
    if (status != TMS_OK)
        seqdb_volume_close(out);
    return status;
}

static void free_bytes(struct seqdb_bytes bytes) { free((void *)(uintptr_t)bytes.bytes); }

void seqdb_volume_close(struct seqdb_volume *v)
{
    if (v->is_allocated) {
        free_bytes(v->index);
        free_bytes(v->headers);
        free_bytes(v->sequences);
    }
    if (v->is_mapped) {
        seqdb_unmap(&v->index);
        seqdb_unmap(&v->headers);
        seqdb_unmap(&v->sequences);
    }
    free(v->path);
    *v = (struct seqdb_volume){0};
}
