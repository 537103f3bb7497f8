/*
 * filter.h - Bloom filters of byte strings: size, fill, query, store.
 *
 * A filter answers "certainly not in the set" or "probably in the set". It never misses a key that was inserted, and it passes other keys
 * at a rate chosen when it is sized. The finished filter has the same bytes for any device, number of threads, batch size, SIMD level and,
 * except for probabilistic filters, order of the keys.
 *
 *     tms_context_create(&ctx);
 *     tms_filter_size(ctx, &want, &params);          how many bits, how many hash functions
 *     tms_filter_create(ctx, &params, &filter);      an empty filter
 *     tms_filter_insert(ctx, filter, &keys);         any number of times
 *     tms_filter_query(ctx, filter, &keys, hit);
 *     tms_filter_save(ctx, filter, "words.tms");     the file of the command; tms_filter_load() maps one
 *
 * Threads: a call that inserts, merges into, stores (tms_filter_image()), measures (tms_filter_get_stats()), moves or destroys a filter
 * needs exclusive access to it. Calls that only query (tms_filter_query(), tms_filter_count()), copy or read parameters may share it, each
 * with its own context.
 */
#ifndef TAMIS_FILTER_H
#define TAMIS_FILTER_H

#include "tamis/context.h"
#include "tamis/dna.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tms_filter tms_filter;

typedef enum tms_layout {
    TMS_LAYOUT_BLOCKED = 1,       /* a key's bits are in one block of 256, or in a few: one memory access for a missing key */
    TMS_LAYOUT_CLASSIC = 2,       /* k independent bits among m: fewest bits for a given false-positive rate */
    TMS_LAYOUT_PROBABILISTIC = 3, /* as classic, but an insertion sets each of the k bits only with probability p: estimates how often a
                                   * key occurs, see frequency.h [thesis, 1.2] */
    TMS_LAYOUT_WORDS = 4          /* k-mers of nucleotide sequences: the bits of neighbouring k-mers are in one block, see classify.h */
} tms_layout;

typedef enum tms_hash {
    TMS_HASH_XXH3 = 1,        /* blocked: XXH3-64. Others: enhanced double hashing over XXH3-128 */
    TMS_HASH_XXH3_SQUARE = 2, /* not blocked: h1 + i^2 * h2 over XXH3-128 [thesis, Fig. 8] */
    TMS_HASH_MURMUR3 = 3,     /* not blocked: MurmurHash3 with k seeds [thesis, 3.2.1] */
    TMS_HASH_AP = 4           /* not blocked: AP hash with k salts [Ong13, II-B] */
} tms_hash;

/*
 * How a probabilistic filter decides which of a key's k bits an insertion sets. In both ways each bit has probability p,
 * independently. The random numbers come from Philox4x32-10 (Salmon et al. 2011): its key is the seed, and its counter is the
 * insertion's number in the stream.
 */
typedef enum tms_sampling {
    TMS_SAMPLING_GEOMETRIC = 0, /* jumps from one bit to set to the next: about p k + 1 random numbers an insertion */
    TMS_SAMPLING_PLAIN = 1      /* a random number for each of the k bits [thesis, 1.2] */
} tms_sampling;

#define TMS_BLOCK_BITS          256
#define TMS_BLOCKED_MAX_K       16
#define TMS_BLOCKED_MAX_BLOCKS  8 /* for one key */
#define TMS_CLASSIC_MAX_K       4096
#define TMS_PROBABILISTIC_MAX_K 65536
#define TMS_WORDS_MAX_K         8
#define TMS_WORDS_MIN_SIZE      8 /* least word_size */
#define TMS_WORDS_MAX_SIZE      255
#define TMS_MAX_BITS            ((uint64_t)1 << 48)
#define TMS_BLOCKED_MAX_BITS    (((uint64_t)1 << 40) - TMS_BLOCK_BITS) /* 128 GiB: a block's number has 32 bits */

/*
 * n_keys keys, borrowed for the call. Key i is the bytes
 *     bytes[offsets[i]] .. bytes[offsets[i + 1] - gap - 1]      with an offset table, or
 *     bytes[i * key_size] .. bytes[(i + 1) * key_size - 1]      if offsets is NULL; with a gap of TMS_KEYS_ZERO_PADDED without the zero
 *                                                               bytes at its end, as arrays of NumPy and C have strings of various lengths.
 * An offset table has n_keys + 1 entries that never decrease by less than gap, so one batch spans less than 4 GiB;
 * gap is the number of bytes between two keys (1 for lines with their line feeds, else 0). Keys may be empty,
 * hold any byte values, and have up to 2^31 - 1 bytes.
 */
