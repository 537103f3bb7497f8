/*
 * subject_masks.h - the segments of low complexity of subjects, kept for later queries: of relatives, several meet the same subjects.
 * Safe to use from any number of threads.
 */
#ifndef TMS_SUBJECT_MASKS_H
#define TMS_SUBJECT_MASKS_H

#include "mask/intervals.h"

struct subject_masks;

struct subject_masks *subject_masks_create(void);        /* NULL if there is no memory */
void subject_masks_destroy(struct subject_masks *masks); /* NULL is fine */

/* subject_masks_find() - appends a subject's segments. Returns false if they are not known, or if there is no memory. */
bool subject_masks_find(struct subject_masks *masks, uint64_t oid, struct intervals *out);

/* subject_masks_keep() - keeps a subject's segments, which are not known yet, if there is space left. */
void subject_masks_keep(struct subject_masks *masks, uint64_t oid, const struct intervals *segments);

#endif
