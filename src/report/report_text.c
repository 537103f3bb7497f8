/* report_text.c - see report_text.h. */
#include "report/report_text.h"

#include <ctype.h>
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

void text_number(struct report_text *t, int64_t number)
{
    char digits[24], *const end = digits + sizeof digits, *at = end;
    uint64_t rest = number < 0 ? -(uint64_t)number : (uint64_t)number;

    for (; at == end || rest > 0; rest /= 10)
        *--at = (char)('0' + rest % 10);
    if (number < 0)
        *--at = '-';
    text_add(t, at, (size_t)(end - at));
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

static const char *escape_of(char c) { return c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : NULL; }

void text_escaped(struct report_text *t, struct text text, bool html)
{
    size_t first = 0;

    for (size_t i = 0; i < text.n && html; i++) {
        const char *escape = escape_of(text.bytes[i]);
        if (escape == NULL)
            continue;
        text_add(t, text.bytes + first, i - first);
        text_string(t, escape);
        first = i + 1;
    }
    text_add(t, text.bytes + first, text.n - first);
}

/* How good it is to end a line at a byte: before it, or behind it. */
enum break_score { BREAK_FORCED, BREAK_PUNCTUATION, BREAK_COMMA, BREAK_BLANK };

static enum break_score score_break(struct text text, size_t i, size_t column, size_t *at)
{
    const unsigned char c = (unsigned char)text.bytes[i];
    const bool may_be_behind = column < REPORT_WIDTH && i + 1 < text.n;

    *at = i;
    if (isspace(c))
        return BREAK_BLANK;
    if (!ispunct(c) || escape_of((char)c) != NULL)
        return BREAK_FORCED;
    if (strchr("([{`", c) != NULL)
        return BREAK_PUNCTUATION;
    if (!may_be_behind)
        return BREAK_FORCED;
    *at = i + 1;
    return c == ',' ? BREAK_COMMA : BREAK_PUNCTUATION;
}

/* Where the line from `begin` on ends. */
static size_t html_line_end(struct text text, size_t begin, enum break_score *best)
{
    size_t end = begin, column = 0;

    *best = BREAK_FORCED;
    for (size_t i = begin; i < text.n && column <= REPORT_WIDTH; i++, column++) {
        enum break_score score;
        size_t at;
        if (i > 0 && isspace((unsigned char)text.bytes[i]) && isspace((unsigned char)text.bytes[i - 1]))
            continue;
        score = score_break(text, i, column, &at);
        if (score >= *best && (at > begin || score == BREAK_FORCED)) {
            *best = score;
            end = at;
        }
    }
    return column <= REPORT_WIDTH ? text.n : end;
}

void text_wrapped_html(struct report_text *t, struct text text)
{
    for (size_t begin = 0; begin < text.n;) {
        enum break_score best;
        size_t end = html_line_end(text, begin, &best);
        text_escaped(t, (struct text){text.bytes + begin, end - begin}, true);
        text_string(t, "\n");
        begin = end + (best == BREAK_BLANK);
    }
}
