/*
 * model_table.h - tables of measurements, as they are kept in bench/results/: lines of cells with tabs between.
 *
 * A line that begins with '#' is a note ("# gpu: NVIDIA H200"). A line whose first cell is the name of a column (fig, what, sweep) begins
 * a section: its cells are the names of the columns of the rows below it. So a table may have rows of several kinds.
 *
 * What is wrong with a table is found when it is used. The first fault is kept, with file and line, and the caller looks at it in the end.
 */
#ifndef TAMIS_MODEL_TABLE_H
#define TAMIS_MODEL_TABLE_H

#include <stddef.h>

#include "io/io_error.h"

enum { MODEL_TABLE_COLUMNS = 64, MODEL_TABLE_FAULT = 640 };

typedef struct model_section {
    size_t first_cell, n_columns; /* names */
} model_section;

typedef struct model_row {
    size_t line; /* from 1 */
    size_t section, first_cell;
} model_row;

typedef struct model_table {
    char *path, *text;  /* text: the file, cut into cells by NULs */
    const char **cells; /* in text */
    const char **notes; /* without "# " */
    model_section *sections;
    model_row *rows;
    size_t n_cells, n_notes, n_sections, n_rows;
    size_t cells_capacity, notes_capacity, sections_capacity, rows_capacity;
    char fault[MODEL_TABLE_FAULT]; /* "" while there is none */
} model_table;

/*
 * model_table_read() - a file, plain or compressed; "-" is standard input.
 *   out [out] freed with model_table_free(), also on failure
 * Returns IO_OK; IO_E_INPUT for a file that cannot be read, is no table, or has a line with more or fewer cells than there are columns;
 * IO_E_MEMORY.
 */
io_status model_table_read(const char *path, model_table *out, io_error *err);
void model_table_free(model_table *t);

/* A cell of a row; NULL where the row's section has no such column. */
const char *model_table_text(const model_table *t, size_t row, const char *column);

/*
 * A cell as a number; NaN where there is none.
 * model_table_number() - it has to be there: anything else is a fault
 * model_table_number_if() - the column may be missing and the cell empty, "NaN" or "-"; but other text is a fault
 */
double model_table_number(model_table *t, size_t row, const char *column);
double model_table_number_if(model_table *t, size_t row, const char *column);

/* The rest of the first note that begins with "NAME: ", or NULL, also where it is "-". */
const char *model_table_note(const model_table *t, const char *name);

#endif
