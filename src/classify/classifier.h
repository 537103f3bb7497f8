/* classifier.h - the inside of a classifier. It does not change once it is made. */
#ifndef TMS_CLASSIFIER_H
#define TMS_CLASSIFIER_H

#include "classify/false_hits.h"
#include "classify/word_scan.h"

#define MOST_TABLED_HITS  64
#define MOST_TABLED_WORDS ((uint64_t)1 << 20)

struct tms_classifier {
    tms_rule rule;
    double threshold;
    uint32_t least_hits; /* 0: most_words[] */
    double false_per_million;
    bool is_stranded;        /* both strands of a read are looked up, and the better one counts */
    struct scan_shape shape; /* of all filters, but for k */
    size_t n_filters;
    const tms_filter *filters[TMS_MAX_REFERENCES];
    struct false_hits false_hits[TMS_MAX_REFERENCES];
    uint32_t doubtful_depth[TMS_MAX_REFERENCES]; /* w-mers by which a run of hits is hardly ever longer by chance */
    uint32_t n_tabled;
    uint64_t most_words[MOST_TABLED_HITS]; /* [h]: for up to this many w-mers, h + 1 hits are enough */
};

/* classifier_chance_hits() - so many hits that random reads with n_words w-mers hardly have them; n_words + 1: there is no such number. */
uint64_t classifier_chance_hits(const tms_classifier *c, uint64_t n_words);

/* classifier_may_be_chance() - are so many hits of a unit with n_words w-mers likely to be the filter's false positives, and no others? */
bool classifier_may_be_chance(const tms_classifier *c, uint32_t reference, uint64_t n_words, uint64_t n_hits);

#endif
