/* blocked_sizing.h - rates and sizes of the blocked layout. */
#ifndef TMS_BLOCKED_SIZING_H
#define TMS_BLOCKED_SIZING_H

#include "filter/filter_params.h"

double blocked_expected_fpr(const tms_filter_params *params, uint64_t n_keys);

/* Chooses m, and k and the blocks per key where they are not given; m_bits is 0 if the filter would be too large. */
void blocked_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p);

/* Chooses k and the blocks per key for a given m / n. */
void blocked_best_for_m(const tms_filter_want *want, tms_filter_params *p);

#endif
