/* tblastx_program.h - tblastx's table of functions for the engine. */
#ifndef TMS_TBLASTX_PROGRAM_H
#define TMS_TBLASTX_PROGRAM_H

#include "search/search_program.h"

extern const struct search_program tblastx_program;

#endif
