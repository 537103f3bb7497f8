/*
 * seqid_text.h - prints ids as in a FASTA header ("sp|P12345.2|NAME") or as the accession ("P12345.2").
 */
#ifndef TMS_SEQID_TEXT_H
#define TMS_SEQID_TEXT_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* seqid_word() - the word before the first bar: "sp", also for an id that is printed with "tr". */
const char *seqid_word(enum seqid_kind kind);

/* seqid_asn_name() - the kind's name in NCBI's ASN.1: "swissprot". NULL for an unknown kind. */
const char *seqid_asn_name(enum seqid_kind kind);

/* Append the id's text; return false if there is no memory. */
bool seqid_text_fasta(const struct seqid *id, struct byte_array *out);
bool seqid_text_accession(const struct seqid *id, struct byte_array *out); /* in upper case; the name if there is no accession */

/* seqid_text_all() - append all ids of a defline, separated by |, in stored order but with the gi first. */
bool seqid_text_all(const struct defline *defline, struct byte_array *out);

/* seqid_text_shown() - append the first gi, if there is one, and the sequence's preferred id; behind a gi, lcl|x is printed as "x". */
bool seqid_text_shown(const struct defline *defline, struct byte_array *out);

/*
 * seqid_best() - the id that names a sequence: one with accession, version and name is preferred, a gi comes last; of equal ones the
 * first. NULL if there is none.
 */
const struct seqid *seqid_best(const struct defline *defline);

/*
 * seqid_listed() - the id by which output format 15 lists the sequences of -subject: a gi first, then almost as seqid_best(). NULL if
 * there is none.
 */
const struct seqid *seqid_listed(const struct defline *defline);

/* seqid_is_label() - true for PIR and PRF, where reports print the complete id instead of the accession. */
bool seqid_is_label(const struct seqid *id);

/* seqid_is_ordinal() - true for gnl|BL_ORD_ID|k: makeblastdb did not parse the names, and the title has the whole header. */
bool seqid_is_ordinal(const struct seqid *id);

#endif
