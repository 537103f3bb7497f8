#include "makedb/db_source.h"

#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "makedb/isam.h"
#include "seqid/seqid_text.h"

enum {
    LAST_ALGORITHM = 255,
    FIRST_NAMED = 100, /* algorithms from this number on have names */
    NUMBERS_OF_PROGRAM = 10,
    CHECKED_AT_ONCE = 1 << 14 /* sequences */
};

static io_status fail(const db_source *s, tms_status status, io_error *err)
{
    if (status == TMS_E_MEMORY)
        return io_fail_memory(err, "reading a database");
    return io_fail(err, IO_E_DATABASE, 0, "%s", tms_context_message(s->ctx));
}

static io_status fail_changed(io_error *err) { return io_fail(err, IO_E_DATABASE, 0, "the database changed while tamis read it"); }

/* ---- masks ------------------------------------------------------------------------------------------------------- */

/* Opens the masks of an algorithm, if the database has them. */
static io_status open_masks(db_source *s, uint32_t number, db_mask_files *files, io_error *err)
{
    const tms_seqdb_mask_choice choice = {.number = number};
    const int is_named = number >= FIRST_NAMED;
    const char *name, *options;
    tms_status status;

    if (!array_reserve(&s->masks, &s->masks_capacity, s->n_masks + 1, sizeof(tms_seqdb_masks *)))
        return io_fail_memory(err, "masks");
    status = tms_seqdb_masks_open(s->ctx, s->db, &choice, &s->masks[s->n_masks]);
    if (status == TMS_E_ARG)
        return IO_OK;
    if (status != TMS_OK)
        return fail(s, status, err);
    name = tms_seqdb_masks_name(s->masks[s->n_masks++], &options);
    return db_mask_files_add(files, is_named ? FIRST_NAMED : number / NUMBERS_OF_PROGRAM * NUMBERS_OF_PROGRAM, options,
                             is_named ? name : NULL, err);
}

io_status db_source_open(db_source *s, tms_context *ctx, const tms_seqdb *db, db_mask_files *files, io_error *err)
{
    tms_seqdb_info info;
    io_status status = IO_OK;

    s->ctx = ctx;
    s->db = db;
    tms_seqdb_get_info(db, &info);
    s->n_sequences = info.n_sequences;
    tms_seqdb_get_volume(db, 0, &s->volume);
    s->first_algorithm = (uint32_t)files->n_algorithms;
    for (uint32_t number = 1; number <= LAST_ALGORITHM && status == IO_OK; number++)
        status = open_masks(s, number, files, err);
    return status;
}

/* Appends the masks of algorithm k and sequence i behind the n that found has. */
static io_status add_masks(db_source *s, uint32_t k, uint64_t i, size_t *n, io_error *err)
{
    size_t n_intervals;
    tms_status status = tms_seqdb_masks_get(s->masks[k], i, s->intervals, s->intervals_capacity, &n_intervals);

    if (status == TMS_OK && n_intervals > s->intervals_capacity) {
        if (!array_reserve(&s->intervals, &s->intervals_capacity, n_intervals, sizeof *s->intervals))
            return io_fail_memory(err, "masks");
        status = tms_seqdb_masks_get(s->masks[k], i, s->intervals, s->intervals_capacity, &n_intervals);
    }
    if (status != TMS_OK)
        return io_fail(err, IO_E_DATABASE, 0, "%s: the masks of sequence %llu are damaged", s->volume.path,
                       (unsigned long long)(tms_seqdb_oid(s->db, i) - s->volume.first_oid));
    if (!array_reserve(&s->found, &s->found_capacity, *n + n_intervals, sizeof *s->found))
        return io_fail_memory(err, "masks");
    for (size_t j = 0; j < n_intervals; j++)
        s->found[(*n)++] = (db_mask_interval){
            .algorithm = s->first_algorithm + k, .start = (uint32_t)s->intervals[j].start, .end = (uint32_t)s->intervals[j].end};
    return IO_OK;
}

io_status db_source_masks(db_source *s, db_record *record, io_error *err)
{
    size_t n = 0;
    io_status status = IO_OK;

    for (uint32_t k = 0; k < s->n_masks && status == IO_OK; k++)
        status = add_masks(s, k, s->n_done - 1, &n, err);
    if (status != IO_OK || n == 0)
        return status;
    if (!array_reserve(&s->found, &s->found_capacity, n + record->n_masks, sizeof *s->found))
        return io_fail_memory(err, "masks");
    if (record->n_masks > 0)
        memcpy(s->found + n, record->masks, record->n_masks * sizeof *s->found);
    record->masks = s->found;
    record->n_masks += n;
    return IO_OK;
}

/* ---- sequences --------------------------------------------------------------------------------------------------- */

