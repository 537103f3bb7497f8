/*
 * html_text.h - writes text and pictures into an HTML page.
 */
#ifndef TAMIS_HTML_TEXT_H
#define TAMIS_HTML_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* html_utf8_length() - bytes of the UTF-8 character that begins here; 0: none does. Reads no byte behind one that cannot continue it. */
size_t html_utf8_length(const unsigned char *c);

/* html_put() - writes text between tags or in a quoted attribute. Keeps valid UTF-8; other bytes outside ASCII, and control characters,
 * become '?'. */
void html_put(FILE *to, const char *text);

/*
 * html_put_svg() - writes a picture by gnuplot into the page: without the header of a file, and with ids that no other picture has.
 *   name  [in] prefix of the ids: letters, digits and '-'
 *   title [in] text for readers who do not see the picture
 */
void html_put_svg(FILE *to, const char *svg, const char *name, const char *title);

#endif
