/*
 * base_sieve_cuda.cu - a thread block takes a tile of a chunk: 256 words at a time are looked up, and their hits are dealt out evenly to
 * the threads. A first pass counts the hits that pass in each tile, a second one writes them to their places.
 */
#include <stdlib.h>

#include "device/gpu_algorithms.cuh"
#include "lookup/base_bank_cuda.cuh"
#include "lookup/base_sieve.h"

#define THREADS   256
#define TILE      16384u /* bases */
#define PAD       64     /* readable bases before and after each chunk, and the queries */
#define IN_WINDOW 32

struct sieve_tile {
    uint32_t chunk, first; /* position in the chunk */
};

/* 16 positions of the queries: the lowest two bits of their codes, and the upper two, which are 0 for A, C, G and T. */
struct sieve_bases {
    uint32_t low, high;
};

struct sieve_strand {
    int first, x_drop, cutoff;
};

struct base_sieve_chunks {
    int index; /* of the GPU */
    uint32_t *d_bases;
    struct sieve_chunk *d_chunks;
    struct sieve_tile *d_tiles;
    uint64_t *first_tiles; /* host memory: of each chunk, and the number of tiles */
    int *lengths;          /* host memory: bases of each chunk */
    size_t n;
    uint64_t n_bases; /* to the end of the last chunk */
};

/* What a kernel needs. */
struct base_sieve_words {
    const uint32_t *bases; /* of the chunks */
    const struct sieve_chunk *chunks;
    const struct sieve_tile *tiles;
    const uint32_t *passed; /* a bit for each base of all chunks: whether a bank's filter passes its word; NULL: all pass */
    const uint32_t *present, *starts, *indexed;
    const int *positions;
    const struct sieve_bases *queries; /* of position 0; PAD before it can be read */
    const struct sieve_strand *strands;
    const uint32_t *near;
    int n_positions, n_strands;
    int width, stride, missing; /* bases of a word of the table; between two look-ups; that a whole word has more */
    int reward, loss;           /* loss: of score by a mismatch in place of a match */
    bool is_whole;              /* the table has whole words */
    struct base_bank_gpu *bank; /* host memory: filters in front of the look-up; NULL: none */
};

/* --- kernels --- */

struct query_window {
    uint64_t low, high;
};

static __device__ struct query_window query_at(const struct sieve_bases *queries, int at)
{
    const struct sieve_bases *w = queries + (at + PAD) / IN_WORD - PAD / IN_WORD;
    const unsigned shift = 2 * ((unsigned)at % IN_WORD);
    const struct sieve_bases a = w[0], b = w[1], c = w[2];
    return query_window{(uint64_t)__funnelshift_l(b.low, a.low, shift) << 32 | __funnelshift_l(c.low, b.low, shift),
                        (uint64_t)__funnelshift_l(b.high, a.high, shift) << 32 | __funnelshift_l(c.high, b.high, shift)};
}

/* A hit, with the number of its subject's first base. */
struct sieve_hit {
    int query, subject, n_subject;
    uint64_t chunk;
};

/* Equal bases from (query + at, subject + at) on, at most n. */
static __device__ int same_from(const struct base_sieve_words &v, const struct sieve_hit &h, int at, int n)
{
    int same = 0, step = IN_WINDOW;
    while (same < n && step == IN_WINDOW) {
        const struct query_window q = query_at(v.queries, h.query + at + same);
        const uint64_t difference = (q.low ^ subject_at(v.bases, h.chunk + h.subject + at + same)) | q.high;
        step = __clzll((long long)difference) / 2;
        same += step;
    }
    return min(same, n);
}

/* Equal bases before (query, subject), at most n. */
static __device__ int same_before(const struct base_sieve_words &v, const struct sieve_hit &h, int n)
{
    int same = 0, step = IN_WINDOW;
    while (same < n && step == IN_WINDOW) {
        const struct query_window q = query_at(v.queries, h.query - same - IN_WINDOW);
        const uint64_t difference = (q.low ^ subject_at(v.bases, h.chunk + h.subject - same - IN_WINDOW)) | q.high;
        step = difference != 0 ? (__ffsll((long long)difference) - 1) / 2 : IN_WINDOW;
        same += step;
    }
    return min(same, n);
}

