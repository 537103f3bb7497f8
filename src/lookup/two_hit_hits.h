/*
 * two_hit_hits.h - two_hit_take() without branches that depend on a hit: a wrong guess of the processor costs as much as thirty
 * instructions. The file that includes this defines POSITIONS_AT_ONCE, how many positions a vector has, near_hits() and lower_lanes().
 */
#ifndef TMS_TWO_HIT_HITS_H
#define TMS_TWO_HIT_HITS_H

#include "base/core.h"
#include "lookup/two_hit_passes.h"

#include <string.h>

enum {
    BLOCK = WORD_LOOKUP_BLOCK,
    BLOCKS_A_LINE = 4,  /* of the cache */
    BLOCKS_AT_ONCE = 8, /* blocks of a word that are listed without a branch */
    MOST_BLOCKS = TWO_HIT_CHUNK_HITS / BLOCK,
    FEW_NEAR = 4,
    NEAR_LANES = 32,      /* hits that near_hits() compares */
    FEW_POSITIONS = 8,    /* positions copied together from a list outside a cell: the bytes of core_write64() */
    OPEN_AHEAD = 64,      /* cells are opened this many kept words before they are taken; a chunk's words at least */
    PREFETCH_AHEAD = 112, /* and prefetched this many before */
    PREFETCH_AT_ONCE = 4  /* cells prefetched for every eight hits remembered; more would wait for each other */
};

_Static_assert((int)WORD_LOOKUP_READ_BEYOND >= (int)POSITIONS_AT_ONCE, "positions are read beyond the last");
_Static_assert((int)OPEN_AHEAD >= (int)TWO_HIT_CHUNK_WORDS, "all words of a chunk are opened before they are taken");

/* Bit i is set if distances[i] is `least` or more, and less than `end`. Reads NEAR_LANES of them. */
static inline uint32_t near_hits(const uint8_t *distances, int least, int end);

typedef uint16_t position_lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));
typedef uint16_t few_lanes __attribute__((vector_size(2 * FEW_POSITIONS)));
typedef uint8_t at_lanes __attribute__((vector_size(POSITIONS_AT_ONCE)));
typedef uint8_t lowered_lanes __attribute__((vector_size(2 * POSITIONS_AT_ONCE)));
typedef uint32_t block_lanes __attribute__((vector_size(4 * BLOCKS_AT_ONCE)));
typedef uint8_t hit_lanes __attribute__((vector_size(2 * BLOCK))); /* of a block, and as much that is not used */

/* Subtracts, to 0 at least. */
static inline void lower_lanes(lowered_lanes *of, const lowered_lanes *by);

/* Hits of a chunk, each with an entry, or in blocks. Entries, blocks and `ats` are written beyond the last hit. */
struct chunk_hits {
    uint16_t entries[TWO_HIT_CHUNK_HITS + 2 * POSITIONS_AT_ONCE]; /* where their diagonals are in chunk.last */
    uint32_t blocks[MOST_BLOCKS + 2 * BLOCKS_AT_ONCE];            /* numbers of their blocks in the table */
    uint8_t ats[TWO_HIT_CHUNK_HITS + 2 * POSITIONS_AT_ONCE];      /* positions as they are remembered, of each hit or each block */
    uint8_t distances[TWO_HIT_CHUNK_HITS + NEAR_LANES];           /* of each hit, from the remembered one */
};

static inline void copy_positions(const uint16_t *positions, position_lanes shift, at_lanes at, struct chunk_hits *hits, size_t i)
{
    position_lanes p;

    memcpy(&p, positions, sizeof p);
    p += shift;
    memcpy(hits->entries + i, &p, sizeof p);
    memcpy(hits->ats + i, &at, sizeof at);
}

/* In a table of long words many words have no positions: those are left out here, without branches. */
static inline void choose_words(const struct word_lookup *table, struct two_hit_words *numbered)
{
    size_t n = 0;

    for (int k = 0; k < numbered->n; k++) {
        const uint32_t word = numbered->numbers[k];
        numbered->kept[n] = (uint16_t)k;
        n += table->present[word / 64] >> word % 64 & 1;
    }
    for (size_t i = 0; i < n; i++)
        numbered->first[i] = word_lookup_rank_of(table, numbered->numbers[numbered->kept[i]]);
    numbered->n_kept = n;
    numbered->n_prefetched = numbered->n_opened = numbered->n_done = 0;
    numbered->is_chosen = true;
}

/* Up to `end`, or all. */
static inline size_t end_of_kept(const struct two_hit_words *numbered, size_t end)
{
    return end < numbered->n_kept ? end : numbered->n_kept;
}