/* Checks what opening the database leaves unchecked, for many sequences at once. */
static io_status check(db_source *s, io_error *err)
{
    const uint64_t left = s->n_sequences - s->n_checked, n = left < CHECKED_AT_ONCE ? left : CHECKED_AT_ONCE;
    const tms_status status = tms_seqdb_check(s->ctx, s->db, s->n_checked, s->n_checked + n);

    s->n_checked += n;
    return status == TMS_OK ? IO_OK : fail(s, status, err);
}

static uint32_t word(const uint8_t *words, uint64_t i) { return core_swap32(core_read32(words + 4 * i)); }

/* The number of sequence i in its volume, which becomes s->volume. */
static uint64_t find_volume(db_source *s, uint64_t i)
{
    const uint64_t oid = tms_seqdb_oid(s->db, i);

    while (oid >= s->volume.first_oid + s->volume.n_sequences)
        tms_seqdb_get_volume(s->db, ++s->v, &s->volume);
    return oid - s->volume.first_oid;
}

static io_status take_deflines(db_source *s, uint64_t i, uint64_t at, io_error *err)
{
    struct defline_decoder *d = &s->decoder;
    const uint32_t start = word(s->volume.header_starts, at), end = word(s->volume.header_starts, at + 1);
    const char *why;
    const tms_status status = defline_decode(d, s->volume.headers + start, end - start, &why);

    if (status != TMS_OK)
        return status == TMS_E_MEMORY ? io_fail_memory(err, "deflines") : fail_changed(err);
    for (size_t k = 0; k < d->n_ids; k++)
        if (seqid_is_ordinal(&d->ids[k]) && d->ids[k].has_number)
            d->ids[k].number = (int64_t)tms_seqdb_oid(s->db, i);
    return IO_OK;
}

/* The stored bases under ambiguous ones are copied, too. */
static io_status take_bases(db_source *s, uint64_t i, uint64_t at, io_error *err)
{
    const uint32_t start = word(s->volume.starts, at), middle = word(s->volume.ambiguity_starts, at), end = word(s->volume.starts, at + 1);

    s->packed.packed.n = s->packed.ambiguity.n = 0;
    s->packed.n_bases = tms_seqdb_length(s->db, i);
    return byte_array_add(&s->packed.packed, s->volume.bytes + start, middle - start) &&
                   byte_array_add(&s->packed.ambiguity, s->volume.bytes + middle, end - middle)
               ? IO_OK
               : io_fail_memory(err, "a sequence");
}

/* Computes the hash, which uses NCBI4na codes. */
static io_status hash_bases(db_source *s, uint64_t i, uint32_t *hash, io_error *err)
{
    static const char of_codes[] = "-ACMGRSVTWYHKDBN";
    const uint64_t n = s->packed.n_bases;
    uint8_t codes[256] = {0}, *characters;

    for (uint8_t code = 1; code < 16; code++)
        codes[(uint8_t)of_codes[code]] = code;
    s->characters.n = 0;
    characters = byte_array_room(&s->characters, n);
    if (characters == NULL)
        return io_fail_memory(err, "a sequence");
    if (tms_seqdb_letters(s->db, i, 0, n, characters) != TMS_OK)
        return fail_changed(err);
    for (uint64_t k = 0; k < n; k++)
        characters[k] = codes[characters[k]];
    *hash = isam_hash(0, characters, n);
    return IO_OK;
}

static io_status take_residues(db_source *s, uint64_t i, uint64_t at, db_record *record, io_error *err)
{
    uint64_t n;
    io_status status;

    if (s->volume.ambiguity_starts != NULL) {
        status = take_bases(s, i, at, err);
        record->packed = &s->packed;
        return status == IO_OK && s->is_hashed ? hash_bases(s, i, &record->hash, err) : status;
    }
    record->residues = tms_seqdb_protein(s->db, i, &n);
    record->n_residues = n;
    if (s->is_hashed)
        record->hash = isam_hash(0, record->residues, n);
    return IO_OK;
}

io_status db_source_next(db_source *s, db_record *record, io_error *err)
{
    const uint64_t i = s->n_done;
    uint64_t at;
    io_status status = IO_OK;

    if (i == s->n_sequences)
        return IO_END;
    if (i == s->n_checked)
        status = check(s, err);
    if (status != IO_OK)
        return status;
    at = find_volume(s, i);
    status = take_deflines(s, i, at, err);
    if (status != IO_OK)
        return status;
    *record = (db_record){.deflines = s->decoder.deflines, .n_deflines = s->decoder.n};
    s->n_done++;
    return take_residues(s, i, at, record, err);
}

void db_source_free(db_source *s)
{
    for (size_t i = 0; i < s->n_masks; i++)
        tms_seqdb_masks_destroy(s->masks[i]);
    free(s->masks);
    free(s->intervals);
    free(s->found);
    free(s->characters.bytes);
    nucleotide_pack_free(&s->packed);
    defline_decoder_free(&s->decoder);
    memset(s, 0, sizeof *s);
}
