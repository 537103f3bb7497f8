/* defline_encode.h - deflines to BER, as the header files of BLAST databases have them (Blast-def-line-set). */
#ifndef TMS_DEFLINE_ENCODE_H
#define TMS_DEFLINE_ENCODE_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/*
 * defline_encode() - append the set of n deflines: constructed types of indefinite length, primitive ones as short as they can be.
 *   deflines [in] strings of less than 2^32 bytes
 * Returns false: no memory.
 */
bool defline_encode(const struct defline *deflines, size_t n, struct byte_array *out);

#endif
