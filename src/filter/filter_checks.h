/* filter_checks.h - checks of the arguments before keys are inserted or asked for. Each sets a message and returns TMS_E_ARG if it fails.
 */
#ifndef TMS_FILTER_CHECKS_H
#define TMS_FILTER_CHECKS_H

#include "filter/filter_struct.h"

tms_status filter_check_writable(tms_context *ctx, const tms_filter *f);

/* Tells whether this context may work on this filter's GPU copy, on its host copy, or on neither. */
tms_status filter_check_place(tms_context *ctx, const tms_filter *f, bool *on_gpu);

/* Checks a batch's sizes and gaps; its arrays may be on a GPU. */
tms_status filter_check_sizes(tms_context *ctx, const tms_keys *keys);

/* Checks a batch: its sizes, gaps, and every offset. */
tms_status filter_check_keys(tms_context *ctx, const tms_keys *keys);

/* Checks that n more insertions can be counted: an insertion's number determines its random bits, so it must not wrap around to 0. */
tms_status filter_check_numbers(tms_context *ctx, const tms_filter *f, size_t n);

/* Checks a batch for insertion into a filter in host memory: its keys, that the filter is writable, and the insertion numbers. */
tms_status filter_check_insertion(tms_context *ctx, const tms_filter *f, const tms_keys *keys);

#endif
