/* bench_common.c - timing, keys, streams, places and rows. */
#include "bench.h"
#include "bench_sequences.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>

#include "base/core.h"
#include "run/context.h"
#include "tamis/tamis.h"

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must_read(io_status status, const io_error *err)
{
    if (status == IO_OK)
        return;
    fprintf(stderr, "tamis-bench: %s\n", err->text);
    exit(2);
}

seqio_records *bench_sequences(const char *path, seqio_records_batch *out)
{
    const seqio_records_options how = {.paths = &path, .n_paths = 1, .batch_bytes = (size_t)64 << 20};
    seqio_records *records;
    io_error err;

    must_read(seqio_records_open(&how, &records, &err), &err);
    must_read(seqio_records_next(records, out, &err), &err);
    return records;
}

const char *bench_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

void bench_must(tms_context *ctx, tms_status status)
{
    if (status == TMS_OK)
        return;
    fprintf(stderr, "tamis-bench: %s\n", tms_context_message(ctx));
    exit(status == TMS_E_DEVICE ? 4 : status == TMS_E_MEMORY ? 5 : 2);
}

void *bench_alloc(size_t size_bytes)
{
    void *p = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) {
        fprintf(stderr, "tamis-bench: no memory for %.1f MiB\n", (double)size_bytes / 1048576.0);
        exit(5);
    }
    madvise(p, size_bytes, MADV_HUGEPAGE);
    memset(p, 1, size_bytes);
    return p;
}

void bench_free(void *ptr, size_t size_bytes) { munmap(ptr, size_bytes); }

/* Items to make, on all threads: their memory is touched by them too. */
#define MADE_AT_ONCE ((size_t)1 << 18)

static void make_all(size_t n, range_work *make, void *arg)
{
    tms_context *ctx;
    if (tms_context_create(&ctx) != TMS_OK)
        exit(5);
    bench_must(ctx, context_run_ranges(ctx, n, MADE_AT_ONCE, make, arg));
    tms_context_destroy(ctx);
}

struct random_bytes {
    uint8_t *bytes;
    uint64_t seed;
};

static void make_random_bytes(void *arg, size_t first, size_t end)
{
    const struct random_bytes *made = arg;
    for (size_t at = first; at < end; at += 8) {
        uint64_t word = core_splitmix(made->seed << 48, at);
        memcpy(made->bytes + at, &word, end - at < 8 ? end - at : 8);
    }
}

void bench_random_keys(uint8_t *bytes, size_t n, size_t size, uint64_t seed)
{
    struct random_bytes made = {bytes, seed};
    make_all(n * size, make_random_bytes, &made);
}

#define WORD_MIN 4

static size_t random_word(uint8_t *out, uint64_t seed, uint64_t i)
{
    uint64_t h = core_splitmix(seed, 2 * i), g = core_splitmix(seed, 2 * i + 1);
    size_t len = WORD_MIN + (size_t)core_scale(h, BENCH_WORD_MAX - WORD_MIN + 1);
    for (size_t j = 0; j < len; j++) {
        uint64_t *source = j < 12 ? &h : &g; /* 26^12 < 2^57 */
        out[j] = (uint8_t)('a' + *source % 26);
        *source /= 26;
    }
    return len;
}

void bench_random_words(uint8_t *bytes, uint32_t *offsets, size_t n, uint64_t seed)
{
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + (uint32_t)random_word(bytes + offsets[i], seed, i);
}

static uint64_t thesis_key_seed(uint64_t seed, uint64_t batch, uint64_t i) { return core_splitmix(core_splitmix(seed, batch), i); }

static size_t thesis_length(uint64_t key_seed) { return 1 + (size_t)core_scale(core_splitmix(key_seed, 0), BENCH_THESIS_MAX); }

