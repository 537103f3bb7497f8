/*
 * db_sums.h - checksums beside a BLAST database, in a small text file that tamis makedb writes: BASE.psum, BASE.nsum.
 * makedb writes it with db_sums_begin(), db_sums_add() and db_sums_end(); `tamis dbinfo` asks db_sums_check(). NCBI's programs
 * pass it over.
 *
 *   # sizes in bytes, and CRC-64/XZ, of the files of this database
 *   tamis-sums 1
 *   date Nov 21, 2026  1:17 PM
 *   16a5d0c1f2e3b4d5 1048576 base.psq
 *   end
 *
 * The date is that of the newest index. makeblastdb replaces a database and leaves this file: the sums are then those of another database,
 * which an index shows, as it has the positions of all that is in the other files. What is damaged in an index is found when it is opened.
 */
#ifndef TAMIS_IO_DB_SUMS_H
#define TAMIS_IO_DB_SUMS_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "tamis/seqdb.h"

/* The sum of no bytes is 0. */
uint64_t db_sum(uint64_t sum, const uint8_t *bytes, size_t n);

/* db_sums_begin(), db_sums_add(), db_sums_end() - the text, line by line. name: without a directory. Return IO_OK or IO_E_MEMORY.
 */
io_status db_sums_begin(struct byte_array *text, const char *date, io_error *err);
io_status db_sums_add(struct byte_array *text, uint64_t sum, uint64_t size, const char *name, io_error *err);
io_status db_sums_end(struct byte_array *text, io_error *err);

typedef struct db_sums_result {
    int is_there;   /* is there such a file, and about this database? Otherwise the next two are 0 */
    size_t n_files; /* that it names; all of them were read and are as it says if IO_OK is returned */
    uint64_t n_bytes;
    int is_of_another; /* there is such a file, of a database that was there before */
} db_sums_result;

/*
 * db_sums_check() - read the files of a database and compare.
 *   base [in] the database's path, without an extension
 *   date [in] of its (newest) index
 * Returns IO_OK; IO_E_INPUT: a file is missing, or not as it was written: the message names it; or the file of sums itself is damaged;
 * IO_E_MEMORY.
 */
io_status db_sums_check(const char *base, tms_molecule molecule, const char *date, db_sums_result *result, io_error *err);

#endif
