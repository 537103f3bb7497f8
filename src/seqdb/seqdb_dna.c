/*
 * seqdb_dna.c - converts bases of a database to tms_dna, two bits a base in words, for the walk over w-mers. NCBI has the first of four
 * bases in a byte's top bits, tms_dna in its low bits.
 */
#include "alphabet/dna_encode.h"
#include "base/core.h"
#include "seqdb/nucleotide_unpack.h"
#include "seqdb/seqdb_struct.h"

enum { IN_WORD = 32, READ_AHEAD = 36 }; /* bases in a word; bases in the 9 bytes from which a word is read */

/* Reverses the order of the pairs of bits in each byte. */
static inline uint64_t turned(uint64_t x)
{
    x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
    return (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
}

/* 32 bases from base `at` on, from nine bytes. */
static inline uint64_t bases_at(const uint8_t *packed, uint64_t at)
{
    const uint8_t *bytes = packed + at / 4;
    unsigned shift = 2 * (unsigned)(at % 4);

    return turned(core_read64(bytes)) >> shift | turned(bytes[8]) << 1 << (63 - shift);
}

/* The same near the end of a sequence, without reading beyond the last byte that has a base. */
static uint64_t last_bases_at(const uint8_t *packed, uint64_t at, unsigned n)
{
    uint8_t bytes[9] = {0};

    memcpy(bytes, packed + at / 4, (at % 4 + n + 3) / 4);
    return bases_at(bytes, at % 4) & (n < IN_WORD ? ((uint64_t)1 << 2 * n) - 1 : ~(uint64_t)0);
}

/* Sets bases first .. first + n - 1 of the room to 0. */
static void clear(tms_dna_room *room, size_t first, size_t n)
{
    while (n > 0) {
        unsigned in_word = IN_WORD - (unsigned)(first & 31), some = n < in_word ? (unsigned)n : in_word;
        uint64_t ones = some < IN_WORD ? ((uint64_t)1 << 2 * some) - 1 : ~(uint64_t)0;
        room->codes[first / 32] &= ~(ones << 2 * (first & 31));
        first += some;
        n -= some;
    }
}

/*
 * Adds the runs in bases start .. *end - 1 of n_bases, which begin at base n_bases of the room. If there is no room for another run, *end
 * is set to its start. Returns false if a run is at an impossible position.
 */
static bool put_runs(tms_dna_room *room, const struct ambiguity *ambiguity, uint64_t n_bases, uint64_t start, uint64_t *end)
{
    uint64_t at = start;

    for (size_t i = ambiguity_find(ambiguity, start); i < ambiguity->n_runs; i++) {
        struct ambiguity_run run = ambiguity_run(ambiguity, i);
        uint64_t from = run.start > start ? run.start : start, to = run.end < *end ? run.end : *end;
        tms_dna_run *last = room->runs + room->n_runs;
        uint32_t position;
        if (run.start >= *end)
            break;
        if (from < at || from >= to || run.end > n_bases)
            return false;
        at = to;
        position = (uint32_t)(room->n_bases + (from - start));
        if (room->n_runs > 0 && last[-1].start + last[-1].n_bases == position) {
            last[-1].n_bases += (uint32_t)(to - from);
        } else {
            if (room->n_runs == room->runs_capacity) {
                *end = from;
                break;
            }
            last->start = position;
            last->n_bases = (uint32_t)(to - from);
            room->n_runs++;
        }
    }
    return true;
}

tms_status tms_seqdb_dna(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, tms_dna_room *room, uint64_t *n_done)
{
    uint32_t oid;
    const struct seqdb_volume *v = seqdb_volume_of(db, i, &oid);
    const uint8_t *packed = seqdb_volume_sequence(v, oid);
    struct ambiguity ambiguity;
    size_t first = room->n_bases, n_runs = room->n_runs, space = room->bases_capacity - room->n_bases;
    uint64_t at = start;

    *n_done = 0;
    end = end - start < space ? end : start + space;
    if (start == end)
        return TMS_OK;
    if (ambiguity_read(seqdb_volume_ambiguity(v, oid), &ambiguity) != NULL ||
        !put_runs(room, &ambiguity, seqdb_volume_bases(v, oid), start, &end))
        return TMS_E_FORMAT;
    dna_clear_rest(room);
    for (; end - at >= READ_AHEAD; at += IN_WORD)
        dna_put_codes(room, bases_at(packed, at), IN_WORD);
    for (; at < end; at += IN_WORD) {
        unsigned n = end - at < IN_WORD ? (unsigned)(end - at) : IN_WORD;
        dna_put_codes(room, last_bases_at(packed, at, n), n);
    }
    for (size_t r = n_runs > 0 ? n_runs - 1 : 0; r < room->n_runs; r++) { /* the last earlier run may have become longer */
        size_t from = room->runs[r].start > first ? room->runs[r].start : first, to = room->runs[r].start + (size_t)room->runs[r].n_bases;
        if (from < to)
            clear(room, from, to - from);
    }
    *n_done = end - start;
    return TMS_OK;
}
