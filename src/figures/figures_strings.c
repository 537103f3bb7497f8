/*
 * figures_strings.c - filters of strings: [Ong13, Figs. 2, 5, 8, 9] and [thesis, Figs. 13 to 15], from tables of tamis-bench with the
 * columns what and backend.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure_parts.h"

/* Parses "threads x16 plain", or "openmp x16 plain" in older tables. Returns the text after the number, or NULL. */
static const char *after_threads(const char *backend, int *n_threads)
{
    const char *rest = strncmp(backend, "threads x", 9) == 0 ? backend + 9 : strncmp(backend, "openmp x", 8) == 0 ? backend + 8 : NULL;
    char *end;

    if (rest == NULL)
        return NULL;
    *n_threads = (int)strtol(rest, &end, 10);
    return end + strspn(end, " ");
}

/* ---- Ong ------------------------------------------------------------------------------------------------------------------------ */

enum { SERIAL, THREADS, CUDA, N_BACKENDS };

static int backend_of(const char *backend, int *n_threads)
{
    if (strcmp(backend, "serial") == 0)
        return SERIAL;
    if (after_threads(backend, n_threads) != NULL)
        return THREADS;
    return strcmp(backend, "cuda") == 0 ? CUDA : N_BACKENDS;
}

enum { MAX_SIZES = 16 };

typedef struct ong_times {
    double n[MAX_SIZES], seconds[MAX_SIZES][N_BACKENDS];
    int n_sizes, n_threads, has[N_BACKENDS];
    const model_table *table;
} ong_times;

/* Reads the rows of one experiment: "ong" has the paper's parameters, "defaults" those of tamis for the same task. */
static void read_ong(const figure_inputs *in, const char *experiment, ong_times *times)
{
    memset(times, 0, sizeof *times);
    for (size_t i = 0; i < in->n_tables; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *what = model_table_text(t, row, "what"), *name = model_table_text(t, row, "backend");
            int backend, at = 0;
            double n;
            if (what == NULL || name == NULL || strcmp(what, experiment) != 0)
                continue;
            backend = backend_of(name, &times->n_threads);
            n = model_table_number(t, row, "n");
            while (at < times->n_sizes && times->n[at] != n)
                at++;
            if (backend == N_BACKENDS || !isfinite(n) || at == MAX_SIZES)
                continue;
            if (at == times->n_sizes) {
                times->n[times->n_sizes++] = n;
                for (int b = 0; b < N_BACKENDS; b++)
                    times->seconds[at][b] = NAN;
            }
            times->seconds[at][backend] = n * model_table_number(t, row, "ns_per_key") * 1e-9;
            times->has[backend] = 1;
            times->table = t;
        }
    }
}

static void backend_name(int backend, int n_threads, char text[FIGURE_WORD])
{
    if (backend == THREADS)
        snprintf(text, FIGURE_WORD, "%d threads", n_threads);
    else
        snprintf(text, FIGURE_WORD, "%s", backend == SERIAL ? "serial" : "CUDA");
}

static void add_times(chart *c, const ong_times *times, int backend, const char *how, int is_own)
{
    char name[FIGURE_WORD];
    chart_series *s;

    if (!times->has[backend])
        return;
    backend_name(backend, times->n_threads, name);
    s = figure_series(c, CHART_LINE_POINTS, backend, "%s, %s", name, how);
    if (s == NULL)
        return;
    s->hollow = is_own;
    s->dash = is_own;
    for (int i = 0; i < times->n_sizes; i++)
        chart_put(c, s, times->n[i], times->seconds[i][backend], NAN, NAN);
    chart_sort(s);
}

static void add_speedup(chart *c, const ong_times *times, int fast, int slow)
{
    char name[FIGURE_WORD];
    chart_series *s;

    backend_name(slow, times->n_threads, name);
    s = figure_series(c, CHART_LINE_POINTS, 3, "speed-up against %s (right)", name);
    if (s == NULL)
        return;
    s->on_y2 = 1;
    s->dash = 3;
    for (int i = 0; i < times->n_sizes; i++)
        chart_put(c, s, times->n[i], times->seconds[i][slow] / times->seconds[i][fast], NAN, NAN);
    chart_sort(s);
    snprintf(c->y2_label, sizeof c->y2_label, "times as fast");
}

