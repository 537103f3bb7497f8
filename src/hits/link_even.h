/*
 * link_even.h - links the HSPs of a pair of sequences to chains, each with one E-value: an HSP of a chain begins behind the one before in
 * both sequences. Gaps between them are small ones of some residues, the same in both sequences, or of any size; the less likely chain
 * counts.
 *
 * The greedy rule of BLAST: the chain with the greatest sum of scores, then that of the HSPs that are left, and so on.
 */
#ifndef TMS_LINK_EVEN_H
#define TMS_LINK_EVEN_H

#include "hits/link_context.h"

#define LINK_EVEN_SMALL_GAP 50 /* an HSP begins at one of so many positions behind the trimmed end of the one before */

struct link_even_rules {
    bool small_gaps; /* chains with small gaps count, too */
    int cutoff_small,
        cutoff_large;    /* an HSP adds its score less this to a chain; one that does not reach beyond it begins no longer chain */
    double small_share;  /* probability of chains with small gaps, in (0, 1); the rest is that of the others */
    double decay;        /* as in gap_decay_divisor() */
    int frames_a_strand; /* 1: contexts are strands; FRAMES_A_STRAND: contexts of the query and frames of the subject are frames of a strand
                          */
};

/*
 * link_even() - sets the E-value and n_linked of each HSP. HSPs of different strands, of query or subject, are in different chains.
 *   contexts [in] by the HSPs' contexts. The space of chains is that of the first HSP of their strands, from the query's end [sic].
 *   list [in,out] any order; sorted by score afterwards
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status link_even(const struct link_even_rules *rules, const struct link_context *contexts, struct hsp_list *list);

#endif
