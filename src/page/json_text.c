/* json_text.c - see json_text.h. */
#include "page/json_text.h"

#include <stdio.h>
#include <string.h>

#include "page/html_text.h"

/* UTF-8 that ends before `left` bytes do. */
static size_t character_length(const unsigned char *c, size_t left)
{
    unsigned char copy[5] = {0};

    memcpy(copy, c, left < 4 ? left : 4);
    return html_utf8_length(copy);
}

bool json_add_string(struct byte_array *to, const char *bytes, size_t n)
{
    const unsigned char *c = (const unsigned char *)bytes;
    bool fits = byte_array_add(to, "\"", 1);

    for (size_t i = 0; i < n && fits;) {
        const size_t size = c[i] < 0x80 ? 1 : character_length(c + i, n - i);
        char escape[8];
        if (size == 0) {
            fits = byte_array_add(to, "\\ufffd", 6);
        } else if (c[i] < ' ' || c[i] == 0x7f || strchr("\"\\<>&", c[i]) != NULL) {
            snprintf(escape, sizeof escape, "\\u%04x", c[i]);
            fits = byte_array_add(to, escape, 6);
        } else {
            fits = byte_array_add(to, c + i, size);
        }
        i += size > 0 ? size : 1;
    }
    return fits && byte_array_add(to, "\"", 1);
}

bool json_add_number(struct byte_array *to, int64_t number)
{
    char text[24];
    const int n = snprintf(text, sizeof text, "%lld", (long long)number);

    return byte_array_add(to, text, (size_t)n);
}
