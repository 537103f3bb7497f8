#include "page/html_text.h"

#include <stddef.h>
#include <string.h>

size_t html_utf8_length(const unsigned char *c)
{
    size_t n = c[0] < 0x80 ? 1 : c[0] >= 0xc2 && c[0] < 0xe0 ? 2 : c[0] >= 0xe0 && c[0] < 0xf0 ? 3 : c[0] >= 0xf0 && c[0] < 0xf5 ? 4 : 0;

    for (size_t i = 1; i < n; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    }
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90))
        return 0;
    return n;
}

void html_put(FILE *to, const char *text)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0';) {
        size_t n = html_utf8_length(c);
        if (*c == '&')
            fputs("&amp;", to);
        else if (*c == '<')
            fputs("&lt;", to);
        else if (*c == '>')
            fputs("&gt;", to);
        else if (*c == '"')
            fputs("&quot;", to);
        else if (*c == '\'')
            fputs("&#39;", to);
        else if (n == 0 || (*c < ' ' && *c != '\n' && *c != '\t') || *c == 0x7f)
            fputc('?', to);
        else
            fwrite(c, 1, n, to);
        c += n > 0 ? n : 1;
    }
}

/* Does the text begin with this? */
static int begins(const char *at, const char *with) { return strncmp(at, with, strlen(with)) == 0; }

void html_put_svg(FILE *to, const char *svg, const char *name, const char *title)
{
    /* Where ids are defined and used: `name-` is inserted after them. xlink: exists in XML only. */
    static const struct {
        const char *old, *now;
    } names[] = {{"xlink:href='#", "href='#"}, {" id='", " id='"}, {" id=\"", " id=\""}, {"url(#", "url(#"}};
    const char *at = strstr(svg, "<svg");

    if (at == NULL)
        return;
    fputs("<svg role=\"img\" aria-label=\"", to);
    html_put(to, title);
    fputc('"', to);
    for (at += 4; *at != '\0';) {
        size_t i = 0;
        const char *end;
        if (begins(at, "xmlns:xlink=\"") && (end = strchr(at + 13, '"')) != NULL) {
            at = end + 1;
            continue;
        }
        while (i < sizeof names / sizeof *names && !begins(at, names[i].old))
            i++;
        if (i < sizeof names / sizeof *names) {
            fprintf(to, "%s%s-", names[i].now, name);
            at += strlen(names[i].old);
        } else {
            fputc(*at++, to);
        }
    }
}
