/*
 * seqid_text.h - ids as text: as a FASTA header has them ("sp|P12345.2|NAME"), and as the accession ("P12345.2").
 */
#ifndef TMS_SEQID_TEXT_H
#define TMS_SEQID_TEXT_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* seqid_word() - what is before the first bar: "sp", also of an id that is printed with "tr". */
const char *seqid_word(enum seqid_kind kind);

/* seqid_asn_name() - what NCBI's ASN.1 calls it: "swissprot". NULL: there is no such kind. */
const char *seqid_asn_name(enum seqid_kind kind);

/* Append; false: no memory. */
bool seqid_text_fasta(const struct seqid *id, struct byte_array *out);
bool seqid_text_accession(const struct seqid *id, struct byte_array *out); /* upper case; without one: the name */

/* seqid_text_all() - all ids of a defline with | between, as they are stored: the gi first. */
bool seqid_text_all(const struct defline *defline, struct byte_array *out);

/* seqid_text_shown() - the first gi, if there is one, and the id that the sequence is called by; behind a gi "x" of lcl|x. */
bool seqid_text_shown(const struct defline *defline, struct byte_array *out);

/* seqid_best() - the id that a sequence is called by: one with accession, version and name before others, a gi last; among equals the
 * first. NULL: there is none. */
const struct seqid *seqid_best(const struct defline *defline);

/* seqid_listed() - the id by which format 15 lists the sequences of -subject: a gi first, then much as above. NULL likewise. */
const struct seqid *seqid_listed(const struct defline *defline);

/* seqid_is_label() - PIR, PRF: reports have the whole id where those of other databases have the accession alone. */
bool seqid_is_label(const struct seqid *id);

/* seqid_is_ordinal() - gnl|BL_ORD_ID|k: makeblastdb was not to parse the names, and the title has the whole header. */
bool seqid_is_ordinal(const struct seqid *id);

#endif
