/* makedb_masks.h - -mask_data, -mask_id and -mask_desc of makedb: lists of equal length, separated by commas. */
#ifndef TAMIS_CLI_MAKEDB_MASKS_H
#define TAMIS_CLI_MAKEDB_MASKS_H

#include <stddef.h>

#include "makedb/db_mask_file.h"

typedef struct makedb_masks {
    db_mask_source *sources;
    size_t n;
    char *words[3]; /* copies of the lists, split into items */
} makedb_masks;

/*
 * makedb_masks_take() - parses the lists; names and descriptions may be NULL.
 *   masks [out] freed with makedb_masks_free() in any case
 * Returns NULL, or the message; "" if there is no memory.
 */
const char *makedb_masks_take(const char *files, const char *names, const char *descriptions, makedb_masks *masks);
void makedb_masks_free(makedb_masks *masks);

#endif
