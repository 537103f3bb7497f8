/* bench_genomes.c - sequences to feed the command with, made of a real genome: mutated copies, and reads. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/core.h"
#include "bench.h"
#include "io/io_stream.h"

enum { WIDTH = 80, BUFFER_BYTES = 1 << 20, N_SEPARATOR = '\n' };

/* The bases of all records, N_SEPARATOR between two. */
struct genome {
    char *bases;
    size_t n, capacity;
};

static int usage(void)
{
    fprintf(stderr, "usage: tamis-bench genomes copies FILE N PERCENT [SEED]        FASTA: N copies of all records, so many bases\n"
                    "                                                               in a hundred replaced\n"
                    "       tamis-bench genomes reads FILE N LENGTH PERCENT [SEED]  FASTA: N reads of LENGTH bases, either strand,\n"
                    "                                                               so many bases in a hundred replaced\n");
    return 2;
}

static char upper(char c) { return c >= 'a' && c <= 'z' ? (char)(c - 'a' + 'A') : c; }

static void add(struct genome *g, char c)
{
    if (g->n == g->capacity) {
        g->capacity = g->capacity > 0 ? 2 * g->capacity : BUFFER_BYTES;
        g->bases = realloc(g->bases, g->capacity);
        if (!g->bases) {
            fprintf(stderr, "tamis-bench: out of memory\n");
            exit(2);
        }
    }
    g->bases[g->n++] = c;
}

static struct genome read_genome(const char *path)
{
    struct genome g = {NULL, 0, 0};
    static uint8_t buffer[BUFFER_BYTES];
    bool is_header = false;
    io_stream *stream;
    io_error err;
    size_t n;
    io_status status = io_stream_open(path, -1, &stream, &err);
    while (status == IO_OK && (status = io_stream_read(stream, buffer, BUFFER_BYTES, &n, &err)) == IO_OK)
        for (size_t i = 0; i < n; i++) {
            const char c = (char)buffer[i];
            if (c == '>' && g.n > 0)
                add(&g, N_SEPARATOR);
            is_header = c == '>' || (is_header && c != '\n');
            if (!is_header && c > ' ')
                add(&g, upper(c));
        }
    if (status != IO_END) {
        fprintf(stderr, "tamis-bench: %s\n", err.text);
        exit(2);
    }
    io_stream_close(stream);
    return g;
}

/* The base, or with this probability another one. Depends on seed and i alone. */
static char mutated(char base, double probability, uint64_t seed, uint64_t i)
{
    static const char bases[] = "ACGT";
    const char *at = strchr(bases, base);
    const uint64_t random = core_splitmix(seed, i);
    if (at == NULL || (double)(random >> 11) * 0x1p-53 >= probability)
        return base;
    return bases[((size_t)(at - bases) + 1 + random % 3) % 4];
}

static int print_copies(const struct genome *g, uint64_t n, double probability, uint64_t seed)
{
    uint64_t record = 0;
    for (uint64_t copy = 0, at = 0; copy < n; copy++) {
        size_t column = 0;
        for (size_t i = 0; i < g->n; i++, at++) {
            if (i == 0 || g->bases[i] == N_SEPARATOR) {
                printf("%s>record_%llu\n", record > 0 ? "\n" : "", (unsigned long long)record + 1);
                record++;
                column = 0;
            }
            if (g->bases[i] == N_SEPARATOR)
                continue;
            if (column > 0 && column % WIDTH == 0)
                putchar('\n');
            putchar(mutated(g->bases[i], probability, seed, at));
            column++;
        }
    }
    putchar('\n');
    return fflush(stdout) == 0 ? 0 : 6;
}

static char complement(char base)
{
    static const char bases[] = "ACGT", others[] = "TGCA";
    const char *at = strchr(bases, base);
    return at != NULL ? others[at - bases] : base;
}

/* Reads that have an N or go over the end of a record are drawn again. */
static int print_reads(const struct genome *g, uint64_t n, size_t length, double probability, uint64_t seed)
{
    for (uint64_t i = 0, drawn = 0; i < n && drawn < 1000 * (n + 1); drawn++) {
        const uint64_t random = core_splitmix(seed ^ UINT64_C(1) << 63, drawn);
        const char *from = g->bases + (random >> 1) % (g->n - length + 1);
        if (memchr(from, N_SEPARATOR, length) != NULL || memchr(from, 'N', length) != NULL)
            continue;
        printf(">read_%llu\n", (unsigned long long)i + 1);
        for (size_t k = 0; k < length; k++) {
            const char base = random % 2 == 0 ? from[k] : complement(from[length - 1 - k]);
            putchar(mutated(base, probability, seed, i * length + k));
        }
        putchar('\n');
        i++;
    }
    return fflush(stdout) == 0 ? 0 : 6;
}

int bench_genomes(int argc, char **argv)
{
    const bool reads = argc > 1 && strcmp(argv[1], "reads") == 0;
    const int n_named = reads ? 6 : 5;
    if (argc < n_named || argc > n_named + 1 || (!reads && strcmp(argv[1], "copies") != 0))
        return usage();
    const struct genome g = read_genome(argv[2]);
    const uint64_t n = strtoull(argv[3], NULL, 0), seed = argc > n_named ? strtoull(argv[n_named], NULL, 0) : 1;
    const double probability = strtod(argv[n_named - 1], NULL) / 100;
    const size_t length = reads ? strtoull(argv[4], NULL, 0) : 0;
    if (n == 0 || (reads && (length == 0 || length > g.n)))
        return usage();
    const int rc = reads ? print_reads(&g, n, length, probability, seed) : print_copies(&g, n, probability, seed);
    free(g.bases);
    return rc;
}
