/*
 * db_struct.h - the inside of a database that is being written, shared by the files that write it: db_files.c handles files, db_writer.c
 * volumes and sequences, db_version5.c what version 5 adds.
 */
#ifndef TAMIS_DB_STRUCT_H
#define TAMIS_DB_STRUCT_H

#include <limits.h>

#include "io/io_file_set.h"
#include "makedb/db_masks.h"
#include "makedb/db_names.h"
#include "makedb/db_options.h"
#include "makedb/isam.h"

enum { BUFFER_BYTES = 1 << 18, DATE_SIZE = 64, PATH_SIZE = PATH_MAX };

/* An output file and its buffer. */
typedef struct output_file {
    io_safe_file *file;
    const char *extension; /* without the molecule's letter, such as "sq" */
    uint32_t volume;
    int of_base; /* 1: the file belongs to the base, not to a volume: "base.pal" */
    uint8_t *buffer;
    size_t n_buffered;
    uint64_t size, sum;
} output_file;

/* Offsets as written: big-endian words. */
typedef struct offset_array {
    uint32_t *words;
    size_t n, capacity;
} offset_array;

struct db_writer {
    db_options how;
    char date[DATE_SIZE];
    io_file_set *set;
    output_file *files; /* all files of the set but the checksums */
    size_t n_files, files_capacity;
    uint8_t *free_buffers[3];
    size_t n_free_buffers;
    /* The current volume: */
    uint32_t volume;
    uint32_t n_sequences;
    uint64_t n_residues;
    uint64_t longest;
    size_t at_sequences, at_headers; /* indexes in `files` */
    offset_array headers, sequences, ambiguities;
    struct byte_array defline;
    isam_index isam;           /* with an index of ids: of the current volume */
    isam_index hashes;         /* with an index of hashes: of the current volume */
    db_masks masks;            /* with masks: of the current volume */
    db_names names;            /* version 5 with ids: of the whole database */
    char lmdb_name[PATH_SIZE]; /* version 5: "base.pdb" */
    int32_t *taxids;           /* version 5, if they differ: of all sequences */
    size_t n_taxids, taxids_capacity;
    uint64_t *taxid_ends; /* end of each sequence's taxids */
    size_t n_taxid_ends, taxid_ends_capacity;
    uint32_t *volume_sizes; /* sequences in each complete volume */
    size_t n_volumes, sizes_capacity;
};

/* db_base_name() - the last component of the base path. */
const char *db_base_name(const db_writer *w);

/* db_name_file() - "base.00.psq"; or "base.psq" for an only volume and for files of the whole database. */
io_status db_name_file(const db_writer *w, const output_file *f, int is_only, char path[PATH_SIZE], io_error *err);
io_output db_output_of(const db_writer *w, const char *path);

/* db_open_file() - open an output file; *at is its index in w->files. db_end_file(): flush it to the disk. */
io_status db_open_file(db_writer *w, const char *extension, int of_base, size_t *at, io_error *err);
io_status db_write(output_file *f, const void *bytes, size_t n, io_error *err);
io_status db_end_file(db_writer *w, size_t at, io_error *err);

/* db_write_file() - write a whole file from bytes. */
io_status db_write_file(db_writer *w, const char *extension, int of_base, const struct byte_array *bytes, io_error *err);

/* db_add_taxids() - add the taxonomy ids of the next sequence, if they differ between sequences. Returns IO_OK or IO_E_MEMORY. */
io_status db_add_taxids(db_writer *w, const db_record *record, io_error *err);

/* db_write_version5() - write the files that version 5 adds to the base; call it after the last volume. */
io_status db_write_version5(db_writer *w, io_error *err);

#endif
