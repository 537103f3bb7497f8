/*
 * classify_names.h - names of references and samples in the output of tamis classify.
 */
#ifndef TAMIS_CLI_CLASSIFY_NAMES_H
#define TAMIS_CLI_CLASSIFY_NAMES_H

#include <stddef.h>

/* classify_reference_name() - "ecoli" for "dir/ecoli.tms"; for a file of sequences, "phix" for "dir/phix.fa.gz". Freed with free(); NULL:
 * no memory. */
char *classify_reference_name(const char *path, int is_sequences);

/*
 * classify_sample_name() - the name of the sample, derived as by MultiQC's other modules: "x" for "dir/x.fq.gz". For two files with mates,
 * and for lanes, without the parts that distinguish them: "x_S1" for "x_S1_L001_R1_001.fastq.gz". "stdin" for standard input.
 *   paths [in] n_files of the first lane, then those of the others
 * Returns a string to be freed with free(); NULL: no memory.
 */
char *classify_sample_name(const char *const *paths, size_t n_files, size_t n_lanes);

#endif
