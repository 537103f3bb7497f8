/* report_text.c - see report_text.h. */
#include "report_text.h"

#include <stdarg.h>
#include <stdio.h>

void text_blanks(struct report_text *t, int64_t n)
{
    static const char blanks[] = "                                                                ";

    for (; n > 0; n -= (int64_t)sizeof blanks - 1)
        text_add(t, blanks, n < (int64_t)sizeof blanks - 1 ? (size_t)n : sizeof blanks - 1);
}

void text_format(struct report_text *t, const char *format, ...)
{
    char line[512];
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    text_add(t, line, n < 0 ? 0 : (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

void text_padded(struct report_text *t, struct text text, size_t width)
{
    text_put(t, text);
    text_blanks(t, (int64_t)width - (int64_t)text.n);
}

static bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Where a line ends that cannot have all of the text. */
static size_t line_end(struct text text)
{
    size_t comma = 0, hyphen = 0;

    for (size_t i = REPORT_WIDTH + 1; i-- > 1;) {
        if (is_blank(text.bytes[i]))
            return i;
    }
    for (size_t i = 0; i < REPORT_WIDTH; i++) {
        comma = text.bytes[i] == ',' ? i + 1 : comma;
        hyphen = text.bytes[i] == '-' ? i + 1 : hyphen;
    }
    return comma > 0 ? comma : hyphen > 0 ? hyphen : REPORT_WIDTH;
}

void text_wrapped(struct report_text *t, struct text text)
{
    while (text.n > 0) {
        size_t n = text.n <= REPORT_WIDTH ? text.n : line_end(text);
        bool is_at_blank = n < text.n && is_blank(text.bytes[n]);
        text_add(t, text.bytes, n);
        text_add(t, "\n", 1);
        for (; is_at_blank && n < text.n && text.bytes[n] == ' ';)
            n++;
        text.bytes += n;
        text.n -= n;
    }
}

struct text text_trimmed(struct text text)
{
    for (; text.n > 0 && is_blank(text.bytes[0]); text.n--)
        text.bytes++;
    while (text.n > 0 && is_blank(text.bytes[text.n - 1]))
        text.n--;
    return text;
}
