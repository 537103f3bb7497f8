/*
 * report_text.h - text under way. Once there is no memory nothing more is added, and who began the text finds out at its end.
 */
#ifndef TMS_REPORT_TEXT_H
#define TMS_REPORT_TEXT_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

struct report_text {
    struct byte_array *to;
    bool is_lost; /* there was no memory */
};

static inline void text_add(struct report_text *t, const void *bytes, size_t n)
{
    t->is_lost = t->is_lost || !byte_array_add(t->to, bytes, n);
}

static inline void text_string(struct report_text *t, const char *string) { text_add(t, string, strlen(string)); }
static inline void text_put(struct report_text *t, struct text text) { text_add(t, text.bytes, text.n); }

/* text_blanks() - n blanks; none if n is not above 0. */
void text_blanks(struct report_text *t, int64_t n);

/* text_format() - adds what a format of the C library makes of the values, up to 500 characters. */
void text_format(struct report_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline void text_number(struct report_text *t, int64_t number) { text_format(t, "%lld", (long long)number); }

/* text_padded() - and blanks up to a width. */
void text_padded(struct report_text *t, struct text text, size_t width);

/*
 * text_wrapped() - in lines of REPORT_WIDTH bytes, with a line's end after each: the last blank that fits ends a line, and blanks at the
 * begin of the next are left out; without one the last comma, without that the last hyphen, without that the last byte that fits. Nothing
 * of an empty text.
 */
#define REPORT_WIDTH 68
void text_wrapped(struct report_text *t, struct text text);

/* text_escaped() - as it is, or with &amp; &lt; &gt; &quot; for what a page has a meaning for. */
void text_escaped(struct report_text *t, struct text text, bool html);

/*
 * text_wrapped_html() - the same with escapes, each of which is one residue wide; by other rules: of several blanks the first that fits
 * ends a line, and what follows it begins the next; without one the last comma, without that the last punctuation.
 */
void text_wrapped_html(struct report_text *t, struct text text);

static inline struct text text_of(const char *string) { return (struct text){string, strlen(string)}; }
static inline struct text text_of_array(const struct byte_array *array) { return (struct text){(const char *)array->bytes, array->n}; }

/* text_trimmed() - without blanks at both ends. */
struct text text_trimmed(struct text text);

#endif
