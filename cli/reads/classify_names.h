/*
 * classify_names.h - how the files of tamis classify are called in what it writes.
 */
#ifndef TAMIS_CLI_CLASSIFY_NAMES_H
#define TAMIS_CLI_CLASSIFY_NAMES_H

#include <stddef.h>

/* Freed with free(); NULL: no memory. */

/* "dir/ecoli.tms": "ecoli"; of a file of sequences, "dir/phix.fa.gz": "phix". */
char *classify_reference_name(const char *path, int is_sequences);

/*
 * Whose reads the files have, as MultiQC's other modules call them: "dir/x.fq.gz": "x". Of two files with mates, and of lanes, without
 * what tells these apart: "x_S1_L001_R1_001.fastq.gz": "x_S1". Of standard input: "stdin".
 *   paths [in] n_files of the first lane, and of others
 */
char *classify_sample_name(const char *const *paths, size_t n_files, size_t n_lanes);

#endif
