/* io_fasta.h - FASTA and FASTQ. */
#ifndef TAMIS_IO_FASTA_H
#define TAMIS_IO_FASTA_H

#include "io_dna_reader.h"

/*
 * dna_read_text() - a FASTA or FASTQ file from in->pos, its '>' or '@', on.
 *   letters [in] scratch of in->size bytes
 *   line    [in] number of the line there
 * Returns IO_OK at the end of the file; else as the calls of io_dna_reader.h; IO_E_INPUT.
 */
io_status dna_read_text(dna_reader *r, dna_input *in, char *letters, uint64_t line, io_error *err);

#endif
