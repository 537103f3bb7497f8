/* asn_writer.c - see asn_writer.h. */
#include "cli/db/asn_writer.h"

#include <inttypes.h>
#include <stdio.h>

enum { TAG_BOOLEAN = 0x01, TAG_INTEGER = 0x02, TAG_STRING = 0x1a, TAG_SEQUENCE = 0x30, TAG_FIELD = 0xa0, LAST_COLUMN = 78, INDENT = 2 };

static void put(asn_writer *w, const void *bytes, size_t n)
{
    w->is_lost |= !byte_array_add(w->to, bytes, n);
    w->column += n;
}

static void put_words(asn_writer *w, const char *words) { put(w, words, strlen(words)); }

static void put_byte(asn_writer *w, unsigned byte) { put(w, &(uint8_t){(uint8_t)byte}, 1); }

static void new_line(asn_writer *w)
{
    put_words(w, "\n");
    w->column = 0;
    for (unsigned i = 0; i < w->depth * INDENT; i++)
        put_words(w, " ");
}

/* ---- XML -------------------------------------------------------------------------------------------------------- */

static void put_tag(asn_writer *w, const char *open, const char *type, const char *name)
{
    put_words(w, open);
    put_words(w, type);
    if (name != NULL) {
        put_words(w, "_");
        put_words(w, name);
    }
}

static void begin_tag(asn_writer *w, const char *type, const char *name)
{
    new_line(w);
    put_tag(w, "<", type, name);
    put_words(w, ">");
    w->depth++;
    w->is_inline = true;
}

static void end_tag(asn_writer *w, const char *type, const char *name)
{
    w->depth--;
    if (!w->is_inline)
        new_line(w);
    put_tag(w, "</", type, name);
    put_words(w, ">");
    w->is_inline = false;
}