/* Compares the figure's two back ends; Fig. 2 has only one. */
void figure_ong(const figure_inputs *in, chart *c)
{
    int figure = (int)in->figure->other, fast = figure == 5 ? THREADS : CUDA, slow = figure == 9 ? THREADS : SERIAL;
    ong_times papers, own;

    read_ong(in, "ong", &papers);
    read_ong(in, "defaults", &own);
    if (papers.table == NULL || !papers.has[slow] || (figure != 2 && !papers.has[fast]))
        return;
    add_times(c, &papers, slow, "AP hash, k = 500", 0);
    if (figure != 2)
        add_times(c, &papers, fast, "AP hash, k = 500", 0);
    add_times(c, &own, slow, "tamis's defaults", 1);
    if (figure != 2) {
        add_times(c, &own, fast, "tamis's defaults", 1);
        add_speedup(c, &papers, fast, slow);
    }
    figure_title(c, papers.table, "Insertion and search of n strings, false-positive rate 1/n   [Ong13, Fig. %d]", figure);
    figure_axes(c, "n, strings inserted and searched", "seconds, copies included");
    c->log_x = c->log_y = 10;
}

/* ---- thesis --------------------------------------------------------------------------------------------------------------------- */

/* "CUDA and copies" is a whole call, in tamis-bench thesis; tamis-bench rows measures kernels only. */
static void thesis_title(const char *backend, char title[CHART_NAME])
{
    int n_threads = 0;
    const char *rest = after_threads(backend, &n_threads);

    if (rest != NULL)
        snprintf(title, CHART_NAME, "%d threads%s%s", n_threads, rest[0] != '\0' ? ", " : "", rest);
    else if (strcmp(backend, "cuda") == 0 || strcmp(backend, "cuda plain") == 0 || strcmp(backend, "cuda geometric") == 0)
        snprintf(title, CHART_NAME, "CUDA and copies%s%s", backend[4] != '\0' ? ", " : "", backend[4] != '\0' ? backend + 5 : "");
    else if (strncmp(backend, "cuda", 4) == 0)
        snprintf(title, CHART_NAME, "CUDA kernel, %s", backend + 4 + strspn(backend + 4, " "));
    else
        snprintf(title, CHART_NAME, "%s", backend);
}

/* Serial, threads, CUDA and each kernel have their own colour and shape. */
static int look_of(const char *title, int n_kernels)
{
    if (strncmp(title, "serial", 6) == 0)
        return 0;
    if (strncmp(title, "CUDA and", 8) == 0)
        return 2;
    return strncmp(title, "CUDA", 4) == 0 ? 3 + n_kernels : 1;
}

static void add_thesis(const figure_inputs *in, chart *c, model_table *t, size_t row, int *n_kernels)
{
    const char *backend = model_table_text(t, row, "backend");
    double n = model_table_number(t, row, "n"), ns = model_table_number(t, row, "ns_per_key");
    char title[CHART_NAME];
    size_t before = c->n_series;
    chart_series *s;

    thesis_title(backend, title);
    s = chart_find(c, CHART_LINE_POINTS, title);
    if (s == NULL)
        return;
    if (c->n_series > before) {
        s->look = look_of(title, *n_kernels);
        *n_kernels += s->look >= 3;
        s->hollow = s->dash = strstr(title, "plain") != NULL;
    }
    if (in->figure->other == 14)
        chart_put(c, s, n * ns * model_table_number(t, row, "GB_per_s"), n * ns * 1e-9, NAN, NAN);
    else
        chart_put(c, s, model_table_number(t, row, "k"), ns, NAN, NAN);
    if (c->title[0] != '\0')
        return;
    if (in->figure->other == 13)
        figure_title(c, t, "Classical filter: insertion over k   [thesis, Fig. 13]");
    else if (in->figure->other == 14)
        figure_title(c, t, "Classical filter: insertion over the bytes of a batch, k = %.0f   [thesis, Fig. 14]",
                     model_table_number(t, row, "k"));
    else
        figure_title(c, t, "Probabilistic filter, p = 0.01: insertion over k   [thesis, Fig. 15]");
}

void figure_thesis(const figure_inputs *in, chart *c)
{
    int n_kernels = 0;

    for (size_t i = 0; i < in->n_tables; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *what = model_table_text(t, row, "what");
            if (what != NULL && model_table_text(t, row, "backend") != NULL && strcmp(what, in->figure->rows) == 0)
                add_thesis(in, c, t, row, &n_kernels);
        }
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    if (in->figure->other == 14)
        figure_axes(c, "bytes of keys in the batch, 1 to 150 letters and digits a key", "seconds a batch");
    else
        figure_axes(c, "k, hash functions", "nanoseconds a key");
    c->log_y = 10;
    c->log_x = in->figure->other == 13 ? 2 : in->figure->other == 14 ? 10 : 0;
}
