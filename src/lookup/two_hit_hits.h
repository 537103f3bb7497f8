/*
 * two_hit_hits.h - two_hit_take() without branches that depend on a hit: a wrong guess of the processor costs as much as thirty
 * instructions. The file that includes this defines POSITIONS_AT_ONCE, how many positions a vector has, and near_hits().
 */
#ifndef TMS_TWO_HIT_HITS_H
#define TMS_TWO_HIT_HITS_H

#include "base/core.h"
#include "lookup/two_hit_passes.h"

#include <string.h>

enum {
    LONG_LISTS = 100000, /* more positions in a table: many words have more than 16 */
    UNCONDITIONAL = 32,  /* positions that are then copied without a branch */
    FEW_NEAR = 4,
    NEAR_LANES = 32 /* hits that near_hits() compares */
};

_Static_assert((int)WORD_LOOKUP_READ_BEYOND >= (int)UNCONDITIONAL, "positions are read beyond the last");

/* Bit i is set if ats[i] - before[i] is `least` or more, and less than `end`. Reads NEAR_LANES of both. */
static inline uint32_t near_hits(const uint8_t *ats, const uint8_t *before, int least, int end);

typedef uint16_t position_lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));
typedef uint8_t at_lanes __attribute__((vector_size(POSITIONS_AT_ONCE)));
typedef uint8_t lowered_lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));

/* Hits of a chunk. Entries and `ats` are written beyond the last hit. */
struct chunk_hits {
    uint16_t entries[TWO_HIT_CHUNK_HITS + UNCONDITIONAL + POSITIONS_AT_ONCE]; /* where their diagonals are in chunk.last */
    uint8_t ats[TWO_HIT_CHUNK_HITS + UNCONDITIONAL + POSITIONS_AT_ONCE];      /* their positions as they are remembered */
    uint8_t before[TWO_HIT_CHUNK_HITS + NEAR_LANES];                          /* what was remembered before */
};

static inline void copy_positions(const uint16_t *positions, position_lanes shift, at_lanes at, struct chunk_hits *hits, size_t i)
{
    position_lanes p;

    memcpy(&p, positions, sizeof p);
    p += shift;
    memcpy(hits->entries + i, &p, sizeof p);
    memcpy(hits->ats + i, &at, sizeof at);
}

/* Words of a chunk that may have positions, in their order. */
struct chunk_words {
    size_t n;
    uint8_t word[TWO_HIT_CHUNK_WORDS + 1];
    uint32_t first[TWO_HIT_CHUNK_WORDS + 1], n_positions[TWO_HIT_CHUNK_WORDS + 1]; /* first: entry of the first position */
};

/* In a table of long words many words have no positions: those are left out here, without branches. The cells of the others, and positions
 * that are not in cells, are read ahead. */
static inline void choose_present(const struct two_hit_chunk *c, struct chunk_words *out)
{
    const struct word_lookup *words = c->words;
    size_t n = 0;

    for (int k = c->next; k < c->n_words; k++) {
        const uint32_t word = c->numbers[k];
        out->word[n] = (uint8_t)k;
        n += words->present[word / 64] >> word % 64 & 1;
    }
    for (size_t i = 0; i < n; i++) {
        out->first[i] = word_lookup_rank_of(words, c->numbers[out->word[i]]);
        __builtin_prefetch(&words->positions16[WORD_LOOKUP_CELL * (size_t)out->first[i]], 0, 0);
    }
    for (size_t i = 0; i < n; i++) {
        out->first[i] = word_lookup_open(words, out->first[i], &out->n_positions[i]);
        __builtin_prefetch(&words->positions16[out->first[i]]);
    }
    out->n = n;
}

static inline void choose_words(const struct two_hit_chunk *c, struct chunk_words *out)
{
    const struct word_lookup *words = c->words;
    const bool has_long_lists = words->n_positions > LONG_LISTS;

    out->n = 0;
    for (int k = c->next; k < c->n_words; k++) {
        const uint32_t *start = &words->starts[c->numbers[k]];
        out->word[out->n] = (uint8_t)k;
        out->first[out->n] = start[0];
        out->n_positions[out->n++] = start[1] - start[0];
        if (has_long_lists)
            __builtin_prefetch(&words->positions16[start[0]]);
    }
}

