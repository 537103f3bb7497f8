/*
 * seeds.h - finds all exact matches of w bases between a query and a subject that streams past [Ma11].
 *
 * The query's w-mers go into Bloom filters, one for each sub-query: the bank. Stage 1a tests every w-mer of the subject against the bank;
 * stage 1b looks up those that pass in a table of the query's w-mers. The result is exact: it is the same for any filter, schedule, number
 * of threads and device.
 *
 *     tms_seeds_create(ctx, &params, &query, &seeds);
 *     for each piece of the subject:
 *         tms_seeds_scan(ctx, seeds, &subject, hits, &n_hits, &tally);
 *         for each hit: tms_seeds_positions(seeds, &hits[i], &positions, &n);
 *
 * Threads: a tms_seeds does not change after tms_seeds_create(). Any number of threads may scan, filter and measure with it, each with its
 * own context and its own results.
 */
#ifndef TAMIS_SEEDS_H
#define TAMIS_SEEDS_H

#include "tamis/context.h"
#include "tamis/dna.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TMS_SEEDS_MIN_WORD       8
#define TMS_SEEDS_MAX_WORD       32
#define TMS_BANK_MAX_K           16
#define TMS_BANK_MIN_BITS        64
#define TMS_BANK_MAX_BITS        ((uint64_t)1 << 32) /* greatest m_bits of one sub-query's vector */
#define TMS_BANK_MAX_SUB_QUERIES ((uint32_t)1 << 20)

/*
 * Function j takes 32 bits f_j of a 64-bit hash, and sets bit floor(f_j m / 2^32) of the vector. All sub-queries have the same functions.
 */
typedef enum tms_seed_hash {
    TMS_SEED_HASH_H3 = 1,  /* random Boolean matrices drawn from the seed [Ma11, eq. 1]; m is a power of two */
    TMS_SEED_HASH_XXH3 = 2 /* XXH3-64 of the w-mer as 8 bytes; any m */
} tms_seed_hash;

/* The layout in memory of a bank's vectors, which decides which thread tests what. */
typedef enum tms_schedule {
    TMS_SCHEDULE_AUTO = 0,
    TMS_SCHEDULE_SHARED = 1,      /* a sub-query's vector at a time, on a GPU in a block's shared memory [Ma11, II-B] */
    TMS_SCHEDULE_INTERLEAVED = 2, /* row r holds bit r of every vector: k rows answer for all sub-queries at once */
    TMS_SCHEDULE_BITMAP = 3       /* interleaved, one exact bit for each of the 4^w w-mers: no hash, no false positive */
} tms_schedule;

/* Zero means "choose", except in fields for which it is a value. */
typedef struct tms_seeds_params {
    uint32_t word_size; /* w, TMS_SEEDS_MIN_WORD .. TMS_SEEDS_MAX_WORD */
    tms_strand strand;  /* strand of the query */
    tms_seed_hash hash;
    tms_schedule schedule;
    int only_bloom;     /* 1: TMS_SCHEDULE_AUTO never chooses the bitmap */
    uint64_t sub_query; /* bases of the query in a sub-query: its w-mers are those that begin in them */
    uint64_t m_bits;    /* bits of a vector, TMS_BANK_MIN_BITS .. TMS_BANK_MAX_BITS; H3 rounds up to a power of two */
    uint32_t k;         /* hash functions, 1 .. TMS_BANK_MAX_K */
    uint64_t seed;
} tms_seeds_params;

/* What tms_seeds_create() chose and built. */
typedef struct tms_seeds_info {
    tms_seeds_params params; /* with all choices made; a bitmap has m_bits 4^w, k 1 */
    uint64_t n_bases;        /* bases of the query */
    uint64_t n_words;        /* w-mers of the query, on one strand */
    uint64_t n_distinct;     /* different w-mers; with both strands, a w-mer and its reverse complement count as one */
    uint32_t n_sub_queries;
    uint64_t bank_bytes, table_bytes;
} tms_seeds_info;