static void thesis_letters(uint8_t *out, size_t len, uint64_t key_seed)
{
    static const char letters[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    uint64_t h = 0;
    for (size_t j = 0; j < len; j++) {
        if (j % 8 == 0)
            h = core_splitmix(key_seed, 1 + j / 8);
        out[j] = (uint8_t)letters[core_scale(h, 62)];
        h *= 62; /* what the digit left over: 62^8 < 2^48 */
    }
}

size_t bench_thesis_key(uint8_t *out, uint64_t seed, uint64_t batch, uint64_t i)
{
    uint64_t key_seed = thesis_key_seed(seed, batch, i);
    size_t len = thesis_length(key_seed);
    thesis_letters(out, len, key_seed);
    return len;
}

struct thesis_keys {
    uint8_t *bytes;
    const uint32_t *offsets;
    uint64_t seed, batch;
};

static void make_thesis_keys(void *arg, size_t first, size_t end)
{
    const struct thesis_keys *made = arg;
    for (size_t i = first; i < end; i++)
        thesis_letters(made->bytes + made->offsets[i], made->offsets[i + 1] - made->offsets[i],
                       thesis_key_seed(made->seed, made->batch, i));
}

void bench_thesis_keys(uint8_t *bytes, uint32_t *offsets, size_t n, uint64_t seed, uint64_t batch)
{
    offsets[0] = 0;
    for (size_t i = 0; i < n; i++)
        offsets[i + 1] = offsets[i] + (uint32_t)thesis_length(thesis_key_seed(seed, batch, i));
    struct thesis_keys made = {bytes, offsets, seed, batch};
    if (bytes)
        make_all(n, make_thesis_keys, &made);
}

tms_keys bench_thesis_batch(tms_context *ctx, size_t n, uint64_t seed)
{
    void *bytes, *offsets;
    bench_must(ctx, tms_host_alloc(ctx, (n + 1) * sizeof(uint32_t), &offsets));
    bench_thesis_keys(NULL, offsets, n, seed, 0);
    bench_must(ctx, tms_host_alloc(ctx, ((uint32_t *)offsets)[n] + (size_t)64, &bytes));
    bench_thesis_keys(bytes, offsets, n, seed, 0);
    return (tms_keys){bytes, offsets, n, 0, 0};
}

void bench_free_keys(tms_context *ctx, tms_keys *keys)
{
    tms_host_free(ctx, (void *)(uintptr_t)keys->bytes);
    tms_host_free(ctx, (void *)(uintptr_t)keys->offsets);
}

struct bench_zipf bench_zipf_make(size_t n_keys, double s)
{
    struct bench_zipf zipf = {n_keys, bench_alloc(n_keys * sizeof(struct bench_alias))};
    double *share = bench_alloc(n_keys * sizeof *share); /* of a rank, in entries of the table */
    uint32_t *stack = bench_alloc(n_keys * sizeof *stack);
    double sum = 0;
    for (size_t i = n_keys; i-- > 0;)
        sum += share[i] = pow((double)(i + 1), -s);
    size_t n_small = 0, n_large = 0; /* small ones grow from the stack's start, large ones from its end */
    for (size_t i = 0; i < n_keys; i++) {
        share[i] *= (double)n_keys / sum;
        stack[share[i] < 1 ? n_small++ : n_keys - ++n_large] = (uint32_t)i;
        zipf.table[i] = (struct bench_alias){UINT32_MAX, (uint32_t)i};
    }
    while (n_small && n_large) { /* a small one's entry is filled up by a large one */
        uint32_t small = stack[--n_small], large = stack[n_keys - n_large];
        zipf.table[small] = (struct bench_alias){(uint32_t)(share[small] * 0x1p32), large};
        share[large] -= 1 - share[small];
        if (share[large] < 1) {
            n_large--;
            stack[n_small++] = large;
        }
    }
    bench_free(share, n_keys * sizeof *share);
    bench_free(stack, n_keys * sizeof *stack);
    return zipf;
}

void bench_zipf_free(struct bench_zipf *zipf) { bench_free(zipf->table, zipf->n_keys * sizeof *zipf->table); }

size_t bench_zipf_rank(const struct bench_zipf *zipf, uint64_t seed, uint64_t i)
{
    uint64_t h = core_splitmix(seed, i);
    uint32_t entry = (uint32_t)core_scale(h, zipf->n_keys), rest = (uint32_t)(h * zipf->n_keys >> 32);
    return rest < zipf->table[entry].keep ? entry : zipf->table[entry].other;
}

int bench_places(struct bench_place places[3])
{
    int n = 0;
    for (int i = 0; i < 3; i++) {
        tms_context *ctx;
        if (tms_context_create(&ctx) != TMS_OK)
            exit(5);
        snprintf(places[n].name, sizeof places->name, i == 0 ? "serial" : i == 1 ? "threads x%d" : "cuda", tms_context_threads(ctx));
        if (i == 0)
            bench_must(ctx, tms_context_set_threads(ctx, 1));
        if (i == 2 && (tms_context_set_device(ctx, TMS_DEVICE_AUTO) != TMS_OK || tms_context_device(ctx) < 0))
            tms_context_destroy(ctx);
        else
            places[n++].ctx = ctx;
    }
    return n;
}

tms_filter *bench_new_filter(tms_context *ctx, const tms_filter_params *params)
{
    tms_filter *untouched, *f;
    bench_must(ctx, tms_filter_create(ctx, params, &untouched));
    if (tms_context_device(ctx) >= 0)
        return untouched;
    bench_must(ctx, tms_filter_copy(ctx, untouched, &f));
    tms_filter_destroy(untouched);
    return f;
}

double bench_insert_seconds(tms_context *ctx, const tms_filter_params *params, const tms_keys *keys)
{
    tms_filter *f = bench_new_filter(ctx, params);
    double start = bench_now();
    bench_must(ctx, tms_filter_insert(ctx, f, keys));
    double seconds = bench_now() - start;
    tms_filter_destroy(f);
    return seconds;
}

size_t bench_fit(double (*seconds_of)(void *arg, size_t n), void *arg, size_t most, double seconds)
{
    for (size_t n = 1024; n < most; n *= 4) {
        double took = seconds_of(arg, n);
        if (4 * took > seconds) {
            double fit = (double)n * seconds / took;
            return fit < (double)most ? (size_t)fit + 1 : most;
        }
    }
    seconds_of(arg, most);
    return most;
}

static void print_cpu_name(void)
{
    char line[256];
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "model name", 10) == 0) {
            printf("# cpu: %s", strchr(line, ':') + 2);
            break;
        }
    if (f)
        fclose(f);
}

