#include "mask/lower_case.h"

enum { BLOCK = 64 };

static inline bool is_lower(uint8_t character) { return (uint8_t)(character - 'a') < 26; }

/* Counts the lower-case characters of a block in a loop without branches, which the compiler can vectorize. */
static inline unsigned count_lower(const uint8_t *characters)
{
    uint8_t n = 0;
    for (unsigned i = 0; i < BLOCK; i++)
        n += is_lower(characters[i]);
    return n;
}

bool lower_case_mask(const uint8_t *characters, size_t n, struct intervals *out)
{
    size_t start = 0;
    bool in_run = false;

    for (size_t i = 0; i < n;) {
        if (n - i >= BLOCK && count_lower(characters + i) == (in_run ? BLOCK : 0)) {
            i += BLOCK;
            continue;
        }
        for (size_t end = n - i < BLOCK ? n : i + BLOCK; i < end; i++) {
            if (is_lower(characters[i]) == in_run)
                continue;
            if (in_run && !intervals_add(out, start, i))
                return false;
            in_run = !in_run;
            start = i;
        }
    }
    return !in_run || intervals_add(out, start, n);
}