/*
 * Copies the WORD_LOOKUP_CELL positions of a cell, which lies in one line of the cache. Sums carry over only from positions that are none,
 * behind the last one.
 */
static inline void copy_cell(const uint16_t *positions, uint16_t shift, uint8_t at, struct chunk_hits *hits, size_t i)
{
    const uint64_t four = core_read64((const uint8_t *)positions) + shift * 0x0001000100010001u;
    const uint32_t ats = at * 0x01010101u;

    core_write64((uint8_t *)(hits->entries + i), four);
    memcpy(hits->ats + i, &ats, sizeof ats);
}

/* Writes the hits of long words, most of which have few positions. */
static inline size_t collect_cells(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    struct chunk_words chosen;
    size_t n = 0;

    choose_present(c, &chosen);
    for (size_t w = 0; w < chosen.n; w++) {
        const int word = chosen.word[w];
        const uint16_t shift = (uint16_t)(c->n_words - 1 - word);
        const uint8_t at = (uint8_t)(c->at + word);
        const uint16_t *positions = c->words->positions16 + chosen.first[w] + c->n_taken;
        const uint32_t n_positions = chosen.n_positions[w] - c->n_taken;
        const uint32_t n_now = n_positions < TWO_HIT_CHUNK_HITS - n ? n_positions : (uint32_t)(TWO_HIT_CHUNK_HITS - n);
        copy_cell(positions, shift, at, hits, n);
        for (uint32_t i = WORD_LOOKUP_CELL; i < n_now; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, (position_lanes){0} + shift, (at_lanes){0} + at, hits, n + i);
        n += n_now;
        if (n_now < n_positions) {
            c->n_taken += n_now;
            c->next = word;
            return n;
        }
        c->n_taken = 0;
    }
    c->next = c->n_words;
    return n;
}

/* Writes the hits of words one after the other. Most words have few positions; these are copied without a branch on their number. */
static inline size_t collect(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    const bool has_long_lists = c->words->n_positions > LONG_LISTS;
    const uint32_t unconditional = has_long_lists ? UNCONDITIONAL : POSITIONS_AT_ONCE;
    struct chunk_words chosen;
    size_t n = 0;

    choose_words(c, &chosen);
    for (size_t w = 0; w < chosen.n; w++) {
        const int word = chosen.word[w];
        const position_lanes shift = (position_lanes){0} + (uint16_t)(c->n_words - 1 - word);
        const at_lanes at = (at_lanes){0} + (uint8_t)(c->at + word);
        const uint16_t *positions = c->words->positions16 + chosen.first[w] + c->n_taken;
        const uint32_t n_positions = chosen.n_positions[w] - c->n_taken;
        const uint32_t n_now = n_positions < TWO_HIT_CHUNK_HITS - n ? n_positions : (uint32_t)(TWO_HIT_CHUNK_HITS - n);
        copy_positions(positions, shift, at, hits, n);
        if (has_long_lists && POSITIONS_AT_ONCE < UNCONDITIONAL)
            copy_positions(positions + POSITIONS_AT_ONCE, shift, at, hits, n + POSITIONS_AT_ONCE);
        for (uint32_t i = unconditional; i < n_now; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, shift, at, hits, n + i);
        n += n_now;
        if (n_now < n_positions) {
            c->n_taken += n_now;
            c->next = word;
            return n;
        }
        c->n_taken = 0;
    }
    c->next = c->n_words;
    return n;
}

/* later_by[d]: by how much a hit d residues after the remembered one changes what is remembered: not at all if they overlap. */
static inline void count_later(unsigned word_size, uint8_t *later_by)
{
    for (unsigned d = 0; d <= UINT8_MAX; d++)
        later_by[d] = (uint8_t)(d < word_size ? 0 : d);
}

/*
 * Remembers a hit, unless it overlaps the remembered one (sieve_hit()). A table decides: compilers make a branch of a comparison. Returns
 * what was remembered before.
 */
