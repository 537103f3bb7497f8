/* search_queries.c - masks are found for a whole query, and again for each chunk, because they depend on the residues around a position. */
#include "search/search_queries.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/lesser.h"
#include "search/search_program.h"

enum { MOST_RESIDUES = 1 << 30 }; /* most residues of a query */

/* Working memory of one thread. */
struct masker {
    void *own; /* the program's own masker */
    struct intervals masked;
    struct residue_range *ranges; /* the masked intervals; those that touch are joined */
    size_t n_ranges, ranges_capacity;
};

struct preparation {
    const struct search_setup *setup;
    const tms_seqs *seqs;
    struct search_queries *queries;
    struct masker *maskers;
    atomic_int status;
};

/* --- whole queries --- */

/* Sets m->ranges to what lies of a query's intervals in a part of it, with positions in it, each longer by `more` at its end. */
static tms_status join_ranges(const struct intervals *masked, int more, struct residue_range part, struct masker *m)
{
    const int n = part.end - part.first;

    if (!array_reserve(&m->ranges, &m->ranges_capacity, masked->n + 1, sizeof *m->ranges))
        return TMS_E_MEMORY;
    m->n_ranges = 0;
    for (size_t i = 0; i < masked->n; i++) {
        struct residue_range next = {greater((int)masked->items[i].start - part.first, 0), (int)masked->items[i].end - part.first};
        if (next.end <= 0 || next.first >= n)
            continue;
        next.end = lesser(next.end + more, n);
        if (m->n_ranges > 0 && next.first <= m->ranges[m->n_ranges - 1].end)
            m->ranges[m->n_ranges - 1].end = next.end;
        else
            m->ranges[m->n_ranges++] = next;
    }
    return TMS_OK;
}

static void fail(struct preparation *p, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&p->status, status);
}

static const uint8_t *characters_of(const struct preparation *p, size_t query)
{
    return p->seqs->residues + p->seqs->residue_starts[query];
}

/* Returns the codes of a query; the byte after them is 0. */
static uint8_t *codes_of(const struct preparation *p, size_t query)
{
    return p->queries->codes + 1 + (p->seqs->residue_starts[query] - p->seqs->residue_starts[0]);
}

static void prepare_query(void *arg, size_t i, int thread)
{
    struct preparation *p = arg;
    struct masker *m = &p->maskers[thread];
    const int n = (int)tms_seqs_length(p->seqs, i);
    tms_status status = p->setup->program->mask_query(p->setup, &m->own, characters_of(p, i), codes_of(p, i), (size_t)n, &m->masked);

    if (status == TMS_OK)
        status = join_ranges(&m->masked, 0, (struct residue_range){0, n}, m);
    if (status == TMS_OK) {
        const struct query_part whole = {codes_of(p, i), n, NULL, NULL, m->ranges, m->n_ranges};
        status = p->setup->program->prepare_query(p->setup, &m->own, &whole, &p->queries->whole[i]);
    }
    if (status == TMS_OK) {
        p->queries->masked[i] = m->masked;
        memset(&m->masked, 0, sizeof m->masked);
    }
    fail(p, status);
}

/* --- chunks --- */

/* Adds a chunk, and a place for what is searched with. */
static tms_status add_chunk(struct search_queries *queries, struct query_chunk chunk)
{
    if (!array_reserve(&queries->chunks, &queries->chunks_capacity, queries->n_chunks + 1, sizeof *queries->chunks))
        return TMS_E_MEMORY;
    if (queries->searched != queries->whole) {
        if (!array_reserve(&queries->searched, &queries->searched_capacity, queries->n_chunks + 1, sizeof *queries->searched))
            return TMS_E_MEMORY;
        memset(&queries->searched[queries->n_chunks], 0, sizeof *queries->searched);
    }
    queries->chunks[queries->n_chunks++] = chunk;
    return TMS_OK;
}

/* Sets m->ranges to the masked ranges of a chunk. */
static tms_status find_chunk_masked(const struct preparation *p, size_t query, struct residue_range part, struct masker *m)
{
    const struct search_program *program = p->setup->program;
    const int n = part.end - part.first;
    tms_status status;

    if (program->mask_chunk == NULL)
        return join_ranges(&p->queries->masked[query], 1, part, m);
    status = program->mask_chunk(p->setup, &m->own, characters_of(p, query) + part.first, codes_of(p, query) + part.first, (size_t)n,
                                 &m->masked);
    return status == TMS_OK ? join_ranges(&m->masked, 0, (struct residue_range){0, n}, m) : status;
}

/*
 * Adds residues from .. to - 1 of a query as a chunk. Its effective search space is that of the query whose number in the batch is the
 * number of this part in the chunk [sic].
 *
 * All chunks of an invalid query are invalid. The masks of a chunk may leave residues although those of the query leave none, but hits of
 * the chunk could not be aligned.
 */
