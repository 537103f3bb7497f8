/* search_link.c - see search_link.h. */
#include "search/search_link.h"

#include <math.h>

#include "hits/link_even.h"

#define SMALL_SHARE 0.5 /* prior probability of chains with small gaps */

static struct link_context context_of(const struct search_query *strand, const struct gapped_statistics *statistics, int subject_length,
                                      int64_t subject_adjustment)
{
    const int64_t query = strand->length - strand->adjustment, subject = subject_length - subject_adjustment;

    return (struct link_context){
        statistics->lambda, statistics->log_K, {query > 1 ? query : 1, subject > 1 ? subject : 1, strand->search_space}};
}

tms_status search_link_strands(const struct search_query *query, int subject_length, bool is_final, struct hsp_list *list)
{
    const struct link_even_rules rules = {.small_gaps = !is_final,
                                          .cutoff_small = query->cutoff_small_gaps,
                                          .small_share = SMALL_SHARE,
                                          .decay = SEARCH_LINK_DECAY,
                                          .frames_a_strand = 1};
    const struct search_query *minus = query->minus;
    const struct link_context contexts[] = {context_of(query, &query->statistics, subject_length, query->adjustment),
                                            context_of(minus, &minus->statistics, subject_length, minus->adjustment)};

    return link_even(&rules, contexts, list);
}

/*
 * The cutoffs: scores that HSPs of sequences of these lengths reach by chance [Altschul & Gish 1996], with lengths less what an alignment
 * is expected to take. If sequences are not much longer than small gaps, chains with these are not made.
 */
static struct link_even_rules rules_of_frames(const struct search_setup *setup, const struct search_link_batch *batch, int subject_length)
{
    enum { MANY_SMALL_GAPS = 8 };
    const double epsilon = 1e-9, small_space = (double)LINK_EVEN_SMALL_GAP * LINK_EVEN_SMALL_GAP;
    const double taken = log(batch->K * (double)batch->mean_length * subject_length) / batch->H;
    const int64_t expected = (int64_t)(taken + (taken >= 0 ? 0.5 : -0.5)), db = setup->database.n_own_residues;
    const int64_t query = batch->mean_length - expected > 1 ? batch->mean_length - expected : 1,
                  subject = subject_length - expected > 1 ? subject_length - expected : 1;
    const double ratio = db > subject ? (double)db / (double)subject : (double)(subject + expected) / (double)subject;
    const double each = log(ratio) * batch->K / SEARCH_LINK_DECAY, all = 0.25 * each * (double)(query * subject);
    struct link_even_rules rules = {.decay = SEARCH_LINK_DECAY, .frames_a_strand = FRAMES_A_STRAND};

    rules.small_gaps = (double)(query * subject) > MANY_SMALL_GAPS * small_space;
    if (!rules.small_gaps) {
        rules.cutoff_large = (int)floor(log(all) / batch->lambda) + 1;
        return rules;
    }
    rules.small_share = SMALL_SHARE;
    rules.cutoff_large = (int)floor(log(all / (1 - SMALL_SHARE + epsilon)) / batch->lambda) + 1;
    rules.cutoff_small = (int)floor(log(each * small_space / (SMALL_SHARE + epsilon)) / batch->lambda) + 1;
    rules.cutoff_small = rules.cutoff_small > batch->cutoff_least ? rules.cutoff_small : batch->cutoff_least;
    return rules;
}

tms_status search_link_frames(const struct search_setup *setup, const struct search_query *query,
                              const struct gapped_statistics *statistics, int subject_length, struct hsp_list *list)
{
    const int64_t bases_a_residue = setup->links_evenly && setup->translates_subjects ? 3 : 1;
    struct link_context contexts[FRAMES];
    struct link_even_rules rules;

    for (int i = 0; i < (query->frames != NULL ? FRAMES : 1); i++) {
        const struct search_query *frame = search_query_strand(query, i);
        contexts[i] = context_of(frame, statistics != NULL ? statistics : &frame->statistics, subject_length,
                                 frame->adjustment / bases_a_residue);
    }
    if (!setup->links_evenly)
        return link_uneven(&setup->link_rules, contexts, list);
    rules = rules_of_frames(setup, &query->batch, subject_length);
    return link_even(&rules, contexts, list);
}
