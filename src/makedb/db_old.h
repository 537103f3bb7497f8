/* db_old.h - finds the files of a BLAST database that will be replaced. */
#ifndef TAMIS_DB_OLD_H
#define TAMIS_DB_OLD_H

#include "io/io_file_set.h"
#include "tamis/seqdb.h"

/*
 * db_retire_old() - let the commit of the set remove all files of a database: those of its base, and those of the volumes base.00, base.01
 * ... that its alias lists. Other databases listed in the alias stay.
 *   base    [in]  its path, without an extension
 *   version [in]  version of the new database. A file base.pdb that LMDB did not write stays, but version 5 would replace it
 *   exists  [out] 1 if there is an index or an alias
 * Returns IO_OK; IO_E_OUTPUT: the directory cannot be read; IO_E_REFUSED: another kind of base.pdb is in the way; IO_E_MEMORY.
 */
io_status db_retire_old(io_file_set *set, const char *base, tms_molecule molecule, int version, int *exists, io_error *err);

#endif
