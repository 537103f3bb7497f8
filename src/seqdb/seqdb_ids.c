/* seqdb_ids.c - finds sequences by id: one pass over all deflines, with the wanted ids in a hash table. */
#include <stdatomic.h>
#include <stdlib.h>

#include "base/atomic_min.h"
#include "seqdb/seqdb_struct.h"
#include "seqid/defline_decode.h"
#include "seqid/id_table.h"

enum { GRAIN = 4096 };

struct find {
    const tms_seqdb *db;
    struct id_table table;
    const tms_seqdb_found *after;  /* for each id the sequence after which to look for it; NULL: look in all sequences */
    atomic_uint_fast64_t *numbers; /* for each id the lowest number of a sequence that has it */
    atomic_uint_fast64_t bad;      /* the lowest number of a sequence whose deflines are damaged */
    atomic_bool no_memory;
};

/* The sequence and defline of a match. */
struct match {
    struct find *find;
    uint64_t number, defline;
};

static void met(void *arg, size_t id)
{
    const struct match *match = arg;

    if (match->find->after != NULL && match->number <= match->find->after[id].number)
        return;
    atomic_min(&match->find->numbers[id], match->number << 16 | (match->defline < 0xffff ? match->defline : 0xffff));
}

static void meet_range(void *arg, size_t first, size_t end)
{
    struct find *find = arg;
    struct defline_decoder decoder = {0};

    for (uint64_t i = first; i < end; i++) {
        uint32_t oid;
        const struct seqdb_volume *v = seqdb_volume_of(find->db, i, &oid);
        struct seqdb_bytes header = seqdb_volume_header(v, oid);
        const char *why;
        tms_status status = defline_decode(&decoder, header.bytes, header.size, &why);
        if (status == TMS_E_FORMAT)
            atomic_min(&find->bad, i);
        if (status == TMS_E_MEMORY)
            atomic_store(&find->no_memory, true);
        for (size_t k = 0, at = 0; k < decoder.n; k++) {
            if (!seqdb_list_keeps(find->db->list, &decoder.deflines[k]))
                continue;
            for (size_t j = 0; j < decoder.deflines[k].n_ids; j++)
                id_table_meet(&find->table, &decoder.deflines[k].ids[j], met, &(struct match){find, i, at});
            at++;
        }
        id_table_meet_ordinal(&find->table, tms_seqdb_oid(find->db, i), met, &(struct match){find, i, 0});
    }
    defline_decoder_free(&decoder);
}

static tms_status run(tms_context *ctx, struct find *find, const char *const *ids, size_t n)
{
    tms_status status;
    uint64_t bad;

    find->numbers = calloc(n + 1, sizeof *find->numbers);
    for (size_t i = 0; i < n && find->numbers != NULL; i++) {
        atomic_init(&find->numbers[i], UINT64_MAX);
        if (!id_table_want(&find->table, ids[i], i))
            return context_fail_memory(ctx, "the ids that are looked for", n);
    }
    if (find->numbers == NULL || !id_table_make(&find->table))
        return context_fail_memory(ctx, "the ids that are looked for", n);
    status = context_run_ranges(ctx, find->db->info.n_sequences, GRAIN, meet_range, find);
    if (status != TMS_OK)
        return status;
    if (atomic_load(&find->no_memory))
        return context_fail_memory(ctx, "the names of a sequence", 1);
    bad = atomic_load(&find->bad);
    return bad == UINT64_MAX ? TMS_OK : tms_seqdb_check(ctx, find->db, bad, bad + 1);
}

static tms_status find_all(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n, const tms_seqdb_found *after,
                           tms_seqdb_found *found)
{
    struct find find = {.db = db, .after = after};
    tms_status status;

    atomic_init(&find.bad, UINT64_MAX);
    atomic_init(&find.no_memory, false);
    status = run(ctx, &find, ids, n);
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        uint64_t at = atomic_load(&find.numbers[i]);
        found[i] = at == UINT64_MAX ? (tms_seqdb_found){UINT64_MAX, 0} : (tms_seqdb_found){at >> 16, at & 0xffff};
    }
    id_table_free(&find.table);
    free(find.numbers);
    return status;
}

tms_status tms_seqdb_find(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n, tms_seqdb_found *found)
{
    return find_all(ctx, db, ids, n, NULL, found);
}

tms_status tms_seqdb_find_next(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n, tms_seqdb_found *found)
{
    return find_all(ctx, db, ids, n, found, found);
}
