/*
 * db_mask_file.h - masks of sequences by id, as segmasker, dustmasker and `tamis mask` write them: a Blast-db-mask-info of NCBI's ASN.1,
 * as text or in BER. makedb puts them into a database.
 *
 * Of the kinds of locations it takes those of a single sequence: int and packed-int. A Seq-loc belongs to the id of its first interval.
 */
#ifndef TAMIS_DB_MASK_FILE_H
#define TAMIS_DB_MASK_FILE_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"

/* The description of a masking algorithm in a database. */
typedef struct db_mask_algorithm {
    uint32_t number;        /* such as 21 */
    struct byte_array text; /* such as "20:window=12; locut=2.2; hicut=2.5" */
} db_mask_algorithm;

/* A masked interval of a sequence. */
typedef struct db_mask_interval {
    uint64_t key; /* offset in `keys` of the sequence's id */
    uint32_t key_size;
    uint32_t algorithm; /* index of its algorithm in `algorithms` */
    uint32_t start, end;
    bool begins;      /* the interval is the first one of its location */
    uint64_t ordinal; /* number in the order of the files */
} db_mask_interval;

/* The masks of several files. Empty if all zero. */
typedef struct db_mask_files {
    db_mask_algorithm *algorithms; /* in the order of the files */
    size_t n_algorithms, algorithms_capacity;
    struct byte_array keys;
    db_mask_interval *intervals;
    size_t n_intervals, intervals_capacity;
    struct byte_array scratch;
    db_mask_interval *found; /* result of the last db_mask_files_find() */
    size_t found_capacity;
} db_mask_files;

/* A file of masks, and the name under which the database stores them. */
typedef struct db_mask_source {
    const char *path;
    const char *name, *description; /* NULL: named after the program that made the masks */
} db_mask_source;

/*
 * db_mask_file_read() - read a file and append its masks.
 * Returns IO_OK; IO_E_INPUT: the file is of another kind, damaged, or unreadable; IO_E_MEMORY.
 */
io_status db_mask_file_read(db_mask_files *files, const db_mask_source *source, io_error *err);

/*
 * db_mask_files_add() - add an algorithm whose masks the caller has elsewhere.
 *   name [in] its name in the database; NULL: the program's
 * Returns IO_OK; IO_E_INPUT: the name is in use; IO_E_MEMORY.
 */
io_status db_mask_files_add(db_mask_files *files, uint32_t program, const char *options, const char *name, io_error *err);

/* db_mask_files_sort() - sort the masks; call it after the last file. */
void db_mask_files_sort(db_mask_files *files);

/*
 * db_mask_files_find() - find the masks of a sequence.
 *   found [out] ordered by algorithm. The intervals of a single location have the order of the file. If an algorithm has several locations
 *               of the sequence, its intervals ascend, and those that overlap or touch are joined. Valid until the next call
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status db_mask_files_find(db_mask_files *files, const struct seqid *ids, size_t n_ids, const db_mask_interval **found, size_t *n_found,
                             io_error *err);

void db_mask_files_free(db_mask_files *files);

#endif
