/* archive_fingerprint.h - whether two machines, or two days, have the same input files and the same database. */
#ifndef TAMIS_ARCHIVE_FINGERPRINT_H
#define TAMIS_ARCHIVE_FINGERPRINT_H

#include "io/io_error.h"
#include "tamis/seqdb.h"

/*
 * archive_hash_file() - the size of a file and a hash of its bytes.
 * Returns IO_OK; IO_E_INPUT: it cannot be read, or is no regular file; IO_E_MEMORY.
 */
io_status archive_hash_file(const char *path, uint64_t *size, uint64_t *hash, io_error *err);

/*
 * archive_hash_input() - archive_hash_file() for an input of any size, in little time: the hash is of all bytes up to 64 MiB, else of 64
 * runs of 1 MiB, evenly spread from the first byte to the last. So a change of a few bytes in a larger file shows only if its size or a run
 * shows it.
 */
io_status archive_hash_input(const char *path, uint64_t *size, uint64_t *hash, io_error *err);

/*
 * archive_hash_database() - a hash of what is searched: title, date, numbers of sequences and residues, and sequences with their numbers
 * and lengths, nucleotides with their ambiguous bases: all of them up to 64 Mi residues, else 64 runs of about 1 Mi residues, evenly
 * spread; of a nucleotide sequence longer than its run, the middle. So a change of a few residues in a large database shows only if its
 * date, its counts or a run shows it.
 *   title [in] the database's; "" for one that was made of a file, whose path is its title
 *   masks [in] what the search masks, hashed with each sequence (its first 1,024 masks); NULL: nothing
 */
uint64_t archive_hash_database(const tms_seqdb *db, const char *title, const tms_seqdb_masks *masks);

#endif
