/* logarithm_table.h - the numbers that the C library computes its logarithms with. */
#ifndef TMS_LOGARITHM_TABLE_H
#define TMS_LOGARITHM_TABLE_H

#include <stdbool.h>

#include "score/logarithm_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * logarithm_table_find() - finds them in the memory of the library that is loaded, which no interface shows. Returns false if it has none
 * of this form, or if log() computes without fused multiplication; then only log() knows its logarithms.
 */
bool logarithm_table_find(struct logarithm_table *out);

#ifdef __cplusplus
}
#endif
#endif
