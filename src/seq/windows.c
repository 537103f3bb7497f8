/*
 * windows.c - finds the ranges of w-mers between the ends of parts and the runs of ambiguous bases, and walks over them with a rolling
 * word.
 */
#include "seq/windows.h"

#include <stdlib.h>

#include "seq/dna_core.h"

static tms_status check(tms_context *ctx, const tms_dna *dna)
{
    uint64_t at = 0;
    if (dna->n_bases > TMS_DNA_MAX_BASES)
        return context_fail(ctx, TMS_E_ARG, "a sequence of %zu bases: at most %zu at once", dna->n_bases, TMS_DNA_MAX_BASES);
    for (size_t i = 0; i < dna->n_parts; at += dna->parts[i++].n_bases)
        if (dna->parts[i].start != at)
            return context_fail(ctx, TMS_E_ARG, "part %zu of a sequence begins at base %u instead of %llu", i, dna->parts[i].start,
                                (unsigned long long)at);
    if (at != dna->n_bases)
        return context_fail(ctx, TMS_E_ARG, "the parts of a sequence have %llu bases, the sequence %zu", (unsigned long long)at,
                            dna->n_bases);
    at = 0;
    for (size_t i = 0; i < dna->n_runs; i++) {
        if (dna->runs[i].start < at || dna->runs[i].n_bases == 0 || (uint64_t)dna->runs[i].start + dna->runs[i].n_bases > dna->n_bases)
            return context_fail(ctx, TMS_E_ARG, "run %zu of a sequence, at base %u, is empty or overlaps the one before or the end", i,
                                dna->runs[i].start);
        at = (uint64_t)dna->runs[i].start + dna->runs[i].n_bases;
    }
    return TMS_OK;
}

/* Adds the w-mers of bases first .. end - 1, none of which is ambiguous. */
static void add(struct windows *windows, uint64_t first, uint64_t end)
{
    if (end < first + windows->word_size)
        return;
    end -= windows->word_size - 1;
    windows->ranges[windows->n_ranges++] = (struct window_range){(uint32_t)first, (uint32_t)end};
    windows->n_windows += end - first;
}

tms_status windows_find(tms_context *ctx, const tms_dna *dna, unsigned word_size, tms_strand strand, struct windows *out)
{
    tms_status status = check(ctx, dna);
    *out = (struct windows){.codes = dna->codes, .word_size = word_size, .strand = strand, .simd = ctx->simd};
    if (status != TMS_OK)
        return status;
    size_t most = dna->n_parts + dna->n_runs, size_bytes;
    if (size_mul_overflows(most ? most : 1, sizeof *out->ranges, &size_bytes) || !(out->ranges = malloc(size_bytes)))
        return context_fail_memory(ctx, "the ranges of a sequence", most * sizeof *out->ranges);
    size_t run = 0;
    for (size_t i = 0; i < dna->n_parts; i++) {
        uint64_t at = dna->parts[i].start, end = at + dna->parts[i].n_bases;
        for (; run < dna->n_runs && dna->runs[run].start < end; run++) {
            uint64_t run_end = (uint64_t)dna->runs[run].start + dna->runs[run].n_bases;
            add(out, at, dna->runs[run].start);
            at = run_end > at ? run_end : at;
            if (run_end > end)
                break; /* the next part begins inside this run, too */
        }
        add(out, at, end);
    }
    return TMS_OK;
}

void windows_free(struct windows *windows)
{
    free(windows->ranges);
    windows->ranges = NULL;
}

struct windows_walk windows_begin(const struct windows *windows, uint32_t first, uint32_t end)
{
    return (struct windows_walk){windows, windows_range_after(windows->ranges, windows->n_ranges, first), first, end, false};
}

static inline uint32_t base(const uint64_t *codes, size_t i) { return (uint32_t)(codes[i >> 5] >> 2 * (i & 31)) & 3; }

/* Writes windows at .. end - 1 of one range. */
/* Returns true if a window is its own reverse complement. */
static bool roll(const struct windows *windows, uint32_t at, uint32_t end, uint64_t *words, uint32_t *starts)
{
    const uint64_t *codes = windows->codes;
    unsigned w = windows->word_size, top = 2 * (w - 1);
    uint64_t mask = dna_word_mask(w), word = dna_word(codes, at, w);
    if (windows->strand != TMS_STRAND_BOTH) {
        for (uint32_t i = at; i < end; i++, word = word >> 2 | (uint64_t)base(codes, (size_t)i + w - 1) << top) {
            *words++ = word;
            *starts++ = i;
        }
        return false;
    }
    bool any_palindrome = false;
    uint64_t reverse = dna_reverse_complement(word, w);
    for (uint32_t i = at; i < end; i++) {
        uint32_t is_reversed = reverse < word, next;
        any_palindrome |= reverse == word;
        *words++ = is_reversed ? reverse : word;
        *starts++ = i | is_reversed << 31;
        next = base(codes, (size_t)i + w);
        word = word >> 2 | (uint64_t)next << top;
        reverse = (reverse << 2 & mask) | (3 - next);
    }
    return any_palindrome;
}

size_t windows_next(struct windows_walk *walk, uint64_t *words, uint32_t *starts, size_t n)
{
    const struct windows *windows = walk->windows;
    size_t done = 0;
    walk->any_palindrome = false;
    for (; done < n && walk->range < windows->n_ranges; walk->range++) {
        const struct window_range *range = &windows->ranges[walk->range];
        uint32_t at = walk->at > range->first ? walk->at : range->first;
        uint32_t end = walk->end < range->end ? walk->end : range->end;
        if (at >= walk->end)
            break;
        if (end - at > n - done)
            end = at + (uint32_t)(n - done);
#if TMS_HAVE_X86_SIMD
        if (windows->simd == TMS_SIMD_AVX512)
            walk->any_palindrome |= windows_roll_avx512(windows, at, end, words + done, starts + done);
        else
#endif
            walk->any_palindrome |= roll(windows, at, end, words + done, starts + done);
        done += end - at;
        walk->at = end;
        if (end < range->end)
            break;
    }
    return done;
}

size_t windows_next_of_query(struct windows_walk *walk, uint64_t *words, uint32_t *starts, size_t n)
{
    size_t done = windows_next(walk, words, starts, n);
    if (walk->windows->strand == TMS_STRAND_MINUS)
        for (size_t i = 0; i < done; i++)
            words[i] = dna_reverse_complement(words[i], walk->windows->word_size);
    return done;
}

void windows_at(const struct windows *windows, const uint32_t *bases, size_t n, uint64_t *words)
{
    unsigned w = windows->word_size, is_both = windows->strand == TMS_STRAND_BOTH, is_minus = windows->strand == TMS_STRAND_MINUS;
    size_t i = 0;
#if TMS_HAVE_X86_SIMD
    if (windows->simd == TMS_SIMD_AVX512)
        i = windows_at_avx512(windows, bases, n, words);
#endif
    for (; i < n; i++) {
        uint64_t word = dna_word(windows->codes, bases[i], w), reverse = dna_reverse_complement(word, w);
        /* A branch would be mispredicted every other time. */
        words[i] = word ^ ((word ^ reverse) & -(uint64_t)((is_both & (reverse < word)) | is_minus));
    }
}
