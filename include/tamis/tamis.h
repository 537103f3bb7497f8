/* tamis.h - all of tamis. */
#ifndef TAMIS_H
#define TAMIS_H
#include "tamis/context.h"
#include "tamis/filter.h"
#include "tamis/frequency.h"
#endif