static tms_status cut_query(struct preparation *p, size_t query, int from, int to, size_t space_of)
{
    struct search_queries *queries = p->queries;
    const bool has_strands = p->setup->program->has_strands;
    struct masker *m = &p->maskers[0];
    struct query_part part = {codes_of(p, query) + from, to - from, &queries->whole[query], &queries->whole[space_of], NULL, 0};
    tms_status status = add_chunk(queries, (struct query_chunk){query, from, queries->n_numbers, false});

    if (status != TMS_OK || (!queries->whole[query].is_valid && !has_strands))
        return status;
    status = find_chunk_masked(p, query, (struct residue_range){from, to}, m);
    if (status != TMS_OK)
        return status;
    part.masked = m->ranges;
    part.n_masked = m->n_ranges;
    return p->setup->program->prepare_query(p->setup, &m->own, &part, &queries->searched[queries->n_chunks - 1]);
}

static void prepare_batch(const struct preparation *p, struct search_query *queries, size_t n)
{
    if (p->setup->program->prepare_batch != NULL)
        p->setup->program->prepare_batch(p->setup, queries, n);
}

/* Adds the parts of a batch's queries that lie in one chunk, residues from .. to - 1 of the batch. */
static tms_status cut_chunk(struct preparation *p, size_t first, size_t end, int64_t from, int64_t to)
{
    const struct search_query *whole = p->queries->whole;
    const size_t n_chunks_before = p->queries->n_chunks;
    tms_status status = TMS_OK;
    size_t n_before = 0;
    int64_t at = 0;

    for (size_t i = first; i < end && at < to && status == TMS_OK; i++) {
        int64_t length = whole[i].length;
        if (at + length > from && length > 0)
            status = cut_query(p, i, (int)(from > at ? from - at : 0), (int)(to < at + length ? to - at : length), first + n_before++);
        at += length;
    }
    if (status == TMS_OK)
        prepare_batch(p, p->queries->searched + n_chunks_before, p->queries->n_chunks - n_chunks_before);
    return status;
}

static tms_status take_whole(struct search_queries *queries, size_t first, size_t end)
{
    tms_status status = TMS_OK;

    for (size_t i = first; i < end && status == TMS_OK; i++) {
        status = add_chunk(queries, (struct query_chunk){i, 0, queries->n_numbers, true});
        if (status == TMS_OK && queries->searched != queries->whole)
            queries->searched[queries->n_chunks - 1] = queries->whole[i];
    }
    queries->n_numbers++;
    return status;
}

/* Whether a batch of `residues` residues is cut into chunks. */
static bool is_cut(const struct preparation *p, size_t first, size_t end, int64_t residues)
{
    const struct search_program *program = p->setup->program;

    return residues >= 2 * (int64_t)program->chunk_residues(p->setup) && !p->setup->ungapped && (!program->translates || end - first == 1);
}

static int64_t residues_of(const struct preparation *p, size_t first, size_t end)
{
    int64_t residues = 0;

    for (size_t i = first; i < end; i++)
        residues += p->queries->whole[i].length;
    return residues;
}

static tms_status cut_batch(struct preparation *p, size_t first, size_t end)
{
    const struct search_program *program = p->setup->program;
    const int chunk_residues = program->chunk_residues(p->setup);
    const int64_t residues = residues_of(p, first, end);
    int64_t n_chunks, size;
    tms_status status = TMS_OK;

    prepare_batch(p, p->queries->whole + first, end - first);
    if (!is_cut(p, first, end, residues))
        return take_whole(p->queries, first, end);
    n_chunks = residues / chunk_residues;
    size = program->translates ? chunk_residues + program->chunk_overlap : (residues + (n_chunks - 1) * program->chunk_overlap) / n_chunks;
    if (!program->translates && n_chunks < size - program->chunk_overlap)
        size++;
    for (int64_t k = 0, to = 0; k < n_chunks && to < residues && status == TMS_OK; k++) {
        int64_t from = k * (size - program->chunk_overlap);
        to = k == n_chunks - 1 || from + size > residues ? residues : from + size;
        status = cut_chunk(p, first, end, from, to);
        p->queries->n_numbers++;
    }
    return status;
}

static tms_status cut_batches(struct preparation *p, uint64_t batch_residues)
{
    struct search_queries *queries = p->queries;
    const size_t *starts = queries->batch_starts;
    bool is_any_cut = false;
    tms_status status = TMS_OK;

    for (size_t first = 0, end; first < queries->n; first = end) {
        uint64_t residues = 0;
        for (end = first; end < queries->n && (end == first || residues < batch_residues); end++)
            residues += (uint64_t)queries->whole[end].length;
        queries->batch_starts[queries->n_batches++] = first;
        is_any_cut |= is_cut(p, first, end, (int64_t)residues);
    }
    queries->batch_starts[queries->n_batches] = queries->n;
    queries->searched = is_any_cut ? NULL : queries->whole;
    for (size_t b = 0; b < queries->n_batches && status == TMS_OK; b++)
        status = cut_batch(p, starts[b], starts[b + 1]);
    return status;
}