typedef struct tms_keys {
    const uint8_t *bytes;
    const uint32_t *offsets;
    size_t n_keys;
    uint32_t key_size; /* bytes; only if offsets is NULL */
    uint32_t gap;      /* with offsets: bytes, 0 .. 16; without: 0 or TMS_KEYS_ZERO_PADDED */
} tms_keys;

#define TMS_KEYS_ZERO_PADDED 1 /* a value of tms_keys.gap */

/* The parameters of a filter. Two filters with equal parameters can be merged (but see tms_filter_merge()). */
typedef struct tms_filter_params {
    tms_layout layout;
    tms_hash hash;
    uint64_t seed;
    uint64_t m_bits;         /* 1 .. TMS_MAX_BITS; blocked: a multiple of TMS_BLOCK_BITS * blocks_per_key up to TMS_BLOCKED_MAX_BITS */
    uint32_t k;              /* bits a key: classic 1 .. 4096, probabilistic 1 .. 65536. Blocked: in each of the key's blocks, 1 .. 16 */
    double p;                /* probabilistic: 2^-64 .. 1. Other layouts: 0 */
    tms_sampling sampling;   /* probabilistic; other layouts: 0 */
    uint32_t blocks_per_key; /* blocked: 1 .. TMS_BLOCKED_MAX_BLOCKS, where 0 means 1; other layouts: 0 */

    /* Layout words only; other layouts: 0. */
    uint32_t word_size;      /* w, TMS_WORDS_MIN_SIZE .. TMS_WORDS_MAX_SIZE */
    uint32_t subword_size;   /* s, at most w and 32: the filter has k bits for each s-mer, and contains a k-mer if it contains all s-mers
                              * of the k-mer */
    uint32_t minimizer_size; /* at most s: an s-mer's minimizer of this size selects the s-mer's block */
    tms_strand strand;       /* TMS_STRAND_BOTH: a k-mer and its reverse complement are one key; TMS_STRAND_PLUS: they are two */
} tms_filter_params;

#define TMS_DEFAULT_FPR 1e-3

/*
 * What a classic or blocked filter should do (probabilistic: tms_frequency_size()). Zero means "not given". Only these combinations are
 * allowed:
 *
 *   n_keys [+ fpr] [+ k]   m from the false-positive rate (fpr not given: TMS_DEFAULT_FPR), k given or optimal
 *   n_keys + m_bits [+ k]  k given or the best for m / n; if fpr is given too, it must be reached
 *   m_bits + k             used as given (blocked: m_bits rounded up to whole blocks)
 *
 * In the blocked layout blocks_per_key may be added to each. The words layout also takes word_size, and m_bits alone is enough; its rate,
 * if not given, is 1e-6 for w of 21 and above, up to 1e-3 below, with at least 8 bits a k-mer (doc/classify.md).
 */
typedef struct tms_filter_want {
    tms_layout layout;
    tms_hash hash;
    uint64_t seed;
    uint64_t n_keys;
    double fpr; /* 0 < fpr < 1 */
    uint64_t m_bits;
    uint32_t k;
    uint32_t blocks_per_key; /* blocked only */
    uint32_t word_size;      /* this field and the following as in tms_filter_params, words only */
    uint32_t subword_size;   /* 0: chosen by word_size */
    uint32_t minimizer_size; /* 0: chosen by subword_size */
    tms_strand strand;
} tms_filter_want;

/*
 * tms_filter_size() - compute parameters for a filter.
 * Classic: m by [Ong13, eq. 5], k optimal = ln 2 * m / n. Blocked: the least m, with its k and blocks_per_key, whose
 * tms_filter_expected_fpr() is at most fpr. A key in the set costs an access for each of its blocks, so there are at most log10(1 / fpr) /
 * 3 of them, rounded up, unless want gives their number. m_bits is rounded up to whole blocks in the blocked layout and otherwise kept.
 * Returns TMS_OK; TMS_E_ARG if the request contradicts itself or cannot be met: the message gives the reason, and a size that would do.
 */
TMS_API TMS_CHECKED tms_status tms_filter_size_sized(tms_context *ctx, const tms_filter_want *want, size_t want_size,
                                                     tms_filter_params *out, size_t out_size);
TMS_INLINE TMS_CHECKED tms_status tms_filter_size(tms_context *ctx, const tms_filter_want *want, tms_filter_params *out)
{
    return tms_filter_size_sized(ctx, want, sizeof *want, out, sizeof *out);
}