void bench_header(int argc, char **argv, const char *columns)
{
    time_t now = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    const char *commit = getenv("TAMIS_COMMIT");
    print_cpu_name();
    static tms_gpu_report gpus;
    tms_gpu_probe(&gpus);
    for (int i = 0; i < gpus.n_gpus; i++)
        printf("# gpu: %s, driver for CUDA %d.%d\n", gpus.gpus[i].name, gpus.driver_version / 1000, gpus.driver_version % 1000 / 10);
    printf("# date: %s  commit: %s  tamis %s\n# command:", date, commit ? commit : "unknown", tms_version());
    for (int i = 0; i < argc; i++)
        printf(" %s", i ? argv[i] : "tamis-bench");
    printf("\n%s\n", columns);
}

const char *bench_blocks_text(const tms_filter_params *params)
{
    static const char *const texts[TMS_BLOCKED_MAX_BLOCKS + 1] = {"",          "",          " 2 blocks", " 3 blocks", " 4 blocks",
                                                                  " 5 blocks", " 6 blocks", " 7 blocks", " 8 blocks"};
    return texts[params->blocks_per_key];
}

void bench_print(const struct bench_row *r)
{
    double rate = (double)r->n / r->seconds;
    printf("%s\t%s\t%zu\t%u\t%llu\t%.4g\t%.5g\t%.4g\t", r->what, r->backend, r->n, r->k, (unsigned long long)r->m_bits, 1e9 / rate,
           rate / 1e6, rate * r->bytes_per_key / 1e9);
    if (r->limit > 0)
        printf("%.5g\t%.1f\t%s\n", r->limit / 1e6, 100 * rate / r->limit, r->note ? r->note : "");
    else
        printf("\t\t%s\n", r->note ? r->note : "");
    fflush(stdout);
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, int n)
{
    qsort(values, (size_t)n, sizeof *values, compare);
    return values[n / 2];
}
