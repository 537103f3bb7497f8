/*
 * figure_data.h - the measurements that figures are drawn from: the tables of a directory, or one file.
 */
#ifndef TAMIS_FIGURE_DATA_H
#define TAMIS_FIGURE_DATA_H

#include "figures/model_table.h"
#include "io/io_error.h"
#include "tamis/model.h"

enum { FIGURE_DATA_TABLES = 16, FIGURE_DATA_PATH = 4096 };

typedef struct figure_data {
    char directory[FIGURE_DATA_PATH]; /* "": one file, which is tables[0] */
    struct {
        char name[64];
        model_table table;
        int is_there;
    } tables[FIGURE_DATA_TABLES];
    size_t n_tables;
    tms_context *ctx; /* predicts by the profile; both are borrowed, and NULL where the tables' own predictions are drawn */
    const tms_profile *profile;
    size_t n_predicted, n_not_predicted; /* runs of the last figure that the profile predicted, and did not */
    char remark[512];                    /* on the last figure, for standard error; "": none */
} figure_data;

/*
 * figure_data_open() - the tables of a directory, which are read when they are first used, or one file, which is read now.
 *   out [out] closed with figure_data_close(), also on failure
 * Returns IO_OK; IO_E_INPUT; IO_E_MEMORY.
 */
io_status figure_data_open(const char *path, figure_data *out, io_error *err);
void figure_data_close(figure_data *s);

/*
 * figure_data_table() - the table of this name; of data from one file that file, whatever its name.
 *   out [out] borrowed until figure_data_close(); NULL where there is no such table
 * Returns IO_OK, also where there is none; IO_E_INPUT: it is damaged, or there are more than FIGURE_DATA_TABLES; IO_E_MEMORY.
 */
io_status figure_data_table(figure_data *s, const char *name, model_table **out, io_error *err);

#endif
