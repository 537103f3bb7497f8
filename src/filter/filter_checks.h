/* filter_checks.h - checks before an insertion, implemented in filter.c, for builder.c and heavy.c, which insert keys their own way. */
#ifndef TMS_FILTER_CHECKS_H
#define TMS_FILTER_CHECKS_H

#include "filter/filter_struct.h"

tms_status filter_check_writable(tms_context *ctx, const tms_filter *f);

/* Checks a batch: its sizes, gaps, and every offset. */
tms_status filter_check_keys(tms_context *ctx, const tms_keys *keys);

/* Checks a batch for insertion into a filter in host memory: its keys, that the filter is writable, and the insertion numbers. */
tms_status filter_check_insertion(tms_context *ctx, const tms_filter *f, const tms_keys *keys);

#endif
