/* db_old.h - the files of a BLAST database that is to be replaced. */
#ifndef TAMIS_IO_DB_OLD_H
#define TAMIS_IO_DB_OLD_H

#include "io/io_file_set.h"
#include "tamis/seqdb.h"

/*
 * db_retire_old() - all files of a database go when the set is committed: those of its base, and those of the volumes base.00,
 * base.01 ... that its alias lists. Other databases that the alias lists stay.
 *   base    [in] its path, without an extension
 *   version [in] of the new database. A file base.pdb that is none of LMDB's stays, but version 5 would replace it
 *   exists  [out] is there an index or an alias?
 * Returns IO_OK; IO_E_OUTPUT: the directory cannot be read; IO_E_REFUSED: there is another base.pdb in the way; IO_E_MEMORY.
 */
io_status db_retire_old(io_file_set *set, const char *base, tms_molecule molecule, int version, int *exists, io_error *err);

#endif
