/*
 * two_hit_cuda.cu - runs two sieves over all subjects, then the two-hit rule on the remaining diagonals.
 *
 * Lists whose size only the kernels know have a capacity. Entries beyond it are counted but not kept; then the capacity grows and the stage
 * begins again (for candidates, only the current range).
 */
#include "base/array.h"
#include "device/gpu_algorithms.cuh"
#include "lookup/two_hit_kernels.cuh"

#define THREADS         256
#define CANDIDATES_CELL 1.5e-4 /* candidates expected for each pair of a residue and a position, with reserve */
#define CANDIDATES_PAIR 6e-4   /* candidates expected for words of 2 residues */
#define KEYS_CANDIDATE  0.02   /* diagonals expected for each candidate, with reserve */
#define LEAST_RANGE     4096u  /* codes */
#define RESERVE         4096   /* entries of a list */

/*
 * Shares of work memory in sixteenths: candidates, tables of words, memory for each diagonal, and memory for each HSP up to the last stage.
 * Tables grow by half at least, so they may take one and a half times their share. Tables of long words also have the share of candidates.
 */
#define PARTS            16
#define CANDIDATE_PARTS  3
#define TABLE_PARTS      1
#define LONG_WORDS_PARTS 3
#define KEY_PARTS        3
#define HSP_PARTS        8

/* --- subjects --- */

size_t two_hit_gpu_free_bytes(const tms_context *ctx) { return cudaSetDevice(gpu_index(ctx->gpu)) == cudaSuccess ? gpu_free_bytes() : 0; }

tms_status two_hit_gpu_subjects_space(tms_context *ctx, int word_size, size_t n_codes, size_t n, size_t n_packed,
                                      struct two_hit_gpu_subjects **out)
{
    *out = NULL;
    struct two_hit_gpu_subjects *s = (struct two_hit_gpu_subjects *)calloc(1, sizeof *s);
    if (!s)
        return context_fail_memory(ctx, "subjects on the GPU", sizeof *s);
    s->index = gpu_index(ctx->gpu);
    s->word_size = word_size;
    tms_status status = gpu_memory_alloc(ctx->gpu, n_codes + 2 * TWO_HIT_MARGIN, (void **)&s->d_codes);
    s->d_codes += status == TMS_OK ? TWO_HIT_MARGIN : 0;
    if (!long_words_are(word_size))
        status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, (n_codes + TWO_HIT_MARGIN) * sizeof *s->d_words, (void **)&s->d_words));
    status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, (n + 1) * sizeof *s->d_starts, (void **)&s->d_starts));
    if (n_packed > 0) {
        status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, n_packed + TWO_HIT_MARGIN, (void **)&s->d_packed));
        status = GPU_ALSO(status, gpu_memory_alloc(ctx->gpu, n * sizeof *s->d_codons, (void **)&s->d_codons));
    }
    if (status == TMS_OK)
        *out = s;
    else
        two_hit_gpu_subjects_destroy(s);
    return status;
}

tms_status two_hit_gpu_subjects_begin(tms_context *ctx, struct two_hit_gpu_subjects *s, const uint32_t *starts, size_t n)
{
    s->n = (uint32_t)n;
    s->n_codes = starts[n];
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(s->index));
    /* Clears codes that earlier subjects may have left; the 0 before the first is still there. */
    GPU_TRY(ctx->gpu, "clearing its memory", cudaMemsetAsync(s->d_codes + s->n_codes, 0, TWO_HIT_MARGIN, ctx->gpu->stream));
    return gpu_upload(ctx->gpu, s->d_starts, starts, (n + 1) * sizeof *s->d_starts);
}

void two_hit_gpu_subjects_destroy(struct two_hit_gpu_subjects *s)
{
    if (!s)
        return;
    void *arrays[] = {s->d_codes ? s->d_codes - TWO_HIT_MARGIN : NULL, s->d_words, s->d_starts, s->d_packed, s->d_codons};
    for (void *array : arrays)
        if (array)
            gpu_memory_free(s->index, array);
    free(s);
}