typedef struct tms_seeds tms_seeds;

/*
 * A position of the subject where a w-mer of the query matches. word identifies the w-mer: its entry in the table, and in bit 31 whether
 * the subject has its reverse complement.
 */
typedef struct tms_seed_hit {
    uint32_t s_start; /* first base in the subject's tms_dna, from 0 */
    uint32_t word;
} tms_seed_hit;

/* A position in the query: the first base of the w-mer, from 0, times two, plus 1 if the table has its reverse complement. */
typedef uint32_t tms_seed_place;
#define TMS_SEED_BASE(place) ((place) >> 1)
/* 1 if the match is on the minus strand: the reverse complement of the query's bases at the position equals the subject's bases. */
#define TMS_SEED_IS_MINUS(hit, place) (((place) ^ (hit).word >> 31) & 1)

/* What passed each stage. Calls add to all fields. */
typedef struct tms_seeds_tally {
    uint64_t n_tested; /* w-mers of the subject */
    uint64_t n_passed; /* tested w-mers that at least one sub-query's filter passes */
    uint64_t n_true;   /* passed w-mers that are in the query */
    uint64_t n_seeds;  /* pairs of a query position and a subject position */
} tms_seeds_tally;

/* A w-mer of the subject that a sub-query's filter passes. */
typedef struct tms_seed_pass {
    uint32_t s_start;
    uint32_t sub_query; /* from 0 */
} tms_seed_pass;

/* One sub-query, and what its filter did. Calls add to n_tested and the fields after it. */
typedef struct tms_sub_query {
    uint64_t first_base, n_bases; /* bases of the query in which the w-mers begin */
    uint64_t n_words, n_distinct; /* w-mers inserted; different ones, n of [Ma11, eq. 2] */
    uint64_t n_ones;              /* bits set in its vector */
    uint64_t n_tested, n_passed, n_true;
} tms_sub_query;

/* tms_seeds_params_init() - set word_size 16, both strands, H3; everything else is chosen. */
TMS_API void tms_seeds_params_init_sized(tms_seeds_params *params, size_t params_size);
TMS_INLINE void tms_seeds_params_init(tms_seeds_params *params) { tms_seeds_params_init_sized(params, sizeof *params); }

/*
 * tms_seeds_create() - index a query.
 *   query [in]  borrowed for the call
 *   out   [out] destroyed with tms_seeds_destroy(), before ctx. If ctx has a GPU, the index is on it as well: tms_seeds_upload()
 * Returns TMS_OK; TMS_E_ARG: parameters out of range, or that cannot be combined; TMS_E_MEMORY; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_seeds_create_sized(tms_context *ctx, const tms_seeds_params *params, size_t params_size,
                                                      const tms_dna *query, tms_seeds **out);
TMS_INLINE TMS_CHECKED tms_status tms_seeds_create(tms_context *ctx, const tms_seeds_params *params, const tms_dna *query, tms_seeds **out)
{
    return tms_seeds_create_sized(ctx, params, sizeof *params, query, out);
}
TMS_API void tms_seeds_destroy(tms_seeds *seeds);

/*
 * tms_seeds_upload() - copy the index to the context's GPU, replacing an earlier copy. Contexts of that GPU then search on it, and
 * contexts on the CPU on the CPU. tms_seeds_create() with a context on a GPU does this itself. No thread may use seeds meanwhile.
 * Returns TMS_OK; TMS_E_ARG: the context is on the CPU; TMS_E_MEMORY or TMS_E_DEVICE: there is no copy on a GPU.
 */
TMS_API TMS_CHECKED tms_status tms_seeds_upload(tms_context *ctx, tms_seeds *seeds);

