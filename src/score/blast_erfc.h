/* blast_erfc.h - the complementary error function as BLAST computes it. */
#ifndef TMS_BLAST_ERFC_H
#define TMS_BLAST_ERFC_H

/* blast_erfc() - erfc(z), bit by bit as NCBI BLAST+ 2.12 computes it; from 0.5 to 1.5 libm's relative difference is up to 1e-7. */
double blast_erfc(double z);

#endif
