/*
 * word_scan_kernels.cuh - the kernels of word_scan_cuda.cu: one thread block per tile of bases, four consecutive w-mers per thread
 * [Ma & Chamberlain 2012, V, has one].
 *
 * Tiles overlap by w - 1 bases, rounded up, over which a tile's last w-mers extend. So every step processes as many positions as the tile
 * has bases, four per thread, and ignores the results of the last positions. Each s-mer that passes sets a bit, and a
 * w-mer is in the filter where a run of such bits is set.
 */
#ifndef TMS_WORD_SCAN_KERNELS_CUH
#define TMS_WORD_SCAN_KERNELS_CUH

#include "classify/word_scan.h"
#include "filter/words_core.h"

enum {
    THREADS = SCAN_GPU_THREADS,
    EACH = 4, /* consecutive positions per thread */
    TILE = THREADS * EACH,
    TILE_WORDS = TILE / 32,
    AT_A_TIME = 8,                         /* filters tested before their runs are evaluated, one warp per filter */
    WINDOWS_USUAL = 8,                     /* m-mers of an s-mer, in most filters */
    MORE_RANKS = WORDS_MAX_SUBWORD / 4 * 4 /* ranks that are read beyond a tile */
};
static_assert(TILE_WORDS == 32, "a lane has a word of a mask");
static_assert(AT_A_TIME * 32 <= THREADS, "a warp has a filter");

struct gpu_words_filter {
    unsigned long long *bits;
    uint64_t n_blocks;
    uint32_t k;
};

struct gpu_words_filters {
    uint32_t n;
    struct gpu_words_filter items[TMS_MAX_REFERENCES];
};

struct gpu_words_shape {
    uint32_t w, s, m, n_run, n_windows;
    uint64_t seed;
    tms_strand strand;
};

struct gpu_words_tile {
    uint32_t codes[TILE / 16 + 4]; /* 2 bits a base */
    uint32_t other[TILE_WORDS];    /* one bit per position: 1 if it is no base */
    uint4 ranks[THREADS + MORE_RANKS / EACH];
};

/* Distance between tiles whose positions need `reach` bases each: tiles overlap by reach - 1, rounded up. */
__host__ __device__ static inline uint32_t tile_step(uint32_t reach) { return TILE - (reach + 30) / 32 * 32; }

/* --- bases --- */

/* Codes of four bases in 8 bits, the first from the lowest byte. *other: one bit for each byte that is no base. */
__device__ static inline uint32_t pack_bases(uint32_t bases, uint32_t *other)
{
    const uint32_t lower = bases | 0x20202020u;
    const uint32_t is_base = __vcmpeq4(lower, 0x61616161u) | __vcmpeq4(lower, 0x63636363u) | __vcmpeq4(lower, 0x67676767u) |
                             __vcmpeq4(lower, 0x74747474u);
    uint32_t codes = bases >> 1 & 0x03030303u; /* A 0, C 1, T 2, G 3 */
    codes ^= codes >> 1 & 0x01010101u;
    codes |= codes >> 6;
    *other = (~is_base & 1) | (~is_base >> 7 & 2) | (~is_base >> 14 & 4) | (~is_base >> 21 & 8);
    return (codes & 15) | (codes >> 12 & 0xf0);
}

/* Packs each lane's bits of four positions into words of 32; every eighth lane holds one word. */
__device__ static inline uint32_t gather_bits(uint32_t four, uint32_t lane)
{
    return __reduce_or_sync(0xffu << (lane & 24), four << EACH * (lane % 8));
}

/* Loads bases base .. base + TILE - 1, of which n exist. Reads a multiple of 4 bytes. */
__device__ static inline void pack_tile(struct gpu_words_tile *tile, const uint8_t *bases, uint64_t base, uint64_t n)
{
    const uint32_t lane = threadIdx.x % 32;
    const uint64_t at = base + EACH * threadIdx.x;
    const uint32_t n_here = at >= n ? 0 : n - at < EACH ? (uint32_t)(n - at) : EACH;
    uint32_t other = 15, bits;
    ((uint8_t *)tile->codes)[threadIdx.x] = (uint8_t)(n_here > 0 ? pack_bases(*(const uint32_t *)(bases + at), &other) : 0);
    bits = gather_bits(other | (15u << n_here & 15), lane);
    if (lane % 8 == 0)
        tile->other[threadIdx.x / 8] = bits;
    if (threadIdx.x < 4)
        tile->codes[TILE / 16 + threadIdx.x] = 0;
}

