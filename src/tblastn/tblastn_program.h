/* tblastn_program.h - tblastn's table of functions for the engine. */
#ifndef TMS_TBLASTN_PROGRAM_H
#define TMS_TBLASTN_PROGRAM_H

#include "search/search_program.h"

extern const struct search_program tblastn_program;

#endif
