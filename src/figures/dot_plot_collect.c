/* dot_plot_collect.c - collects what a dot plot shows. dot_plot_draw.c draws it. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "figures/dot_plot_parts.h"

dot_plot *dot_plot_create(void)
{
    dot_plot *plot = calloc(1, sizeof *plot);

    if (plot == NULL)
        return NULL;
    plot->cells = calloc((size_t)2 * DOT_PLOT_CELLS, sizeof *plot->cells);
    plot->lines = malloc(DOT_PLOT_LINES * sizeof *plot->lines);
    if (plot->cells != NULL && plot->lines != NULL)
        return plot;
    dot_plot_free(plot);
    return NULL;
}

static void free_side(struct dot_side *side)
{
    for (size_t i = 0; i < side->n; i++)
        free(side->records[i].name);
    free(side->records);
}

void dot_plot_free(dot_plot *plot)
{
    if (plot == NULL)
        return;
    free_side(&plot->query);
    free_side(&plot->subject);
    free(plot->cells);
    free(plot->lines);
    free(plot);
}

/* ---- records ------------------------------------------------------------------------------------------------------------------- */

/* Drops records of which a thousand would not be as wide as a pixel: the more bases follow, the less they would be seen. */
static void drop_short(struct dot_side *side)
{
    size_t n = 0;

    for (size_t i = 0; i < side->n; i++) {
        if (side->records[i].n_bases > side->n_bases / (DOT_PLOT_RECORDS / 2))
            side->records[n++] = side->records[i];
        else
            free(side->records[i].name);
    }
    side->n = n;
}

static int add_record(struct dot_side *side, const char *name, uint64_t n_bases)
{
    struct dot_record record = {.start = side->n_bases, .n_bases = n_bases};

    if (side->n == DOT_PLOT_RECORDS)
        drop_short(side);
    if (!array_reserve(&side->records, &side->capacity, side->n + 1, sizeof *side->records) || (record.name = strdup(name)) == NULL)
        return 0;
    side->records[side->n++] = record;
    side->n_all++;
    side->n_bases += n_bases;
    return 1;
}

int dot_plot_query(dot_plot *plot, const char *name, uint64_t n_bases) { return add_record(&plot->query, name, n_bases); }

int dot_plot_subject(dot_plot *plot, const char *name, uint64_t n_bases) { return add_record(&plot->subject, name, n_bases); }

static void add_bases(struct dot_side *side, uint64_t n_bases)
{
    side->records[side->n - 1].n_bases += n_bases;
    side->n_bases += n_bases;
}

void dot_plot_query_more(dot_plot *plot, uint64_t n_bases) { add_bases(&plot->query, n_bases); }

void dot_plot_subject_more(dot_plot *plot, uint64_t n_bases) { add_bases(&plot->subject, n_bases); }

/* ---- matches ------------------------------------------------------------------------------------------------------------------- */

void dot_plot_reserve(dot_plot *plot, uint64_t end)
{
    while (end > 0 && (end - 1) >> plot->shift >= DOT_PLOT_COLUMNS) {
        for (int strand = 0; strand < 2; strand++) {
            dot_count *cells = plot->cells + (size_t)strand * DOT_PLOT_CELLS;
            if (plot->n_matches[strand] == 0) /* its cells are 0 */
                continue;
            for (size_t i = 0; i < DOT_PLOT_CELLS / 2; i++) { /* cell i is of column i / DOT_PLOT_ROWS */
                size_t column = i / DOT_PLOT_ROWS, row = i % DOT_PLOT_ROWS, first = 2 * column * DOT_PLOT_ROWS + row;
                cells[i] = cells[first] + cells[first + DOT_PLOT_ROWS];
            }
            memset(cells + DOT_PLOT_CELLS / 2, 0, DOT_PLOT_CELLS / 2 * sizeof *cells);
        }
        plot->shift++;
    }
}

static void add_to(dot_count *count, uint64_t n) { atomic_fetch_add_explicit(count, n, memory_order_relaxed); }

static void add_longest(dot_count *longest, uint64_t n)
{
    uint64_t before = atomic_load_explicit(longest, memory_order_relaxed);

    while (n > before && !atomic_compare_exchange_weak_explicit(longest, &before, n, memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* Walks along the match from cell to cell. */
static void add_cells(dot_plot *plot, const dot_match *match)
{
    const uint64_t n_query = plot->query.n_bases;
    dot_count *cells = plot->cells + (match->is_minus ? DOT_PLOT_CELLS : 0);
    uint64_t s = match->subject, q = match->is_minus ? match->query + match->n_bases - 1 : match->query, left = match->n_bases;

    while (left > 0) {
        const uint64_t column = s >> plot->shift, row = q * DOT_PLOT_ROWS / n_query;
        const uint64_t of_column = ((column + 1) << plot->shift) - s;
        const uint64_t first = (row * n_query + DOT_PLOT_ROWS - 1) / DOT_PLOT_ROWS; /* of the row's bases */
        const uint64_t next = ((row + 1) * n_query + DOT_PLOT_ROWS - 1) / DOT_PLOT_ROWS;
        const uint64_t of_row = match->is_minus ? q - first + 1 : next - q;
        uint64_t n = of_column < of_row ? of_column : of_row;
        n = n < left ? n : left;
        add_to(&cells[column * DOT_PLOT_ROWS + row], n);
        left -= n;
        s += n;
        q = match->is_minus ? q - n : q + n;
    }
}

void dot_plot_add(dot_plot *plot, const dot_match *match)
{
    const int strand = match->is_minus != 0;

    add_to(&plot->n_matches[strand], 1);
    add_to(&plot->n_bases[strand], match->n_bases);
    add_longest(&plot->longest[strand], match->n_bases);
    if (atomic_load_explicit(&plot->n_lines, memory_order_relaxed) < DOT_PLOT_LINES) {
        const uint64_t i = atomic_fetch_add_explicit(&plot->n_lines, 1, memory_order_relaxed);
        if (i < DOT_PLOT_LINES)
            plot->lines[i] = *match;
    }
    add_cells(plot, match);
}

void dot_plot_get_facts(const dot_plot *plot, dot_plot_facts *out)
{
    *out = (dot_plot_facts){.n_query = plot->query.n_all,
                            .n_subject = plot->subject.n_all,
                            .query_bases = plot->query.n_bases,
                            .subject_bases = plot->subject.n_bases};
    for (int i = 0; i < 2; i++) {
        out->n_matches[i] = plot->n_matches[i];
        out->n_bases[i] = plot->n_bases[i];
        out->longest[i] = plot->longest[i];
    }
    out->is_density = out->n_matches[0] + out->n_matches[1] > DOT_PLOT_LINES;
}
