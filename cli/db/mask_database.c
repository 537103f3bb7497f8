/* mask_database.c - see mask_database.h. */
#include "cli/db/mask_database.h"

#include <stdlib.h>

#include "base/byte_array.h"
#include "base/core.h"
#include "io/io_map.h"
#include "seqid/seqid_text.h"

static const char *path_at(const void *arg, const void *address) { return tms_seqdb_path_at(arg, address); }

int mask_database_open(mask_database *d, const char *command, tms_context *ctx, const char *names, tms_molecule molecule)
{
    tms_seqdb_info info;
    tms_status status = tms_seqdb_open(ctx, names, molecule, &d->db);

    d->command = command;
    d->ctx = ctx;
    if (status == TMS_OK)
        status = tms_seqdb_names_create(ctx, &d->names);
    if (status != TMS_OK)
        return cli_fail_database(command, ctx, status);
    io_map_guard(command, CLI_USAGE);
    io_map_watch(path_at, d->db);
    tms_seqdb_get_info(d->db, &info);
    d->n_sequences = info.n_sequences;
    return CLI_OK;
}

static int fail_memory(const mask_database *d) { return cli_fail(d->command, CLI_NO_MEMORY, "out of memory for sequences"); }

static int add_name(struct byte_array *header, const tms_seqdb_name *name)
{
    return byte_array_add(header, name->ids, name->ids_size) && byte_array_add(header, " ", 1) &&
           byte_array_add(header, name->title, name->title_size);
}

/* Begins a record: its header is "sp|P12345|NAME title", followed by " >sp|P12346|OTHER title" for each merged sequence. */
static int begin(mask_database *d, uint64_t i)
{
    struct byte_array header = {NULL, 0, 0};
    size_t n = 0;
    tms_status status = tms_seqdb_names_read(d->db, i, d->names, &n);
    int is_done = 1;

    if (status != TMS_OK || n == 0)
        return cli_fail_database(d->command, d->ctx, status != TMS_OK ? tms_seqdb_check(d->ctx, d->db, i, i + 1) : TMS_E_FORMAT);
    for (size_t k = 0; k < n && is_done; k++)
        is_done = (k == 0 || byte_array_add(&header, " >", 2)) && add_name(&header, tms_seqdb_names_get(d->names, k));
    is_done = is_done && seq_batch_begin(&d->batch, (const char *)header.bytes, header.n);
    free(header.bytes);
    return is_done ? CLI_OK : fail_memory(d);
}

/* Adds the residues or bases. As in FASTA input, - and * are X. */
static int add_letters(mask_database *d, uint64_t i)
{
    const uint64_t n = tms_seqdb_length(d->db, i);
    uint8_t *letters = malloc(n + 1);
    int code = letters != NULL ? CLI_OK : fail_memory(d);

    if (code == CLI_OK && tms_seqdb_letters(d->db, i, 0, n, letters) != TMS_OK)
        code = cli_fail_database(d->command, d->ctx, tms_seqdb_check(d->ctx, d->db, i, i + 1));
    for (uint64_t k = 0; code == CLI_OK && k < n; k++)
        letters[k] = letters[k] == '-' || letters[k] == '*' ? 'X' : letters[k];
    if (code == CLI_OK && (!seq_batch_residues(&d->batch, letters, n) || !seq_batch_end(&d->batch)))
        code = fail_memory(d);
    free(letters);
    return code;
}

int mask_database_next(mask_database *d, size_t batch_bytes, tms_seqs *seqs)
{
    int code = seq_batch_clear(&d->batch, d->n_done, false) ? CLI_OK : fail_memory(d);

    while (code == CLI_OK && d->n_done < d->n_sequences && d->batch.n_residues < batch_bytes) {
        code = begin(d, d->n_done);
        if (code == CLI_OK)
            code = add_letters(d, d->n_done++);
    }
    seq_batch_view(&d->batch, seqs);
    return code;
}

static uint32_t word(const uint8_t *words, uint64_t i) { return core_swap32(core_read32(words + 4 * i)); }

io_status mask_database_ids(mask_database *d, uint64_t i, struct seqid *ids, size_t *n_ids, io_error *err)
{
    const uint64_t oid = tms_seqdb_oid(d->db, i);
    const struct defline *first;
    const char *why;
    uint32_t start, end;
    tms_status status;

    for (; oid >= d->volume.first_oid + d->volume.n_sequences; d->next_volume++)
        tms_seqdb_get_volume(d->db, d->next_volume, &d->volume);
    start = word(d->volume.header_starts, oid - d->volume.first_oid);
    end = word(d->volume.header_starts, oid - d->volume.first_oid + 1);
    status = defline_decode(&d->decoder, d->volume.headers + start, end - start, &why);
    if (status == TMS_E_MEMORY)
        return io_fail_memory(err, "the ids of a sequence");
    if (status != TMS_OK || d->decoder.n == 0)
        return io_fail(err, IO_E_INPUT, 0, "the database changed while tamis read it");
    first = &d->decoder.deflines[0];
    *n_ids = first->n_ids < SEQID_MAX_IDS ? first->n_ids : SEQID_MAX_IDS;
    for (size_t k = 0; k < *n_ids; k++)
        ids[k] = first->ids[k];
    if (*n_ids == 0 || seqid_is_ordinal(&ids[0])) { /* the stored number counts within the volume */
        *n_ids = 1;
        ids[0] = (struct seqid){.kind = SEQID_GENERAL, .name = {"BL_ORD_ID", 9}, .has_number = true, .number = (int64_t)oid};
    }
    return IO_OK;
}

void mask_database_close(mask_database *d)
{
    io_map_watch(NULL, NULL);
    tms_seqdb_names_destroy(d->names);
    tms_seqdb_destroy(d->db);
    seq_batch_free(&d->batch);
    defline_decoder_free(&d->decoder);
}
