/* seqdb_map.h - files of a database, mapped: the bytes as they lie on disk. */
#ifndef TMS_SEQDB_MAP_H
#define TMS_SEQDB_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "base/core.h"
#include "run/context.h"

struct seqdb_bytes {
    const uint8_t *bytes; /* NULL of an empty file */
    size_t size;
};

/* Word i of big-endian ones. */
static inline uint32_t seqdb_word(const uint8_t *words, size_t i) { return core_swap32(core_read32(words + 4 * i)); }

/*
 * seqdb_map_file() - a regular file, read-only and shared.
 *   at_once [in] all of it is about to be read: its pages are mapped in one go
 *   out     [out] unmapped with seqdb_unmap()
 * Returns TMS_OK; TMS_E_FORMAT where it is missing, unreadable or no regular file; TMS_E_MEMORY.
 */
tms_status seqdb_map_file(tms_context *ctx, const char *path, bool at_once, struct seqdb_bytes *out);
void seqdb_unmap(struct seqdb_bytes *map);

/* seqdb_file_is_there() - whether there is a file, of whatever kind. */
bool seqdb_file_is_there(const char *path);

#endif