tms_status two_hit_gpu_subjects_put(tms_context *ctx, struct two_hit_gpu_subjects *s, const uint8_t *codes, size_t first, size_t n)
{
    return gpu_upload(ctx->gpu, s->d_codes + first, codes, n);
}

tms_status two_hit_gpu_subjects_put_bases(tms_context *ctx, struct two_hit_gpu_subjects *s, const uint8_t *packed, size_t first, size_t n)
{
    return gpu_upload(ctx->gpu, s->d_packed + first, packed, n);
}

tms_status two_hit_gpu_subjects_translate(tms_context *ctx, struct two_hit_gpu_subjects *s, const struct packed_codons *residues,
                                          const uint64_t *codons)
{
    struct gpu *gpu = ctx->gpu;
    if (s->n == 0)
        return TMS_OK;
    tms_status status = gpu_upload(gpu, s->d_codons, codons, s->n * sizeof *codons);
    if (status != TMS_OK)
        return status;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(s->index));
    translate_kernel<<<(unsigned)gpu->n_multiprocessors * 8, THREADS, 0, gpu->stream>>>(*s, *residues);
    GPU_TRY(gpu, "translating subjects", cudaGetLastError());
    return gpu_wait(gpu);
}

tms_status two_hit_gpu_subjects_finish(tms_context *ctx, struct two_hit_gpu_subjects *s)
{
    struct gpu *gpu = ctx->gpu;
    GPU_TRY(gpu, "choosing the device", cudaSetDevice(s->index));
    if (s->d_words)
        words_kernel<<<(unsigned)gpu->n_multiprocessors * 8, THREADS, 0, gpu->stream>>>(s->d_codes, s->n_codes, s->n_codes + TWO_HIT_MARGIN,
                                                                                        two_hit_amino_numbers(), s->word_size, s->d_words);
    GPU_TRY(gpu, "words of subjects", cudaGetLastError());
    return gpu_wait(gpu);
}

/* --- shape of the grid --- */

struct shape {
    int lanes, threads; /* lanes of a group; threads of a block */
    size_t shared_bytes;
};

static int n_diagonals_for(int word_size, int n_positions) { return (n_positions + word_size - 1 + AT_ONCE - 1) / AT_ONCE * AT_ONCE; }

