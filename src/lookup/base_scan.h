/*
 * base_scan.h - scans a chunk of a subject for words that hit a strand of a query, and extends the hits without gaps.
 *
 * The chunk stays packed, as the database has it. Looking up runs ahead of extending, so that reads of the table and of the queries
 * overlap.
 */
#ifndef TMS_BASE_SCAN_H
#define TMS_BASE_SCAN_H

#include "base/clock.h"
#include "lookup/base_diagonals.h"
#include "lookup/base_words.h"

/* Words and extensions of a group. */
struct base_lookup {
    struct base_strands strands;
    struct base_words words[2]; /* n_words tables; at each position of the subject, hits of the first come first */
    int n_words;
    struct ungapped_base_costs costs;
    int window; /* a second hit on the diagonal must begin less than this many bases after the first one's end; 0: one hit is enough */
    int off_diagonal;  /* the first of two hits may lie up to so many diagonals off */
    bool checks_masks; /* words of which the table has a part must lie outside masks as a whole, also without two hits */
};

/* An ungapped HSP, and the number of its strand. */
struct base_hsp {
    struct ungapped_bases hsp;
    uint32_t strand;
};

/* Ungapped HSPs, and counts to which each scan adds. All zero is empty; the caller frees hsps. */
struct base_found {
    struct base_hsp *hsps;
    size_t n, capacity;
    uint64_t n_looked_up; /* words of the subject that were looked up, in each table */
    uint64_t n_present;   /* of these, words that a table has */
    uint64_t n_hits, n_extensions;
    struct clock_sample taking;    /* hits of present words, with their extensions */
    double seconds_sieved;         /* hits that a sieve has left, with their extensions: all of them */
    struct clock_sample extending; /* some of the extensions */
    uint64_t n_small;              /* batches of look-ups that are not full */
    double of_clock;               /* seconds that reading the clock takes; 0: not known yet */
};

/* A hit: positions of the first bases of the word. */
struct base_hit {
    int query, subject;
};

/*
 * base_scan() - scans a chunk, and appends HSPs to found->hsps in no particular order.
 *   chunk  [in] its first base is the first of a byte
 *   ranges [in] n_ranges unmasked ranges of the chunk, ascending: words lie within one of them. NULL: nothing is masked
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_scan(const struct base_lookup *lookup, const struct packed_bases *chunk, const struct residue_range *ranges,
                     size_t n_ranges, struct base_diagonals *diagonals, struct base_found *found);

/*
 * base_scan_hits() - as base_scan() of a chunk without masks, but takes n hits of the first table in the order of a scan, which a sieve has
 * left (base_sieve.h). Does not count look-ups and hits.
 */
tms_status base_scan_hits(const struct base_lookup *lookup, const struct packed_bases *chunk, const struct base_hit *hits, size_t n,
                          struct base_diagonals *diagonals, struct base_found *found);

#endif
