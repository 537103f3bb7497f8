/* classify_names.c - see classify_names.h. */
#include "cli/reads/classify_names.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

static const char *without_directory(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool ends_in(const char *name, size_t n, const char *end)
{
    size_t size = strlen(end);

    return n > size && memcmp(name + n - size, end, size) == 0;
}

/* Size of a file name without the extensions for compression and format. */
static size_t bare_size(const char *name)
{
    static const char *const packed[] = {".gz", ".bgz", ".zst", ".xz", ".bz2"};
    static const char *const kinds[] = {".fastq", ".fq", ".fasta", ".fa", ".fna", ".ffn", ".fas"};
    size_t n = strlen(name);

    for (size_t i = 0; i < sizeof packed / sizeof *packed; i++) {
        if (ends_in(name, n, packed[i])) {
            n -= strlen(packed[i]);
            break;
        }
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (ends_in(name, n, kinds[i]))
            return n - strlen(kinds[i]);
    }
    return n;
}

char *classify_reference_name(const char *path, int is_sequences)
{
    const char *name = without_directory(path);
    size_t n = strlen(name);

    if (is_sequences)
        return strndup(name, bare_size(name));
    return strndup(name, ends_in(name, n, ".tms") ? n - 4 : n);
}

/* Size of "x" if the names are "x_R1_001" and "x_R2_001", "x_1" and "x_2", or the like; otherwise n. */
static size_t without_mate(const char *name, const char *mate, size_t n)
{
    static const char *const ends[] = {"_R1_001", "_R1", ".R1", "_1", ".1"};

    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t bare = n - (ends_in(name, n, ends[i]) ? strlen(ends[i]) : n), digit;
        if (bare == 0)
            continue;
        digit = bare + strcspn(ends[i], "1");
        return strlen(mate) >= n && memcmp(name, mate, digit) == 0 && mate[digit] == '2' &&
                       memcmp(name + digit + 1, mate + digit + 1, n - digit - 1) == 0
                   ? bare
                   : n;
    }
    return n;
}

/* Size of "x" if the name is "x_L001" or the like; otherwise n. */
static size_t without_lane(const char *name, size_t n)
{
    enum { SIZE = 5 };
    const char *end = n > SIZE ? name + n - SIZE : name;

    return n > SIZE && end[0] == '_' && end[1] == 'L' && isdigit((unsigned char)end[2]) && isdigit((unsigned char)end[3]) &&
                   isdigit((unsigned char)end[4])
               ? n - SIZE
               : n;
}

char *classify_sample_name(const char *const *paths, size_t n_files, size_t n_lanes)
{
    const char *name = without_directory(paths[0]);
    size_t n = bare_size(name);

    if (strcmp(paths[0], "-") == 0)
        return strdup("stdin");
    if (n_files == 2)
        n = without_mate(name, without_directory(paths[1]), n);
    else if (n_lanes > 1 && ends_in(name, n, "_R1_001"))
        n -= strlen("_R1_001");
    if (n_lanes > 1)
        n = without_lane(name, n);
    return strndup(name, n);
}
