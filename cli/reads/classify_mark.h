/*
 * classify_mark.h - what the summary of a shard records beside its numbers: of which run it is, which shard, and all that the report of the
 * whole run is computed from.
 *
 * A mark is a manifest: first what all shards of a run agree in, then what is the shard's own, from the key "shard" on, and last a hash of
 * all that. A table begins with it, as lines "# key<tab>value"; JSON has it as the string "shard" of the object "tamis".
 */
#ifndef TAMIS_CLI_CLASSIFY_MARK_H
#define TAMIS_CLI_CLASSIFY_MARK_H

#include "archive/archive_manifest.h"
#include "cli/reads/classify_report.h"
#include "cli/shards.h"

#define CLASSIFY_MARK_FIRST "shard-summary" /* the first key; its value is the version of the mark */

/* classify_mark_run() - adds what all shards agree in: options and results of `report` but the counts; inputs follow. */
io_status classify_mark_run(struct archive_manifest *mark, const classify_report *report, io_error *err);

/*
 * classify_mark_shard() - adds the place of a shard.
 *   outputs [in] what else the shard writes: "table keep"; only a shard with the same ones counts as done
 */
io_status classify_mark_shard(struct archive_manifest *mark, const shard_place *place, const char *outputs, io_error *err);

/* classify_mark_end() - adds the counts, and the hash. */
io_status classify_mark_end(struct archive_manifest *mark, const classify_counts *counts, size_t n_references, io_error *err);

/*
 * classify_mark_differs() - compares what two marks say of the run; with_shard [in] also which shard they are of, and its outputs.
 *   out [out] on true: what differs, "kmer: 21 and 31"
 */
bool classify_mark_differs(const struct archive_manifest *a, const struct archive_manifest *b, bool with_shard, char out[256]);

/* The report that a mark describes; the strings are its own. All zero: none. */
typedef struct classify_marked {
    classify_report report;
    classify_counts counts;
    shard_place place;
    tms_classifier *classifier; /* NULL: the report has that of another summary */
    char *names[TMS_MAX_REFERENCES];
    char *sample;
} classify_marked;

/*
 * classify_mark_read() - reads a whole mark.
 *   like [in] NULL, or the report of a mark of the same run, whose classifier the report borrows: to compute one takes a while
 *   out [out] zeroed; freed with classify_marked_free(), also after a failure. Do not move it: the report points into it
 * Returns IO_OK; IO_E_MEMORY; IO_E_INPUT: the mark is damaged.
 */
io_status classify_mark_read(tms_context *ctx, const struct archive_manifest *mark, const classify_report *like, classify_marked *out,
                             io_error *err);
void classify_marked_free(classify_marked *marked);

#endif