/* Reverse complement of sixteen bases. */
__device__ static inline uint32_t mirror(uint32_t bases)
{
    const uint32_t x = __brev(~bases);
    return (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
}

/* The bases from a thread's first position on, on both strands. */
struct gpu_words_bases {
    uint32_t forward[3], reverse[3]; /* reverse[0] is the mirror image of forward[2] */
    uint32_t first;                  /* index of the thread's first base in forward[0]: 0, 4, 8 or 12 */
};

__device__ static inline struct gpu_words_bases bases_of(const struct gpu_words_tile *tile)
{
    const uint32_t *from = tile->codes + threadIdx.x / 4;
    struct gpu_words_bases b;
#pragma unroll
    for (int i = 0; i < 3; i++) {
        b.forward[i] = from[i];
        b.reverse[2 - i] = mirror(from[i]);
    }
    b.first = threadIdx.x % 4 * EACH;
    return b;
}

/* The m-mer at the thread's j-th base, up to 16 bases, on the chosen strand. */
__device__ static inline uint32_t m_mer_at(const struct gpu_words_bases *b, uint32_t j, const struct gpu_words_shape *shape)
{
    const uint32_t at = b->first + j, unused = 32 - 2 * shape->m;
    const uint32_t word = __funnelshift_r(b->forward[0], b->forward[1], 2 * at) << unused >> unused;
    if (shape->strand == TMS_STRAND_PLUS)
        return word;
    const uint64_t mirrored = (uint64_t)b->reverse[2] << 32 | b->reverse[1];
    const uint32_t reverse = (uint32_t)(mirrored >> 2 * (32 - at - shape->m)) << unused >> unused;
    return shape->strand == TMS_STRAND_MINUS ? reverse : min(word, reverse);
}

/* The s-mer at the thread's j-th base, up to WORDS_MAX_SUBWORD bases. */
__device__ static inline uint64_t s_mer_at(const struct gpu_words_bases *b, uint32_t j, const struct gpu_words_shape *shape)
{
    const uint32_t at = b->first + j, unused = 64 - 2 * shape->s;
    const uint32_t low = __funnelshift_r(b->forward[0], b->forward[1], 2 * at),
                   high = __funnelshift_r(b->forward[1], b->forward[2], 2 * at);
    const uint64_t word = ((uint64_t)high << 32 | low) << unused >> unused;
    if (shape->strand == TMS_STRAND_PLUS)
        return word;
    const uint32_t shift = 2 * (48 - at - shape->s); /* 18 .. 80 */
    const uint32_t a = shift < 32 ? b->reverse[0] : shift < 64 ? b->reverse[1] : b->reverse[2];
    const uint32_t c = shift < 32 ? b->reverse[1] : shift < 64 ? b->reverse[2] : 0, d = shift < 32 ? b->reverse[2] : 0;
    const uint64_t mirrored = (uint64_t)__funnelshift_r(c, d, shift % 32) << 32 | __funnelshift_r(a, c, shift % 32);
    const uint64_t reverse = mirrored << unused >> unused;
    return shape->strand == TMS_STRAND_MINUS ? reverse : min(word, reverse);
}

/* --- hashes --- */

struct gpu_words_hashes {
    uint32_t block_hashes[EACH], marks[EACH]; /* of the s-mers that begin at the thread's positions */
};

/* The least of N_WINDOWS ranks from each of the thread's positions on; N_WINDOWS 0: the number is a run-time value. */
template <int N_WINDOWS>
__device__ static inline void least_ranks(const struct gpu_words_tile *tile, uint32_t n_windows, uint32_t least[EACH])
{
    if constexpr (N_WINDOWS == 0) {
        const uint32_t *ranks = (const uint32_t *)(tile->ranks + threadIdx.x);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            least[j] = ranks[j];
            for (uint32_t i = 1; i < n_windows; i++)
                least[j] = min(least[j], ranks[j + i]);
        }
    } else {
        enum { N_READ = (N_WINDOWS + EACH - 1 + 3) / 4 };
        uint32_t ranks[4 * N_READ + 1];
#pragma unroll
        for (int i = 0; i < N_READ; i++) {
            const uint4 four = tile->ranks[threadIdx.x + i];
            ranks[4 * i] = four.x;
            ranks[4 * i + 1] = four.y;
            ranks[4 * i + 2] = four.z;
            ranks[4 * i + 3] = four.w;
        }
        uint32_t common = ranks[EACH - 1]; /* least of the ranks common to all four windows */
#pragma unroll
        for (int i = EACH; i < N_WINDOWS; i++)
            common = min(common, ranks[i]);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            least[j] = common;
#pragma unroll
            for (int i = 0; i < EACH - 1; i++) /* the ranks before and after the common ones */
                least[j] = min(least[j], i >= j ? ranks[i] : ranks[N_WINDOWS + i]);
        }
    }
}

