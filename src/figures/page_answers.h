/*
 * page_answers.h - what a page says of a machine first: which layout is the fastest there, how many keys a second, where memory binds.
 */
#ifndef TAMIS_PAGE_ANSWERS_H
#define TAMIS_PAGE_ANSWERS_H

#include <stdio.h>

#include "tamis/model.h"

/* page_answers() - by the model, for the profile's GPU and for its CPU, whichever it has. Nothing is measured. */
void page_answers(tms_context *ctx, const tms_profile *profile, FILE *to);

#endif
