/* seqdb_masks.h - reads masks of sequences into a growing array. */
#ifndef TMS_SEQDB_MASKS_H
#define TMS_SEQDB_MASKS_H

#include "tamis/seqdb.h"

/* seqdb_masks_read() - as tms_seqdb_masks_get(), but grows the array. Also returns TMS_E_MEMORY. */
tms_status seqdb_masks_read(const tms_seqdb_masks *masks, uint64_t i, tms_interval **items, size_t *capacity, size_t *n) TMS_CHECKED;

/* seqdb_masks_path() - path, without an extension, of the volume of sequence i; NULL for masks in memory. */
const char *seqdb_masks_path(const tms_seqdb_masks *masks, uint64_t i);

#endif