/* --- a call's queries --- */

static tms_status encode(tms_context *ctx, const struct preparation *p)
{
    const tms_alphabet alphabet = p->setup->program->query_alphabet;

    for (size_t i = 0; i < p->seqs->n_records; i++) {
        uint64_t n = tms_seqs_length(p->seqs, i), record = p->seqs->first_record + i + 1, n_encoded;
        if (n > MOST_RESIDUES)
            return context_fail(ctx, TMS_E_ARG, "query %llu has %llu letters: at most 2^30 are taken", (unsigned long long)record,
                                (unsigned long long)n);
        n_encoded = tms_alphabet_encode(alphabet, characters_of(p, i), (size_t)n, codes_of(p, i));
        if (n_encoded < n)
            return context_fail(ctx, TMS_E_ARG, "query %llu: byte 0x%02x at position %llu is no letter of a %s", (unsigned long long)record,
                                characters_of(p, i)[n_encoded], (unsigned long long)n_encoded + 1,
                                alphabet == TMS_ALPHABET_NCBISTDAA ? "protein" : "nucleotide");
    }
    return TMS_OK;
}

static tms_status prepare(tms_context *ctx, struct preparation *p, uint64_t batch_residues)
{
    tms_status status = encode(ctx, p);

    if (status == TMS_OK)
        status = tms_context_run(ctx, p->seqs->n_records, prepare_query, p);
    if (status == TMS_OK)
        status = (tms_status)atomic_load(&p->status);
    return status == TMS_OK ? cut_batches(p, batch_residues) : status;
}

tms_status search_queries_init(tms_context *ctx, const struct search_setup *setup, const tms_seqs *seqs, uint64_t batch_residues,
                               struct search_queries *out)
{
    struct preparation p = {.setup = setup, .seqs = seqs, .queries = out};
    size_t n = seqs->n_records, n_maskers = (size_t)tms_context_threads(ctx);
    uint64_t n_bytes = n > 0 ? seqs->residue_starts[n] - seqs->residue_starts[0] : 0;
    tms_status status = TMS_E_MEMORY;

    memset(out, 0, sizeof *out);
    out->n = n;
    out->n_residues = n_bytes - n; /* a byte lies between two records */
    out->codes = calloc(n_bytes + 2, 1);
    out->whole = calloc(n + 1, sizeof *out->whole);
    out->masked = calloc(n + 1, sizeof *out->masked);
    out->batch_starts = calloc(n + 1, sizeof *out->batch_starts);
    p.maskers = calloc(n_maskers, sizeof *p.maskers);
    atomic_init(&p.status, TMS_OK);
    if (out->codes != NULL && out->whole != NULL && out->masked != NULL && out->batch_starts != NULL && p.maskers != NULL)
        status = prepare(ctx, &p, batch_residues);
    for (size_t i = 0; i < n_maskers && p.maskers != NULL; i++) {
        setup->program->free_masker(p.maskers[i].own);
        free(p.maskers[i].masked.items);
        free(p.maskers[i].ranges);
    }
    free(p.maskers);
    return status == TMS_E_MEMORY ? context_fail_memory(ctx, "queries", n_bytes) : status;
}

static void free_chunks(struct search_queries *queries)
{
    for (size_t i = 0; i < queries->n_chunks; i++)
        if (!queries->chunks[i].is_whole)
            search_query_free(&queries->searched[i]);
    if (queries->searched != queries->whole)
        free(queries->searched);
    free(queries->chunks);
    queries->searched = NULL;
    queries->chunks = NULL;
    queries->n_chunks = queries->chunks_capacity = queries->searched_capacity = 0;
}

void search_queries_end_search(struct search_queries *queries)
{
    bool is_translated = false;

    free_chunks(queries);
    for (size_t i = 0; i < queries->n; i++) {
        search_query_end_search(&queries->whole[i]);
        is_translated |= queries->whole[i].frames != NULL;
    }
    if (is_translated)
        return;
    free(queries->whole);
    queries->whole = NULL;
}

void search_queries_free(struct search_queries *queries)
{
    free_chunks(queries);
    for (size_t i = 0; i < queries->n; i++) {
        if (queries->whole != NULL)
            search_query_free(&queries->whole[i]);
        if (queries->masked != NULL)
            free(queries->masked[i].items);
    }
    free(queries->codes);
    free(queries->whole);
    free(queries->masked);
    free(queries->batch_starts);
    memset(queries, 0, sizeof *queries);
}
