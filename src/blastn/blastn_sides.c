/* blastn_sides.c - see blastn_sides.h. */
#include "blastn/blastn_sides.h"

#include "base/array.h"
#include "blastn/blastn_gpu.h"

int blastn_x_drop(const struct blastn_setup *setup, const struct ungapped_bases *hsp)
{
    return hsp->score < setup->search.x_gapped ? hsp->score : setup->search.x_gapped;
}

void blastn_set_box(const struct base_box *box, struct hsp *h)
{
    h->query = box->query;
    h->query_end = box->query_end;
    h->subject = box->subject;
    h->subject_end = box->subject_end;
    h->score = box->score;
}

/* Where an extension begins, from the beginning of the strand on. start_query, start_subject [out] the start point for the traceback. */
static struct base_place origin_of(const struct blastn_lookup *lookup, int n, const struct base_hsp *found, int *start_query,
                                   int *start_subject)
{
    const struct ungapped_strand *strand = &lookup->bases.strands.items[found->strand];

    *start_query = found->hsp.word_query - strand->first;
    *start_subject = found->hsp.word_subject;
    return base_gapped_origin(strand->end - strand->first, n, found->hsp.subject + found->hsp.length, start_query, start_subject);
}

tms_status blastn_make_sides(const struct blastn_setup *setup, const struct blastn_lookup *lookup, const struct packed_bases *chunk,
                             struct blastn_scratch *own)
{
    const struct gapped_costs costs = blastn_gapped_costs(setup, setup->search.x_gapped);
    const size_t n = own->found.n;
    bool is_left;
    tms_status status;

    if (!array_reserve(&own->starts, &own->starts_capacity, n, sizeof *own->starts) ||
        !array_reserve(&own->sides, &own->sides_capacity, n, sizeof *own->sides))
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n; i++) {
        const struct base_hsp *found = &own->found.hsps[i];
        const struct ungapped_strand *strand = &lookup->bases.strands.items[found->strand];
        int start_query, start_subject;
        const struct base_place at = origin_of(lookup, chunk->n, found, &start_query, &start_subject);
        own->starts[i] = (struct base_gapped_start){strand->first + at.query, at.subject, at.query, strand->end - strand->first - at.query,
                                                    blastn_x_drop(setup, &found->hsp)};
    }
    status = blastn_gpu_extend(setup->gpu, lookup, &costs, &(struct base_gapped_batch){chunk, own->starts, own->sides, n}, &is_left);
    own->is_extended = status == TMS_OK && !is_left;
    return status;
}

bool blastn_take_sides(const struct blastn_scratch *own, const struct blastn_lookup *lookup, int n, const struct base_hsp *found,
                       struct hsp *h)
{
    const struct gapped_extent *sides;
    struct base_place at;
    struct base_box box;

    if (!own->is_extended)
        return false;
    sides = own->sides[found - own->found.hsps].sides;
    if (sides[0].score == BASE_GAPPED_LEFT)
        return false;
    at = origin_of(lookup, n, found, &h->start_query, &h->start_subject);
    box = base_gapped_box(&at, &sides[0], &sides[1]);
    blastn_set_box(&box, h);
    return true;
}
