/* protein_translation.c - what translated searches have in common: genetic codes, linked HSPs, and the cutoffs that these need. */
#include <math.h>

#include "protein/protein_setup.h"
#include "score/sum_statistics.h"
#include "search/search_program.h"

enum { USUAL_INTRON = 122 /* bases */, OTHER_GAP = 40 /* residues of the sequence that is not translated */ };

tms_status protein_unmade(tms_context *ctx, const char *program, const tms_blastp_params *p)
{
    if (p->ungapped != 0)
        return context_fail(ctx, TMS_E_ARG, "%s does not make alignments without gaps yet", program);
    return TMS_OK;
}

void protein_translate_by(const struct codon_table *codons, struct protein_setup *out)
{
    out->codons = *codons;
    packed_codons_init(codons, &out->packed_codons);
}

tms_status protein_translation_resolve(tms_context *ctx, const struct protein_translation *given, struct protein_setup *out)
{
    struct search_setup *search = &out->search;
    struct codon_table codons;
    const int intron = given->longest_intron > 0 ? (int)given->longest_intron : USUAL_INTRON, gap = (intron - 2) / 3;

    if (given->genetic_code > INT32_MAX || !codon_table_init((int)given->genetic_code, &codons))
        return context_fail(ctx, TMS_E_ARG, "there is no genetic code %u: give 1 to 6, 9 to 16, 21 to 31, or 33",
                            (unsigned)given->genetic_code);
    if (given->longest_intron > INT32_MAX)
        return context_fail(ctx, TMS_E_ARG, "an intron of %u bases: give less than 2^31", (unsigned)given->longest_intron);
    protein_translate_by(&codons, out);
    search->links = given->links && gap > 0;
    search->link_rules = given->is_of_subjects ? (struct link_rules){.query_gap = OTHER_GAP, .subject_gap = gap}
                                               : (struct link_rules){.query_gap = gap, .subject_gap = OTHER_GAP};
    search->translates_subjects = given->is_of_subjects;
    search->never_restricts = true;
    search->frames_share_axis = true;
    search->limits.by_evalue = false;
    search->limits.shows_by_evalue = true;
    return TMS_OK;
}

/*
 * With linking, weak HSPs may be in a good chain. So an HSP is kept if its E-value is at most 1 in a space of two short sequences: of the
 * length that cutoffs are for, or the mean length of the batch's queries or frames if that is less.
 */
static int weakest_score(const struct search_setup *setup, int64_t mean_length)
{
    const struct gapped_statistics *s = &setup->statistics;
    const struct search_database *db = &setup->database;
    const int64_t n = setup->has_search_space && db->mean_length > 0 ? db->mean_length : db->cutoff_length;
    const int64_t space = (mean_length < n ? mean_length : n) * n;
    const double score = ceil(log(s->K * (double)space / gap_decay_divisor(LINK_DECAY, 1)) / s->lambda);

    return score > 1 ? (int)score : 1;
}

/* Context i of a query: a frame of it, or the query itself; NULL: it has none. */
static struct search_query *context_of(struct search_query *query, bool is_translated, size_t i)
{
    if (!is_translated)
        return query;
    return query->frames != NULL ? &query->frames[i] : NULL;
}

void protein_prepare_batch(const struct search_setup *setup, struct search_query *queries, size_t n)
{
    const bool translates = setup->program->translates;
    const size_t n_contexts = translates ? FRAMES : 1;
    int64_t length = -1;
    int weakest, least = INT32_MAX;

    if (!setup->links)
        return;
    for (size_t i = 0; i < n * n_contexts; i++) {
        const struct search_query *context = context_of(&queries[i / n_contexts], translates, i % n_contexts);
        length += (context != NULL ? context->length : 0) + 1;
    }
    weakest = weakest_score(setup, n > 0 ? length / (int64_t)(n * n_contexts) : 0);
    for (size_t i = 0; i < n * n_contexts; i++) {
        struct search_query *context = context_of(&queries[i / n_contexts], translates, i % n_contexts);
        if (context == NULL || !context->is_valid)
            continue;
        context->cutoff = context->cutoff < weakest ? context->cutoff : weakest;
        least = context->cutoff < least ? context->cutoff : least;
    }
    for (size_t i = 0; i < n * n_contexts; i++) {
        struct search_query *context = context_of(&queries[i / n_contexts], translates, i % n_contexts);
        if (context != NULL)
            context->cutoff_least = least;
    }
}