/* As many groups as fit into shared memory, with as few lanes as still give many threads. */
static struct shape shape_for(const struct gpu *gpu, int word_size, int n_positions)
{
    const size_t tables = (word_none(word_size) + 2) * sizeof(uint32_t), diagonals = (size_t)n_diagonals_for(word_size, n_positions);
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

static size_t long_words_bytes(size_t work_bytes) { return work_bytes / PARTS * LONG_WORDS_PARTS; }

/* Device memory of a whole query: its codes, and where words begin in it. */
static size_t stretch_part_bytes(const struct two_hit_stretch *stretch)
{
    return ((size_t)stretch->length + 2 * TWO_HIT_MARGIN + 255) / 256 * 256;
}
static size_t stretch_bytes(const struct two_hit_stretch *stretch) { return stretch->codes ? 2 * stretch_part_bytes(stretch) : 0; }

static bool takes_one(const tms_context *ctx, const struct two_hit_gpu_tables *tables, size_t work_bytes)
{
    if (ctx->gpu == NULL || tables->layout.size_bytes + stretch_bytes(&tables->stretch) > work_bytes / PARTS * TABLE_PARTS)
        return false;
    if (long_words_are(tables->word_size))
        return long_words_least_bytes(two_hit_gpu_n_long_words(tables)) <= long_words_bytes(work_bytes);
    return shape_for(ctx->gpu, tables->word_size, tables->n_positions).threads > 0;
}

bool two_hit_gpu_takes(const tms_context *ctx, const struct two_hit_gpu_tables *tables, size_t work_bytes)
{
    while (tables && takes_one(ctx, tables, work_bytes))
        tables = tables->next;
    return !tables;
}

/* --- queries --- */

/* Copies the whole query of a stretch, and lets positions before and after the stretch be read. */
static tms_status upload_stretch(struct gpu *gpu, const struct two_hit_stretch *stretch, struct gpu_scan *s)
{
    const size_t bytes = stretch_part_bytes(stretch);
    uint8_t *d_memory;
    tms_status status = gpu_workspace_anew_of(gpu, "a long query", 2 * bytes, &d_memory);
    if (status != TMS_OK)
        return status;
    uint8_t *d_codes = d_memory + TWO_HIT_MARGIN, *d_has_word = d_codes + bytes;
    GPU_TRY(gpu, "a long query", cudaMemsetAsync(d_memory, 0, 2 * bytes, gpu->stream));
    s->query_codes = d_codes + stretch->first;
    s->has_word = d_has_word + stretch->first;
    s->before = stretch->first;
    s->core = stretch->core;
    s->whole_length = stretch->length;
    status = gpu_upload(gpu, d_codes, stretch->codes, (size_t)stretch->length);
    return GPU_ALSO(status, gpu_upload(gpu, d_has_word, stretch->has_word, (size_t)stretch->length));
}

static tms_status upload_tables(struct gpu *gpu, const struct two_hit_gpu_tables *tables, struct gpu_scan *s)
{
    const struct two_hit_layout *l = &tables->layout;
    uint8_t *d_memory;
    tms_status status = gpu_workspace_anew_of(gpu, "tables of words", l->size_bytes, &d_memory);
    if (status != TMS_OK)
        return status;
    s->queries = (const struct gpu_query *)(d_memory + l->queries);
    s->scores = (const int *)(d_memory + l->scores);
    s->word_starts = (const uint32_t *)(d_memory + l->word_starts);
    s->query_of = (const uint16_t *)(d_memory + l->query_of);
    s->positions = (const uint16_t *)(d_memory + l->positions);
    s->long_words = (const struct long_words_rules *)(d_memory + l->long_words);
    s->word_scores = long_words_are(tables->word_size) ? (const int *)(d_memory + l->word_scores) : s->scores;
    s->query_codes = d_memory + l->query_codes;
    s->has_word = d_memory + l->has_word;
    s->rows = (const int8_t *)(d_memory + l->rows);
    status = gpu_upload(gpu, d_memory, tables->memory, l->size_bytes);
    return status == TMS_OK && tables->stretch.codes ? upload_stretch(gpu, &tables->stretch, s) : status;
}

/* --- a scan --- */

static tms_status queue_hits(struct gpu *gpu, const struct shape *shape, const struct gpu_scan *s, uint32_t first, uint32_t end)
{
    const uint64_t groups = (uint64_t)gpu->n_multiprocessors * (uint64_t)(shape->threads / shape->lanes);
    const uint32_t stretch = (uint32_t)((end - first + groups - 1) / groups + AT_ONCE - 1) / AT_ONCE * AT_ONCE;
    auto queue = [&](void (*kernel)(struct gpu_scan, uint32_t, uint32_t, uint32_t)) {
        cudaError_t error = gpu_allow_shared(gpu, kernel);
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

static uint32_t round_down(uint32_t position) { return position / AT_ONCE * AT_ONCE; }

/* Subtracts the hits that belong to a part's neighbours. */
static tms_status queue_uncount(struct gpu *gpu, const struct gpu_scan *s)
{
    const uint32_t begin = round_down(s->part_first), end = round_down(s->part_end + AT_ONCE - 1);
    if (begin < s->part_first)
        uncount_kernel<<<1, 32, 0, gpu->stream>>>(*s, begin, s->part_first);
    if (s->part_end < s->n_codes && s->part_end < end)
        uncount_kernel<<<1, 32, 0, gpu->stream>>>(*s, s->part_end, end);
    GPU_TRY(gpu, "hits", cudaGetLastError());
    return TMS_OK;
}

static tms_status queue_bounds(struct gpu *gpu, const struct gpu_scan *s)
{
    const auto bound = s->word_size == TWO_HIT_WORD_RESIDUES ? bound_kernel<2 * TWO_HIT_WORD_RESIDUES - 1>
                                                             : bound_kernel<2 * TWO_HIT_MIN_WORD_RESIDUES - 1>;
    bound<<<dim3(16, (unsigned)gpu->n_multiprocessors), THREADS, 0, gpu->stream>>>(*s);
    GPU_TRY(gpu, "bounds of extensions", cudaGetLastError());
    return TMS_OK;
}

/* Divides work memory: the most entries that the lists may have. */
static struct two_hit_limits limits_for(const struct gpu *gpu, const struct two_hit_gpu_part *part)
{
    const size_t sixteenth = part->work_bytes / PARTS, least = 64;
    const size_t key_bytes = 2 * sizeof(uint64_t); /* one as found, one in the sort */
    const size_t hsp_bytes = part->next_hsp_bytes + 2 * sizeof(struct two_hit_gpu_hsp) +
                             3 * (sizeof(uint64_t) + sizeof(uint32_t)); /* as found, sorted, and inside the sort */
    const size_t candidates = sixteenth * CANDIDATE_PARTS / sizeof(uint64_t) / (size_t)gpu->n_multiprocessors;
    const size_t keys = sixteenth * KEY_PARTS / key_bytes, hsps = sixteenth * HSP_PARTS / hsp_bytes;
    return two_hit_limits{candidates > least ? candidates : least, keys > RESERVE + least ? keys - RESERVE : least,
                          hsps > RESERVE + least ? hsps - RESERVE : least, long_words_bytes(part->work_bytes),
                          part->end - part->first == 1};
}

/*
 * Handles a range with more candidates than space: enlarges the list up to its limit, and then shortens the range, but not below a few
 * codes; for those the list grows beyond the limit.
 */
static void make_space(const struct two_hit_limits *limits, uint32_t most_found, struct gpu_scan *s, uint32_t *range)
{
    const uint32_t wanted = most_found + most_found / 8;
    if (wanted <= limits->candidates || *range <= LEAST_RANGE) {
        s->capacity = wanted;
        return;
    }
    const uint32_t half = *range / 2, fitting = (uint32_t)((double)*range * (double)limits->candidates / (double)wanted);
    s->capacity = (uint32_t)limits->candidates;
    *range = round_down(fitting < half ? fitting : half);
    *range = *range > LEAST_RANGE ? *range : LEAST_RANGE;
}

/* Runs the first sieve on a range, and adds its hits to *sums. If the candidates do not fit, subtracts the hits again, on the GPU too. */
static tms_status sieve_hits(tms_context *ctx, const struct shape *shape, struct gpu_scan *s, uint32_t first, uint32_t end,
                             struct gpu_sums *sums, uint32_t *most_found)
{
    struct gpu *gpu = ctx->gpu;
    struct gpu_sums found = *sums;
    GPU_TRY(gpu, "hits", cudaMemsetAsync(&s->sums->most_candidates, 0, sizeof s->sums->most_candidates, gpu->stream));
    tms_status status = queue_hits(gpu, shape, s, first, end);
    status = GPU_ALSO(status, two_hit_gpu_read_sums(gpu, s, &found));
    *most_found = found.most_candidates;
    if (status != TMS_OK || found.most_candidates <= s->capacity) {
        *sums = found;
        return status;
    }
    sums->n_keys = found.n_keys;
    return gpu_upload(gpu, s->sums, sums, sizeof *sums);
}

/*
 * Runs both sieves, range by range. Some ranges, those of low complexity, have many more candidates than others. A range whose candidates
 * do not fit is repeated with more space, or shorter. Later ranges become longer again when they fill less than half of the space.
 */
static tms_status sieve(tms_context *ctx, const struct two_hit_limits *limits, const struct shape *shape, struct gpu_scan *s,
                        uint32_t usual, struct gpu_sums *sums)
{
    struct gpu *gpu = ctx->gpu;
    const size_t n_blocks = (size_t)gpu->n_multiprocessors;
    uint32_t range = usual;
    tms_status status = TMS_OK;
    *sums = gpu_sums{};
    GPU_TRY(gpu, "two hits", cudaMemsetAsync(s->sums, 0, sizeof *s->sums, gpu->stream));
    for (uint64_t first = round_down(s->part_first); first < s->part_end && status == TMS_OK;) {
        const uint32_t end = (uint32_t)(first + range < s->part_end ? first + range : s->part_end);
        uint32_t most_found = 0;
        status = gpu_workspace_anew_of(gpu, "candidates", n_blocks * two_hit_room(s->capacity, limits->candidates), &s->candidates);
        status = GPU_ALSO(status, sieve_hits(ctx, shape, s, (uint32_t)first, end, sums, &most_found));
        if (status != TMS_OK)
            return status;
        if (most_found > s->capacity) {
            const uint32_t looked_at = round_down(end - (uint32_t)first + AT_ONCE - 1);
            range = looked_at < range ? looked_at : range;
            make_space(limits, most_found, s, &range);
            continue;
        }
        status = queue_bounds(gpu, s);
        first += range;
        if (most_found < s->capacity / 2)
            range = range < usual / 2 ? 2 * range : usual;
    }
    status = GPU_ALSO(status, queue_uncount(gpu, s));
    return GPU_ALSO(status, two_hit_gpu_read_sums(gpu, s, sums));
}

/* Repeats the sieves until the diagonals fit; *fits is false if there are more than the limit. */
static tms_status sieve_all(tms_context *ctx, const struct two_hit_limits *limits, struct gpu_scan *s, struct gpu_sums *sums, bool *fits)
{
    struct gpu *gpu = ctx->gpu;
    const struct shape shape = shape_for(gpu, s->word_size, s->n_positions);
    const uint32_t n_codes = s->part_end - round_down(s->part_first);
    const double all = (s->word_size == TWO_HIT_WORD_RESIDUES ? CANDIDATES_CELL : CANDIDATES_PAIR) * n_codes * s->n_positions,
                 keys = all * KEYS_CANDIDATE + 4096;
    const double of_block = all / gpu->n_multiprocessors;
    /* An upper bound, since candidates are word_size residues apart on a diagonal; their counters have 32 bits. */
    const double most_of_block = (double)n_codes * s->n_positions / s->word_size / gpu->n_multiprocessors;
    const double n_ranges = floor(fmax(of_block / (double)limits->candidates, most_of_block / 0x1p31)) + 1;
    const uint32_t range = round_down((uint32_t)(n_codes / n_ranges)) + AT_ONCE;
    const double expected = of_block / n_ranges + 4096;
    s->capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys
                                  : (uint32_t)(expected < (double)limits->candidates ? expected : (double)limits->candidates);
    s->keys_capacity = ctx->batch_keys ? s->capacity : (uint32_t)(keys < (double)limits->keys ? keys : (double)limits->keys);
    for (*fits = false; !*fits;) {
        tms_status status = gpu_workspace_anew_of(gpu, "diagonals", two_hit_room(s->keys_capacity, limits->keys), &s->keys);
        status = GPU_ALSO(status, sieve(ctx, limits, &shape, s, range, sums));
        if (status != TMS_OK || (sums->n_keys > limits->keys && !limits->is_one))
            return status;
        *fits = sums->n_keys <= s->keys_capacity;
        s->keys_capacity = sums->n_keys > s->keys_capacity ? sums->n_keys : s->keys_capacity;
    }
    return TMS_OK;
}

static tms_status sort_keys(struct gpu *gpu, const struct two_hit_limits *limits, struct gpu_scan *s, uint32_t n)
{
    uint64_t *other;
    tms_status status = gpu_workspace_anew_of(gpu, "diagonals in the sort", two_hit_room(n, limits->keys), &other);
    return GPU_ALSO(status, gpu_sort_keys(gpu, "sorting diagonals", &s->keys, other, n));
}

tms_status two_hit_gpu_replay(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, uint32_t n_keys,
                              struct gpu_sums *sums, bool *fits)
{
    struct gpu *gpu = ctx->gpu;
    const struct two_hit_limits limits = limits_for(gpu, part);
    const size_t expected = n_keys < limits.hsps ? n_keys : limits.hsps;
    tms_status status = sort_keys(gpu, &limits, s, n_keys);
    s->hsps_capacity = ctx->batch_keys ? (uint32_t)ctx->batch_keys : (uint32_t)expected + RESERVE;
    for (*fits = false; !*fits && status == TMS_OK;) {
        const size_t room = two_hit_room(s->hsps_capacity, limits.hsps + RESERVE);
        status = gpu_workspace_anew_of(gpu, "HSPs", room, &s->hsps);
        status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "keys of HSPs", room, &s->hsp_keys));
        status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "numbers of HSPs", room, &s->hsp_order));
        if (status != TMS_OK)
            return status;
        GPU_TRY(gpu, "extensions", cudaMemsetAsync(&s->sums->n_hsps, 0, sizeof s->sums->n_hsps, gpu->stream));
        GPU_TRY(gpu, "extensions", cudaMemsetAsync(&s->sums->n_diagonals, 0, sizeof s->sums->n_diagonals, gpu->stream));
        const auto replay = s->word_size == TWO_HIT_WORD_RESIDUES ? replay_kernel<TWO_HIT_WORD_RESIDUES> : replay_kernel<0>;
        replay<<<(unsigned)gpu->n_multiprocessors * 16, REPLAY_THREADS, 0, gpu->stream>>>(*s, n_keys);
        GPU_TRY(gpu, "extensions", cudaGetLastError());
        status = two_hit_gpu_read_sums(gpu, s, sums);
        if (sums->n_hsps > limits.hsps && !limits.is_one)
            return status;
        *fits = sums->n_hsps <= s->hsps_capacity;
        s->hsps_capacity = sums->n_hsps;
    }
    return status;
}

