/* blastn_long.c - see blastn_long.h. */
#include "blastn/blastn_long.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

static tms_status add(struct blastn_longs *longs, uint64_t number, int n)
{
    const size_t n_chunks = blastn_n_chunks((uint64_t)n);
    struct blastn_long *l;

    if (!array_reserve(&longs->items, &longs->capacity, longs->n + 1, sizeof *longs->items))
        return TMS_E_MEMORY;
    l = &longs->items[longs->n++];
    memset(l, 0, sizeof *l);
    l->number = number;
    l->n = n;
    l->first = longs->n_chunks;
    l->n_chunks = n_chunks;
    atomic_init(&l->n_left, n_chunks);
    longs->n_chunks += n_chunks;
    l->chunks = calloc(n_chunks, sizeof *l->chunks);
    return l->chunks != NULL ? TMS_OK : TMS_E_MEMORY;
}

tms_status blastn_longs_init(const tms_seqdb *db, tms_seqdb_range range, struct blastn_longs *out)
{
    tms_status status = TMS_OK;
    tms_seqdb_info info;

    memset(out, 0, sizeof *out);
    tms_seqdb_get_info(db, &info);
    if (info.longest <= CHUNK_BASES)
        return TMS_OK;
    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        const uint64_t n = tms_seqdb_length(db, i);
        if (n > CHUNK_BASES && n <= INT32_MAX - CHUNK_BASES) /* a longer one is refused where it is scanned */
            status = add(out, i, (int)n);
    }
    return status;
}

void blastn_longs_free(struct blastn_longs *longs)
{
    for (size_t i = 0; i < longs->n; i++) {
        struct blastn_long *l = &longs->items[i];
        for (size_t j = 0; j < l->n_chunks && l->chunks != NULL; j++) {
            for (size_t k = 0; k < l->chunks[j].n; k++)
                hsp_list_free(&l->chunks[j].items[k].hsps);
            free(l->chunks[j].items);
        }
        free(l->chunks);
    }
    free(longs->items);
    memset(longs, 0, sizeof *longs);
}

tms_status blastn_parts_take(struct blastn_parts *parts, uint32_t placed, struct hsp_list *hsps)
{
    if (!array_reserve(&parts->items, &parts->capacity, parts->n + 1, sizeof *parts->items))
        return TMS_E_MEMORY;
    parts->items[parts->n++] = (struct blastn_part){placed, *hsps};
    memset(hsps, 0, sizeof *hsps);
    return TMS_OK;
}