/*
 * tms_filter_expected_fpr() - the false-positive rate of a filter with n_keys different keys.
 * Classic: (1 - (1 - 1/m)^(k n))^k  [Ma11, eq. 2] = [Ong13, eq. 2]. Blocked: the mean of the same over the
 * binomial number of keys in a block, with the exact number of ones in each 32-bit word; with several blocks a key, the product
 * over the blocks (doc/papers.md).
 * Returns 0 for n_keys = 0, and for a probabilistic filter.
 */
TMS_API double tms_filter_expected_fpr_sized(const tms_filter_params *params, size_t params_size, uint64_t n_keys);
TMS_INLINE double tms_filter_expected_fpr(const tms_filter_params *params, uint64_t n_keys)
{
    return tms_filter_expected_fpr_sized(params, sizeof *params, n_keys);
}

/*
 * tms_filter_create() - create an empty filter, in the memory of the context's device.
 *   params [in]  from tms_filter_size(), or set by hand
 *   out    [out] destroyed with tms_filter_destroy(), before the context
 * Returns TMS_OK; TMS_E_ARG; TMS_E_MEMORY; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_filter_create_sized(tms_context *ctx, const tms_filter_params *params, size_t params_size,
                                                       tms_filter **out);
TMS_INLINE TMS_CHECKED tms_status tms_filter_create(tms_context *ctx, const tms_filter_params *params, tms_filter **out)
{
    return tms_filter_create_sized(ctx, params, sizeof *params, out);
}
TMS_API void tms_filter_destroy(tms_filter *filter);

/*
 * tms_filter_insert() - insert keys, in host memory, into a filter.
 * In a probabilistic filter every key counts as one insertion, including repeats, numbered from n_keys on.
 * Returns TMS_OK; TMS_E_ARG if the batch is malformed, the filter is read-only (opened from an image), or the total of insertions into a
 * probabilistic filter would exceed 2^64 - 1; TMS_E_DEVICE; TMS_E_MEMORY. On TMS_E_DEVICE and TMS_E_MEMORY the filter has some of the
 * keys: destroy it.
 * One thread may insert into a filter at a time, and none may query it meanwhile.
 */
TMS_API TMS_CHECKED tms_status tms_filter_insert(tms_context *ctx, tms_filter *filter, const tms_keys *keys);

/*
 * tms_filter_query() - test keys, in host memory, against a filter.
 *   hit [out] n_keys bytes, 0 or 1, caller-allocated
 * Returns TMS_OK; TMS_E_ARG if the batch is malformed or the filter is probabilistic (use tms_filter_count());
 * TMS_E_DEVICE; TMS_E_MEMORY. On failure hit is undefined.
 * No false negatives; false positives at tms_filter_expected_fpr(). Stops at a key's first 0 bit.
 * Any number of threads may query one filter, each with its own context on the filter's device or on the CPU
 * (a filter filled on a GPU: on the CPU after tms_filter_image()).
 */
TMS_API TMS_CHECKED tms_status tms_filter_query(tms_context *ctx, const tms_filter *filter, const tms_keys *keys, uint8_t *hit);

/*
 * tms_filter_has() - test one key, without a batch or a context; allocates nothing.
 *   key  [in] size bytes, 0 .. 2^31 - 1
 * Returns 1 or 0, as tms_filter_query() would; -1 if the filter does not support this call: it is probabilistic or of k-mers, or its bits
 * are only on a GPU. So a caller that tests for 0, "certainly not in the set", never drops a key.
 * Thread-safe. In a filter larger than the caches a batch is several times as fast, because it prefetches.
 */
TMS_API int tms_filter_has(const tms_filter *filter, const void *key, size_t size);

/*
 * tms_hash_words() - 64-bit words in one key's hash: 1 for blocked, 2 for classic and probabilistic with an XXH3 hash,
 * 0 if keys cannot be reduced to a hash (MurmurHash3 and AP hash each key k times).
 */
TMS_API int tms_hash_words_sized(const tms_filter_params *params, size_t params_size);
TMS_INLINE int tms_hash_words(const tms_filter_params *params) { return tms_hash_words_sized(params, sizeof *params); }

/*
 * tms_keys_hash() - hash keys once, for a later tms_filter_insert_hashes(): for streams whose
 * number of keys, and so the size of the filter, is known only at their end.
 *   params [in] layout, hash and seed are used; the sizes are not
 *   hashes [out] n_keys * tms_hash_words(params) words, host memory, caller-allocated
 * Runs on the CPU. Returns TMS_OK; TMS_E_ARG: an unknown layout or hash, keys that cannot be hashed in advance, or a malformed batch.
 */
