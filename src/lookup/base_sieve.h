/*
 * base_sieve.h - a GPU looks up the words of subjects, and drops most hits that leave no trace in a scan. base_scan_hits() settles the
 * rest.
 *
 * Where the table has parts of words, hits pass that lie in a whole word. Where it has whole words, and one hit is enough, hits pass whose
 * approximate extension calls for the exact one: all hits of a run of equal bases have the same extensions, because within the run the
 * score only rises, so the first stands for all; and a hit of another run cannot lie within an extension that ended before it, or within
 * the word of a hit that failed. Hits pass in the order of subjects, positions and the table, as base_scan() takes them.
 */
#ifndef TMS_BASE_SIEVE_H
#define TMS_BASE_SIEVE_H

#include "lookup/base_scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* base_sieve_takes() - whether the sieve serves a group: not for templates, for small tables, and for two hits of whole words. */
bool base_sieve_takes(const struct base_lookup *lookup);

/* base_sieve_words_bytes() - about the bytes of device memory for a group's table and queries. */
size_t base_sieve_words_bytes(const struct base_lookup *lookup);

/* Chunks of subjects in the memory of a GPU. */
struct base_sieve_chunks;

/* Bytes of device memory for a chunk of n bases. */
size_t base_sieve_chunk_bytes(int n);

/* base_sieve_free_bytes() - free memory of the context's GPU; 0 if unknown. */
size_t base_sieve_free_bytes(const tms_context *ctx);

/*
 * base_sieve_load() - copies chunks to the context's GPU.
 *   chunks [in] n chunks, each of which begins at the first base of a byte
 *   out    [out] freed with base_sieve_unload()
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
tms_status base_sieve_load(tms_context *ctx, const struct packed_bases *chunks, size_t n, struct base_sieve_chunks **out);
void base_sieve_unload(struct base_sieve_chunks *chunks); /* NULL is fine */

/* The hits that have passed. All zero is empty. */
struct base_sieved {
    struct base_hit *hits; /* hits starts[i] .. starts[i + 1] - 1 are in chunk i */
    uint64_t *starts;
    uint64_t n_looked_up, n_present, n_hits; /* as in base_found */
    bool is_left;                            /* there are too many hits: the CPU has to look up these chunks itself */
};
void base_sieved_free(struct base_sieved *sieved); /* zeroed is fine */

/*
 * base_sieve_set_words() - copies a group's table and queries to the context's GPU, for the calls of base_sieve_run() that follow.
 * base_sieve_run() - looks up all words of the chunks.
 *   most_bytes [in] device memory for the hits that pass
 *   out        [out] freed with base_sieved_free(), also after a failure
 * Both return TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE.
 */
struct base_sieve_words;
tms_status base_sieve_set_words(tms_context *ctx, const struct base_lookup *lookup, struct base_sieve_words **out);
void base_sieve_words_free(struct base_sieve_words *words); /* NULL is fine */
tms_status base_sieve_run(tms_context *ctx, const struct base_sieve_chunks *chunks, const struct base_sieve_words *words, size_t most_bytes,
                          struct base_sieved *out);

#ifdef __cplusplus
}
#endif
#endif
