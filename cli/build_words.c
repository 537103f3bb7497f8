/* build_words.c - see build_words.h. */
#include "build_words.h"

#include "cli.h"
#include "io/io_records.h"

enum { BATCH_BYTES = 4 << 20 };

int build_words_read(line_stream *s, tms_reference *reference)
{
    const io_records_options how = {.paths = s->paths, .n_paths = s->n_paths, .batch_bytes = BATCH_BYTES};
    io_records *records;
    io_records_batch batch;
    io_error err;
    tms_status done = TMS_OK;
    io_status status = io_records_open(&how, &records, &err);

    if (status != IO_OK)
        return cli_fail_io(s->common.command, status, &err);
    while (done == TMS_OK && (status = io_records_next(records, &batch, &err)) == IO_OK) {
        done = tms_reference_add(s->ctx, reference, &batch.seqs);
        s->n_keys = tms_reference_n_words(reference);
        io_progress_update(&s->progress, batch.n_read, s->n_keys);
    }
    io_progress_end(&s->progress); /* before anything is said */
    io_records_close(records);
    if (done != TMS_OK)
        return cli_fail_library(s->common.command, s->ctx, done);
    return status == IO_END ? CLI_OK : cli_fail_io(s->common.command, status, &err);
}