/* tms_seeds_get_info() - params_size is the size of out->params, which may also grow. */
TMS_API void tms_seeds_get_info_sized(const tms_seeds *seeds, tms_seeds_info *out, size_t out_size, size_t params_size);
TMS_INLINE void tms_seeds_get_info(const tms_seeds *seeds, tms_seeds_info *out)
{
    tms_seeds_get_info_sized(seeds, out, sizeof *out, sizeof out->params);
}

/*
 * tms_seeds_scan() - find all matches in a piece of the subject.
 *   hits   [out]    room for subject->n_bases hits, ascending by s_start, at most one for each base; NULL: only the tally
 *   n_hits [out]    NULL if hits is NULL
 *   tally  [in,out] the call adds to it; unchanged on failure
 * Returns TMS_OK; TMS_E_ARG: the subject is not as dna.h describes, or ctx is not on the GPU of seeds; TMS_E_MEMORY; TMS_E_DEVICE.
 * Any number of threads may scan with one tms_seeds, each with its own context.
 */
TMS_API TMS_CHECKED tms_status tms_seeds_scan(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, tms_seed_hit *hits,
                                              size_t *n_hits, tms_seeds_tally *tally);

/*
 * tms_seeds_positions() - the positions in the query where a hit matches.
 *   positions [out] n positions, ascending, owned by seeds. A palindrome occurs twice, plus before minus
 */
TMS_API void tms_seeds_positions(const tms_seeds *seeds, const tms_seed_hit *hit, const tms_seed_place **positions, size_t *n);

/*
 * tms_seeds_filter() - stage 1a alone: which sub-queries' filters pass which w-mers.
 *   from     [in]     first base of the subject
 *   passes   [out]    up to capacity of them, ascending by s_start, then sub_query; capacity is at least n_sub_queries
 *   next     [out]    base at which to continue; subject->n_bases at the end
 *   tally    [in,out] the call adds to n_tested and n_passed
 * Returns as tms_seeds_scan(); also TMS_E_ARG if capacity or from is out of range.
 */
TMS_API TMS_CHECKED tms_status tms_seeds_filter(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, size_t from,
                                                tms_seed_pass *passes, size_t capacity, size_t *n_passes, size_t *next,
                                                tms_seeds_tally *tally);

/*
 * tms_seeds_measure() - count how many w-mers pass each sub-query's filter, and how many of these are in the query [Ma11, III-A].
 *   subs  [in,out] n_sub_queries of them; the call adds to n_tested, n_passed and n_true. tms_seeds_sub_queries() sets the other fields
 * Returns as tms_seeds_scan().
 */
TMS_API TMS_CHECKED tms_status tms_seeds_measure(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject, tms_sub_query *subs);

/*
 * tms_seeds_scan_and_measure() - tms_seeds_scan() and tms_seeds_measure() in one pass.
 *   subs  [in,out] as of tms_seeds_measure(); after a failure parts of it may have changed
 * Returns as tms_seeds_scan().
 */
TMS_API TMS_CHECKED tms_status tms_seeds_scan_and_measure(tms_context *ctx, const tms_seeds *seeds, const tms_dna *subject,
                                                          tms_seed_hit *hits, size_t *n_hits, tms_seeds_tally *tally, tms_sub_query *subs);

/* tms_seeds_sub_queries() - describe the n_sub_queries sub-queries, with all counts of tests 0. */
TMS_API void tms_seeds_sub_queries(const tms_seeds *seeds, tms_sub_query *subs);

/* tms_bank_fpr() - (1 - (1 - 1/m)^(k n))^k [Ma11, eq. 2]; 0 for n = 0. */
TMS_API double tms_bank_fpr(uint64_t m_bits, uint32_t k, uint64_t n);

/* "h3", "xxh3"; "shared", "interleaved", "bitmap"; "both", "plus", "minus". */
TMS_API const char *tms_seed_hash_name(tms_seed_hash hash);
TMS_API const char *tms_schedule_name(tms_schedule schedule);
TMS_API const char *tms_strand_name(tms_strand strand);

#ifdef __cplusplus
}
#endif
#endif
