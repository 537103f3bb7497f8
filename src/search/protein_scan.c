/* protein_scan.c - see protein_scan.h. Masked subjects follow the quirks of NCBI's program, which the results depend on. */
#include "search/protein_scan.h"

#include "lookup/two_hit_stretches.h"
#include "search/protein_groups.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

enum { HSPS_AT_ONCE = 512 /* ungapped HSPs that are extended together */ };

/*
 * Whether a subject is masked from some position to its end. BLAST then takes words from the whole subject, although it extends hits only
 * before that position.
 */
static bool ends_masked(const struct search_scratch *w, int n) { return w->n_masked > 0 && w->masked[0].end == (uint64_t)n; }

/* Scans each unmasked range as if it were the whole subject. */
static tms_status scan_parts(const struct query_group *group, const uint8_t *subject, int n, struct two_hit_diagonals *diagonals,
                             struct search_scratch *w)
{
    const struct residue_range whole = {0, n};
    tms_status status = TMS_OK;

    if (ends_masked(w, n)) {
        const struct two_hit_subject first = {subject, w->ranges[0].end, &whole, 1, n - w->ranges[0].end};
        return two_hit_scan(&protein_lookup_of(group)->queries, &first, diagonals, &w->found);
    }
    for (size_t k = 0; k <= w->n_masked && status == TMS_OK; k++) {
        const struct residue_range range = w->ranges[k];
        const struct two_hit_subject part = {subject + range.first, range.end - range.first, NULL, 0, 0};
        size_t before = w->found.n;
        if (part.n >= 0)
            status = two_hit_scan(&protein_lookup_of(group)->queries, &part, diagonals, &w->found);
        for (size_t j = before; j < w->found.n; j++)
            w->found.hsps[j].part = (uint32_t)k;
    }
    return status;
}

bool protein_scan_begin_with_word(struct residue_range *first, int n, int word_size)
{
    if (first->end >= word_size)
        return true;
    first->end = word_size < n ? word_size : n;
    return false;
}

/*
 * Scans a subject with masks: takes words from the unmasked ranges only, or searches each unmasked range as if it were the whole subject.
 */
static tms_status search_masked(struct search_state *s, const struct query_group *group, uint64_t i, const uint8_t *subject, int n,
                                struct two_hit_diagonals *diagonals, struct search_scratch *w)
{
    struct subject_frames frames = subject_frames_protein(subject, n);
    tms_status status;

    if (s->subjects->hides_masked) {
        status = scan_parts(group, subject, n, diagonals, w);
    } else {
        const struct two_hit_subject whole = {subject, n, w->ranges, w->n_masked + 1, 0};
        if (!protein_scan_begin_with_word(&w->ranges[0], n, s->setup->word_size) && s->setup->window == 0)
            return TMS_OK;
        status = two_hit_scan(&protein_lookup_of(group)->queries, &whole, diagonals, &w->found);
    }
    frames.parts = s->subjects->hides_masked ? w->ranges : NULL;
    return status == TMS_OK ? search_take_subject(group, i, &frames, w) : status;
}

static tms_status search_subject(struct search_state *s, const struct query_group *group, uint64_t i, const uint8_t *subject, int n,
                                 struct two_hit_diagonals *diagonals, struct search_scratch *w)
{
    const struct two_hit_subject whole = {subject, n, NULL, 0, 0};
    const struct subject_frames frames = subject_frames_protein(subject, n);
    tms_status status;

    if (s->subjects->masks != NULL && !subject_read_masks(s, i, n, w))
        return TMS_OK; /* the failure is recorded */
    if (s->subjects->masks != NULL && w->n_masked > 0)
        return search_masked(s, group, i, subject, n, diagonals, w);
    status = two_hit_scan(&protein_lookup_of(group)->queries, &whole, diagonals, &w->found);
    return status == TMS_OK ? search_take_subject(group, i, &frames, w) : status;
}

/*
 * The first subject whose scan leaves hits on diagonals that the scan of subject `first` meets (two_hit.c); usually `first` itself. It
 * precedes `first` by no more residues than the longest subject has.
 */
static uint64_t first_that_matters(struct search_state *s, uint64_t first, struct search_scratch *w)
{
    const uint64_t window = (uint64_t)s->setup->window;
    uint64_t behind = 0, at = first;
    tms_seqdb_info info;

    tms_seqdb_get_info(s->subjects->db, &info);
    while (at > 0 && behind < info.longest) {
        const uint64_t n = tms_seqdb_length(s->subjects->db, --at);
        if (n > SUBJECT_MAX_RESIDUES || !subject_read_masks(s, at, (int)n, w))
            return first;
        if (ends_masked(w, (int)n) && n - (uint64_t)w->ranges[0].end > behind) {
            first = at;
            behind = 0;
        } else {
            behind += n + window;
        }
    }
    return first;
}

/* Scans the subjects before a range whose hits remain on diagonals that the range meets. */
static tms_status catch_up(struct search_state *s, const struct query_group *group, uint64_t first, struct two_hit_diagonals *diagonals,
                           struct search_scratch *w)
{
    const struct two_hit_found before = w->found;
    tms_status status = TMS_OK;

    for (uint64_t i = first_that_matters(s, first, w); i < first && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_residues(s, i, w, &n);
        if (subject == NULL || !subject_read_masks(s, i, n, w))
            return TMS_OK; /* the failure is recorded */
        status = scan_parts(group, subject, n, diagonals, w);
    }
    w->found.n_hits = before.n_hits;
    w->found.n_extensions = before.n_extensions;
    return status;
}

/* Whether the residues and masks of a subject are where they are until the end of the scan, not in memory that the next subject takes. */
static bool is_kept(const struct search_state *s)
{
    return !s->subjects->replaces_o && (s->subjects->masks == NULL || !s->subjects->hides_masked);
}

tms_status protein_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *w,
                              struct hit_list *hits)
{
    const tms_seqdb_range range = search_range(s, number);
    const size_t at_once = is_kept(s) && gapped_stage_by_lanes(s->setup, s->simd) ? HSPS_AT_ONCE : 1;
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(group->n_positions, s->setup->window, &diagonals);

    if (status == TMS_OK && s->subjects->masks != NULL && s->subjects->hides_masked && range.first < range.end)
        status = catch_up(s, group, range.first, &diagonals, w);
    w->n_pairs = w->found.n = 0;
    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        int n;
        const uint8_t *subject = subject_residues(s, i, w, &n);
        w->counts.n_subjects++;
        w->counts.subject_residues += (uint64_t)n;
        if (subject == NULL)
            break;
        status = search_subject(s, group, i, subject, n, &diagonals, w);
        if (status == TMS_OK && w->found.n >= at_once)
            status = search_extend_pairs(s, w, hits);
    }
    if (status == TMS_OK)
        status = search_extend_pairs(s, w, hits);
    two_hit_diagonals_free(&diagonals);
    return status;
}

tms_status protein_scan_block(tms_context *ctx, const struct search_setup *setup, const struct two_hit_gpu_subjects *block,
                              const struct query_group *group, struct two_hit_gpu_part *part, struct two_hit_gpu_found *out)
{
    (void)setup;
    return group->has_many_tables ? two_hit_stretches_scan(ctx, block, group->tables, part, out)
                                  : two_hit_gpu_scan(ctx, block, group->tables, part, out);
}
