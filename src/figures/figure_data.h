/*
 * figure_data.h - the measurements behind the figures: the tables of a directory, or one file.
 */
#ifndef TAMIS_FIGURE_DATA_H
#define TAMIS_FIGURE_DATA_H

#include "figures/model_table.h"
#include "io/io_error.h"
#include "tamis/model.h"

enum { FIGURE_DATA_TABLES = 16, FIGURE_DATA_PATH = 4096 };

typedef struct figure_data {
    char directory[FIGURE_DATA_PATH]; /* "": the data is one file, tables[0] */
    struct {
        char name[64];
        model_table table;
        int is_there;
    } tables[FIGURE_DATA_TABLES];
    size_t n_tables;
    tms_context *ctx; /* for predictions by the profile. ctx and profile are borrowed; NULL: the tables' own predictions are drawn */
    const tms_profile *profile;
    size_t n_predicted, n_not_predicted; /* runs of the last figure that the profile could predict, and could not */
    char remark[512];                    /* a remark on the last figure, for standard error; "": none */
} figure_data;

/*
 * figure_data_open() - opens a directory, whose tables are read when they are first used, or reads one file.
 *   out [out] closed with figure_data_close(), also on failure
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status figure_data_open(const char *path, figure_data *out, io_error *err);
void figure_data_close(figure_data *s);

/*
 * figure_data_table() - the table of this name; if the data is one file, that file, whatever its name.
 *   out [out] borrowed until figure_data_close(); NULL: there is no such table
 * Returns IO_OK, also if there is no such table; IO_E_INPUT: it is damaged, or there are more than FIGURE_DATA_TABLES; IO_E_MEMORY.
 */
io_status figure_data_table(figure_data *s, const char *name, model_table **out, io_error *err);

#endif
