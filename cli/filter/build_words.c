/* build_words.c - see build_words.h. */
#include "cli/filter/build_words.h"

#include <stdlib.h>

#include "base/byte_array.h"
#include "cli/cli.h"
#include "seqio/seqio_records.h"
#include "tamis/mask.h"

enum { BATCH_BYTES = 4 << 20 };

/* Records without their masked k-mers. */
typedef struct masked_batch {
    tms_masks *masks;
    struct byte_array bases;
    uint64_t *starts;
    size_t starts_capacity;
} masked_batch;

/*
 * Adds the bases of a record without the k-mers that have `least` bases or more in one of its intervals. An N stands for the k-mers left
 * out; the k-mers before and after it are whole, so some bases may occur twice.
 */
static bool add_unmasked(masked_batch *to, const uint8_t *bases, uint64_t n, const tms_interval *intervals, uint64_t n_intervals,
                         uint64_t word_size, uint64_t least)
{
    uint64_t from = 0; /* first k-mer that is neither added nor left out yet */
    bool done = true;

    for (uint64_t i = 0; i < n_intervals && done; i++) {
        uint64_t first = intervals[i].start, end = intervals[i].end;
        if (end - first < least)
            continue;
        first = first > word_size - least ? first - (word_size - least) : 0; /* from the first such k-mer to the last */
        end = end - least + 1;
        if (first > from)
            done = byte_array_add(&to->bases, bases + from, first + word_size - 1 - from) && byte_array_add(&to->bases, "N", 1);
        from = end > from ? end : from;
    }
    if (done && from < n)
        done = byte_array_add(&to->bases, bases + from, n - from);
    return done && byte_array_add(&to->bases, "", 1);
}

static bool add_records(masked_batch *m, const tms_seqs *seqs, const tms_mask_list *list, uint32_t word_size)
{
    bool done = array_reserve(&m->starts, &m->starts_capacity, seqs->n_records + 1, sizeof *m->starts);

    m->bases.n = 0;
    for (size_t i = 0; i < seqs->n_records && done; i++) {
        m->starts[i] = m->bases.n;
        done = add_unmasked(m, seqs->residues + seqs->residue_starts[i], tms_seqs_length(seqs, i), list->intervals + list->starts[i],
                            list->starts[i + 1] - list->starts[i], word_size, (word_size + 1) / 2);
        m->starts[i + 1] = m->bases.n;
    }
    return done;
}

/* Own records of a batch, copied. */
typedef struct own_records {
    const shard_place *place; /* NULL: all records are the caller's own */
    struct byte_array bases;
    uint64_t *starts;
    size_t starts_capacity;
} own_records;

/* Leaves only own records in *seqs, borrowed from `own`. Returns false if out of memory. */
static bool pick_records(own_records *own, tms_seqs *seqs)
{
    const shard_place *place = own->place;
    size_t n = 0;

    if (place == NULL)
        return true;
    own->bases.n = 0;
    if (!array_reserve(&own->starts, &own->starts_capacity, seqs->n_records / place->n + 2, sizeof *own->starts))
        return false;
    own->starts[0] = 0;
    for (size_t i = (size_t)((place->shard + place->n - seqs->first_record % place->n) % place->n); i < seqs->n_records; i += place->n) {
        if (!byte_array_add(&own->bases, seqs->residues + seqs->residue_starts[i], seqs->residue_starts[i + 1] - seqs->residue_starts[i]))
            return false;
        own->starts[++n] = own->bases.n;
    }
    *seqs = (tms_seqs){.n_records = n, .residues = own->bases.bytes, .residue_starts = own->starts};
    return true;
}

static int fail(line_stream *s, tms_status status)
{
    io_progress_end(&s->progress); /* before the message */
    return cli_fail_library(s->common.command, s->ctx, status);
}

static int fail_memory(line_stream *s, const char *what)
{
    io_progress_end(&s->progress);
    return cli_fail(s->common.command, CLI_NO_MEMORY, "out of memory for %s", what);
}

/* Replaces *seqs with its records without masked k-mers, borrowed from m. Returns CLI_OK; otherwise the exit code, after a message. */
static int mask_batch(line_stream *s, masked_batch *m, int mask, uint32_t word_size, tms_seqs *seqs)
{
    tms_mask_list list;
    tms_status status = mask == BUILD_MASK_DUST ? tms_mask_dust(s->ctx, seqs, NULL, m->masks) : tms_mask_lower_case(s->ctx, seqs, m->masks);

    if (status != TMS_OK)
        return fail(s, status);
    list = tms_masks_list(m->masks);
    if (!add_records(m, seqs, &list, word_size))
        return fail_memory(s, "the unmasked bases");
    seqs->residues = m->bases.bytes;
    seqs->residue_starts = m->starts;
    seqs->qualities = NULL;
    return CLI_OK;
}

static int add_seqs(line_stream *s, tms_reference *reference, masked_batch *m, int mask, uint32_t word_size, tms_seqs *seqs)
{
    int code = mask != BUILD_MASK_NONE ? mask_batch(s, m, mask, word_size, seqs) : CLI_OK;
    tms_status status;

    if (code != CLI_OK)
        return code;
    status = tms_reference_add(s->ctx, reference, seqs);
    if (status != TMS_OK)
        return fail(s, status);
    s->n_keys = tms_reference_n_words(reference);
    return CLI_OK;
}

static int add_all(line_stream *s, tms_reference *reference, seqio_records *records, int mask, uint32_t word_size, const shard_place *place)
{
    seqio_records_batch batch;
    io_error err;
    io_status status = IO_END;
    masked_batch masked = {0};
    own_records own = {.place = place};
    tms_status made = tms_masks_create(s->ctx, &masked.masks);
    int code = made == TMS_OK ? CLI_OK : cli_fail_library(s->common.command, s->ctx, made);

    while (code == CLI_OK && (status = seqio_records_next(records, &batch, &err)) == IO_OK) {
        code = pick_records(&own, &batch.seqs) ? CLI_OK : fail_memory(s, "the records of a shard");
        if (code == CLI_OK && batch.seqs.n_records > 0)
            code = add_seqs(s, reference, &masked, mask, word_size, &batch.seqs);
        io_progress_update(&s->progress, batch.n_read, s->n_keys);
    }
    tms_masks_destroy(masked.masks);
    free(masked.bases.bytes);
    free(masked.starts);
    free(own.bases.bytes);
    free(own.starts);
    io_progress_end(&s->progress);
    return code != CLI_OK || status == IO_END ? code : cli_fail_io(s->common.command, status, &err);
}

int build_words_read(line_stream *s, tms_reference *reference, int mask, uint32_t word_size, const shard_place *place)
{
    const seqio_records_options how = {.paths = s->paths, .n_paths = s->n_paths, .batch_bytes = BATCH_BYTES};
    seqio_records *records;
    io_error err;
    io_status status = seqio_records_open(&how, &records, &err);
    int code;

    if (status != IO_OK)
        return cli_fail_io(s->common.command, status, &err);
    code = add_all(s, reference, records, mask, word_size, place);
    seqio_records_close(records);
    return code;
}
