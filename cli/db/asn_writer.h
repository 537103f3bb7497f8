/*
 * asn_writer.h - values of NCBI's ASN.1 as NCBI's programs print them: as text, as BER, and as XML. The caller walks through the value:
 *
 *   member  of a SEQUENCE, or what a CHOICE has chosen: a number, and a name behind that of its type
 *   open    the braces of a SEQUENCE or of a list; a list has no type of its own
 *   item    of a list
 */
#ifndef TAMIS_CLI_ASN_WRITER_H
#define TAMIS_CLI_ASN_WRITER_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

typedef enum asn_syntax { ASN_TEXT, ASN_BER, ASN_XML } asn_syntax;

typedef struct asn_writer {
    asn_syntax syntax;
    struct byte_array *to;
    unsigned depth;
    size_t column;  /* text: of the line */
    bool is_first;  /* text: nothing was in these braces yet */
    bool is_inline; /* XML: an end stands in the line of its begin */
    bool is_lost;   /* there was no memory */
} asn_writer;

/* asn_begin() - a value that stands for itself. XML: its DTD is that of a module, "NCBI Seqloc" in "NCBI_Seqloc". asn_end(): after it. */
void asn_begin(asn_writer *w, const char *type, const char *module, const char *dtd);
void asn_end(asn_writer *w);

void asn_open(asn_writer *w, const char *type);
void asn_close(asn_writer *w, const char *type);

/* asn_element(), asn_end_element() - a type whose name XML alone prints. */
void asn_element(asn_writer *w, const char *type);
void asn_end_element(asn_writer *w, const char *type);

void asn_member(asn_writer *w, unsigned number, const char *type, const char *name);
void asn_choice(asn_writer *w, unsigned number, const char *type, const char *name);
void asn_end_member(asn_writer *w, const char *type, const char *name); /* of both */
void asn_item(asn_writer *w);

void asn_integer(asn_writer *w, int64_t value);
void asn_named_integer(asn_writer *w, const char *type, const char *name, int64_t value);
void asn_string(asn_writer *w, struct text text);

/* asn_false_member() - a member that is FALSE. */
void asn_false_member(asn_writer *w, unsigned number, const char *type, const char *name);

/* asn_seqid() - a Seq-id, what it chose. */
void asn_seqid(asn_writer *w, const struct seqid *id);

#endif
