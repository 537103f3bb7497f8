/* seqio_blast_title.c - each step shortens the title in place. */
#include "seqio/seqio_blast_title.h"

#include <string.h>
#include <strings.h>

/* Removed in this order, each once, with the blanks behind it. */
static const char *const prefixes[] = {"MAG ",
                                       "MAG:",
                                       "TPA:",
                                       "TPA_exp:",
                                       "TPA_inf:",
                                       "TPA_reasm:",
                                       "TPA_asm:",
                                       "TSA:",
                                       "UNVERIFIED_ORG:",
                                       "UNVERIFIED_ASMBLY:",
                                       "UNVERIFIED_CONTAM:",
                                       "UNVERIFIED:"};

static const struct entity {
    const char *name;
    uint8_t character;
} entities[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};

/* Removes characters of `junk` at the end, unless there is nothing else. */
static size_t cut_end(const uint8_t *title, size_t n, const char *junk)
{
    size_t end = n;

    while (end > 0 && title[end - 1] != '\0' && strchr(junk, title[end - 1]) != NULL)
        end--;
    return end > 0 ? end : n;
}

static size_t cut_prefixes(uint8_t *title, size_t n)
{
    size_t start = 0;

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t size = strlen(prefixes[i]);
        if (n - start < size || strncasecmp((const char *)title + start, prefixes[i], size) != 0)
            continue;
        for (start += size; start < n && title[start] == ' ';)
            start++;
    }
    memmove(title, title + start, n - start);
    return n - start;
}

/* Writes a code point as UTF-8. Returns the number of bytes. */
static size_t put_utf8(uint8_t *to, uint32_t c)
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const uint8_t first[] = {0, 0, 0xc0, 0xe0, 0xf0};

    for (size_t i = n; i-- > 1; c >>= 6)
        to[i] = (uint8_t)(0x80 | (c & 0x3f));
    to[0] = (uint8_t)(first[n] | c);
    return n;
}

/* The number in "#65" or "#x41"; 0 if the text is no such number. */
static uint32_t entity_number(const uint8_t *text, size_t n)
{
    const unsigned base = n > 1 && (text[1] == 'x' || text[1] == 'X') ? 16 : 10;
    size_t i = base == 16 ? 2 : 1;
    uint32_t value = 0;

    if (text[0] != '#' || i >= n)
        return 0;
    for (; i < n; i++) {
        static const char digits[] = "0123456789abcdef";
        const char *digit = text[i] != '\0' ? strchr(digits, text[i] | (text[i] >= 'A' ? 0x20 : 0)) : NULL;
        if (digit == NULL || (unsigned)(digit - digits) >= base)
            return 0;
        value = value * base + (uint32_t)(digit - digits);
        if (value > 0x10ffff)
            return 0;
    }
    return value;
}

/* The character that an entity stands for; the text excludes '&' and ';'. 0 if it is no entity. */
static uint32_t entity_character(const uint8_t *text, size_t n)
{
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++)
        if (strlen(entities[i].name) == n && memcmp(entities[i].name, text, n) == 0)
            return entities[i].character;
    return n > 0 ? entity_number(text, n) : 0;
}

/* Decodes in place: an entity is never shorter than its character. */
static size_t decode_entities(uint8_t *title, size_t n)
{
    enum { MAX_NAME = 9 };
    size_t to = 0;

    for (size_t i = 0; i < n;) {
        size_t left = n - i - 1;
        const uint8_t *end = title[i] == '&' ? memchr(title + i + 1, ';', left < MAX_NAME + 1 ? left : MAX_NAME + 1) : NULL;
        uint32_t character = end != NULL ? entity_character(title + i + 1, (size_t)(end - title) - i - 1) : 0;
        if (character == 0) {
            title[to++] = title[i++];
            continue;
        }
        i = (size_t)(end - title) + 1;
        to += put_utf8(title + to, character);
    }
    return to;
}

/*
 * One walk over neighbouring characters: `before` and `next` decide whether c is written, which is `before` but for one case: after a
 * double ',' c is a blank while `before` is still the ','.
 */
