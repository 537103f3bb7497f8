/* base_sieve_none.c - the sieve of bases in a build without CUDA: no context has a GPU. */
#include "lookup/base_sieve.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

size_t base_sieve_chunk_bytes(int n) { return 0; }

size_t base_sieve_free_bytes(const tms_context *ctx) { return 0; }

tms_status base_sieve_load(tms_context *ctx, const struct packed_bases *chunks, size_t n, struct base_sieve_chunks **out)
{
    return TMS_E_DEVICE;
}

void base_sieve_unload(struct base_sieve_chunks *chunks) {}

tms_status base_sieve_set_words(tms_context *ctx, const struct base_lookup *lookup, struct base_sieve_words **out) { return TMS_E_DEVICE; }

void base_sieve_words_free(struct base_sieve_words *words) {}

tms_status base_sieve_run(tms_context *ctx, const struct base_sieve_chunks *chunks, const struct base_sieve_words *words, size_t most_bytes,
                          struct base_sieved *out)
{
    return TMS_E_DEVICE;
}
