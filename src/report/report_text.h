/*
 * report_text.h - a text that is being written. When memory runs out, is_lost is set and nothing more is added; the caller that began the
 * text looks at is_lost at the end.
 */
#ifndef TMS_REPORT_TEXT_H
#define TMS_REPORT_TEXT_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

struct report_text {
    struct byte_array *to;
    bool is_lost; /* memory ran out */
};

static inline void text_add(struct report_text *t, const void *bytes, size_t n)
{
    t->is_lost = t->is_lost || !byte_array_add(t->to, bytes, n);
}

static inline void text_string(struct report_text *t, const char *string) { text_add(t, string, strlen(string)); }
static inline void text_put(struct report_text *t, struct text text) { text_add(t, text.bytes, text.n); }

/* text_blanks() - adds n blanks; none if n is not above 0. */
void text_blanks(struct report_text *t, int64_t n);

/* text_format() - adds to the text in memory up to 511 bytes by a format of C. */
void text_format(struct report_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

void text_number(struct report_text *t, int64_t number);

/* text_padded() - adds a text, and blanks up to a width. */
void text_padded(struct report_text *t, struct text text, size_t width);

/*
 * text_wrapped() - adds a text in lines of up to REPORT_WIDTH bytes, each with a newline. The last blank that fits ends a line, and blanks
 * at the beginning of the next are left out; if there is none, the last comma, else the last hyphen, else the last byte that fits. An empty
 * text adds nothing.
 */
#define REPORT_WIDTH 68
void text_wrapped(struct report_text *t, struct text text);

/* text_escaped() - adds a text; html: with &amp; &lt; &gt; &quot; for the bytes that have a meaning in HTML. */
void text_escaped(struct report_text *t, struct text text, bool html);

/*
 * text_wrapped_html() - adds a text in lines with escapes, each one byte wide, by other rules: of several blanks the first that fits ends a
 * line, and the byte after it begins the next; if there is none, the last comma, else the last punctuation.
 */
void text_wrapped_html(struct report_text *t, struct text text);

static inline struct text text_of(const char *string) { return (struct text){string, strlen(string)}; }
static inline struct text text_of_array(const struct byte_array *array) { return (struct text){(const char *)array->bytes, array->n}; }

/* text_trimmed() - a text without the blanks at both ends. */
struct text text_trimmed(struct text text);

#endif
