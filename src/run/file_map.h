/* file_map.h - maps a file into memory. */
#ifndef TMS_RUN_FILE_MAP_H
#define TMS_RUN_FILE_MAP_H

#include "run/context.h"

/*
 * file_map() - map a regular file, read-only and shared.
 *   at_once [in]  the caller will read the whole file: maps all pages at once
 *   bytes   [out] unmapped with file_unmap(); NULL for an empty file. If a program truncates the file, the next access behind its new end
 *                 raises SIGBUS: replace files by rename()
 * Returns TMS_OK; TMS_E_FORMAT if the file is missing, unreadable or not a regular file; TMS_E_MEMORY.
 */
tms_status file_map(tms_context *ctx, const char *path, bool at_once, const uint8_t **bytes, size_t *size) TMS_CHECKED;
void file_unmap(const uint8_t *bytes, size_t size); /* NULL is fine */

#endif
