/*
 * seed_query.h - the query of tamis seeds in memory, at two bits a base. A long one is searched in batches, so that a table of positions
 * has numbers of 32 bits; matches may cross their borders.
 */
#ifndef TAMIS_SEED_QUERY_H
#define TAMIS_SEED_QUERY_H

#include "seqio/seqio_dna_ahead.h"
#include "tamis/seeds.h"

/* A batch of the query: the bases that are indexed at a time. */
typedef struct seed_query_batch {
    const tms_dna *dna;
    uint32_t n_again;    /* its first bases that the batch before has, too: at most w - 1, of a record that both have */
    uint64_t first_base; /* through all records of the query */
} seed_query_batch;

/* All batches, in order, and the one that is searched now. All zero: empty. */
typedef struct seed_query {
    seed_query_batch *batches;
    size_t n_batches, batch;
    uint32_t borders[4]; /* entries of the batch's first w-mer and of its last, where another batch has more of the record */
    int n_borders;
    seqio_dna_ahead *pieces; /* owns their bases */
} seed_query;

/*
 * seed_query_read() - reads all of a query.
 *   dna [in] borrowed; its chunks become the batches
 *   out [out] freed with seed_query_free(), also after a failure
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status seed_query_read(seqio_dna *dna, seed_query *out, io_error *err);
void seed_query_free(seed_query *query);

/*
 * seed_query_find_borders() - sets the borders of the batch that is searched now: a match that goes on in another batch has one of them.
 *   ctx [in] on the CPU
 * Returns as tms_seeds_scan().
 */
tms_status seed_query_find_borders(seed_query *query, tms_context *ctx, const tms_seeds *seeds, uint32_t word_size);

/* seed_query_is_border() - whether a hit is of such a w-mer. */
static inline int seed_query_is_border(const seed_query *query, const tms_seed_hit *hit)
{
    const uint32_t entry = hit->word & INT32_MAX;

    for (int i = 0; i < query->n_borders; i++) {
        if (entry == query->borders[i])
            return 1;
    }
    return 0;
}

/* Bases of a record in a row, upwards or downwards, from one batch to the next. */
typedef struct seed_walk {
    size_t batch;
    const tms_dna *dna;
    size_t part, base, left; /* the next base, and how many there are of this part from it on */
    int is_down;
} seed_walk;

/* seed_walk_on() - goes on in the next batch, or with is_down in the one before, at the end of a part. Returns 0 if the record ends. */
int seed_walk_on(const seed_query *query, seed_walk *walk);

static inline int seed_walk_has_more(const seed_query *query, seed_walk *walk) { return walk->left > 0 || seed_walk_on(query, walk); }

/*
 * seed_walk_same() - how many bases, at most n, are the same as the subject's from `at` on; downwards those of the other strand. The walk
 * goes over them. Returns less than n if a base differs, or if the record ends.
 */
size_t seed_walk_same(const seed_query *query, seed_walk *walk, const tms_dna *subject, size_t at, size_t n);

#endif
