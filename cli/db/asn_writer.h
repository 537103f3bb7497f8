/*
 * asn_writer.h - prints values of NCBI's ASN.1 as NCBI's programs do: as text, BER or XML. The caller walks through the value:
 *
 *   member  a member of a SEQUENCE: the number of its tag, its type and its name
 *   choice  the alternative of a CHOICE, given like a member
 *   open    the beginning of a SEQUENCE or a list; a list has no type of its own
 *   item    the beginning of an item of a list
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
    size_t column;  /* text: column of the current line */
    bool is_first;  /* text: the current braces are still empty */
    bool is_inline; /* XML: the next end tag stays in the line of its start tag */
    bool is_lost;   /* an allocation failed: the output is incomplete */
} asn_writer;

/* asn_begin(), asn_end() - begin and end a top-level value. XML names its DTD: the module "NCBI Seqloc" in the file "NCBI_Seqloc". */
void asn_begin(asn_writer *w, const char *type, const char *module, const char *dtd);
void asn_end(asn_writer *w);

void asn_open(asn_writer *w, const char *type);
void asn_close(asn_writer *w, const char *type);

/* asn_element(), asn_end_element() - begin and end a type, whose name only XML prints. NULL: no type. */
void asn_element(asn_writer *w, const char *type);
void asn_end_element(asn_writer *w, const char *type);

void asn_member(asn_writer *w, unsigned number, const char *type, const char *name);
void asn_choice(asn_writer *w, unsigned number, const char *type, const char *name);
void asn_end_member(asn_writer *w, const char *type, const char *name); /* of a member or a choice */
void asn_item(asn_writer *w);

void asn_integer(asn_writer *w, int64_t value);
void asn_named_integer(asn_writer *w, const char *type, const char *name, int64_t value);
void asn_string(asn_writer *w, struct text text);

/* asn_false_member() - prints a member whose value is FALSE. */
void asn_false_member(asn_writer *w, unsigned number, const char *type, const char *name);

/* asn_seqid() - prints a Seq-id. */
void asn_seqid(asn_writer *w, const struct seqid *id);

#endif
