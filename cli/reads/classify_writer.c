/*
 * classify_writer.c - threads format the rows, a slice of the units each. Reads are copied, consecutive ones on the same route at once.
 * The reads of a unit in parts wait in a spool for its verdict.
 */
#include "cli/reads/classify_writer.h"

#include "cli/decimal.h"

enum { SLICE_UNITS = 1024, SPOOL_BYTES = 8 << 20, COPY_BYTES = 4 << 20, SCORE_SIZE = 7, ROW_EXTRA = 3 * DECIMAL_MAX + SCORE_SIZE + 16 };

static const char *const verdicts[] = {[TMS_VERDICT_NONE] = "none", [TMS_VERDICT_MATCH] = "match", [TMS_VERDICT_AMBIGUOUS] = "ambiguous"};

/* ---- the table -------------------------------------------------------------------------------------------------- */

static bool add_text(struct byte_array *to, const char *text) { return byte_array_add(to, text, strlen(text)); }

io_status classify_writer_header(classify_writer *w, io_error *err)
{
    struct byte_array *to;
    bool done;

    if (w->rows == CLASSIFY_NOWHERE)
        return IO_OK;
    to = io_outputs_buffer(w->outputs, w->rows);
    done = add_text(to, "id\tverdict\treference\tscore\thits\tk_mers");
    for (size_t r = 0; r < w->n_references && done; r++)
        done = add_text(to, "\t") && add_text(to, w->names[r]);
    return done && add_text(to, "\n") ? IO_OK : io_fail_memory(err, "the table");
}

/* Writes a tab, and a score of 0 .. 1 with 4 digits after the point. */
static char *put_score(char *to, double score)
{
    unsigned n = (unsigned)(score * 10000 + 0.5);

    *to++ = '\t';
    *to++ = (char)('0' + n / 10000);
    *to++ = '.';
    memcpy(to, decimal_pairs + 2 * (n / 100 % 100), 2);
    memcpy(to + 2, decimal_pairs + 2 * (n % 100), 2);
    return to + 4;
}

static char *put_text(char *to, const char *text, size_t n)
{
    memcpy(to, text, n);
    return to + n;
}

static bool add_row(const classify_writer *w, const classify_units *units, size_t i, const tms_classified *result,
                    const tms_reference_score *scores, struct byte_array *out)
{
    size_t name_size, best_size = 1, second_size = 0;
    const char *name = classify_units_name(units, i, &name_size), *best = "-", *second = "", *verdict = verdicts[result->verdict];
    char *to;

    if (result->best != TMS_NO_REFERENCE) {
        best = w->names[result->best];
        best_size = strlen(best);
    }
    if (result->verdict == TMS_VERDICT_AMBIGUOUS) {
        second = w->names[result->second];
        second_size = strlen(second);
    }
    to = (char *)byte_array_room(out, name_size + best_size + second_size + ROW_EXTRA + SCORE_SIZE * w->n_references);
    if (to == NULL)
        return false;
    to = put_text(to, name, name_size);
    *to++ = '\t';
    to = put_text(to, verdict, strlen(verdict));
    *to++ = '\t';
    to = put_text(to, best, best_size);
    if (second_size > 0) {
        *to++ = ',';
        to = put_text(to, second, second_size);
    }
    to = put_score(to, result->score);
    *to++ = '\t';
    to = decimal_put(to, result->n_hits);
    *to++ = '\t';
    to = decimal_put(to, result->n_words);
    for (size_t r = 0; r < w->n_references; r++)
        to = put_score(to, scores[r].score);
    *to++ = '\n';
    out->n = (size_t)((uint8_t *)to - out->bytes);
    return true;
}

typedef struct row_task {
    classify_writer *writer;
    const classify_units *units;
    const tms_classified *results;
    const tms_reference_score *scores;
} row_task;

static void format_slice(void *arg, size_t slice, int thread)
{
    const row_task *t = arg;
    classify_writer *w = t->writer;
    struct byte_array *out = &w->slices[slice];
    size_t end = (slice + 1) * SLICE_UNITS;

    (void)thread;
    out->n = 0;
    for (size_t i = slice * SLICE_UNITS; i < end && i < t->units->n_units; i++) {
        if (!add_row(w, t->units, i, &t->results[i], &t->scores[i * w->n_references], out))
            __atomic_store_n(&w->failed, 1, __ATOMIC_RELAXED);
    }
}

static io_status put_rows(const row_task *task, io_error *err)
{
    classify_writer *w = task->writer;
    size_t n = (task->units->n_units + SLICE_UNITS - 1) / SLICE_UNITS;
    struct byte_array *to = io_outputs_buffer(w->outputs, w->rows);

    if (!array_reserve(&w->slices, &w->slices_capacity, n, sizeof *w->slices))
        return io_fail_memory(err, "the table");
    for (; w->n_slices < n; w->n_slices++)
        w->slices[w->n_slices] = (struct byte_array){NULL, 0, 0};
    if (tms_context_run(w->ctx, n, format_slice, (void *)(uintptr_t)task) != TMS_OK || w->failed)
        return io_fail_memory(err, "the table");
    for (size_t i = 0; i < n; i++) {
        if (!byte_array_add(to, w->slices[i].bytes, w->slices[i].n))
            return io_fail_memory(err, "the table");
    }
    return IO_OK;
}

