/*
 * report_syntax.h - objects, lists and members as text: JSON (format 15) or XML (format 16), laid out as NCBI's programs do it.
 *
 * An object of JSON is two elements of XML, one with the member's name and one with the name of its type; and '_' of a name is '-' there.
 */
#ifndef TMS_REPORT_SYNTAX_H
#define TMS_REPORT_SYNTAX_H

#include "report/report_text.h"

struct report_syntax {
    struct report_text *t;
    bool is_xml;
    int depth;     /* blanks before a line */
    bool is_begun; /* the innermost object or list is not empty */
};

/* syntax_member(), syntax_number(), syntax_real() - a member of the innermost object. */
void syntax_member(struct report_syntax *s, const char *name, struct text text);
void syntax_number(struct report_syntax *s, const char *name, int64_t number);
void syntax_real(struct report_syntax *s, const char *name, const char *number);

/* syntax_begin_object() - a member that is an object; type: "Target". */
void syntax_begin_object(struct report_syntax *s, const char *name, const char *type);
void syntax_end_object(struct report_syntax *s, const char *name, const char *type);

/* syntax_begin_list() - a member that is a list of objects, each begun with syntax_begin_item(). */
void syntax_begin_list(struct report_syntax *s, const char *name);
void syntax_end_list(struct report_syntax *s, const char *name);
void syntax_begin_item(struct report_syntax *s, const char *type);
void syntax_end_item(struct report_syntax *s, const char *type);

/* syntax_begin_strings() - a member that is a list of strings. */
void syntax_begin_strings(struct report_syntax *s, const char *name);
void syntax_string(struct report_syntax *s, const char *name, struct text text);
void syntax_end_strings(struct report_syntax *s);

/* text_escaped_xml() - text within an element of format 5 or 16. */
void text_escaped_xml(struct report_text *t, struct text text);

#endif
