/*
 * blastn_batches.h - the sizes of query batches, by which NCBI's program aims at an equal number of ungapped HSPs in each. They matter,
 * because approximate extensions read over the ends of queries, but not over those of a batch.
 */
#ifndef TMS_BLASTN_BATCHES_H
#define TMS_BLASTN_BATCHES_H

#include <stdbool.h>
#include <stdint.h>

struct blastn_batches {
    double target; /* ungapped HSPs of a batch */
    double ratio;  /* ungapped HSPs per base, smoothed */
    uint64_t size; /* of the next batch, in bases */
    uint64_t most;
    bool is_fixed, has_ratio;
};

/*
 * blastn_batches_init() - before the first batch.
 *   fixed [in] the size of all batches; 0: sizes follow from what is found
 *   chunk_residues [in] bases of a chunk, without the overlap
 */
void blastn_batches_init(struct blastn_batches *b, int64_t database_residues, uint64_t fixed, int chunk_residues);

/* blastn_batches_continue() - goes on before a batch of so many bases, with this ratio; 0: it is the first. */
void blastn_batches_continue(struct blastn_batches *b, uint64_t size, double ratio);

/* blastn_batches_next() - after a batch that had n ungapped HSPs. */
void blastn_batches_next(struct blastn_batches *b, uint64_t n);

#endif