/* room [in] entries to allocate. */
static tms_status sort_hsps(struct gpu *gpu, struct gpu_scan *s, uint32_t n, size_t room)
{
    uint32_t *order;
    struct two_hit_gpu_hsp *sorted;
    tms_status status = gpu_workspace_anew_of(gpu, "order of HSPs", room, &order);
    status = GPU_ALSO(status, gpu_workspace_anew_of(gpu, "HSPs in order", room, &sorted));
    status = GPU_ALSO(status, gpu_sort_by_key(gpu, "sorting HSPs", s->hsp_keys, s->hsp_order, order, n, room));
    if (status != TMS_OK)
        return status;
    order_kernel<<<(n + THREADS - 1) / THREADS, THREADS, 0, gpu->stream>>>(s->hsps, order, n, sorted);
    GPU_TRY(gpu, "sorting HSPs", cudaGetLastError());
    s->hsps = sorted;
    return TMS_OK;
}

tms_status two_hit_gpu_fetch(tms_context *ctx, struct two_hit_gpu_found *found, size_t first, size_t n)
{
    if (n == 0)
        return TMS_OK;
    if (!array_reserve(&found->hsps, &found->capacity, found->n, sizeof *found->hsps))
        return context_fail_memory(ctx, "HSPs", found->n * sizeof *found->hsps);
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(ctx->gpu->index));
    GPU_TRY(ctx->gpu, "fetching HSPs",
            cudaMemcpyAsync(found->hsps + first, found->d_hsps + first, n * sizeof *found->hsps, cudaMemcpyDeviceToHost, ctx->gpu->stream));
    return gpu_wait(ctx->gpu);
}

