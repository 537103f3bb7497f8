/* cell_writer.h - writes the part of a cell on a thread of its own, so that the next queries are searched in the meantime. */
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

/*
 * cell_writer_put() - begins to write what the search has found for the queries of a call, and takes over both arguments. Waits until the
 * writing of the call before has ended, and returns its status; after a failure nothing more is written.
 */
io_status cell_writer_put(cell_writer *writer, tms_search_found *found, const struct cell_batches *batches, io_error *err);

/* cell_writer_end() - waits; then the part gets its name. Frees the writer, also after a failure. */
io_status cell_writer_end(cell_writer *writer, io_error *err);
void cell_writer_abort(cell_writer *writer); /* waits, and leaves no file; NULL is fine */

#endif
