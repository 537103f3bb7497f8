/* protein_groups.h - lookup tables of neighbouring words, with the two-hit rule, for groups of programs whose words are of residues. */
#ifndef TMS_PROTEIN_GROUPS_H
#define TMS_PROTEIN_GROUPS_H

#include "lookup/two_hit.h"
#include "search/search_state.h"

/* query_group.lookup of a program whose words are of residues. */
struct protein_lookup {
    struct two_hit_query *items; /* queries.n items, in the order of query_group.placed */
    struct word_lookup words;    /* empty if a GPU makes the table, or there are stretches */
    struct query_stretch *stretches;
    size_t n_stretches;
    struct two_hit_queries queries;
    struct concatenated_queries concatenated;
};

/*
 * protein_group_build() - implements search_program.build_group() with words of residues.
 *   rules [in] which words of a subject are similar to a query's
 * Returns TMS_OK or TMS_E_MEMORY.
 */
tms_status protein_group_build(struct search_state *s, const struct word_lookup_rules *rules, bool for_gpu, struct query_group *group,
                               int thread);
void protein_group_free(struct query_group *group); /* implements search_program.free_group() */

static inline const struct protein_lookup *protein_lookup_of(const struct query_group *group) { return group->lookup; }

#endif