/* ---- reads ------------------------------------------------------------------------------------------------------ */

static const classify_route *route_of(const classify_writer *w, const tms_classified *result)
{
    switch (result->verdict) {
    case TMS_VERDICT_MATCH:
        return &w->routes[result->best];
    case TMS_VERDICT_AMBIGUOUS:
        return &w->routes[w->n_references + 1];
    default:
        return &w->routes[w->n_references];
    }
}

/* Writes records first .. first + n - 1 of a batch. */
static io_status put_records(classify_writer *w, size_t file, const seqio_records_batch *batch, size_t first, size_t n, io_error *err)
{
    struct byte_array *to = io_outputs_buffer(w->outputs, file);
    const uint8_t *bytes = batch->raw + batch->raw_starts[first], *end = batch->raw + batch->raw_starts[first + n];

    return byte_array_add(to, bytes, (size_t)(end - bytes)) ? IO_OK : io_fail_memory(err, "reads");
}

io_status classify_writer_keep(classify_writer *w, const classify_part *part, io_error *err)
{
    io_spool *s = &w->spools[part->mate];

    if (w->routes == NULL)
        return IO_OK;
    s->memory_bytes = SPOOL_BYTES;
    return io_spool_add(s, part->raw, part->n_raw, err);
}

static io_status put_spool(classify_writer *w, size_t file, const io_spool *s, io_error *err)
{
    io_status status = IO_OK;

    for (uint64_t at = 0; at < s->n && status == IO_OK;) {
        struct byte_array *to = io_outputs_buffer(w->outputs, file);
        size_t n = s->n - at < COPY_BYTES ? (size_t)(s->n - at) : COPY_BYTES;
        uint8_t *room = byte_array_room(to, n);
        if (room == NULL)
            return io_fail_memory(err, "reads");
        status = io_spool_read(s, at, room, n, err);
        to->n += n;
        at += n;
        if (status == IO_OK)
            status = io_outputs_flush(w->outputs, err);
    }
    return status;
}

/* Writes the unit in parts, unless it goes nowhere, and clears the spools for the next one. */
static io_status put_spools(classify_writer *w, size_t n_mates, const classify_route *route, io_error *err)
{
    io_status status = IO_OK;

    for (size_t m = 0; m < n_mates && status == IO_OK; m++) {
        if (route->files[m] != CLASSIFY_NOWHERE)
            status = put_spool(w, route->files[m], &w->spools[m], err);
        if (status == IO_OK)
            status = io_spool_clear(&w->spools[m], err);
    }
    return status;
}

/* Writes units i .. end - 1, all on one route. */
static io_status put_run(classify_writer *w, const classify_units *units, const classify_route *route, size_t i, size_t end, io_error *err)
{
    int is_one_output = units->n_mates == 1 || route->files[0] == route->files[1], is_one_input = units->n_files == 1;
    size_t file, record;
    io_status status = IO_OK;

    if (is_one_output && is_one_input) {
        record = classify_units_record(units, 0, i, &file);
        return put_records(w, route->files[0], &units->batches[file], record, (end - i) * units->n_mates, err);
    }
    if (!is_one_output && !is_one_input) {
        for (size_t m = 0; m < 2 && status == IO_OK; m++) {
            record = classify_units_record(units, m, i, &file);
            status = put_records(w, route->files[m], &units->batches[file], record, end - i, err);
        }
        return status;
    }
    for (; i < end; i++) { /* from interleaved mates to two files, or from two files to one */
        for (size_t m = 0; m < 2 && status == IO_OK; m++) {
            record = classify_units_record(units, m, i, &file);
            status = put_records(w, route->files[m], &units->batches[file], record, 1, err);
        }
    }
    return status;
}

static io_status put_reads(classify_writer *w, const classify_units *units, const tms_classified *results, io_error *err)
{
    io_status status = IO_OK;

    if (units->in_parts)
        return put_spools(w, units->n_mates, route_of(w, results), err);
    for (size_t i = 0, end; i < units->n_units && status == IO_OK; i = end) {
        const classify_route *route = route_of(w, &results[i]);
        for (end = i + 1; end < units->n_units && route_of(w, &results[end]) == route; end++) {
        }
        if (route->files[0] != CLASSIFY_NOWHERE)
            status = put_run(w, units, route, i, end, err);
    }
    return status;
}

io_status classify_writer_put(classify_writer *w, const classify_units *units, const tms_classified *results,
                              const tms_reference_score *scores, io_error *err)
{
    row_task task = {w, units, results, scores};
    io_status status = IO_OK;

    if (w->rows != CLASSIFY_NOWHERE)
        status = put_rows(&task, err);
    if (status == IO_OK && w->routes != NULL)
        status = put_reads(w, units, results, err);
    return status == IO_OK ? io_outputs_flush(w->outputs, err) : status;
}

void classify_writer_free(classify_writer *w)
{
    for (size_t i = 0; i < w->n_slices; i++)
        free(w->slices[i].bytes);
    io_spool_free(&w->spools[0]);
    io_spool_free(&w->spools[1]);
    free(w->slices);
}
