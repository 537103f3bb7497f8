/* packed_bases.c - packs queries, and reads words at the ends of sequences. */
#include "extend/packed_bases.h"

#include <stdlib.h>
#include <string.h>

#include "alphabet/bases.h"

uint64_t packed_first_bytes(const struct packed_bases *bases, size_t n)
{
    uint64_t word = 0;

    for (size_t i = 0; i < n; i++)
        word = word << 8 | bases->bytes[i];
    return word;
}

uint64_t packed_last_bytes(const struct packed_bases *bases, size_t from)
{
    const size_t n_bytes = ((size_t)bases->n + 3) / 4;
    uint64_t word = 0;

    for (size_t i = from; i < from + 8; i++)
        word = word << 8 | (i < n_bytes ? bases->bytes[i] : 0);
    return word;
}

/* Packs the lowest two bits of codes, or marks ambiguous ones. */
static void pack(const uint8_t *codes, int n, bool marks, uint8_t *out)
{
    memset(out, 0, ((size_t)n + 3) / 4 + 1);
    for (int i = 0; i < n; i++) {
        unsigned bits = !marks ? codes[i] & 3 : codes[i] >= BASE_AMBIGUOUS ? 3 : 0;
        out[i / 4] |= (uint8_t)(bits << (6 - 2 * (i % 4)));
    }
}

static bool is_ambiguous(uint8_t code) { return code >= BASE_AMBIGUOUS && code != BASE_GAP; }

tms_status packed_queries_init(struct packed_queries *queries, const uint8_t *codes, int n)
{
    const size_t size = ((size_t)n + 3) / 4 + 1;
    bool has_ambiguous = false;

    *queries = (struct packed_queries){.codes = codes, .n = n};
    for (int i = 0; i < n && !has_ambiguous; i++)
        has_ambiguous = is_ambiguous(codes[i]);
    queries->memory = malloc(has_ambiguous ? 2 * size : size);
    if (queries->memory == NULL)
        return TMS_E_MEMORY;
    queries->bases = (struct packed_bases){queries->memory, n};
    pack(codes, n, false, queries->memory);
    if (has_ambiguous) {
        queries->ambiguous = (struct packed_bases){queries->memory + size, n};
        pack(codes, n, true, queries->memory + size);
    }
    return TMS_OK;
}

void packed_queries_free(struct packed_queries *queries)
{
    free(queries->memory);
    memset(queries, 0, sizeof *queries);
}
