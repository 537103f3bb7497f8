/* blast_names.c - see blast_names.h. */
#include "cli/blast_names.h"

#include <string.h>

#include "cli/options_text.h"
#include "tamis/tamis.h"

static const blast_program *called;

void blast_call(const blast_program *program) { called = program; }

const blast_program *blast_called(void) { return called; }

/* BLAST+ programs look for -version in all arguments before they check any, even where an option's value should be. */
int blast_prints_version(const blast_program *program, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        const int is_full = strcmp(argv[i], "-version-full") == 0;
        if (!is_full && strcmp(argv[i], "-version") != 0)
            continue;
        printf("%s: %s\n Package: tamis %s\n", program->name, program->version, tms_version());
        if (is_full)
            printf(" Built-As:  %s\n", program->name);
        return 1;
    }
    return 0;
}

static void print_synopsis(const blast_program *program, FILE *out)
{
    options_print_usage(program->options, program->name, program->hidden, out);
    fprintf(out, "\nDESCRIPTION\n   %s\n\n", program->description);
}

void blast_print_usage(const blast_program *program, FILE *out)
{
    print_synopsis(program, out);
    fputs("Use '-help' to print detailed descriptions of command line arguments\n", out);
}

void blast_print_bad_usage(const blast_program *program, const char *format, va_list args)
{
    blast_print_usage(program, stderr);
    fputs("========================================================================\n\nError: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void blast_print_help(const blast_program *program, FILE *out)
{
    print_synopsis(program, out);
    fprintf(out, "This is tamis %s, called as %s.\nIt uses one thread unless -num_threads asks for more.\n\n", tms_version(),
            program->name);
    options_print_rows(program->options, program->hidden, out);
}

void blast_message_begins(const blast_program *program, int code, char *text, size_t size)
{
    if (code == 0)
        snprintf(text, size, "Warning: [%s] ", program->name);
    else if (code == BLAST_DATABASE && !program->fails_with_1)
        snprintf(text, size, "BLAST Database error: ");
    else if (code == BLAST_INPUT && program->input_error != NULL)
        snprintf(text, size, "%s", program->input_error);
    else if (code == BLAST_ENGINE)
        snprintf(text, size, "BLAST engine error: ");
    else
        snprintf(text, size, "Error: [%s] ", program->name);
}
