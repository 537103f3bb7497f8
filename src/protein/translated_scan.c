/* translated_scan.c - each frame of a subject, or each chunk of a long one, is scanned as if it were a subject of its own. */
#include "protein/translated_scan.h"

#include "protein/translated_subject.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

/* A subject that is being scanned. */
struct scanning {
    struct search_state *s;
    const struct query_group *group;
    struct two_hit_diagonals *diagonals;
    struct search_scratch *w;
    struct subject_frames subject;
    uint64_t number; /* of the subject */
    int n_bases;
};

static bool read_exact(void *of, int frame, struct residue_range range, uint8_t *out)
{
    const struct scanning *c = of;

    return translated_subject_range(c->s, c->number, frame, range, c->w, out);
}

/* Scans a chunk of a frame; words are taken from its unmasked ranges. */
static tms_status scan_chunk(struct scanning *c, int frame, struct residue_range range)
{
    struct two_hit_subject chunk = {c->subject.codes[frame] + range.first, range.end - range.first, NULL, 0, 0};
    const struct search_setup *setup = c->s->setup;
    struct residue_range *ranges;

    if (c->s->subjects->masks != NULL && c->w->n_masked > 0) {
        chunk.n_ranges = translated_subject_ranges(c->s, c->n_bases, frame, range, c->w, &ranges);
        chunk.ranges = ranges;
        if (chunk.n_ranges == 0 || (!protein_scan_begin_with_word(&ranges[0], chunk.n, setup->word_size) && setup->window == 0))
            return TMS_OK;
    }
    return two_hit_scan(&protein_lookup_of(c->group)->queries, &chunk, c->diagonals, &c->w->found);
}

/* Scans a frame; the ungapped HSPs are marked with the chunk that they are in. */
static tms_status scan_frame(struct scanning *c, int frame)
{
    const struct subject_frames *subject = &c->subject;
    const int n_chunks = subject_chunks(subject->lengths[frame]), first_part = frame * subject_chunks(subject->lengths[0]);
    struct two_hit_found *found = &c->w->found;
    tms_status status = TMS_OK;

    c->w->counts.subject_residues += (uint64_t)subject->lengths[frame];
    for (int k = 0; k < n_chunks && status == TMS_OK; k++) {
        const size_t before = found->n;
        status = scan_chunk(c, frame, subject_chunk(subject->lengths[frame], k));
        for (size_t i = before; i < found->n; i++)
            found->hsps[i].part = (uint32_t)(first_part + k);
    }
    return status;
}

static tms_status scan_subject(struct scanning *c, uint64_t number, struct hit_list *hits)
{
    const struct subject_exact exact = {read_exact, c};
    tms_status status = TMS_OK;

    c->number = number;
    c->n_bases = (int)tms_seqdb_length(c->s->subjects->db, number);
    if (!translated_subject_scanned(c->s, number, c->w, &c->subject) ||
        (c->s->subjects->masks != NULL && !subject_read_masks(c->s, number, c->n_bases, c->w)))
        return TMS_OK; /* the failure is recorded */
    c->subject.exact = &exact;
    for (int frame = 0; frame < FRAMES && status == TMS_OK; frame++)
        status = scan_frame(c, frame);
    if (status == TMS_OK)
        status = search_take_subject(c->group, number, &c->subject, c->w);
    return status == TMS_OK ? search_extend_pairs(c->s, c->w, hits) : status;
}

tms_status translated_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *scratch,
                                 struct hit_list *hits)
{
    const tms_seqdb_range range = search_range(s, number);
    const uint64_t shortest = (uint64_t)subject_least_bases(s->setup->word_size);
    struct two_hit_diagonals diagonals = {0};
    struct scanning c = {.s = s, .group = group, .diagonals = &diagonals, .w = scratch};
    tms_status status = two_hit_diagonals_init(group->n_positions, s->setup->window, &diagonals);

    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        scratch->n_pairs = scratch->found.n = 0;
        scratch->counts.n_subjects++;
        if (tms_seqdb_length(s->subjects->db, i) >= shortest)
            status = scan_subject(&c, i, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}
