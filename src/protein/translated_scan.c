/* translated_scan.c - each frame of a subject, or each chunk of a long one, is scanned as if it were a subject of its own. */
#include "protein/translated_scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "protein/translated_subject.h"
#include "search/protein_groups.h"
#include "search/protein_scan.h"
#include "search/search_scan.h"
#include "search/subject_residues.h"

enum { SHARED_BASES = 300000 /* of a subject whose frames several threads may scan */ };

/* A subject that is being scanned. */
struct scanning {
    struct search_state *s;
    const struct query_group *group;
    struct two_hit_diagonals *diagonals;
    struct search_scratch *w;
    struct subject_frames subject;
    int n_bases;
};

static bool is_masked(const struct scanning *c) { return c->s->subjects->masks != NULL && c->w->n_masked > 0; }

/* Scans a chunk of a frame; words are taken from its unmasked ranges. */
static tms_status scan_chunk(const struct scanning *c, int frame, struct residue_range range, struct two_hit_diagonals *diagonals,
                             struct two_hit_found *found)
{
    struct two_hit_subject chunk = {c->subject.codes[frame] + range.first, range.end - range.first, NULL, 0, 0};
    const struct search_setup *setup = c->s->setup;
    struct residue_range *ranges;

    if (is_masked(c)) {
        chunk.n_ranges = translated_subject_ranges(c->s, c->n_bases, frame, range, c->w, &ranges);
        chunk.ranges = ranges;
        if (chunk.n_ranges == 0 || (!protein_scan_begin_with_word(&ranges[0], chunk.n, setup->word_size) && setup->window == 0))
            return TMS_OK;
    }
    return two_hit_scan(&protein_lookup_of(c->group)->queries, &chunk, diagonals, found);
}

/* Scans a frame; the ungapped HSPs are marked with the chunk that they are in. */
static tms_status scan_frame(const struct scanning *c, int frame, struct two_hit_diagonals *diagonals, struct two_hit_found *found)
{
    const struct subject_frames *subject = &c->subject;
    const int n_chunks = subject_chunks(subject->lengths[frame]), first_part = frame * subject_chunks(subject->lengths[0]);
    tms_status status = TMS_OK;

    for (int k = 0; k < n_chunks && status == TMS_OK; k++) {
        const size_t before = found->n;
        status = scan_chunk(c, frame, subject_chunk(subject->lengths[frame], k), diagonals, found);
        for (size_t i = before; i < found->n; i++)
            found->hsps[i].part = (uint32_t)(first_part + k);
    }
    return status;
}

/* Scans each unmasked range of each frame as if it were a subject. */
static tms_status scan_parts(struct scanning *c)
{
    struct two_hit_found *found = &c->w->found;
    tms_status status = TMS_OK;
    size_t n;

    if (!translated_subject_parts(c->s, c->n_bases, c->w, &c->subject, &n))
        return TMS_OK; /* the failure is recorded */
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        const struct subject_place place = c->subject.places[i];
        const int length = c->subject.lengths[place.frame], first = place.chunk.first, end = place.chunk.end;
        const struct residue_range whole = {0, length - first};
        struct two_hit_subject part = {c->subject.codes[place.frame] + first, end - first, NULL, 0, 0};
        const size_t before = found->n;
        if (translated_subject_ends_masked(c->w, c->n_bases, place.frame, length))
            part = (struct two_hit_subject){part.codes, part.n, &whole, 1, length - end};
        c->w->counts.subject_residues += (uint64_t)part.n;
        status = two_hit_scan(&protein_lookup_of(c->group)->queries, &part, c->diagonals, found);
        for (size_t k = before; k < found->n; k++)
            found->hsps[k].part = (uint32_t)i;
    }
    return status;
}

/* The frames of a subject, which several threads scan. */
struct shared_frames {
    const struct scanning *c;
    struct two_hit_found found[FRAMES];
    tms_status status[FRAMES];
};

static void scan_shared_frame(void *arg, size_t frame)
{
    struct shared_frames *shared = arg;
    struct two_hit_diagonals diagonals = {0};
    tms_status status = two_hit_diagonals_init(shared->c->group->n_positions, shared->c->s->setup->window, &diagonals);

    if (status == TMS_OK)
        status = scan_frame(shared->c, (int)frame, &diagonals, &shared->found[frame]);
    two_hit_diagonals_free(&diagonals);
    shared->status[frame] = status;
}

static tms_status append(const struct two_hit_found *from, struct two_hit_found *to)
{
    if (!array_reserve(&to->hsps, &to->capacity, to->n + from->n, sizeof *to->hsps))
        return TMS_E_MEMORY;
    if (from->n > 0)
        memcpy(to->hsps + to->n, from->hsps, from->n * sizeof *from->hsps);
    to->n += from->n;
    to->n_hits += from->n_hits;
    to->n_extensions += from->n_extensions;
    return TMS_OK;
}

/* Scans the frames with the help of threads that have no other task. */
static tms_status share_frames(const struct scanning *c)
{
    struct shared_frames shared = {.c = c};
    tms_status status = TMS_OK;

    shared_tasks_loop(&c->s->shared, FRAMES, scan_shared_frame, &shared, 0);
    for (int frame = 0; frame < FRAMES; frame++) {
        status = status == TMS_OK ? shared.status[frame] : status;
        status = status == TMS_OK ? append(&shared.found[frame], &c->w->found) : status;
        free(shared.found[frame].hsps);
    }
    return status;
}

