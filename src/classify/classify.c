/*
 * classify.c - classifies reads against reference filters.
 *
 * A thread cuts units into pieces of SCAN_BASES and collects them into a group. It first encodes and hashes all pieces of the group and
 * prefetches the filter blocks that they will read; then it looks the pieces up one by one and tallies them. Memory is that of a group,
 * whatever a read's length. Threads take ranges of units; the result of a unit does not depend on other units.
 *
 * If the filters are on the context's GPU, it first computes the masks of the whole batch, and threads tally them.
 */
#include <string.h>

#include "classify/unit_tally.h"
#include "classify/word_scan_cuda.h"
#include "classify/word_sieve.h"

#define UNITS_A_TASK 256
#define UNITS_AHEAD  12

/* Part of a strand of a mate: up to SCAN_BASES bases. */
struct piece {
    uint64_t at, length; /* at: position of the piece in the mate; length: bases of the mate */
    size_t unit, mate;
    size_t offset; /* in the mate's masks, where the piece begins */
    uint32_t n_bases;
    bool ends_strand, ends_mate, ends_unit;
};

/* The state of a thread. Pieces come in order, so only one unit is open at a time. */
struct worker {
    struct sieve sieve;
    struct piece pieces[SIEVE_PIECES]; /* what sieve.pieces are part of */
    struct unit_tally unit;
};

struct classifying {
    const tms_classifier *classifier;
    struct scan_shape shape;
    const tms_reads *mates;
    size_t n_mates, n_units;
    struct worker *workers;
    tms_classified *out;
    tms_reference_score *scores;
    bool is_on_gpu;
    struct scan_planes planes[2][2]; /* masks [mate][strand]; strand 0: plus strand or both, strand 1: minus strand */
};

/* --- pieces --- */

static void end_piece(const struct classifying *c, struct worker *w, const struct piece *piece)
{
    const tms_classifier *classifier = c->classifier;
    if (piece->ends_strand)
        unit_end_strand(classifier, &w->unit, piece->length);
    if (piece->ends_mate)
        unit_end_mate(classifier, &w->unit, piece->length);
    if (piece->ends_unit)
        unit_end(classifier, &w->unit, &c->out[piece->unit], c->scores ? &c->scores[piece->unit * classifier->n_filters] : NULL);
}

static void look_up_group(const struct classifying *c, struct worker *w)
{
    uint64_t may_hit[SIEVE_PIECES];
    sieve_look_up(&c->shape, &w->sieve, c->classifier->filters, c->classifier->n_filters, may_hit);
    for (uint32_t i = 0; i < w->sieve.n_pieces; i++) {
        unit_look_up(c->classifier, &c->shape, &w->sieve.pieces[i], w->pieces[i].at, may_hit[i], &w->unit);
        end_piece(c, w, &w->pieces[i]);
    }
    w->sieve.n_pieces = 0;
}

/* Copies the mask of n_starts w-mers from a plane, as whole words for n_bases bases. Returns the number of ones. */
static uint64_t mask_of_plane(const struct scan_planes *planes, size_t plane, size_t offset, uint32_t n_starts, uint32_t n_bases,
                              uint64_t mask[SCAN_MASK])
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < (n_bases + 63) / 64; i++) {
        uint64_t bits = 64 * i < n_starts ? scan_planes_bits(planes, plane, offset + 64 * i) : 0;
        if (64 * i < n_starts && n_starts - 64 * i < 64)
            bits &= ~(~(uint64_t)0 << (n_starts - 64 * i));
        mask[i] = bits;
        n += (uint64_t)__builtin_popcountll(bits);
    }
    return n;
}

