/* seed_query.c - see seed_query.h. */
#include "cli/seeds/seed_query.h"

#include <stdlib.h>

#include "base/array.h"

/* ---- the batches ---------------------------------------------------------------------------------------------------------------- */

/* Adds the batch that a piece holds. Returns 0 if there is no memory. */
static int add_batch(seed_query *query, size_t *capacity, const tms_dna *dna)
{
    const seed_query_batch *last;
    seed_query_batch batch = {.dna = dna};

    if (!array_reserve(&query->batches, capacity, query->n_batches + 1, sizeof *query->batches))
        return 0;
    if (query->n_batches > 0) {
        const tms_dna_part *before;
        last = &query->batches[query->n_batches - 1];
        before = &last->dna->parts[last->dna->n_parts - 1];
        if (dna->parts->record == before->record)
            batch.n_again = (uint32_t)(before->offset + before->n_bases - dna->parts->offset);
        batch.first_base = last->first_base + last->dna->n_bases - batch.n_again;
    }
    query->batches[query->n_batches++] = batch;
    return 1;
}

io_status seed_query_read(seqio_dna *dna, seed_query *out, io_error *err)
{
    const seqio_dna_piece *piece = NULL;
    size_t capacity = 0;
    io_status status = seqio_dna_ahead_create(dna, &out->pieces, err);

    if (status == IO_OK)
        status = seqio_dna_ahead_next(out->pieces, &piece, err);
    while (status == IO_OK) {
        if (!add_batch(out, &capacity, &piece->chunk.dna))
            return io_fail_memory(err, "the query");
        status = piece->next != NULL ? IO_OK : seqio_dna_ahead_more(out->pieces, err);
        piece = piece->next;
    }
    return status == IO_END ? IO_OK : status;
}

void seed_query_free(seed_query *query)
{
    free(query->batches);
    seqio_dna_ahead_destroy(query->pieces);
    *query = (seed_query){0};
}

/* ---- borders -------------------------------------------------------------------------------------------------------------------- */

/* Adds the entry of the w-mer that begins at a base, if it is one. The table may have it or its reverse complement. */
static tms_status add_border(seed_query *query, tms_context *ctx, const tms_seeds *seeds, uint32_t word_size, size_t first)
{
    const tms_dna *dna = query->batches[query->batch].dna;
    const tms_dna_part part = {.name = "", .n_bases = word_size};
    uint64_t codes[2][TMS_DNA_WORDS(TMS_SEEDS_MAX_WORD)] = {{0}};
    tms_status status = TMS_OK;

    if (tms_dna_same(dna, first, dna, first, 0, word_size) < word_size) /* an ambiguous base */
        return TMS_OK;
    for (size_t i = 0; i < word_size; i++) {
        const uint64_t base = dna->codes[(first + i) / 32] >> 2 * ((first + i) % 32) & 3;
        codes[0][0] |= base << 2 * i;
        codes[1][0] |= (3 - base) << 2 * (word_size - 1 - i);
    }
    for (int strand = 0; strand < 2 && status == TMS_OK; strand++) {
        const tms_dna word = {.codes = codes[strand], .n_bases = word_size, .parts = &part, .n_parts = 1};
        tms_seed_hit hits[TMS_SEEDS_MAX_WORD];
        tms_seeds_tally tally = {0};
        size_t n_hits;
        status = tms_seeds_scan(ctx, seeds, &word, hits, &n_hits, &tally);
        if (status == TMS_OK && n_hits > 0)
            query->borders[query->n_borders++] = hits->word & INT32_MAX;
    }
    return status;
}

tms_status seed_query_find_borders(seed_query *query, tms_context *ctx, const tms_seeds *seeds, uint32_t word_size)
{
    const tms_dna *dna = query->batches[query->batch].dna;
    tms_status status = TMS_OK;

    query->n_borders = 0;
    if (query->batch > 0 && dna->parts->offset > 0 && dna->n_bases >= word_size)
        status = add_border(query, ctx, seeds, word_size, 0);
    if (status == TMS_OK && query->batch + 1 < query->n_batches && dna->n_bases >= word_size)
        status = add_border(query, ctx, seeds, word_size, dna->n_bases - word_size);
    return status;
}

/* ---- walks ---------------------------------------------------------------------------------------------------------------------- */

int seed_walk_on(const seed_query *query, seed_walk *walk)
{
    const tms_dna_part *part = &walk->dna->parts[walk->part], *other;
    const seed_query_batch *batch;

    if (walk->is_down) {
        if (part->offset == 0)
            return 0;
        batch = &query->batches[--walk->batch];
        walk->part = batch->dna->n_parts - 1;
        other = &batch->dna->parts[walk->part];
        walk->left = (size_t)(part->offset - other->offset); /* the bases that both have were walked over */
        walk->base = other->start + walk->left - 1;
    } else {
        if (walk->part + 1 < walk->dna->n_parts || walk->batch + 1 == query->n_batches)
            return 0;
        batch = &query->batches[walk->batch + 1];
        if (batch->dna->parts->record != part->record)
            return 0;
        walk->batch++;
        walk->part = 0;
        walk->base = batch->n_again;
        walk->left = batch->dna->parts->n_bases - batch->n_again;
    }
    walk->dna = batch->dna;
    return walk->left > 0;
}

size_t seed_walk_same(const seed_query *query, seed_walk *walk, const tms_dna *subject, size_t at, size_t n)
{
    size_t n_same = 0;

    while (n_same < n && seed_walk_has_more(query, walk)) {
        const size_t most = walk->left < n - n_same ? walk->left : n - n_same;
        const size_t same = tms_dna_same(subject, at + n_same, walk->dna, walk->base, walk->is_down, most);
        n_same += same;
        walk->left -= same;
        walk->base = walk->is_down ? walk->base - same : walk->base + same;
        if (same < most)
            break;
    }
    return n_same;
}
