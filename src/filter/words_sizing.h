/* words_sizing.h - sizes of the words layout, derived from w, the rate and m. */
#ifndef TMS_WORDS_SIZING_H
#define TMS_WORDS_SIZING_H

#include "filter/filter_struct.h"

/* Fills in s, the minimizer size and k where they are 0, for a valid w. */
void words_fill_in(tms_filter_params *params);

/* The default rate for a w. */
double words_default_fpr(const tms_filter_params *params);

double words_expected_fpr(const tms_filter_params *params, uint64_t n_keys);

/* words_at_least() - raises m if the caller gave no rate: with fewer bits, w-mers that differ in their last base pass too often. */
void words_at_least(uint64_t n_keys, tms_filter_params *params);

/* Chooses m, or 0 if the filter would be too large. All other parameters are set. */
void words_choose_for_fpr(double fpr, uint64_t n_keys, tms_filter_params *params);

/*
 * words_actual_fpr_cpu() - the false-positive rate of a random missing w-mer, computed from the bits.
 *   next [out] NULL, or the probability that the w-mer after one that passes does too
 */
tms_status words_actual_fpr_cpu(tms_context *ctx, const tms_filter *f, double *rate, double *next);

#endif
