/* near_identity.h - are two sequences nearly the same? Then a subject is not masked before its composition is looked at. */
#ifndef TMS_NEAR_IDENTITY_H
#define TMS_NEAR_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

/* A query's residues, with U as C; words are compared with those before that. */
struct near_identity_query {
    const uint8_t *codes, *with_u;
    int n;
};

/* near_identity() - do more than 96 % of the residues agree, by a greedy alignment? */
bool near_identity(struct near_identity_query query, const uint8_t *subject, int n);

#endif
