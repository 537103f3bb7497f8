/* blastp_stats.h - what passed each stage of a search, as JSON. */
#ifndef TAMIS_CLI_BLASTP_STATS_H
#define TAMIS_CLI_BLASTP_STATS_H

#include "io/io_safe_file.h"
#include "tamis/blastp.h"

/* As is_kind() of an output. */
int blastp_stats_is(const uint8_t *bytes, size_t n);

/* device: as tms_context_device() has it, at the end. */
io_status blastp_stats_write(const tms_blastp_info *info, const tms_blastp_params *params, const tms_blastp_stats *stats, int device,
                             double elapsed_s, io_safe_file *file, io_error *err);

#endif
