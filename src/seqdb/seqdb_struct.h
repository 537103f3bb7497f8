/* seqdb_struct.h - the inside of a tms_seqdb. */
#ifndef TMS_SEQDB_STRUCT_H
#define TMS_SEQDB_STRUCT_H

#include "seqdb/seqdb_list.h"
#include "seqdb/seqdb_volume.h"

/* Sequences first .. first + n - 1 of a volume are numbers start .. start + n - 1 of the database. Without FIRST_OID and LAST_OID in an
 * alias there is one for each volume. */
struct seqdb_slice {
    uint64_t start;
    uint32_t volume, first;
    uint32_t n;
};

/* A database that was named: its path without an extension, and the date of its newest volume. */
struct seqdb_base {
    char *path, *date;
};

struct tms_seqdb {
    struct seqdb_volume *volumes; /* in the order of their paths, as BLAST has them */
    size_t n_volumes;
    uint64_t *volume_starts; /* BLAST's ordinal id of each volume's first sequence; n_volumes + 1 */
    struct seqdb_slice *slices;
    size_t n_slices;
    uint64_t *byte_starts; /* bytes of sequences before each slice, n_slices + 1 */
    tms_seqdb_info info;
    char *title; /* of info */
    char *date;
    char **parts; /* what the named databases consist of: paths of volumes, and of alias files */
    size_t n_parts;
    struct seqdb_base *bases;
    size_t n_bases;
    const tms_seqdb *of;     /* a part of it, which owns all but slices, starts and list; NULL: none */
    struct seqdb_list *list; /* the deflines that a part has; NULL: all */
};

/* seqdb_slice_of() - of sequence i, which is one. */
const struct seqdb_slice *seqdb_slice_of(const tms_seqdb *db, uint64_t i);

/* Where sequence i is: its volume, and its number there. */
static inline const struct seqdb_volume *seqdb_place_of(const tms_seqdb *db, uint64_t i, uint32_t *oid)
{
    const struct seqdb_slice *slice = seqdb_slice_of(db, i);

    *oid = slice->first + (uint32_t)(i - slice->start);
    return &db->volumes[slice->volume];
}

/*
 * seqdb_finish() - everything that follows from volumes and slices, for seqdb_open.c and seqdb_memory.c: starts, and the fields of info
 * that no alias file says.
 */
tms_status seqdb_finish(tms_context *ctx, tms_seqdb *db);

/* seqdb_make_slices() - of these the starts of slices, and those of volumes. */
tms_status seqdb_make_slices(tms_context *ctx, tms_seqdb *db);

#endif
