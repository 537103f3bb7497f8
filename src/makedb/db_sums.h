/*
 * db_sums.h - checksums of a BLAST database, in a small text file beside it that tamis makedb writes: BASE.psum, BASE.nsum.
 *
 * makedb writes it with db_sums_begin(), db_sums_add() and db_sums_end(); `tamis dbinfo` calls db_sums_check(). NCBI's programs ignore it.
 *
 *   # sizes in bytes, and CRC-64/XZ, of the files of this database
 *   tamis-sums 1
 *   date Nov 21, 2026  1:17 PM
 *   16a5d0c1f2e3b4d5 1048576 base.psq
 *   end
 *
 * The date is that of the newest index. makeblastdb replaces a database and leaves this file, whose sums then belong to another database.
 * An index shows this, because it has the positions of everything in the other files. Opening a database finds damage in an index.
 */
#ifndef TAMIS_DB_SUMS_H
#define TAMIS_DB_SUMS_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "tamis/seqdb.h"

/* db_sum() - continue a checksum over n more bytes; the sum of no bytes is 0. */
uint64_t db_sum(uint64_t sum, const uint8_t *bytes, size_t n);

/* db_sums_begin(), db_sums_add(), db_sums_end() - append the lines of the text. name: without a directory. Return IO_OK or IO_E_MEMORY. */
io_status db_sums_begin(struct byte_array *text, const char *date, io_error *err);
io_status db_sums_add(struct byte_array *text, uint64_t sum, uint64_t size, const char *name, io_error *err);
io_status db_sums_end(struct byte_array *text, io_error *err);

typedef struct db_sums_result {
    int is_there;   /* 1: there is a file of checksums for this database; otherwise the next two fields are 0 */
    size_t n_files; /* files that it names; with IO_OK all of them have been read and agree */
    uint64_t n_bytes;
    int is_of_another; /* 1: there is a file of checksums for an earlier database of this name */
} db_sums_result;

/*
 * db_sums_check() - read the files of a database and compare them with the checksums.
 *   base [in] the database's path, without an extension
 *   date [in] date of its (newest) index
 * Returns IO_OK; IO_E_INPUT, naming the file: a file is missing or differs, or the file of checksums itself is damaged; IO_E_MEMORY.
 */
io_status db_sums_check(const char *base, tms_molecule molecule, const char *date, db_sums_result *result, io_error *err);

#endif
