/*
 * base_statistics.h - statistics of one strand of a nucleotide query: Karlin-Altschul parameters, search space, cutoffs and X-drops.
 *
 * The results are those of blastn of NCBI BLAST+ 2.12 to the last bit (see karlin.h).
 */
#ifndef TMS_SCORE_BASE_STATISTICS_H
#define TMS_SCORE_BASE_STATISTICS_H

#include "score/base_scores.h"
#include "score/evalue.h"
#include "score/karlin.h"

/*
 * karlin_of_bases() - parameters of ungapped alignments against a subject of equally frequent bases.
 *   codes [in] n BLASTNA codes after hard masking; N and gap codes do not count
 * Returns false if there are none: the strand cannot be searched with.
 */
bool karlin_of_bases(const struct base_scores *scores, const uint8_t *codes, size_t n, struct karlin *out);

/*
 * base_gapped_statistics() - statistics for E-values of a strand.
 *   costs    [in] NULL: alignments without gaps
 *   ungapped [in] of the strand
 */
void base_gapped_statistics(const struct base_scores *scores, const struct base_gap_costs *costs, const struct karlin *ungapped,
                            struct gapped_statistics *out);

/* The database, and what the user has set; 0 where the user has not. */
struct base_search_space {
    int64_t database_length; /* bases, or -dbsize */
    int64_t n_sequences;     /* in the database, whatever -dbsize */
    int64_t mean_length;     /* bases of a sequence on average, rounded down, whatever -dbsize; for the cutoff without gaps */
    int64_t given;           /* -searchsp: takes the place of the computed one */
    double evalue;           /* -evalue */
    int given_score;         /* -min_raw_gapped_score: takes the place of the score that the E-value requires */
    double decay;            /* of E-values of chains (gap_decay_divisor()); 0: HSPs are not linked */
    bool raw_limits;         /* x_bits is a score, and the ungapped cutoff follows an E-value also in a search with gaps */
    double x_bits;           /* X-drop of ungapped extension, in bits; 0: as many points as the ungapped cutoff has */
};

/* What a strand of a query is searched with. Scores are raw, and so are X-drops. */
struct base_statistics {
    struct karlin ungapped;
    struct gapped_statistics gapped; /* of alignments without gaps, if the search has none */
    int64_t adjustment;              /* bases of each sequence that an alignment is expected to take */
    int64_t search_space;
    int cutoff;          /* the least score of a gapped alignment */
    int ungapped_cutoff; /* the least score of an ungapped extension */
    int exact_cutoff;    /* the least score of an approximate extension that calls for the exact one */
    int x_ungapped;      /* X-drop of ungapped extension */
};

/*
 * base_statistics_of() - computes all of a strand's statistics.
 *   costs [in] NULL: a search without gaps
 *   codes [in] n BLASTNA codes of the strand after hard masking
 * Returns false if the strand cannot be searched with.
 */
bool base_statistics_of(const struct base_scores *scores, const struct base_gap_costs *costs, const struct base_search_space *space,
                        const uint8_t *codes, size_t n, struct base_statistics *out);

/*
 * base_x_gapped() - X-drop of gapped extension, in raw score: bits / lambda, rounded down.
 *   lambda [in] the least gapped lambda of all strands of a batch
 */
int base_x_gapped(double bits, double lambda);

#endif
