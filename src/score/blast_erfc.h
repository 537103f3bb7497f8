/* blast_erfc.h - the complementary error function as BLAST computes it. */
#ifndef TMS_BLAST_ERFC_H
#define TMS_BLAST_ERFC_H

/* blast_erfc() - erfc(z), to the last bit as NCBI BLAST+ 2.12 has it; libm's differs by up to 1e-7 of the value, from 0.5 to 1.5. */
double blast_erfc(double z);

#endif
