/* unit_tally.h - what the hits of a unit, a read or a pair, add up to: strand after strand, mate after mate, and what follows from it. */
#ifndef TMS_UNIT_TALLY_H
#define TMS_UNIT_TALLY_H

#include "classify/classifier.h"

/* What the hits of a strand of a mate add up to, for one reference. */
struct tally {
    uint64_t hits;
    uint64_t doubtful; /* DEFAULT: of them, those that may lengthen by chance a run that another reference has, too */
    uint64_t runs;     /* FACS */
    uint64_t covered;  /* FACS_PERL: bases */
    uint64_t end;      /* FACS_PERL: after the last covered base */
    bool is_open;      /* FACS: the last w-mer was a hit */
    bool has_quick;    /* FACS: one of the w-mers at 0, w, 2 w, ... was a hit */
};

struct points {
    uint64_t hits, points; /* the numerator of the score */
    uint64_t doubtful;
};

/* All zero: a unit that begins. */
struct unit_tally {
    struct tally tallies[TMS_MAX_REFERENCES];  /* of the open strand */
    struct points of_mate[TMS_MAX_REFERENCES]; /* of its better strand so far */
    struct points of_unit[TMS_MAX_REFERENCES];
    uint64_t n_words, whole;            /* of the unit; whole: the denominator of the score */
    uint64_t chance_words, chance_hits; /* DEFAULT: so many hits a unit with chance_words w-mers needs; 0: not asked yet */
    bool is_second_strand;
};

/* The hits of a piece. */
struct piece_hits {
    uint64_t some;                                 /* bit r: there may be hits in filter r */
    uint64_t masks[TMS_MAX_REFERENCES][SCAN_MASK]; /* of these filters, (n_bases + 63) / 64 words: bit i is 1 where base i begins a hit */
};

/* unit_add_piece() - of n_bases bases, from base `at` of the open strand on. Pieces come in order, and each w-mer is in one of them. */
void unit_add_piece(const tms_classifier *c, struct unit_tally *u, uint64_t at, uint32_t n_bases, const struct piece_hits *hits);

/*
 * unit_look_up() - a piece of the open strand, from base `at` on, in all filters; its w-mers are counted with the first strand.
 *   scan    [in] after scan_places(), and scan_lines() if may_hit has a bit
 *   may_hit [in] bit r: the piece may have w-mers that are in filter r
 */
void unit_look_up(const tms_classifier *c, const struct scan_shape *shape, const struct scan *scan, uint64_t at, uint64_t may_hit,
                  struct unit_tally *u);

/* unit_end_strand() - length: letters of the mate, here and below. */
void unit_end_strand(const tms_classifier *c, struct unit_tally *u, uint64_t length);
void unit_end_mate(const tms_classifier *c, struct unit_tally *u, uint64_t length);

/* unit_end() - the result, and the score for each reference (NULL: not wanted). The next unit can begin. */
void unit_end(const tms_classifier *c, struct unit_tally *u, tms_classified *out, tms_reference_score *scores);

#endif
