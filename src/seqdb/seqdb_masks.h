/* seqdb_masks.h - masks of sequences, for readers that keep an array. */
#ifndef TMS_SEQDB_MASKS_H
#define TMS_SEQDB_MASKS_H

#include "tamis/seqdb.h"

/* seqdb_masks_read() - as tms_seqdb_masks_get(); the array grows. Returns TMS_E_MEMORY too. */
tms_status seqdb_masks_read(const tms_seqdb_masks *masks, uint64_t i, tms_interval **items, size_t *capacity, size_t *n) TMS_CHECKED;

/* seqdb_masks_path() - of the volume of sequence i, without an extension; NULL in memory. */
const char *seqdb_masks_path(const tms_seqdb_masks *masks, uint64_t i);

#endif
