/*
 * reference.c - inserts sequences into filters of layout words, and looks up w-mers of sequences in them.
 *
 * A reference keeps the bases of its sequences, two bits each, and the stretches that have w-mers, until the number of w-mers is known.
 * So a genome is read once, and the memory for bases is small compared with the filter.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/extensible.h"
#include "classify/word_scan_cuda.h"
#include "filter/filter_checks.h"
#include "seq/dna_core.h"

#define PIECES_A_TASK  64
#define RECORDS_A_TASK 64

struct tms_reference {
    tms_filter_want want;
    tms_filter_params shape; /* sizes and strand */
    bool is_finished;
    uint64_t *codes; /* as in tms_dna */
    size_t codes_capacity;
    uint64_t n_bases, n_words, n_pieces;
    struct scan_stretch *stretches;
    size_t n_stretches, stretches_capacity;
};

/* --- collecting --- */

/* The number of w-mers that begin in a piece. */
static uint64_t bases_a_piece(const tms_filter_params *shape) { return SCAN_BASES - shape->word_size + 1; }

/* Adds the stretch of bases first .. end - 1, which ends at a byte that is no base or at the record's end. */
static bool add_stretch(struct tms_reference *r, uint64_t first, uint64_t end)
{
    uint64_t w = r->shape.word_size, n = end - first;
    if (n < w)
        return true;
    if (!array_reserve(&r->stretches, &r->stretches_capacity, r->n_stretches + 1, sizeof *r->stretches))
        return false;
    r->stretches[r->n_stretches++] = (struct scan_stretch){first, n, r->n_pieces};
    r->n_words += n - w + 1;
    r->n_pieces += (n - w) / bases_a_piece(&r->shape) + 1;
    return true;
}

/* Appends n codes. The bits after the last base of its word are 0, and one more word follows. */
static bool append(struct tms_reference *r, const uint64_t *codes, uint32_t n)
{
    size_t at = (size_t)(r->n_bases / 32), n_words = (n + 31) / 32;
    unsigned shift = 2 * (unsigned)(r->n_bases & 31), rest = n % 32;
    if (!array_reserve(&r->codes, &r->codes_capacity, at + n_words + 3, sizeof *r->codes))
        return false;
    if (shift)
        r->codes[at] &= ((uint64_t)1 << shift) - 1;
    else
        r->codes[at] = 0;
    for (size_t i = 0; i < n_words; i++) {
        uint64_t word = i + 1 == n_words && rest ? codes[i] & dna_word_mask(rest) : codes[i];
        r->codes[at + i] |= word << shift;
        r->codes[at + i + 1] = word >> 1 >> (63 - shift);
    }
    r->codes[at + n_words + 1] = 0; /* dna_word() reads it */
    r->n_bases += n;
    return true;
}

static bool add_record(struct tms_reference *r, const struct scan_kernels *kernels, const uint8_t *bases, uint64_t n)
{
    uint64_t codes[SCAN_BASES / 32 + 1], other[SCAN_MASK + 1], open = r->n_bases; /* open: start of the stretch that has not ended */
    for (uint64_t i = 0; i < n; i += SCAN_BASES) {
        uint32_t some = n - i < SCAN_BASES ? (uint32_t)(n - i) : SCAN_BASES;
        uint64_t first = r->n_bases;
        bool has_other = kernels->encode(bases + i, some, codes, other);
        if (!append(r, codes, some))
            return false;
        for (uint32_t word = 0; has_other && word < (some + 63) / 64; word++)
            for (uint64_t bits = other[word]; bits; bits &= bits - 1) {
                uint64_t at = first + 64 * word + (uint64_t)__builtin_ctzll(bits);
                if (at > open && !add_stretch(r, open, at))
                    return false;
                open = at + 1;
            }
    }
    return r->n_bases <= open || add_stretch(r, open, r->n_bases);
}

static const struct scan_kernels *kernels_for(const tms_context *ctx, const tms_filter_params *params)
{
    struct scan_shape shape;
    scan_shape_init(&shape, params, ctx->simd);
    return shape.kernels;
}

static tms_status add_seqs(tms_context *ctx, struct tms_reference *r, const tms_seqs *seqs)
{
    const struct scan_kernels *kernels = kernels_for(ctx, &r->shape);
    uint64_t n_bases = r->n_bases, n_words = r->n_words, n_pieces = r->n_pieces;
    size_t n_stretches = r->n_stretches;
    tms_status status = TMS_OK;
    for (size_t i = 0; i < seqs->n_records && status == TMS_OK; i++) {
        status = context_check_cancelled(ctx);
        if (status == TMS_OK && !add_record(r, kernels, seqs->residues + seqs->residue_starts[i], tms_seqs_length(seqs, i)))
            status = context_fail_memory(ctx, "the bases of a reference, kept until its end", tms_seqs_length(seqs, i) / 4);
    }
    if (status != TMS_OK) {
        r->n_bases = n_bases;
        r->n_words = n_words;
        r->n_pieces = n_pieces;
        r->n_stretches = n_stretches;
    }
    return status;
}

