/*
 * windows.h - where the w-mers of a sequence begin, and their words.
 */
#ifndef TMS_WINDOWS_H
#define TMS_WINDOWS_H

#include "run/context.h"
#include "seq/windows_core.h"
#include "tamis/dna.h"

#ifdef __cplusplus
extern "C" {
#endif

struct windows {
    const uint64_t *codes;
    unsigned word_size;
    tms_strand strand;
    tms_simd simd;
    struct window_range *ranges; /* ascending, none empty */
    size_t n_ranges;
    uint64_t n_windows; /* w-mers in all ranges */
};

/*
 * windows_find() - find the ranges of a sequence in which w-mers begin.
 *   out [out] borrows dna->codes; freed with windows_free()
 * Returns TMS_OK; TMS_E_ARG if dna does not follow the rules of dna.h; TMS_E_MEMORY.
 */
tms_status windows_find(tms_context *ctx, const tms_dna *dna, unsigned word_size, tms_strand strand, struct windows *out);
void windows_free(struct windows *windows); /* zeroed is fine */

/* A walk over the windows that begin at bases first .. end - 1. */
struct windows_walk {
    const struct windows *windows;
    size_t range;
    uint32_t at, end;
    bool any_palindrome; /* with both strands: one of the last windows is its own reverse complement */
};
struct windows_walk windows_begin(const struct windows *windows, uint32_t first, uint32_t end);

#define WINDOW_REVERSED ((uint32_t)1 << 31)

/*
 * windows_next() - the next windows of a walk, at most n.
 *   words  [out] with both strands, the smaller of the w-mer and its reverse complement, so that each finds the other; else the w-mer
 *   starts [out] the base at which each begins, with WINDOW_REVERSED if words has its reverse complement
 * Returns the number of windows; 0 at the end.
 */
size_t windows_next(struct windows_walk *walk, uint64_t *words, uint32_t *starts, size_t n);

/*
 * windows_next_of_query() - as windows_next(), for the words of a query as they occur in the subject: with the minus strand, the reverse
 * complements.
 */
size_t windows_next_of_query(struct windows_walk *walk, uint64_t *words, uint32_t *starts, size_t n);

/*
 * windows_at() - the words of windows at n arbitrary bases: with both strands as in windows_next(), with the minus strand the reverse
 * complements.
 */
void windows_at(const struct windows *windows, const uint32_t *bases, size_t n, uint64_t *words);
size_t windows_at_avx512(const struct windows *windows, const uint32_t *bases, size_t n,
                         uint64_t *words); /* does all but the last n mod 8; returns how many */

/* Writes windows at .. end - 1 of one range, eight at a time (windows_avx512.c). Returns true if one is its own reverse complement. */
bool windows_roll_avx512(const struct windows *windows, uint32_t at, uint32_t end, uint64_t *words, uint32_t *starts);

#ifdef __cplusplus
}
#endif
#endif
