/* seqdb_check.c - reads a whole database to check it. */
#include <stdatomic.h>

#include "base/atomic_min.h"
#include "seqdb/seqdb_struct.h"
#include "seqid/defline_decode.h"

enum { GRAIN = 4096 };

struct check {
    const tms_seqdb *db;
    uint64_t first, end;
    atomic_uint_fast64_t bad; /* the lowest number of a damaged sequence, or end */
    atomic_bool no_memory;
};

/* Writes what is wrong with sequence i. */
static tms_status check_one(tms_context *ctx, const tms_seqdb *db, uint64_t i, struct defline_decoder *decoder)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);
    struct seqdb_bytes header = seqdb_volume_header(v, oid);
    const char *why = NULL;
    tms_status status = seqdb_volume_check_sequence(ctx, v, oid);

    if (status != TMS_OK)
        return status;
    status = defline_decode(decoder, header.bytes, header.size, &why);
    return status == TMS_E_FORMAT ? seqdb_volume_fail(ctx, v, 'h', "sequence %u: its deflines: the value %s", oid, why)
           : status != TMS_OK     ? context_fail_memory(ctx, "the names of a sequence", header.size)
                                  : TMS_OK;
}

/* A thread of the pool cannot use the context: it finds the damaged sequence, and check_one() writes the message. */
static void check_range(void *arg, size_t first, size_t end)
{
    struct check *check = arg;
    struct defline_decoder decoder = {0};

    for (uint64_t i = check->first + first; i < check->first + end && i < atomic_load(&check->bad); i++) {
        uint32_t oid;
        const struct seqdb_volume *v = seqdb_volume_of(check->db, i, &oid);
        struct seqdb_bytes header = seqdb_volume_header(v, oid);
        const char *why;
        tms_status status = seqdb_volume_fault(v, oid) != NULL ? TMS_E_FORMAT : defline_decode(&decoder, header.bytes, header.size, &why);
        if (status == TMS_OK)
            continue;
        if (status == TMS_E_MEMORY) { /* leaves the rest unread */
            atomic_store(&check->no_memory, true);
            break;
        }
        atomic_min(&check->bad, i);
        break;
    }
    defline_decoder_free(&decoder);
}

tms_status tms_seqdb_check(tms_context *ctx, const tms_seqdb *db, uint64_t first, uint64_t end)
{
    struct check check = {.db = db, .first = first, .end = end};
    struct defline_decoder decoder = {0};
    tms_status status;

    if (first > end || end > db->info.n_sequences)
        return context_fail(ctx, TMS_E_ARG, "sequences %llu .. %llu: the database has %llu", (unsigned long long)first,
                            (unsigned long long)end, (unsigned long long)db->info.n_sequences);
    atomic_init(&check.bad, end);
    atomic_init(&check.no_memory, false);
    status = context_run_ranges(ctx, end - first, GRAIN, check_range, &check);
    if (status != TMS_OK)
        return status;
    if (atomic_load(&check.bad) == end)
        return atomic_load(&check.no_memory) ? context_fail_memory(ctx, "the names of a sequence", 1) : TMS_OK;
    status = check_one(ctx, db, atomic_load(&check.bad), &decoder);
    defline_decoder_free(&decoder);
    return status;
}
