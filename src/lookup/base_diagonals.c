/* base_diagonals.c - see base_diagonals.h. */
#include "lookup/base_diagonals.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { MOST_IN_ARRAY = 8000 /* query positions */, MOST_BASE = INT32_MAX / 4 };

/* Forgets all hits. */
static void clear(struct base_diagonals *d)
{
    d->base = d->window;
    if (d->array != NULL)
        memset(d->array, 0, ((size_t)d->mask + 1) * sizeof *d->array);
    for (int i = 0; i < BASE_DIAGONAL_BUCKETS; i++)
        d->buckets[i] = -1;
    d->n_cells = 0;
}

tms_status base_diagonals_init(int n_positions, int window, int off_diagonal, int word_size, struct base_diagonals *out)
{
    int near = off_diagonal < window - word_size ? off_diagonal : window - word_size;

    memset(out, 0, sizeof *out);
    out->window = window;
    out->reach = window + near + 2;
    if (n_positions <= MOST_IN_ARRAY) {
        uint32_t n = 2;
        while (n < (uint32_t)(n_positions + window))
            n *= 2;
        out->mask = n - 1;
        out->array = malloc(n * sizeof *out->array);
        if (out->array == NULL)
            return TMS_E_MEMORY;
    }
    clear(out);
    return TMS_OK;
}

void base_diagonals_free(struct base_diagonals *d)
{
    free(d->array);
    free(d->cells);
    memset(d, 0, sizeof *d);
}

void base_diagonals_begin(struct base_diagonals *d)
{
    if (d->base >= MOST_BASE)
        clear(d);
}

void base_diagonals_end(struct base_diagonals *d, int n) { d->base += n + d->window; }

tms_status base_diagonal_add(struct base_diagonals *d, int32_t diagonal, struct base_diagonal state)
{
    int32_t *bucket = &d->buckets[base_diagonal_bucket(diagonal)];

    if (!array_reserve(&d->cells, &d->cells_capacity, d->n_cells + 1, sizeof *d->cells))
        return TMS_E_MEMORY;
    d->cells[d->n_cells] = (struct base_diagonal_cell){diagonal, *bucket, state};
    *bucket = (int32_t)d->n_cells++;
    return TMS_OK;
}
