/*
 * composition.h - a scoring matrix for two sequences of unusual composition.
 *
 * Mode 1 scales the standard matrix so that its lambda is that of the pair [Schaffer et al. 2001]. Mode 3 finds the joint probabilities
 * nearest to those of the standard matrix that have the pair's compositions and a relative entropy of 0.44 nats [Yu & Altschul 2005].
 * Mode 2 chooses between the two by lengths and compositions [Altschul et al. 2005]. Results are those of NCBI BLAST+ 2.12: the same
 * 28 x 28 integers, which are scaled by COMPOSITION_SCALE.
 */
#ifndef TMS_SCORE_COMPOSITION_H
#define TMS_SCORE_COMPOSITION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "score/joint.h"
#include "score/matrix.h"
#include "tamis/context.h"

#define COMPOSITION_SCALE 32

/* As -comp_based_stats counts them. */
enum composition_mode { COMPOSITION_OFF = 0, COMPOSITION_SCALED = 1, COMPOSITION_CONDITIONAL = 2, COMPOSITION_OPTIMISED = 3 };

/* What follows from the matrix alone. */
struct composition_basis {
    const struct score_matrix *matrix;
    double lambda;                               /* ungapped, of the standard matrix, over the scale */
    int standard[RESIDUE_CODES][RESIDUE_CODES];  /* the standard matrix, scaled */
    double joint[JOINT_LETTERS * JOINT_LETTERS]; /* row after row */
    double row_sums[JOINT_LETTERS];              /* of it */
    const double *shares;                        /* of the residues, for the choice of mode 2 */
};

/* Returns false if there are no joint probabilities for the matrix (IDENTITY): only COMPOSITION_OFF works. */
bool composition_basis_init(const struct score_matrix *matrix, struct composition_basis *out);

/* The residues of a sequence: U counts as C, and only the 20 amino acids count. */
struct composition {
    double share[RESIDUE_CODES]; /* all zero if n_counted is 0 */
    size_t n_counted;
};

void composition_of(const uint8_t *residues, size_t n, struct composition *out);

enum composition_rule { RULE_SCALED = 0, RULE_OPTIMISED = 4 };

struct adjusted_matrix {
    int scores[RESIDUE_CODES][RESIDUE_CODES]; /* rows: the query's residue; SCORE_NONE against a gap */
    enum composition_rule rule;               /* what it is: an optimisation that fails falls back to scaling */
    double ratio;                             /* of lambda, if scaled; else 1 */
    int n_iterations;                         /* of the optimisation */
};

/* For a query: a subject, and the optimisation that its matrix follows from. */
struct composition_solution {
    struct composition subject; /* set by the caller, as is the length */
    size_t subject_length;      /* all residues, also those that do not count */
    bool converges;             /* false: the matrix is a scaled one */
    int n_iterations;           /* 0 if nothing was to be optimised */
    double target[JOINT_LETTERS * JOINT_LETTERS];
};

enum { COMPOSITION_SOLUTIONS = 16 };

/*
 * composition_solve() - for n subjects of a query, COMPOSITION_SOLUTIONS at most, several at a time. The results are the same for each
 * simd, to the last bit.
 *   mode [in] not COMPOSITION_OFF
 */
void composition_solve(const struct composition_basis *basis, enum composition_mode mode, tms_simd simd, const struct composition *query,
                       size_t query_length, struct composition_solution *solutions, size_t n);

/* composition_matrix() - the matrix of a pair that is solved. Returns false, with out as it was, if one has no residue that counts. */
bool composition_matrix(const struct composition_basis *basis, tms_simd simd, const struct composition *query,
                        const struct composition_solution *solution, struct adjusted_matrix *out);

/* composition_adjust() - both for one pair. */
bool composition_adjust(const struct composition_basis *basis, enum composition_mode mode, const struct composition *query,
                        size_t query_length, const struct composition *subject, size_t subject_length, struct adjusted_matrix *out);

#endif