TMS_API TMS_CHECKED tms_status tms_keys_hash_sized(tms_context *ctx, const tms_filter_params *params, size_t params_size,
                                                   const tms_keys *keys, uint64_t *hashes);
TMS_INLINE TMS_CHECKED tms_status tms_keys_hash(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys, uint64_t *hashes)
{
    return tms_keys_hash_sized(ctx, params, sizeof *params, keys, hashes);
}

/* tms_filter_insert_hashes() - as tms_filter_insert(), for n_keys hashes from tms_keys_hash(). */
TMS_API TMS_CHECKED tms_status tms_filter_insert_hashes(tms_context *ctx, tms_filter *filter, const uint64_t *hashes, size_t n_keys);

/*
 * tms_filter_insert_device(), tms_filter_query_device() - insert and query keys in GPU memory, with answers in GPU memory. The context and
 * the filter must be on that GPU. The calls queue the work on tms_context_stream() and do not wait for it.
 *   keys->bytes, keys->offsets, d_hit: device pointers. bytes is aligned to 16 bytes and readable up to the next multiple of 16 after its
 *   end plus 16 bytes; offsets is aligned to 16 bytes. The calls do not check the table.
 * Returns TMS_OK; TMS_E_ARG; TMS_E_DEVICE; TMS_E_MEMORY (scratch).
 */
TMS_API TMS_CHECKED tms_status tms_filter_insert_device(tms_context *ctx, tms_filter *filter, const tms_keys *keys);
TMS_API TMS_CHECKED tms_status tms_filter_query_device(tms_context *ctx, const tms_filter *filter, const tms_keys *keys, uint8_t *d_hit);

/*
 * tms_filter_merge() - dst = dst | src (union), or dst & src (intersect). src is not changed.
 * A union has the keys of both filters, and its n is the sum. An intersection answers yes for every key in both (and for more other keys
 * than a filter built from the common keys would), and its n is the smaller of the two.
 * Probabilistic filters draw the same random numbers for insertions with the same number. So a key at the same position of both streams is
 * counted once, not twice. Merging them is refused, unless how is TMS_MERGE_PRESENCE (union only). The result is then marked: its
 * frequencies lie between the larger of the two and the sum (doc/pbf.md).
 * Works on the CPU: copy a filter from a GPU with tms_filter_image() and tms_filter_copy() with a CPU context.
 * Returns TMS_OK; TMS_E_MISMATCH with the first differing parameter in the message; TMS_E_ARG if dst is read-only, a filter is on a GPU,
 * or how is none of these.
 */
typedef enum tms_merge {
    TMS_MERGE_UNION = 0,
    TMS_MERGE_INTERSECT = 1,
    TMS_MERGE_PRESENCE = 2 /* the union of probabilistic filters, although it does not add frequencies */
} tms_merge;
TMS_API TMS_CHECKED tms_status tms_filter_merge(tms_context *ctx, tms_filter *dst, const tms_filter *src, tms_merge how);

/*
 * The place of a filter among those that hold one share each of a build's keys (tamis build --shard). The file of a filter with a place
 * says so, and tells which shares belong together.
 */
typedef struct tms_filter_shard {
    uint32_t shard, n_shards; /* shard 1 .. n_shards; both 0: the filter is whole */
    uint32_t input, options;  /* fingerprints, which the caller computes, of all keys' source and of what else decides the bits */
} tms_filter_shard;

/*
 * tms_filter_set_shard() - give a filter its place, or NULL: make it a whole filter again. The bits do not change.
 * tms_filter_copy() copies the place; tms_filter_merge() removes that of dst, since dst then has other keys.
 * Returns TMS_OK; TMS_E_ARG if shard is not in 1 .. n_shards, or the filter is read-only.
 * tms_filter_get_shard() - a filter's place; all zero if it is whole.
 */
TMS_API TMS_CHECKED tms_status tms_filter_set_shard(tms_context *ctx, tms_filter *filter, const tms_filter_shard *shard);
TMS_API tms_filter_shard tms_filter_get_shard(const tms_filter *filter);