static inline uint8_t remember(uint8_t *restrict last, size_t entry, size_t at, const uint8_t *restrict later_by)
{
    const size_t before = last[entry];

    last[entry] = (uint8_t)(before + later_by[at - before]);
    return (uint8_t)before;
}

/* Remembers hits, in their order. Stores what eight of them find at once: a store that is not to the line of the one before takes a cycle.
 */
static inline void remember_all(uint8_t *restrict last, struct chunk_hits *restrict hits, size_t n, const uint8_t *restrict later_by)
{
    const uint16_t *restrict entries = hits->entries;
    const uint8_t *restrict ats = hits->ats;
    uint8_t *restrict befores = hits->before;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t eight = 0;
#pragma GCC unroll 8
        for (size_t k = 0; k < 8; k++)
            eight |= (uint64_t)remember(last, entries[i + k], ats[i + k], later_by) << 8 * k;
        core_write64(befores + i, eight);
    }
    for (; i < n; i++)
        befores[i] = remember(last, entries[i], ats[i], later_by);
}

/*
 * Lists the numbers of the bits that are set, `first` being that of bit 0. Writes at least FEW_NEAR entries, without a branch: more are
 * rarely needed. Returns the number of bits.
 */
static inline size_t list_bits(uint32_t bits, size_t first, uint16_t *list)
{
    const uint32_t last = (uint32_t)1 << (NEAR_LANES - 1);
    const size_t n = (size_t)__builtin_popcount(bits);

#pragma GCC unroll 4
    for (size_t i = 0; i < FEW_NEAR; i++) {
        list[i] = (uint16_t)(first + (size_t)__builtin_ctz(bits | last));
        bits &= bits - 1;
    }
    for (size_t i = FEW_NEAR; i < n; i++) {
        list[i] = (uint16_t)(first + (size_t)__builtin_ctz(bits));
        bits &= bits - 1;
    }
    return n;
}

/* Lists the hits near the remembered one. */
static inline size_t list_near(const struct two_hit_chunk *c, const struct chunk_hits *hits, size_t n, uint16_t *list)
{
    size_t n_near = 0;

    for (size_t i = 0; i < n; i += NEAR_LANES) {
        uint32_t near = near_hits(hits->ats + i, hits->before + i, c->word_size, c->near);
        if (n - i < NEAR_LANES)
            near &= ((uint32_t)1 << (n - i)) - 1;
        n_near += list_bits(near, i, list + n_near);
    }
    return n_near;
}

static size_t take_hits(struct two_hit_chunk *c, struct two_hit_candidates *candidates, size_t n_candidates)
{
    struct chunk_hits hits;
    uint16_t list[TWO_HIT_CHUNK_HITS + FEW_NEAR];
    uint8_t later_by[UINT8_MAX + 1];
    const size_t n = c->words->present != NULL ? collect_cells(c, &hits) : collect(c, &hits);
    size_t n_near;

    c->n_hits += n;
    count_later((unsigned)c->word_size, later_by);
    remember_all(c->last, &hits, n, later_by);
    n_near = list_near(c, &hits, n, list);
    for (size_t i = 0; i < n_near; i++) {
        const size_t k = list[i], out = n_candidates + i;
        const int word = hits.ats[k] - c->at;
        candidates->subject[out] = c->subject + word;
        candidates->position[out] = (uint16_t)(hits.entries[k] - (c->n_words - 1 - word));
        candidates->distance[out] = (uint8_t)(hits.ats[k] - hits.before[k]);
    }
    return n_near;
}

static void lower(const uint8_t *from, size_t n, uint8_t less, uint8_t *to)
{
    const lowered_lanes by = (lowered_lanes){0} + less;
    size_t i = n;

    for (; i >= sizeof by; i -= sizeof by) {
        lowered_lanes of;
        memcpy(&of, from + i - sizeof of, sizeof of);
        of = (of - by) & (lowered_lanes)(of > by);
        memcpy(to + i - sizeof of, &of, sizeof of);
    }
    for (; i > 0; i--)
        to[i - 1] = from[i - 1] > less ? (uint8_t)(from[i - 1] - less) : 0;
}

#endif