/* --- inserting --- */

struct inserting {
    const struct tms_reference *reference;
    struct scan_shape shape;
    tms_filter *filter;
    bool is_shared;
};

/* The stretch that contains a piece. */
static const struct scan_stretch *stretch_of(const struct tms_reference *r, uint64_t piece)
{
    size_t low = 0, high = r->n_stretches;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (r->stretches[middle].n_pieces_before <= piece)
            low = middle;
        else
            high = middle;
    }
    return &r->stretches[low];
}

static void insert_pieces(void *arg, size_t first, size_t end)
{
    const struct inserting *in = arg;
    const struct tms_reference *r = in->reference;
    const struct scan_stretch *stretch = stretch_of(r, first), *last = r->stretches + r->n_stretches - 1;
    struct scan scan;
    for (uint64_t piece = first; piece < end; piece++) {
        if (stretch < last && stretch[1].n_pieces_before <= piece)
            stretch++;
        uint64_t at = (piece - stretch->n_pieces_before) * bases_a_piece(&r->shape), left = stretch->n_bases - at;
        scan_codes(&in->shape, r->codes, (size_t)(stretch->first + at), left < SCAN_BASES ? (uint32_t)left : SCAN_BASES, r->shape.strand,
                   &scan);
        scan_hashes(&in->shape, &scan);
        scan_insert(&scan, in->filter, in->is_shared);
    }
}

static tms_status insert_reference(tms_context *ctx, const struct tms_reference *r, tms_filter *f)
{
    struct inserting in = {.reference = r, .filter = f, .is_shared = ctx->n_threads > 1 && r->n_pieces > PIECES_A_TASK};
    const tms_filter *filters[] = {f};
    tms_status status;
    scan_shape_init(&in.shape, &f->params, ctx->simd);
    if (scan_gpu_takes(ctx, filters, 1)) {
        f->host_stale = 1;
        status = scan_gpu_insert(ctx, &in.shape, f, r->codes, r->n_bases, r->stretches, r->n_stretches);
    } else {
        status = context_run_ranges(ctx, (size_t)r->n_pieces, PIECES_A_TASK, insert_pieces, &in);
    }
    if (status == TMS_OK)
        f->n_keys += r->n_words;
    return status;
}

/* --- public calls --- */

tms_status tms_reference_create_sized(tms_context *ctx, const tms_filter_want *given, size_t given_size, tms_reference **out)
{
    tms_filter_want want, probe;
    *out = NULL;
    if (!struct_in(&want, sizeof want, given, given_size))
        return context_fail_newer(ctx, "tms_filter_want");
    if (want.layout != TMS_LAYOUT_WORDS)
        return context_fail(ctx, TMS_E_ARG, "a reference filter has the layout %s, not %s", tms_layout_name(TMS_LAYOUT_WORDS),
                            tms_layout_name(want.layout));
    tms_filter_params params;
    probe = want;
    if (!probe.n_keys) {
        probe.n_keys = 1;
        if (probe.m_bits) /* the number of w-mers decides whether a rate is possible */
            probe.fpr = 0;
    }
    tms_status status = tms_filter_size(ctx, &probe, &params);
    if (status != TMS_OK)
        return status;
    *out = calloc(1, sizeof **out);
    if (!*out)
        return context_fail_memory(ctx, "a reference's description", sizeof **out);
    (*out)->want = want;
    (*out)->shape = params;
    return TMS_OK;
}

void tms_reference_destroy(tms_reference *r)
{
    if (!r)
        return;
    free(r->codes);
    free(r->stretches);
    free(r);
}

tms_status tms_reference_add(tms_context *ctx, tms_reference *r, const tms_seqs *seqs)
{
    if (r->is_finished)
        return context_fail(ctx, TMS_E_ARG, "the reference is finished: nothing can be added to it");
    return add_seqs(ctx, r, seqs);
}

uint64_t tms_reference_n_words(const tms_reference *r) { return r->n_words; }

