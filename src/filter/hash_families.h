/*
 * hash_families.h - the one list of hash families, by number and name; code that names, checks or specialises for families uses it.
 * What a family computes: classic_value() in classic_core.h.
 */
#ifndef TMS_HASH_FAMILIES_H
#define TMS_HASH_FAMILIES_H

#include "tamis/filter.h"

#define HASH_FAMILIES(X, ...)                                                                                                              \
    X(TMS_HASH_XXH3, "xxh3", __VA_ARGS__)                                                                                                  \
    X(TMS_HASH_XXH3_SQUARE, "xxh3-square", __VA_ARGS__)                                                                                    \
    X(TMS_HASH_MURMUR3, "murmur3", __VA_ARGS__)                                                                                            \
    X(TMS_HASH_AP, "ap", __VA_ARGS__)

/*
 * WITH_HASH_FAMILY(hash, statement) - compiles the statement once per family with FAMILY a constant, so that one switch chooses the family
 * for many keys: WITH_HASH_FAMILY(f->params.hash, query_family(f, keys, FAMILY));
 */
#define WITH_HASH_FAMILY(hash, ...)                                                                                                        \
    do {                                                                                                                                   \
        switch (hash) {                                                                                                                    \
            HASH_FAMILIES(HASH_FAMILY_CASE, __VA_ARGS__)                                                                                   \
        }                                                                                                                                  \
    } while (0)
#define HASH_FAMILY_CASE(family, name, ...)                                                                                                \
    case family: {                                                                                                                         \
        const tms_hash FAMILY = family;                                                                                                    \
        __VA_ARGS__;                                                                                                                       \
    } break;

#endif
