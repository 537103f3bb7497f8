#include "seqio/seqio_dna_ahead.h"

#include <stdlib.h>
#include <string.h>

#include "seq/dna_core.h"

/* A piece and the arrays of its chunk, in one block of memory. */
typedef struct piece {
    seqio_dna_piece given;
    struct piece *next; /* the same piece as given.next */
    uint64_t before_codes[TMS_DNA_WORDS(1)];
} piece;

struct seqio_dna_ahead {
    seqio_dna *dna;
    piece *first, *last; /* first: the piece that the caller has */
};

io_status seqio_dna_ahead_create(seqio_dna *dna, seqio_dna_ahead **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL)
        return io_fail_memory(err, "reading sequences");
    (*out)->dna = dna;
    return IO_OK;
}

void seqio_dna_ahead_destroy(seqio_dna_ahead *a)
{
    if (a == NULL)
        return;
    while (a->first != NULL) {
        piece *next = a->first->next;
        free(a->first);
        a->first = next;
    }
    free(a);
}

static piece *copy_chunk(const seqio_dna_chunk *chunk)
{
    const tms_dna *from = &chunk->dna;
    size_t codes = TMS_DNA_WORDS(from->n_bases) * sizeof *from->codes, parts = from->n_parts * sizeof *from->parts;
    size_t runs = from->n_runs * sizeof *from->runs, names = 0;
    tms_dna_part *part;
    char *at;
    piece *p;

    for (size_t i = 0; i < from->n_parts; i++)
        names += strlen(from->parts[i].name) + 1;
    p = malloc(sizeof *p + codes + parts + runs + names);
    if (p == NULL)
        return NULL;
    memset(p, 0, sizeof *p);
    p->given.chunk = *chunk;
    at = (char *)(p + 1);
    p->given.chunk.dna.codes = memcpy(at, from->codes, codes);
    p->given.chunk.dna.parts = part = memcpy(at + codes, from->parts, parts);
    if (runs > 0)
        memcpy(at + codes + parts, from->runs, runs);
    p->given.chunk.dna.runs = (tms_dna_run *)(at + codes + parts);
    at += codes + parts + runs;
    for (size_t i = 0; i < from->n_parts; i++) {
        size_t n = strlen(from->parts[i].name) + 1;
        part[i].name = memcpy(at, from->parts[i].name, n);
        at += n;
    }
    return p;
}

/* Sets the base before p, which begins with bases that end `last`. */
static void find_before(const piece *last, piece *p)
{
    const tms_dna *dna = &last->given.chunk.dna;
    const tms_dna_part *part = &dna->parts[dna->n_parts - 1], *goes_on = p->given.chunk.dna.parts;
    size_t base;

    if (goes_on->record != part->record || goes_on->offset == 0)
        return;
    base = part->start + (goes_on->offset - part->offset) - 1;
    p->before_codes[0] = dna_word(dna->codes, base, 1);
    p->given.before.codes = p->before_codes;
    p->given.before.n_bases = tms_dna_same(dna, base, dna, base, 0, 1);
}

io_status seqio_dna_ahead_more(seqio_dna_ahead *a, io_error *err)
{
    seqio_dna_chunk chunk;
    io_status status = seqio_dna_next(a->dna, &chunk, err);
    piece *p;

    if (status != IO_OK)
        return status;
    p = copy_chunk(&chunk);
    if (p == NULL)
        return io_fail_memory(err, "sequences");
    if (a->last != NULL) {
        find_before(a->last, p);
        a->last->next = p;
        a->last->given.next = &p->given;
    } else {
        a->first = p;
    }
    a->last = p;
    return IO_OK;
}

io_status seqio_dna_ahead_next(seqio_dna_ahead *a, const seqio_dna_piece **out, io_error *err)
{
    piece *before = a->first;

    if (before == NULL || before->next == NULL) {
        io_status status = seqio_dna_ahead_more(a, err);
        if (status != IO_OK)
            return status;
    }
    if (before != NULL) {
        a->first = before->next;
        free(before);
    }
    *out = &a->first->given;
    return IO_OK;
}
