/*
 * classify_writer.h - what tamis classify writes of each unit: its row of the table, and its reads as they stand in their files.
 */
#ifndef TAMIS_CLI_CLASSIFY_WRITER_H
#define TAMIS_CLI_CLASSIFY_WRITER_H

#include "cli/reads/classify_units.h"
#include "io/io_outputs.h"
#include "io/io_spool.h"

#define CLASSIFY_NOWHERE SIZE_MAX

/* Where reads of one kind go: outputs, for each mate; both may be the same, and CLASSIFY_NOWHERE. */
typedef struct classify_route {
    size_t files[2];
} classify_route;

typedef struct classify_writer {
    tms_context *ctx;
    io_outputs *outputs;
    const char *const *names; /* of the references */
    size_t n_references;
    size_t rows;            /* output of the table, or CLASSIFY_NOWHERE */
    classify_route *routes; /* for each reference, then of what matches none, then of what is ambiguous; NULL: reads are not written */

    io_spool spools[2]; /* of a unit in parts: what its mates have in the file, until it is known where it goes */

    struct byte_array *slices; /* rows, as threads format them */
    size_t slices_capacity, n_slices;
    int failed; /* a thread had no memory; atomic */
} classify_writer;

/* classify_writer_header() - the table's first line. Returns IO_OK or IO_E_MEMORY. */
io_status classify_writer_header(classify_writer *w, io_error *err);

/* classify_writer_keep() - the part at hand, for when its unit ends. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status classify_writer_keep(classify_writer *w, const classify_part *part, io_error *err);

/*
 * classify_writer_put() - the units at hand; one in parts when it has ended.
 *   scores [in] with rows: those of all references for each unit
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status classify_writer_put(classify_writer *w, const classify_units *units, const tms_classified *results,
                              const tms_reference_score *scores, io_error *err);

void classify_writer_free(classify_writer *w); /* what it made: routes, outputs and names are the caller's */

#endif
