/* seqio_estimate.h - estimates how many residues or bases a file of sequences has. */
#ifndef TAMIS_SEQIO_ESTIMATE_H
#define TAMIS_SEQIO_ESTIMATE_H

#include <stdint.h>

/*
 * seqio_estimate_residues() - the exact number if it is at most `most`; for a larger file, extrapolated by bytes from its beginning.
 *   path [in] a regular file of FASTA or FASTQ, plain or compressed. A damaged file is counted up to the fault
 *   most [in] residues or bases to count
 */
double seqio_estimate_residues(const char *path, uint64_t most);

#endif