static __device__ bool is_indexed(const struct base_sieve_words &v, int query) { return (v.indexed[query >> 5] >> (query & 31) & 1) != 0; }

/* Whether the hit is in a whole word. */
static __device__ bool completes_word(const struct base_sieve_words &v, const struct sieve_hit &h)
{
    const int before = same_before(v, h, min(min(h.query, h.subject), v.missing)), after = v.missing - before;
    return after == 0 || (h.subject + v.width + after <= h.n_subject && h.query + v.width + after <= v.n_positions &&
                          same_from(v, h, v.width, after) == after);
}

/* Whether no hit of the same run of equal bases comes before. */
static __device__ bool begins_run(const struct base_sieve_words &v, const struct sieve_hit &h)
{
    return min(h.query, h.subject) == 0 || same_before(v, h, 1) == 0 || !is_indexed(v, h.query - 1);
}

static __device__ struct sieve_strand strand_of(const struct base_sieve_words &v, int query)
{
    int i = (int)v.near[(unsigned)query / BASE_STRANDS_NEAR];
    while (i + 1 < v.n_strands && v.strands[i + 1].first <= query)
        i++;
    return v.strands[i];
}

/* Scores of four bases each, from the bits that differ: those of the byte-th four in a window. */
static __device__ int score_of_four(const struct base_sieve_words &v, uint64_t different, int byte)
{
    return 4 * v.reward - v.loss * __popc((unsigned)(different >> 8 * byte) & 0x55u);
}

/* As in BLAST, the upper bits of a code fall into the base before it in its four. */
static __device__ uint64_t differences(const struct base_sieve_words &v, int query, uint64_t subject)
{
    const struct query_window q = query_at(v.queries, query);
    const uint64_t x = (q.low | (q.high << 2 & 0xfcfcfcfcfcfcfcfcu)) ^ subject_at(v.bases, subject);
    return (x | x >> 1) & 0x5555555555555555u;
}

/* Whether the approximate extension (extend_approximately() in ungapped_bases.c) has the score of the strand's cutoff. */
static __device__ bool reaches_cutoff(const struct base_sieve_words &v, const struct sieve_hit &h)
{
    const int ahead = (4 - h.subject % 4) % 4, query = h.query + ahead, subject = h.subject + ahead;
    const int n_left = min(query, subject) / 4, n_right = min(v.n_positions - query, h.n_subject - subject) / 4;
    const struct sieve_strand strand = strand_of(v, h.query);
    uint64_t different = 0;
    int score = 0;
    for (int i = 0, sum = 0; i < n_left && sum >= -strand.x_drop && score < strand.cutoff; i++) {
        if (i % 8 == 0)
            different = differences(v, query - 4 * i - IN_WINDOW, h.chunk + subject - 4 * i - IN_WINDOW);
        sum += score_of_four(v, different, i % 8);
        if (sum > 0) {
            score += sum;
            sum = 0;
        }
    }
    for (int i = 0, sum = 0; i < n_right && sum >= -strand.x_drop && score < strand.cutoff; i++) {
        if (i % 8 == 0)
            different = differences(v, query + 4 * i, h.chunk + subject + 4 * i);
        sum += score_of_four(v, different, 7 - i % 8);
        if (sum > 0) {
            score += sum;
            sum = 0;
        }
    }
    return score >= strand.cutoff;
}

/* Sums over the threads before this one; *total: over all. `shared` has an item for each warp. */
static __device__ uint32_t sum_before(uint32_t mine, uint32_t *shared, uint32_t *total)
{
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    uint32_t sum = mine, before = 0, all = 0;
    for (unsigned i = 1; i < 32; i *= 2) {
        const uint32_t other = __shfl_up_sync(~0u, sum, i);
        sum += lane >= i ? other : 0;
    }
    if (lane == 31)
        shared[warp] = sum;
    __syncthreads();
    for (unsigned i = 0; i < THREADS / 32; i++) {
        before += i < warp ? shared[i] : 0;
        all += shared[i];
    }
    __syncthreads();
    *total = all;
    return before + sum - mine;
}

/* The words that the threads look up: a thread's hits end at ends[thread], counted over the threads before it. */
struct looked_up {
    uint32_t ends[THREADS], firsts[THREADS], warps[THREADS / 32];
};

