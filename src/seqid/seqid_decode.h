/* seqid_decode.h - decodes an id of NCBI's ASN.1 (Seq-id) from BER. */
#ifndef TMS_SEQID_DECODE_H
#define TMS_SEQID_DECODE_H

#include "seqid/ber.h"

/* seqid_decode() - decode the next value; a fault is recorded in b. Texts point into the bytes. */
void seqid_decode(struct ber *b, struct seqid *id);

#endif
