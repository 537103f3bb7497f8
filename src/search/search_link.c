/* search_link.c - see search_link.h. */
#include "search/search_link.h"

#include "hits/link_even.h"

#define SMALL_SHARE 0.5 /* prior probability of chains with small gaps */

static struct link_even_context context_of(const struct search_query *strand, int subject_length)
{
    const int64_t query = strand->length - strand->adjustment, subject = subject_length - strand->adjustment;

    return (struct link_even_context){
        strand->statistics.lambda, strand->statistics.log_K, {query > 1 ? query : 1, subject > 1 ? subject : 1, strand->search_space}};
}

tms_status search_link_strands(const struct search_query *query, int subject_length, bool is_final, struct hsp_list *list)
{
    const struct link_even_rules rules = {
        .small_gaps = !is_final, .cutoff_small = query->cutoff_small_gaps, .small_share = SMALL_SHARE, .decay = SEARCH_LINK_DECAY};
    const struct link_even_context contexts[] = {context_of(query, subject_length), context_of(query->minus, subject_length)};

    return link_even(&rules, contexts, list);
}
