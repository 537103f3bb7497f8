/*
 * seqdb_select.c - selects a part of a database: one pass over all deflines finds the sequences with a defline to keep, and turns them
 * into slices. When a sequence is read, its deflines are checked again.
 */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/atomic_min.h"
#include "base/extensible.h"
#include "seqdb/selection_length.h"
#include "seqdb/seqdb_list.h"
#include "seqdb/seqdb_struct.h"
#include "seqid/defline_decode.h"

STRUCT_ENDS_WITH(tms_seqdb_selection, is_negative);

enum { GRAIN = 4096 };

struct selecting {
    const tms_seqdb *of;
    tms_seqdb *db;
    unsigned char *is_kept;          /* a byte for each sequence */
    atomic_uint_fast64_t bad;        /* the lowest number of a sequence whose deflines are damaged */
    atomic_uint_fast64_t without_gi; /* the lowest number of a sequence with a defline that has no GI */
    atomic_bool no_memory;
};

static bool has_gi(const struct defline *defline)
{
    for (size_t i = 0; i < defline->n_ids; i++) {
        if (defline->ids[i].kind == SEQID_GI)
            return true;
    }
    return false;
}

static void look(struct selecting *s, struct defline_decoder *decoder, uint64_t i)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(s->of, i, &oid);
    struct seqdb_bytes header = seqdb_volume_header(v, oid);
    const char *why;
    tms_status status = defline_decode(decoder, header.bytes, header.size, &why);

    if (status == TMS_E_FORMAT)
        atomic_min(&s->bad, i);
    if (status == TMS_E_MEMORY)
        atomic_store(&s->no_memory, true);
    for (size_t k = 0; k < decoder->n; k++) {
        const struct defline *defline = &decoder->deflines[k];
        if (!has_gi(defline))
            atomic_min(&s->without_gi, i);
        if (seqdb_list_keeps(s->db->list, defline))
            s->is_kept[i] = 1;
    }
}

static void look_at_range(void *arg, size_t first, size_t end)
{
    struct selecting *s = arg;
    struct defline_decoder decoder = {0};

    for (uint64_t i = first; i < end; i++)
        look(s, &decoder, i);
    defline_decoder_free(&decoder);
}

static tms_status mark(tms_context *ctx, struct selecting *s)
{
    const uint64_t n = s->of->info.n_sequences;
    const struct seqdb_list *list = s->db->list;
    tms_status status;
    uint64_t bad, without_gi;

    s->is_kept = calloc(n + 1, 1);
    if (s->is_kept == NULL)
        return context_fail_memory(ctx, "which sequences are selected", n);
    status = context_run_ranges(ctx, n, GRAIN, look_at_range, s);
    if (status != TMS_OK)
        return status;
    if (atomic_load(&s->no_memory))
        return context_fail_memory(ctx, "the names of a sequence", 1);
    bad = atomic_load(&s->bad);
    if (bad != UINT64_MAX && (status = tms_seqdb_check(ctx, s->of, bad, bad + 1)) != TMS_OK)
        return status;
    without_gi = atomic_load(&s->without_gi);
    if (list->n_gis > 0 && list->is_negative && without_gi != UINT64_MAX)
        return context_fail(ctx, TMS_E_ARG, "sequence %llu has a name without a gi: a list of gis cannot exclude it",
                            (unsigned long long)without_gi);
    return TMS_OK;
}

/* Counts the runs of kept sequences, cut at the borders of slices; writes them to slices unless that is NULL. */
static size_t cut(const struct selecting *s, struct seqdb_slice *slices)
{
    size_t n = 0;

    for (size_t k = 0; k < s->of->n_slices; k++) {
        const struct seqdb_slice *whole = &s->of->slices[k];
        const unsigned char *is_kept = s->is_kept + whole->start;
        for (uint32_t i = 0; i < whole->n; i++) {
            if (!is_kept[i])
                continue;
            if (i == 0 || !is_kept[i - 1]) {
                n++;
                if (slices != NULL)
                    slices[n - 1] = (struct seqdb_slice){.volume = whole->volume, .first = whole->first + i};
            }
            if (slices != NULL)
                slices[n - 1].n++;
        }
    }
    return n;
}

uint64_t selection_length(const tms_seqdb *db, uint64_t i)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);
    const uint64_t n = seqdb_volume_length(v, oid);

    return v->molecule == TMS_PROTEIN ? n : n / 4 * 4 + oid % 4;
}

/* For an empty selection blastp counts the first sequence of the whole database. */
static void sum_up(const tms_seqdb *of, tms_seqdb *db)
{
    tms_seqdb_info *info = &db->info;

    info->n_residues = info->stats_n_residues = info->longest = 0;
    for (uint64_t i = 0; i < info->n_sequences; i++) {
        uint64_t n = tms_seqdb_length(db, i);
        info->n_residues += n;
        info->stats_n_residues += selection_length(db, i);
        info->longest = n > info->longest ? n : info->longest;
    }
    info->stats_n_sequences = info->n_sequences;
    if (info->n_sequences == 0 && of->info.n_sequences > 0) {
        info->stats_n_sequences = 1;
        info->stats_n_residues = tms_seqdb_length(of, 0);
    }
}

static tms_status fill(tms_context *ctx, struct selecting *s)
{
    tms_seqdb *db = s->db;
    const size_t n = cut(s, NULL);
    tms_status status;

    db->slices = calloc(n + 1, sizeof *db->slices);
    if (db->slices == NULL)
        return context_fail_memory(ctx, "which sequences are selected", n * sizeof *db->slices);
    db->n_slices = n > 0 ? n : 1;
    cut(s, db->slices);
    status = seqdb_make_slices(ctx, db);
    if (status == TMS_OK)
        sum_up(s->of, db);
    return status;
}

/* Copies everything but the slices and the list. */
static void borrow(const tms_seqdb *of, tms_seqdb *db)
{
    *db = *of;
    db->of = of;
    db->volume_starts = NULL;
    db->slices = NULL;
    db->byte_starts = NULL;
    db->list = NULL;
    db->info.is_selection = 1;
}

tms_status tms_seqdb_select_sized(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_selection *selection, size_t selection_size,
                                  tms_seqdb **out)
{
    tms_seqdb_selection wanted = {0};
    struct selecting s = {.of = db};
    tms_status status;

    *out = NULL;
    if (!struct_in(&wanted, sizeof wanted, selection, selection_size))
        return context_fail_newer(ctx, "tms_seqdb_selection");
    if (db->of != NULL)
        return context_fail(ctx, TMS_E_ARG, "the database is already a part of another one");
    s.db = calloc(1, sizeof *s.db);
    if (s.db == NULL)
        return context_fail_memory(ctx, "a database", sizeof *s.db);
    borrow(db, s.db);
    atomic_init(&s.bad, UINT64_MAX);
    atomic_init(&s.without_gi, UINT64_MAX);
    atomic_init(&s.no_memory, false);
    status = seqdb_list_create(ctx, &wanted, (int)db->info.version, &s.db->list);
    if (status == TMS_OK)
        status = mark(ctx, &s);
    if (status == TMS_OK)
        status = fill(ctx, &s);
    free(s.is_kept);
    if (status != TMS_OK) {
        tms_seqdb_destroy(s.db);
        s.db = NULL;
    }
    *out = s.db;
    return status;
}
