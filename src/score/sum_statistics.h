/*
 * sum_statistics.h - E-values of chains: several HSPs of a pair of sequences that can belong to one alignment with unaligned stretches
 * between them [Karlin & Altschul 1993].
 *
 * An HSP's normalized score is lambda S - log K. A chain's is the sum of its HSPs'. The E-value follows from the sum, the number of HSPs,
 * and how many positions each HSP may have behind the one before: some (small gaps), or all (large gaps). The results are those of NCBI
 * BLAST+ 2.12 to the last bit. Pure functions.
 */
#ifndef TMS_SCORE_SUM_STATISTICS_H
#define TMS_SCORE_SUM_STATISTICS_H

#include <stdint.h>

/*
 * sum_probability() - probability that the n_hsps greatest normalized scores by chance sum to this or more, less what depends on lengths
 * [Karlin & Altschul 1993, eq. 4]. From tables for up to 4 HSPs, else by an integral that is up to 3 % off.
 *   n_hsps [in] at least 1
 */
double sum_probability(int n_hsps, double sum);

/* Where chains are looked for. */
struct sum_space {
    int64_t query_length, subject_length; /* letters less the length adjustment, at least 1 each */
    int64_t search_space;                 /* effective, of the query and the whole database */
};

/*
 * gap_decay_divisor() - what an E-value is divided by because chains of any number of HSPs are tried: the share of chains of n_hsps.
 *   decay [in] of the share from one number to the next: 0 < decay < 1
 */
double gap_decay_divisor(double decay, int n_hsps);

/*
 * The expected number of chance chains with this sum or more, divided by `divisor`, at most 2147483647.
 *   n_hsps  [in] at least 1
 *   sum     [in] normalized score of the chain
 *   divisor [in] of gap_decay_divisor()
 * small_gaps_evalue() - each HSP begins at one of so many positions of query and subject behind the one before.
 * large_gaps_evalue() - each HSP begins anywhere in the sequences.
 */
double small_gaps_evalue(const struct sum_space *space, int n_hsps, double sum, int query_starts, int subject_starts, double divisor);
double large_gaps_evalue(const struct sum_space *space, int n_hsps, double sum, double divisor);

#endif
