#include "cli/filter/build_lines.h"

#include <ctype.h>
#include <string.h>

/* A line of the batch. */
typedef struct line {
    const char *bytes;
    size_t n;
} line;

static line line_of(const tms_keys *keys, size_t i)
{
    return (line){(const char *)keys->bytes + keys->offsets[i], (size_t)(keys->offsets[i + 1] - keys->offsets[i]) - keys->gap};
}

/* Does the line look like a sequence: letters, '-' and '*', with at least one letter? Ignores a carriage return at the end. */
static int is_sequence(line l)
{
    size_t n_letters = 0;

    if (l.n > 0 && l.bytes[l.n - 1] == '\r')
        l.n--;
    for (size_t i = 0; i < l.n; i++) {
        if (!isalpha((unsigned char)l.bytes[i]) && l.bytes[i] != '-' && l.bytes[i] != '*')
            return 0;
        n_letters += isalpha((unsigned char)l.bytes[i]) != 0;
    }
    return n_letters > 0;
}

static int begins_with(line l, char c) { return l.n > 0 && l.bytes[0] == c; }

/* The format that the first record looks like: "FASTA", "FASTQ", or NULL. */
static const char *format_of(const tms_keys *keys)
{
    if (keys->n_keys >= 2 && begins_with(line_of(keys, 0), '>') && is_sequence(line_of(keys, 1)))
        return "FASTA";
    if (keys->n_keys >= 4 && begins_with(line_of(keys, 0), '@') && is_sequence(line_of(keys, 1)) && begins_with(line_of(keys, 2), '+') &&
        line_of(keys, 3).n == line_of(keys, 1).n)
        return "FASTQ";
    return NULL;
}

void build_lines_warn(const build_job *job, const tms_keys *keys)
{
    const char *path = job->stream.paths[0], *format = format_of(keys);

    if (format == NULL || job->force_lines || job->stream.common.quiet)
        return;
    cli_say(job->stream.common.command,
            "%s: looks like %s, but its lines become keys: use --kmer 31 to insert the k-mers of its sequences, or --force-lines to "
            "silence this warning",
            strcmp(path, "-") == 0 ? "standard input" : path, format);
}
