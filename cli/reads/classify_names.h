/*
 * classify_names.h - names of references and samples in the output of tamis classify.
 */
#ifndef TAMIS_CLI_CLASSIFY_NAMES_H
#define TAMIS_CLI_CLASSIFY_NAMES_H

#include <stddef.h>

/* Freed with free(); NULL: no memory. */

/* "dir/ecoli.tms": "ecoli"; of a file of sequences, "dir/phix.fa.gz": "phix". */
char *classify_reference_name(const char *path, int is_sequences);

/*
 * The name of the sample, as MultiQC's other modules derive it: "dir/x.fq.gz": "x". For two files with mates, and for lanes, without
 * the parts that distinguish them: "x_S1_L001_R1_001.fastq.gz": "x_S1". For standard input: "stdin".
 *   paths [in] n_files of the first lane, and of others
 */
char *classify_sample_name(const char *const *paths, size_t n_files, size_t n_lanes);

#endif
