/* two_hit_types.h - the data of a two-hit scan: queries, states of diagonals, HSPs. */
#ifndef TMS_TWO_HIT_TYPES_H
#define TMS_TWO_HIT_TYPES_H

#include "extend/ungapped_core.h"
#include "lookup/score_hash.h"
#include "lookup/word_lookup.h"
#include "run/context.h"

struct two_hit_query {
    const uint8_t *codes; /* residue codes, with a readable byte before and after */
    int length, x_drop;
    int cutoff;         /* the least score of an extension that is kept */
    int first_position; /* position of the first residue in the table; ascending from query to query */
};

enum {
    TWO_HIT_NEAR = 16,  /* positions that share an entry of query_near and of limits */
    TWO_HIT_MARGIN = 64 /* bytes before and after residues that may be read */
};

/* Near a position: the widest X-drop of a query, the least score that a bound has to reach, and what its left side has to reach if the
 * words score the most that they may. */
struct two_hit_bounds {
    uint8_t x_drop;
    int8_t least;
    int16_t least_left; /* of 8 bits, too */
};

/* The queries of a group one after the other, for the sieved scan. */
struct concatenated_queries {
    const uint8_t *codes;  /* code at each position, with gaps between queries and TWO_HIT_MARGIN more before and after */
    const uint8_t *hashes; /* of these codes for score_hash, n_hashes bytes for each table */
    size_t n_hashes;
    struct two_hit_bounds *limits; /* for each TWO_HIT_NEAR positions */
    uint16_t *query_near;          /* for each TWO_HIT_NEAR positions: the query at the first of them */
    uint8_t *has_word;             /* for each position: 1 if a word of the table begins there */
    uint8_t *codes_memory;
    uint8_t *hashes_memory;
    struct score_hash score_hash;
    const uint8_t *letter_of;                       /* the letter of each code in words; NULL: letters are codes */
    int word_scores[RESIDUE_CODES * RESIDUE_CODES]; /* [RESIDUE_CODES * query's code + subject's code] scores of residues in words */
    int8_t rows[RESIDUE_ROW * RESIDUE_ROW];         /* [RESIDUE_ROW * query's code + subject's code] scores; INT8_MIN for gaps */
};

/* The words at positions from `first` on, as positions less that; those before `core` are also an earlier stretch's. */
struct query_stretch {
    struct word_lookup words;
    int first, core; /* first: a multiple of TWO_HIT_NEAR */
};

struct two_hit_queries {
    const struct word_lookup *words; /* of the first stretch, if there are stretches */
    const struct two_hit_query *items;
    size_t n;
    const int *scores;                               /* [RESIDUE_CODES * query's code + subject's code] */
    const struct concatenated_queries *concatenated; /* NULL: the sieved scan does not apply */
    tms_simd simd;                                   /* instructions that the scan may use */
    int window;                            /* two hits begin less than this many residues apart and do not overlap; 0: one hit is enough */
    const struct query_stretch *stretches; /* for the sieved scan only */
    size_t n_stretches;                    /* 0: `words` has all words */
};

/* A subject to scan. */
struct two_hit_subject {
    const uint8_t *codes; /* n codes, with a readable byte before and after */
    int n;
    const struct residue_range *ranges; /* where words lie, ascending; NULL: anywhere. Extensions may leave the ranges */
    size_t n_ranges;
    int n_more; /* residues after the n that words may include although nothing is extended to the right there; usually 0 */
};

/* two_hit_range() - range i of a subject. */
static inline struct residue_range two_hit_range(const struct two_hit_subject *subject, size_t i)
{
    return subject->ranges != NULL ? subject->ranges[i] : (struct residue_range){0, subject->n};
}
static inline size_t two_hit_n_ranges(const struct two_hit_subject *subject) { return subject->ranges != NULL ? subject->n_ranges : 1; }

/* The state of each diagonal. Kept across subjects; two_hit_diagonals_init() makes the initial state. */
struct two_hit_diagonals {
    int32_t *last; /* 2 x (position in the subject + base), plus 1 if hits up to there lie in an extension; diagonal d is at d & mask */
    uint32_t mask;
    int32_t base;                /* grows from subject to subject, so that the states of earlier subjects are out of reach */
    int32_t left_up_to;          /* states in `last` below this may be met by later subjects, because a subject with n_more has left them */
    struct two_hit_sieve *sieve; /* the state of the sieved scan (two_hit_sieve.c) */
};

/* An ungapped HSP and the number of its query. part is 0; callers that cut a subject set it. */
struct two_hit_hsp {
    struct ungapped_hsp hsp;
    uint32_t query, part;
};

/* Ungapped HSPs and the counts that led to them. All zero is empty; the caller frees hsps. */
struct two_hit_found {
    struct two_hit_hsp *hsps;
    size_t n, capacity;
    uint64_t n_hits, n_extensions; /* counts to which each scan adds */
};

#endif
