/*
 * heavy_final.h - final frequencies of the lines that tamis heavy found: keeps each line with its estimate at the moment when it reached N,
 * and counts it exactly after that.
 *
 * 128 bits of its hash identify a line. Memory: the lines found, some 100 bytes for each, and 16 bytes for each line of a batch.
 */
#ifndef TAMIS_CLI_HEAVY_FINAL_H
#define TAMIS_CLI_HEAVY_FINAL_H

#include "base/byte_array.h"
#include "tamis/tamis.h"

struct heavy_found {
    uint64_t line;      /* number of the line at which it reached N */
    size_t start, size; /* range of its bytes in text */
    uint32_t ones;
    tms_frequency frequency; /* estimate when it reached N */
    uint64_t n_after;
};

struct heavy_final { /* all zero: empty */
    struct heavy_found *found;
    size_t n_found, found_capacity;
    struct byte_array text;
    uint64_t *hashes; /* hashes of a batch, two per line */
    size_t hashes_capacity;
    struct heavy_slot {
        uint64_t h1, h2;
        size_t number; /* index in found, from 1; 0: a free slot */
    } * slots;
    size_t n_slots; /* a power of two, or 0 */
};

/*
 * heavy_final_add() - adds a batch with its reports, and counts the lines found earlier; n_before lines precede the batch.
 * Returns TMS_OK; TMS_E_MEMORY, TMS_E_CANCELLED.
 */
tms_status heavy_final_add(struct heavy_final *f, tms_context *ctx, const tms_keys *keys, uint64_t n_before,
                           const tms_heavy_report *reports, size_t n_reports);

/* heavy_final_sort() - sorts by final frequency, the highest first; equal ones by when they reached N. */
void heavy_final_sort(struct heavy_final *f);

/* heavy_final_frequency() - the estimate when the line was found plus the count after that. */
tms_frequency heavy_final_frequency(const struct heavy_found *found);

void heavy_final_free(struct heavy_final *f);

#endif
