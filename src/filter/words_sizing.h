/* words_sizing.h - sizes of the words layout: what follows from w, rates, m. */
#ifndef TMS_WORDS_SIZING_H
#define TMS_WORDS_SIZING_H

#include "filter/filter_struct.h"

/* s, the minimizers' size and k, where they are 0, for a w in its range. */
void words_fill_in(tms_filter_params *params);

/* Of a rate that was not asked for: what a size of w can use. */
double words_default_fpr(const tms_filter_params *params);

double words_expected_fpr(const tms_filter_params *params, uint64_t n_keys);

/* words_at_least() - m again, where no rate was asked for: with fewer bits w-mers that differ in their last letter pass too often. */
void words_at_least(uint64_t n_keys, tms_filter_params *params);

/* m; 0 if there is no filter that large. All else is filled in. */
void words_choose_for_fpr(double fpr, uint64_t n_keys, tms_filter_params *params);

/*
 * words_actual_fpr_cpu() - the rate that the bits give a random missing w-mer.
 *   next [out] NULL, or the probability that the w-mer after one that passes does too
 */
tms_status words_actual_fpr_cpu(tms_context *ctx, const tms_filter *f, double *rate, double *next);

#endif
