/*
 * figure_data.h - where figures take their measurements from: the kept tables, those of a directory, or one file.
 */
#ifndef TAMIS_CLI_MODEL_SOURCE_H
#define TAMIS_CLI_MODEL_SOURCE_H

#include "cli/data_files.h"
#include "figures/model_table.h"
#include "tamis/model.h"

enum { MODEL_SOURCE_TABLES = 16 };

typedef struct model_source {
    const char *command;
    char directory[DATA_PATH]; /* "": a file */
    int is_kept;               /* the tables that ship with tamis */
    struct {
        char name[64];
        model_table table;
        int is_there;
    } tables[MODEL_SOURCE_TABLES];
    size_t n_tables;
    tms_context *ctx; /* borrowed, as is the profile; NULL: predictions are those of the tables */
    const tms_profile *profile;
    size_t n_predicted, n_not_predicted; /* by the profile, of the figure that is made */
} model_source;

/*
 * model_source_open() - from a directory, a file, or what ships with tamis.
 *   from [in]  NULL: what ships with tamis
 *   out  [out] closed with model_source_close(), also on failure
 * Returns CLI_OK; otherwise the exit code, having said why.
 */
int model_source_open(const char *command, const char *from, model_source *out);
void model_source_close(model_source *s);

/*
 * model_source_table() - the table of this name, read when it is first asked for. If the source is a file, that one, whatever its name.
 *   out [out] borrowed; NULL where there is no such table
 * Returns CLI_OK; otherwise the exit code, having said why.
 */
int model_source_table(model_source *s, const char *name, model_table **out);

#endif
