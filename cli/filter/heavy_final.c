#include "cli/filter/heavy_final.h"

#include "cli/cli.h"

static struct heavy_slot *slot_of(struct heavy_slot *slots, size_t n_slots, uint64_t h1, uint64_t h2)
{
    size_t at = (size_t)h1 & (n_slots - 1);

    while (slots[at].number != 0 && (slots[at].h1 != h1 || slots[at].h2 != h2))
        at = (at + 1) & (n_slots - 1);
    return &slots[at];
}

/* Makes room for one more line: at most half of the slots are used. Returns 0 if out of memory. */
static int grow_slots(struct heavy_final *f)
{
    const size_t n_slots = f->n_slots > 0 ? 2 * f->n_slots : 256;
    struct heavy_slot *slots;

    if (2 * (f->n_found + 1) <= f->n_slots)
        return 1;
    slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return 0;
    for (size_t i = 0; i < f->n_slots; i++) {
        if (f->slots[i].number != 0)
            *slot_of(slots, n_slots, f->slots[i].h1, f->slots[i].h2) = f->slots[i];
    }
    free(f->slots);
    f->slots = slots;
    f->n_slots = n_slots;
    return 1;
}

static int add_found(struct heavy_final *f, const tms_keys *keys, const uint64_t *hash, uint64_t line, const tms_heavy_report *report)
{
    const size_t start = keys->offsets[report->key], size = keys->offsets[report->key + 1] - keys->gap - start;
    struct heavy_slot *slot;

    if (!grow_slots(f) || !array_reserve(&f->found, &f->found_capacity, f->n_found + 1, sizeof *f->found) ||
        !byte_array_add(&f->text, keys->bytes + start, size))
        return 0;
    f->found[f->n_found++] = (struct heavy_found){line, f->text.n - size, size, report->ones, report->frequency, 0};
    slot = slot_of(f->slots, f->n_slots, hash[0], hash[1]);
    *slot = (struct heavy_slot){hash[0], hash[1], f->n_found};
    return 1;
}

tms_status heavy_final_add(struct heavy_final *f, tms_context *ctx, const tms_keys *keys, uint64_t n_before,
                           const tms_heavy_report *reports, size_t n_reports)
{
    const tms_filter_params params = {.layout = TMS_LAYOUT_CLASSIC, .hash = TMS_HASH_XXH3, .m_bits = 1, .k = 1};
    size_t next = 0;
    tms_status status;

    if (f->n_found == 0 && n_reports == 0)
        return TMS_OK;
    if (!array_reserve(&f->hashes, &f->hashes_capacity, 2 * keys->n_keys, sizeof *f->hashes))
        return TMS_E_MEMORY;
    status = tms_keys_hash(ctx, &params, keys, f->hashes);
    for (size_t i = f->n_found > 0 ? 0 : reports[0].key; i < keys->n_keys && status == TMS_OK; i++) {
        const uint64_t *hash = f->hashes + 2 * i;
        if (next < n_reports && reports[next].key == i)
            status = add_found(f, keys, hash, n_before + i + 1, &reports[next++]) ? TMS_OK : TMS_E_MEMORY;
        else if (f->n_slots > 0) {
            const struct heavy_slot *slot = slot_of(f->slots, f->n_slots, hash[0], hash[1]);
            if (slot->number != 0)
                f->found[slot->number - 1].n_after++;
        }
    }
    return status;
}

tms_frequency heavy_final_frequency(const struct heavy_found *found)
{
    const double after = (double)found->n_after;

    return (tms_frequency){
        .f = found->frequency.f + after, .f_min = found->frequency.f_min + after, .f_max = found->frequency.f_max + after};
}

static int by_frequency(const void *a, const void *b)
{
    const struct heavy_found *x = a, *y = b;
    const double f_x = x->frequency.f + (double)x->n_after, f_y = y->frequency.f + (double)y->n_after;

    if (f_x != f_y)
        return f_x < f_y ? 1 : -1;
    return x->line < y->line ? -1 : x->line > y->line;
}

void heavy_final_sort(struct heavy_final *f)
{
    if (f->n_found > 0)
        qsort(f->found, f->n_found, sizeof *f->found, by_frequency);
}

void heavy_final_free(struct heavy_final *f)
{
    free(f->found);
    free(f->text.bytes);
    free(f->hashes);
    free(f->slots);
}
