/* nucleotide_unpack.c - unpacks four bases at a time by a table of 1 KiB, which stays in the first-level cache. */
#include "seqdb/nucleotide_unpack.h"

void nucleotide_unpack(const struct nucleotide_codes *codes, const uint8_t *packed, uint64_t start, uint64_t end, uint8_t *out)
{
    uint64_t at = start;

    for (; at < end && at % 4 != 0; at++)
        *out++ = codes->of_byte[packed[at / 4]][at % 4];
    for (; end - at >= 4; at += 4, out += 4)
        memcpy(out, codes->of_byte[packed[at / 4]], 4);
    for (; at < end; at++)
        *out++ = codes->of_byte[packed[at / 4]][at % 4];
}

const char *ambiguity_read(struct seqdb_bytes block, struct ambiguity *out)
{
    uint32_t count;

    *out = (struct ambiguity){NULL, 0, false};
    if (block.size == 0)
        return NULL;
    if (block.size < 4)
        return "is shorter than its first word";
    count = seqdb_word(block.bytes, 0);
    out->is_long = count >> 31;
    count &= 0x7fffffff;
    if (block.size / 4 - 1 != count || block.size % 4 != 0)
        return "does not have the size that its first word gives";
    if (out->is_long && count % 2 != 0)
        return "ends inside a run";
    out->words = block.bytes + 4;
    out->n_runs = out->is_long ? count / 2 : count;
    return NULL;
}

struct ambiguity_run ambiguity_run(const struct ambiguity *ambiguity, size_t i)
{
    uint32_t first = seqdb_word(ambiguity->words, ambiguity->is_long ? 2 * i : i);
    uint64_t length = 1 + (uint64_t)(ambiguity->is_long ? first >> 16 & 0xfff : first >> 24 & 0xf);
    uint64_t start = ambiguity->is_long ? seqdb_word(ambiguity->words, 2 * i + 1) : first & 0xffffff;

    return (struct ambiguity_run){(uint8_t)(first >> 28), start, start + length};
}

/* Checks a run that must begin at `at` or later. */
static const char *check_run(struct ambiguity_run run, uint64_t at, uint64_t n_bases)
{
    return run.end > n_bases ? "has a run beyond the sequence's end" : run.start < at ? "has runs that are not in order" : NULL;
}

const char *ambiguity_check(const struct ambiguity *ambiguity, uint64_t n_bases)
{
    uint64_t at = 0;

    for (size_t i = 0; i < ambiguity->n_runs; i++) {
        struct ambiguity_run run = ambiguity_run(ambiguity, i);
        const char *fault = check_run(run, at, n_bases);
        if (fault != NULL)
            return fault;
        at = run.end;
    }
    return NULL;
}

size_t ambiguity_find(const struct ambiguity *ambiguity, uint64_t at)
{
    size_t low = 0, high = ambiguity->n_runs;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ambiguity_run(ambiguity, middle).end > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

const char *ambiguity_lay(const struct nucleotide_codes *codes, const struct ambiguity *ambiguity, uint64_t n_bases, uint64_t start,
                          uint64_t end, uint8_t *out)
{
    size_t i = ambiguity_find(ambiguity, start);
    uint64_t at = i > 0 ? ambiguity_run(ambiguity, i - 1).end : 0;

    for (; i < ambiguity->n_runs; i++) {
        struct ambiguity_run run = ambiguity_run(ambiguity, i);
        uint64_t from = run.start > start ? run.start : start, to = run.end < end ? run.end : end;
        const char *fault = check_run(run, at, n_bases);
        if (fault != NULL)
            return fault;
        if (run.start >= end)
            break;
        if (from < to) /* false in unsorted runs, where the search finds nothing useful */
            memset(out + (from - start), codes->of_ncbi4na[run.ncbi4na], to - from);
        at = run.end;
    }
    return NULL;
}
