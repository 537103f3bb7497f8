/* near_identity.h - whether two sequences are nearly identical; BLAST does not mask such a subject before computing its composition. */
#ifndef TMS_NEAR_IDENTITY_H
#define TMS_NEAR_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A range of a query: n residues. */
struct near_identity_query {
    const uint8_t *codes;  /* U is replaced by C */
    const uint8_t *with_u; /* U is kept; words are compared with these codes */
    int n;
};

/*
 * near_identity() - whether more than 96 % of the shorter sequence's residues agree in a greedy alignment. n [in] residues of the subject;
 * both sequences have at least one.
 */
bool near_identity(struct near_identity_query query, const uint8_t *subject, int n);

#endif