static void put_escaped(asn_writer *w, struct text text)
{
    static const char special[] = "&<>\"'";
    static const char *const words[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&apos;"};

    for (size_t i = 0; i < text.n; i++) {
        const char *found = text.bytes[i] != '\0' ? strchr(special, text.bytes[i]) : NULL;
        if (found != NULL)
            put_words(w, words[found - special]);
        else
            put(w, &text.bytes[i], 1);
    }
}

/* ---- BER -------------------------------------------------------------------------------------------------------- */

static void begin_field(asn_writer *w, unsigned tag) { put(w, (uint8_t[]){(uint8_t)tag, 0x80}, 2); }
static void end_field(asn_writer *w) { put(w, (uint8_t[]){0, 0}, 2); }

static void put_size(asn_writer *w, size_t n)
{
    unsigned n_bytes = 0;

    if (n < 0x80) {
        put_byte(w, (unsigned)n);
        return;
    }
    while (n >> (8 * n_bytes) != 0)
        n_bytes++;
    put_byte(w, 0x80 | n_bytes);
    while (n_bytes-- > 0)
        put_byte(w, (unsigned)(n >> (8 * n_bytes)));
}

static void put_ber_integer(asn_writer *w, int64_t value)
{
    unsigned n = 1;

    while (n < sizeof value && (value >> (8 * n - 1)) != 0 && (value >> (8 * n - 1)) != -1)
        n++;
    put_byte(w, TAG_INTEGER);
    put_byte(w, n);
    while (n-- > 0)
        put_byte(w, (unsigned)((uint64_t)value >> (8 * n)));
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

/* Breaks lines after LAST_COLUMN, within a string too. */
static void put_quoted(asn_writer *w, struct text text)
{
    put_words(w, "\"");
    for (size_t i = 0; i < text.n; i++) {
        if (w->column >= LAST_COLUMN) {
            put_words(w, "\n");
            w->column = 0;
        }
        put_words(w, text.bytes[i] == '"' ? "\"" : "");
        put(w, &text.bytes[i], 1);
    }
    put_words(w, "\"");
}

/* ---- the value -------------------------------------------------------------------------------------------------- */

void asn_begin(asn_writer *w, const char *type, const char *module, const char *dtd)
{
    char head[256];

    w->depth = 0;
    w->column = 0;
    w->is_inline = false;
    if (w->syntax == ASN_TEXT) {
        put_words(w, type);
        put_words(w, " ::= ");
    } else if (w->syntax == ASN_XML) {
        snprintf(head, sizeof head, "<?xml version=\"1.0\"?>\n<!DOCTYPE %s PUBLIC \"-//NCBI//%s/EN\" \"%s.dtd\">", type, module, dtd);
        put_words(w, head);
    }
}

void asn_end(asn_writer *w)
{
    if (w->syntax != ASN_BER)
        put_words(w, "\n");
}

void asn_element(asn_writer *w, const char *type)
{
    if (w->syntax == ASN_XML && type != NULL)
        begin_tag(w, type, NULL);
}

void asn_end_element(asn_writer *w, const char *type)
{
    if (w->syntax == ASN_XML && type != NULL)
        end_tag(w, type, NULL);
}

void asn_open(asn_writer *w, const char *type)
{
    asn_element(w, type);
    if (w->syntax == ASN_BER)
        begin_field(w, TAG_SEQUENCE);
    if (w->syntax != ASN_TEXT)
        return;
    put_words(w, "{");
    w->depth++;
    w->is_first = true;
}

void asn_close(asn_writer *w, const char *type)
{
    asn_end_element(w, type);
    if (w->syntax == ASN_BER)
        end_field(w);
    if (w->syntax != ASN_TEXT)
        return;
    w->depth--;
    new_line(w);
    put_words(w, "}");
    w->is_first = false;
}

void asn_item(asn_writer *w)
{
    if (w->syntax != ASN_TEXT)
        return;
    put_words(w, w->is_first ? "" : ",");
    new_line(w);
    w->is_first = false;
}

void asn_choice(asn_writer *w, unsigned number, const char *type, const char *name)
{
    if (w->syntax == ASN_BER) {
        begin_field(w, TAG_FIELD + number);
    } else if (w->syntax == ASN_XML) {
        begin_tag(w, type, name);
    } else {
        put_words(w, name);
        put_words(w, " ");
    }
}

void asn_member(asn_writer *w, unsigned number, const char *type, const char *name)
{
    asn_item(w);
    asn_choice(w, number, type, name);
}

void asn_end_member(asn_writer *w, const char *type, const char *name)
{
    if (w->syntax == ASN_BER)
        end_field(w);
    else if (w->syntax == ASN_XML)
        end_tag(w, type, name);
}

void asn_integer(asn_writer *w, int64_t value)
{
    char digits[24];

    if (w->syntax == ASN_BER)
        put_ber_integer(w, value);
    else
        put(w, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, value));
}

void asn_named_integer(asn_writer *w, const char *type, const char *name, int64_t value)
{
    char line[256];

    if (w->syntax == ASN_TEXT) {
        put_words(w, name);
    } else if (w->syntax == ASN_BER) {
        asn_integer(w, value);
    } else {
        new_line(w);
        put(w, line, (size_t)snprintf(line, sizeof line, "<%s value=\"%s\">%" PRId64 "</%s>", type, name, value, type));
        w->is_inline = false;
    }
}

void asn_string(asn_writer *w, struct text text)
{
    if (w->syntax == ASN_TEXT) {
        put_quoted(w, text);
    } else if (w->syntax == ASN_XML) {
        put_escaped(w, text);
    } else {
        put_byte(w, TAG_STRING);
        put_size(w, text.n);
        put(w, text.bytes, text.n);
    }
}

void asn_false_member(asn_writer *w, unsigned number, const char *type, const char *name)
{
    if (w->syntax == ASN_XML) {
        new_line(w);
        put_tag(w, "<", type, name);
        put_words(w, " value=\"false\"/>");
        w->is_inline = false;
        return;
    }
    asn_member(w, number, type, name);
    if (w->syntax == ASN_TEXT)
        put_words(w, "FALSE");
    else
        put(w, (uint8_t[]){TAG_BOOLEAN, 1, 0}, 3);
    asn_end_member(w, type, name);
}