void two_hit_gpu_found_free(struct two_hit_gpu_found *found)
{
    free(found->hsps);
    free(found->ends);
    *found = two_hit_gpu_found{};
}

/*
 * The position, among the codes, of the subject that is the first of a part or comes after its last; for the first of all, of the gap
 * before it; for the one after the last of all, the end.
 */
static tms_status subject_start(struct gpu *gpu, const struct two_hit_gpu_subjects *subjects, const uint32_t *sets, uint32_t number,
                                uint32_t *start)
{
    const uint32_t subject = sets ? sets[number] : number;
    *start = subject == 0 ? 0 : subjects->n_codes;
    if (subject == 0 || subject >= subjects->n)
        return TMS_OK;
    GPU_TRY(gpu, "positions of subjects",
            cudaMemcpyAsync(start, subjects->d_starts + subject, sizeof *start, cudaMemcpyDeviceToHost, gpu->stream));
    return gpu_wait(gpu);
}

tms_status two_hit_gpu_begin(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                             const struct two_hit_gpu_part *part, struct gpu_scan *s, struct two_hit_gpu_found *out)
{
    *s = gpu_scan{};
    s->codes = subjects->d_codes;
    s->words = subjects->d_words;
    s->starts = subjects->d_starts;
    s->n_codes = subjects->n_codes;
    s->n_subjects = subjects->n;
    s->n_positions = tables->n_positions;
    s->word_size = tables->word_size;
    s->word_none = long_words_are(tables->word_size) ? 0 : word_none(tables->word_size);
    s->n_long_words = two_hit_gpu_n_long_words(tables);
    s->n_diagonals = n_diagonals_for(tables->word_size, tables->n_positions);
    s->window = tables->window;
    s->threshold = tables->threshold;
    out->n = out->n_ends = 0;
    out->n_hits = out->n_candidates = out->n_diagonals = out->n_words = 0;
    out->expected_hits = 0;
    if (part->first >= part->end)
        return TMS_OK;
    GPU_TRY(ctx->gpu, "choosing the device", cudaSetDevice(subjects->index));
    tms_status status = upload_tables(ctx->gpu, tables, s);
    status = GPU_ALSO(status, gpu_workspace_of(ctx->gpu, "sums of two hits", 1, &s->sums));
    status = GPU_ALSO(status, gpu_fault_if_asked(ctx->gpu));
    out->d_codes = s->codes;
    out->d_starts = s->starts;
    out->d_query_codes = s->query_codes;
    return status;
}

