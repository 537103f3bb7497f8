/*
 * db_struct.h - the inside of a database that is being written, for the files of io that write it: db_files.c the files,
 * db_writer.c volumes and sequences, db_version5.c what version 5 has more.
 */
#ifndef TAMIS_IO_DB_STRUCT_H
#define TAMIS_IO_DB_STRUCT_H

#include <limits.h>

#include "io/io_file_set.h"
#include "makedb/db_masks.h"
#include "makedb/db_names.h"
#include "makedb/db_options.h"
#include "makedb/isam.h"

enum { BUFFER_BYTES = 1 << 18, DATE_SIZE = 64, PATH_SIZE = PATH_MAX };

/* A file, its bytes on the way. */
typedef struct output_file {
    io_safe_file *file;
    const char *extension; /* "sq", without the letter of the molecule */
    uint32_t volume;
    int of_base; /* not of a volume: "base.pal" */
    uint8_t *buffer;
    size_t n_buffered;
    uint64_t size, sum;
} output_file;

/* Offsets as they are written: big-endian words. */
typedef struct offset_array {
    uint32_t *words;
    size_t n, capacity;
} offset_array;

struct db_writer {
    db_options how;
    char date[DATE_SIZE];
    io_file_set *set;
    output_file *files; /* all of the set but the checksums */
    size_t n_files, files_capacity;
    uint8_t *free_buffers[3];
    size_t n_free_buffers;
    /* The volume that is written: */
    uint32_t volume;
    uint32_t n_sequences;
    uint64_t n_letters;
    uint64_t longest;
    size_t at_sequences, at_headers; /* in files */
    offset_array headers, sequences, ambiguities;
    struct byte_array defline;
    isam_index isam;           /* with an index of ids: of the volume */
    isam_index hashes;         /* with an index of hashes: of the volume */
    db_masks masks;            /* with masks: of the volume */
    db_names names;            /* version 5 with ids: of all */
    char lmdb_name[PATH_SIZE]; /* version 5: "base.pdb" */
    int32_t *taxids;           /* version 5, if they differ: of all sequences */
    size_t n_taxids, taxids_capacity;
    uint64_t *taxid_ends; /* of each sequence */
    size_t n_taxid_ends, taxid_ends_capacity;
    uint32_t *volume_sizes; /* sequences of the volumes that are complete */
    size_t n_volumes, sizes_capacity;
};

/* db_base_name() - the last part of the base. */
const char *db_base_name(const db_writer *w);

/* db_name_file() - "base.00.psq", or "base.psq" of the only volume and of what belongs to all. */
io_status db_name_file(const db_writer *w, const output_file *f, int is_only, char path[PATH_SIZE], io_error *err);
io_output db_output_of(const db_writer *w, const char *path);

/* db_open_file() - the file's place in w->files is *at. db_end_file(): its bytes are on the disk. */
io_status db_open_file(db_writer *w, const char *extension, int of_base, size_t *at, io_error *err);
io_status db_write(output_file *f, const void *bytes, size_t n, io_error *err);
io_status db_end_file(db_writer *w, size_t at, io_error *err);

/* db_write_file() - a file whose bytes are all there. */
io_status db_write_file(db_writer *w, const char *extension, int of_base, const struct byte_array *bytes, io_error *err);

/* db_add_taxids() - of the next sequence, where they differ. Returns IO_OK or IO_E_MEMORY. */
io_status db_add_taxids(db_writer *w, const db_record *record, io_error *err);

/* db_write_version5() - the files of the base that version 5 has; after the last volume. */
io_status db_write_version5(db_writer *w, io_error *err);

#endif
