/* bench_keys.c - files to feed the command with. Every key depends on the seed and its place alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static int usage(void)
{
    fprintf(stderr, "usage: tamis-bench keys N [SEED]                            N random words of 4 to 20 letters\n"
                    "       tamis-bench keys thesis BATCHES BYTES PREFIX [SEED]  PREFIX_1.txt ... PREFIX_BATCHES.txt of\n"
                    "                                                            1 to 150 letters and digits a line\n"
                    "       tamis-bench keys zipf LINES KEYS S [SEED]            LINES lines, key1 to keyKEYS, keyR with\n"
                    "                                                            a probability proportional to R^-S\n");
    return 2;
}

static int failed(const char *path)
{
    perror(path);
    return 6;
}

static uint64_t seed_of(int argc, char **argv, int at) { return argc > at ? strtoull(argv[at], NULL, 0) : 1; }

static int print_words(size_t n, uint64_t seed)
{
    uint8_t *bytes = bench_alloc(n * BENCH_WORD_MAX);
    uint32_t *offsets = bench_alloc((n + 1) * sizeof *offsets);
    bench_random_words(bytes, offsets, n, seed);
    for (size_t i = 0; i < n; i++) {
        fwrite(bytes + offsets[i], 1, offsets[i + 1] - offsets[i], stdout);
        putchar('\n');
    }
    return fflush(stdout) == 0 ? 0 : failed("standard output");
}

/* As many whole lines as fit into size bytes. */
static int write_batch(const char *path, uint64_t batch, uint64_t size, uint64_t seed)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return failed(path);
    uint8_t line[BENCH_THESIS_MAX + 1];
    uint64_t written = 0;
    for (uint64_t i = 0;; i++) {
        size_t len = bench_thesis_key(line, seed, batch, i);
        if (written + len + 1 > size)
            break;
        line[len] = '\n';
        fwrite(line, 1, len + 1, f);
        written += len + 1;
    }
    int bad = ferror(f);
    return fclose(f) != 0 || bad ? failed(path) : 0;
}

static int write_batches(uint64_t n_batches, double size, const char *prefix, uint64_t seed)
{
    char path[4096];
    if (!(size > BENCH_THESIS_MAX && size < 0x1p63)) {
        fprintf(stderr, "tamis-bench: BYTES must be %d or more, so that the first key fits\n", BENCH_THESIS_MAX + 1);
        return 2;
    }
    for (uint64_t b = 1; b <= n_batches; b++) {
        if (snprintf(path, sizeof path, "%s_%llu.txt", prefix, (unsigned long long)b) >= (int)sizeof path)
            return usage();
        int rc = write_batch(path, b, (uint64_t)size, seed);
        if (rc)
            return rc;
    }
    return 0;
}

/* "key" and the number in decimal, and a line feed; returns the end. */
static char *put_key(char *out, size_t number)
{
    char digits[24];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    memcpy(out, "key", 3);
    memcpy(out + 3, digits + at, sizeof digits - at);
    out += 3 + sizeof digits - at;
    *out = '\n';
    return out + 1;
}

static int print_stream(uint64_t n_lines, double n_keys, double s, uint64_t seed)
{
    static char buffer[1 << 16];
    if (!(n_keys >= 1 && n_keys < 0x1p32 && s >= 0 && isfinite(s))) {
        fprintf(stderr, "tamis-bench: KEYS must be 1 to 4294967295, and S 0 or more\n");
        return 2;
    }
    struct bench_zipf zipf = bench_zipf_make((size_t)n_keys, s);
    char *at = buffer;
    for (uint64_t i = 0; i < n_lines; i++) {
        at = put_key(at, bench_zipf_rank(&zipf, seed, i) + 1);
        if (at > buffer + sizeof buffer - 32 || i + 1 == n_lines) {
            if (fwrite(buffer, 1, (size_t)(at - buffer), stdout) != (size_t)(at - buffer))
                return failed("standard output");
            at = buffer;
        }
    }
    bench_zipf_free(&zipf);
    return fflush(stdout) == 0 ? 0 : failed("standard output");
}

int bench_keys(int argc, char **argv)
{
    if (argc >= 5 && argc <= 6 && strcmp(argv[1], "thesis") == 0)
        return write_batches((uint64_t)atof(argv[2]), atof(argv[3]), argv[4], seed_of(argc, argv, 5));
    if (argc >= 5 && argc <= 6 && strcmp(argv[1], "zipf") == 0)
        return print_stream((uint64_t)atof(argv[2]), atof(argv[3]), atof(argv[4]), seed_of(argc, argv, 5));
    if (argc < 2 || argc > 3 || atof(argv[1]) < 1)
        return usage();
    return print_words((size_t)atof(argv[1]), seed_of(argc, argv, 2));
}
