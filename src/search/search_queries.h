/*
 * search_queries.h - the queries of a call, prepared for the search: encoded, masked, and divided as BLAST divides them.
 *
 * BLAST takes queries in batches, and cuts a batch of many more residues than usual into chunks that overlap. The engine searches with the
 * part of a query that lies in a chunk as if it were a query, and merges the results of a query's chunks afterwards (chunk_merge.h).
 */
#ifndef TMS_SEARCH_QUERIES_H
#define TMS_SEARCH_QUERIES_H

#include "mask/intervals.h"
#include "search/search_setup.h"

struct hit_list; /* hits/hit_list.h */

/* Where a search puts what it reports of each query. */
struct search_hits {
    struct hit_list *lists; /* one for each query, of its subjects, the best first; zeroed by the caller, freed with hit_list_free() */
    /*
     * Called by any thread, once for each query, in any order, as soon as its list is final; may empty it. NULL: the lists are complete
     * when the search ends.
     */
    void (*take)(void *arg, size_t query);
    void *arg;
};

/* Says which part of which query a chunk is. */
struct query_chunk {
    size_t query;
    int start;     /* position in the query where the chunk begins */
    size_t number; /* of the batch's chunk, counted through all batches: queries with the same number are in one chunk */
    bool is_whole; /* the chunk is the whole query, and shares its memory */
};

struct search_queries {
    size_t n;
    uint64_t n_residues;        /* of all queries */
    uint8_t *codes;             /* codes of all queries; a 0 before and after each query */
    struct search_query *whole; /* n queries */
    struct intervals *masked;   /* n lists, each from search_program.mask_query() */
    size_t *batch_starts;       /* [n_batches + 1] the first query of each batch */
    size_t n_batches;
    struct search_query *searched; /* n_chunks queries that scans of the database use; the same as `whole` if none is cut */
    struct query_chunk *chunks;    /* n_chunks */
    size_t n_chunks, chunks_capacity, searched_capacity;
    size_t n_numbers; /* of chunks */
};

/*
 * search_queries_init() - prepares the records of a call.
 *   seqs [in] the records' characters; borrowed for the call
 *   batch_residues [in] a batch ends with the query that makes it this long
 *   out [out] freed with search_queries_free(), also after a failure
 * Returns TMS_OK; TMS_E_ARG: a character is no residue, or a query is too long; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
tms_status search_queries_init(tms_context *ctx, const struct search_setup *setup, const tms_seqs *seqs, uint64_t batch_residues,
                               struct search_queries *out);
void search_queries_free(struct search_queries *queries); /* zeroed is fine */

/*
 * search_queries_end_search() - frees all but what results show of the queries: codes as they were given, masks, and with translation
 * `whole` with the frames' residues and masks, of which nothing else has a meaning then.
 */
void search_queries_end_search(struct search_queries *queries);

#endif
