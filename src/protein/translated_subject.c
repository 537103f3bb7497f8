/* translated_subject.c - see translated_subject.h. */
#include "protein/translated_subject.h"

#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"
#include "base/array.h"
#include "base/atomic_min.h"
#include "protein/protein_setup.h"
#include "search/subject_residues.h"

/* A thread's memory: search_scratch.own. */
struct translated_scratch {
    uint8_t *frames; /* of the subject, a 0 before and after each */
    uint8_t *bases, *minus;
    struct residue_range *ranges; /* of a frame */
    struct subject_place *places; /* of all frames */
    size_t frames_capacity, bases_capacity, minus_capacity, ranges_capacity, places_capacity;
};

static struct translated_scratch *scratch_of(struct search_scratch *w)
{
    if (w->own == NULL)
        w->own = calloc(1, sizeof(struct translated_scratch));
    return w->own;
}

void translated_subject_free_scratch(void *own)
{
    struct translated_scratch *scratch = own;

    if (scratch == NULL)
        return;
    free(scratch->frames);
    free(scratch->bases);
    free(scratch->minus);
    free(scratch->ranges);
    free(scratch->places);
    free(scratch);
}

static void fail_damaged(struct search_state *s, uint64_t number)
{
    atomic_min(&s->damaged, number);
    search_record(s, TMS_E_FORMAT);
}

int translated_subject_lengths(struct search_state *s, uint64_t number, struct subject_frames *out)
{
    const uint64_t n = tms_seqdb_length(s->subjects->db, number);

    if (n > SUBJECT_MOST_BASES) {
        memset(out, 0, sizeof *out);
        fail_damaged(s, number);
        return -1;
    }
    *out = subject_frames_lengths((int)n);
    return (int)n;
}

/* Reserves memory for the wanted frames, to which it sets `frames`, and sets out->codes of these. */
static bool place_frames(struct search_state *s, const bool wanted[FRAMES], struct search_scratch *w, struct subject_frames *out,
                         uint8_t *frames[FRAMES])
{
    struct translated_scratch *own = scratch_of(w);
    uint8_t *at;
    size_t n = 0;

    for (int i = 0; i < FRAMES; i++)
        n += wanted[i] ? (size_t)out->lengths[i] + 2 : 0;
    if (own == NULL || !array_reserve(&own->frames, &own->frames_capacity, n, 1)) {
        search_record(s, TMS_E_MEMORY);
        return false;
    }
    at = own->frames;
    for (int i = 0; i < FRAMES; i++) {
        if (!wanted[i])
            continue;
        at[0] = at[out->lengths[i] + 1] = 0;
        out->codes[i] = frames[i] = at + 1;
        at += out->lengths[i] + 2;
    }
    return true;
}

bool translated_subject_scanned(struct search_state *s, uint64_t number, struct search_scratch *scratch, struct subject_frames *out)
{
    static const bool all[FRAMES] = {true, true, true, true, true, true};
    const int n = translated_subject_lengths(s, number, out);
    uint8_t *frames[FRAMES];
    uint64_t n_bases;

    if (n < 0 || !place_frames(s, all, scratch, out, frames))
        return false;
    translate_packed(&protein_setup_of(s->setup)->packed_codons, tms_seqdb_packed(s->subjects->db, number, &n_bases), n, frames);
    return true;
}

/* Replaces the masked ones of the bases from .. from + n - 1. Returns false after a failure, which it records. */
static bool hide_masked(struct search_state *s, uint64_t number, uint64_t from, size_t n, struct search_scratch *scratch, uint8_t *bases)
{
    const uint64_t end = from + n;

    if (!subject_read_masks(s, number, (int)tms_seqdb_length(s->subjects->db, number), scratch))
        return false;
    for (size_t i = 0; i < scratch->n_masked; i++) {
        const tms_interval *masked = &scratch->masked[i];
        const uint64_t first = masked->start > from ? masked->start : from, stop = masked->end < end ? masked->end : end;
        if (first < stop)
            memset(bases + (first - from), BASE_HIDDEN, (size_t)(stop - first));
    }
    return true;
}

bool translated_subject_range(struct search_state *s, uint64_t number, int frame, struct residue_range range,
                              struct search_scratch *scratch, uint8_t *out)
{
    const uint64_t n = tms_seqdb_length(s->subjects->db, number), first = 3 * (uint64_t)range.first + (uint64_t)frame_start(frame);
    const size_t n_residues = (size_t)(range.end - range.first), n_bases = 3 * n_residues;
    const bool is_minus = frame >= FRAMES_A_STRAND;
    const uint64_t from = is_minus ? n - first - n_bases : first;
    struct translated_scratch *own = scratch_of(scratch);