/* Looks up a word. Returns how many hits it has; *first: the place of their positions. */
static __device__ uint32_t look_up(const struct base_sieve_words &v, uint64_t at, uint32_t *first)
{
    const uint32_t word = (uint32_t)(subject_at(v.bases, at) >> (64 - 2 * v.width));
    if (v.passed && (v.passed[at >> 5] >> (at & 31) & 1) == 0)
        return 0;
    if ((v.present[word >> 5] >> (word & 31) & 1) == 0)
        return 0;
    *first = v.starts[word];
    return v.starts[word + 1] - *first;
}

/* The thread whose hits contain hit t. */
static __device__ unsigned owner_of(const uint32_t *ends, uint32_t t)
{
    unsigned low = 0, high = THREADS - 1;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (ends[middle] > t)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

enum { PRESENT, HITS, N_SUMS };

/* counts [out] hits that pass, for each tile, in the first pass; sums [in,out] N_SUMS counts over all tiles. places, out: of the second. */
template <bool WRITES>
static __global__ void __launch_bounds__(THREADS)
    sieve_kernel(struct base_sieve_words v, unsigned long long *counts, unsigned long long *sums, const unsigned long long *places,
                 struct base_hit *out)
{
    __shared__ struct looked_up s;
    const struct sieve_tile tile = v.tiles[blockIdx.x];
    const struct sieve_chunk chunk = v.chunks[tile.chunk];
    const int end = min((int)(tile.first + TILE), chunk.n - v.width + 1), stride = v.stride;
    unsigned long long n_passed = WRITES ? places[blockIdx.x] : 0, n_hits = 0;
    uint32_t n_present = 0;
    for (int base = ((int)tile.first + stride - 1) / stride * stride; base < end; base += THREADS * stride) {
        const int at = base + (int)threadIdx.x * stride;
        uint32_t first = 0, total, n_kept;
        const uint32_t mine = at < end ? look_up(v, chunk.first + at, &first) : 0, before = sum_before(mine, s.warps, &total);
        s.ends[threadIdx.x] = before + mine;
        s.firsts[threadIdx.x] = first;
        n_present += mine > 0;
        n_hits += mine;
        __syncthreads();
        for (uint32_t t0 = 0; t0 < total; t0 += THREADS) {
            const uint32_t t = t0 + threadIdx.x;
            struct sieve_hit h = {0, 0, chunk.n, chunk.first};
            bool passes = t < total;
            if (passes) {
                const unsigned owner = owner_of(s.ends, t);
                h.query = v.positions[s.firsts[owner] + t - (owner > 0 ? s.ends[owner - 1] : 0)];
                h.subject = base + (int)owner * stride;
                passes = v.is_whole ? begins_run(v, h) && reaches_cutoff(v, h) : completes_word(v, h);
            }
            const uint32_t place = sum_before(passes, s.warps, &n_kept);
            if (WRITES && passes)
                out[n_passed + place] = base_hit{h.query, h.subject};
            n_passed += n_kept;
        }
        __syncthreads();
    }
    if (WRITES)
        return;
    if (threadIdx.x == 0)
        counts[blockIdx.x] = n_passed;
    atomicAdd(&sums[PRESENT], (unsigned long long)n_present);
    atomicAdd(&sums[HITS], n_hits);
}

/* Packs 16 codes; beyond the n of all they are gap codes. Packed word i has positions 16 i - PAD, ... */
static __global__ void pack_kernel(const uint8_t *codes, int n, struct sieve_bases *out, int n_out)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    struct sieve_bases packed = {0, 0};
    if (i >= n_out)
        return;
    for (int k = 0; k < IN_WORD; k++) {
        const int at = IN_WORD * i - PAD + k;
        const uint32_t code = at >= 0 && at < n ? codes[at] : 15;
        packed.low = packed.low << 2 | (code & 3);
        packed.high = packed.high << 2 | code >> 2;
    }
    out[i] = packed;
}

/* --- chunks --- */

static size_t n_tiles_of(int n) { return ((size_t)n + TILE - 1) / TILE; }

/* Bytes of a chunk's bases: it begins at a multiple of 16 bytes. */
static size_t bases_bytes(int n) { return ((size_t)n / 4 + PAD / 4 + 16) / 16 * 16; }

size_t base_sieve_chunk_bytes(int n) { return bases_bytes(n) + sizeof(struct sieve_chunk) + n_tiles_of(n) * sizeof(struct sieve_tile); }

