/* protein_translation.c - what translated searches have in common: genetic codes, linked HSPs, and the cutoffs that these need. */
#include <math.h>

#include "protein/protein_setup.h"
#include "score/sum_statistics.h"
#include "search/search_link.h"
#include "search/search_program.h"

enum { USUAL_INTRON = 122 /* bases */, OTHER_GAP = 40 /* residues of the sequence that is not translated */, STANDARD_CODE = 1 };

static tms_status set_code(tms_context *ctx, uint32_t number, struct codon_table *out)
{
    if (number > INT32_MAX || !codon_table_init((int)number, out))
        return context_fail(ctx, TMS_E_ARG, "there is no genetic code %u: give 1 to 6, 9 to 16, 21 to 31, or 33", (unsigned)number);
    return TMS_OK;
}

static tms_status set_queries(tms_context *ctx, const tms_translated_params *given, struct protein_setup *out)
{
    double background[RESIDUE_CODES];
    struct score_probabilities scores;

    if (given->skips_plus && given->skips_minus)
        return context_fail(ctx, TMS_E_ARG, "neither strand is to be searched with: give one at least");
    out->has_strand[0] = !given->skips_plus;
    out->has_strand[1] = !given->skips_minus;
    score_background(background);
    out->has_ideal = score_probabilities_of(out->matrix, background, &scores) && karlin_of_scores(&scores, &out->ideal);
    return set_code(ctx, given->query_genetic_code, &out->query_codons);
}

static tms_status set_subjects(tms_context *ctx, const tms_translated_params *given, bool is_file, struct protein_setup *out)
{
    tms_status status = set_code(ctx, given->db_genetic_code, &out->subject_codons);

    if (status == TMS_OK && is_file)
        status = set_code(ctx, STANDARD_CODE, &out->subject_codons);
    if (status == TMS_OK)
        packed_codons_init(&out->subject_codons, &out->packed_codons);
    return status;
}

tms_status protein_translation_resolve(tms_context *ctx, const tms_translated_params *given, bool is_file, struct protein_setup *out)
{
    struct search_setup *search = &out->search;
    const bool has_gaps = !search->ungapped, translates_both = search->program->translates && search->translates_subjects;
    const int intron = given->longest_intron > 0 || !has_gaps ? (int)given->longest_intron : USUAL_INTRON, gap = (intron - 2) / 3;
    tms_status status = TMS_OK;

    if (given->longest_intron > INT32_MAX)
        return context_fail(ctx, TMS_E_ARG, "an intron of %u bases: give less than 2^31", (unsigned)given->longest_intron);
    if (search->program->translates)
        status = set_queries(ctx, given, out);
    if (status == TMS_OK && search->translates_subjects)
        status = set_subjects(ctx, given, is_file, out);
    search->links = given->links && gap > 0 && !translates_both;
    search->links_evenly = given->links && !has_gaps && !search->links;
    search->link_rules = search->translates_subjects ? (struct link_rules){.query_gap = OTHER_GAP, .subject_gap = gap}
                                                     : (struct link_rules){.query_gap = gap, .subject_gap = OTHER_GAP};
    search->link_rules.decay = has_gaps ? SEARCH_LINK_GAPPED_DECAY : SEARCH_LINK_DECAY;
    out->keeps_weak = !has_gaps && !translates_both;
    search->never_restricts = true;
    search->frames_share_axis = true;
    search->limits.by_evalue = false;
    search->limits.shows_by_evalue = true;
    search->limits.best_hits_by_score = true;
    return status;
}

int protein_weakest_score(const struct search_setup *setup, const struct gapped_statistics *s, int64_t query_length)
{
    const struct search_database *db = &setup->database;
    const bool has_mean = (setup->has_search_space || setup->ungapped) && db->mean_length > 0;
    const int64_t n = has_mean ? db->mean_length : db->cutoff_length;
    const bool is_linked = setup->links || setup->links_evenly;

    return evalue_cutoff_of_search_space(s, is_linked ? gap_decay_divisor(setup->link_rules.decay, 1) : 1,
                                         (query_length < n ? query_length : n) * n);
}

/* The queries of a batch, or their frames. */
struct batch {
    struct search_query *queries;
    size_t n, n_contexts; /* of all queries */
    bool is_translated;
};

/* Context i of a batch; NULL: its query has none. */
static struct search_query *context_at(const struct batch *b, size_t i)
{
    struct search_query *query = &b->queries[b->is_translated ? i / FRAMES : i];

    if (!b->is_translated)
        return query;
    return query->frames != NULL ? &query->frames[i % FRAMES] : NULL;
}

static void set_cutoffs(const struct search_setup *setup, const struct batch *b, int64_t mean_length)
{
    const int weakest = protein_weakest_score(setup, &setup->statistics, mean_length);
    int least = INT32_MAX;

    for (size_t i = 0; i < b->n_contexts; i++) {
        struct search_query *context = context_at(b, i);
        if (context == NULL || !context->is_valid)
            continue;
        context->cutoff = context->cutoff < weakest ? context->cutoff : weakest;
        least = context->cutoff < least ? context->cutoff : least;
    }
    for (size_t i = 0; i < b->n_contexts; i++) {
        struct search_query *context = context_at(b, i);
        if (context != NULL)
            context->cutoff_least = least;
    }
}

/* Sets what the even rule takes from the batch. */
static void set_link_batch(const struct batch *b, int64_t mean_length)
{
    struct search_link_batch of = {.mean_length = mean_length, .cutoff_least = INT32_MAX};

    for (size_t i = 0; i < b->n_contexts; i++) {
        const struct search_query *context = context_at(b, i);
        if (context == NULL || !context->is_valid)
            continue;
        if (of.lambda == 0 || context->karlin.lambda < of.lambda) {
            of.lambda = context->karlin.lambda;
            of.K = context->karlin.K;
            of.H = context->karlin.H;
        }
        of.cutoff_least = context->cutoff_ungapped < of.cutoff_least ? context->cutoff_ungapped : of.cutoff_least;
    }
    for (size_t i = 0; i < b->n; i++)
        b->queries[i].batch = of;
}

void protein_prepare_batch(const struct search_setup *setup, struct search_query *queries, size_t n)
{
    const bool translates = setup->program->translates;
    const struct batch b = {queries, n, translates ? n * FRAMES : n, translates};
    int64_t length = 0; /* of all contexts in a row, with a letter behind each that is not empty, but not behind the last of all */

    if (n == 0)
        return;
    for (size_t i = 0; i < b.n_contexts; i++) {
        const struct search_query *context = context_at(&b, i);
        if (context != NULL && context->length > 0)
            length += context->length + (i + 1 < b.n_contexts);
    }
    if (setup->links && !setup->ungapped)
        set_cutoffs(setup, &b, length / (int64_t)b.n_contexts);
    if (setup->links_evenly)
        set_link_batch(&b, (length - 1) / (int64_t)b.n_contexts);
}
