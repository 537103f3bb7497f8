/* shards.h - what the commands with --shard K/N share: which part of the input a shard takes, and which shards are missing. */
#ifndef TAMIS_CLI_SHARDS_H
#define TAMIS_CLI_SHARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "archive/archive_manifest.h"

#define SHARDS_MOST 1000000u

/* A shard of a run; all zero: the run is not divided. */
typedef struct shard_place {
    uint64_t shard, n; /* 0 .. n - 1, of n */
} shard_place;

/* shards_parse() - "3/16", from 1, to 2 and 16. Returns false if the text is none. */
bool shards_parse(const char *text, uint64_t *shard, uint64_t *n);

/* shards_take() - the value of --shard; NULL: not given. Returns CLI_OK, or the exit code after a message. */
int shards_take(const char *command, const char *text, shard_place *out);

/* shards_begin() - the first of n_items that a shard takes; the first that it does not take is shards_begin() of shard + 1. */
uint64_t shards_begin(uint64_t n_items, uint64_t shard, uint64_t n_shards);

/*
 * shards_take_whole_files() - whether each shard takes whole input files, or records of all of them: there are at least as many files as
 * shards.
 *   first, n [out] the shard's files; all n_files if it takes records
 */
bool shards_take_whole_files(const shard_place *place, size_t n_files, size_t *first, size_t *n);

/*
 * shards_add_inputs() - adds the size and hash of each input file to a manifest, but not its path, which may differ between machines.
 * Returns IO_OK; IO_E_INPUT: a file is not regular, or cannot be read; IO_E_MEMORY.
 */
io_status shards_add_inputs(struct archive_manifest *manifest, const char *const *paths, size_t n, io_error *err);

/*
 * shards_missing() - the numbers of what is missing among items first .. end - 1, from 1: "2,5-7", as of sbatch --array.
 *   is_there [in] tells whether item i, from 0, is there
 * Returns a string that the caller frees, empty if nothing is missing; NULL: out of memory.
 */
char *shards_missing(bool (*is_there)(const void *set, size_t i), const void *set, size_t first, size_t end);

#endif
