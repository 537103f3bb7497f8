/*
 * defline_decode.h - a sequence's deflines, from BER (Blast-def-line-set of NCBI's ASN.1).
 *
 * Definite and indefinite lengths, up to a fixed depth; fields that are not of use here are skipped, but have to be sound. Texts point
 * into the bytes.
 */
#ifndef TMS_DEFLINE_DECODE_H
#define TMS_DEFLINE_DECODE_H

#include "base/base.h"
#include "seqid/seqid.h"

/* All zero: empty. The arrays stay for the next call. */
struct defline_decoder {
    struct defline *deflines;
    size_t n, capacity;
    struct seqid *ids;
    size_t n_ids, ids_capacity;
};

/*
 * defline_decode() - any n bytes; no bytes have no deflines.
 *   why [out] TMS_E_FORMAT: what is wrong, a text that stays
 * Returns TMS_OK; TMS_E_FORMAT; TMS_E_MEMORY.
 */
tms_status defline_decode(struct defline_decoder *decoder, const uint8_t *bytes, size_t n, const char **why);
void defline_decoder_free(struct defline_decoder *decoder);

#endif
