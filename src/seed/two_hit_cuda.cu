/*
 * two_hit_cuda.cu - two sieves over all subjects, then the rule on the diagonals that are left.
 *
 * Lists whose size only the kernels know have a capacity. What does not fit is counted, not kept; then the capacity grows, and that stage
 * begins again.
 */
#include <cub/cub.cuh>

#include "base/array.h"
#include "seed/two_hit_kernels.cuh"

#define THREADS         256
#define MARGIN          64                  /* zeros before and after codes, which may be read */
#define CANDIDATE_BYTES ((size_t)512 << 20) /* of a range of the subjects */
#define CANDIDATES_CELL 1.5e-4              /* expected for a letter and a place, with reserve */
#define MOST_WINDOW     200
#define SCAN_BYTES      ((size_t)4 << 30) /* of workspaces, at most */
#define CODE_BYTES      4                 /* of a code, its word and its part of starts; a little more than they take */

/* --- subjects --- */

static struct amino_numbers amino_numbers(void)
{
    static const uint8_t codes[AMINO_ACIDS] = {1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 22}; /* NCBIstdaa */
    struct amino_numbers numbers;
    memset(&numbers, 255, sizeof numbers);
    for (int i = 0; i < AMINO_ACIDS; i++)
        numbers.of[codes[i]] = (uint8_t)i;
    return numbers;
}

size_t two_hit_gpu_room(const tms_context *ctx)
{
    size_t free_bytes = cudaSetDevice(gpu_index(ctx->gpu)) == cudaSuccess ? gpu_free_bytes() : 0;
    return free_bytes > SCAN_BYTES ? (free_bytes - SCAN_BYTES) / CODE_BYTES : 0;
}

tms_status two_hit_gpu_subjects_create(tms_context *ctx, const uint32_t *starts, size_t n, struct two_hit_gpu_subjects **out)
{
    *out = NULL;
    struct two_hit_gpu_subjects *s = (struct two_hit_gpu_subjects *)calloc(1, sizeof *s);
    if (!s)
        return context_fail_memory(ctx, "subjects on the GPU", sizeof *s);
    s->index = gpu_index(ctx->gpu);
    s->n = (uint32_t)n;
    s->n_codes = starts[n];
    tms_status status = gpu_memory_alloc(ctx->gpu, (size_t)s->n_codes + 2 * MARGIN, (void **)&s->d_codes);
    s->d_codes += status == TMS_OK ? MARGIN : 0;
    status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, ((size_t)s->n_codes + MARGIN) * sizeof *s->d_words, (void **)&s->d_words));
    status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, (n + 1) * sizeof *s->d_starts, (void **)&s->d_starts));
    status = GPU_ALSO(status, gpu_upload(ctx->gpu, s->d_starts, starts, (n + 1) * sizeof *s->d_starts));
    if (status == TMS_OK)
        *out = s;
    else
        two_hit_gpu_subjects_destroy(s);
    return status;
}

void two_hit_gpu_subjects_destroy(struct two_hit_gpu_subjects *s)
{
    if (!s)
        return;
    void *arrays[] = {s->d_codes ? s->d_codes - MARGIN : NULL, s->d_words, s->d_starts};
    for (void *array : arrays)
        if (array)
            gpu_memory_free(s->index, array);
    free(s);
}

tms_status two_hit_gpu_subjects_put(tms_context *ctx, struct two_hit_gpu_subjects *s, const uint8_t *codes, size_t first, size_t n)
{
    return gpu_upload(ctx->gpu, s->d_codes + first, codes, n);
}

tms_status two_hit_gpu_subjects_finish(tms_context *ctx, struct two_hit_gpu_subjects *s)
{
    struct gpu *gpu = ctx->gpu;
    words_kernel<<<(unsigned)gpu->n_multiprocessors * 8, THREADS, 0, gpu->stream>>>(s->d_codes, s->n_codes, s->n_codes + MARGIN,
                                                                                    amino_numbers(), s->d_words);
    GPU_TRY(gpu, "words of subjects", cudaGetLastError());
    return gpu_wait(gpu);
}

/* --- how groups are cut --- */

struct shape {
    int lanes, threads; /* of a group, of a block */
    size_t shared_bytes;
};

static int n_diagonals_for(int n_places) { return (n_places + WORD_LETTERS - 1 + 3) / 4 * 4; }

