/*
 * composition.h - scoring matrices for pairs of sequences of unusual composition.
 *
 * Mode 1 scales the standard matrix so that its lambda is that of the pair [Schaffer et al. 2001]. Mode 3 finds the joint probabilities
 * nearest to those of the standard matrix that have the pair's compositions and a relative entropy of 0.44 nats [Yu & Altschul 2005]. Mode
 * 2 chooses between the two by lengths and compositions [Altschul et al. 2005]. The results are those of NCBI BLAST+ 2.12: the same 28 x 28
 * integers, scaled by COMPOSITION_SCALE.
 */
#ifndef TMS_SCORE_COMPOSITION_H
#define TMS_SCORE_COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "score/joint.h"
#include "score/logarithm_table.h"
#include "score/matrix.h"
#include "tamis/context.h"

#define COMPOSITION_SCALE 32

/* Numbered as in -comp_based_stats */
enum composition_mode { COMPOSITION_OFF = 0, COMPOSITION_SCALED = 1, COMPOSITION_CONDITIONAL = 2, COMPOSITION_OPTIMISED = 3 };

/* Constants that follow from the matrix alone, or from the C library. */
struct composition_basis {
    const struct score_matrix *matrix;
    double lambda;                               /* ungapped lambda of the standard matrix, divided by the scale */
    int standard[RESIDUE_CODES][RESIDUE_CODES];  /* the standard matrix, scaled */
    int lowest, highest;                         /* range of the scores against amino acids, without SCORE_NONE; 0 is in it */
    double logs[RESIDUE_CODES][RESIDUE_CODES];   /* logarithms of the matrix's ratios; SCORE_NONE of a ratio of 0 */
    double joint[JOINT_LETTERS * JOINT_LETTERS]; /* joint probabilities, row after row */
    double row_sums[JOINT_LETTERS];              /* sums of the rows of `joint` */
    const double *shares;                        /* shares of the residues, from which mode 2 chooses */
    bool has_table;                              /* whether logarithm_table_find() has found it */
    struct logarithm_table table;
};

/* composition_basis_init() - returns false if the matrix has no joint probabilities (IDENTITY), so that only COMPOSITION_OFF works. */
bool composition_basis_init(const struct score_matrix *matrix, struct composition_basis *out);

/* The composition of a sequence: U counts as C, and only the 20 amino acids count. */
struct composition {
    double share[RESIDUE_CODES]; /* all zero if n_counted is 0 */
    size_t n_counted;
};

void composition_of(const uint8_t *residues, size_t n, struct composition *out);

/* composition_shares() - the shares of the 20 amino acids, in the order of joint probabilities. */
void composition_shares(const struct composition *c, double shares[JOINT_LETTERS]);

/*
 * composition_smooth() - the shares of the 20 amino acids with pseudocounts, so that one that does not occur also has a share: the sums of
 * rows (query) or columns (subject) of target frequencies.
 */
void composition_smooth(const struct composition_basis *basis, const struct composition *c, double shares[JOINT_LETTERS]);

/* What the matrix of a pair of sequences follows from. Lengths are of all residues, including those that do not count. */
struct composition_pair {
    struct composition query, subject;
    size_t query_length, subject_length;
};

enum composition_rule { RULE_SCALED = 0, RULE_OPTIMISED = 4 };

struct adjusted_matrix {
    int scores[RESIDUE_CODES][RESIDUE_CODES]; /* rows: the query's code; columns: the subject's; SCORE_NONE against a gap */
    enum composition_rule rule;               /* how the matrix was made; an optimisation that fails falls back to scaling */
    double ratio;                             /* ratio of lambda if the matrix is scaled, else 1 */
    int n_iterations;                         /* iterations of the optimisation */
};

/* A pair, and the optimisation that its matrix follows from. */
struct composition_solution {
    struct composition_pair pair; /* set by the caller */
    bool converges;               /* false: the matrix is scaled */
    int n_iterations;             /* 0 if there was no optimisation */
    double target[JOINT_LETTERS * JOINT_LETTERS];
};

enum { COMPOSITION_SOLUTIONS = 32 };

/*
 * composition_solve() - solves n pairs, at most COMPOSITION_SOLUTIONS, several at a time. The results do not depend on simd, to the last
 * bit.
 *   mode [in] not COMPOSITION_OFF
 */
void composition_solve(const struct composition_basis *basis, enum composition_mode mode, tms_simd simd,
                       struct composition_solution *solutions, size_t n);

/*
 * composition_has_matrix() - false if one of the sequences has no residue that counts.
 * composition_is_optimised() - whether composition_solve() optimises the pair; false: its matrix is scaled, or there is none.
 */
static inline bool composition_has_matrix(const struct composition_pair *pair)
{
    return pair->query.n_counted > 0 && pair->subject.n_counted > 0;
}
bool composition_is_optimised(const struct composition_basis *basis, enum composition_mode mode, const struct composition_pair *pair);

/*
 * composition_matrix() - makes the matrix of a solved pair. Returns false, and leaves *out unchanged, unless composition_has_matrix().
 */
bool composition_matrix(const struct composition_basis *basis, tms_simd simd, const struct composition_solution *solution,
                        struct adjusted_matrix *out);

/* composition_adjust() - solves one pair and makes its matrix. */
bool composition_adjust(const struct composition_basis *basis, enum composition_mode mode, const struct composition_pair *pair,
                        struct adjusted_matrix *out);

#endif
