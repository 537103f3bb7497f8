/*
 * dna_encode.c - encodes characters as two bits a base, and runs of ambiguous bases.
 *
 * Eight characters are examined as one word; if they are neither all A, C, G, T nor all N, put_each() takes them one at a time.
 */
#include "alphabet/dna_encode.h"

#include "base/core.h"
#include "run/context.h"
#include "tamis/dna.h"

#define EACH_BYTE(x) (0x0101010101010101u * (x))

enum { OTHER = 4, NO_BASE = 0 };

/* 1 + code for A, C, G, T; 1 + OTHER for an ambiguous base; NO_BASE for any other byte */
#define BOTH(base, value) [base] = (value), [base + ('a' - 'A')] = (value)
static const uint8_t classes[256] = {BOTH('A', 1), BOTH('C', 2), BOTH('G', 3), BOTH('T', 4), BOTH('U', 5), BOTH('R', 5),
                                     BOTH('Y', 5), BOTH('S', 5), BOTH('W', 5), BOTH('K', 5), BOTH('M', 5), BOTH('B', 5),
                                     BOTH('D', 5), BOTH('H', 5), BOTH('V', 5), BOTH('N', 5), BOTH('X', 5)};

/* If eight characters are all A, C, G or T, stores their codes, 16 bits, and returns true. */
static inline bool eight_codes(uint64_t x, uint64_t *codes)
{
    uint64_t c = (x >> 1 ^ x >> 2) & EACH_BYTE(3); /* right for A, C, G, T; for others the base with this code is a different character */
    uint64_t low = c & EACH_BYTE(1), high = c >> 1 & EACH_BYTE(1), both = low & high;
    uint64_t bases = EACH_BYTE('a') ^ low << 1 ^ (high << 1 | high << 2) ^ (both | both << 4);
    c = (c | c >> 6) & 0x000f000f000f000fu;
    c = (c | c >> 12) & 0x000000ff000000ffu;
    *codes = (c | c >> 24) & 0xffff;
    return bases == (x | EACH_BYTE(0x20));
}

/* Appends n ambiguous bases. Returns false if there is no room for one more run. */
static inline bool put_others(tms_dna_room *room, uint32_t n)
{
    tms_dna_run *last = room->runs + room->n_runs;
    if (room->n_runs && last[-1].start + last[-1].n_bases == room->n_bases) {
        last[-1].n_bases += n;
    } else {
        if (room->n_runs == room->runs_capacity)
            return false;
        last->start = (uint32_t)room->n_bases;
        last->n_bases = n;
        room->n_runs++;
    }
    dna_put_codes(room, 0, n);
    return true;
}

/* Appends characters one at a time. Returns how many it took before a character that is no nucleotide, or that does not fit. */
static size_t put_each(tms_dna_room *room, const char *bases, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        unsigned class = classes[(uint8_t)bases[i]];
        if (class == NO_BASE || (class > OTHER && !put_others(room, 1)))
            return i;
        if (class <= OTHER)
            dna_put_codes(room, class - 1, 1);
    }
    return n;
}

tms_status tms_dna_encode(tms_context *ctx, tms_dna_room *room, const char *bases, size_t n, size_t *n_done)
{
    *n_done = 0;
    if (room->bases_capacity > TMS_DNA_MAX_BASES || room->n_bases > room->bases_capacity || room->n_runs > room->runs_capacity)
        return context_fail(ctx, TMS_E_ARG, "room for %zu bases, of which %zu are used: give at most %zu", room->bases_capacity,
                            room->n_bases, TMS_DNA_MAX_BASES);
    size_t free_bases = room->bases_capacity - room->n_bases, limit = free_bases < n ? free_bases : n, done = 0;
    dna_clear_rest(room);
    while (done < limit) {
        size_t block = limit - done; /* the scalar code takes this many, those up to the limit, without AVX2 */
#if TMS_HAVE_X86_SIMD
        if (ctx->simd >= TMS_SIMD_AVX2) {
            size_t fast = dna_encode_avx2(room->codes, room->n_bases, bases + done, block);
            room->n_bases += fast;
            done += fast;
            block = limit - done < 32 ? limit - done : 32;
        }
#endif
        for (size_t end = done + block; done < end;) {
            uint64_t codes, word;
            size_t some = end - done < 8 ? end - done : 8, put;
            if (some == 8) {
                word = core_read64((const uint8_t *)bases + done);
                if (eight_codes(word, &codes)) {
                    dna_put_codes(room, codes, 8);
                    done += 8;
                    continue;
                }
                if ((word | EACH_BYTE(0x20)) == EACH_BYTE('n') && put_others(room, 8)) {
                    done += 8;
                    continue;
                }
            }
            put = put_each(room, bases + done, some);
            done += put;
            if (put < some) {
                uint8_t base = (uint8_t)bases[done];
                *n_done = done;
                if (classes[base] == NO_BASE)
                    return context_fail(ctx, TMS_E_ARG, "letter %zu (byte 0x%02x) is not a nucleotide", done + 1, base);
                return TMS_OK; /* there is no room for another run */
            }
        }
    }
    *n_done = done;
    return TMS_OK;
}