/* Prefetches the cells of kept words before `end`. */
static inline void prefetch_cells(const struct word_lookup *table, struct two_hit_words *numbered, size_t end)
{
    for (; numbered->n_prefetched < end; numbered->n_prefetched++)
        __builtin_prefetch(&table->positions16[WORD_LOOKUP_CELL * (size_t)numbered->first[numbered->n_prefetched]]);
}

/* Opens these cells, and prefetches the first and the last position. */
static inline void open_cells(const struct word_lookup *table, struct two_hit_words *numbered, size_t end)
{
    size_t i = numbered->n_opened;

    for (; i < end; i++) {
        numbered->first[i] = word_lookup_open(table, numbered->first[i], &numbered->n_positions[i]);
        __builtin_prefetch(&table->positions16[numbered->first[i]]);
        __builtin_prefetch(&table->positions16[numbered->first[i] + numbered->n_positions[i] - 1]);
    }
    numbered->n_opened = i;
}

/* Chooses how many of a word's n positions that are left are taken now, `most` at most; `next` is the word still if some are
 * left. */
static inline uint32_t choose_now(struct two_hit_chunk *c, int word, uint32_t n, size_t most)
{
    const bool is_whole = n <= most;
    const uint32_t n_now = is_whole ? n : (uint32_t)most;

    c->n_taken = is_whole ? 0 : c->n_taken + n_now;
    c->next = word + is_whole;
    return n_now;
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

/* Most lists that do not fit in a cell have only a few more positions, and a longer read could wait for another line. */
static inline void copy_few(const uint16_t *positions, uint16_t shift, uint8_t at, struct chunk_hits *hits, size_t i)
{
    few_lanes p;

    memcpy(&p, positions, sizeof p);
    p += (few_lanes){0} + shift;
    memcpy(hits->entries + i, &p, sizeof p);
    core_write64(hits->ats + i, at * 0x0101010101010101u);
}

/* Writes the hits of long words, most of which have few positions. */
static inline size_t collect_cells(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    const struct word_lookup *table = c->words;
    struct two_hit_words *numbered = c->numbered;
    const int end = c->first_word + c->n_words;
    size_t n = 0, i;

    if (!numbered->is_chosen)
        choose_words(table, numbered);
    i = numbered->n_done;
    prefetch_cells(table, numbered, end_of_kept(numbered, i + OPEN_AHEAD));
    open_cells(table, numbered, end_of_kept(numbered, i + OPEN_AHEAD));
    for (; i < numbered->n_kept && numbered->kept[i] < end; i++) {
        const int word = numbered->kept[i] - c->first_word;
        const uint16_t shift = (uint16_t)(c->n_words - 1 - word);
        const uint8_t at = (uint8_t)(c->at + word);
        const uint16_t *positions = table->positions16 + numbered->first[i] + c->n_taken;
        const uint32_t n_now = choose_now(c, word, numbered->n_positions[i] - c->n_taken, TWO_HIT_CHUNK_HITS - n);
        copy_cell(positions, shift, at, hits, n);
        for (uint32_t k = WORD_LOOKUP_CELL; k < n_now; k += FEW_POSITIONS)
            copy_few(positions + k, shift, at, hits, n + k);
        n += n_now;
        if (c->next == word) {
            numbered->n_done = i;
            return n;
        }
    }
    numbered->n_done = i;
    c->next = c->n_words;
    return n;
}

/* Writes the hits of words one after the other. Most words have few positions; these are copied without a branch on their number. */
static inline size_t collect(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    const uint32_t *starts = c->words->starts, *numbers = c->numbered->numbers + c->first_word;
    size_t n = 0;

    for (int word = c->next; word < c->n_words; word++) {
        const uint32_t *start = &starts[numbers[word]];
        const position_lanes shift = (position_lanes){0} + (uint16_t)(c->n_words - 1 - word);
        const at_lanes at = (at_lanes){0} + (uint8_t)(c->at + word);
        const uint16_t *positions = c->words->positions16 + start[0] + c->n_taken;
        const uint32_t n_now = choose_now(c, word, start[1] - start[0] - c->n_taken, TWO_HIT_CHUNK_HITS - n);
        copy_positions(positions, shift, at, hits, n);
        for (uint32_t i = POSITIONS_AT_ONCE; i < n_now; i += POSITIONS_AT_ONCE)
            copy_positions(positions + i, shift, at, hits, n + i);
        n += n_now;
        if (c->next == word)
            return n;
    }
    return n;
}

/* Lists BLOCKS_AT_ONCE blocks, and the position of their hits as it is remembered. */
static inline void list_blocks(uint32_t first, uint8_t at, struct chunk_hits *hits, size_t n)
{
    const block_lanes blocks = (block_lanes){0, 1, 2, 3, 4, 5, 6, 7} + first;

    memcpy(hits->blocks + n, &blocks, sizeof blocks);
    core_write64(hits->ats + n, at * 0x0101010101010101u);
}

/* Lists the blocks of words one after the other. Few branches depend on a word. */
static inline size_t collect_blocks(struct two_hit_chunk *c, struct chunk_hits *hits)
{
    const uint32_t *starts = c->words->starts, *numbers = c->numbered->numbers + c->first_word;
    const uint16_t *positions = c->words->positions16;
    const int n_words = c->n_words, at = c->at;
    int word = c->next;
    size_t n = 0, n_empty = 0;

    for (; word < n_words; word++) {
        const uint32_t *start = &starts[numbers[word]];
        const uint32_t first = start[0] / BLOCK + c->n_taken;
        const size_t n_now = start[1] / BLOCK - first;
        if (n + n_now > MOST_BLOCKS)
            break;
        __builtin_prefetch(&positions[BLOCK * (size_t)first]);
        __builtin_prefetch(&positions[BLOCK * (size_t)first + BLOCKS_A_LINE * BLOCK]);
        list_blocks(first, (uint8_t)(at + word), hits, n);
        for (size_t i = BLOCKS_AT_ONCE; i < n_now; i += BLOCKS_AT_ONCE)
            list_blocks(first + (uint32_t)i, (uint8_t)(at + word), hits, n + i);
        c->n_taken = 0;
        n += n_now;
        n_empty += start[0] % BLOCK;
    }
    if (word < n_words) { /* as many blocks of the next word as there is room for */
        const uint32_t first = starts[numbers[word]] / BLOCK + c->n_taken;
        for (size_t i = n; i < MOST_BLOCKS; i += BLOCKS_AT_ONCE)
            list_blocks(first + (uint32_t)(i - n), (uint8_t)(at + word), hits, i);
        c->n_taken += (uint32_t)(MOST_BLOCKS - n);
        n = MOST_BLOCKS;
    }
    c->next = word;
    c->n_hits += BLOCK * n - n_empty;
    return BLOCK * n;
}

/*
 * Remembers a hit, unless it overlaps the remembered one (sieve_hit()). A table decides: compilers make a branch of a comparison. Returns
 * what was remembered before.
 */
static inline uint8_t remember(uint8_t *restrict last, size_t entry, const uint8_t *restrict later_by)
{
    const size_t before = last[entry];

    last[entry] = (uint8_t)(before + later_by[before]);
    return (uint8_t)before;
}

/* Remembers hits, in their order. What eight of them find is stored at once: a store to another line than the one before takes a cycle. */
static inline void remember_all(uint8_t *restrict last, struct chunk_hits *restrict hits, size_t n, const uint8_t *restrict later)
{
    const uint16_t *restrict entries = hits->entries;
    const uint8_t *restrict ats = hits->ats;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t befores = 0;
#pragma GCC unroll 8
        for (size_t k = 0; k < 8; k++)
            befores |= (uint64_t)remember(last, entries[i + k], later - ats[i + k]) << 8 * k;
        core_write64(hits->distances + i, core_read64(ats + i) - befores); /* no byte borrows: nothing later is remembered */
    }
    for (; i < n; i++)
        hits->distances[i] = (uint8_t)(ats[i] - remember(last, entries[i], later - ats[i]));
}

