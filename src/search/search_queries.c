/* search_queries.c - masks are made for a whole query, and once more for each piece of it, because SEG looks at neighbours. */
#include "search/search_queries.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "hits/chunk_merge.h"
#include "mask/lower_case.h"
#include "tamis/alphabet.h"

enum {
    CHUNK_RESIDUES = 9900, /* a batch of twice as many is cut */
    MOST_RESIDUES = 1 << 30
};

/* A thread's own. */
struct masker {
    struct seg *seg;
    struct intervals found, merged;
    struct residue_range *ranges;
    size_t n_ranges, ranges_capacity;
};

struct preparation {
    const struct search_setup *setup;
    const struct blastp_masking *masking;
    const tms_seqs *seqs;
    struct search_queries *queries;
    struct masker *maskers;
    atomic_int status;
};

/* --- masks --- */

/* Of those that begin together the longest is first: one of a single residue is then in it. */
static int compare_intervals(const void *pa, const void *pb)
{
    const tms_interval *a = pa, *b = pb;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->end > b->end ? -1 : a->end < b->end;
}

/* Ascending, and those joined that have as many residues in common. */
static bool unite(struct intervals *from, uint64_t in_common, struct intervals *to)
{
    to->n = 0;
    if (from->n > 1)
        qsort(from->items, from->n, sizeof *from->items, compare_intervals);
    for (size_t i = 0; i < from->n; i++) {
        const tms_interval *next = &from->items[i];
        if (to->n > 0 && next->start + in_common <= to->items[to->n - 1].end) {
            if (next->end > to->items[to->n - 1].end)
                to->items[to->n - 1].end = next->end;
        } else if (!intervals_add(to, next->start, next->end)) {
            return false;
        }
    }
    return true;
}

/* What is masked of residues that are a query or a piece of one, into masker->merged and, apart from each other, masker->ranges. */
static bool find_masked(const struct blastp_masking *masking, const uint8_t *residues, const uint8_t *codes, size_t n, struct masker *m)
{
    m->found.n = 0;
    if (masking->seg && m->seg == NULL && (m->seg = seg_create(&masking->seg_params)) == NULL)
        return false;
    /* As BLAST joins them, whose reports tell: those of SEG that have a residue in common, then all that have two. */
    if (masking->seg) {
        struct intervals joined;
        if (!seg_mask(m->seg, codes, n, &m->found) || !unite(&m->found, 1, &m->merged))
            return false;
        joined = m->merged;
        m->merged = m->found;
        m->found = joined;
    }
    if ((masking->lower_case && !lower_case_mask(residues, n, &m->found)) || !unite(&m->found, 2, &m->merged) ||
        !array_reserve(&m->ranges, &m->ranges_capacity, m->merged.n + 1, sizeof *m->ranges))
        return false;
    m->n_ranges = 0;
    for (size_t i = 0; i < m->merged.n; i++) {
        const struct residue_range next = {(int)m->merged.items[i].start, (int)m->merged.items[i].end};
        if (m->n_ranges > 0 && next.first <= m->ranges[m->n_ranges - 1].end)
            m->ranges[m->n_ranges - 1].end = next.end;
        else
            m->ranges[m->n_ranges++] = next;
    }
    return true;
}

static void fail(struct preparation *p, tms_status status)
{
    if (status != TMS_OK)
        atomic_store(&p->status, status);
}

/* Where a query's residues, and their codes, begin: behind each there is one byte, which is 0. */
static const uint8_t *residues_of(const struct preparation *p, size_t query) { return p->seqs->residues + p->seqs->residue_starts[query]; }
static uint8_t *codes_of(const struct preparation *p, size_t query)
{
    return p->queries->codes + 1 + (p->seqs->residue_starts[query] - p->seqs->residue_starts[0]);
}

static void prepare_query(void *arg, size_t i, int thread)
{
    struct preparation *p = arg;
    struct masker *m = &p->maskers[thread];
    struct intervals *masked = &p->queries->masked[i];
    size_t n = (size_t)tms_seqs_length(p->seqs, i);

    if (!find_masked(p->masking, residues_of(p, i), codes_of(p, i), n, m)) {
        fail(p, TMS_E_MEMORY);
        return;
    }
    fail(p, blastp_query_init(p->setup, codes_of(p, i), (int)n, (int)n, m->ranges, m->n_ranges, &p->queries->whole[i]));
    *masked = m->merged;
    memset(&m->merged, 0, sizeof m->merged);
}

/* --- chunks --- */

static tms_status add_piece(struct search_queries *queries, struct query_chunk piece)
{
    if (!array_reserve(&queries->pieces, &queries->pieces_capacity, queries->n_pieces + 1, sizeof *queries->pieces) ||
        !array_reserve(&queries->searched, &queries->searched_capacity, queries->n_pieces + 1, sizeof *queries->searched))
        return TMS_E_MEMORY;
    memset(&queries->searched[queries->n_pieces], 0, sizeof *queries->searched);
    queries->pieces[queries->n_pieces++] = piece;
    return TMS_OK;
}

/* Residues from .. to - 1 of a query. With the older statistics it counts as long as the query with the same number in the batch [sic]. */
static tms_status cut_piece(struct preparation *p, size_t query, int from, int to, size_t length_of)
{
    struct search_queries *queries = p->queries;
    struct masker *m = &p->maskers[0];
    tms_status status = add_piece(queries, (struct query_chunk){query, from, false});

    if (status != TMS_OK)
        return status;
    if (!find_masked(p->masking, residues_of(p, query) + from, codes_of(p, query) + from, (size_t)(to - from), m))
        return TMS_E_MEMORY;
    return blastp_query_init(p->setup, codes_of(p, query) + from, to - from, queries->whole[length_of].length, m->ranges, m->n_ranges,
                             &queries->searched[queries->n_pieces - 1]);
}

