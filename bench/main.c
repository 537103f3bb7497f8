/* main.c - tamis-bench: one program, one part per question. */
#include <stdlib.h>
#include <string.h>

#include "bench.h"

static const struct part {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *help;
} parts[] = {
    {"cpu", bench_cpu, "[N]      20-byte strings, blocked filter, against XXH3 alone (default 1e7)"},
#if TMS_WITH_CUDA
    {"gpu", bench_gpu, "[--sweep] keys in device memory, against the random-access limits"},
    {"classic", bench_classic, "     GPU schedules of the classic layout over k"},
    {"host", bench_host, "[N]     keys in host memory, copies included, against the copies alone"},
#endif
    {"ong", bench_ong, "[MAX_N]  [Ong13]: AP hash, k = 500, fpp = 1/n: serial, OpenMP, CUDA"},
    {"keys", bench_keys, "N [SEED] print N random words of 4 to 20 letters"},
};
#define N_PARTS (sizeof parts / sizeof *parts)

int main(int argc, char **argv)
{
    for (size_t i = 0; argc > 1 && i < N_PARTS; i++)
        if (strcmp(argv[1], parts[i].name) == 0) {
            if (strcmp(argv[1], "keys") != 0)
                bench_header(argc, argv);
            return parts[i].run(argc - 1, argv + 1);
        }
    fprintf(stderr, "usage: tamis-bench PART [OPTIONS]\n\n");
    for (size_t i = 0; i < N_PARTS; i++)
        fprintf(stderr, "  %-7s %s\n", parts[i].name, parts[i].help);
    return argc > 1 ? 2 : 0;
}
