/* classify_summary.h - a file of --summary or --json that a shard of tamis classify has written. */
#ifndef TAMIS_CLI_CLASSIFY_SUMMARY_H
#define TAMIS_CLI_CLASSIFY_SUMMARY_H

#include "cli/reads/classify_mark.h"

/* classify_is_summary() - whether a file begins as a summary of tamis classify does, of a shard or not, under any compression. */
bool classify_is_summary(const char *path);

typedef struct classify_summary {
    const char *path; /* borrowed */
    int is_json;      /* or a table */
    struct archive_manifest mark;
    classify_marked marked;
} classify_summary;

/*
 * classify_summary_open() - reads and checks a file, under any compression: every byte is what the mark's numbers give.
 *   like [in] another summary, which outlives this one, or NULL: of the same run, it saves time
 *   out [out] zeroed; freed with classify_summary_close(), also after a failure. Do not move it
 * Returns IO_OK; IO_E_INPUT: it cannot be read, is damaged, or is no summary of a shard; IO_E_MEMORY.
 */
io_status classify_summary_open(tms_context *ctx, const char *path, const classify_summary *like, classify_summary *out, io_error *err);
void classify_summary_close(classify_summary *summary);

#endif
