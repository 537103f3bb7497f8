/* fuzz_require.h - what must hold, whatever the input is. */
#ifndef TAMIS_FUZZ_REQUIRE_H
#define TAMIS_FUZZ_REQUIRE_H

#include <stdio.h>
#include <stdlib.h>

#define REQUIRE(what)                                                                                                                      \
    do {                                                                                                                                   \
        if (!(what)) {                                                                                                                     \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #what);                                                                     \
            abort();                                                                                                                       \
        }                                                                                                                                  \
    } while (0)

#endif
