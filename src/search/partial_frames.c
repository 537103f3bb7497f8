/* partial_frames.c - see partial_frames.h. */
#include "search/partial_frames.h"

enum {
    AROUND = 99, /* bases on each side of an HSP */
    CLOSE = 21   /* bases: what is left at the end of a subject is translated, too */
};

void partial_frames_begin(const struct subject_frames *subject, struct partial_frames *out)
{
    *out = (struct partial_frames){.subject = subject, .n_bases = 2};
    for (int i = 0; i < FRAMES_A_STRAND; i++)
        out->n_bases += subject->lengths[i];
}

void partial_frames_add(struct partial_frames *partial, const struct hsp *hsp)
{
    struct residue_range *known = &partial->known[hsp->subject_frame];
    const int n = partial->n_bases, from = 3 * hsp->subject > AROUND ? 3 * hsp->subject - AROUND : 0;
    int end = 3 * hsp->subject_end;

    end = n - end <= AROUND + CLOSE ? n : end + AROUND;
    if (known->first == 0 && known->end >= n / 3 - 3)
        return;
    if (from / 3 < known->first || from / 3 + 1 + (end - from) / 3 > known->end)
        *known = (struct residue_range){from / 3, from / 3 + (end - from - frame_start(hsp->subject_frame)) / 3};
}

tms_status partial_frames_check(struct partial_frames *partial, const struct gapped_costs *costs, struct gapped_side query,
                                struct gapped_workspace *ws, const struct hsp *h)
{
    const struct residue_range known = partial->known[h->subject_frame];
    const uint8_t *codes = partial->subject->codes[h->subject_frame];
    const int q = h->start_query, s = h->start_subject, n = partial->subject->lengths[h->subject_frame];
    const struct gapped_extension sides[] = {{{query.codes + q, q + 1}, {codes + s, s + 1}, -1, {0}},
                                             {{query.codes + q + 1, query.n - q - 1}, {codes + s + 1, n - s - 1}, 1, {0}}};
    tms_status status = TMS_OK;

    for (int i = 0; i < 2 && !partial->is_whole && status == TMS_OK; i++)
        status = gapped_reaches(ws, costs, &sides[i], i == 0 ? s + 1 - known.first : known.end - s - 1, &partial->is_whole);
    return status;
}

int partial_frames_end(const struct partial_frames *partial, int frame)
{
    return partial->is_whole ? partial->subject->lengths[frame] : partial->known[frame].end;
}
