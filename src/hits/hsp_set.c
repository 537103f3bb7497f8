/*
 * hsp_set.c - a search visits all items while there are few. Many items, as repeats give them, are indexed by bins of subject positions. An
 * item is in all bins that its range touches, so each item whose box contains a corner is in the corner's bin.
 *
 * With a separation a bin is also for a band of as many diagonals as the separation, in which an item begins, or another bin in which it
 * ends. An item that contains another begins or ends in the other's band or in one beside it.
 */
#include "hits/hsp_set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FEW = 64, BIN_RESIDUES = 256, BAND_RESIDUES = 4096, FIRST_BINS = 1024, GONE = INT_MIN };

struct hsp_set_entry {
    uint32_t item, next;
};

struct hsp_box hsp_box_of(const struct hsp *hsp)
{
    return (struct hsp_box){hsp->query, hsp->query_end, hsp->subject, hsp->subject_end, hsp->score, hsp->context};
}

void hsp_set_clear(struct hsp_set *set) { set->n = set->n_entries = set->n_bins = 0; }

/* --- bins --- */

enum corner { AT_START, AT_END };

/* A bin with a separation: a context, a corner of items and the band of its diagonal, and a range of subject positions. */
struct bin {
    int context, band, place;
    enum corner corner;
};

static int diagonal_of(const struct hsp_box *box, enum corner corner)
{
    return corner == AT_END ? box->query_end - box->subject_end : box->query - box->subject;
}

static int band_of(const struct hsp_set *set, const struct hsp_box *box, enum corner corner)
{
    const int diagonal = diagonal_of(box, corner);

    return diagonal >= 0 ? diagonal / set->separation : -1 - (-1 - diagonal) / set->separation;
}

static size_t hash_of(const struct hsp_set *set, struct bin bin)
{
    const uint64_t value = (uint64_t)(uint32_t)bin.band << 32 | (uint32_t)bin.place;
    const uint64_t mixed = (value ^ (uint64_t)(2 * bin.context + (int)bin.corner) << 59) * 0x9E3779B97F4A7C15u;

    return (size_t)(mixed >> 32) & (set->n_bins - 1);
}

/* The first entry of the bin that contains a subject position. */
static uint32_t entry_at(const struct hsp_set *set, int subject)
{
    const size_t bin = (size_t)subject / BIN_RESIDUES;

    return bin < set->n_bins ? set->bins[bin] : 0;
}

/* The same with a separation: of the band `beside` that of the box's corner. */
static uint32_t entry_near(const struct hsp_set *set, const struct hsp_box *box, int subject, enum corner corner, int beside)
{
    return set->bins[hash_of(set, (struct bin){box->context, band_of(set, box, corner) + beside, subject / BAND_RESIDUES, corner})];
}

static void put(struct hsp_set *set, size_t bin, uint32_t item)
{
    set->entries[++set->n_entries] = (struct hsp_set_entry){item, set->bins[bin]};
    set->bins[bin] = (uint32_t)set->n_entries;
}

static bool reserve_entries(struct hsp_set *set, size_t n)
{
    return set->n_entries + n < UINT32_MAX &&
           array_reserve(&set->entries, &set->entries_capacity, set->n_entries + n + 1, sizeof *set->entries);
}

/* Makes all bins from n_bins to n - 1 empty. */
static bool add_bins(struct hsp_set *set, size_t n)
{
    if (!array_reserve(&set->bins, &set->bins_capacity, n, sizeof *set->bins))
        return false;
    for (; set->n_bins < n; set->n_bins++)
        set->bins[set->n_bins] = 0;
    return true;
}

static bool put_by_position(struct hsp_set *set, uint32_t item)
{
    const size_t first = (size_t)set->items[item].subject / BIN_RESIDUES, last = (size_t)set->items[item].subject_end / BIN_RESIDUES;

    if (!reserve_entries(set, last - first + 1) || (set->n_bins <= last && !add_bins(set, last + 1)))
        return false;
    for (size_t bin = first; bin <= last; bin++)
        put(set, bin, item);
    return true;
}

static bool put_by_diagonal(struct hsp_set *set, uint32_t item)
{
    const struct hsp_box *box = &set->items[item];
    const int first = box->subject / BAND_RESIDUES, last = box->subject_end / BAND_RESIDUES;

    if (!reserve_entries(set, 2 * (size_t)(last - first + 1)))
        return false;
    for (int corner = AT_START; corner <= AT_END; corner++)
        for (int place = first; place <= last; place++)
            put(set, hash_of(set, (struct bin){box->context, band_of(set, box, (enum corner)corner), place, (enum corner)corner}), item);
    return true;
}

