/* sizing.h - what other files ask of the sizes; the rest is public. */
#ifndef TMS_SIZING_H
#define TMS_SIZING_H

/* Bits a key of a classic filter with the optimal k. */
double sizing_classic_bits_per_key(double fpr);

#endif