/* Remembers a hit of a long word, unless it overlaps the remembered one. Returns the distance between the two, UINT8_MAX at most. */
static inline uint64_t remember16(uint16_t *restrict last, uint32_t at, uint32_t word_size)
{
    const uint32_t before = *last, distance = at - before, changes = 0 - (uint32_t)(distance >= word_size);

    *last = (uint16_t)(before + (distance & changes));
    return distance < UINT8_MAX ? distance : UINT8_MAX;
}

/* Remembers the hits of long words, in their order; they have the lowest bytes of their positions. Cells are prefetched meanwhile. */
static inline void remember_long(struct two_hit_chunk *c, struct chunk_hits *restrict hits, size_t n)
{
    const uint16_t *restrict entries = hits->entries;
    const uint8_t *restrict ats = hits->ats;
    uint16_t *restrict last = c->last16;
    const uint32_t at = (uint32_t)c->at, w = (uint32_t)c->word_size;
    struct two_hit_words *numbered = c->numbered;
    const size_t end = end_of_kept(numbered, numbered->n_done + PREFETCH_AHEAD);
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t distances = 0;
        prefetch_cells(c->words, numbered,
                       numbered->n_prefetched + PREFETCH_AT_ONCE < end ? numbered->n_prefetched + PREFETCH_AT_ONCE : end);
#pragma GCC unroll 8
        for (size_t k = 0; k < 8; k++)
            distances |= remember16(&last[entries[i + k]], at + (uint8_t)(ats[i + k] - at), w) << 8 * k;
        core_write64(hits->distances + i, distances);
    }
    for (; i < n; i++)
        hits->distances[i] = (uint8_t)remember16(&last[entries[i]], at + (uint8_t)(ats[i] - at), w);
}

