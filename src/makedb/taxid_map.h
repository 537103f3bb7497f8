/*
 * taxid_map.h - taxonomy ids by the ids of sequences, from a text: lines of an id, one blank or tab, and a number. Lines of fewer or
 * more fields are passed over; of an id that comes twice the last line counts. An id is found whatever its version or kind is said to be.
 */
#ifndef TAMIS_IO_TAXID_MAP_H
#define TAMIS_IO_TAXID_MAP_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

typedef struct io_taxid_entry {
    uint64_t key; /* in keys */
    uint32_t key_size;
    int32_t taxid;
    uint64_t line;
} io_taxid_entry;

/* All zero: nothing. */
typedef struct taxid_map {
    struct byte_array keys;
    io_taxid_entry *entries;
    size_t n_entries, capacity;
    struct byte_array scratch;
} taxid_map;

/* taxid_map_read() - Returns IO_OK; IO_E_INPUT: it cannot be read, or a line's second field is no taxonomy id; IO_E_MEMORY. */
io_status taxid_map_read(taxid_map *map, const char *path, tms_molecule molecule, io_error *err);

/* taxid_map_find() - of the first of the ids that has one. found [out] it has. Returns IO_OK or IO_E_MEMORY. */
io_status taxid_map_find(taxid_map *map, const struct seqid *ids, size_t n_ids, int64_t *taxid, bool *found, io_error *err);

void taxid_map_free(taxid_map *map);

#endif
