/*
 * model_table.h - tables of measurements, as in bench/results/: lines of cells separated by tabs.
 *
 * A line that begins with '#' is a note ("# gpu: NVIDIA H200"). A line whose first cell is the name of a column (fig, what, sweep) begins
 * a section: its cells are the names of the columns of the rows below it. So a table may have rows of several kinds.
 *
 * Faults in cells are found when the cells are used. The table keeps the first fault, with file and line, and the caller checks it at the
 * end.
 */
#ifndef TAMIS_MODEL_TABLE_H
#define TAMIS_MODEL_TABLE_H

#include <stddef.h>

#include "io/io_error.h"

enum { MODEL_TABLE_COLUMNS = 64, MODEL_TABLE_FAULT = 640 };

typedef struct model_section {
    size_t first_cell, n_columns; /* range of the columns' names in cells */
} model_section;

typedef struct model_row {
    size_t line; /* from 1 */
    size_t section, first_cell;
} model_row;

typedef struct model_table {
    char *path, *text;  /* text: the file's content, with a NUL after each cell */
    const char **cells; /* pointers into text */
    const char **notes; /* pointers into text, after "# " */
    model_section *sections;
    model_row *rows;
    size_t n_cells, n_notes, n_sections, n_rows;
    size_t cells_capacity, notes_capacity, sections_capacity, rows_capacity;
    char fault[MODEL_TABLE_FAULT]; /* the first fault; "": none */
} model_table;

/*
 * model_table_read() - reads a table, plain or compressed; "-" is standard input.
 *   out [out] freed with model_table_free(), also on failure
 * Returns IO_OK; IO_E_INPUT if the file cannot be read, is not a table, or has a line whose number of cells is not that of the columns;
 * IO_E_MEMORY.
 */
io_status model_table_read(const char *path, model_table *out, io_error *err);
void model_table_free(model_table *t);

/* model_table_text() - a cell of a row; NULL if the row's section has no such column. */
const char *model_table_text(const model_table *t, size_t row, const char *column);

/*
 * model_table_number() - a cell as a number. Anything else is a fault; then the result is NaN.
 * model_table_number_if() - also NaN, without a fault, if the column is missing or the cell is empty, "NaN" or "-".
 */
double model_table_number(model_table *t, size_t row, const char *column);
double model_table_number_if(model_table *t, size_t row, const char *column);

/* model_table_note() - the text of the first note that begins with "NAME: "; NULL if there is none or it is "-". */
const char *model_table_note(const model_table *t, const char *name);

#endif