/* Remembers the hits of a block, at `at`. They are of one word, so no two of them are on a diagonal. */
#ifdef __AVX2__
static inline void remember_block(uint8_t *last, const uint16_t *positions, uint8_t at, int word_size, const uint8_t *later,
                                  uint8_t *distances)
{
    hit_lanes before = {0}, distance, now;
    size_t entries[BLOCK]; /* in registers */

#pragma GCC unroll 8
    for (size_t i = 0; i < BLOCK; i++)
        entries[i] = positions[i];
#pragma GCC unroll 8
    for (size_t i = 0; i < BLOCK; i++)
        before[i] = last[entries[i]];
    distance = at - before;
    now = before + (distance & (hit_lanes)(distance >= (uint8_t)word_size)); /* hits that overlap change nothing */
    memcpy(distances, &distance, BLOCK);
#pragma GCC unroll 8
    for (size_t i = 0; i < BLOCK; i++)
        last[entries[i]] = now[i];
    (void)later;
}
#else
static inline void remember_block(uint8_t *last, const uint16_t *positions, uint8_t at, int word_size, const uint8_t *later,
                                  uint8_t *distances)
{
    for (size_t i = 0; i < BLOCK; i++)
        distances[i] = (uint8_t)(at - remember(last, positions[i], later - at));
    (void)word_size;
}
#endif

/* The same for the hits of blocks. end: where position 0 would be at a word that is remembered at 0. */
static inline void remember_blocks(const uint16_t *positions, uint8_t *end, struct chunk_hits *hits, size_t n, int word_size,
                                   const uint8_t *later)
{
    for (size_t i = 0; i < n / BLOCK; i++)
        remember_block(end - hits->ats[i], positions + BLOCK * (size_t)hits->blocks[i], hits->ats[i], word_size, later,
                       hits->distances + BLOCK * i);
}

/*
 * Lists the numbers of the bits that are set, `first` being that of bit 0. Writes at least FEW_NEAR entries, without a branch: more are
 * rarely needed. Returns the number of bits. (The list is volatile because compilers would first put four numbers together, at a cost.)
 */
static inline size_t list_bits(uint32_t bits, size_t first, volatile uint16_t *list)
{
    const size_t n = (size_t)__builtin_popcount(bits);
    uint64_t left = bits | (((uint64_t)1 << FEW_NEAR) - 1) << NEAR_LANES;

#pragma GCC unroll 4
    for (size_t i = 0; i < FEW_NEAR; i++) {
        list[i] = (uint16_t)(first + (size_t)__builtin_ctzll(left));
        left &= left - 1;
    }
    for (size_t i = FEW_NEAR; i < n; i++) {
        list[i] = (uint16_t)(first + (size_t)__builtin_ctzll(left));
        left &= left - 1;
    }
    return n;
}

/* Lists the hits near the remembered one. */
static inline size_t list_near(const struct two_hit_chunk *c, const struct chunk_hits *hits, size_t n, uint16_t *list)
{
    size_t n_near = 0;

    for (size_t i = 0; i < n; i += NEAR_LANES) {
        uint32_t near = near_hits(hits->distances + i, c->word_size, c->near);
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
    const uint8_t *later = c->later + UINT8_MAX + 1;
    const uint16_t *positions = c->words->positions16;
    const bool has_blocks = c->words->has_blocks;
    size_t n, n_near;

    if (has_blocks) {
        n = collect_blocks(c, &hits);
        remember_blocks(positions, c->last + c->at + c->n_words - 1, &hits, n, c->word_size, later);
    } else if (c->words->present != NULL) {
        n = collect_cells(c, &hits);
        c->n_hits += n;
        remember_long(c, &hits, n);
    } else {
        n = collect(c, &hits);
        c->n_hits += n;
        remember_all(c->last, &hits, n, later);
    }
    n_near = list_near(c, &hits, n, list);
    for (size_t i = 0; i < n_near; i++) {
        const size_t k = list[i], out = n_candidates + i;
        const int word = (uint8_t)(hits.ats[has_blocks ? k / BLOCK : k] - c->at);
        candidates->subject[out] = c->subject + word;
        candidates->position[out] = has_blocks ? positions[BLOCK * (size_t)hits.blocks[k / BLOCK] + k % BLOCK]
                                               : (uint16_t)(hits.entries[k] - (c->n_words - 1 - word));
        candidates->distance[out] = hits.distances[k];
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
        lower_lanes(&of, &by);
        memcpy(to + i - sizeof of, &of, sizeof of);
    }
    for (; i > 0; i--)
        to[i - 1] = from[i - 1] > less ? (uint8_t)(from[i - 1] - less) : 0;
}

#endif
