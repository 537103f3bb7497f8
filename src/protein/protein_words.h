/* protein_words.h - the lookup table of a protein search: which words of a subject are similar to a query's. */
#ifndef TMS_PROTEIN_WORDS_H
#define TMS_PROTEIN_WORDS_H

#include "search/search_state.h"

/* protein_build_group() - implements search_program.build_group(). */
tms_status protein_build_group(struct search_state *s, bool for_gpu, struct query_group *group, int thread);

#endif
