/*
 * base_alignment.h - an alignment of bases after its gapped extension: fewer gaps, the score on real bases, start points.
 *
 * Sequences are BLASTNA codes of a whole strand and of the whole subject. An alignment is a box and a script whose operations fill it.
 */
#ifndef TMS_BASE_ALIGNMENT_H
#define TMS_BASE_ALIGNMENT_H

#include "extend/gapped.h"

/* Two sequences and their scores. */
struct base_pair {
    const int *scores; /* [RESIDUE_CODES * query's code + subject's code] */
    const uint8_t *query, *subject;
    int query_length, subject_length;
};

/* Half-open ranges, and the score. */
struct base_box {
    int query, query_end, subject, subject_end, score;
};

/*
 * base_alignment_reduce() - removes gaps that equal bases make needless, from an alignment of greedy extension: extends long matches over
 * the gaps beside them, and joins two gaps of different kinds that are near each other. The score is not computed again. The script fills
 * the box as before, except where growth ends within the match beside the gap: as in megablast, what is left of that match is lost, and
 * the script ends before the box does. base_alignment_rescore() sets the box that the script fills.
 */
void base_alignment_reduce(const struct base_pair *pair, const struct base_box *box, struct gapped_script *script);

/* Costs of a gap in base_alignment_rescore(). */
struct base_gap {
    int factor;       /* scores of bases are multiplied by it, so that the costs of gaps are integers; the result is divided by it */
    int open, extend; /* a gap of n bases costs open + n extend */
};

/* base_gap_of() - for costs of 0 and 0 (linear greedy extension) those that follow from reward and penalty, else the costs themselves. */
struct base_gap base_gap_of(int reward, int penalty, int open, int extend);

/*
 * base_alignment_rescore() - scores an alignment again on its real bases, keeps its best part, the first of equals, and extends that by
 * equal bases on both sides.
 *   reward [in] score of a pair of equal bases
 *   cutoff [in] least score of an alignment that is kept
 *   box, script [in,out] receive the best part, if it is kept
 *   is_kept [out] whether it has the least score
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_alignment_rescore(const struct base_pair *pair, const struct base_gap *gap, int reward, int cutoff, struct base_box *box,
                                  struct gapped_script *script, bool *is_kept);

/* base_alignment_identities() - pairs of equal codes; *length: columns. */
int base_alignment_identities(const struct base_pair *pair, const struct base_box *box, const struct gapped_script *script, int *length);

/*
 * base_start_adjust() - moves the start point of a preliminary HSP into the middle of a run of equal codes of its diagonal, unless it lies
 * in a run of more than ten.
 *   box [in] of the HSP
 *   query, subject [in,out] the start point
 */
void base_start_adjust(const struct base_pair *pair, const struct base_box *box, int *query, int *subject);

/* A position in each sequence. */
struct base_place {
    int query, subject;
};

/*
 * base_gapped_origin() - where both sides of the extension of a word hit begin.
 *   query_length, subject_length [in] bases of the strand and of the chunk
 *   ungapped_end, query, subject      as in base_gapped_score()
 * base_gapped_box() - the extension, from those of the side before its origin and of the side from there on; a row is a base of the
 * subject.
 */
struct base_place base_gapped_origin(int query_length, int subject_length, int ungapped_end, int *query, int *subject);
struct base_box base_gapped_box(const struct base_place *origin, const struct gapped_extent *before, const struct gapped_extent *after);

/*
 * base_gapped_score() - extends a word hit by dynamic programming to both sides, without traceback.
 *   costs [in] x_drop is the lesser of the X-drop and the ungapped extension's score
 *   pair  [in] codes of the chunk's packed bases, with a readable byte before and after; scores is not used
 *   ungapped_end [in] the subject position at which the ungapped extension ends
 *   query, subject [in,out] the word's position in the strand; the start point for the traceback
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status base_gapped_score(struct gapped_workspace *ws, const struct gapped_costs *costs, const struct base_pair *pair, int ungapped_end,
                             int *query, int *subject, struct base_box *box);

#endif
