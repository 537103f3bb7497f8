/*
 * seqdb_memory.c - records in memory as a database: writes the files of volumes into arrays, then checks and reads these like files.
 *
 * Headers are not parsed: the title of a sequence is its whole header, and its id gnl|BL_ORD_ID|k, as in makeblastdb without
 * -parse_seqids. A new volume begins before the sequence with which a file would exceed what its offsets can express.
 */
#include <stdlib.h>

#include "base/array.h"
#include "seqdb/index_encode.h"
#include "seqdb/nucleotide_pack.h"
#include "seqdb/seqdb_struct.h"
#include "seqid/defline_encode.h"
#include "tamis/alphabet.h"

#define MAX_FILE_BYTES ((uint64_t)UINT32_MAX)

/* The volume that is being made. */
struct making {
    tms_context *ctx;
    tms_molecule molecule;
    struct text title;
    struct byte_array sequences, headers;
    struct byte_array starts[3]; /* offsets of headers, sequences and ambiguity blocks, as words */
    uint32_t n_oids;
    uint64_t n_residues, longest;
    struct nucleotide_pack pack;
    struct byte_array header, codes; /* of the current sequence */
    tms_seqdb *db;
    size_t volumes_capacity;
};

static tms_status fail_memory(const struct making *m, uint64_t size) { return context_fail_memory(m->ctx, "a database in memory", size); }

static bool add_word(struct byte_array *array, uint64_t word) { return byte_array_add_big_endian(array, &(uint32_t){(uint32_t)word}, 1); }

static void free_arrays(struct making *m)
{
    free(m->sequences.bytes);
    free(m->headers.bytes);
    for (size_t i = 0; i < 3; i++)
        free(m->starts[i].bytes);
    m->sequences = m->headers = m->starts[0] = m->starts[1] = m->starts[2] = (struct byte_array){0};
}

static bool begin_volume(struct making *m)
{
    m->n_oids = 0;
    m->n_residues = m->longest = 0;
    return byte_array_add(&m->sequences, "", 1); /* adds the zero byte before the first sequence */
}

/* Makes the index: its head, then the offsets. */
static bool make_index(struct making *m, struct byte_array *index)
{
    const struct index_head head = {.molecule = m->molecule,
                                    .version = 4,
                                    .title = m->title,
                                    .date = {"", 0},
                                    .n_sequences = m->n_oids,
                                    .n_residues = m->n_residues,
                                    .longest = (uint32_t)m->longest};

    return add_word(&m->starts[0], m->headers.n) && add_word(&m->starts[1], m->sequences.n) && add_word(&m->starts[2], m->sequences.n) &&
           index_encode_head(&head, index) && byte_array_add(index, m->starts[0].bytes, m->starts[0].n) &&
           byte_array_add(index, m->starts[1].bytes, m->starts[1].n) &&
           (m->molecule == TMS_PROTEIN || byte_array_add(index, m->starts[2].bytes, m->starts[2].n));
}

/* Ends the current volume and adds it to the database, which owns its arrays from then on. */
static tms_status end_volume(struct making *m)
{
    tms_seqdb *db = m->db;
    struct byte_array index = {0};
    struct seqdb_volume *volume;

    if (!make_index(m, &index) || !array_reserve(&db->volumes, &m->volumes_capacity, db->n_volumes + 1, sizeof *db->volumes)) {
        free(index.bytes);
        return fail_memory(m, index.n);
    }
    volume = &db->volumes[db->n_volumes++];
    *volume = (struct seqdb_volume){.molecule = m->molecule,
                                    .is_allocated = true,
                                    .index = {index.bytes, index.n},
                                    .headers = {m->headers.bytes, m->headers.n},
                                    .sequences = {m->sequences.bytes, m->sequences.n}};
    m->headers = m->sequences = (struct byte_array){0};
    free_arrays(m);
    return seqdb_volume_check(m->ctx, volume);
}

/* ---- one record ------------------------------------------------------------------------------------------------- */

/* record: its number, from 1, in the input of the batch. */
static tms_status fail_residue(const struct making *m, uint64_t record, size_t at, uint8_t residue)
{
    return context_fail(m->ctx, TMS_E_ARG, "record %llu, character %zu: the byte 0x%02x is not %s", (unsigned long long)record, at + 1,
                        residue, m->molecule == TMS_PROTEIN ? "an amino acid" : "a nucleotide");
}

/* Encodes a record to m->codes, and nucleotides also to m->pack. */
static tms_status encode(struct making *m, uint64_t record, const uint8_t *residues, size_t n)
{
    tms_alphabet alphabet = m->molecule == TMS_PROTEIN ? TMS_ALPHABET_NCBISTDAA : TMS_ALPHABET_NCBI4NA;
    size_t n_encoded;

    m->codes.n = 0;
    if (byte_array_room(&m->codes, n) == NULL)
        return fail_memory(m, n);
    n_encoded = tms_alphabet_encode(alphabet, residues, n, m->codes.bytes);
    if (n_encoded < n)
        return fail_residue(m, record, n_encoded, residues[n_encoded]);
    m->codes.n = n;
    if (m->molecule == TMS_PROTEIN)
        return TMS_OK;
    for (size_t k = 0; k < n; k++) {
        if (m->codes.bytes[k] == 0) /* a gap, which has no base to store */
            return fail_residue(m, record, k, residues[k]);
    }
    nucleotide_pack_begin(&m->pack);
    return nucleotide_pack_add(&m->pack, m->codes.bytes, n) && nucleotide_pack_end(&m->pack) ? TMS_OK : fail_memory(m, n);
}

