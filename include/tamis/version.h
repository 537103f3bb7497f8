/* version.h - the version of these headers. Before 1.0.0 programs have to be recompiled for each minor version. */
#ifndef TAMIS_VERSION_H
#define TAMIS_VERSION_H

#define TMS_VERSION_MAJOR 0
#define TMS_VERSION_MINOR 1
#define TMS_VERSION_PATCH 0

#define TMS_VERSION "0.1.0"
/* For comparisons: #if TMS_VERSION_NUMBER >= 10203 is 1.2.3 or newer. */
#define TMS_VERSION_NUMBER (TMS_VERSION_MAJOR * 10000 + TMS_VERSION_MINOR * 100 + TMS_VERSION_PATCH)

#endif
