/* dna_same.c - how many bases two sequences have in common, 32 bases at a time. */
#include "seq/dna_core.h"
#include "tamis/dna.h"

/* The number of the first run that ends after base i; n_runs if there is none. */
static size_t run_after(const tms_dna *dna, size_t i)
{
    size_t low = 0, high = dna->n_runs;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)dna->runs[middle].start + dna->runs[middle].n_bases > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Bases from i upwards, at most n, before the first ambiguous one. */
static size_t bases_up(const tms_dna *dna, size_t i, size_t n)
{
    size_t run = run_after(dna, i), start;
    if (run == dna->n_runs)
        return n;
    start = dna->runs[run].start;
    return start <= i ? 0 : start - i < n ? start - i : n;
}

/* Bases from i downwards, at most n, before the first ambiguous one. */
static size_t bases_down(const tms_dna *dna, size_t i, size_t n)
{
    size_t run = run_after(dna, i), end;
    if (run < dna->n_runs && dna->runs[run].start <= i)
        return 0;
    if (run == 0)
        return n;
    end = (size_t)dna->runs[run - 1].start + dna->runs[run - 1].n_bases;
    return i + 1 - end < n ? i + 1 - end : n;
}

size_t tms_dna_same(const tms_dna *a, size_t i, const tms_dna *b, size_t j, int reverse, size_t n)
{
    size_t done = 0;
    n = bases_up(a, i, n);
    n = reverse ? bases_down(b, j, n) : bases_up(b, j, n);
    while (done < n) {
        unsigned some = n - done < 32 ? (unsigned)(n - done) : 32;
        uint64_t x = dna_word(a->codes, i + done, some);
        uint64_t y = reverse ? dna_reverse_complement(dna_word(b->codes, j + 1 - done - some, some), some)
                             : dna_word(b->codes, j + done, some);
        if (x != y)
            return done + (unsigned)__builtin_ctzll(x ^ y) / 2;
        done += some;
    }
    return n;
}
