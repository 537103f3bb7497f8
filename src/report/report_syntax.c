/* report_syntax.c - see report_syntax.h. A line is ended when the next one begins: only then it is known whether it ends with a comma. */
#include "report/report_syntax.h"

enum { STEP = 2 };

/* ---- JSON --------------------------------------------------------------------------------------------------------------------- */

static void put_quoted(struct report_text *t, struct text text)
{
    size_t done = 0;

    text_string(t, "\"");
    for (size_t i = 0; i < text.n; i++) {
        const uint8_t c = (uint8_t)text.bytes[i];
        if (c >= ' ' && c != '"' && c != '\\')
            continue;
        text_add(t, text.bytes + done, i - done);
        if (c < ' ')
            text_format(t, "\\u%04X", c);
        else
            text_format(t, "\\%c", c);
        done = i + 1;
    }
    text_add(t, text.bytes + done, text.n - done);
    text_string(t, "\"");
}

/* ---- XML ---------------------------------------------------------------------------------------------------------------------- */

static const char *entity_of(uint8_t c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&apos;";
    case '\n':
        return "&#xa;";
    default:
        return NULL;
    }
}

/* The code point at text.bytes[*i], in UTF-8; *i becomes its last byte. A byte that begins none: U+FFFD. */
static uint32_t code_point(struct text text, size_t *i)
{
    const uint8_t *at = (const uint8_t *)text.bytes + *i;
    const size_t left = text.n - *i, n = *at >= 0xf0 ? 4 : *at >= 0xe0 ? 3 : 2;
    uint32_t c = *at & (0xff >> (n + 1));

    if (*at < 0xc2 || *at > 0xf4 || n > left)
        return 0xfffd;
    for (size_t k = 1; k < n; k++) {
        if ((at[k] & 0xc0) != 0x80)
            return 0xfffd;
        c = c << 6 | (at[k] & 0x3f);
    }
    *i += n - 1;
    return c;
}

/*
 * Titles are UTF-8. As with NCBI's program, the file is Latin-1, though it does not declare that. A character that is not in Latin-1, where
 * NCBI's program ends with an error, is a numeric entity here. The only control character that XML may have is the end of a line.
 */
void text_escaped_xml(struct report_text *t, struct text text)
{
    size_t done = 0;

    for (size_t i = 0; i < text.n; i++) {
        const uint8_t c = (uint8_t)text.bytes[i];
        const char *entity = entity_of(c);
        uint32_t point;
        if (entity == NULL && c >= ' ' && c < 0x80)
            continue;
        text_add(t, text.bytes + done, i - done);
        point = c < ' ' ? '#' : c < 0x80 ? 0 : code_point(text, &i);
        if (entity != NULL)
            text_string(t, entity);
        else if (point < 0x100)
            text_add(t, &(uint8_t){(uint8_t)point}, 1);
        else
            text_format(t, "&#x%X;", point);
        done = i + 1;
    }
    text_add(t, text.bytes + done, text.n - done);
}

static void put_tag(struct report_text *t, const char *before, const char *name)
{
    text_string(t, before);
    for (; *name != '\0'; name++)
        text_add(t, *name == '_' ? "-" : name, 1);
    text_string(t, ">");
}

/* ---- both --------------------------------------------------------------------------------------------------------------------- */

/* Ends the line, and begins the next. */
static void begin_line(struct report_syntax *s)
{
    text_string(s->t, s->is_begun && !s->is_xml ? ",\n" : "\n");
    text_blanks(s->t, s->depth);
    s->is_begun = true;
}

/* The text before a member's value, and after it. */
static void begin_member(struct report_syntax *s, const char *name)
{
    begin_line(s);
    if (s->is_xml)
        put_tag(s->t, "<", name);
    else
        text_format(s->t, "\"%s\": ", name);
}

static void end_member(struct report_syntax *s, const char *name)
{
    if (s->is_xml)
        put_tag(s->t, "</", name);
}

void syntax_member(struct report_syntax *s, const char *name, struct text text)
{
    begin_member(s, name);
    if (s->is_xml)
        text_escaped_xml(s->t, text);
    else
        put_quoted(s->t, text);
    end_member(s, name);
}

void syntax_number(struct report_syntax *s, const char *name, int64_t number)
{
    begin_member(s, name);
    text_number(s->t, number);
    end_member(s, name);
}

void syntax_real(struct report_syntax *s, const char *name, const char *number)
{
    begin_member(s, name);
    text_string(s->t, number);
    end_member(s, name);
}

/* An object or list, which may be empty. */
static void begin_inner(struct report_syntax *s, const char *bracket)
{
    text_string(s->t, s->is_xml ? "" : bracket);
    s->depth += STEP;
    s->is_begun = false;
}

static void end_inner(struct report_syntax *s, const char *bracket, const char *name)
{
    const bool has_line = s->is_begun || !s->is_xml;

    s->depth -= STEP;
    s->is_begun = true;
    text_string(s->t, has_line ? "\n" : "");
    text_blanks(s->t, has_line ? s->depth : 0);
    if (s->is_xml)
        put_tag(s->t, "</", name);
    else
        text_string(s->t, bracket);
}

void syntax_begin_list(struct report_syntax *s, const char *name)
{
    begin_member(s, name);
    begin_inner(s, "[");
}

void syntax_end_list(struct report_syntax *s, const char *name) { end_inner(s, "]", name); }

void syntax_begin_item(struct report_syntax *s, const char *type)
{
    begin_line(s);
    if (s->is_xml)
        put_tag(s->t, "<", type);
    begin_inner(s, "{");
}

void syntax_end_item(struct report_syntax *s, const char *type) { end_inner(s, "}", type); }

void syntax_begin_object(struct report_syntax *s, const char *name, const char *type)
{
    begin_member(s, name);
    begin_inner(s, "{");
    if (s->is_xml)
        syntax_begin_item(s, type);
}

void syntax_end_object(struct report_syntax *s, const char *name, const char *type)
{
    if (s->is_xml)
        syntax_end_item(s, type);
    end_inner(s, "}", name);
}

void syntax_begin_strings(struct report_syntax *s, const char *name)
{
    if (!s->is_xml)
        syntax_begin_list(s, name);
}

void syntax_string(struct report_syntax *s, const char *name, struct text text)
{
    if (s->is_xml) {
        syntax_member(s, name, text);
        return;
    }
    begin_line(s);
    put_quoted(s->t, text);
}

void syntax_end_strings(struct report_syntax *s)
{
    if (!s->is_xml)
        end_inner(s, "]", "");
}
