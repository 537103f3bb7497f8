/* build_lines.h - lines that look as if their sequences were meant. */
#ifndef TAMIS_CLI_BUILD_LINES_H
#define TAMIS_CLI_BUILD_LINES_H

#include "cli/filter/build_job.h"

/* build_lines_warn() - of the first batch: whether it begins as FASTA or FASTQ does, and what would take the k-mers. */
void build_lines_warn(const build_job *job, const tms_keys *keys);

#endif