size_t base_sieve_free_bytes(const tms_context *ctx) { return cudaSetDevice(gpu_index(ctx->gpu)) == cudaSuccess ? gpu_free_bytes() : 0; }

/* Chunks as they are copied. */
struct sieve_load {
    size_t n_bytes, n_tiles;
    uint8_t *bytes; /* pinned host memory */
    struct sieve_chunk *places;
    struct sieve_tile *tiles;
};

static tms_status lay(tms_context *ctx, const struct packed_bases *chunks, size_t n, struct base_sieve_chunks *c, struct sieve_load *load)
{
    size_t at = PAD / 4, tile = 0;
    for (size_t i = 0; i < n; i++) {
        load->n_bytes += bases_bytes(chunks[i].n);
        load->n_tiles += n_tiles_of(chunks[i].n);
    }
    load->n_bytes += PAD;
    load->places = (struct sieve_chunk *)malloc((n + 1) * sizeof *load->places);
    load->tiles = (struct sieve_tile *)malloc((load->n_tiles + 1) * sizeof *load->tiles);
    c->first_tiles = (uint64_t *)malloc((n + 1) * sizeof *c->first_tiles);
    c->lengths = (int *)malloc((n + 1) * sizeof *c->lengths);
    if (!load->places || !load->tiles || !c->first_tiles || !c->lengths)
        return context_fail_memory(ctx, "chunks of subjects", load->n_tiles * sizeof *load->tiles);
    const tms_status status = gpu_host_alloc(ctx->gpu, load->n_bytes, (void **)&load->bytes);
    if (status != TMS_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        memcpy(load->bytes + at, chunks[i].bytes, ((size_t)chunks[i].n + 3) / 4);
        load->places[i] = sieve_chunk{(uint64_t)at * 4, chunks[i].n};
        c->lengths[i] = chunks[i].n;
        c->first_tiles[i] = tile;
        for (uint32_t first = 0; first < (uint32_t)chunks[i].n; first += TILE)
            load->tiles[tile++] = sieve_tile{(uint32_t)i, first};
        at += bases_bytes(chunks[i].n);
    }
    c->first_tiles[n] = tile;
    c->n_bases = n > 0 ? load->places[n - 1].first + (uint64_t)load->places[n - 1].n : 0;
    return TMS_OK;
}

static tms_status copy(tms_context *ctx, const struct sieve_load *load, struct base_sieve_chunks *c)
{
    struct gpu *gpu = ctx->gpu;
    tms_status status = gpu_memory_alloc(gpu, load->n_bytes, (void **)&c->d_bases);
    status = GPU_ALSO(status, gpu_memory_alloc(gpu, (c->n + 1) * sizeof *c->d_chunks, (void **)&c->d_chunks));
    status = GPU_ALSO(status, gpu_memory_alloc(gpu, (load->n_tiles + 1) * sizeof *c->d_tiles, (void **)&c->d_tiles));
    status = GPU_ALSO(status, gpu_upload(gpu, c->d_bases, load->bytes, load->n_bytes));
    status = GPU_ALSO(status, gpu_upload(gpu, c->d_chunks, load->places, c->n * sizeof *c->d_chunks));
    return GPU_ALSO(status, gpu_upload(gpu, c->d_tiles, load->tiles, load->n_tiles * sizeof *c->d_tiles));
}

tms_status base_sieve_load(tms_context *ctx, const struct packed_bases *chunks, size_t n, struct base_sieve_chunks **out)
{
    struct sieve_load load = {0, 0, NULL, NULL, NULL};
    *out = NULL;
    struct base_sieve_chunks *c = (struct base_sieve_chunks *)calloc(1, sizeof *c);
    if (!c)
        return context_fail_memory(ctx, "chunks of subjects", sizeof *c);
    c->index = gpu_index(ctx->gpu);
    c->n = n;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(c->index));
    tms_status status = lay(ctx, chunks, n, c, &load);
    status = GPU_ALSO(status, copy(ctx, &load, c));
    gpu_host_free(load.bytes);
    free(load.places);
    free(load.tiles);
    if (status == TMS_OK)
        *out = c;
    else
        base_sieve_unload(c);
    return status;
}

