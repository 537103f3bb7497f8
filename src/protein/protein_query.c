/* protein_query.c - prepares a query: codes, masking by SEG and of lower case, statistics and cutoffs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mask/lower_case.h"
#include "mask/seg.h"
#include "protein/protein_setup.h"
#include "tamis/alphabet.h"

#define GAP_TRIGGER 22.0 /* bits of an ungapped HSP that is worth a gapped extension */

/* Working memory of one thread. */
struct masker {
    struct seg *seg;
    struct intervals found;
};

tms_status protein_encode_query(tms_context *ctx, uint64_t record, const uint8_t *characters, size_t n, uint8_t *codes)
{
    const size_t n_encoded = tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, characters, n, codes);

    if (n_encoded == n)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "query %llu: byte 0x%02x at position %llu is no letter of a protein", (unsigned long long)record,
                        characters[n_encoded], (unsigned long long)n_encoded + 1);
}

/* Among intervals with the same beginning the longest is first, so that an interval of a single residue lies within it. */
static int compare_intervals(const void *pa, const void *pb)
{
    const tms_interval *a = pa, *b = pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* Sorts intervals, and joins those that share at least in_common residues. Returns false if memory is short. */
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
 * Joins intervals as BLAST does, whose reports show them: first SEG's intervals that share a residue, then all intervals that share two.
 * Returns false if memory is short.
 */
static bool find_masked(const struct protein_setup *setup, struct masker *m, const uint8_t *characters, const uint8_t *codes, size_t n,
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

tms_status protein_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                              struct intervals *masked)
{
    if (*masker == NULL && (*masker = calloc(1, sizeof(struct masker))) == NULL)
        return TMS_E_MEMORY;
    return find_masked(protein_setup_of(setup), *masker, characters, codes, n, masked) ? TMS_OK : TMS_E_MEMORY;
}

void protein_free_masker(void *masker)
{
    struct masker *m = masker;

    if (m == NULL)
        return;
    seg_destroy(m->seg);
    free(m->found.items);
    free(m);
}

/* --- statistics and cutoffs --- */

static void set_cutoffs(const struct protein_setup *setup, int statistics_length, struct search_query *query)
{
    const struct search_setup *search = &setup->search;
    const struct gapped_statistics *s = &query->statistics;
    const struct search_database *db = &search->database;
    int trigger = (int)((GAP_TRIGGER * SCORE_LN_2 + query->karlin.log_K) / query->karlin.lambda);

    query->statistics = search->statistics;
    if (search->ungapped)
        ungapped_statistics_init(setup->matrix, &query->karlin, &query->statistics);
    if (search->has_search_space || search->ungapped || setup->smith_waterman) {
        int64_t adjustment = length_adjustment(s, statistics_length, db->n_residues, db->n_sequences);
        query->search_space = search->search_space > 0
                                  ? search->search_space
                                  : effective_search_space(statistics_length, db->n_residues, db->n_sequences, adjustment);
    }
    query->cutoff = search_cutoff(search, query, search->preliminary_evalue);
    query->cutoff_ungapped = trigger < query->cutoff ? trigger : query->cutoff;
    query->x_ungapped = search_whole_score(ceil(setup->x_drop_ungapped * SCORE_LN_2 / query->karlin.lambda));
    if (query->x_ungapped == 0)
        query->x_ungapped = query->cutoff_ungapped;
}

/* The search replaces O by X, and also masked residues unless masking is soft. */
tms_status protein_prepare_query(const struct search_setup *search, const struct query_part *part, struct search_query *out)
{
    const struct protein_setup *setup = protein_setup_of(search);
    const uint8_t *codes = part->codes;
    const int length = part->length;
    uint8_t *copy = calloc((size_t)length + 2, 1);
    tms_status status;

    memset(out, 0, sizeof *out);
    if (copy == NULL)
        return TMS_E_MEMORY;
    out->original = codes;
    out->codes = copy + 1;
    out->length = length;
    for (int i = 0; i < length; i++)
        out->codes[i] = codes[i] == CODE_O ? CODE_X : codes[i];
    for (size_t i = 0; i < part->n_masked && !setup->soft_masking; i++)
        memset(out->codes + part->masked[i].first, CODE_X, (size_t)(part->masked[i].end - part->masked[i].first));
    out->statistics = setup->search.statistics;
    out->is_valid = karlin_of_query(setup->matrix, out->codes, (size_t)length, &out->karlin);
    if (!out->is_valid)
        return TMS_OK;
    set_cutoffs(setup, part->whole != NULL ? part->space->length : length, out);
    status = search_query_set_ranges(part->masked, part->n_masked, out);
    if (status != TMS_OK)
        search_query_free(out);
    return status;
}
