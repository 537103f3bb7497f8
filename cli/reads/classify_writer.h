/*
 * classify_writer.h - writes each unit of tamis classify: its row of the table, and its reads byte for byte.
 */
#ifndef TAMIS_CLI_CLASSIFY_WRITER_H
#define TAMIS_CLI_CLASSIFY_WRITER_H

#include "cli/reads/classify_units.h"
#include "io/io_outputs.h"
#include "io/io_spool.h"

#define CLASSIFY_NOWHERE SIZE_MAX

/* The outputs of reads with one verdict, for each mate; both may be the same, or CLASSIFY_NOWHERE. */
typedef struct classify_route {
    size_t files[2];
} classify_route;

typedef struct classify_writer {
    tms_context *ctx;
    io_outputs *outputs;
    const char *const *names; /* of the references */
    size_t n_references;
    size_t rows;            /* output of the table, or CLASSIFY_NOWHERE */
    classify_route *routes; /* for each reference, then for unmatched, then for ambiguous units; NULL: write no reads */

    io_spool spools[2]; /* the bytes of the mates of a unit in parts, until its verdict is known */

    struct byte_array *slices; /* rows, as threads format them */
    size_t slices_capacity, n_slices;
    int failed; /* a thread had no memory; atomic */
} classify_writer;

/* classify_writer_header() - the table's first line. Returns IO_OK or IO_E_MEMORY. */
io_status classify_writer_header(classify_writer *w, io_error *err);

/* classify_writer_keep() - stores the current part until its unit ends. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status classify_writer_keep(classify_writer *w, const classify_part *part, io_error *err);

/*
 * classify_writer_put() - writes the current units; a unit in parts after its last part.
 *   scores [in] with rows: the scores of all references for each unit
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status classify_writer_put(classify_writer *w, const classify_units *units, const tms_classified *results,
                              const tms_reference_score *scores, io_error *err);

void classify_writer_free(classify_writer *w); /* frees what the writer allocated: routes, outputs and names are the caller's */

#endif