/* Whether several threads may scan the subject. With masks that hide residues earlier subjects may have left hits on c->diagonals. */
static bool may_share(const struct scanning *c)
{
    const struct search_subjects *subjects = c->s->subjects;

    return c->n_bases >= SHARED_BASES && !is_masked(c) && (subjects->masks == NULL || !subjects->hides_masked);
}

static tms_status scan_frames(struct scanning *c)
{
    tms_status status = TMS_OK;

    for (int frame = 0; frame < FRAMES; frame++)
        c->w->counts.subject_residues += (uint64_t)c->subject.lengths[frame];
    if (may_share(c))
        return share_frames(c);
    for (int frame = 0; frame < FRAMES && status == TMS_OK; frame++)
        status = scan_frame(c, frame, c->diagonals, &c->w->found);
    return status;
}

/* Sets the subject, its frames and masks. Returns false after a failure, which is recorded. */
static bool read_subject(struct scanning *c, uint64_t number)
{
    c->n_bases = (int)tms_seqdb_length(c->s->subjects->db, number);
    return translated_subject_scanned(c->s, number, c->w, &c->subject) &&
           (c->s->subjects->masks == NULL || subject_read_masks(c->s, number, c->n_bases, c->w));
}

static tms_status scan_read(struct scanning *c) { return is_masked(c) && c->s->subjects->hides_masked ? scan_parts(c) : scan_frames(c); }

static tms_status scan_subject(struct scanning *c, uint64_t number, struct hit_list *hits)
{
    const struct subject_exact exact = {c->s, number, c->w};
    tms_status status = TMS_OK;

    if (!read_subject(c, number))
        return TMS_OK; /* the failure is recorded */
    c->subject.exact = &exact;
    status = scan_read(c);
    if (status == TMS_OK)
        status = search_take_subject(c->group, number, &c->subject, c->w);
    return status == TMS_OK ? search_extend_pairs(c->s, c->w, hits) : status;
}

/* How far the scan of a subject moves on diagonals, and what its scan leaves on these behind that at most. */
struct trace {
    uint64_t moves, leaves;
};

static bool find_trace(struct scanning *c, uint64_t number, struct trace *out)
{
    const uint64_t window = (uint64_t)c->s->setup->window;
    size_t n;

    *out = (struct trace){0};
    c->n_bases = translated_subject_lengths(c->s, number, &c->subject);
    if (c->n_bases < 0 || !subject_read_masks(c->s, number, c->n_bases, c->w) ||
        !translated_subject_parts(c->s, c->n_bases, c->w, &c->subject, &n))
        return false;
    for (size_t i = 0; i < n; i++) {
        const struct subject_place *place = &c->subject.places[i];
        const int length = c->subject.lengths[place->frame];
        out->moves += (uint64_t)(place->chunk.end - place->chunk.first) + window;
        if (translated_subject_ends_masked(c->w, c->n_bases, place->frame, length) && (uint64_t)(length - place->chunk.end) > out->leaves)
            out->leaves = (uint64_t)(length - place->chunk.end);
    }
    return true;
}

/*
 * Scans the subjects before a range whose hits remain on diagonals that the range meets; usually there are none. They precede it by no more
 * residues than the longest frame has.
 */
static tms_status catch_up(struct scanning *c, uint64_t end, uint64_t shortest)
{
    const struct two_hit_found before = c->w->found;
    const uint64_t n_residues = c->w->counts.subject_residues;
    uint64_t behind = 0, first = end;
    tms_status status = TMS_OK;
    tms_seqdb_info info;

    tms_seqdb_get_info(c->s->subjects->db, &info);
    for (uint64_t at = end; at > 0 && behind < info.longest / 3;) {
        struct trace trace;
        if (tms_seqdb_length(c->s->subjects->db, --at) < shortest)
            continue;
        if (!find_trace(c, at, &trace))
            return TMS_OK; /* the failure is recorded */
        if (trace.leaves > behind)
            first = at;
        behind = trace.leaves > behind ? 0 : behind + trace.moves;
    }
    for (uint64_t i = first; i < end && status == TMS_OK; i++)
        if (tms_seqdb_length(c->s->subjects->db, i) >= shortest)
            status = read_subject(c, i) ? scan_read(c) : TMS_OK;
    c->w->found.n_hits = before.n_hits;
    c->w->found.n_extensions = before.n_extensions;
    c->w->counts.subject_residues = n_residues;
    return status;
}

tms_status translated_scan_range(struct search_state *s, const struct query_group *group, uint64_t number, struct search_scratch *scratch,
                                 struct hit_list *hits)
{
    const tms_seqdb_range range = search_range(s, number);
    const uint64_t shortest = (uint64_t)subject_least_bases(s->setup->word_size);
    struct two_hit_diagonals diagonals = {0};
    struct scanning c = {.s = s, .group = group, .diagonals = &diagonals, .w = scratch};
    tms_status status = two_hit_diagonals_init(group->n_positions, s->setup->window, &diagonals);

    if (status == TMS_OK && s->subjects->masks != NULL && s->subjects->hides_masked && range.first < range.end)
        status = catch_up(&c, range.first, shortest);
    for (uint64_t i = range.first; i < range.end && status == TMS_OK; i++) {
        scratch->n_pairs = scratch->found.n = 0;
        scratch->counts.n_subjects++;
        if (tms_seqdb_length(s->subjects->db, i) >= shortest)
            status = scan_subject(&c, i, hits);
    }
    two_hit_diagonals_free(&diagonals);
    return status;
}
