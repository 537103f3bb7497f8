/* defline_encode.h - encodes deflines in BER, as in the header files of BLAST databases (Blast-def-line-set). */
#ifndef TMS_DEFLINE_ENCODE_H
#define TMS_DEFLINE_ENCODE_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/*
 * defline_encode() - append the set of n deflines: constructed types with indefinite length, primitive ones as short as possible.
 *   deflines [in] all strings are shorter than 2^32 bytes
 * Returns false if there is no memory.
 */
bool defline_encode(const struct defline *deflines, size_t n, struct byte_array *out);

#endif
