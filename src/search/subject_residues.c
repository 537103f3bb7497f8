/* subject_residues.c - checks a subject's residues, replaces O, and applies masks. */
#include "search/subject_residues.h"

#include <string.h>

#include "base/array.h"
#include "base/atomic_min.h"
#include "seqdb/protein_decode.h"
#include "seqdb/seqdb_masks.h"

bool subject_read_masks(struct search_state *s, uint64_t i, int n, struct search_scratch *scratch)
{
    tms_status status = seqdb_masks_read(s->subjects->masks, i, &scratch->masked, &scratch->masked_capacity, &scratch->n_masked);
    int at = 0;

    if (status == TMS_E_FORMAT)
        atomic_min(&s->badly_masked, i);
    if (status == TMS_OK && !array_reserve(&scratch->ranges, &scratch->ranges_capacity, scratch->n_masked + 1, sizeof *scratch->ranges))
        status = TMS_E_MEMORY;
    search_record(s, status);
    if (status != TMS_OK)
        return false;
    for (size_t k = 0; k < scratch->n_masked; k++) {
        scratch->ranges[k] = (struct residue_range){at, (int)scratch->masked[k].start};
        at = (int)scratch->masked[k].end - s->subjects->keeps_last;
    }
    scratch->ranges[scratch->n_masked] = (struct residue_range){at, n};
    return true;
}

/* Copies a subject to scratch->subject, with a 0 before and after. Returns false and records the failure if memory is short. */
static bool copy_subject(struct search_state *s, const uint8_t *codes, int n, struct search_scratch *scratch)
{
    if (!array_reserve(&scratch->subject, &scratch->subject_capacity, (size_t)n + 2, 1)) {
        search_record(s, TMS_E_MEMORY);
        return false;
    }
    scratch->subject[0] = scratch->subject[n + 1] = 0;
    memcpy(scratch->subject + 1, codes, (size_t)n);
    return true;
}

const uint8_t *subject_residues(struct search_state *s, uint64_t i, struct search_scratch *scratch, int *n)
{
    uint64_t n_residues;
    const uint8_t *codes = tms_seqdb_protein(s->subjects->db, i, &n_residues);

    *n = (int)n_residues;
    if (n_residues > SUBJECT_MAX_RESIDUES || !protein_codes_are_sound(codes - 1, (size_t)n_residues + 2)) {
        atomic_min(&s->damaged, i);
        search_record(s, TMS_E_FORMAT);
        return NULL;
    }
    if (!s->subjects->replaces_o)
        return codes;
    if (!copy_subject(s, codes, *n, scratch))
        return NULL;
    for (uint64_t k = 0; k < n_residues; k++)
        scratch->subject[k + 1] = codes[k] == CODE_O ? CODE_X : codes[k];
    return scratch->subject + 1;
}

/* Replaces masked residues by X, for the alignment. */
static const uint8_t *hide_masked(struct search_state *s, uint64_t i, const uint8_t *codes, int n, struct search_scratch *scratch)
{
    if (!subject_read_masks(s, i, n, scratch))
        return NULL;
    if (scratch->n_masked == 0)
        return codes;
    if (codes != scratch->subject + 1 && !copy_subject(s, codes, n, scratch))
        return NULL;
    for (size_t k = 0; k < scratch->n_masked; k++)
        memset(scratch->subject + 1 + scratch->masked[k].start, CODE_X, (size_t)(scratch->masked[k].end - scratch->masked[k].start));
    return scratch->subject + 1;
}

const uint8_t *subject_residues_aligned(struct search_state *s, uint64_t i, struct search_scratch *scratch, int *n)
{
    const uint8_t *subject = subject_residues(s, i, scratch, n);

    if (subject != NULL && s->subjects->masks != NULL && s->subjects->hides_masked)
        subject = hide_masked(s, i, subject, *n, scratch);
    return subject;
}