/* As many groups as shared memory has space for; as few lanes as still give many threads. */
static struct shape shape_for(const struct gpu *gpu, int n_places)
{
    const size_t tables = STARTS_IN_SHARED * sizeof(uint32_t), diagonals = (size_t)n_diagonals_for(n_places);
    const size_t space = gpu->shared_bytes_block - 1024 - tables;
    const int enough = 704, most = 1024;
    struct shape shape = {0, 0, 0};
    int groups = (int)(space / diagonals);
    for (shape.lanes = 1; shape.lanes < 32 && groups * shape.lanes < enough; shape.lanes *= 2)
        continue;
    groups = groups * shape.lanes > most ? most / shape.lanes : groups;
    shape.threads = groups * shape.lanes / 32 * 32;
    shape.shared_bytes = tables + (size_t)(shape.threads / shape.lanes) * diagonals;
    return shape;
}

bool two_hit_gpu_takes(const tms_context *ctx, const struct two_hit_queries *queries, int n_places)
{
    bool takes = ctx->gpu != NULL && queries->words->word_size == WORD_LETTERS && queries->words->narrow != NULL && queries->n > 0 &&
                 queries->n < UINT16_MAX && queries->window >= WORD_LETTERS && queries->window <= MOST_WINDOW;
    for (int i = 0; i < UNGAPPED_CODES * UNGAPPED_CODES && takes; i++)
        takes = queries->scores[i] <= INT8_MAX && (queries->scores[i] > INT8_MIN || i % UNGAPPED_CODES == 0 || i < UNGAPPED_CODES);
    for (size_t i = 0; i < queries->n && takes; i++) {
        takes = queries->items[i].x_drop > 0 && queries->items[i].x_drop <= -INT8_MIN && queries->items[i].cutoff > 0;
        for (int k = 0; k < queries->items[i].length && takes; k++)
            takes = queries->items[i].codes[k] != 0;
    }
    return takes && shape_for(ctx->gpu, n_places).threads > 0;
}

/* --- queries --- */

/* A pack's tables on their way to the GPU: one block of host memory, one of device memory, the same places in both. */
struct tables {
    struct gpu_query *queries;
    int *scores;
    uint32_t *word_starts;
    uint16_t *query_of, *places;
    uint8_t *strip, *has_word;
    int8_t *rows;
};

#define ALIGN(n) (((n) + 255) & ~(size_t)255)

/* Places the arrays from `memory` on. Returns their bytes. */
static size_t place_tables(uint8_t *memory, const struct two_hit_queries *queries, int n_places, struct tables *t)
{
    size_t at = 0, n = (size_t)n_places;
    auto take = [&](size_t size_bytes) {
        uint8_t *from = memory + at;
        at += ALIGN(size_bytes);
        return from;
    };
    t->queries = (struct gpu_query *)take(queries->n * sizeof *t->queries);
    t->scores = (int *)take(UNGAPPED_CODES * UNGAPPED_CODES * sizeof *t->scores);
    t->word_starts = (uint32_t *)take((WORDS_ALL + 1) * sizeof *t->word_starts);
    t->query_of = (uint16_t *)take((n + MARGIN) * sizeof *t->query_of);
    t->places = (uint16_t *)take((queries->words->n_places + MARGIN) * sizeof *t->places);
    t->strip = take(n + 2 * MARGIN) + MARGIN;
    t->has_word = take(n + MARGIN);
    t->rows = (int8_t *)take(ROW_CODES * ROW_CODES);
    return at;
}

/* The table of words in this room's order of words. */
static void put_words(const struct neighbours *words, const struct tables *t)
{
    struct amino_numbers numbers = amino_numbers();
    uint32_t at = 0;
    auto put = [&](uint32_t number, uint32_t word) {
        uint32_t n, first = neighbours_find(words, word, &n);
        t->word_starts[number] = at;
        for (uint32_t i = 0; i < n; i++) {
            t->places[at + i] = words->narrow[first + i];
            t->has_word[words->narrow[first + i]] = 1;
        }
        at += n;
    };
    uint8_t codes[AMINO_ACIDS];
    for (uint8_t code = 0; code < UNGAPPED_CODES; code++)
        if (numbers.of[code] < AMINO_ACIDS)
            codes[numbers.of[code]] = code;
    for (uint32_t i = 0; i < WORDS_IN_SHARED; i++)
        put(i, (codes[i / AMINO_ACIDS / AMINO_ACIDS] * words->radix + codes[i / AMINO_ACIDS % AMINO_ACIDS]) * words->radix +
                   codes[i % AMINO_ACIDS]);
    t->word_starts[WORD_NONE] = at;
    for (uint32_t i = 0; i < WORDS_OF_CODES; i++) {
        uint32_t a = i / UNGAPPED_CODES / UNGAPPED_CODES, b = i / UNGAPPED_CODES % UNGAPPED_CODES, c = i % UNGAPPED_CODES;
        if (word_number(&numbers, a, b, c) == WORD_NONE + 1 + i)
            put(WORD_NONE + 1 + i, (a * words->radix + b) * words->radix + c);
        else
            t->word_starts[WORD_NONE + 1 + i] = at;
    }
    t->word_starts[WORDS_ALL] = at;
}

