/* blast_parts.h - the parts of a search, from which a report is made. */
#ifndef TAMIS_CLI_BLAST_PARTS_H
#define TAMIS_CLI_BLAST_PARTS_H

#include "archive/archive_reader.h"
#include "cli/blast/blast_identity.h"

struct blast_parts;

/*
 * blast_parts_open() - opens all files that are parts, and checks that they belong together.
 *   command [in] for messages
 *   out     [out] closed with blast_parts_close()
 * Damaged files are named in a message each, and are missing. Returns CLI_OK; or the exit code after a message: no file is a part, two are
 * of different searches, two of the same cell have other content.
 */
int blast_parts_open(const char *command, const char *const *paths, size_t n, struct blast_parts **out);
void blast_parts_close(struct blast_parts *parts); /* NULL is fine */

/* blast_parts_manifest() - of any of the parts. */
const struct archive_manifest *blast_parts_manifest(const struct blast_parts *parts);
struct blast_grid blast_parts_grid(const struct blast_parts *parts); /* with shard and query_shard 0 */

/*
 * blast_parts_choose() - the report is about one query shard, which is one of the grid's; about all without this.
 * blast_parts_chosen() - the query shard, as a grid of one shard; of all: the only cell of a grid.
 */
void blast_parts_choose(struct blast_parts *parts, uint64_t query_shard);
struct blast_grid blast_parts_chosen(const struct blast_parts *parts);

/* blast_parts_check() - reads all parts whole; one that is damaged is missing afterwards, after a message. Returns CLI_OK or CLI_NO_MEMORY.
 */
int blast_parts_check(const char *command, struct blast_parts *parts);

/*
 * blast_parts_missing() - the missing cells of the query shards first .. end - 1, numbered from 1 by query shard, then by shard:
 * "2,5-7", as of sbatch --array.
 *   out [out] freed by the caller; empty if none is missing; NULL: out of memory
 */
char *blast_parts_missing(const struct blast_parts *parts, uint64_t first, uint64_t end);

/* blast_parts_records() - the records of a query shard, none of whose cells is missing. */
tms_interval blast_parts_records(const struct blast_parts *parts, uint64_t query_shard);

/* blast_parts_border() - the record with which the query shard of a record ends; records are asked for in ascending order. */
uint64_t blast_parts_border(struct blast_parts *parts, uint64_t record);

/*
 * blast_parts_batch() - the number of records of the query batch that begins with a record; 1 if none does. Records are asked for in
 * ascending order.
 */
uint64_t blast_parts_batch(struct blast_parts *parts, uint64_t record);

/*
 * blast_parts_found() - what all parts have found for the queries of a call; calls come in order, and none of their cells is missing.
 *   out [out] destroyed with tms_search_found_destroy()
 * Returns IO_OK; IO_E_INPUT: a part is damaged, or does not have these queries; IO_E_MEMORY.
 */
io_status blast_parts_found(struct blast_parts *parts, tms_context *ctx, const tms_seqs *seqs, tms_search_found **out, io_error *err);

#endif
