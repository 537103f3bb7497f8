/* page.c - see page.h. */
#include "page/page.h"

#include "page/html_text.h"

void page_begin(FILE *to, const char *title, const char *style)
{
    fputs(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
        "img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n<title>",
        to);
    html_put(to, title);
    fprintf(to, "</title>\n<style>\n%s%s</style>\n</head>\n<body>\n<h1>", page_css, style != NULL ? style : "");
    html_put(to, title);
    fputs("</h1>\n", to);
}

void page_end(FILE *to, const char *command, const char *version)
{
    fprintf(to, "<footer>Written by tamis %s, <code>%s</code>.</footer>\n</body>\n</html>\n", version, command);
}
