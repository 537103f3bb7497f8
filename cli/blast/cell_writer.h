/* cell_writer.h - writes the part of a cell, call by call. */
#ifndef TAMIS_CLI_CELL_WRITER_H
#define TAMIS_CLI_CELL_WRITER_H

#include "archive/archive_writer.h"
#include "tamis/search.h"

typedef struct cell_writer cell_writer;

/* Where the query batches of a call begin. */
struct cell_batches {
    uint64_t *firsts; /* n records, counted from 0; owned */
    size_t n, capacity;
    uint64_t end; /* the record after the last */
};

/* cell_writer_open() - takes over the archive, also after a failure. Returns IO_OK or IO_E_MEMORY. */
io_status cell_writer_open(struct archive_writer *archive, cell_writer **out, io_error *err);

/* cell_writer_take() - takes over what the search has found for the queries of a call; the call before is written. */
void cell_writer_take(cell_writer *writer, tms_search_found *found, const struct cell_batches *batches);

/* cell_writer_put() - writes what it has taken; ctx: of the thread that writes. */
io_status cell_writer_put(cell_writer *writer, tms_context *ctx, io_error *err);

/* cell_writer_end() - the part gets its name. Frees the writer, also after a failure. */
io_status cell_writer_end(cell_writer *writer, io_error *err);
void cell_writer_abort(cell_writer *writer); /* leaves no file; NULL is fine */

#endif
