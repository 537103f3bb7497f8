/* gapped_directions.c - memory for the directions of an extension's cells, and the traceback through them. */
#include "base/array.h"
#include "extend/gapped.h"

tms_status gapped_grow_rows(struct gapped_directions *directions, int a, size_t used, int n)
{
    if (!array_reserve(&directions->row_starts, &directions->rows_capacity, (size_t)a + 1, sizeof *directions->row_starts) ||
        !array_reserve(&directions->items, &directions->capacity, used + (size_t)n + GAPPED_SLACK, 1))
        return TMS_E_MEMORY;
    return TMS_OK;
}

tms_status gapped_script_add(struct gapped_script *script, enum gapped_operation operation, int n)
{
    if (script->n > 0 && script->runs[script->n - 1].operation == operation) {
        script->runs[script->n - 1].n += n;
        return TMS_OK;
    }
    if (!array_reserve(&script->runs, &script->capacity, script->n + 1, sizeof *script->runs))
        return TMS_E_MEMORY;
    script->runs[script->n++] = (struct gapped_run){operation, n};
    return TMS_OK;
}

tms_status gapped_trace_back(const struct gapped_directions *directions, struct gapped_extent from, struct gapped_script *out)
{
    int a = from.query, b = from.subject;
    enum gapped_operation operation = GAPPED_MATCH;
    tms_status status = TMS_OK;

    while ((a > 0 || b > 0) && status == TMS_OK) {
        uint8_t direction = directions->items[directions->row_starts[a] + b];
        bool goes_on = (operation == GAPPED_IN_QUERY && direction & GAPPED_EXTENDS_IN_QUERY) ||
                       (operation == GAPPED_IN_SUBJECT && direction & GAPPED_EXTENDS_IN_SUBJECT);
        if (!goes_on)
            operation = direction & GAPPED_OPERATION;
        a -= operation != GAPPED_IN_QUERY;
        b -= operation != GAPPED_IN_SUBJECT;
        status = gapped_script_add(out, operation, 1);
    }
    return status;
}
