/*
 * report_answers.h - what a page says of a machine first: which layout is the fastest there, how many keys a second, where memory binds.
 */
#ifndef TAMIS_CLI_REPORT_ANSWERS_H
#define TAMIS_CLI_REPORT_ANSWERS_H

#include <stdio.h>

#include "tamis/model.h"

/* report_answers() - by the model, for the profile's GPU and for its CPU, whichever it has. Nothing is measured. */
void report_answers(tms_context *ctx, const tms_profile *profile, FILE *to);

#endif
