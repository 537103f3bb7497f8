/*
 * json_text.h - JSON that may stand in a script element of a page: no '<', '>' or '&' in it. Functions return false if there is no memory.
 */
#ifndef TAMIS_JSON_TEXT_H
#define TAMIS_JSON_TEXT_H

#include "base/byte_array.h"

/* json_add_string() - a quoted string. Keeps valid UTF-8; every other byte outside ASCII becomes U+FFFD. */
bool json_add_string(struct byte_array *to, const char *bytes, size_t n);

bool json_add_number(struct byte_array *to, int64_t number);

#endif
