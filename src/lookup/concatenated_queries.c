/* concatenated_queries.c - converts residues to rows of scores, one query after the other. */
#include "lookup/concatenated_queries.h"

#include <stdlib.h>
#include <string.h>

static bool fits(const struct two_hit_queries *queries, int n_positions)
{
    bool fits = queries->words->positions16 != NULL && n_positions + queries->window <= WORD_LOOKUP_POSITIONS16 && queries->window > 0 &&
                queries->window < TWO_HIT_MOST_STATES / 4 && queries->n <= UINT16_MAX;

    for (int i = 0; i < RESIDUE_CODES * RESIDUE_CODES; i++)
        fits &= queries->scores[i] <= INT8_MAX && (queries->scores[i] > INT8_MIN || i % RESIDUE_CODES == 0 || i < RESIDUE_CODES);
    for (size_t i = 0; i < queries->n; i++)
        fits &= queries->items[i].x_drop > 0 && queries->items[i].x_drop <= -INT8_MIN;
    return fits;
}

tms_status concatenated_queries_init(struct two_hit_queries *queries, int n_positions, struct concatenated_queries *out)
{
    memset(out, 0, sizeof *out);
    queries->concatenated = NULL;
    if (!fits(queries, n_positions))
        return TMS_OK;
    out->rows_memory = calloc((size_t)n_positions + 2, sizeof *out->rows_memory);
    out->codes_memory = calloc((size_t)n_positions + 2 * TWO_HIT_MARGIN, 1);
    out->query_near = calloc((size_t)n_positions / TWO_HIT_NEAR + 1, sizeof *out->query_near);
    if (out->rows_memory == NULL || out->codes_memory == NULL || out->query_near == NULL) {
        concatenated_queries_free(out);
        return TMS_E_MEMORY;
    }
    out->rows = out->rows_memory + 1;
    out->codes = out->codes_memory + TWO_HIT_MARGIN;
    for (int i = 0; i < RESIDUE_ROW; i++)
        for (int j = 0; j < RESIDUE_ROW; j++) {
            bool is_pair = i > 0 && j > 0 && i < RESIDUE_CODES && j < RESIDUE_CODES;
            int score = is_pair ? queries->scores[i * RESIDUE_CODES + j] : INT8_MIN;
            out->scores[i * RESIDUE_ROW + j] = score * (1 << 16) - 1;
            out->bytes[i * RESIDUE_ROW + j] = (int8_t)score;
        }
    for (size_t q = 0; q < queries->n; q++) {
        const struct two_hit_query *item = &queries->items[q];
        for (int i = 0; i < item->length; i++)
            out->rows_memory[1 + item->first_position + i] = (uint16_t)(item->codes[i] * RESIDUE_ROW);
        memcpy(out->codes_memory + TWO_HIT_MARGIN + item->first_position, item->codes, (size_t)item->length);
        for (int at = item->first_position / TWO_HIT_NEAR + 1; at <= (item->first_position + item->length) / TWO_HIT_NEAR; at++)
            out->query_near[at] = (uint16_t)q;
    }
    queries->concatenated = out;
    return TMS_OK;
}

void concatenated_queries_free(struct concatenated_queries *queries)
{
    free(queries->rows_memory);
    free(queries->codes_memory);
    free(queries->query_near);
    memset(queries, 0, sizeof *queries);
}
