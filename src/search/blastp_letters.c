/* blastp_letters.c - letters of subjects: checked, O replaced, masks applied. */
#include "search/blastp_letters.h"

#include <string.h>

#include "base/array.h"
#include "base/lower_to.h"
#include "seqdb/protein_letters.h"
#include "seqdb/seqdb_masks.h"

bool blastp_read_masks(struct blastp_work *s, uint64_t i, int n, struct blastp_worker *w)
{
    tms_status status = seqdb_masks_read(s->subjects->masks, i, &w->masked, &w->masked_capacity, &w->n_masked);
    int at = 0;

    if (status == TMS_E_FORMAT)
        lower_to(&s->badly_masked, i);
    if (status == TMS_OK && !array_reserve(&w->ranges, &w->ranges_capacity, w->n_masked + 1, sizeof *w->ranges))
        status = TMS_E_MEMORY;
    blastp_note(s, status);
    if (status != TMS_OK)
        return false;
    for (size_t k = 0; k < w->n_masked; k++) {
        w->ranges[k] = (struct neighbours_range){at, (int)w->masked[k].start};
        at = (int)w->masked[k].end - s->subjects->keeps_last;
    }
    w->ranges[w->n_masked] = (struct neighbours_range){at, n};
    return true;
}

/* To w->subject, with a 0 before and after. Returns false if there is no memory, which is noted. */
static bool copy_subject(struct blastp_work *s, const uint8_t *codes, int n, struct blastp_worker *w)
{
    if (!array_reserve(&w->subject, &w->subject_capacity, (size_t)n + 2, 1)) {
        blastp_note(s, TMS_E_MEMORY);
        return false;
    }
    w->subject[0] = w->subject[n + 1] = 0;
    memcpy(w->subject + 1, codes, (size_t)n);
    return true;
}

const uint8_t *blastp_subject_letters(struct blastp_work *s, uint64_t i, struct blastp_worker *w, int *n)
{
    uint64_t n_letters;
    const uint8_t *codes = tms_seqdb_protein(s->subjects->db, i, &n_letters);

    *n = (int)n_letters;
    if (n_letters > BLASTP_MOST_LETTERS || !protein_codes_are_sound(codes - 1, (size_t)n_letters + 2)) {
        lower_to(&s->damaged, i);
        blastp_note(s, TMS_E_FORMAT);
        return NULL;
    }
    if (!s->subjects->replaces_o)
        return codes;
    if (!copy_subject(s, codes, *n, w))
        return NULL;
    for (uint64_t k = 0; k < n_letters; k++)
        w->subject[k + 1] = codes[k] == CODE_O ? CODE_X : codes[k];
    return w->subject + 1;
}

/* As it is aligned in the second round. */
static const uint8_t *hide_masked(struct blastp_work *s, uint64_t i, const uint8_t *codes, int n, struct blastp_worker *w)
{
    if (!blastp_read_masks(s, i, n, w))
        return NULL;
    if (w->n_masked == 0)
        return codes;
    if (codes != w->subject + 1 && !copy_subject(s, codes, n, w))
        return NULL;
    for (size_t k = 0; k < w->n_masked; k++)
        memset(w->subject + 1 + w->masked[k].start, CODE_X, (size_t)(w->masked[k].end - w->masked[k].start));
    return w->subject + 1;
}

const uint8_t *blastp_aligned_letters(struct blastp_work *s, uint64_t i, struct blastp_worker *w, int *n)
{
    const uint8_t *subject = blastp_subject_letters(s, i, w, n);

    if (subject != NULL && s->subjects->masks != NULL && s->subjects->hides_masked)
        subject = hide_masked(s, i, subject, *n, w);
    return subject;
}
