/* build_lines.h - a warning for sequence files that are read as lines. */
#ifndef TAMIS_CLI_BUILD_LINES_H
#define TAMIS_CLI_BUILD_LINES_H

#include "cli/filter/build_job.h"

/* build_lines_warn() - warns if the first batch begins like FASTA or FASTQ, and names the option that inserts k-mers. */
void build_lines_warn(const build_job *job, const tms_keys *keys);

#endif
