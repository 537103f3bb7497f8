/*
 * seqid_keys.h - the keys by which the index of a version 4 database (.psd, .nsd) finds an id, all in lower case:
 *   local       x  lcl|x                a number: lcl|5 only
 *   text ids    accession  accession.version  name
 *   general     x  gnl|db|x             a number: gnl|db|5 only
 *   pdb         1abc  "1abc a"  1abc|a  pdb|1abc|a      without a chain a blank replaces it
 *   patents     pat|us|1234567|1
 *   gibbsq, gibbmt, giim: bbs|5  bbm|5  gim|5;  gi: none, numbers have an index of their own
 */
#ifndef TMS_SEQID_KEYS_H
#define TMS_SEQID_KEYS_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* seqid_keys() - append the keys, each with a NUL. Returns false if there is no memory. */
bool seqid_keys(const struct seqid *id, struct byte_array *keys);

/*
 * seqid_label() - append the text that must be unique in a database, and a NUL: "SP|P12345", "PDB|1ABC|a"; for PRF the name, also for PIR
 * if there is one. Returns false if there is no memory.
 */
bool seqid_label(const struct seqid *id, struct byte_array *label);

#endif