/* Puts all items into bins, with a separation into twice as many as before. */
static bool index_all(struct hsp_set *set)
{
    const size_t n_bins = set->separation == 0 ? 0 : set->n_bins > 0 ? 2 * set->n_bins : FIRST_BINS;
    bool fits;

    set->n_entries = set->n_bins = 0;
    fits = add_bins(set, n_bins);
    for (size_t i = 0; i < set->n && fits; i++)
        if (set->items[i].score != GONE)
            fits = set->separation == 0 ? put_by_position(set, (uint32_t)i) : put_by_diagonal(set, (uint32_t)i);
    return fits;
}

/* Puts the last item into bins, if there are enough items for bins. */
static bool index_last(struct hsp_set *set)
{
    const uint32_t item = (uint32_t)set->n - 1;

    if (set->n_bins == 0)
        return set->n <= FEW || index_all(set);
    if (set->separation == 0)
        return put_by_position(set, item);
    return put_by_diagonal(set, item) && (set->n_entries <= set->n_bins || index_all(set));
}

/* --- common ends --- */

static bool is_better(const struct hsp_box *a, const struct hsp_box *b)
{
    if (a->score != b->score)
        return a->score > b->score;
    if (a->query_end - a->query != b->query_end - b->query)
        return a->query_end - a->query < b->query_end - b->query;
    return a->subject_end - a->subject < b->subject_end - b->subject;
}

/* Returns false if the other item shares this corner and is at least as good. One that shares it and is worse is removed. */
static bool wins_over(struct hsp_box *other, const struct hsp_box *box, enum corner corner)
{
    const bool same = corner == AT_END ? other->query_end == box->query_end && other->subject_end == box->subject_end
                                       : other->query == box->query && other->subject == box->subject;

    if (!same || other->score == GONE || other->context != box->context)
        return true;
    if (!is_better(box, other))
        return false;
    other->score = GONE;
    return true;
}

static bool wins(struct hsp_set *set, const struct hsp_box *box, enum corner corner)
{
    const int subject = corner == AT_END ? box->subject_end : box->subject;
    bool is_best = true;

    if (set->n_bins == 0)
        for (size_t i = 0; i < set->n && is_best; i++)
            is_best = wins_over(&set->items[i], box, corner);
    else
        for (uint32_t e = set->separation == 0 ? entry_at(set, subject) : entry_near(set, box, subject, corner, 0); e != 0 && is_best;
             e = set->entries[e].next)
            is_best = wins_over(&set->items[set->entries[e].item], box, corner);
    return is_best;
}

tms_status hsp_set_add(struct hsp_set *set, struct hsp_box box)
{
    if (!wins(set, &box, AT_START) || !wins(set, &box, AT_END))
        return TMS_OK;
    if (!array_reserve(&set->items, &set->capacity, set->n + 1, sizeof *set->items))
        return TMS_E_MEMORY;
    set->items[set->n++] = box;
    return index_last(set) ? TMS_OK : TMS_E_MEMORY;
}

/* --- containment --- */

static inline bool is_near(int a, int b, int separation) { return a - b < separation && b - a < separation; }

static inline bool has(const struct hsp_box *t, const struct hsp_box *box, int separation)
{
    if (box->score > t->score || box->query < t->query || box->query > t->query_end || box->query_end < t->query ||
        box->query_end > t->query_end || box->subject < t->subject || box->subject > t->subject_end || box->subject_end < t->subject ||
        box->subject_end > t->subject_end || box->context != t->context)
        return false;
    return separation == 0 || is_near(diagonal_of(t, AT_START), diagonal_of(box, AT_START), separation) ||
           is_near(diagonal_of(t, AT_END), diagonal_of(box, AT_END), separation);
}

/* Does an item of the list that begins with this entry have the box? */
static bool one_has(const struct hsp_set *set, uint32_t entry, const struct hsp_box *box)
{
    for (; entry != 0; entry = set->entries[entry].next)
        if (has(&set->items[set->entries[entry].item], box, set->separation))
            return true;
    return false;
}

bool hsp_set_contains(const struct hsp_set *set, struct hsp_box box)
{
    if (set->n_bins == 0) {
        for (size_t i = 0; i < set->n; i++)
            if (has(&set->items[i], &box, set->separation))
                return true;
        return false;
    }
    if (set->separation == 0)
        return one_has(set, entry_at(set, box.subject), &box);
    for (int beside = -1; beside <= 1; beside++)
        if (one_has(set, entry_near(set, &box, box.subject, AT_START, beside), &box) ||
            one_has(set, entry_near(set, &box, box.subject, AT_END, beside), &box))
            return true;
    return false;
}

void hsp_set_free(struct hsp_set *set)
{
    free(set->items);
    free(set->entries);
    free(set->bins);
    memset(set, 0, sizeof *set);
}
