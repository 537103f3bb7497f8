/* rescore.c - see rescore.h. */
#include "search/rescore.h"

#include "base/array.h"
#include "search/search_program.h"

/*
 * Keeps the part of an HSP with the greatest score. A part that has reached the cutoff is not given up for a later one unless that is
 * better [sic]: BLAST counts from anew wherever the sum falls below 0.
 */
static void keep_best_part(const int *scores, const uint8_t *query, const uint8_t *subject, int cutoff, struct hsp *h)
{
    const int n = h->query_end - h->query;
    int sum = 0, start = 0, best = 0, first = 0, end = 0;

    for (int i = 0; i < n; i++) {
        sum += scores[RESIDUE_CODES * query[i] + subject[i]];
        if (sum < 0) {
            sum = 0;
            start = i + 1;
            if (best < cutoff) {
                best = 0;
                first = end = i + 1;
            }
        } else if (sum > best) {
            best = sum;
            first = start;
            end = i + 1;
        }
    }
    h->query_end = h->query + end;
    h->subject_end = h->subject + end;
    h->query += first;
    h->subject += first;
    h->score = best;
}

tms_status rescore_subject(const struct search_setup *setup, const struct search_query *query, const struct subject_frames *subject,
                           const struct rescore_memory *memory, struct hsp_list *list)
{
    const struct subject_exact *exact = subject->exact;
    size_t n = 0;

    for (size_t i = 0; i < list->n; i++) {
        const struct search_query *frame = search_query_strand(query, list->items[i].context);
        struct hsp h = list->items[i];
        const struct residue_range range = {h.subject, h.subject_end};
        if (!array_reserve(memory->residues, memory->capacity, (size_t)(range.end - range.first) + 2, 1))
            return TMS_E_MEMORY;
        if (!setup->program->read_range(exact->s, exact->number, h.subject_frame, range, exact->w, *memory->residues))
            break;
        keep_best_part(setup->scores, frame->codes + h.query, *memory->residues + 1, frame->cutoff_ungapped, &h);
        if (h.score >= frame->cutoff_ungapped)
            list->items[n++] = h;
    }
    list->n = n;
    hsp_sort(list);
    return TMS_OK;
}
