/* seqio_letters.h - about how many letters a file of sequences has. */
#ifndef TAMIS_IO_LETTERS_H
#define TAMIS_IO_LETTERS_H

#include <stdint.h>

/*
 * seqio_letters_estimate() - its letters, if they are at most so many; of a longer file as many as its beginning lets expect, by bytes.
 *   path [in] a regular file of FASTA or FASTQ, plain or compressed. One that is damaged has the letters before the fault
 *   most [in] letters that are counted
 */
double seqio_letters_estimate(const char *path, uint64_t most);

#endif