    if (own == NULL || !array_reserve(&own->bases, &own->bases_capacity, n_bases + 1, 1) ||
        !array_reserve(&own->minus, &own->minus_capacity, n_bases + 1, 1)) {
        search_record(s, TMS_E_MEMORY);
        return false;
    }
    if (tms_seqdb_residues(s->subjects->db, number, from, from + n_bases, own->bases) != TMS_OK) {
        fail_damaged(s, number);
        return false;
    }
    if (s->subjects->masks != NULL && s->subjects->hides_masked && !hide_masked(s, number, from, n_bases, scratch, own->bases))
        return false;
    if (is_minus)
        complement_strand(own->bases, n_bases, own->minus);
    out[0] = out[n_residues + 1] = 0;
    translate(protein_setup_of(s->setup)->subject_codons.searched, is_minus ? own->minus : own->bases, n_residues, out + 1);
    return true;
}

bool translated_subject_aligned(struct search_state *s, uint64_t number, const struct hsp_list *hsps, struct search_scratch *scratch,
                                struct subject_frames *out)
{
    bool wanted[FRAMES] = {false}, is_read = true;
    uint8_t *frames[FRAMES];

    for (size_t i = 0; i < hsps->n; i++)
        wanted[hsps->items[i].subject_frame] = true;
    if (translated_subject_lengths(s, number, out) < 0 || !place_frames(s, wanted, scratch, out, frames))
        return false;
    for (int i = 0; i < FRAMES && is_read; i++) {
        const struct residue_range whole = {0, out->lengths[i]};
        if (wanted[i])
            is_read = translated_subject_range(s, number, i, whole, scratch, frames[i] - 1);
    }
    return is_read;
}

/* Unmasked range i of a frame, of the strand's, which may end behind the frame; borders of bases are divided by 3 [sic]. */
static struct residue_range unmasked_range(const struct search_scratch *scratch, int n_bases, int frame, size_t i)
{
    const bool is_plus = frame < FRAMES_A_STRAND;
    const struct residue_range bases = scratch->ranges[is_plus ? i : scratch->n_masked - i];

    if (is_plus)
        return (struct residue_range){bases.first / 3, bases.end / 3};
    return (struct residue_range){n_bases / 3 - bases.end / 3, n_bases / 3 - bases.first / 3};
}

bool translated_subject_ends_masked(const struct search_scratch *scratch, int n_bases, int frame, int length)
{
    return scratch->n_masked > 0 && unmasked_range(scratch, n_bases, frame, 1).first == length;
}

/* Adds a part, in chunks if it is long. Returns false if memory is short. */
static bool add_part(struct translated_scratch *own, int frame, struct residue_range part, size_t *n)
{
    const int n_chunks = subject_chunks(part.end - part.first);

    if (!array_reserve(&own->places, &own->places_capacity, *n + (size_t)n_chunks, sizeof *own->places))
        return false;
    for (int k = 0; k < n_chunks; k++) {
        const struct residue_range chunk = subject_chunk(part.end - part.first, k);
        own->places[(*n)++] = (struct subject_place){frame, {part.first + chunk.first, part.first + chunk.end}};
    }
    return true;
}

bool translated_subject_parts(struct search_state *s, int n_bases, struct search_scratch *scratch, struct subject_frames *subject,
                              size_t *n)
{
    struct translated_scratch *own = scratch_of(scratch);
    bool is_there = own != NULL;

    *n = 0;
    for (int frame = 0; frame < FRAMES; frame++) {
        const int length = subject->lengths[frame];
        for (size_t i = 0; i <= scratch->n_masked && is_there; i++) {
            struct residue_range part = unmasked_range(scratch, n_bases, frame, i);
            if (i > 0 && part.first >= length)
                break;
            part.end = part.end < length ? part.end : length;
            if (part.end >= part.first)
                is_there = add_part(own, frame, part, n);
        }
    }
    if (!is_there)
        search_record(s, TMS_E_MEMORY);
    subject->places = is_there ? own->places : NULL;
    return is_there;
}

size_t translated_subject_ranges(struct search_state *s, int n_bases, int frame, struct residue_range chunk, struct search_scratch *scratch,
                                 struct residue_range **out)
{
    struct translated_scratch *own = scratch_of(scratch);
    const size_t n_all = scratch->n_masked + 1;
    size_t n = 0;

    if (own == NULL || !array_reserve(&own->ranges, &own->ranges_capacity, n_all, sizeof *own->ranges)) {
        search_record(s, TMS_E_MEMORY);
        return 0;
    }
    for (size_t i = 0; i < n_all; i++) {
        const struct residue_range range = unmasked_range(scratch, n_bases, frame, i);
        const int first = range.first > chunk.first ? range.first : chunk.first, end = range.end < chunk.end ? range.end : chunk.end;
        if (n == 0 || first < end)
            own->ranges[n++] = (struct residue_range){first - chunk.first, (end > first ? end : first) - chunk.first};
    }
    *out = own->ranges;
    return n;
}
