/* cell_writer.c - see cell_writer.h. */
#include "cli/blast/cell_writer.h"

#include <stdlib.h>

struct cell_writer {
    struct archive_writer *archive;
    tms_search_found *found; /* what is to be written, with its batches */
    struct cell_batches batches;
};

static io_status begin_batch(const cell_writer *w, uint64_t batch, io_error *err)
{
    const struct cell_batches *b = &w->batches;
    const uint64_t end = batch + 1 < b->n ? b->firsts[batch + 1] : b->end;

    return archive_writer_begin_batch(w->archive, b->firsts[batch], end - b->firsts[batch], err);
}

static io_status write_lists(const cell_writer *w, tms_context *ctx, io_error *err)
{
    const uint64_t n = tms_search_found_n_lists(w->found);
    uint64_t batch = UINT64_MAX;
    io_status status = IO_OK;

    for (uint64_t i = 0; i < n && status == IO_OK; i++) {
        tms_found_list list;
        if (tms_search_found_get(ctx, w->found, i, &list) != TMS_OK)
            status = io_fail_memory(err, "a list of preliminary HSPs");
        while (status == IO_OK && batch != list.batch) /* a batch may have no list */
            status = begin_batch(w, ++batch, err);
        if (status == IO_OK)
            status = archive_writer_put(w->archive, &list, err);
    }
    while (status == IO_OK && ++batch < w->batches.n)
        status = begin_batch(w, batch, err);
    return status;
}

static void drop(cell_writer *w)
{
    tms_search_found_destroy(w->found);
    free(w->batches.firsts);
    w->found = NULL;
    w->batches = (struct cell_batches){0};
}

io_status cell_writer_open(struct archive_writer *archive, cell_writer **out, io_error *err)
{
    *out = calloc(1, sizeof **out);
    if (*out == NULL) {
        archive_writer_abort(archive);
        return io_fail_memory(err, "the writer of a part");
    }
    (*out)->archive = archive;
    return IO_OK;
}

void cell_writer_take(cell_writer *w, tms_search_found *found, const struct cell_batches *batches)
{
    w->found = found;
    w->batches = *batches;
}

io_status cell_writer_put(cell_writer *w, tms_context *ctx, io_error *err)
{
    const io_status status = write_lists(w, ctx, err);

    drop(w);
    return status;
}

io_status cell_writer_end(cell_writer *w, io_error *err)
{
    const io_status status = archive_writer_end(w->archive, err);

    drop(w);
    free(w);
    return status;
}

void cell_writer_abort(cell_writer *w)
{
    if (w == NULL)
        return;
    archive_writer_abort(w->archive);
    drop(w);
    free(w);
}