template <int N_WINDOWS>
__device__ static inline struct gpu_words_hashes hash_tile(struct gpu_words_tile *tile, const struct gpu_words_shape *shape)
{
    const struct gpu_words_bases b = bases_of(tile);
    struct gpu_words_hashes hashes;
    uint32_t ranks[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++)
        ranks[j] = words_rank(m_mer_at(&b, j, shape), shape->seed);
    tile->ranks[threadIdx.x] = make_uint4(ranks[0], ranks[1], ranks[2], ranks[3]);
    if (threadIdx.x < MORE_RANKS / EACH)
        tile->ranks[THREADS + threadIdx.x] = make_uint4(0, 0, 0, 0);
    __syncthreads();
    least_ranks<N_WINDOWS>(tile, shape->n_windows, ranks);
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        hashes.block_hashes[j] = words_block_hash(ranks[j]);
        hashes.marks[j] = words_mark(s_mer_at(&b, j, shape), shape->seed);
    }
    return hashes;
}

/* --- runs of bits, each lane holds a word of a tile's mask; bits beyond the tile are 0 --- */

__device__ static inline uint32_t shifted_down(uint32_t word, uint32_t by, uint32_t lane)
{
    const uint32_t n = by / 32;
    const uint32_t here = __shfl_down_sync(~0u, word, n), next = __shfl_down_sync(~0u, word, n + 1);
    return __funnelshift_r(lane + n < 32 ? here : 0, lane + n + 1 < 32 ? next : 0, by % 32);
}

/* Bit i of the result: bits i .. i + n - 1 are all set. n: 1 .. 255 */
__device__ static inline uint32_t all_of(uint32_t word, uint32_t n, uint32_t lane)
{
    uint32_t done = 1;
    for (; 2 * done <= n; done *= 2)
        word &= shifted_down(word, done, lane);
    return n > done ? word & shifted_down(word, n - done, lane) : word;
}

/* Tests the s-mers that begin at a thread's EACH bases in a filter. Returns one bit per base. */
__device__ static __forceinline__ uint32_t test_hashes(const struct gpu_words_filter *f, const struct gpu_words_hashes *hashes)
{
    uint32_t passed = 0;
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        const unsigned long long *block = f->bits + WORDS_BLOCK_WORDS * words_block(hashes->block_hashes[j], f->n_blocks);
        passed |= (uint32_t)words_test((const uint64_t *)block, hashes->marks[j], f->k) << j;
    }
    return passed;
}

/* Sets the bits of an s-mer. */
__device__ static __forceinline__ void insert_hash(const struct gpu_words_filter *f, uint32_t block_hash, uint32_t mark)
{
    unsigned long long *block = f->bits + WORDS_BLOCK_WORDS * words_block(block_hash, f->n_blocks);
    const uint64_t spread = words_spread(mark);
    for (uint32_t i = 0; 2 * i < f->k; i++)
        atomicOr(block + (words_first(spread) + i) % WORDS_BLOCK_WORDS, (unsigned long long)words_bits(spread, i, f->k));
}

/* --- kernels --- */

