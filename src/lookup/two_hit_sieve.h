/* two_hit_sieve.h - the sieved form of two_hit_scan(), which is faster. */
#ifndef TMS_TWO_HIT_SIEVE_H
#define TMS_TWO_HIT_SIEVE_H

#include "lookup/two_hit_types.h"

/* two_hit_sieve_create() - for queries with n_positions positions together. NULL: out of memory. */
struct two_hit_sieve *two_hit_sieve_create(int n_positions);
void two_hit_sieve_destroy(struct two_hit_sieve *sieve); /* NULL is fine */

/* two_hit_sieve_scan() - same as two_hit_plain_scan(), for queries that have `concatenated`; but n_extensions counts candidates. */
tms_status two_hit_sieve_scan(const struct two_hit_queries *queries, const struct two_hit_subject *subject, struct two_hit_sieve *sieve,
                              struct two_hit_found *found);

#endif
