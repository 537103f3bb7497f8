/* seqdb_names.c - prints the deflines of a sequence. */
#include <stdlib.h>

#include "base/array.h"
#include "seqdb/seqdb_names.h"
#include "seqid/defline_decode.h"
#include "seqid/seqid_text.h"

/* Offsets of a name's texts in the arena, which may still move. */
struct positions {
    size_t accession, id, ids, shown, end;
    bool is_called_by_id;
};

struct tms_seqdb_names {
    struct defline_decoder decoder;
    struct byte_array arena;
    tms_seqdb_name *names;
    size_t n, capacity;
    struct positions *positions;
    size_t positions_capacity;
};

tms_status tms_seqdb_names_create(tms_context *ctx, tms_seqdb_names **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL ? TMS_OK : context_fail_memory(ctx, "the names of a sequence", sizeof **out);
}

void tms_seqdb_names_destroy(tms_seqdb_names *names)
{
    if (names == NULL)
        return;
    defline_decoder_free(&names->decoder);
    free(names->arena.bytes);
    free(names->names);
    free(names->positions);
    free(names);
}

/* gnl|BL_ORD_ID|k has the number in the volume; replaces it by the number in the database, as BLAST prints it. */
static bool add_name(tms_seqdb_names *names, const struct defline *defline, uint64_t oid)
{
    const struct seqid *best = seqid_best(defline);
    tms_seqdb_name *name = &names->names[names->n];
    struct positions *positions = &names->positions[names->n];
    struct byte_array *arena = &names->arena;
    struct seqid ordinal = {.kind = SEQID_GENERAL, .name = {"BL_ORD_ID", 9}, .has_number = true, .number = (int64_t)oid};
    struct defline of_ordinal = {.title = defline->title, .ids = &ordinal, .n_ids = 1, .taxid = defline->taxid};

    *name = (tms_seqdb_name){.gi = -1, .taxid = defline->taxid, .title = defline->title.bytes, .title_size = defline->title.n};
    name->has_id = best != NULL && !(seqid_is_ordinal(best) && best->has_number);
    if (!name->has_id) {
        defline = &of_ordinal;
        best = &ordinal;
    }
    for (size_t i = defline->n_ids; i-- > 0;) {
        if (defline->ids[i].kind == SEQID_GI)
            name->gi = defline->ids[i].number;
    }
    positions->is_called_by_id = seqid_is_label(best);
    positions->accession = arena->n;
    if (!seqid_text_accession(best, arena))
        return false;
    positions->id = arena->n;
    if (!seqid_text_fasta(best, arena))
        return false;
    positions->ids = arena->n;
    if (!seqid_text_all(defline, arena))
        return false;
    positions->shown = arena->n;
    if (!seqid_text_shown(defline, arena))
        return false;
    positions->end = arena->n;
    names->n++;
    return true;
}

tms_status seqdb_names_read(const struct seqdb_volume *v, uint32_t oid, uint64_t global_oid, const struct seqdb_list *list,
                            tms_seqdb_names *names, const char **why)
{
    struct seqdb_bytes header = seqdb_volume_header(v, oid);
    tms_status status = defline_decode(&names->decoder, header.bytes, header.size, why);
    size_t n = names->decoder.n;

    names->n = 0;
    names->arena.n = 0;
    if (status != TMS_OK)
        return status;
    if (!array_reserve(&names->names, &names->capacity, n, sizeof *names->names) ||
        !array_reserve(&names->positions, &names->positions_capacity, n, sizeof *names->positions))
        return TMS_E_MEMORY;
    for (size_t k = 0; k < n; k++) {
        const struct defline *defline = &names->decoder.deflines[k];
        if (seqdb_list_keeps(list, defline) && !add_name(names, defline, global_oid))
            return TMS_E_MEMORY;
    }
    for (size_t k = 0; k < names->n; k++) {
        tms_seqdb_name *name = &names->names[k];
        const struct positions *positions = &names->positions[k];
        const char *arena = (const char *)names->arena.bytes;
        name->accession = arena + positions->accession;
        name->accession_size = positions->id - positions->accession;
        name->id = arena + positions->id;
        name->id_size = positions->ids - positions->id;
        name->ids = arena + positions->ids;
        name->ids_size = positions->shown - positions->ids;
        name->shown = arena + positions->shown;
        name->shown_size = positions->end - positions->shown;
        name->label = positions->is_called_by_id ? name->id : name->accession;
        name->label_size = positions->is_called_by_id ? name->id_size : name->accession_size;
        if (name->title == NULL)
            name->title = "";
    }
    return TMS_OK;
}

tms_status tms_seqdb_names_read(const tms_seqdb *db, uint64_t i, tms_seqdb_names *names, size_t *n)
{
    const char *why;
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);
    tms_status status = seqdb_names_read(v, oid, tms_seqdb_oid(db, i), db->list, names, &why);

    *n = names->n;
    return status;
}

const tms_seqdb_name *tms_seqdb_names_get(const tms_seqdb_names *names, size_t k) { return &names->names[k]; }
