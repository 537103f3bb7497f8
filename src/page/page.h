/*
 * page.h - the frame of every HTML page that tamis writes: one file, one style, nothing loaded from elsewhere.
 */
#ifndef TAMIS_PAGE_H
#define TAMIS_PAGE_H

#include <stdint.h>
#include <stdio.h>

/* Texts of src/page, which the build makes constants of: NUL-terminated. */
extern const char page_css[], page_hits_css[], page_hits_js[];

/*
 * page_begin() - the page up to its heading, with the heading.
 *   title [in] text, not HTML: of the window and of the heading
 *   style [in] rules of this page alone, as CSS; NULL: none
 */
void page_begin(FILE *to, const char *title, const char *style);

/* page_end() - the foot of the page. command [in] the command that wrote it: "tamis seeds". version [in] of tamis. */
void page_end(FILE *to, const char *command, const char *version);

#endif
