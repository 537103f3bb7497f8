/* protein_words.c - see protein_words.h. */
#include "protein/protein_words.h"

#include "protein/protein_setup.h"
#include "search/protein_groups.h"

_Static_assert((int)REDUCED_NONE == (int)WORD_LOOKUP_NO_LETTER && (int)REDUCED_LONGEST == (int)WORD_LOOKUP_MAX_WORD,
               "the words of a reduced alphabet go into a table");

/* Which words of a subject are similar to a query's; borrows from setup and frequencies. */
static struct word_lookup_rules word_rules(const struct protein_setup *setup, const double frequencies[RESIDUE_CODES])
{
    const struct reduced_alphabet *g = &setup->groups;
    const int word_size = setup->search.word_size;

    if (word_size < REDUCED_SHORTEST)
        return (struct word_lookup_rules){word_size, (int)setup->threshold, RESIDUE_CODES, NULL, setup->search.scores, frequencies};
    return (struct word_lookup_rules){word_size, (int)(REDUCED_SCALE * setup->threshold), g->n_groups, g->group_of, g->scores, frequencies};
}

tms_status protein_build_group(struct search_state *s, bool for_gpu, struct query_group *group, int thread)
{
    double frequencies[RESIDUE_CODES];
    const struct word_lookup_rules rules = word_rules(protein_setup_of(s->setup), frequencies);

    score_background(frequencies);
    return protein_group_build(s, &rules, for_gpu, group, thread);
}
