/* filter_checks.h - what filter.c checks before an insertion, for what takes keys in its own way: builder.c, heavy.c. */
#ifndef TMS_FILTER_CHECKS_H
#define TMS_FILTER_CHECKS_H

#include "filter/filter_struct.h"

tms_status filter_check_writable(tms_context *ctx, const tms_filter *f);

/* A batch: sizes, gaps, and every offset. */
tms_status filter_check_keys(tms_context *ctx, const tms_keys *keys);

/* A batch for insertion into a filter in host memory: keys, writability, and the insertions' numbers. */
tms_status filter_check_insertion(tms_context *ctx, const tms_filter *f, const tms_keys *keys);

#endif
