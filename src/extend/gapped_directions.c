/* gapped_directions.c - memory for the directions of an extension's cells, and the traceback through them. */
#include "alphabet/bases.h"
#include "base/array.h"
#include "extend/gapped.h"

/* Runs that most alignments do with. An array much longer than the one that is kept would leave a hole too short for the next. */
enum { GAPPED_FEW_RUNS = 3 };

tms_status gapped_grow_rows(struct gapped_directions *directions, int row, size_t used, int n)
{
    if (!array_reserve(&directions->row_starts, &directions->rows_capacity, (size_t)row + 1, sizeof *directions->row_starts) ||
        !array_reserve(&directions->items, &directions->capacity, used + (size_t)n + GAPPED_SLACK, 1))
        return TMS_E_MEMORY;
    return TMS_OK;
}

tms_status gapped_script_reserve(struct gapped_script *script, uint32_t n)
{
    size_t capacity = script->capacity;

    if (!array_reserve_few(&script->runs, &capacity, n, sizeof *script->runs, GAPPED_FEW_RUNS))
        return TMS_E_MEMORY;
    script->capacity = (uint32_t)capacity;
    return TMS_OK;
}

tms_status gapped_script_add(struct gapped_script *script, enum gapped_operation operation, int n)
{
    if (script->n > 0 && script->runs[script->n - 1].operation == operation) {
        script->runs[script->n - 1].n += n;
        return TMS_OK;
    }
    if (gapped_script_reserve(script, script->n + 1) != TMS_OK)
        return TMS_E_MEMORY;
    script->runs[script->n++] = (struct gapped_run){operation, n};
    return TMS_OK;
}

/*
 * The direction of a cell in a skipped row. The best alignment that leaves the diagonal of the run by a gap leaves it as late as possible,
 * but of equal scores a match takes precedence.
 */
static unsigned skipped_direction(const struct gapped_skip *skip, const struct gapped_extension *e, int a, int b)
{
    const uint8_t query = e->query.codes[(ptrdiff_t)e->step * (a - 1)];
    const bool is_match = b > 0 && query < BASE_AMBIGUOUS && e->subject.codes[(ptrdiff_t)e->step * (b - 1)] == query;

    if (b - a == skip->diagonal)
        return GAPPED_MATCH;
    if (b - a > skip->diagonal)
        return (is_match ? GAPPED_MATCH : GAPPED_IN_QUERY) | GAPPED_EXTENDS_IN_QUERY;
    return (is_match ? GAPPED_MATCH : GAPPED_IN_SUBJECT) | GAPPED_EXTENDS_IN_SUBJECT;
}

tms_status gapped_trace_back(const struct gapped_directions *directions, const struct gapped_extension *e, struct gapped_script *out)
{
    const struct gapped_skip *skips = directions->skips;
    int a = e->extent.query, b = e->extent.subject, n_skipped = 0;
    size_t n = directions->n_skips; /* skips that begin before row a or at it; n_skipped: their rows */
    enum gapped_operation operation = GAPPED_MATCH;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < n; i++)
        n_skipped += skips[i].end - skips[i].first;
    while ((a > 0 || b > 0) && status == TMS_OK) {
        unsigned direction;
        bool goes_on, is_skipped;
        int steps = 1;
        for (; n > 0 && skips[n - 1].first > a; n--)
            n_skipped -= skips[n - 1].end - skips[n - 1].first;
        is_skipped = n > 0 && a < skips[n - 1].end;
        direction = is_skipped ? skipped_direction(&skips[n - 1], e, a, b) : directions->items[directions->row_starts[a - n_skipped] + b];
        goes_on = (operation == GAPPED_IN_QUERY && direction & GAPPED_EXTENDS_IN_QUERY) ||
                  (operation == GAPPED_IN_SUBJECT && direction & GAPPED_EXTENDS_IN_SUBJECT);
        if (!goes_on)
            operation = direction & GAPPED_OPERATION;
        if (is_skipped && b - a == skips[n - 1].diagonal)
            steps = a - skips[n - 1].first + 1; /* the run */
        a -= operation != GAPPED_IN_QUERY ? steps : 0;
        b -= operation != GAPPED_IN_SUBJECT ? steps : 0;
        status = gapped_script_add(out, operation, steps);
    }
    return status;
}