void base_sieve_unload(struct base_sieve_chunks *c)
{
    if (!c)
        return;
    void *arrays[] = {c->d_bases, c->d_chunks, c->d_tiles};
    for (void *array : arrays)
        if (array)
            gpu_memory_free(c->index, array);
    free(c->first_tiles);
    free(c->lengths);
    free(c);
}

/* --- words --- */

/* Copies an array to a workspace. */
template <class T> static tms_status put(struct gpu *gpu, const char *name, const T *from, size_t n, const T **out)
{
    T *d_to;
    const tms_status status = gpu_workspace_anew_of(gpu, name, n + 1, &d_to);
    *out = d_to;
    return GPU_ALSO(status, gpu_upload(gpu, d_to, from, n * sizeof *from));
}

static tms_status put_strands(tms_context *ctx, const struct base_strands *from, struct base_sieve_words *v)
{
    struct sieve_strand *strands = (struct sieve_strand *)malloc(from->n * sizeof *strands);
    if (!strands)
        return context_fail_memory(ctx, "strands of queries", from->n * sizeof *strands);
    for (size_t i = 0; i < from->n; i++)
        strands[i] = sieve_strand{from->items[i].first, from->items[i].x_drop, from->items[i].exact_cutoff};
    v->n_strands = (int)from->n;
    v->n_positions = from->queries.n;
    const tms_status status = put(ctx->gpu, "strands of queries", strands, from->n, &v->strands);
    free(strands);
    return GPU_ALSO(status, put(ctx->gpu, "strands near positions", from->near, (size_t)from->queries.n / BASE_STRANDS_NEAR + 1, &v->near));
}

static tms_status pack_queries(struct gpu *gpu, const struct packed_queries *queries, struct base_sieve_words *v)
{
    const int n_out = (queries->n + 2 * PAD) / IN_WORD + 3;
    const uint8_t *d_codes;
    struct sieve_bases *d_packed;
    tms_status status = put(gpu, "codes of queries", queries->codes, (size_t)queries->n, &d_codes);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "packed queries", (size_t)n_out, &d_packed));
    if (status != TMS_OK)
        return status;
    pack_kernel<<<(unsigned)(n_out + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(d_codes, queries->n, d_packed, n_out);
    GPU_TRY(gpu, "packing queries", cudaGetLastError());
    v->queries = d_packed + PAD / IN_WORD;
    return TMS_OK;
}

tms_status base_sieve_set_words(tms_context *ctx, const struct base_lookup *lookup, struct base_sieve_words **out)
{
    struct gpu *gpu = ctx->gpu;
    const struct base_words *w = &lookup->words[0];
    const size_t n_words = (size_t)1 << 2 * w->width;
    struct base_sieve_words *v = *out = (struct base_sieve_words *)calloc(1, sizeof *v);
    if (!v)
        return context_fail_memory(ctx, "words on the GPU", sizeof *v);
    v->width = w->width;
    v->stride = w->stride;
    v->missing = w->word_size - w->width;
    v->reward = lookup->costs.reward;
    v->loss = lookup->costs.reward - lookup->costs.penalty;
    v->is_whole = v->missing == 0;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(gpu_index(gpu)));
    tms_status status = put(gpu, "present words", (const uint32_t *)w->present, n_words / 32, &v->present);
    status = GPU_ALSO(status, put(gpu, "starts of words", w->starts, n_words + 1, &v->starts));
    status = GPU_ALSO(status, put(gpu, "positions of words", w->positions, w->n_positions, &v->positions));
    status = GPU_ALSO(
        status, put(gpu, "positions with words", (const uint32_t *)w->indexed, ((size_t)lookup->strands.queries.n + 31) / 32, &v->indexed));
    status = GPU_ALSO(status, put_strands(ctx, &lookup->strands, v));
    status = GPU_ALSO(status, pack_queries(gpu, &lookup->strands.queries, v));
    return v->is_whole && ctx->tuning.bank ? GPU_ALSO(status, base_bank_fill(ctx, lookup, &v->bank)) : status;
}

void base_sieve_words_free(struct base_sieve_words *words)
{
    if (words)
        base_bank_free(words->bank);
    free(words);
}

/* --- a run --- */

static uint64_t n_looked_up(const struct base_sieve_chunks *c, const struct base_sieve_words *v)
{
    uint64_t n = 0;
    for (size_t i = 0; i < c->n; i++)
        n += c->lengths[i] >= v->width ? (uint64_t)((c->lengths[i] - v->width) / v->stride + 1) : 0;
    return n;
}

