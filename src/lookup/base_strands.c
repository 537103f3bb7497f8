/* base_strands.c - see base_strands.h. */
#include "lookup/base_strands.h"

#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"

static void find_near(struct base_strands *s)
{
    size_t strand = 0;

    for (int k = 0; k <= s->queries.n / BASE_STRANDS_NEAR; k++) {
        while (strand + 1 < s->n && s->items[strand + 1].first <= k * BASE_STRANDS_NEAR)
            strand++;
        s->near[k] = (uint32_t)strand;
    }
}

tms_status base_strands_init(const struct base_strand *strands, size_t n, struct base_strands *out)
{
    int at = 0;

    memset(out, 0, sizeof *out);
    out->n = n;
    out->items = malloc((n + 1) * sizeof *out->items);
    if (out->items == NULL)
        return TMS_E_MEMORY;
    for (size_t i = 0; i < n; i++) {
        out->items[i] = strands[i].limits;
        out->items[i].first = at;
        out->items[i].end = at + strands[i].length;
        at += strands[i].length + 1;
    }
    out->codes = malloc((size_t)at + 2);
    out->near = malloc(((size_t)at / BASE_STRANDS_NEAR + 1) * sizeof *out->near);
    if (out->codes == NULL || out->near == NULL)
        return TMS_E_MEMORY;
    memset(out->codes, BASE_GAP, (size_t)at + 2);
    for (size_t i = 0; i < n; i++)
        memcpy(out->codes + 1 + out->items[i].first, strands[i].codes, (size_t)strands[i].length);
    if (packed_queries_init(&out->queries, out->codes + 1, at > 0 ? at - 1 : 0) != TMS_OK)
        return TMS_E_MEMORY;
    find_near(out);
    return TMS_OK;
}

void base_strands_free(struct base_strands *strands)
{
    packed_queries_free(&strands->queries);
    free(strands->items);
    free(strands->codes);
    free(strands->near);
    memset(strands, 0, sizeof *strands);
}
