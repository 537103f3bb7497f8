/*
 * heavy_final.h - what the lines that tamis heavy found came to: each is kept, with its estimate of when it reached N, and counted from
 * there on.
 *
 * A line is told by 128 bits of its hash. Memory: that of the lines found, some 100 bytes for each, and 16 bytes for each line of a batch.
 */
#ifndef TAMIS_CLI_HEAVY_FINAL_H
#define TAMIS_CLI_HEAVY_FINAL_H

#include "base/byte_array.h"
#include "tamis/tamis.h"

struct heavy_found {
    uint64_t line;      /* at which it reached N */
    size_t start, size; /* of its bytes in text */
    uint32_t ones;
    tms_frequency frequency; /* then */
    uint64_t n_after;
};

struct heavy_final { /* all zero: empty */
    struct heavy_found *found;
    size_t n_found, found_capacity;
    struct byte_array text;
    uint64_t *hashes; /* of a batch, two a line */
    size_t hashes_capacity;
    struct heavy_slot {
        uint64_t h1, h2;
        size_t number; /* in found, from 1; 0: a free slot */
    } * slots;
    size_t n_slots; /* a power of two, or 0 */
};

/*
 * heavy_final_add() - a batch, with what was reported of it; n_before lines came before it.
 * Returns TMS_OK; TMS_E_MEMORY, TMS_E_CANCELLED.
 */
tms_status heavy_final_add(struct heavy_final *f, tms_context *ctx, const tms_keys *keys, uint64_t n_before,
                           const tms_heavy_report *reports, size_t n_reports);

/* heavy_final_sort() - by what they came to, the most first; of equal ones, that first which reached N first. */
void heavy_final_sort(struct heavy_final *f);

/* heavy_final_frequency() - the estimate when it was found, and what was counted after it. */
tms_frequency heavy_final_frequency(const struct heavy_found *found);

void heavy_final_free(struct heavy_final *f);

#endif