/* Counts the hits that pass. places [out] device memory: where those of each tile begin, and the number of all */
static tms_status count(struct gpu *gpu, const struct base_sieve_words *v, size_t n_tiles, unsigned long long **places,
                        struct base_sieved *out)
{
    unsigned long long *d_sums, sums[N_SUMS];
    tms_status status = gpu_workspace_of(gpu, "counts of hits", N_SUMS, &d_sums);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "hits of tiles", n_tiles + 1, places));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "hits", cudaMemsetAsync(d_sums, 0, sizeof sums, gpu->stream));
    GPU_TRY(gpu, "hits", cudaMemsetAsync(*places + n_tiles, 0, sizeof **places, gpu->stream));
    sieve_kernel<false><<<(unsigned)n_tiles, THREADS, 0, gpu->stream>>>(*v, *places, d_sums, NULL, NULL);
    GPU_TRY(gpu, "hits", cudaGetLastError());
    status = gpu_exclusive_sum(gpu, "hits", *places, *places, n_tiles + 1);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "hits", cudaMemcpyAsync(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost, gpu->stream));
    status = gpu_wait(gpu);
    out->n_present = sums[PRESENT];
    out->n_hits = sums[HITS];
    return status;
}

/* Writes the hits that pass, and copies them to host memory. */
static tms_status write(tms_context *ctx, const struct base_sieve_words *v, size_t n_tiles, const unsigned long long *places, uint64_t n,
                        struct base_sieved *out)
{
    struct gpu *gpu = ctx->gpu;
    struct base_hit *d_hits;
    const tms_status status = gpu_workspace_anew_of(gpu, "hits that pass", n + 1, &d_hits);
    if (status != TMS_OK)
        return status;
    out->hits = (struct base_hit *)malloc((n + 1) * sizeof *out->hits);
    if (!out->hits)
        return context_fail_memory(ctx, "hits", n * sizeof *out->hits);
    sieve_kernel<true><<<(unsigned)n_tiles, THREADS, 0, gpu->stream>>>(*v, NULL, NULL, places, d_hits);
    GPU_TRY(gpu, "hits that pass", cudaGetLastError());
    GPU_TRY(gpu, "hits that pass", cudaMemcpyAsync(out->hits, d_hits, n * sizeof *d_hits, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

tms_status base_sieve_run(tms_context *ctx, const struct base_sieve_chunks *chunks, const struct base_sieve_words *words, size_t most_bytes,
                          struct base_sieved *out)
{
    struct gpu *gpu = ctx->gpu;
    const size_t n_tiles = chunks->first_tiles[chunks->n];
    struct base_sieve_words v = *words;
    unsigned long long *d_places, *places;
    tms_status status;
    v.bases = chunks->d_bases;
    v.chunks = chunks->d_chunks;
    v.tiles = chunks->d_tiles;
    out->n_looked_up = n_looked_up(chunks, words);
    out->starts = (uint64_t *)calloc(chunks->n + 1, sizeof *out->starts);
    if (!out->starts)
        return context_fail_memory(ctx, "hits", (chunks->n + 1) * sizeof *out->starts);
    if (n_tiles == 0)
        return TMS_OK;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(chunks->index));
    status = v.bank ? base_bank_test(ctx, v.bank, v.bases, v.chunks, chunks->n, chunks->n_bases, &v.passed) : TMS_OK;
    status = GPU_ALSO(status, count(gpu, &v, n_tiles, &d_places, out));
    if (status != TMS_OK)
        return status;
    places = (unsigned long long *)malloc((n_tiles + 1) * sizeof *places);
    if (!places)
        return context_fail_memory(ctx, "hits", (n_tiles + 1) * sizeof *places);
    status = gpu_download(&ctx->fault, chunks->index, places, d_places, (n_tiles + 1) * sizeof *places);
    for (size_t i = 0; i <= chunks->n && status == TMS_OK; i++)
        out->starts[i] = places[chunks->first_tiles[i]];
    out->is_left = status == TMS_OK && places[n_tiles] > most_bytes / sizeof *out->hits;
    if (status == TMS_OK && !out->is_left)
        status = write(ctx, &v, n_tiles, d_places, places[n_tiles], out);
    free(places);
    return status;
}