static bool make_header(struct making *m, const char *title, size_t n)
{
    struct seqid id = {.kind = SEQID_GENERAL, .name = {"BL_ORD_ID", 9}, .has_number = true, .number = m->n_oids};
    const struct defline defline = {.title = {title, n}, .ids = &id, .n_ids = 1};

    m->header.n = 0;
    return defline_encode(&defline, 1, &m->header);
}

/* Bytes of the record in the sequence file. */
static uint64_t encoded_size(const struct making *m)
{
    return m->molecule == TMS_PROTEIN ? (uint64_t)m->codes.n + 1 : (uint64_t)m->pack.packed.n + m->pack.ambiguity.n;
}

static bool append(struct making *m, size_t n_residues)
{
    bool is_fine = add_word(&m->starts[0], m->headers.n) && add_word(&m->starts[1], m->sequences.n) &&
                   byte_array_add(&m->headers, m->header.bytes, m->header.n);

    if (m->molecule == TMS_PROTEIN)
        is_fine = is_fine && byte_array_add(&m->sequences, m->codes.bytes, m->codes.n) && byte_array_add(&m->sequences, "", 1);
    else
        is_fine = is_fine && byte_array_add(&m->sequences, m->pack.packed.bytes, m->pack.packed.n) &&
                  add_word(&m->starts[2], m->sequences.n) && byte_array_add(&m->sequences, m->pack.ambiguity.bytes, m->pack.ambiguity.n);
    m->n_oids++;
    m->n_residues += n_residues;
    m->longest = n_residues > m->longest ? n_residues : m->longest;
    return is_fine;
}

static tms_status add_record(struct making *m, const tms_seqs *seqs, size_t i)
{
    uint64_t n = tms_seqs_length(seqs, i), n_header = tms_seqs_header_size(seqs, i), record = seqs->first_record + i + 1;
    tms_status status;

    if (n > MAX_FILE_BYTES - 16 || n_header > MAX_FILE_BYTES / 2)
        return context_fail(m->ctx, TMS_E_ARG,
                            "record %llu: has %llu residues or bases and a header of %llu bytes: the limits are 2^32 - 17 and 2^31 - 1",
                            (unsigned long long)record, (unsigned long long)n, (unsigned long long)n_header);
    status = encode(m, record, seqs->residues + seqs->residue_starts[i], (size_t)n);
    if (status != TMS_OK)
        return status;
    if (!make_header(m, seqs->headers + seqs->header_starts[i], (size_t)n_header))
        return fail_memory(m, n_header);
    if (m->n_oids > 0 &&
        (m->sequences.n + encoded_size(m) > MAX_FILE_BYTES || m->headers.n + m->header.n > MAX_FILE_BYTES || m->n_oids == UINT32_MAX - 1)) {
        status = end_volume(m);
        if (status != TMS_OK)
            return status;
        if (!begin_volume(m) || !make_header(m, seqs->headers + seqs->header_starts[i], (size_t)n_header))
            return fail_memory(m, n);
    }
    if (m->sequences.n + encoded_size(m) > MAX_FILE_BYTES)
        return context_fail(m->ctx, TMS_E_ARG, "record %llu: takes %llu bytes with its ambiguity codes: the limit is 2^32 - 2",
                            (unsigned long long)record, (unsigned long long)encoded_size(m));
    return append(m, (size_t)n) ? TMS_OK : fail_memory(m, n);
}

/* Makes a slice for each volume, and the totals, which an alias file may override in a database of files. */
static tms_status finish(struct making *m, const char *title)
{
    tms_seqdb *db = m->db;
    tms_status status;

    db->slices = calloc(db->n_volumes, sizeof *db->slices);
    db->title = strdup(title);
    if (db->slices == NULL || db->title == NULL)
        return fail_memory(m, db->n_volumes * sizeof *db->slices);
    db->n_slices = db->n_volumes;
    for (size_t v = 0; v < db->n_volumes; v++)
        db->slices[v] = (struct seqdb_slice){.volume = (uint32_t)v, .n = db->volumes[v].n_oids};
    status = seqdb_finish(m->ctx, db);
    db->info.version = 0;
    db->info.shown_n_sequences = db->info.stats_n_sequences = db->info.n_sequences;
    db->info.shown_n_residues = db->info.stats_n_residues = db->info.n_residues;
    return status;
}

tms_status tms_seqdb_from_seqs(tms_context *ctx, const tms_seqs *seqs, tms_molecule molecule, const char *title, tms_seqdb **out)
{
    struct making m = {.ctx = ctx, .molecule = molecule, .title = {title, strlen(title)}};
    tms_status status = TMS_OK;

    *out = NULL;
    if (molecule != TMS_PROTEIN && molecule != TMS_NUCLEOTIDE)
        return context_fail(ctx, TMS_E_ARG, "a molecule is TMS_PROTEIN or TMS_NUCLEOTIDE, not %d", (int)molecule);
    m.db = calloc(1, sizeof *m.db);
    if (m.db == NULL || !begin_volume(&m))
        status = fail_memory(&m, sizeof *m.db);
    for (size_t i = 0; i < seqs->n_records && status == TMS_OK; i++) {
        if (i % 1024 == 0)
            status = context_check_cancelled(ctx);
        if (status == TMS_OK)
            status = add_record(&m, seqs, i);
    }
    if (status == TMS_OK)
        status = end_volume(&m);
    if (status == TMS_OK)
        status = finish(&m, title);
    free_arrays(&m);
    nucleotide_pack_free(&m.pack);
    free(m.header.bytes);
    free(m.codes.bytes);
    if (status != TMS_OK) {
        tms_seqdb_destroy(m.db);
        m.db = NULL;
    }
    *out = m.db;
    return status;
}
