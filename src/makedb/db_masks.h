/*
 * db_masks.h - the masks of a database volume, a "column" of its sequences: .paa (index), .pab and .pac (the same data for processors of
 * either byte order). doc/blastdb.md has the fields.
 */
#ifndef TAMIS_DB_MASKS_H
#define TAMIS_DB_MASKS_H

#include "makedb/db_mask_file.h"

/* The masks of a volume. Empty if all zero. */
typedef struct db_masks {
    uint32_t *ends; /* end of each sequence's data */
    size_t n_sequences, capacity;
    struct byte_array big_endian, little_endian;
} db_masks;

/*
 * db_masks_add() - add the masks of the next sequence, as db_mask_files_find() returns them. Returns IO_OK; IO_E_INPUT: a mask reaches
 * beyond the sequence's n_residues residues, or the data would become too large; IO_E_MEMORY.
 */
io_status db_masks_add(db_masks *masks, const db_mask_files *files, const db_mask_interval *found, size_t n_found, uint64_t n_residues,
                       io_error *err);

/* db_masks_index() - append the bytes of the index. Returns IO_OK or IO_E_MEMORY. */
io_status db_masks_index(const db_masks *masks, const db_mask_files *files, struct byte_array *index, io_error *err);

void db_masks_clear(db_masks *masks); /* makes it empty for the next volume */
void db_masks_free(db_masks *masks);

#endif
