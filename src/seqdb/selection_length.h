/* selection_length.h - what a sequence of a selection adds to the totals for statistics. */
#ifndef TMS_SELECTION_LENGTH_H
#define TMS_SELECTION_LENGTH_H

#include "tamis/seqdb.h"

/*
 * selection_length() - the length of sequence i of a database made by tms_seqdb_select() as NCBI's programs add it up: exact for proteins;
 * of bases those that fill whole bytes, and for the rest the sequence's number in its volume, modulo 4.
 */
uint64_t selection_length(const tms_seqdb *db, uint64_t i);

#endif
