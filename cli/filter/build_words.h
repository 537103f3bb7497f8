/* build_words.h - tamis build --kmer: sequences in, instead of lines. */
#ifndef TAMIS_CLI_BUILD_WORDS_H
#define TAMIS_CLI_BUILD_WORDS_H

#include "cli/line_stream.h"
#include "cli/shards.h"
#include "tamis/classify.h"

enum { BUILD_MASK_NONE, BUILD_MASK_DUST, BUILD_MASK_LOWER }; /* words of --mask, in their order */

/*
 * build_words_read() - reads all records of the stream's files into a reference. The stream has begun, and shows its progress.
 * Sets s->n_keys to the number of k-mers.
 *   mask      [in] a BUILD_MASK_ value: leave out k-mers of which half or more is low-complexity, or lower case
 *   word_size [in] of the reference
 *   place     [in] read only records shard, shard + n, ... of the stream; NULL: all
 * Returns CLI_OK; otherwise the exit code, after a message.
 */
int build_words_read(line_stream *s, tms_reference *reference, int mask, uint32_t word_size, const shard_place *place);

#endif
