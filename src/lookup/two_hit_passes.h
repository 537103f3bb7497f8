/*
 * two_hit_passes.h - the passes of the sieved scan over many hits at once. Each form of them is compiled for other instructions, from
 * two_hit_lanes.h, and gives the same candidates.
 */
#ifndef TMS_TWO_HIT_PASSES_H
#define TMS_TWO_HIT_PASSES_H

#include "lookup/two_hit_types.h"

enum {
    TWO_HIT_CHUNK_WORDS = 64,  /* words of the subject that a chunk has at most */
    TWO_HIT_WORDS_AHEAD = 12,  /* words behind the chunk's that are read ahead */
    TWO_HIT_CHUNK_HITS = 2048, /* hits that are taken together */
    TWO_HIT_LANES = 32,        /* candidates that are bounded together */
    TWO_HIT_CANDIDATES = 4096, /* candidates that two_hit_bound takes at once */
    TWO_HIT_LEAST_MOST = 64,   /* scores have 8 bits: an extension that may reach this much is a candidate, whatever its cutoff */
    TWO_HIT_MOST_SCORE = 31,   /* of two residues */
    TWO_HIT_GAP_PAIR = 64,     /* what the sum of a pair with a gap is lowered by */
    TWO_HIT_MOST_X_DROP = TWO_HIT_GAP_PAIR - TWO_HIT_MOST_SCORE - 1 /* a gap ends every extension */
};

/* Words of a subject, and the hits remembered on the diagonals (two_hit_sieve.c). */
struct two_hit_chunk {
    const struct word_lookup *words;
    const uint32_t *numbers; /* of the words, and of TWO_HIT_WORDS_AHEAD more */
    int n_words;
    int next;         /* the first word that is left */
    uint32_t n_taken; /* positions of that word that were taken already */
    int subject;      /* position of the first word */
    uint8_t *last;    /* the hit remembered on the diagonal on which the chunk's last word meets position 0 of the queries; others follow */
    int at;           /* the first word's position as it is remembered */
    int word_size, near;
    uint64_t n_hits; /* counts the hits */
};

/* A hit near an earlier one. The fields after distance are the bounds'. */
struct two_hit_candidate {
    int32_t subject;
    uint16_t position;
    uint8_t distance; /* residues from the remembered hit on its diagonal */
    uint8_t x_drop;
    int8_t least;      /* what a score has to reach */
    uint8_t n_between; /* pairs of residues to the left which an extension has yet to pass before it reaches the earlier hit */
    int8_t run, best;  /* of the side that is being extended */
    int8_t least_left; /* what the side has to reach: the left one by itself, with the words; the right one after the left one */
};

/* Where bounds are computed. */
struct two_hit_bounded {
    const struct concatenated_queries *queries;
    const uint8_t *codes;  /* of the subject, with gaps around it */
    const uint32_t *pairs; /* of the subject */
    size_t half;           /* pairs of odd positions follow this many entries later */
    int word_size;
};

/*
 * Takes hits of a chunk's words, TWO_HIT_CHUNK_HITS at most: finds candidates, and remembers the hits. The chunk is done when `next` is
 * n_words. Returns the number of candidates.
 */
typedef size_t two_hit_take(struct two_hit_chunk *chunk, struct two_hit_candidate *candidates);

/*
 * Drops candidates from which no extension can reach its cutoff: most of them. `spare` has space for as many. Returns the number of those
 * that are left, in no particular order.
 */
typedef size_t two_hit_bound(const struct two_hit_bounded *in, struct two_hit_candidate *candidates, size_t n,
                             struct two_hit_candidate *spare);

struct two_hit_passes {
    two_hit_take *take;
    two_hit_bound *bound;
};

extern const struct two_hit_passes two_hit_passes_plain;
#if TMS_HAVE_X86_SIMD
extern const struct two_hit_passes two_hit_passes_avx2;
bool two_hit_vbmi_usable(void);
extern two_hit_bound *const two_hit_bound_vbmi;
#endif

#endif
