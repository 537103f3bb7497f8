/* unit_tally.h - sums the hits of a unit (a read or a pair) over strands and mates, and derives its result. */
#ifndef TMS_UNIT_TALLY_H
#define TMS_UNIT_TALLY_H

#include "classify/classifier.h"

/* Sums over the hits of one strand of a mate, for one reference. */
struct tally {
    uint64_t hits;
    uint64_t doubtful; /* DEFAULT: hits that may only extend by chance a run shared with another reference */
    uint64_t runs;     /* FACS: number of runs of hits */
    uint64_t covered;  /* FACS_PERL: bases covered by hits */
    uint64_t end;      /* FACS_PERL: position after the last covered base */
    bool is_open;      /* FACS: the last w-mer was a hit */
    bool has_quick;    /* FACS: one of the w-mers at 0, w, 2 w, ... was a hit */
};

struct points {
    uint64_t hits, points; /* points: numerator of the score */
    uint64_t doubtful;
};

/* All zero is the initial state of a unit. */
struct unit_tally {
    struct tally tallies[TMS_MAX_REFERENCES];  /* sums of the open strand */
    struct points of_mate[TMS_MAX_REFERENCES]; /* points of the open mate's better strand so far */
    struct points of_unit[TMS_MAX_REFERENCES];
    uint64_t n_words, whole;            /* n_words: w-mers of the unit; whole: denominator of the score */
    uint64_t chance_words, chance_hits; /* DEFAULT: a unit with chance_words w-mers needs chance_hits hits; 0: not computed yet */
    bool is_second_strand;
};

/* The hits of a piece. */
struct piece_hits {
    uint64_t some; /* bit r: filter r may have hits */
    uint64_t masks[TMS_MAX_REFERENCES]
                  [SCAN_MASK]; /* for each filter in `some`, (n_bases + 63) / 64 words: bit i is 1 if a hit begins at base i */
};

/* unit_add_piece() - adds a piece of n_bases bases, from base `at` of the open strand on. Pieces come in order; each w-mer is in exactly
 * one piece. */
void unit_add_piece(const tms_classifier *c, struct unit_tally *u, uint64_t at, uint32_t n_bases, const struct piece_hits *hits);

/*
 * unit_look_up() - looks up a piece of the open strand, from base `at` on, in all filters; counts its w-mers on the first strand.
 *   scan    [in] after scan_hashes(), and scan_lines() if may_hit has a bit
 *   may_hit [in] bit r: filter r may contain w-mers of the piece
 */
void unit_look_up(const tms_classifier *c, const struct scan_shape *shape, const struct scan *scan, uint64_t at, uint64_t may_hit,
                  struct unit_tally *u);

/* unit_end_strand() - length: bases of the mate, also below. */
void unit_end_strand(const tms_classifier *c, struct unit_tally *u, uint64_t length);
void unit_end_mate(const tms_classifier *c, struct unit_tally *u, uint64_t length);

/* unit_end() - returns the result and the score for each reference (NULL: not wanted), and resets for the next unit. */
void unit_end(const tms_classifier *c, struct unit_tally *u, tms_classified *out, tms_reference_score *scores);

#endif
