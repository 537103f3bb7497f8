/* nucleotide_pack.c - packs NCBI4na codes, four at a time where none is ambiguous. */
#include "seqdb/nucleotide_pack.h"

#include "base/core.h"
#include "base/lagged_random.h"

/* The base of each NCBI4na code that stands for a single base; AMBIGUOUS for the others. */
#define AMBIGUOUS 4
static const uint8_t bases[16] = {
    AMBIGUOUS, 0,         1,         AMBIGUOUS, 2,         AMBIGUOUS, AMBIGUOUS, AMBIGUOUS,
    3,         AMBIGUOUS, AMBIGUOUS, AMBIGUOUS, AMBIGUOUS, AMBIGUOUS, AMBIGUOUS, AMBIGUOUS,
};

/* Draws one of the bases that an ambiguous code stands for. */
static uint8_t draw_base(struct lagged_random *g, uint8_t code)
{
    uint32_t value = lagged_random_draw(g), n_bases = (uint32_t)__builtin_popcount(code);
    uint8_t base = 0;

    for (uint32_t i = value % n_bases;; base++) {
        if ((code >> base & 1) && i-- == 0)
            return base;
    }
}

void nucleotide_pack_begin(struct nucleotide_pack *p)
{
    p->packed.n = p->ambiguity.n = p->n_runs = 0;
    p->n_bases = 0;
}

static bool add_ambiguous(struct nucleotide_pack *p, uint8_t code, uint32_t start)
{
    struct nucleotide_run *last = p->n_runs > 0 ? &p->runs[p->n_runs - 1] : NULL;

    if (last && last->code == code && last->n < NUCLEOTIDE_MAX_RUN && last->start + last->n == start) {
        last->n++;
        return true;
    }
    if (!array_reserve(&p->runs, &p->runs_capacity, p->n_runs + 1, sizeof *p->runs))
        return false;
    p->runs[p->n_runs++] = (struct nucleotide_run){start, 1, code};
    return true;
}

/* Packs one code at a time, with base 0 for an ambiguous one. The caller has made room. */
static bool add_slowly(struct nucleotide_pack *p, const uint8_t *codes, size_t n)
{
    for (size_t i = 0; i < n; i++, p->n_bases++) {
        uint8_t base = bases[codes[i] & 15];
        unsigned at = (unsigned)p->n_bases % 4;
        if (at == 0)
            p->packed.bytes[p->packed.n++] = 0;
        if (base == AMBIGUOUS) {
            if (!add_ambiguous(p, codes[i], (uint32_t)p->n_bases))
                return false;
            continue;
        }
        p->packed.bytes[p->packed.n - 1] |= (uint8_t)(base << (6 - 2 * at));
    }
    return true;
}

/* Packs four codes into a byte; -1 if one is ambiguous. */
static inline int pack_four(const uint8_t *codes)
{
    unsigned a = bases[codes[0] & 15], b = bases[codes[1] & 15], c = bases[codes[2] & 15], d = bases[codes[3] & 15];

    return ((a | b | c | d) & AMBIGUOUS) ? -1 : (int)(a << 6 | b << 4 | c << 2 | d);
}

bool nucleotide_pack_add(struct nucleotide_pack *p, const uint8_t *codes, size_t n)
{
    size_t n_first = (4 - p->n_bases % 4) % 4, i;

    if (n > NUCLEOTIDE_MAX_SIZE - p->n_bases || !byte_array_room(&p->packed, n / 4 + 2))
        return false;
    i = n_first < n ? n_first : n;
    if (!add_slowly(p, codes, i))
        return false;
    for (; n - i >= 4; i += 4) {
        int byte = pack_four(codes + i);
        if (byte < 0) {
            if (!add_slowly(p, codes + i, 4))
                return false;
            continue;
        }
        p->packed.bytes[p->packed.n++] = (uint8_t)byte;
        p->n_bases += 4;
    }
    return add_slowly(p, codes + i, n - i);
}

static void fill_run(struct nucleotide_pack *p, const struct nucleotide_run *run, struct lagged_random *g)
{
    for (uint32_t i = 0; i < run->n; i++) {
        uint32_t at = run->start + i;
        p->packed.bytes[at / 4] |= (uint8_t)(draw_base(g, run->code) << (6 - 2 * (at % 4)));
    }
}

static void put_word(struct byte_array *to, uint32_t word)
{
    core_write32(to->bytes + to->n, core_swap32(word));
    to->n += 4;
}

static bool write_ambiguity(struct nucleotide_pack *p)
{
    bool is_new = p->n_bases > 0xffffff;

    if (p->n_runs == 0 && p->n_bases > 2)
        return true;
    for (size_t i = 0; i < p->n_runs && !is_new; i++)
        is_new = p->runs[i].n > 15;
    if (p->n_runs > INT32_MAX / 2 || !byte_array_room(&p->ambiguity, 4 + p->n_runs * 8))
        return false;
    put_word(&p->ambiguity, is_new ? 0x80000000 | 2 * (uint32_t)p->n_runs : (uint32_t)p->n_runs);
    for (size_t i = 0; i < p->n_runs; i++) {
        const struct nucleotide_run *run = &p->runs[i];
        uint32_t code = (uint32_t)run->code << 28, more = run->n - 1u;
        if (is_new) {
            put_word(&p->ambiguity, code | more << 16);
            put_word(&p->ambiguity, run->start);
        } else {
            put_word(&p->ambiguity, code | more << 24 | run->start);
        }
    }
    return true;
}

bool nucleotide_pack_end(struct nucleotide_pack *p)
{
    struct lagged_random g;

    if (p->n_runs > 0) {
        lagged_random_seed(&g, (uint32_t)p->n_bases);
        for (size_t i = 0; i < p->n_runs; i++)
            fill_run(p, &p->runs[i], &g);
    }
    if (!byte_array_room(&p->packed, 1))
        return false;
    if (p->n_bases % 4 == 0)
        p->packed.bytes[p->packed.n++] = 0;
    p->packed.bytes[p->packed.n - 1] |= (uint8_t)(p->n_bases % 4);
    return write_ambiguity(p);
}

void nucleotide_pack_free(struct nucleotide_pack *p)
{
    free(p->packed.bytes);
    free(p->ambiguity.bytes);
    free(p->runs);
    *p = (struct nucleotide_pack){{NULL, 0, 0}, {NULL, 0, 0}, NULL, 0, 0, 0};
}
