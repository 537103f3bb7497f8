/* seqio_letters.h - estimates how many residues or bases a file of sequences has. */
#ifndef TAMIS_IO_LETTERS_H
#define TAMIS_IO_LETTERS_H

#include <stdint.h>

/*
 * seqio_letters_estimate() - the exact number if it is at most `most`; for a larger file, extrapolated by bytes from its beginning.
 *   path [in] a regular file of FASTA or FASTQ, plain or compressed. A damaged file is counted up to the fault
 *   most [in] residues or bases to count
 */
double seqio_letters_estimate(const char *path, uint64_t most);

#endif