/* Tallies a piece whose masks the GPU has computed. */
static void look_up_planes(const struct classifying *c, struct worker *w, const struct piece *piece)
{
    const tms_classifier *classifier = c->classifier;
    const struct scan_planes *planes = &c->planes[piece->mate][w->unit.is_second_strand];
    const size_t offset = piece->offset;
    uint32_t n_bases = piece->n_bases, n_starts = n_bases >= c->shape.w ? n_bases - c->shape.w + 1 : 0;
    struct piece_hits hits;
    uint64_t words[SCAN_MASK], n_words = mask_of_plane(planes, 0, offset, n_starts, n_bases, words);
    hits.some = 0;
    for (size_t r = 0; r < classifier->n_filters && n_words; r++)
        hits.some |= (uint64_t)(mask_of_plane(planes, 1 + r, offset, n_starts, n_bases, hits.masks[r]) > 0) << r;
    unit_add_piece(classifier, &w->unit, piece->at, n_bases, &hits);
    if (!w->unit.is_second_strand)
        w->unit.n_words += n_words;
    end_piece(c, w, piece);
}

/* Processes the pieces of one strand of a mate. */
static void add_strand(const struct classifying *c, struct worker *w, const struct piece *what, const uint8_t *bases, tms_strand strand)
{
    uint64_t word_size = c->shape.w;
    bool is_last = false;
    for (uint64_t at = 0; !is_last; at += SCAN_BASES - word_size + 1) {
        uint64_t left = what->length - at;
        struct piece *piece = &w->pieces[w->sieve.n_pieces];
        struct scan *scan = &w->sieve.pieces[w->sieve.n_pieces];
        is_last = left <= SCAN_BASES;
        *piece = *what;
        piece->at = at;
        piece->offset += at;
        piece->n_bases = is_last ? (uint32_t)left : SCAN_BASES;
        piece->ends_strand = is_last;
        piece->ends_mate &= is_last;
        piece->ends_unit &= is_last;
        if (c->is_on_gpu) {
            look_up_planes(c, w, piece);
            continue;
        }
        scan_bases(&c->shape, bases + at, piece->n_bases, strand, scan);
        scan_hashes(&c->shape, scan);
        if (++w->sieve.n_pieces == SIEVE_PIECES)
            look_up_group(c, w);
    }
}

static void prefetch_bases(const uint8_t *bases)
{
    for (int line = 0; line < 3; line++)
        __builtin_prefetch(bases + 64 * line);
}

static void classify_units(void *arg, size_t task, int thread)
{
    const struct classifying *c = arg;
    struct worker *w = &c->workers[thread];
    size_t first = task * UNITS_A_TASK, end = c->n_units - first < UNITS_A_TASK ? c->n_units : first + UNITS_A_TASK;
    memset(&w->unit, 0, sizeof w->unit);
    w->sieve.n_pieces = 0;
    for (size_t unit = first; unit < end; unit++)
        for (size_t m = 0; m < c->n_mates; m++) {
            const tms_seqs *seqs = c->mates[m].seqs;
            size_t record = c->mates[m].first + unit * c->mates[m].step;
            const uint8_t *bases = seqs->residues + seqs->residue_starts[record];
            size_t later = record + UNITS_AHEAD * c->mates[m].step;
            if (later < seqs->n_records) /* prefetch it: the reader's thread wrote it, so it is in another core's cache */
                prefetch_bases(seqs->residues + seqs->residue_starts[later]);
            bool is_last = m + 1 == c->n_mates, is_stranded = c->classifier->is_stranded;
            struct piece what = {.length = tms_seqs_length(seqs, record), .unit = unit, .mate = m};
            what.offset = (size_t)(seqs->residue_starts[record] - seqs->residue_starts[c->mates[m].first]);
            what.ends_mate = !is_stranded;
            what.ends_unit = !is_stranded && is_last;
            add_strand(c, w, &what, bases, is_stranded ? TMS_STRAND_PLUS : TMS_STRAND_BOTH);
            if (!is_stranded)
                continue;
            what.ends_mate = true;
            what.ends_unit = is_last;
            add_strand(c, w, &what, bases, TMS_STRAND_MINUS);
        }
    look_up_group(c, w);
}

/* --- masks from the GPU --- */

