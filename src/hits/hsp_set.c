/*
 * hsp_set.c - a search visits all items while there are few. Many items, as repeats give them, are indexed by bins of subject positions. An
 * item is in all bins that its range touches, so each item whose box contains a corner is in the corner's bin.
 */
#include "hits/hsp_set.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { FEW = 64, BIN_RESIDUES = 256, GONE = INT_MIN };

struct hsp_set_entry {
    uint32_t item, next;
};

struct hsp_box hsp_box_of(const struct hsp *hsp)
{
    return (struct hsp_box){hsp->query, hsp->query_end, hsp->subject, hsp->subject_end, hsp->score, hsp->context};
}

void hsp_set_clear(struct hsp_set *set) { set->n = set->n_entries = set->n_bins = 0; }

/* --- bins --- */

static uint32_t entry_at(const struct hsp_set *set, int place)
{
    const size_t bin = (size_t)place / BIN_RESIDUES;

    return bin < set->n_bins ? set->bins[bin] : 0;
}

static bool put_in_bins(struct hsp_set *set, uint32_t item)
{
    const size_t first = (size_t)set->items[item].subject / BIN_RESIDUES, last = (size_t)set->items[item].subject_end / BIN_RESIDUES;

    if (!array_reserve(&set->bins, &set->bins_capacity, last + 1, sizeof *set->bins) || set->n_entries + last - first + 2 > UINT32_MAX ||
        !array_reserve(&set->entries, &set->entries_capacity, set->n_entries + last - first + 2, sizeof *set->entries))
        return false;
    for (; set->n_bins <= last; set->n_bins++)
        set->bins[set->n_bins] = 0;
    for (size_t bin = first; bin <= last; bin++) {
        set->entries[++set->n_entries] = (struct hsp_set_entry){item, set->bins[bin]};
        set->bins[bin] = (uint32_t)set->n_entries;
    }
    return true;
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
static bool wins_over(struct hsp_box *other, const struct hsp_box *box, bool at_end)
{
    const bool same = at_end ? other->query_end == box->query_end && other->subject_end == box->subject_end
                             : other->query == box->query && other->subject == box->subject;

    if (!same || other->score == GONE)
        return true;
    if (!is_better(box, other))
        return false;
    other->score = GONE;
    return true;
}

static bool wins(struct hsp_set *set, const struct hsp_box *box, bool at_end)
{
    bool is_best = true;

    if (set->n_bins == 0)
        for (size_t i = 0; i < set->n && is_best; i++)
            is_best = wins_over(&set->items[i], box, at_end);
    else
        for (uint32_t e = entry_at(set, at_end ? box->subject_end : box->subject); e != 0 && is_best; e = set->entries[e].next)
            is_best = wins_over(&set->items[set->entries[e].item], box, at_end);
    return is_best;
}

tms_status hsp_set_add(struct hsp_set *set, struct hsp_box box)
{
    bool fits;

    if (!wins(set, &box, false) || !wins(set, &box, true))
        return TMS_OK;
    fits = array_reserve(&set->items, &set->capacity, set->n + 1, sizeof *set->items);
    if (!fits)
        return TMS_E_MEMORY;
    set->items[set->n++] = box;
    if (set->n_bins > 0)
        return put_in_bins(set, (uint32_t)set->n - 1) ? TMS_OK : TMS_E_MEMORY;
    for (size_t i = 0; i < set->n && set->n > FEW && fits; i++)
        fits = put_in_bins(set, (uint32_t)i);
    return fits ? TMS_OK : TMS_E_MEMORY;
}

/* --- containment --- */

static inline bool has(const struct hsp_box *t, const struct hsp_box *box)
{
    return box->score <= t->score && box->query >= t->query && box->query <= t->query_end && box->query_end >= t->query &&
           box->query_end <= t->query_end && box->subject >= t->subject && box->subject <= t->subject_end &&
           box->subject_end >= t->subject && box->subject_end <= t->subject_end;
}

bool hsp_set_contains(const struct hsp_set *set, struct hsp_box box)
{
    if (set->n_bins == 0) {
        for (size_t i = 0; i < set->n; i++)
            if (has(&set->items[i], &box))
                return true;
        return false;
    }
    for (uint32_t e = entry_at(set, box.subject); e != 0; e = set->entries[e].next)
        if (has(&set->items[set->entries[e].item], &box))
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
