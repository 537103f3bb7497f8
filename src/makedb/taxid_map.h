/*
 * taxid_map.h - maps ids of sequences to taxonomy ids. A text has them in lines: an id, one blank or tab, and a number. Lines with fewer
 * or more fields are ignored; if an id comes twice, the last line counts. Version and kind of an id are ignored.
 */
#ifndef TAMIS_TAXID_MAP_H
#define TAMIS_TAXID_MAP_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

typedef struct io_taxid_entry {
    uint64_t key; /* offset in `keys` */
    uint32_t key_size;
    int32_t taxid;
    uint64_t line;
} io_taxid_entry;

/* Empty if all zero. */
typedef struct taxid_map {
    struct byte_array keys;
    io_taxid_entry *entries;
    size_t n_entries, capacity;
    struct byte_array scratch;
} taxid_map;

/*
 * taxid_map_read() - read a map. Returns IO_OK; IO_E_INPUT: the file cannot be read, or the second field of a line is no taxonomy id;
 * IO_E_MEMORY.
 */
io_status taxid_map_read(taxid_map *map, const char *path, tms_molecule molecule, io_error *err);

/*
 * taxid_map_find() - the taxonomy id of the first of the ids that is in the map. found [out] true if there is one. Returns IO_OK or
 * IO_E_MEMORY.
 */
io_status taxid_map_find(taxid_map *map, const struct seqid *ids, size_t n_ids, int64_t *taxid, bool *found, io_error *err);

void taxid_map_free(taxid_map *map);

#endif
