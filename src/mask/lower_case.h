/* lower_case.h - finds runs of lower-case characters. */
#ifndef TMS_MASK_LOWER_CASE_H
#define TMS_MASK_LOWER_CASE_H

#include <stdbool.h>

#include "mask/intervals.h"

/* Appends the runs to out. Returns false if there is no memory. */
bool lower_case_mask(const uint8_t *characters, size_t n, struct intervals *out);

#endif
