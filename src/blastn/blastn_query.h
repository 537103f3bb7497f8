/* blastn_query.h - prepares a query: codes of both strands, masks, statistics. The functions implement those of search_program.h. */
#ifndef TMS_BLASTN_QUERY_H
#define TMS_BLASTN_QUERY_H

#include "blastn/blastn_setup.h"

tms_status blastn_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                             struct intervals *masked);
void blastn_free_masker(void *masker);
tms_status blastn_prepare_query(const struct search_setup *setup, void **masker, const struct query_part *part, struct search_query *out);

#endif
