/* seqs_dna.c - encodes the nucleotides of a batch, record after record, in memory that later batches reuse. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "run/context.h"
#include "tamis/seq.h"

struct tms_seqs_dna {
    tms_dna_room room;
    tms_dna_part *parts;
    size_t parts_capacity;
    tms_dna view;
};

enum { RUNS_MORE = 1024 };

tms_status tms_seqs_dna_create(tms_context *ctx, tms_seqs_dna **out)
{
    *out = calloc(1, sizeof **out);
    return *out ? TMS_OK : context_fail_memory(ctx, "a batch of nucleotides", sizeof **out);
}

void tms_seqs_dna_destroy(tms_seqs_dna *dna)
{
    if (!dna)
        return;
    free(dna->room.codes);
    free(dna->room.runs);
    free(dna->parts);
    free(dna);
}

static tms_status fail_memory(tms_context *ctx, size_t n_bases) { return context_fail_memory(ctx, "a batch of nucleotides", n_bases / 4); }

static tms_status reserve(tms_context *ctx, tms_seqs_dna *dna, size_t n_bases, size_t n_records)
{
    size_t capacity = array_capacity(dna->room.bases_capacity, ARRAY_FIRST_ITEMS, n_bases);
    if (!array_reserve(&dna->parts, &dna->parts_capacity, n_records + 1, sizeof *dna->parts))
        return fail_memory(ctx, n_bases);
    if (n_bases <= dna->room.bases_capacity && dna->room.codes)
        return TMS_OK;
    capacity = capacity < TMS_DNA_MAX_BASES ? capacity : TMS_DNA_MAX_BASES;
    free(dna->room.codes); /* free() before malloc(): the previous batch's bases need not be copied */
    dna->room.bases_capacity = 0;
    dna->room.codes = malloc(TMS_DNA_WORDS(capacity) * sizeof *dna->room.codes);
    if (!dna->room.codes)
        return fail_memory(ctx, n_bases);
    dna->room.bases_capacity = capacity;
    return TMS_OK;
}

static tms_status encode_record(tms_context *ctx, const tms_seqs *seqs, size_t i, tms_seqs_dna *dna)
{
    const char *bases = (const char *)seqs->residues + seqs->residue_starts[i];
    size_t n = (size_t)tms_seqs_length(seqs, i), at = 0, done;
    while (at < n) {
        if (tms_dna_encode(ctx, &dna->room, bases + at, n - at, &done) != TMS_OK)
            return context_fail(ctx, TMS_E_ARG, "record %llu: letter %zu (byte 0x%02x) is not a nucleotide",
                                (unsigned long long)seqs->first_record + i + 1, at + done + 1, (unsigned)(uint8_t)bases[at + done]);
        at += done;
        if (at < n &&
            !array_reserve(&dna->room.runs, &dna->room.runs_capacity, dna->room.runs_capacity + RUNS_MORE, sizeof *dna->room.runs))
            return fail_memory(ctx, dna->room.n_bases);
    }
    return TMS_OK;
}

tms_status tms_seqs_dna_encode(tms_context *ctx, const tms_seqs *seqs, tms_seqs_dna *dna)
{
    uint64_t n_bases = seqs->n_records ? seqs->residue_starts[seqs->n_records] - seqs->n_records : 0;
    tms_status status;
    memset(&dna->view, 0, sizeof dna->view);
    if (n_bases > TMS_DNA_MAX_BASES)
        return context_fail(ctx, TMS_E_ARG, "a batch of %llu bases: at most %zu at once", (unsigned long long)n_bases, TMS_DNA_MAX_BASES);
    status = reserve(ctx, dna, (size_t)n_bases, seqs->n_records);
    dna->room.n_bases = dna->room.n_runs = 0;
    for (size_t i = 0; i < seqs->n_records && status == TMS_OK; i++) {
        dna->parts[i] = (tms_dna_part){.name = seqs->headers + seqs->header_starts[i],
                                       .record = seqs->first_record + i,
                                       .start = (uint32_t)dna->room.n_bases,
                                       .n_bases = (uint32_t)tms_seqs_length(seqs, i)};
        status = encode_record(ctx, seqs, i, dna);
    }
    if (status == TMS_OK)
        dna->view = (tms_dna){dna->room.codes, dna->room.n_bases, dna->parts, seqs->n_records, dna->room.runs, dna->room.n_runs};
    return status;
}

const tms_dna *tms_seqs_dna_get(const tms_seqs_dna *dna) { return &dna->view; }
