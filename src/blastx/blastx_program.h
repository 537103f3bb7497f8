/* blastx_program.h - blastx's table of functions for the engine. */
#ifndef TMS_BLASTX_PROGRAM_H
#define TMS_BLASTX_PROGRAM_H

#include "search/search_program.h"

extern const struct search_program blastx_program;

#endif
