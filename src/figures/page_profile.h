/*
 * page_profile.h - writes a machine's profile, a file of `tamis model calibrate`, into a page.
 *
 * The page shows every name in the file, whichever version of tamis wrote it, so the file is read as plain JSON.
 */
#ifndef TAMIS_PAGE_PROFILE_H
#define TAMIS_PAGE_PROFILE_H

#include <stdio.h>

#include <jansson.h>

#include "io/io_error.h"

/*
 * page_profile_read() - reads a profile, plain or compressed.
 *   out [out] released with json_decref()
 * Returns IO_OK; IO_E_INPUT if the file is not a profile, or is damaged; IO_E_MEMORY.
 */
io_status page_profile_read(const char *path, json_t **out, io_error *err);

/* The name of the profile's GPU, or else of its CPU; "" without either. */
const char *page_profile_device(const json_t *profile);

/* Write the machine and the values as tables. */
void page_profile_machine(const json_t *profile, FILE *to);
void page_profile_values(const json_t *profile, FILE *to);

/* Draws the curves. Returns as gnuplot_draw(). */
io_status page_profile_curves(const json_t *profile, FILE *to, io_error *err);

#endif
