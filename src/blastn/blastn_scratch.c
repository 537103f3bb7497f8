/* blastn_scratch.c - see blastn_scratch.h. */
#include "blastn/blastn_scratch.h"

#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"
#include "base/array.h"
#include "base/atomic_min.h"
#include "seqdb/seqdb_masks.h"
#include "tamis/alphabet.h"

enum { BLOCK = 1 << 12 }; /* bases that are unpacked together */

struct blastn_scratch *blastn_scratch_of(struct search_scratch *w)
{
    if (w->own == NULL) {
        struct blastn_scratch *own = w->own = calloc(1, sizeof *own);
        if (own != NULL)
            own->subject.number = UINT64_MAX;
        if (own != NULL)
            own->greedy.simd = w->gapped.simd;
    }
    return w->own;
}

void blastn_free_scratch(void *own)
{
    struct blastn_scratch *scratch = own;

    if (scratch == NULL)
        return;
    for (size_t i = 0; i < scratch->lists_capacity; i++)
        hsp_list_free(&scratch->lists[i]);
    free(scratch->found.hsps);
    free(scratch->starts);
    free(scratch->sides);
    free(scratch->chunk);
    free(scratch->lists);
    free(scratch->touched);
    free(scratch->ranges);
    greedy_workspace_free(&scratch->greedy);
    free(scratch->subject.codes);
    free(scratch->subject.is_unpacked);
    free(scratch->subject.hidden);
    free(scratch);
}

/* Makes room for another subject, and reads its masks. */
static tms_status change_subject(const struct search_subjects *subjects, struct blastn_subject *subject, uint64_t number, int n)
{
    const size_t n_blocks = ((size_t)n + BLOCK - 1) / BLOCK;
    tms_status status = TMS_OK;

    subject->number = UINT64_MAX;
    if (!array_reserve(&subject->codes, &subject->capacity, (size_t)n + 2, 1) ||
        !array_reserve(&subject->is_unpacked, &subject->blocks_capacity, n_blocks, 1))
        return TMS_E_MEMORY;
    if (subjects->masks != NULL && subjects->hides_masked)
        status = seqdb_masks_read(subjects->masks, number, &subject->hidden, &subject->hidden_capacity, &subject->n_hidden);
    if (status != TMS_OK)
        return status;
    memset(subject->is_unpacked, 0, n_blocks);
    subject->n_packed = n_blocks;
    subject->codes[0] = subject->codes[n + 1] = BASE_GAP;
    subject->number = number;
    subject->n = n;
    return TMS_OK;
}

/* Hides what is masked of the positions from .. to - 1. */
static void hide_masked(struct blastn_subject *subject, int64_t from, int64_t to)
{
    size_t first = 0, end = subject->n_hidden;

    while (first < end) { /* the first interval that ends behind `from` */
        const size_t middle = first + (end - first) / 2;
        if ((int64_t)subject->hidden[middle].end <= from)
            first = middle + 1;
        else
            end = middle;
    }
    for (; first < subject->n_hidden && (int64_t)subject->hidden[first].start < to; first++) {
        const int64_t start = (int64_t)subject->hidden[first].start, stop = (int64_t)subject->hidden[first].end;
        const int64_t begin = start > from ? start : from;
        memset(subject->codes + 1 + begin, BASE_HIDDEN, (size_t)((stop < to ? stop : to) - begin));
    }
}

const uint8_t *blastn_subject_codes(struct search_state *s, struct blastn_scratch *scratch, uint64_t number, int n, int64_t first,
                                    int64_t end)
{
    struct blastn_subject *subject = &scratch->subject;

    if (subject->number != number) {
        const tms_status status = change_subject(s->subjects, subject, number, n);
        if (status == TMS_E_FORMAT)
            atomic_min(&s->badly_masked, number);
        if (status != TMS_OK) {
            search_record(s, status);
            return NULL;
        }
    }
    first = first > 0 ? first : 0;
    end = end < n ? end : n;
    for (int64_t block = first / BLOCK; subject->n_packed > 0 && block * BLOCK < end; block++) {
        const int64_t from = block * BLOCK, to = from + BLOCK < n ? from + BLOCK : n;
        if (subject->is_unpacked[block])
            continue;
        if (tms_seqdb_residues(s->subjects->db, number, (uint64_t)from, (uint64_t)to, subject->codes + 1 + from) != TMS_OK) {
            atomic_min(&s->damaged, number);
            search_record(s, TMS_E_FORMAT);
            return NULL;
        }
        hide_masked(subject, from, to);
        subject->is_unpacked[block] = 1;
        subject->n_packed--;
    }
    return subject->codes + 1;
}

int blastn_identities(const struct search_query *query, int context, int position, const uint8_t *subject, int n)
{
    const uint8_t *complements = tms_alphabet_complements(TMS_ALPHABET_BLASTNA), *original = query->original;
    int same = 0;

    for (int i = 0; i < n; i++)
        same += subject[i] == (context == 0 ? original[position + i] : complements[original[query->length - 1 - position - i]]);
    return same;
}
