/* translated_query.h - translates queries of bases, and prepares each frame like a protein query. */
#ifndef TMS_TRANSLATED_QUERY_H
#define TMS_TRANSLATED_QUERY_H

#include "mask/intervals.h"
#include "search/search_setup.h"

/*
 * Functions of a search_program that mask and prepare a query. Low complexity is found frame by frame, by translated_prepare_query(); only
 * lower case is masked in bases.
 */
tms_status translated_mask_query(const struct search_setup *setup, void **masker, const uint8_t *characters, const uint8_t *codes, size_t n,
                                 struct intervals *masked);
tms_status translated_prepare_query(const struct search_setup *setup, void **masker, const struct query_part *part,
                                    struct search_query *out);

#endif
