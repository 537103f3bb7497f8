/* blastn_groups.h - the lookup table of a batch of queries, or of a chunk of one. */
#ifndef TMS_BLASTN_GROUPS_H
#define TMS_BLASTN_GROUPS_H

#include "blastn/blastn_long.h"
#include "lookup/base_scan.h"
#include "lookup/base_sieve.h"
#include "search/search_state.h"

/* Which query a strand of the lookup table is of. */
struct blastn_strand {
    uint32_t placed; /* number in query_group.placed */
    int context;     /* 0: the plus strand, 1: the minus strand */
    const struct search_query *query;
};

/* query_group.lookup. */
struct blastn_lookup {
    struct base_lookup bases;
    struct blastn_strand *strands; /* one for each of bases.strands */
    struct base_sieved *sieved;    /* for each of n_sieved blocks of GPUs, the hits that passed there; NULL: the CPU looks up all words */
    size_t n_sieved;
    struct blastn_longs *longs; /* subjects whose chunks threads share; none if their order matters (a hit filter), or with hidden masks */
};

/* As in search_program.h. */
tms_status blastn_build_group(struct search_state *s, bool for_gpu, struct query_group *group, int thread);
void blastn_free_group(struct query_group *group);

static inline const struct blastn_lookup *blastn_lookup_of(const struct query_group *group) { return group->lookup; }

#endif
