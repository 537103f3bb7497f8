/*
 * ungapped_bases.h - ungapped extension of a word that a nucleotide query and a subject have in common, as blastn extends it.
 *
 * First four bases at a time, from a position of the subject that is a multiple of four: this counts mismatches without regard to where
 * strands of queries end. If that score is high enough, or words are short, base by base.
 */
#ifndef TMS_UNGAPPED_BASES_H
#define TMS_UNGAPPED_BASES_H

#include "extend/packed_bases.h"

enum { UNGAPPED_LEAST_APPROXIMATE = 11 /* bases of a word; shorter words have no approximate extension */ };

/* An ungapped extension, and the word that it began with. Query positions count through the concatenated queries. */
struct ungapped_bases {
    int word_query, word_subject; /* where the word is */
    int query, subject;           /* where the extension begins */
    int length, score;
};

/* The strand of the query that a word is in, and its limits. */
struct ungapped_strand {
    int first, end;   /* the strand's positions in the concatenated queries are first .. end - 1 */
    int x_drop;       /* an extension ends when its score falls this far below its best */
    int cutoff;       /* least score of an extension that is kept */
    int exact_cutoff; /* least score of an approximate extension that calls for the exact one */
};

/* Scores of UNGAPPED_NEAR bases from a word on: the best sum of the first of them, 0 at least; and the sum of all. */
enum { UNGAPPED_NEAR = 8 };
struct ungapped_near {
    int16_t best, sum;
};

/* Costs of ungapped extension; filled once for a search. */
struct ungapped_base_costs {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code], borrowed */
    int reward, penalty;
    int word_size;        /* bases of a word; of its template, if the word is discontiguous */
    bool is_exact;        /* set by the caller: there is no approximate extension before the exact one */
    int16_t of_four[256]; /* score of four bases by the bits in which they differ */
    struct ungapped_near before[1 << UNGAPPED_NEAR], after[1 << UNGAPPED_NEAR]; /* by the bases that differ, the first one in the top bit */
};

/* reward, penalty [in] at most BASE_SCORES_RANGE apart */
void ungapped_base_costs_init(struct ungapped_base_costs *costs, const int *scores, int reward, int penalty, int word_size);

/*
 * ungapped_bases_extend() - extends a word hit.
 *   subject [in] the chunk of the subject; its first base is the first of a byte
 *   hsp     [in,out] the caller sets word_query and word_subject; receives the extension, whether it is kept or not
 * Returns whether the score reaches the strand's cutoff. Thread-safe.
 */
bool ungapped_bases_extend(const struct ungapped_base_costs *costs, const struct packed_queries *queries,
                           const struct ungapped_strand *strand, const struct packed_bases *subject, struct ungapped_bases *hsp);

/*
 * ungapped_bases_fails() - whether the bases next to a word already show that its extension does not reach the strand's cutoff. False tells
 * nothing. Takes a tenth of the time of ungapped_bases_extend(); for words without an approximate extension. Thread-safe.
 */
bool ungapped_bases_fails(const struct ungapped_base_costs *costs, const struct packed_queries *queries,
                          const struct ungapped_strand *strand, const struct packed_bases *subject, int word_query, int word_subject);

/*
 * ungapped_bases_compare() - <0, 0 or >0, for qsort(): the order in which ungapped extensions become gapped ones: greatest score, least
 * subject, greatest length, least query.
 */
int ungapped_bases_compare(const void *a, const void *b);

/* A part of a diagonal. */
struct ungapped_stretch {
    int query, subject, length, score;
};

/*
 * ungapped_bases_rescore() - scores an ungapped HSP again, on the real bases of the subject, for a search without gaps.
 *   query, subject [in] codes of the whole strand and of the whole subject
 *   cutoff [in] least score of an extension that is kept
 *   s [in,out] the HSP; receives its best part, the first of equals
 * Returns whether the best part has the least score.
 */
bool ungapped_bases_rescore(const int *scores, const uint8_t *query, const uint8_t *subject, int cutoff, struct ungapped_stretch *s);

#endif
