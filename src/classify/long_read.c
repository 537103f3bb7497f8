/*
 * long_read.c - classifies a read that arrives in parts. It gathers bases into the same pieces that classify.c cuts from a whole read, so
 * the results are the same, and keeps the tallies of both strands until the mate ends.
 */
#include <stdlib.h>
#include <string.h>

#include "classify/unit_tally.h"
#include "classify/word_sieve.h"
#include "run/context.h"

/* The pieces of a strand that wait for a common look-up, and the tally of earlier pieces. */
struct strand {
    struct sieve sieve;
    uint64_t ats[SIEVE_PIECES];
    struct unit_tally unit; /* for the second strand only the tallies are used */
};

struct tms_long_read {
    const tms_classifier *classifier;
    struct strand strands[2];
    uint8_t bases[SCAN_BASES]; /* bases of the next piece */
    uint32_t n_bases;
    uint64_t at; /* position of bases[0] in the mate */
};

tms_status tms_long_read_create(tms_context *ctx, const tms_classifier *classifier, tms_long_read **out)
{
    *out = NULL;
    if (!classifier->filters[0])
        return context_fail(ctx, TMS_E_ARG, "the classifier has rates, but no filters");
    tms_long_read *r = *out = calloc(1, sizeof *r);
    if (!r)
        return context_fail_memory(ctx, "a long read", sizeof *r);
    r->classifier = classifier;
    r->strands[1].unit.is_second_strand = true;
    return TMS_OK;
}

void tms_long_read_destroy(tms_long_read *r) { free(r); }

static void look_up(const struct scan_shape *shape, const tms_classifier *c, struct strand *s)
{
    uint64_t may_hit[SIEVE_PIECES];
    sieve_look_up(shape, &s->sieve, c->filters, c->n_filters, may_hit);
    for (uint32_t i = 0; i < s->sieve.n_pieces; i++)
        unit_look_up(c, shape, &s->sieve.pieces[i], s->ats[i], may_hit[i], &s->unit);
    s->sieve.n_pieces = 0;
}

static void add_piece(const struct scan_shape *shape, tms_long_read *r, struct strand *s, tms_strand strand)
{
    struct scan *scan = &s->sieve.pieces[s->sieve.n_pieces];
    s->ats[s->sieve.n_pieces] = r->at;
    scan_bases(shape, r->bases, r->n_bases, strand, scan);
    scan_hashes(shape, scan);
    if (++s->sieve.n_pieces == SIEVE_PIECES)
        look_up(shape, r->classifier, s);
}

/* Queues the gathered bases as a piece and keeps the last w - 1 bases for the next piece. */
static void end_piece(const struct scan_shape *shape, tms_long_read *r)
{
    const uint32_t n_kept = r->n_bases < shape->w ? r->n_bases : shape->w - 1;
    if (r->classifier->is_stranded) {
        add_piece(shape, r, &r->strands[0], TMS_STRAND_PLUS);
        add_piece(shape, r, &r->strands[1], TMS_STRAND_MINUS);
    } else {
        add_piece(shape, r, &r->strands[0], TMS_STRAND_BOTH);
    }
    memmove(r->bases, r->bases + r->n_bases - n_kept, n_kept);
    r->at += r->n_bases - n_kept;
    r->n_bases = n_kept;
}

static struct scan_shape shape_of(const tms_context *ctx, const tms_long_read *r)
{
    struct scan_shape shape;
    scan_shape_init(&shape, &r->classifier->filters[0]->params, ctx->simd);
    return shape;
}

tms_status tms_long_read_add(tms_context *ctx, tms_long_read *r, const uint8_t *bases, size_t n)
{
    const struct scan_shape shape = shape_of(ctx, r);
    while (n) {
        if (r->n_bases == SCAN_BASES)
            end_piece(&shape, r);
        size_t some = n < SCAN_BASES - r->n_bases ? n : SCAN_BASES - r->n_bases;
        memcpy(r->bases + r->n_bases, bases, some);
        r->n_bases += (uint32_t)some;
        bases += some;
        n -= some;
    }
    return context_check_cancelled(ctx);
}

void tms_long_read_end_mate(tms_context *ctx, tms_long_read *r)
{
    const struct scan_shape shape = shape_of(ctx, r);
    const tms_classifier *c = r->classifier;
    const uint64_t length = r->at + r->n_bases;
    struct strand *first = &r->strands[0], *second = &r->strands[1];
    end_piece(&shape, r);
    look_up(&shape, c, first);
    unit_end_strand(c, &first->unit, length);
    if (c->is_stranded) {
        look_up(&shape, c, second);
        memcpy(first->unit.tallies, second->unit.tallies, sizeof first->unit.tallies);
        memset(second->unit.tallies, 0, sizeof second->unit.tallies);
        unit_end_strand(c, &first->unit, length);
    }
    unit_end_mate(c, &first->unit, length);
    r->n_bases = 0;
    r->at = 0;
}

void tms_long_read_end(tms_context *ctx, tms_long_read *r, tms_classified *out, tms_reference_score *scores)
{
    tms_long_read_end_mate(ctx, r);
    unit_end(r->classifier, &r->strands[0].unit, out, scores);
}
