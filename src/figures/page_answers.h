/*
 * page_answers.h - the beginning of a page about a machine: its fastest layout, keys per second, and the size from which memory limits
 * them.
 */
#ifndef TAMIS_PAGE_ANSWERS_H
#define TAMIS_PAGE_ANSWERS_H

#include <stdio.h>

#include "tamis/model.h"

/* page_answers() - writes what the model predicts for the profile's GPU and for its CPU, whichever it has. Measures nothing. */
void page_answers(tms_context *ctx, const tms_profile *profile, FILE *to);

#endif