static size_t tidy_blanks(uint8_t *title, size_t n)
{
    size_t to = 0, i = 0;
    uint8_t c, before;

    while (n > 0 && title[n - 1] == ' ')
        n--;
    while (i < n && title[i] == ' ')
        i++;
    if (i == n)
        return 0;
    for (c = before = title[i++]; i < n;) {
        uint8_t next = title[i++];
        if ((before == ' ' || before == '(') && next == ' ')
            continue;
        if (before == ' ' && (next == ',' || next == ';')) {
            title[to++] = next;
            c = before = ' ';
        } else if (before == ',' && next == ',') {
            title[to++] = c;
            c = ' ';
        } else if ((before == ',' || before == ';') && next == ' ') {
            title[to++] = c;
            while (i < n && (title[i] == ' ' || title[i] == before))
                i++;
            title[to++] = ' ';
            c = before = i < n ? title[i++] : ' ';
        } else {
            if (!(before == ' ' && next == ')'))
                title[to++] = c;
            c = before = next;
        }
    }
    if (c != ' ' && c < 0x80) /* NCBI's programs treat bytes from 0x80 as negative and drop them */
        title[to++] = c;
    return to;
}

/* Removes a punctuation mark before " [". */
static size_t cut_before_brackets(uint8_t *title, size_t n, uint8_t mark)
{
    size_t to = 0;

    for (size_t i = 0; i < n; i++)
        if (!(title[i] == mark && n - i > 2 && title[i + 1] == ' ' && title[i + 2] == '['))
            title[to++] = title[i];
    return to;
}

/* Checks the first byte of each character and the bytes that must follow, not whether the character exists. */
static bool is_utf8(const uint8_t *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        size_t n_more = text[i] < 0x80 ? 0 : text[i] < 0xe0 ? 1 : text[i] < 0xf0 ? 2 : 3;
        if ((text[i] >= 0x80 && text[i] < 0xc2) || text[i] > 0xf4 || n_more > n - i - 1)
            return false;
        for (; n_more > 0; n_more--) {
            if ((text[++i] & 0xc0) != 0x80)
                return false;
        }
    }
    return true;
}

/* Converts Windows' code page 1252 to UTF-8 at `to`, which must have room. Returns the number of bytes. */
static size_t put_decoded(uint8_t *to, const uint8_t *text, size_t n)
{
    static const uint16_t windows[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
                                         0x2039, 0x152,  0x8d,   0x17d,  0x8f,   0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                                         0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};
    size_t n_put = 0;

    if (is_utf8(text, n)) {
        memcpy(to, text, n);
        return n;
    }
    for (size_t i = 0; i < n; i++)
        n_put += put_utf8(to + n_put, text[i] >= 0x80 && text[i] < 0xa0 ? windows[text[i] - 0x80] : text[i]);
    return n_put;
}

bool seqio_blast_tidy_stored_title(const char *stored, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to)
{
    static const char unnamed[] = "unnamed protein product";
    enum { MOST_OF_BYTE = 3 };
    const size_t n_prefix = strlen(prefix);
    uint8_t *title, *text;

    if (n == 0)
        return byte_array_add(to, prefix, n_prefix) && (molecule != TMS_PROTEIN || byte_array_add(to, unnamed, sizeof unnamed - 1));
    title = byte_array_room(to, n_prefix + MOST_OF_BYTE * n);
    if (!title)
        return false;
    memcpy(title, prefix, n_prefix);
    text = title + n_prefix;
    n = put_decoded(text, (const uint8_t *)stored, n);
    n = cut_end(text, n, ".,;~ ");
    n = cut_prefixes(text, n);
    n = decode_entities(text, n);
    n = cut_end(text, n, ",;~ ");
    n = tidy_blanks(title, n_prefix + n);
    if (molecule == TMS_PROTEIN)
        n = cut_before_brackets(title, cut_before_brackets(title, n, '.'), ',');
    to->n += n;
    return true;
}

bool seqio_blast_tidy_title(const char *header, size_t n, tms_molecule molecule, const char *prefix, struct byte_array *to)
{
    size_t end;

    while (n > 0 && (*header == ' ' || *header == '\t')) {
        header++;
        n--;
    }
    for (end = n > 0; end < n && (uint8_t)header[end] >= ' ';)
        end++;
    while (end > 0 && header[end - 1] == ' ')
        end--;
    return seqio_blast_tidy_stored_title(header, end, molecule, prefix, to);
}
