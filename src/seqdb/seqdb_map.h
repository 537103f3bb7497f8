/* seqdb_map.h - maps the files of a database. */
#ifndef TMS_SEQDB_MAP_H
#define TMS_SEQDB_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/core.h"
#include "run/context.h"

struct seqdb_bytes {
    const uint8_t *bytes; /* NULL for an empty file */
    size_t size;
};

/* Word i of an array of big-endian words. */
static inline uint32_t seqdb_word(const uint8_t *words, size_t i) { return core_swap32(core_read32(words + 4 * i)); }

/*
 * seqdb_map_file() - map a regular file, read-only and shared.
 *   at_once [in]  the caller will read the whole file: maps all pages at once
 *   out     [out] unmapped with seqdb_unmap()
 * Returns TMS_OK; TMS_E_FORMAT if the file is missing, unreadable or not a regular file; TMS_E_MEMORY.
 */
tms_status seqdb_map_file(tms_context *ctx, const char *path, bool at_once, struct seqdb_bytes *out);
void seqdb_unmap(struct seqdb_bytes *map);

/* seqdb_file_is_there() - true if the path exists, whatever kind of file it is. */
bool seqdb_file_is_there(const char *path);

#endif
