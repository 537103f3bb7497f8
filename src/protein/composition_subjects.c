/* composition_subjects.c - memory of queries, of subjects that are prepared together, and of alignments that a GPU has made. */
#include "protein/composition_subjects.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum {
    FIRST_RESIDUES = 8192,    /* room for most tasks of 16 subjects */
    ENOUGH_RESIDUES = 1 << 18 /* of subjects that are prepared together */
};

tms_status composition_query_init(const struct search_query *query, bool replaces_u, struct composition_query *out)
{
    uint8_t *copy = calloc((size_t)query->length + 2, 1);

    if (copy == NULL)
        return TMS_E_MEMORY;
    out->query = query;
    out->codes = copy + 1;
    for (int i = 0; i < query->length; i++)
        out->codes[i] = replaces_u && query->codes[i] == CODE_U ? CODE_C : query->codes[i];
    composition_of(query->codes, (size_t)query->length, &out->composition);
    return TMS_OK;
}

void composition_query_free(struct composition_query *query)
{
    if (query->codes != NULL)
        free(query->codes - 1);
    memset(query, 0, sizeof *query);
}

void composition_subjects_init(struct composition_subjects *subjects)
{
    composition_subjects_clear(subjects);
    subjects->residues = NULL;
    subjects->residues_capacity = 0;
}

void composition_subjects_free(struct composition_subjects *subjects)
{
    free(subjects->residues);
    subjects->residues = NULL;
}

void composition_subjects_clear(struct composition_subjects *subjects) { subjects->n = subjects->n_subjects = subjects->n_residues = 0; }

bool composition_subjects_suffice(const struct composition_subjects *subjects, size_t n_pairs)
{
    return subjects->n >= n_pairs || subjects->n_residues >= ENOUGH_RESIDUES;
}

uint8_t *composition_subjects_reserve(struct composition_subjects *subjects, int n)
{
    const size_t at = subjects->n_residues + 1;

    if (!array_reserve_few(&subjects->residues, &subjects->residues_capacity, subjects->n_residues + (size_t)n + 2, 1, FIRST_RESIDUES))
        return NULL;
    subjects->residues[at - 1] = subjects->residues[at + (size_t)n] = 0;
    return subjects->residues + at;
}

struct composition_prepared *composition_subjects_add(struct composition_subjects *subjects, int n, size_t n_hsps, int query_length)
{
    struct composition_prepared *s = &subjects->items[subjects->n++];

    *s = (struct composition_prepared){
        .subject = subjects->n_subjects++, .window = {0, query_length}, .n_hsps = n_hsps, .at = subjects->n_residues + 1, .n = n};
    subjects->n_residues += (size_t)n + 2;
    return s;
}
