/* seqdb_struct.h - the inside of a tms_seqdb. */
#ifndef TMS_SEQDB_STRUCT_H
#define TMS_SEQDB_STRUCT_H

#include "seqdb/seqdb_list.h"
#include "seqdb/seqdb_volume.h"

/*
 * Sequences first .. first + n - 1 of a volume are numbers start .. start + n - 1 of the database. Without FIRST_OID and LAST_OID in an
 * alias each volume has one slice.
 */
struct seqdb_slice {
    uint64_t start;
    uint32_t volume, first;
    uint32_t n;
};

/* A database that the caller named: its path without an extension, and the date of its newest volume. */
struct seqdb_base {
    char *path, *date;
};

struct tms_seqdb {
    struct seqdb_volume *volumes; /* ordered by path, as in BLAST */
    size_t n_volumes;
    uint64_t *volume_starts; /* ordinal id, as BLAST counts it, of each volume's first sequence; n_volumes + 1 entries */
    struct seqdb_slice *slices;
    size_t n_slices;
    uint64_t *byte_starts; /* bytes of sequences before each slice; n_slices + 1 entries */
    tms_seqdb_info info;
    char *title; /* owned; info.title and info.date point here */
    char *date;
    char **parts; /* paths of the volumes and alias files that the named databases consist of */
    size_t n_parts;
    struct seqdb_base *bases;
    size_t n_bases;
    const tms_seqdb *of;     /* the whole database, if this is a part of it, which owns all but slices, starts and list; else NULL */
    struct seqdb_list *list; /* which deflines a part has; NULL: all */
};

/* seqdb_slice_of() - the slice of sequence i, which must exist. */
const struct seqdb_slice *seqdb_slice_of(const tms_seqdb *db, uint64_t i);

/* The volume of sequence i, and its number there. */
static inline const struct seqdb_volume *seqdb_volume_of(const tms_seqdb *db, uint64_t i, uint32_t *oid)
{
    const struct seqdb_slice *slice = seqdb_slice_of(db, i);

    *oid = slice->first + (uint32_t)(i - slice->start);
    return &db->volumes[slice->volume];
}

/*
 * seqdb_finish() - compute everything that follows from volumes and slices: starts, and the fields of info that no alias file states. For
 * seqdb_open.c and seqdb_memory.c.
 */
tms_status seqdb_finish(tms_context *ctx, tms_seqdb *db);

/* seqdb_make_slices() - of these, compute the starts of slices and volumes. */
tms_status seqdb_make_slices(tms_context *ctx, tms_seqdb *db);

#endif
