/*
 * model_page.h - a self-contained HTML page, without network, scripts or other files: the machine of a profile, the model's terms, the
 * errors of predictions, and all figures.
 */
#ifndef TAMIS_MODEL_PAGE_H
#define TAMIS_MODEL_PAGE_H

#include <jansson.h>

#include "figures/figure_data.h"

typedef struct model_page {
    figure_data *data;
    const json_t *profile;    /* from page_profile_read(); NULL: the page describes no machine */
    const char *profile_path; /* the profile's file */
    const char *origin;       /* origin of the profile: "given", "of this machine", "shipped" */
    tms_context *ctx;         /* for predictions by the profile; NULL without a profile */
} model_page;

/*
 * model_page_make() - makes the page in memory.
 *   text [out] n bytes of HTML; freed with free(), also on failure
 * Returns IO_OK; IO_E_INPUT: a table is damaged, or gnuplot is missing; IO_E_OUTPUT: gnuplot failed; IO_E_MEMORY.
 */
io_status model_page_make(const model_page *page, char **text, size_t *n, io_error *err);

#endif
