/* seqdb.c - public calls on an open database: finds the volume and calls its functions. */
#include <string.h>

#include "base/extensible.h"
#include "seqdb/nucleotide_unpack.h"
#include "seqdb/protein_decode.h"
#include "seqdb/seqdb_struct.h"

STRUCT_ENDS_WITH(tms_seqdb_info, is_selection);
STRUCT_ENDS_WITH(tms_seqdb_volume, header_starts);

const struct seqdb_slice *seqdb_slice_of(const tms_seqdb *db, uint64_t i)
{
    size_t low = 0, high = db->n_slices;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (db->slices[middle].start <= i)
            low = middle;
        else
            high = middle;
    }
    return &db->slices[low];
}

void tms_seqdb_get_info_sized(const tms_seqdb *db, tms_seqdb_info *out, size_t out_size)
{
    struct_out(out, out_size, &db->info, sizeof db->info);
}

const char *tms_seqdb_path_at(const tms_seqdb *db, const void *address)
{
    uintptr_t at = (uintptr_t)address;

    for (size_t i = 0; i < db->n_volumes; i++) {
        const struct seqdb_volume *v = &db->volumes[i];
        const struct seqdb_bytes *const files[] = {&v->index, &v->headers, &v->sequences};
        for (size_t j = 0; v->is_mapped && j < sizeof files / sizeof *files; j++) {
            if (at >= (uintptr_t)files[j]->bytes && at - (uintptr_t)files[j]->bytes < files[j]->size)
                return v->path;
        }
    }
    return NULL;
}

uint64_t tms_seqdb_length(const tms_seqdb *db, uint64_t i)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);

    return seqdb_volume_length(v, oid);
}

const uint8_t *tms_seqdb_protein(const tms_seqdb *db, uint64_t i, uint64_t *n_residues)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);

    *n_residues = seqdb_volume_length(v, oid);
    return seqdb_volume_sequence(v, oid);
}

const uint8_t *tms_seqdb_packed(const tms_seqdb *db, uint64_t i, uint64_t *n_bases) { return tms_seqdb_protein(db, i, n_bases); }

/* ---- residues as codes and as characters ------------------------------------------------------------------------ */

static tms_status unpack(const struct seqdb_volume *v, uint32_t oid, const struct nucleotide_codes *codes, uint64_t start, uint64_t end,
                         uint8_t *out)
{
    struct ambiguity ambiguity;
    struct seqdb_bytes block = seqdb_volume_ambiguity(v, oid);

    if (ambiguity_read(block, &ambiguity) != NULL)
        return TMS_E_FORMAT;
    nucleotide_unpack(codes, seqdb_volume_sequence(v, oid), start, end, out);
    return block.size == 0 || ambiguity_lay(codes, &ambiguity, seqdb_volume_bases(v, oid), start, end, out) == NULL ? TMS_OK : TMS_E_FORMAT;
}

tms_status tms_seqdb_residues(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *codes)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);

    if (v->molecule == TMS_NUCLEOTIDE)
        return unpack(v, oid, &nucleotide_blastna, start, end, codes);
    memcpy(codes, seqdb_volume_sequence(v, oid) + start, end - start);
    return protein_codes_are_sound(codes, end - start) ? TMS_OK : TMS_E_FORMAT;
}

tms_status tms_seqdb_letters(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *characters)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);

    if (v->molecule == TMS_NUCLEOTIDE)
        return unpack(v, oid, &nucleotide_characters, start, end, characters);
    return protein_decode(seqdb_volume_sequence(v, oid) + start, end - start, characters) ? TMS_OK : TMS_E_FORMAT;
}

uint64_t tms_seqdb_oid(const tms_seqdb *db, uint64_t i)
{
    const struct seqdb_slice *slice = seqdb_slice_of(db, i);

    return db->volume_starts[slice->volume] + slice->first + (i - slice->start);
}

/* ---- ranges ----------------------------------------------------------------------------------------------------- */

/* The last slice that begins with at most this many bytes of sequences before it. */
static size_t slice_at(const tms_seqdb *db, uint64_t bytes)
{
    size_t low = 0, high = db->n_slices;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (db->byte_starts[middle] <= bytes)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The first sequence with at least this many bytes of sequences before it. */
static uint64_t sequence_at(const tms_seqdb *db, uint64_t bytes)
{
    const size_t s = slice_at(db, bytes);
    const struct seqdb_slice *slice = &db->slices[s];
    const uint8_t *starts = db->volumes[slice->volume].sequence_starts;
    const uint64_t base = seqdb_word(starts, slice->first);
    uint64_t low, high;

    bytes -= db->byte_starts[s];
    for (low = 0, high = slice->n; low < high;) {
        uint64_t middle = low + (high - low) / 2;
        if (seqdb_word(starts, slice->first + middle) - base >= bytes)
            high = middle;
        else
            low = middle + 1;
    }
    return slice->start + low;
}

tms_seqdb_range tms_seqdb_cut(const tms_seqdb *db, uint64_t k, uint64_t n_ranges)
{
    unsigned __int128 total = db->byte_starts[db->n_slices];
    uint64_t first = (uint64_t)(total * k / n_ranges), end = (uint64_t)(total * (k + 1) / n_ranges);

    return (tms_seqdb_range){k == 0 ? 0 : sequence_at(db, first), k + 1 == n_ranges ? db->info.n_sequences : sequence_at(db, end)};
}

/* ---- volumes ---------------------------------------------------------------------------------------------------- */

void tms_seqdb_get_volume_sized(const tms_seqdb *db, uint64_t v, tms_seqdb_volume *out, size_t out_size)
{
    const struct seqdb_volume *volume = &db->volumes[v];
    tms_seqdb_volume info = {
        .path = volume->path != NULL ? volume->path : "",
        .first_oid = db->volume_starts[v],
        .n_sequences = volume->n_oids,
        .n_residues = volume->n_residues,
        .longest = volume->longest,
        .bytes = volume->sequences.bytes,
        .n_bytes = volume->sequences.size,
        .starts = volume->sequence_starts,
        .ambiguity_starts = volume->ambiguity_starts,
        .index_bytes = volume->index.size,
        .header_bytes = volume->headers.size,
        .title = volume->title.bytes,
        .date = volume->date.bytes,
        .title_size = volume->title.n,
        .date_size = volume->date.n,
        .headers = volume->headers.bytes,
        .header_starts = volume->header_starts,
    };

    struct_out(out, out_size, &info, sizeof info);
}

const char *tms_seqdb_base(const tms_seqdb *db, uint64_t k, const char **date)
{
    *date = k < db->n_bases ? db->bases[k].date : NULL;
    return k < db->n_bases ? db->bases[k].path : NULL;
}

const char *tms_seqdb_part(const tms_seqdb *db, uint64_t k) { return k < db->n_parts ? db->parts[k] : NULL; }
