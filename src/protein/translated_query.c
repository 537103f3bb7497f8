/* translated_query.c - see translated_query.h. */
#include "protein/translated_query.h"

#include <stdlib.h>
#include <string.h>

#include "mask/lower_case.h"
#include "protein/protein_setup.h"

tms_status translated_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                                 struct intervals *masked)
{
    (void)masker;
    (void)codes;
    masked->n = 0;
    if (protein_setup_of(setup)->masks_lower_case && !lower_case_mask(characters, n, masked))
        return TMS_E_MEMORY;
    return TMS_OK;
}

/* Returns the minus strand of a query; freed by the caller. NULL: out of memory. */
static uint8_t *complement(const uint8_t *codes, int n)
{
    uint8_t *minus = malloc((size_t)n + 1);

    if (minus != NULL)
        complement_strand(codes, (size_t)n, minus);
    return minus;
}

static int limited(int at, int length) { return at < 0 ? 0 : at < length ? at : length - 1; }

/* The masks of a frame that those of bases are; rounded as BLAST rounds, toward residue 0. */
static tms_status frame_masks(const struct query_part *part, int frame, int length, struct intervals *out)
{
    out->n = 0;
    for (size_t i = 0; i < part->n_masked; i++) {
        const int first = part->masked[i].first, last = part->masked[i].end - 1, f = frame_name(frame);
        const int from = f > 0 ? (first - f + 1) / 3 : (part->length + f - last) / 3;
        const int to = f > 0 ? (last - f + 1) / 3 : (part->length + f - first) / 3;
        if (!intervals_add(out, (uint64_t)limited(from, length), (uint64_t)limited(to, length) + 1))
            return TMS_E_MEMORY;
    }
    return TMS_OK;
}

/* The working memory of a query's preparation. */
struct work {
    void **masker;
    uint8_t *minus;    /* the minus strand */
    uint8_t *searched; /* residues of a frame */
    struct intervals more;
    struct residue_range *ranges;
};

/* Joins masks that touch. Returns their number. */
static size_t join_masks(const struct intervals *masked, struct residue_range *ranges)
{
    size_t n = 0;

    for (size_t i = 0; i < masked->n; i++) {
        const struct residue_range next = {(int)masked->items[i].start, (int)masked->items[i].end};
        if (n > 0 && next.first <= ranges[n - 1].end)
            ranges[n - 1].end = next.end > ranges[n - 1].end ? next.end : ranges[n - 1].end;
        else
            ranges[n++] = next;
    }
    return n;
}

static tms_status prepare_frame(const struct search_setup *setup, const struct query_part *part, int i, uint8_t *shown, struct work *w,
                                struct search_query *out)
{
    const struct codon_table *codons = &protein_setup_of(setup)->query_codons;
    const int length = frame_length(part->length, i);
    const uint8_t *strand = i < FRAMES_A_STRAND ? part->codes : w->minus;
    struct query_part frame = {.codes = w->searched, .length = length};
    struct intervals masked = {0};
    tms_status status;

    translate(codons->searched, strand + frame_start(i), (size_t)length, w->searched);
    translate(codons->shown, strand + frame_start(i), (size_t)length, shown);
    status = frame_masks(part, i, length, &w->more);
    if (status == TMS_OK)
        status = protein_mask_residues(protein_setup_of(setup), w->masker, w->searched, (size_t)length, &w->more, &masked);
    if (status == TMS_OK && (w->ranges = malloc((masked.n + 1) * sizeof *w->ranges)) == NULL)
        status = TMS_E_MEMORY;
    if (status == TMS_OK) {
        frame.masked = w->ranges;
        frame.n_masked = join_masks(&masked, w->ranges);
        if (part->whole != NULL) {
            frame.whole = &part->whole->frames[i];
            frame.space = &part->space->frames[i];
        }
        status = protein_prepare_query(setup, w->masker, &frame, out);
    }
    free(w->ranges);
    out->original = shown;
    out->frame_masked = masked;
    return status;
}

static tms_status prepare_frames(const struct search_setup *setup, const struct query_part *part, struct work *w, struct search_query *out)
{
    const bool *has_strand = protein_setup_of(setup)->has_strand;
    uint8_t *shown = out->shown;
    tms_status status = TMS_OK;

    for (int i = 0; i < FRAMES && status == TMS_OK; i++) {
        const int length = frame_length(part->length, i);
        if (!has_strand[i / FRAMES_A_STRAND] || length == 0)
            continue;
        status = prepare_frame(setup, part, i, shown, w, &out->frames[i]);
        out->is_valid |= out->frames[i].is_valid;
        shown += length;
    }
    return status;
}

tms_status translated_prepare_query(const struct search_setup *setup, void **masker, const struct query_part *part,
                                    struct search_query *out)
{
    struct work w = {.masker = masker, .minus = complement(part->codes, part->length), .searched = malloc((size_t)part->length / 3 + 1)};
    tms_status status = TMS_E_MEMORY;

    memset(out, 0, sizeof *out);
    out->original = part->codes;
    out->length = part->length;
    out->frames = calloc(FRAMES, sizeof *out->frames);
    out->shown = malloc(2 * (size_t)part->length + 1);
    if (w.minus != NULL && w.searched != NULL && out->frames != NULL && out->shown != NULL)
        status = prepare_frames(setup, part, &w, out);
    free(w.minus);
    free(w.searched);
    free(w.more.items);
    if (status != TMS_OK)
        search_query_free(out);
    return status;
}
