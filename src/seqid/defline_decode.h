/*
 * defline_decode.h - decodes the deflines of a sequence from BER (Blast-def-line-set of NCBI's ASN.1).
 *
 * Definite and indefinite lengths, up to a fixed depth. Unused fields are skipped, but must be well-formed. Texts point into the bytes.
 */
#ifndef TMS_DEFLINE_DECODE_H
#define TMS_DEFLINE_DECODE_H

#include "base/base.h"
#include "seqid/seqid.h"

/* Empty if all zero. The arrays are kept for the next call. */
struct defline_decoder {
    struct defline *deflines;
    size_t n, capacity;
    struct seqid *ids;
    size_t n_ids, ids_capacity;
};

/*
 * defline_decode() - decode n bytes; 0 bytes have no deflines.
 *   why [out] with TMS_E_FORMAT: what is wrong; a static text
 * Returns TMS_OK; TMS_E_FORMAT; TMS_E_MEMORY.
 */
tms_status defline_decode(struct defline_decoder *decoder, const uint8_t *bytes, size_t n, const char **why);
void defline_decoder_free(struct defline_decoder *decoder);

#endif
