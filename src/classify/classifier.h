/* classifier.h - the internals of a classifier, which is immutable after creation. */
#ifndef TMS_CLASSIFIER_H
#define TMS_CLASSIFIER_H

#include "classify/false_hits.h"
#include "classify/word_scan.h"

#define MOST_TABLED_HITS  64
#define MOST_TABLED_WORDS ((uint64_t)1 << 20)

struct tms_classifier {
    tms_rule rule;
    double threshold;
    uint32_t least_hits; /* least hits of a matching read; 0: given by most_words[] */
    double false_per_million;
    bool is_stranded;        /* true: both strands of a read are looked up, and the better one counts */
    struct scan_shape shape; /* common shape of all filters, except k */
    size_t n_filters;
    const tms_filter *filters[TMS_MAX_REFERENCES];
    struct false_hits false_hits[TMS_MAX_REFERENCES];
    uint32_t doubtful_depth[TMS_MAX_REFERENCES]; /* number of w-mers by which chance hardly ever extends a run of hits */
    uint32_t n_tabled;
    uint64_t most_words[MOST_TABLED_HITS]; /* most_words[h]: most w-mers of a read for which h + 1 hits suffice */
};

/* classifier_chance_hits() - number of hits that a random read with n_words w-mers hardly reaches; n_words + 1 if there is none. */
uint64_t classifier_chance_hits(const tms_classifier *c, uint64_t n_words);

/* classifier_may_be_chance() - tests whether all n_hits of a unit with n_words w-mers are likely to be false positives. */
bool classifier_may_be_chance(const tms_classifier *c, uint32_t reference, uint64_t n_words, uint64_t n_hits);

#endif