static void put_queries(const struct two_hit_queries *queries, const struct tables *t)
{
    memcpy(t->scores, queries->scores, UNGAPPED_CODES * UNGAPPED_CODES * sizeof *t->scores);
    memset(t->rows, SEPARATOR, ROW_CODES * ROW_CODES);
    for (int i = 1; i < UNGAPPED_CODES; i++)
        for (int j = 1; j < UNGAPPED_CODES; j++)
            t->rows[i * ROW_CODES + j] = (int8_t)queries->scores[i * UNGAPPED_CODES + j];
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        t->queries[q] = gpu_query{item->first_place, item->length, item->x_drop, item->cutoff};
        memcpy(t->strip + item->first_place, item->codes, (size_t)item->length);
        for (int i = 0; i < item->length; i++)
            t->query_of[item->first_place + i] = (uint16_t)q;
    }
}

static tms_status upload_tables(tms_context *ctx, const struct two_hit_queries *queries, int n_places, struct gpu_scan *s)
{
    struct tables host, device;
    size_t size_bytes = place_tables(NULL, queries, n_places, &host);
    uint8_t *memory = (uint8_t *)context_scratch(ctx, size_bytes), *d_memory;
    tms_status status = gpu_workspace_of(ctx->gpu, "tables of words", size_bytes, &d_memory);
    if (!memory)
        return context_fail_memory(ctx, "tables of words", size_bytes);
    if (status != TMS_OK)
        return status;
    memset(memory, 0, size_bytes);
    place_tables(memory, queries, n_places, &host);
    place_tables(d_memory, queries, n_places, &device);
    put_words(queries->words, &host);
    put_queries(queries, &host);
    s->queries = device.queries;
    s->scores = device.scores;
    s->word_starts = device.word_starts;
    s->query_of = device.query_of;
    s->places = device.places;
    s->strip = device.strip;
    s->has_word = device.has_word;
    s->rows = device.rows;
    return gpu_upload(ctx->gpu, d_memory, memory, size_bytes);
}

/* --- a scan --- */