tms_status tms_reference_finish(tms_context *ctx, tms_reference *r, tms_filter **out)
{
    tms_filter_want want = r->want;
    tms_filter_params params;
    *out = NULL;
    if (r->is_finished)
        return context_fail(ctx, TMS_E_ARG, "the reference is already finished");
    if (!want.n_keys)
        want.n_keys = r->n_words ? r->n_words : 1;
    tms_status status = tms_filter_size(ctx, &want, &params);
    if (status == TMS_OK)
        status = tms_filter_create(ctx, &params, out);
    if (status != TMS_OK)
        return status;
    status = insert_reference(ctx, r, *out);
    if (status != TMS_OK) {
        tms_filter_destroy(*out);
        *out = NULL;
        return status;
    }
    r->is_finished = true;
    free(r->codes); /* free now: the builder may live as long as its filter */
    free(r->stretches);
    r->codes = NULL;
    r->stretches = NULL;
    return TMS_OK;
}

static tms_status check_layout(tms_context *ctx, const tms_filter *f)
{
    if (f->params.layout == TMS_LAYOUT_WORDS)
        return TMS_OK;
    return context_fail(ctx, TMS_E_ARG, "a %s filter takes keys, not sequences", tms_layout_name(f->params.layout));
}

static tms_status check_filter(tms_context *ctx, const tms_filter *f)
{
    tms_status status = check_layout(ctx, f);
    if (status != TMS_OK)
        return status;
    if (!f->image || f->host_stale)
        return context_fail(ctx, TMS_E_ARG, "the filter's bits are on cuda:%d: call tms_filter_image() first", f->device);
    return TMS_OK;
}

/* Checks that the context may insert into the filter, on its GPU or in host memory. */
static tms_status check_writable(tms_context *ctx, const tms_filter *f)
{
    tms_status status = check_layout(ctx, f);
    if (status == TMS_OK)
        status = filter_check_writable(ctx, f);
    if (status == TMS_OK && f->d_bits && !scan_gpu_takes(ctx, &f, 1))
        status = context_fail(ctx, TMS_E_ARG, "the filter is on cuda:%d: download it first, or use a context on that GPU", f->device);
    return status;
}

tms_status tms_reference_insert(tms_context *ctx, const tms_reference *r, tms_filter *f)
{
    const tms_filter_params *p = &f->params, *own = &r->shape;
    tms_status status = check_writable(ctx, f);
    if (status != TMS_OK)
        return status;
    if (r->is_finished)
        return context_fail(ctx, TMS_E_ARG, "the reference is finished and no longer has its k-mers");
    if (p->word_size != own->word_size || p->subword_size != own->subword_size || p->minimizer_size != own->minimizer_size ||
        p->strand != own->strand || p->seed != own->seed)
        return context_fail(ctx, TMS_E_ARG,
                            "the filter has k-mers of %u bases and the reference of %u, or their other sizes, strands or seeds differ",
                            p->word_size, own->word_size);
    return insert_reference(ctx, r, f);
}

tms_status tms_filter_insert_seqs(tms_context *ctx, tms_filter *f, const tms_seqs *seqs)
{
    struct tms_reference reference = {.shape = f->params};
    tms_status status = check_writable(ctx, f);
    if (status == TMS_OK)
        status = add_seqs(ctx, &reference, seqs);
    if (status == TMS_OK)
        status = insert_reference(ctx, &reference, f);
    free(reference.codes);
    free(reference.stretches);
    return status;
}

struct looking {
    const tms_seqs *seqs;
    const tms_filter *filter;
    struct scan_shape shape;
    uint8_t *hit;
};

static void look_up_records(void *arg, size_t first, size_t end)
{
    const struct looking *l = arg;
    uint64_t mask[SCAN_MASK];
    struct scan scan;
    for (size_t i = first; i < end; i++) {
        const uint64_t from = l->seqs->residue_starts[i], n = tms_seqs_length(l->seqs, i);
        memset(l->hit + from, 0, (size_t)n + 1);
        for (uint64_t at = 0; at + l->shape.w <= n; at += SCAN_BASES - l->shape.w + 1) {
            uint32_t some = n - at < SCAN_BASES ? (uint32_t)(n - at) : SCAN_BASES;
            scan_bases(&l->shape, l->seqs->residues + from + at, some, l->filter->params.strand, &scan);
            scan_hashes(&l->shape, &scan);
            scan_lines(&l->shape, &scan);
            scan_hits(&l->shape, &scan, l->filter, mask);
            for (uint32_t j = 0; j < some; j++)
                l->hit[from + at + j] |= mask[j / 64] >> j % 64 & 1;
        }
    }
}

tms_status tms_filter_query_seqs(tms_context *ctx, const tms_filter *f, const tms_seqs *seqs, uint8_t *hit)
{
    struct looking l = {.seqs = seqs, .filter = f, .hit = hit};
    tms_status status = check_filter(ctx, f);
    if (status != TMS_OK)
        return status;
    scan_shape_init(&l.shape, &f->params, ctx->simd);
    return context_run_ranges(ctx, seqs->n_records, RECORDS_A_TASK, look_up_records, &l);
}
