/* blastp_masking.c - encodes a query, and finds what is masked in it: by SEG, and residues in lower case. */
#include <stdlib.h>

#include "blastp/blastp_setup.h"
#include "mask/lower_case.h"
#include "mask/seg.h"
#include "tamis/alphabet.h"

/* A thread's own. */
struct masker {
    struct seg *seg;
    struct intervals found;
};

tms_status blastp_encode_query(tms_context *ctx, uint64_t record, const uint8_t *characters, size_t n, uint8_t *codes)
{
    const size_t n_encoded = tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, characters, n, codes);

    if (n_encoded == n)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "query %llu: byte 0x%02x at position %llu is no letter of a protein", (unsigned long long)record,
                        characters[n_encoded], (unsigned long long)n_encoded + 1);
}

/* Of intervals that begin together the longest is first: one of a single residue then lies in it. */
static int compare_intervals(const void *pa, const void *pb)
{
    const tms_interval *a = pa, *b = pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* Sorts intervals, and joins those that have this many residues in common. Returns false if there is no memory. */
static bool unite(struct intervals *from, uint64_t in_common, struct intervals *to)
{
    to->n = 0;
    if (from->n > 1)
        qsort(from->items, from->n, sizeof *from->items, compare_intervals);
    for (size_t i = 0; i < from->n; i++) {
        const tms_interval *next = &from->items[i];
        if (to->n > 0 && next->start + in_common <= to->items[to->n - 1].end) {
            if (next->end > to->items[to->n - 1].end)
                to->items[to->n - 1].end = next->end;
        } else if (!intervals_add(to, next->start, next->end)) {
            return false;
        }
    }
    return true;
}

/*
 * As BLAST joins them, whose reports tell: first the intervals of SEG that have a residue in common, then all intervals that have two.
 * Returns false if there is no memory.
 */
static bool find_masked(const struct blastp_setup *setup, struct masker *m, const uint8_t *characters, const uint8_t *codes, size_t n,
                        struct intervals *masked)
{
    m->found.n = 0;
    if (setup->masks_seg) {
        struct intervals joined;
        if (m->seg == NULL && (m->seg = seg_create(&setup->seg)) == NULL)
            return false;
        if (!seg_mask(m->seg, codes, n, &m->found) || !unite(&m->found, 1, masked))
            return false;
        joined = *masked;
        *masked = m->found;
        m->found = joined;
    }
    return (!setup->masks_lower_case || lower_case_mask(characters, n, &m->found)) && unite(&m->found, 2, masked);
}

tms_status blastp_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked)
{
    if (*masker == NULL && (*masker = calloc(1, sizeof(struct masker))) == NULL)
        return TMS_E_MEMORY;
    return find_masked(blastp_setup_of(setup), *masker, characters, codes, n, masked) ? TMS_OK : TMS_E_MEMORY;
}

void blastp_free_masker(void *masker)
{
    struct masker *m = masker;

    if (m == NULL)
        return;
    seg_destroy(m->seg);
    free(m->found.items);
    free(m);
}