tms_status two_hit_gpu_read_sums(struct gpu *gpu, const struct gpu_scan *s, struct gpu_sums *out)
{
    GPU_TRY(gpu, "two hits", cudaMemcpyAsync(out, s->sums, sizeof *out, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

static tms_status queue_hits(struct gpu *gpu, const struct shape *shape, const struct gpu_scan *s, uint32_t first, uint32_t end)
{
    const uint64_t groups = (uint64_t)gpu->n_multiprocessors * (uint64_t)(shape->threads / shape->lanes);
    const uint32_t stretch = (uint32_t)((end - first + groups - 1) / groups + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    auto queue = [&](void (*kernel)(struct gpu_scan, uint32_t, uint32_t, uint32_t)) {
        cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shape->shared_bytes);
        if (error != cudaSuccess)
            return error;
        kernel<<<(unsigned)gpu->n_multiprocessors, (unsigned)shape->threads, shape->shared_bytes, gpu->stream>>>(*s, first, end, stretch);
        return cudaGetLastError();
    };
    GPU_TRY(gpu, "hits",
            shape->lanes == 1    ? queue(hits_kernel<1>)
            : shape->lanes == 2  ? queue(hits_kernel<2>)
            : shape->lanes == 4  ? queue(hits_kernel<4>)
            : shape->lanes == 8  ? queue(hits_kernel<8>)
            : shape->lanes == 16 ? queue(hits_kernel<16>)
                                 : queue(hits_kernel<32>));
    return TMS_OK;
}

/* Both sieves, range by range, so that a range's candidates have space. */
static tms_status sieve(tms_context *ctx, const struct shape *shape, struct gpu_scan *s, uint32_t range, struct gpu_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    GPU_TRY(gpu, "two hits", cudaMemsetAsync(s->sums, 0, sizeof *s->sums, gpu->stream));
    for (uint64_t first = 0; first < s->n_codes; first += range) {
        tms_status status = queue_hits(gpu, shape, s, (uint32_t)first, (uint32_t)(first + range < s->n_codes ? first + range : s->n_codes));
        if (status != TMS_OK)
            return status;
        bound_kernel<<<dim3(16, (unsigned)gpu->n_multiprocessors), THREADS, 0, gpu->stream>>>(*s);
        GPU_TRY(gpu, "bounds of extensions", cudaGetLastError());
    }
    return two_hit_gpu_read_sums(gpu, s, sums);
}

/* Sieves until what passes fits. */
static tms_status sieve_all(tms_context *ctx, struct gpu_scan *s, struct gpu_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    const struct shape shape = shape_for(gpu, s->n_places);
    const size_t n_blocks = (size_t)gpu->n_multiprocessors, most = CANDIDATE_BYTES / sizeof *s->candidates / n_blocks;
    uint32_t range = s->n_codes;
    double expected = CANDIDATES_CELL * s->n_codes * s->n_places / (double)n_blocks + 4096;
    if (expected > (double)most) {
        range = (uint32_t)((double)s->n_codes * (double)most / expected) / AT_ONCE * AT_ONCE + AT_ONCE;
        expected = (double)most;
    }
    s->capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys : (uint32_t)expected;
    s->keys_capacity = s->capacity;
    for (bool fits = false; !fits;) {
        tms_status status = gpu_workspace_of(gpu, "candidates", n_blocks * s->capacity, &s->candidates);
        status = GPU_ALSO(status, gpu_workspace_of(gpu, "diagonals", s->keys_capacity, &s->keys));
        status = GPU_ALSO(status, sieve(ctx, &shape, s, range, sums));
        if (status != TMS_OK)
            return status;
        fits = sums->most_candidates <= s->capacity && sums->n_keys <= s->keys_capacity;
        s->keys_capacity = sums->n_keys > s->keys_capacity ? sums->n_keys : s->keys_capacity;
        if (sums->most_candidates > s->capacity) {
            s->capacity = sums->most_candidates + sums->most_candidates / 8;
            s->keys_capacity += s->keys_capacity / 8; /* not all were counted */
        }
    }
    return TMS_OK;
}

static tms_status sort_keys(struct gpu *gpu, struct gpu_scan *s, uint32_t n)
{
    uint64_t *sorted;
    size_t bytes = 0;
    uint8_t *space;
    GPU_TRY(gpu, "sorting diagonals", cub::DeviceRadixSort::SortKeys(NULL, bytes, s->keys, s->keys, (int)n));
    tms_status status = gpu_workspace_of(gpu, "diagonals in order", n, &sorted);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "sorting", bytes, &space));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "sorting diagonals", cub::DeviceRadixSort::SortKeys(space, bytes, s->keys, sorted, (int)n, 0, 64, gpu->stream));
    s->keys = sorted;
    return TMS_OK;
}

tms_status two_hit_gpu_reserve_hsps(struct gpu *gpu, struct gpu_scan *s)
{
    tms_status status = gpu_workspace_of(gpu, "HSPs", s->hsps_capacity, &s->hsps);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "keys of HSPs", s->hsps_capacity, &s->hsp_keys));
    return GPU_ALSO(status, gpu_workspace_of(gpu, "numbers of HSPs", s->hsps_capacity, &s->hsp_order));
}

tms_status two_hit_gpu_replay(tms_context *ctx, struct gpu_scan *s, uint32_t n_keys, struct gpu_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    tms_status status = sort_keys(gpu, s, n_keys);
    s->hsps_capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys : n_keys + 4096;
    for (bool fits = false; !fits && status == TMS_OK;) {
        status = two_hit_gpu_reserve_hsps(gpu, s);
        if (status != TMS_OK)
            return status;
        GPU_TRY(gpu, "extensions", cudaMemsetAsync(&s->sums->n_hsps, 0, sizeof s->sums->n_hsps, gpu->stream));
        GPU_TRY(gpu, "extensions", cudaMemsetAsync(&s->sums->n_diagonals, 0, sizeof s->sums->n_diagonals, gpu->stream));
        replay_kernel<<<(unsigned)gpu->n_multiprocessors * 16, REPLAY_THREADS, 0, gpu->stream>>>(*s, n_keys);
        GPU_TRY(gpu, "extensions", cudaGetLastError());
        status = two_hit_gpu_read_sums(gpu, s, sums);
        fits = sums->n_hsps <= s->hsps_capacity;
        s->hsps_capacity = sums->n_hsps;
    }
    return status;
}

