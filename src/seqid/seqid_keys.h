/*
 * seqid_keys.h - the words by which an id is found in the index of a version 4 database (.psd, .nsd), all in lower case:
 *
 *   local       x  lcl|x                a number: lcl|5 only
 *   text ids    accession  accession.version  name
 *   general     x  gnl|db|x             a number: gnl|db|5 only
 *   pdb         1abc  "1abc a"  1abc|a  pdb|1abc|a      without a chain a blank is in its place
 *   patents     pat|us|1234567|1
 *   gibbsq, gibbmt, giim: bbs|5  bbm|5  gim|5;  gi: none, numbers have an index of their own
 */
#ifndef TMS_SEQID_KEYS_H
#define TMS_SEQID_KEYS_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* seqid_keys() - append them, a NUL after each. Returns false: no memory. */
bool seqid_keys(const struct seqid *id, struct byte_array *keys);

/* seqid_label() - append what has to be different in all sequences of a database, and a NUL: "SP|P12345", "PDB|1ABC|a"; of PRF
 * the name, of PIR too if there is one. Returns false: no memory. */
bool seqid_label(const struct seqid *id, struct byte_array *label);

#endif
