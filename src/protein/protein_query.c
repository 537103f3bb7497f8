/* protein_query.c - prepares a query: codes, masking by SEG and of lower case, statistics and cutoffs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mask/lower_case.h"
#include "mask/seg.h"
#include "protein/protein_setup.h"

enum { VERY_LONG = 1000000 /* residues of a subject whose length does not matter */ };

#define GAP_TRIGGER 22.0 /* bits of an ungapped HSP that is worth a gapped extension */

/* Working memory of one thread. */
struct masker {
    struct seg *seg;
    struct intervals found;
};

/* An interval, and its place in a list. */
struct placed_interval {
    tms_interval interval;
    size_t place;
};

static int compare_intervals(const void *pa, const void *pb)
{
    const struct placed_interval *a = pa, *b = pb;

    if (a->interval.start != b->interval.start)
        return a->interval.start < b->interval.start ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Sorts intervals by their beginning; those with the same one keep their order. Returns false if memory is short. */
static bool sort_intervals(struct intervals *list)
{
    struct placed_interval *placed = malloc((list->n + 1) * sizeof *placed);

    if (placed == NULL)
        return false;
    for (size_t i = 0; i < list->n; i++)
        placed[i] = (struct placed_interval){list->items[i], i};
    qsort(placed, list->n, sizeof *placed, compare_intervals);
    for (size_t i = 0; i < list->n; i++)
        list->items[i] = placed[i].interval;
    free(placed);
    return true;
}

/* Sorts intervals, and joins each with the one before if they share at least in_common residues. Returns false if memory is short. */
static bool unite(struct intervals *from, uint64_t in_common, struct intervals *to)
{
    to->n = 0;
    if (from->n > 1 && !sort_intervals(from))
        return false;
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

/* Finds SEG's intervals, and joins those that share a residue. Returns false if memory is short. */
static bool find_low_complexity(const struct protein_setup *setup, struct masker *m, const uint8_t *codes, size_t n,
                                struct intervals *spare)
{
    struct intervals joined;

    m->found.n = 0;
    if (!setup->masks_seg)
        return true;
    if (m->seg == NULL && (m->seg = seg_create(&setup->seg)) == NULL)
        return false;
    if (!seg_mask(m->seg, codes, n, &m->found) || !unite(&m->found, 1, spare))
        return false;
    joined = *spare;
    *spare = m->found;
    m->found = joined;
    return true;
}

static struct masker *masker_of(void **masker)
{
    if (*masker == NULL)
        *masker = calloc(1, sizeof(struct masker));
    return *masker;
}

/* Joins intervals as BLAST does, whose reports show them: first SEG's that share a residue, then all that share two. */
tms_status protein_mask_query(const struct search_setup *search, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                              struct intervals *masked)
{
    const struct protein_setup *setup = protein_setup_of(search);
    struct masker *m = masker_of(masker);

    if (m == NULL || !find_low_complexity(setup, m, codes, n, masked) ||
        (setup->masks_lower_case && !lower_case_mask(characters, n, &m->found)) || !unite(&m->found, 2, masked))
        return TMS_E_MEMORY;
    return TMS_OK;
}

tms_status protein_mask_residues(const struct protein_setup *setup, void **masker, const uint8_t *codes, size_t n,
                                 const struct intervals *more, struct intervals *masked)
{
    struct masker *m = masker_of(masker);

    if (m == NULL || !find_low_complexity(setup, m, codes, n, masked))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < more->n; i++)
        if (!intervals_add(&m->found, more->items[i].start, more->items[i].end))
            return TMS_E_MEMORY;
    return unite(&m->found, 2, masked) ? TMS_OK : TMS_E_MEMORY;
}

/* As protein_mask_query(), but runs of lower case are longer by one [sic]. */
tms_status protein_mask_chunk(const struct search_setup *search, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                              struct intervals *masked)
{
    const struct protein_setup *setup = protein_setup_of(search);
    struct intervals lower = {0};
    tms_status status = TMS_OK;

    if (setup->masks_lower_case && !lower_case_mask(characters, n, &lower))
        status = TMS_E_MEMORY;
    for (size_t i = 0; i < lower.n; i++)
        lower.items[i].end += lower.items[i].end < n;
    if (status == TMS_OK)
        status = protein_mask_residues(setup, masker, codes, n, &lower, masked);
    free(lower.items);
    return status;
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

/* space_length: residues of the whole query, of which this may be a chunk */
static void set_cutoffs(const struct protein_setup *setup, int space_length, struct search_query *query)
{
    const struct search_setup *search = &setup->search;
    const struct gapped_statistics *s = &query->statistics;
    const struct search_database *db = &search->database;
    int trigger = (int)((GAP_TRIGGER * SCORE_LN_2 + query->karlin.log_K) / query->karlin.lambda);

    query->statistics = search->statistics;
    if (search->ungapped)
        ungapped_statistics_init(setup->matrix, &query->karlin, &query->statistics);
    if (search->has_search_space || search->ungapped || search->links || setup->smith_waterman) {
        const int64_t adjustment = length_adjustment(s, space_length, db->n_residues, db->n_sequences);
        query->search_space = search->search_space > 0 ? search->search_space
                                                       : effective_search_space(space_length, db->n_residues, db->n_sequences, adjustment);
        query->adjustment = length_adjustment(s, query->length, db->n_residues, db->n_sequences);
    }
    query->cutoff = search_cutoff(search, query, search->preliminary_evalue, db->cutoff_length);
    query->cutoff_any_length = search_cutoff(search, query, search->preliminary_evalue, VERY_LONG);
    if (setup->keeps_weak) {
        const int weakest = protein_weakest_score(search, s, query->length);
        trigger = weakest < trigger ? weakest : trigger;
    }
    query->cutoff_ungapped = trigger < query->cutoff ? trigger : query->cutoff;
    query->x_ungapped = search_whole_score(ceil(setup->x_drop_ungapped * SCORE_LN_2 / query->karlin.lambda));
    if (query->x_ungapped == 0)
        query->x_ungapped = query->cutoff_ungapped;
}

/* The search replaces O by X, and also masked residues unless masking is soft. */
tms_status protein_prepare_query(const struct search_setup *search, void **masker, const struct query_part *part, struct search_query *out)
{
    const struct protein_setup *setup = protein_setup_of(search);
    const uint8_t *codes = part->codes;
    const int length = part->length;
    uint8_t *copy = calloc((size_t)length + 2, 1);
    tms_status status;

    (void)masker;
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
    out->is_valid = karlin_of_query(setup->matrix, out->codes, (size_t)length, setup->has_ideal ? &setup->ideal : NULL, &out->karlin);
    if (!out->is_valid)
        return TMS_OK;
    set_cutoffs(setup, part->whole != NULL ? part->space->length : length, out);
    status = search_query_set_ranges(part->masked, part->n_masked, out);
    if (status != TMS_OK)
        search_query_free(out);
    return status;
}
