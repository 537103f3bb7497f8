/*
 * db_mask_file.h - masks of sequences by their ids, as segmasker, dustmasker and `tamis mask` write them: a Blast-db-mask-info of NCBI's
 * ASN.1, as text or in BER. makedb takes them into a database.
 *
 * Of the locations those of one sequence are taken: int and packed-int. A Seq-loc is that of the id of its first interval.
 */
#ifndef TAMIS_IO_MASK_FILE_H
#define TAMIS_IO_MASK_FILE_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"

/* What found them, as a database describes it. */
typedef struct db_mask_algorithm {
    uint32_t number;        /* 21 */
    struct byte_array text; /* "20:window=12; locut=2.2; hicut=2.5" */
} db_mask_algorithm;

/* An interval of a sequence. */
typedef struct db_mask_interval {
    uint64_t key; /* its id, in keys */
    uint32_t key_size;
    uint32_t algorithm; /* which of them */
    uint32_t start, end;
    bool begins;      /* it is the first of a location */
    uint64_t ordinal; /* in the order of the files */
} db_mask_interval;

/* The masks of several files. All zero: none. */
typedef struct db_mask_files {
    db_mask_algorithm *algorithms; /* in the order of the files */
    size_t n_algorithms, algorithms_capacity;
    struct byte_array keys;
    db_mask_interval *intervals;
    size_t n_intervals, intervals_capacity;
    struct byte_array scratch;
    db_mask_interval *found; /* of the record that was asked for last */
    size_t found_capacity;
} db_mask_files;

/* A file, and what its masks are to be called. */
typedef struct db_mask_source {
    const char *path;
    const char *name, *description; /* NULL: by the program that found them */
} db_mask_source;

/*
 * db_mask_file_read() - the next file.
 * Returns IO_OK; IO_E_INPUT: it is not of that kind, damaged, or cannot be read; IO_E_MEMORY.
 */
io_status db_mask_file_read(db_mask_files *files, const db_mask_source *source, io_error *err);

/*
 * db_mask_files_add() - an algorithm without masks: they are somewhere else.
 *   name [in] what it is to be called; NULL: by its program
 * Returns IO_OK; IO_E_INPUT: there is one of that name; IO_E_MEMORY.
 */
io_status db_mask_files_add(db_mask_files *files, uint32_t program, const char *options, const char *name, io_error *err);

/* db_mask_files_sort() - when all are read. */
void db_mask_files_sort(db_mask_files *files);

/*
 * db_mask_files_find() - what is masked of a sequence.
 *   found [out] by algorithm; those of one location as they were written. If an algorithm has several locations of the sequence, its
 *               intervals ascend, and those that overlap or touch are one. Good until the next call
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status db_mask_files_find(db_mask_files *files, const struct seqid *ids, size_t n_ids, const db_mask_interval **found, size_t *n_found,
                             io_error *err);

void db_mask_files_free(db_mask_files *files);

#endif
