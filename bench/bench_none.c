/* bench_none.c - the parts that need a GPU, in a build without CUDA: they say so. */
#include <stdio.h>

#include "bench.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static int no_gpu(const char *part)
{
    fprintf(stderr, "tamis-bench: %s needs a GPU, and this program was built without CUDA\n", part);
    return 5;
}

int bench_gpu(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_host(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_classic(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_rows(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_bank(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_words(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_sieve(int argc, char **argv) { return no_gpu(argv[0]); }
int bench_rates(int argc, char **argv) { return no_gpu(argv[0]); }

/* Of a context with a GPU, and there is none. */
double bench_copies_alone(tms_context *ctx, const tms_keys *keys, void *answers, size_t answer_size) { return 0; }
tms_keys bench_device_alloc(const tms_keys *keys) { return *keys; }
void bench_device_copy(tms_context *ctx, tms_keys *d_keys, const tms_keys *keys) {}
void bench_device_free(tms_keys *d_keys) {}
