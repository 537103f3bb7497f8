/* classic_sizing.h - rates and sizes of the classic layout. */
#ifndef TMS_CLASSIC_SIZING_H
#define TMS_CLASSIC_SIZING_H

#include "tamis/filter.h"

double classic_bits_per_key(double fpr); /* with the optimal k */

/* The rate from the measured share of ones: fill^k. */
double classic_actual_fpr(double fill, uint32_t k);

/* Chooses m, and k if it is not given; m_bits is 0 if the filter would be too large. */
void classic_choose_for_fpr(double fpr, const tms_filter_want *want, tms_filter_params *p);

/* The k with the least false-positive rate for a given m / n. */
void classic_best_for_m(const tms_filter_want *want, tms_filter_params *p);

#endif
