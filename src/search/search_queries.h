/*
 * search_queries.h - the queries of a call, ready to be searched with: encoded, masked, and divided as BLAST divides them.
 *
 * BLAST takes queries in batches, and cuts a batch of much more residues than usual into chunks that overlap. The part of a query that lies
 * in a chunk is searched with as if it were a query; what is found is merged afterwards (chunk_merge.h).
 */
#ifndef TMS_BLASTP_QUERIES_H
#define TMS_BLASTP_QUERIES_H

#include "blastp/blastp_setup.h"
#include "mask/intervals.h"
#include "mask/seg.h"

struct blastp_masking {
    bool seg, lower_case;
    tms_seg_params seg_params;
};

/* What of a query is walked with: a piece, or all of it. */
struct query_chunk {
    size_t query;
    int start;     /* of the piece in the query */
    bool is_whole; /* it shares memory with the query */
};

struct search_queries {
    size_t n;
    uint8_t *codes;             /* of all of them; a 0 before and after each */
    struct search_query *whole; /* n */
    struct intervals *masked;   /* of each, ascending and apart from each other */
    size_t *batch_starts;       /* the first query of each batch; n_batches + 1 */
    size_t n_batches;
    struct search_query *searched; /* n_pieces: what is walked with */
    struct query_chunk *pieces;
    size_t n_pieces, pieces_capacity, searched_capacity;
};

/*
 * search_queries_init() - of records.
 *   batch_residues [in] a batch ends with the query that makes it so long
 *   out [out] freed with search_queries_free(), also after a failure
 * Returns TMS_OK; TMS_E_ARG: a residue that is none, or a query that is too long; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
tms_status search_queries_init(tms_context *ctx, const struct search_setup *setup, const struct blastp_masking *masking,
                               const tms_seqs *seqs, uint64_t batch_residues, struct search_queries *out);
void search_queries_free(struct search_queries *queries); /* zeroed is fine */

#endif
