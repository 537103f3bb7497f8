/* blastn_query.c - see blastn_query.h. */
#include "blastn/blastn_query.h"

#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"
#include "mask/dust.h"
#include "mask/lower_case.h"
#include "tamis/alphabet.h"

/* --- masks --- */

static int compare_starts(const void *pa, const void *pb)
{
    const tms_interval *a = pa, *b = pb;

    return a->start < b->start ? -1 : a->start > b->start;
}

/* Joins intervals that touch or overlap. */
static void unite(struct intervals *list)
{
    size_t n = 0;

    if (list->n > 1)
        qsort(list->items, list->n, sizeof *list->items, compare_starts);
    for (size_t i = 0; i < list->n; i++) {
        const tms_interval next = list->items[i];
        if (n > 0 && next.start <= list->items[n - 1].end)
            list->items[n - 1].end = next.end > list->items[n - 1].end ? next.end : list->items[n - 1].end;
        else
            list->items[n++] = next;
    }
    list->n = n;
}

tms_status blastn_mask_query(const struct search_setup *search, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked)
{
    const struct blastn_setup *setup = blastn_setup_of(search);
    bool is_fine = true;

    (void)masker;
    masked->n = 0;
    if (setup->masks_dust && setup->has_plus)
        is_fine = dust_mask(&setup->dust, codes, n, masked);
    else if (setup->masks_dust)
        is_fine = dust_mask_minus(&setup->dust, codes, n, masked);
    if (is_fine && setup->masks_lower_case) {
        is_fine = lower_case_mask(characters, n, masked);
        unite(masked);
    }
    return is_fine ? TMS_OK : TMS_E_MEMORY;
}

void blastn_free_masker(void *masker) { (void)masker; }

/* --- strands --- */

/* Sets the codes that the search uses: masked bases are N unless masking is soft. */
static tms_status copy_codes(const struct blastn_setup *setup, const struct query_part *part, struct search_query *out)
{
    uint8_t *copy = malloc((size_t)part->length + 2);

    if (copy == NULL)
        return TMS_E_MEMORY;
    copy[0] = copy[part->length + 1] = BASE_GAP;
    out->original = part->codes;
    out->length = part->length;
    out->codes = copy + 1;
    memcpy(out->codes, part->codes, (size_t)part->length);
    for (size_t i = 0; i < part->n_masked && !setup->soft_masking; i++)
        memset(out->codes + part->masked[i].first, BASE_N, (size_t)(part->masked[i].end - part->masked[i].first));
    return TMS_OK;
}

/* Makes the minus strand of a query whose codes and ranges are set. */
static tms_status make_minus(struct search_query *query)
{
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);
    const int n = query->length;
    struct search_query *minus = query->minus = calloc(1, sizeof *minus);
    uint8_t *copy = malloc((size_t)n + 2);

    if (minus == NULL || copy == NULL) {
        free(copy);
        return TMS_E_MEMORY;
    }
    copy[0] = copy[n + 1] = BASE_GAP;
    minus->length = n;
    minus->codes = copy + 1;
    for (int i = 0; i < n; i++)
        minus->codes[i] = complements[query->codes[n - 1 - i]];
    minus->ranges = malloc(query->n_ranges * sizeof *minus->ranges);
    if (minus->ranges == NULL)
        return TMS_E_MEMORY;
    minus->n_ranges = query->n_ranges;
    for (size_t i = 0; i < query->n_ranges; i++) {
        const struct residue_range range = query->ranges[query->n_ranges - 1 - i];
        minus->ranges[i] = (struct residue_range){n - range.end, n - range.first};
    }
    return TMS_OK;
}

/* Sets the statistics of a strand. search_space [in] 0: the strand's own */
static void set_statistics(const struct blastn_setup *setup, bool is_wanted, int64_t search_space, struct search_query *strand)
{
    const struct base_gap_costs *costs = setup->search.ungapped ? NULL : &setup->costs;
    struct base_search_space space = setup->space;
    struct base_statistics s;

    if (search_space > 0)
        space.given = search_space;
    strand->is_left_out = !is_wanted || !base_statistics_of(&setup->scores, costs, &space, strand->codes, (size_t)strand->length, &s);
    if (strand->is_left_out)
        return;
    strand->karlin = s.ungapped;
    strand->statistics = s.gapped;
    strand->x_ungapped = s.x_ungapped;
    strand->cutoff = s.cutoff;
    strand->cutoff_ungapped = s.ungapped_cutoff;
    strand->cutoff_exact = s.exact_cutoff;
    strand->search_space = s.search_space;
    strand->adjustment = s.adjustment;
}

tms_status blastn_prepare_query(const struct search_setup *search, void **masker, const struct query_part *part, struct search_query *out)
{
    const struct blastn_setup *setup = blastn_setup_of(search);
    tms_status status;

    (void)masker;
    memset(out, 0, sizeof *out);
    status = copy_codes(setup, part, out);
    if (status == TMS_OK)
        status = search_query_set_ranges(part->masked, part->n_masked, out);
    if (status == TMS_OK)
        status = make_minus(out);
    if (status != TMS_OK) {
        search_query_free(out);
        return status;
    }
    if (part->whole != NULL) {
        set_statistics(setup, !part->whole->is_left_out, part->space->search_space, out);
        set_statistics(setup, !part->whole->minus->is_left_out, part->space->minus->search_space, out->minus);
    } else {
        set_statistics(setup, setup->has_plus, 0, out);
        set_statistics(setup, setup->has_minus, 0, out->minus);
    }
    out->is_valid = !out->is_left_out || !out->minus->is_left_out;
    return TMS_OK;
}
