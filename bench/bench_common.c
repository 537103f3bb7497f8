/* bench_common.c - timing, keys and rows. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>

#include "hash/core.h"
#include "tamis/tamis.h"

double bench_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
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

void bench_random_keys(uint8_t *bytes, size_t n, size_t size, uint64_t seed)
{
    size_t total = n * size;
#pragma omp parallel for schedule(static)
    for (int64_t at = 0; at < (int64_t)total; at += 8) {
        uint64_t word = core_splitmix(seed << 48, (uint64_t)at);
        size_t len = total - (size_t)at < 8 ? total - (size_t)at : 8;
        memcpy(bytes + at, &word, len);
    }
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

void bench_header(int argc, char **argv)
{
    time_t now = time(NULL);
    char date[32];
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    const char *commit = getenv("TAMIS_COMMIT");
    print_cpu_name();
    static tms_gpu_report gpus;
    tms_gpu_probe(&gpus);
    for (int i = 0; i < gpus.n_gpus; i++)
        printf("# gpu: %s, driver for CUDA %d.%d\n", gpus.gpus[i].name, gpus.driver_version / 1000,
               gpus.driver_version % 1000 / 10);
    printf("# date: %s  commit: %s  tamis %s\n# command:", date, commit ? commit : "unknown", tms_version());
    for (int i = 0; i < argc; i++)
        printf(" %s", i ? argv[i] : "tamis-bench");
    printf("\nwhat\tbackend\tn\tk\tm_bits\tns_per_key\tM_keys_per_s\tGB_per_s\tlimit_M_per_s\tpercent_of_limit\tnote\n");
}

void bench_print(const struct bench_row *r)
{
    double rate = (double)r->n / r->seconds;
    printf("%s\t%s\t%zu\t%u\t%llu\t%.4g\t%.5g\t%.4g\t", r->what, r->backend, r->n, r->k, (unsigned long long)r->m_bits,
           1e9 / rate, rate / 1e6, rate * r->bytes_per_key / 1e9);
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