/*
 * tms_filter_image() - the filter as bytes to store (doc/format-filter.md): header, bits, checksums.
 *   image [out] borrowed: valid until the filter changes or is destroyed; aligned to 64 bytes
 *   size  [out] bytes
 * Copies the bits from the GPU if they changed there. Returns TMS_OK; TMS_E_DEVICE; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_filter_image(tms_context *ctx, tms_filter *filter, const void **image, size_t *size);

/*
 * tms_filter_open() - open an image as a read-only filter, on the CPU without copying it; a context with a GPU uploads it.
 *   image [in] borrowed until tms_filter_destroy(); aligned to 64 bytes (a mapped file is)
 * First checks everything, including the checksum of the bits.
 * Returns TMS_OK; TMS_E_FORMAT, with the fault and its position in the message; TMS_E_MEMORY; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_filter_open(tms_context *ctx, const void *image, size_t size, tms_filter **out);

/*
 * tms_filter_save() - store a filter in a file (doc/format-filter.md), which tms_filter_load() and the command read.
 *   path [in] an existing file is replaced, and the new one keeps its permissions. The file gets its name when all bytes are on the disk:
 *             a failure leaves the old file, and filters mapped from the old file do not change
 * Errors as tms_filter_image(); TMS_E_FILE if the file cannot be written.
 * tms_filter_load() - open a file as a read-only filter, mapped, not copied; a context with a GPU uploads it.
 *   out [out] destroyed with tms_filter_destroy(); tms_filter_copy() makes one that accepts insertions
 * Errors as tms_filter_open(); also TMS_E_FORMAT if the file is missing or unreadable. No program may write into the file or truncate it
 * while the filter exists: the next access would end the process (SIGBUS). Replace the file by renaming, as tms_filter_save() does.
 */
TMS_API TMS_CHECKED tms_status tms_filter_save(tms_context *ctx, tms_filter *filter, const char *path);
TMS_API TMS_CHECKED tms_status tms_filter_load(tms_context *ctx, const char *path, tms_filter **out);

/*
 * tms_filter_upload() - move the filter to the context's GPU: copies its bits there, unless they are there already. tms_filter_download()
 * - move it to the CPU: copies back bits that changed on a GPU, and frees the memory there.
 * Contexts of the filter's device work on it; with other contexts, tms_filter_query() and tms_filter_insert() fail and name that device.
 * Returns TMS_OK; TMS_E_ARG if the context has no GPU (upload) or the bits are on another GPU; TMS_E_DEVICE; TMS_E_MEMORY. On failure the
 * filter is unchanged. No other thread may use the filter meanwhile.
 */
TMS_API TMS_CHECKED tms_status tms_filter_upload(tms_context *ctx, tms_filter *filter);
TMS_API TMS_CHECKED tms_status tms_filter_download(tms_context *ctx, tms_filter *filter);

/* tms_filter_copy() - make a writable copy, in the memory of the context's device. */
TMS_API TMS_CHECKED tms_status tms_filter_copy(tms_context *ctx, const tms_filter *src, tms_filter **out);

/*
 * tms_filter_get_params() - the filter's parameters, borrowed until the filter is destroyed. Fields newer than the library (tms_version())
 * do not exist.
 */
TMS_API const tms_filter_params *tms_filter_get_params(const tms_filter *filter);

typedef struct tms_filter_stats {
    uint64_t n_keys;             /* keys inserted, including repeats */
    uint64_t ones;               /* bits set */
    double fill;                 /* ones / m */
    double expected_fpr;         /* computed from n_keys; probabilistic: 0 */
    double actual_fpr;           /* computed from the bits: the rate for a random key that is not in the set; probabilistic: 0 */
    double classic_bits_per_key; /* what the classic layout would need for expected_fpr; 0 if that rate is 0 or 1 */
    uint64_t size_bytes;         /* size of the image */
    uint64_t checksum;           /* checksum of the bits, as stored in the image */
    int is_union;                /* 1: probabilistic, made by TMS_MERGE_PRESENCE */
} tms_filter_stats;

/* tms_filter_get_stats() - compute statistics in one pass over the bits. Errors as tms_filter_image(). */
TMS_API TMS_CHECKED tms_status tms_filter_get_stats_sized(tms_context *ctx, tms_filter *filter, tms_filter_stats *out, size_t out_size);
TMS_INLINE TMS_CHECKED tms_status tms_filter_get_stats(tms_context *ctx, tms_filter *filter, tms_filter_stats *out)
{
    return tms_filter_get_stats_sized(ctx, filter, out, sizeof *out);
}

/* "blocked", "classic", "probabilistic", "words"; "xxh3", "xxh3-square", "murmur3", "ap"; "geometric", "plain"; "?" for other values. */
TMS_API const char *tms_layout_name(tms_layout layout);
TMS_API const char *tms_hash_name(tms_hash hash);
TMS_API const char *tms_sampling_name(tms_sampling sampling);

#ifdef __cplusplus
}
#endif
#endif
