/*
 * seqdb_find.h - finds the database of a name.
 *
 * The search path: the working directory, the directories of $BLASTDB, then those of BLASTDB in the section [BLAST] of .ncbirc. That file
 * is the first found in the working directory, the home directory and $NCBI.
 */
#ifndef TMS_SEQDB_FIND_H
#define TMS_SEQDB_FIND_H

#include "run/context.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

struct seqdb_path {
    char *directories;    /* separated by NULs */
    size_t n_directories; /* the working directory first */
    char *text;           /* in the form of BLAST's messages: "/home/me:/blast/db:" */
};

tms_status seqdb_path_read(tms_context *ctx, struct seqdb_path *out);
void seqdb_path_free(struct seqdb_path *path);

/* What seqdb_find() found. */
struct seqdb_file {
    char *base; /* the path without ".pal" or ".pin", absolute, without "." and ".."; freed by the caller. NULL: there is none */
    bool is_alias;
};

/*
 * seqdb_find() - find an alias file or an index; in each directory the alias file first.
 *   directory [in]  searched before the path, without the working directory; NULL: none
 *   not_alias [in]  an alias file to ignore, because an alias that names itself means the index; NULL: none
 * Returns TMS_OK, also where there is none, or TMS_E_MEMORY.
 */
tms_status seqdb_find(tms_context *ctx, const struct seqdb_path *path, const char *directory, struct text name, tms_molecule molecule,
                      const char *not_alias, struct seqdb_file *out);

#endif