/* Computes the masks of n bases; n_there: readable bytes, n or more. out: 1 + filters.n planes, each of n_words words of 64 bits. */
template <int N_WINDOWS>
__global__ static void __launch_bounds__(THREADS)
    hits_kernel(const __grid_constant__ struct gpu_words_shape shape, const __grid_constant__ struct gpu_words_filters filters,
                const uint8_t *bases, uint64_t n, uint64_t n_there, uint32_t *out, uint64_t n_words)
{
    __shared__ struct gpu_words_tile tile;
    __shared__ uint32_t pass[AT_A_TIME][TILE_WORDS];
    const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, step = tile_step(shape.w);
    for (uint64_t base = (uint64_t)blockIdx.x * step; base < n; base += (uint64_t)gridDim.x * step) {
        const uint64_t left = 2 * n_words - base / 32;
        const uint32_t n_out = left < step / 32 ? (uint32_t)left : step / 32; /* words of 32 bits */
        pack_tile(&tile, bases, base, n_there);
        __syncthreads();
        const struct gpu_words_hashes hashes = hash_tile<N_WINDOWS>(&tile, &shape);
        const uint32_t begins = all_of(~tile.other[lane], shape.w, lane); /* in each warp */
        if (warp == 0 && lane < n_out)
            out[base / 32 + lane] = begins;
        for (uint32_t first = 0; first < filters.n; first += AT_A_TIME) {
            const uint32_t n_now = min(filters.n - first, (uint32_t)AT_A_TIME);
            for (uint32_t r = 0; r < n_now; r++) {
                const uint32_t bits = gather_bits(test_hashes(&filters.items[first + r], &hashes), lane);
                if (lane % 8 == 0)
                    pass[r][threadIdx.x / 8] = bits;
            }
            __syncthreads();
            if (warp < n_now) {
                const uint32_t hits = begins & all_of(pass[warp][lane], shape.n_run, lane);
                if (lane < n_out)
                    out[2 * n_words * (1 + first + warp) + base / 32 + lane] = hits;
            }
            __syncthreads();
        }
    }
}

/* The last stretch that begins at or before base i; n if there is none. */
__device__ static inline size_t stretch_at(const struct scan_stretch *stretches, size_t n, uint64_t i)
{
    size_t low = 0, high = n;
    if (n == 0 || stretches[0].first > i)
        return n;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (stretches[middle].first <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The s-mers that begin at n bases; `first` is the first of them in the reference. n_codes: number of words of 16 bases. */
template <int N_WINDOWS>
__global__ static void __launch_bounds__(THREADS)
    insert_kernel(const __grid_constant__ struct gpu_words_shape shape, struct gpu_words_filter filter, const uint32_t *codes,
                  uint64_t n_codes, uint64_t first, uint64_t n, const struct scan_stretch *stretches, size_t n_stretches)
{
    __shared__ struct gpu_words_tile tile;
    const uint32_t step = tile_step(shape.s);
    for (uint64_t base = (uint64_t)blockIdx.x * step; base < n; base += (uint64_t)gridDim.x * step) {
        const uint32_t own = EACH * threadIdx.x;
        for (uint32_t i = threadIdx.x; i < TILE / 16 + 4; i += THREADS)
            tile.codes[i] = base / 16 + i < n_codes ? codes[base / 16 + i] : 0;
        __syncthreads();
        const struct gpu_words_hashes hashes = hash_tile<N_WINDOWS>(&tile, &shape);
        size_t stretch = stretch_at(stretches, n_stretches, first + base + own);
#pragma unroll
        for (int j = 0; j < EACH; j++) {
            const uint64_t at = first + base + own + j;
            if (stretch == n_stretches)
                stretch = n_stretches > 0 && stretches[0].first == at ? 0 : n_stretches;
            else if (stretch + 1 < n_stretches && stretches[stretch + 1].first == at)
                stretch++;
            if (own + j >= step || base + own + j >= n || stretch == n_stretches ||
                at + shape.s > stretches[stretch].first + stretches[stretch].n_bases)
                continue;
            insert_hash(&filter, hashes.block_hashes[j], hashes.marks[j]);
        }
        __syncthreads();
    }
}

#endif
