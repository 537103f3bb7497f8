/* translated_scan.c - each frame of a subject, or each chunk of a long one, is scanned as if it were a subject of its own. */
#include "protein/translated_scan.h"

#include "protein/translated_subject.h"
#include "search/protein_groups.h"
#include "search/search_scan.h"

/* Scans a frame; the ungapped HSPs are marked with the chunk that they are in. */
static tms_status scan_frame(const struct query_group *group, const struct subject_frames *subject, int frame,
                             struct two_hit_diagonals *diagonals, struct search_scratch *w)
{
    const int n_chunks = subject_chunks(subject->lengths[frame]), first_part = frame * subject_chunks(subject->lengths[0]);
    tms_status status = TMS_OK;

    for (int k = 0; k < n_chunks && status == TMS_OK; k++) {
        const struct residue_range range = subject_chunk(subject->lengths[frame], k);
        const struct two_hit_subject chunk = {subject->codes[frame] + range.first, range.end - range.first, NULL, 0, 0};
        const size_t before = w->found.n;
        status = two_hit_scan(&protein_lookup_of(group)->queries, &chunk, diagonals, &w->found);
        for (size_t i = before; i < w->found.n; i++)
            w->found.hsps[i].part = (uint32_t)(first_part + k);
    }
    return status;
}

static tms_status scan_subject(struct search_state *s, const struct query_group *group, uint64_t number,
                               struct two_hit_diagonals *diagonals, struct search_scratch *w, struct hit_list *hits)
{
    struct subject_frames subject;
    tms_status status = TMS_OK;

    if (!translated_subject_scanned(s, number, w, &subject))
        return TMS_OK; /* the failure is recorded */
    for (int frame = 0; frame < FRAMES && status == TMS_OK; frame++) {
        w->counts.subject_residues += (uint64_t)subject.lengths[frame];
        status = scan_frame(group, &subject, frame, diagonals, w);
    }
    return status == TMS_OK && w->found.n > 0 ? search_extend_subject(s, group, number, &subject, w, hits) : status;
}

tms_status translated_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *scratch,
                                 struct hit_list *hits)
{
    const tms_seqdb_range range = search_range(s, number);
    const uint64_t shortest = 3 * (uint64_t)s->setup->word_size + 2; /* bases of a subject that has a word in each frame */
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(group->n_positions, s->setup->window, &diagonals);

    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        scratch->found.n = 0;
        scratch->counts.n_subjects++;
        if (tms_seqdb_length(s->subjects->db, i) >= shortest)
            status = scan_subject(s, group, i, &diagonals, scratch, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}
