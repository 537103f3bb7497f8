/* file_map.h - a file in memory, as it lies on disk. */
#ifndef TMS_RUN_FILE_MAP_H
#define TMS_RUN_FILE_MAP_H

#include "run/context.h"

/*
 * file_map() - a regular file, read-only and shared.
 *   at_once [in] all of it is about to be read: its pages are mapped in one go
 *   bytes   [out] unmapped with file_unmap(); NULL of an empty file. Whoever truncates the file makes the next access behind its new
 *                 end a SIGBUS: files are to be replaced by rename()
 * Returns TMS_OK; TMS_E_FORMAT where it is missing, unreadable or no regular file; TMS_E_MEMORY.
 */
tms_status file_map(tms_context *ctx, const char *path, bool at_once, const uint8_t **bytes, size_t *size) TMS_CHECKED;
void file_unmap(const uint8_t *bytes, size_t size); /* NULL is fine */

#endif