/* The range of bytes from a mate's first read to its last, including the bytes between reads. */
static size_t bytes_of_reads(const tms_reads *reads, size_t n_units)
{
    size_t last = reads->first + (n_units - 1) * reads->step;
    return (size_t)(reads->seqs->residue_starts[last] + tms_seqs_length(reads->seqs, last) - reads->seqs->residue_starts[reads->first]);
}

/* bits: scan_planes_bytes() bytes for each mate and strand. */
static tms_status find_planes(tms_context *ctx, struct classifying *c, uint64_t *bits)
{
    const tms_classifier *classifier = c->classifier;
    tms_status status = TMS_OK;
    for (size_t m = 0; m < c->n_mates; m++)
        for (int strand = 0; strand < (classifier->is_stranded ? 2 : 1) && status == TMS_OK; strand++) {
            const tms_seqs *seqs = c->mates[m].seqs;
            size_t n = bytes_of_reads(&c->mates[m], c->n_units);
            status = scan_gpu_hits(ctx, &c->shape,
                                   !classifier->is_stranded ? TMS_STRAND_BOTH
                                   : strand                 ? TMS_STRAND_MINUS
                                                            : TMS_STRAND_PLUS,
                                   classifier->filters, classifier->n_filters, seqs->residues + seqs->residue_starts[c->mates[m].first], n,
                                   bits, &c->planes[m][strand]);
            bits += scan_planes_bytes(n, 1 + classifier->n_filters) / sizeof *bits;
        }
    return status;
}

static size_t all_planes_bytes(const struct classifying *c)
{
    size_t size = 0;
    for (size_t m = 0; m < c->n_mates; m++)
        size += scan_planes_bytes(bytes_of_reads(&c->mates[m], c->n_units), 1 + c->classifier->n_filters);
    return c->classifier->is_stranded ? 2 * size : size;
}

static tms_status check_reads(tms_context *ctx, const tms_reads *reads, size_t mate, size_t n_units)
{
    size_t last;
    if (!n_units)
        return TMS_OK;
    if (size_mul_overflows(n_units - 1, reads->step, &last) || last > SIZE_MAX - reads->first ||
        last + reads->first >= reads->seqs->n_records)
        return context_fail(ctx, TMS_E_ARG,
                            "mate %zu: %zu reads from record %zu in steps of %zu are more than the %zu records of the batch", mate + 1,
                            n_units, reads->first, reads->step, reads->seqs->n_records);
    return TMS_OK;
}

tms_status tms_classify(tms_context *ctx, const tms_classifier *classifier, const tms_reads *mates, size_t n_mates, size_t n_units,
                        tms_classified *out, tms_reference_score *scores)
{
    struct classifying c = {.classifier = classifier, .mates = mates, .n_mates = n_mates, .n_units = n_units, .out = out, .scores = scores};
    if (n_mates < 1 || n_mates > 2)
        return context_fail(ctx, TMS_E_ARG, "%zu mates: a unit is a read or a pair", n_mates);
    if (!classifier->filters[0])
        return context_fail(ctx, TMS_E_ARG, "the classifier has rates, but no filters");
    for (size_t m = 0; m < n_mates; m++) {
        tms_status status = check_reads(ctx, &mates[m], m, n_units);
        if (status != TMS_OK)
            return status;
    }
    scan_shape_init(&c.shape, &classifier->filters[0]->params, ctx->simd);
    c.is_on_gpu = n_units && scan_gpu_takes(ctx, classifier->filters, classifier->n_filters);
    size_t workers_bytes = (size_t)ctx->n_threads * sizeof *c.workers,
           size_bytes = workers_bytes + (c.is_on_gpu ? all_planes_bytes(&c) : 0);
    c.workers = context_scratch(ctx, size_bytes);
    if (!c.workers)
        return context_fail_memory(ctx, "the pieces of reads", size_bytes);
    if (c.is_on_gpu) {
        tms_status status = find_planes(ctx, &c, (uint64_t *)(void *)(c.workers + ctx->n_threads));
        if (status != TMS_OK)
            return status;
    }
    return tms_context_run(ctx, (n_units + UNITS_A_TASK - 1) / UNITS_A_TASK, classify_units, &c);
}
