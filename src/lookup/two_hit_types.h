/* two_hit_types.h - what a scan for two hits works with: queries, states of diagonals, extensions. */
#ifndef TMS_TWO_HIT_TYPES_H
#define TMS_TWO_HIT_TYPES_H

#include "extend/ungapped_core.h"
#include "lookup/word_lookup.h"
#include "run/context.h"

struct two_hit_query {
    const uint8_t *codes; /* with a byte before and after */
    int length, x_drop;
    int cutoff;         /* the score of an extension that is kept */
    int first_position; /* of its first residue in the table; ascending from query to query */
};

enum {
    TWO_HIT_NEAR = 16,
    TWO_HIT_MARGIN = 64,        /* bytes that may be read before and after residues */
    TWO_HIT_MOST_STATES = 32700 /* base + residues of a subject, in 16-bit states */
};

/* Queries one after the other, for 16-bit numbers. */
struct concatenated_queries {
    const uint16_t *rows; /* of each place RESIDUE_ROW x code: its row of scores; a gap's before and after each query */
    const uint8_t *codes; /* of each place, and of TWO_HIT_MARGIN before and after */
    uint16_t *rows_memory;
    uint8_t *codes_memory;
    uint16_t *query_near;                      /* of each TWO_HIT_NEAR positions the query that the first is in */
    int32_t scores[RESIDUE_ROW * RESIDUE_ROW]; /* x 2^16, minus 1 */
    int8_t bytes[RESIDUE_ROW * RESIDUE_ROW];   /* as they are */
};

struct two_hit_queries {
    const struct word_lookup *words;
    const struct two_hit_query *items;
    size_t n;
    const int *scores;                        /* [RESIDUE_CODES * query's code + subject's code] */
    const struct concatenated_queries *strip; /* NULL: there is none */
    tms_simd simd;                            /* what the scan may use */
    int window; /* two hits begin less than this many residues from each other, and do not overlap; 0: one hit is enough */
};

/* A subject, whose words are looked up. */
struct two_hit_subject {
    const uint8_t *codes; /* n of them, with a byte before and after */
    int n;
    const struct residue_range *ranges; /* what words are taken from, ascending; NULL: all of it. Extensions leave them */
    size_t n_ranges;
    int n_more; /* residues behind the n that words may be of, though nothing is extended to the right there; usually 0 */
};

/* two_hit_range() - range i of a subject. */
static inline struct residue_range two_hit_range(const struct two_hit_subject *subject, size_t i)
{
    return subject->ranges != NULL ? subject->ranges[i] : (struct residue_range){0, subject->n};
}
static inline size_t two_hit_n_ranges(const struct two_hit_subject *subject) { return subject->ranges != NULL ? subject->n_ranges : 1; }

/* Where the last hit of each diagonal was. It lasts over all subjects; zeroed is empty. */
struct two_hit_diagonals {
    int32_t *last;    /* 2 x (place in the subject + base), plus 1 if what follows lies in an extension. Diagonal d is at d & mask */
    uint16_t *narrow; /* the same in the fast form, two_hit_int16.c */
    uint32_t mask;
    int32_t base, narrow_base; /* grow from subject to subject, so that what they left is long ago */
    int32_t left_up_to;        /* of `last`: but a subject with n_more may leave what others meet, below this */
    uint8_t *copy;             /* of a subject */
    size_t copy_capacity;
};

/* An extension that was kept, and the number of its query. part is 0: it is for those who cut a subject. */
struct two_hit_hsp {
    struct ungapped_hsp hsp;
    uint32_t query, part;
};

/* Extensions that were kept, and what led to them. Zeroed is empty; hsps is freed by the caller. */
struct two_hit_found {
    struct two_hit_hsp *hsps;
    size_t n, capacity;
    uint64_t n_hits, n_extensions; /* are added to */
};

#endif