tms_status two_hit_gpu_end(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, const struct gpu_sums *sums,
                           struct two_hit_gpu_found *out)
{
    out->room = two_hit_room(sums->n_hsps, limits_for(ctx->gpu, part).hsps);
    tms_status status = sums->n_hsps > 0 ? sort_hsps(ctx->gpu, s, sums->n_hsps, out->room) : TMS_OK;
    out->n = status == TMS_OK ? sums->n_hsps : 0;
    out->d_hsps = s->hsps;
    out->n_hits = sums->n_hits;
    out->n_candidates = s->n_long_words > 0 ? sums->n_hits : sums->n_candidates; /* the second sieve takes all hits of long words */
    out->n_diagonals = sums->n_diagonals;
    return status;
}

/* Scans a part; *fits is false if the results do not fit. */
static tms_status scan_part(tms_context *ctx, const struct two_hit_gpu_part *part, struct gpu_scan *s, struct gpu_sums *sums, bool *fits,
                            struct two_hit_gpu_found *out)
{
    const struct two_hit_limits limits = limits_for(ctx->gpu, part);
    tms_status status = long_words_are(s->word_size) ? long_words_sieve(ctx, &limits, s, sums, fits, out)
                                                     : sieve_all(ctx, &limits, s, sums, fits);
    if (status != TMS_OK || !*fits || sums->n_keys == 0)
        return status;
    if (sums->n_keys >= MOST_KEYS) /* the part is a single subject */
        return context_fail(ctx, TMS_E_MEMORY, "GPU, two hits: more than %u hits of low complexity in one sequence", MOST_KEYS);
    return two_hit_gpu_replay(ctx, part, s, sums->n_keys, sums, fits);
}

tms_status two_hit_gpu_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                            struct two_hit_gpu_part *part, struct two_hit_gpu_found *out)
{
    struct gpu_scan s;
    struct gpu_sums sums = {};
    bool fits = false;
    tms_status status = two_hit_gpu_begin(ctx, subjects, tables, part, &s, out);
    if (status != TMS_OK || part->first >= part->end)
        return status;
    status = gpu_workspace_of(ctx->gpu, "numbers of candidates", (size_t)ctx->gpu->n_multiprocessors, &s.n_candidates);
    status = GPU_ALSO(status, subject_start(ctx->gpu, subjects, part->sets, part->first, &s.part_first));
    while (status == TMS_OK && !fits) {
        status = subject_start(ctx->gpu, subjects, part->sets, part->end, &s.part_end);
        status = GPU_ALSO(status, scan_part(ctx, part, &s, &sums, &fits, out));
        if (status == TMS_OK && !fits)
            part->end = part->first + (part->end - part->first) / 2;
    }
    return GPU_ALSO(status, two_hit_gpu_end(ctx, part, &s, &sums, out));
}
