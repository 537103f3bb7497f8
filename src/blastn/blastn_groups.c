/* blastn_groups.c - see blastn_groups.h. Strands without statistics have no words, but their bases take part in approximate extensions. */
#include "blastn/blastn_groups.h"

#include <stdlib.h>
#include <string.h>

#include "blastn/blastn_setup.h"

/* What strands are made from, and the unmasked ranges of their positions. */
struct making {
    struct base_strand *strands; /* n */
    size_t n;
    struct residue_range *segments; /* n_segments */
    size_t n_segments;
    int at; /* first position of the next strand */
};

void blastn_free_group(struct query_group *group)
{
    struct blastn_lookup *lookup = group->lookup;

    if (lookup == NULL)
        return;
    for (int i = 0; i < 2; i++)
        base_words_free(&lookup->bases.words[i]);
    base_strands_free(&lookup->bases.strands);
    for (size_t i = 0; i < lookup->n_sieved; i++)
        base_sieved_free(&lookup->sieved[i]);
    free(lookup->sieved);
    free(lookup->strands);
    if (lookup->longs != NULL)
        blastn_longs_free(lookup->longs);
    free(lookup->longs);
    free(lookup);
    group->lookup = NULL;
}

/* Adds the unmasked ranges of a strand. */
static void add_segments(const struct search_query *strand, struct making *m)
{
    const size_t before = m->n_segments;

    for (size_t i = 0; i < strand->n_ranges; i++) {
        const struct residue_range range = strand->ranges[i];
        if (range.first < range.end)
            m->segments[m->n_segments++] = (struct residue_range){m->at + range.first, m->at + range.end};
    }
    if (m->n_segments == before)
        m->segments[m->n_segments++] = (struct residue_range){m->at, m->at};
}

static void add_strand(const struct search_query *query, int context, size_t placed, struct blastn_lookup *lookup, struct making *m)
{
    const struct search_query *strand = search_query_strand(query, context);

    if (strand->length == 0)
        return;
    lookup->strands[m->n] = (struct blastn_strand){(uint32_t)placed, context, query};
    m->strands[m->n++] = (struct base_strand){
        strand->codes,
        strand->length,
        {.x_drop = strand->x_ungapped, .cutoff = strand->cutoff_ungapped, .exact_cutoff = strand->cutoff_exact}};
    if (!strand->is_left_out)
        add_segments(strand, m);
    m->at += strand->length + 1;
}

/* Adds the strands of all queries of the group. */
static tms_status add_strands(const struct search_state *s, const struct query_group *group, struct making *m)
{
    const struct blastn_setup *setup = blastn_setup_of(s->setup);
    struct blastn_lookup *lookup = group->lookup;
    size_t n_segments = 0, placed = 0;

    for (size_t i = 0; i < group->n; i++)
        n_segments += s->queries[group->first + i].n_ranges + 1;
    lookup->strands = calloc(2 * group->n + 1, sizeof *lookup->strands);
    m->strands = calloc(2 * group->n + 1, sizeof *m->strands);
    m->segments = calloc(2 * n_segments + 1, sizeof *m->segments);
    if (lookup->strands == NULL || m->strands == NULL || m->segments == NULL)
        return TMS_E_MEMORY;
    for (size_t i = group->first; i < group->first + group->n; i++) {
        const struct search_query *query = &s->queries[i];
        if (setup->has_plus)
            add_strand(query, 0, placed, lookup, m);
        if (setup->has_minus)
            add_strand(query, 1, placed, lookup, m);
        placed += query->is_valid;
    }
    return TMS_OK;
}

static tms_status build_words(struct search_state *s, const struct making *m, struct base_lookup *out, int thread)
{
    const struct blastn_setup *setup = blastn_setup_of(s->setup);
    tms_status status = base_strands_init(m->strands, m->n, &out->strands);

    out->n_words = setup->n_words;
    out->costs = setup->ungapped;
    out->window = setup->search.window;
    out->off_diagonal = setup->off_diagonal;
    for (int i = 0; i < out->n_words && status == TMS_OK; i++)
        status = base_words_build(&setup->words[i], &out->strands, m->segments, m->n_segments, &s->shared, thread, &out->words[i]);
    if (status == TMS_OK) {
        const struct base_words *w = &out->words[0];
        out->checks_masks = w->kind != BASE_WORDS_TEMPLATE && w->width < w->word_size &&
                            (w->kind == BASE_WORDS_SMALL || setup->soft_masking);
    }
    return status;
}

tms_status blastn_build_group(struct search_state *s, bool for_gpu, struct query_group *group, int thread)
{
    struct making m = {0};
    struct blastn_lookup *lookup = group->lookup = calloc(1, sizeof *lookup);
    tms_status status = lookup != NULL ? add_strands(s, group, &m) : TMS_E_MEMORY;

    (void)for_gpu;
    if (status == TMS_OK)
        status = build_words(s, &m, &lookup->bases, thread);
    if (status == TMS_OK && (lookup->longs = calloc(1, sizeof *lookup->longs)) == NULL)
        status = TMS_E_MEMORY;
    if (status == TMS_OK && s->filters == NULL && !s->subjects->hides_masked)
        status = blastn_longs_init(s->subjects->db, search_subjects_range(s->subjects), lookup->longs);
    if (status == TMS_OK)
        group->n_words = lookup->bases.words[0].n_positions + lookup->bases.words[1].n_positions;
    free(m.strands);
    free(m.segments);
    return status;
}