static tms_status sort_hsps(struct gpu *gpu, struct gpu_scan *s, uint32_t n)
{
    uint64_t *keys;
    uint32_t *order;
    struct two_hit_gpu_hsp *sorted;
    size_t bytes = 0;
    uint8_t *space;
    GPU_TRY(gpu, "sorting HSPs",
            cub::DeviceRadixSort::SortPairs(NULL, bytes, s->hsp_keys, s->hsp_keys, s->hsp_order, s->hsp_order, (int)n));
    tms_status status = gpu_workspace_of(gpu, "keys of HSPs in order", n, &keys);
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "order of HSPs", n, &order));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "HSPs in order", n, &sorted));
    status = GPU_ALSO(status, gpu_workspace_of(gpu, "sorting", bytes, &space));
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "sorting HSPs",
            cub::DeviceRadixSort::SortPairs(space, bytes, s->hsp_keys, keys, s->hsp_order, order, (int)n, 0, 64, gpu->stream));
    order_kernel<<<(n + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(s->hsps, order, n, sorted);
    GPU_TRY(gpu, "sorting HSPs", cudaGetLastError());
    s->hsps = sorted;
    return TMS_OK;
}

static tms_status fetch(tms_context *ctx, const struct gpu_scan *s, uint32_t n, struct two_hit_gpu_found *out)
{
    if (!array_reserve(&out->hsps, &out->capacity, n, sizeof *out->hsps))
        return context_fail_memory(ctx, "HSPs", n * sizeof *out->hsps);
    out->n = n;
    GPU_TRY(ctx->gpu, "fetching HSPs",
            cudaMemcpyAsync(out->hsps, s->hsps, n * sizeof *out->hsps, cudaMemcpyDeviceToHost, ctx->gpu->stream));
    return gpu_wait(ctx->gpu);
}

void two_hit_gpu_found_free(struct two_hit_gpu_found *found)
{
    free(found->hsps);
    *found = two_hit_gpu_found{};
}

tms_status two_hit_gpu_begin(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_queries *queries,
                             int n_places, struct gpu_scan *s, struct two_hit_gpu_found *out)
{
    *s = gpu_scan{};
    s->codes = subjects->d_codes;
    s->words = subjects->d_words;
    s->starts = subjects->d_starts;
    s->n_codes = subjects->n_codes;
    s->n_subjects = subjects->n;
    s->n_places = n_places;
    s->n_diagonals = n_diagonals_for(n_places);
    s->window = queries->window;
    s->threshold = queries->words->threshold;
    out->n = 0;
    out->n_hits = out->n_candidates = out->n_diagonals = 0;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(subjects->index));
    tms_status status = upload_tables(ctx, queries, n_places, s);
    status = GPU_ALSO(status, gpu_workspace_of(ctx->gpu, "sums of two hits", 1, &s->sums));
    status = GPU_ALSO(status, gpu_fault_if_asked(ctx->gpu));
    out->d_codes = s->codes;
    out->d_starts = s->starts;
    out->d_strip = s->strip;
    return status;
}

tms_status two_hit_gpu_end(tms_context *ctx, struct gpu_scan *s, const struct gpu_sums *sums, struct two_hit_gpu_found *out)
{
    tms_status status = TMS_OK;
    if (sums->n_hsps > 0) {
        status = GPU_ALSO(status, sort_hsps(ctx->gpu, s, sums->n_hsps));
        status = GPU_ALSO(status, fetch(ctx, s, sums->n_hsps, out));
    }
    out->d_hsps = s->hsps;
    out->n_hits = sums->n_hits;
    out->n_candidates = sums->n_candidates;
    out->n_diagonals = sums->n_diagonals;
    return status;
}

tms_status two_hit_gpu_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_queries *queries,
                            int n_places, struct two_hit_gpu_found *out)
{
    struct gpu_scan s;
    struct gpu_sums sums = {};
    tms_status status = two_hit_gpu_begin(ctx, subjects, queries, n_places, &s, out);
    if (status != TMS_OK || s.n_subjects == 0)
        return status;
    status = gpu_workspace_of(ctx->gpu, "numbers of candidates", (size_t)ctx->gpu->n_multiprocessors, &s.n_candidates);
    status = GPU_ALSO(status, sieve_all(ctx, &s, &sums));
    if (sums.n_keys > 0)
        status = GPU_ALSO(status, two_hit_gpu_replay(ctx, &s, sums.n_keys, &sums));
    return GPU_ALSO(status, two_hit_gpu_end(ctx, &s, &sums, out));
}
