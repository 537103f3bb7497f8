/*
 * blastn_long.h - long subjects, which are searched in chunks: each chunk may be another thread's. The thread that ends the last chunk
 * joins what all have left.
 */
#ifndef TMS_BLASTN_LONG_H
#define TMS_BLASTN_LONG_H

#include <stdatomic.h>

#include "hits/chunk_merge.h"
#include "hits/hsp.h"
#include "tamis/seqdb.h"

enum { CHUNK_BASES = 5000000, CHUNK_STEP = CHUNK_BASES - CHUNK_OVERLAP };

/* blastn_n_chunks() - the number of chunks of a subject of n bases. */
static inline size_t blastn_n_chunks(uint64_t n)
{
    return n <= CHUNK_BASES ? n > 0 : (size_t)(1 + (n - CHUNK_BASES + CHUNK_STEP - 1) / CHUNK_STEP);
}

/* The preliminary HSPs of a query in a chunk, with positions in the chunk. */
struct blastn_part {
    uint32_t placed; /* number of the query in query_group.placed */
    struct hsp_list hsps;
};

struct blastn_parts {
    struct blastn_part *items;
    size_t n, capacity;
};

struct blastn_long {
    uint64_t number; /* of the subject, which has n bases */
    int n;
    size_t first, n_chunks; /* the first chunk's number among those of all long subjects */
    atomic_size_t n_left;   /* chunks that have not ended */
    struct blastn_parts *chunks;
};

/* The long subjects of a scan, by number. */
struct blastn_longs {
    struct blastn_long *items;
    size_t n, capacity, n_chunks; /* chunks of all */
};

/*
 * blastn_longs_init() - lists the long subjects of a range. out [out] freed with blastn_longs_free(), also after a failure
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status blastn_longs_init(const tms_seqdb *db, tms_seqdb_range range, struct blastn_longs *out);
void blastn_longs_free(struct blastn_longs *longs); /* zeroed is fine */

/* blastn_parts_take() - moves HSPs to a chunk's parts. Returns TMS_OK or TMS_E_MEMORY. */
tms_status blastn_parts_take(struct blastn_parts *parts, uint32_t placed, struct hsp_list *hsps);

#endif