/* The parts of all queries of a batch that lie in one chunk: residues from .. to - 1 of the queries, one after the other. */
static tms_status cut_chunk(struct preparation *p, size_t first, size_t end, int64_t from, int64_t to)
{
    const struct search_query *whole = p->queries->whole;
    tms_status status = TMS_OK;
    size_t n_before = 0;
    int64_t at = 0;

    for (size_t i = first; i < end && at < to && status == TMS_OK; i++) {
        int64_t length = whole[i].length;
        if (at + length > from && length > 0)
            status = cut_piece(p, i, (int)(from > at ? from - at : 0), (int)(to < at + length ? to - at : length), first + n_before++);
        at += length;
    }
    return status;
}

static tms_status cut_batch(struct preparation *p, size_t first, size_t end)
{
    struct search_queries *queries = p->queries;
    int64_t residues = 0, n_chunks, size;
    tms_status status = TMS_OK;

    for (size_t i = first; i < end; i++)
        residues += queries->whole[i].length;
    if (residues < 2 * CHUNK_RESIDUES || p->setup->params.ungapped) {
        for (size_t i = first; i < end && status == TMS_OK; i++) {
            status = add_piece(queries, (struct query_chunk){i, 0, true});
            if (status == TMS_OK)
                queries->searched[queries->n_pieces - 1] = queries->whole[i];
        }
        return status;
    }
    n_chunks = residues / CHUNK_RESIDUES;
    size = (residues + (n_chunks - 1) * CHUNK_OVERLAP) / n_chunks;
    if (n_chunks < size - CHUNK_OVERLAP)
        size++;
    for (int64_t k = 0, to = 0; k < n_chunks && to < residues && status == TMS_OK; k++) {
        int64_t from = k * (size - CHUNK_OVERLAP);
        to = k == n_chunks - 1 || from + size > residues ? residues : from + size;
        status = cut_chunk(p, first, end, from, to);
    }
    return status;
}

static tms_status cut_batches(struct preparation *p, uint64_t batch_residues)
{
    struct search_queries *queries = p->queries;
    tms_status status = TMS_OK;

    for (size_t first = 0, end; first < queries->n && status == TMS_OK; first = end) {
        uint64_t residues = 0;
        for (end = first; end < queries->n && (end == first || residues < batch_residues); end++)
            residues += (uint64_t)queries->whole[end].length;
        queries->batch_starts[queries->n_batches++] = first;
        status = cut_batch(p, first, end);
    }
    queries->batch_starts[queries->n_batches] = queries->n;
    return status;
}

/* --- all of it --- */

static tms_status encode(tms_context *ctx, const struct preparation *p)
{
    for (size_t i = 0; i < p->seqs->n_records; i++) {
        uint64_t n = tms_seqs_length(p->seqs, i), record = p->seqs->first_record + i + 1;
        size_t n_encoded;
        if (n > MOST_RESIDUES)
            return context_fail(ctx, TMS_E_ARG, "query %llu has %llu letters: at most 2^30 are taken", (unsigned long long)record,
                                (unsigned long long)n);
        n_encoded = tms_alphabet_encode(TMS_ALPHABET_NCBISTDAA, residues_of(p, i), (size_t)n, codes_of(p, i));
        if (n_encoded < n)
            return context_fail(ctx, TMS_E_ARG, "query %llu: byte 0x%02x at position %llu is no letter of a protein",
                                (unsigned long long)record, residues_of(p, i)[n_encoded], (unsigned long long)n_encoded + 1);
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

tms_status search_queries_init(tms_context *ctx, const struct search_setup *setup, const struct blastp_masking *masking,
                               const tms_seqs *seqs, uint64_t batch_residues, struct search_queries *out)
{
    struct preparation p = {.setup = setup, .masking = masking, .seqs = seqs, .queries = out};
    size_t n = seqs->n_records, n_maskers = (size_t)tms_context_threads(ctx);
    uint64_t n_bytes = n > 0 ? seqs->residue_starts[n] - seqs->residue_starts[0] : 0;
    tms_status status = TMS_E_MEMORY;

    memset(out, 0, sizeof *out);
    out->n = n;
    out->codes = calloc(n_bytes + 2, 1);
    out->whole = calloc(n + 1, sizeof *out->whole);
    out->masked = calloc(n + 1, sizeof *out->masked);
    out->batch_starts = calloc(n + 1, sizeof *out->batch_starts);
    p.maskers = calloc(n_maskers, sizeof *p.maskers);
    atomic_init(&p.status, TMS_OK);
    if (out->codes != NULL && out->whole != NULL && out->masked != NULL && out->batch_starts != NULL && p.maskers != NULL)
        status = prepare(ctx, &p, batch_residues);
    for (size_t i = 0; i < n_maskers && p.maskers != NULL; i++) {
        seg_destroy(p.maskers[i].seg);
        free(p.maskers[i].found.items);
        free(p.maskers[i].merged.items);
        free(p.maskers[i].ranges);
    }
    free(p.maskers);
    return status == TMS_E_MEMORY ? context_fail_memory(ctx, "queries", n_bytes) : status;
}

void search_queries_free(struct search_queries *queries)
{
    for (size_t i = 0; i < queries->n_pieces; i++)
        if (!queries->pieces[i].is_whole)
            search_query_free(&queries->searched[i]);
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
    free(queries->searched);
    free(queries->pieces);
    memset(queries, 0, sizeof *queries);
}
