/*
 * html_text.h - pieces of an HTML page.
 */
#ifndef TAMIS_HTML_TEXT_H
#define TAMIS_HTML_TEXT_H

#include <stdio.h>

/* Text between tags or in a quoted attribute. Bytes outside ASCII are kept where they are valid UTF-8; other bytes, and control characters,
 * become '?'. */
void html_put(FILE *to, const char *text);

/*
 * html_put_svg() - a picture of gnuplot as a part of the page: without the head of a file, and with names that no other picture of the
 * page has.
 *   name  [in] letters, digits and '-': what its names begin with
 *   title [in] for who does not see it
 */
void html_put_svg(FILE *to, const char *svg, const char *name, const char *title);

#endif
