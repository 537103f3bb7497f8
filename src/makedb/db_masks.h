/*
 * db_masks.h - the masks of a volume of a database, a "column" of its sequences: .paa (index), .pab, .pac (the same data for processors
 * of either order of bytes). doc/blastdb.md has the fields.
 */
#ifndef TAMIS_IO_DB_MASKS_H
#define TAMIS_IO_DB_MASKS_H

#include "makedb/db_mask_file.h"

/* Of a volume. All zero: no sequences. */
typedef struct db_masks {
    uint32_t *ends; /* of the data of each sequence */
    size_t n_sequences, capacity;
    struct byte_array big_endian, little_endian;
} db_masks;

/* db_masks_add() - of the next sequence, as db_mask_files_find() gives them. Returns IO_OK; IO_E_INPUT: one reaches beyond its
 * n_letters, or the data has no room; IO_E_MEMORY. */
io_status db_masks_add(db_masks *masks, const db_mask_files *files, const db_mask_interval *found, size_t n_found, uint64_t n_letters,
                       io_error *err);

/* db_masks_index() - the index, appended. Returns IO_OK or IO_E_MEMORY. */
io_status db_masks_index(const db_masks *masks, const db_mask_files *files, struct byte_array *index, io_error *err);

void db_masks_clear(db_masks *masks); /* for the next volume */
void db_masks_free(db_masks *masks);

#endif
