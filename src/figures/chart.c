#include "figures/chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

enum { N_LOOKS = 10, GREY_SHAPE = 7 };

/* Dark to light and back, so that neighbours also differ in black and white. Shapes: gnuplot's numbers, filled and hollow. */
static const struct {
    const char *colour;
    int filled, hollow;
} looks[N_LOOKS] = {{"#111111", 7, 6},   {"#d95f02", 5, 4}, {"#1b7837", 9, 8}, {"#7570b3", 13, 12}, {"#1f78b4", 11, 10},
                    {"#e7298a", 15, 14}, {"#8c510a", 2, 2}, {"#4d9221", 1, 1}, {"#525252", 3, 3},   {"#b8860b", 6, 6}};
static const char grey[] = "#666666";

void chart_init(chart *c) { memset(c, 0, sizeof *c); }

void chart_free(chart *c)
{
    for (size_t i = 0; i < c->n_series; i++)
        free(c->series[i].points);
    chart_init(c);
}

int chart_failed(const chart *c) { return c->no_memory || c->too_many; }

chart_series *chart_add(chart *c, chart_how how, const char *title)
{
    chart_series *s;

    if (c->n_series == CHART_SERIES) {
        c->too_many = 1;
        return NULL;
    }
    s = &c->series[c->n_series++];
    memset(s, 0, sizeof *s);
    s->how = how;
    snprintf(s->title, sizeof s->title, "%s", title);
    return s;
}

chart_series *chart_find(chart *c, chart_how how, const char *title)
{
    for (size_t i = 0; i < c->n_series; i++) {
        if (c->series[i].how == how && strcmp(c->series[i].title, title) == 0)
            return &c->series[i];
    }
    return chart_add(c, how, title);
}

chart_point *chart_put(chart *c, chart_series *s, double x, double y, double low, double high)
{
    if (s == NULL || !isfinite(x) || !isfinite(y))
        return NULL;
    if (!array_reserve(&s->points, &s->capacity, s->n + 1, sizeof *s->points)) {
        c->no_memory = 1;
        return NULL;
    }
    s->points[s->n] = (chart_point){.x = x, .y = y, .low = low, .high = high};
    return &s->points[s->n++];
}

static int by_x(const void *a, const void *b)
{
    const chart_point *p = a, *q = b;

    return p->x < q->x ? -1 : p->x > q->x;
}

void chart_sort(chart_series *s)
{
    if (s != NULL && s->n > 0)
        qsort(s->points, s->n, sizeof *s->points, by_x);
}

const char *chart_count(double n, char *text, size_t size)
{
    char digits[CHART_LABEL];
    size_t length, at = 0;

    if (!(n >= 0 && n < 1e15)) {
        snprintf(text, size, "%.6g", n);
        return text;
    }
    length = (size_t)snprintf(digits, sizeof digits, "%.0f", n);
    for (size_t i = 0; i < length && at + 2 < size; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = '\0';
    return text;
}

/* ---- gnuplot ------------------------------------------------------------------------------------------------------------------- */

/* Writes text in single quotes, with gnuplot's markup characters escaped. Control characters become '?'. */
static void put_text(FILE *to, const char *text)
{
    fputc('\'', to);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'')
            fputs("''", to);
        else if (strchr("\\_^{}@&~", *c) != NULL)
            fprintf(to, "\\%c", *c);
        else if ((unsigned char)*c < ' ' || *c == 0x7f)
            fputc('?', to);
        else
            fputc(*c, to);
    }
    fputc('\'', to);
}

static void put_line(FILE *to, const char *before, const char *text, const char *after)
{
    fputs(before, to);
    put_text(to, text);
    fputs(after, to);
}

/* The end of an interval, which must be above 0 on a logarithmic axis. */
static double end_of(const chart *c, double end, double y) { return c->log_y && end <= 0 ? y * 1e-6 : end; }

static void put_data(const chart *c, const chart_series *s, size_t i, FILE *to)
{
    fprintf(to, "$d%zu << EOD\n", i);
    for (size_t p = 0; p < s->n; p++) {
        const chart_point *point = &s->points[p];
        int known = isfinite(point->low) && isfinite(point->high);
        fprintf(to, "%.9g %.9g %.9g %.9g \"%s\"\n", point->x, point->y, known ? end_of(c, point->low, point->y) : point->y,
                known ? point->high : point->y, point->label);
    }
    fputs("EOD\n", to);
}

static void find_range(const chart *c, double *lowest, double *highest)
{
    *lowest = INFINITY;
    *highest = 0;
    for (size_t i = 0; i < c->n_series; i++) {
        for (size_t p = 0; p < c->series[i].n; p++) {
            *lowest = fmin(*lowest, c->series[i].points[p].x);
            *highest = fmax(*highest, c->series[i].points[p].x);
        }
    }
}

/* Ticks like "50,000", for which gnuplot itself needs a locale. On a logarithmic axis 1, 2, 5, 10, ...; on a linear one at most ten. */
static void put_count_ticks(const chart *c, FILE *to)
{
    static const int steps[] = {1, 2, 5};
    double lowest, highest, every = 1;
    const char *comma = "";
    char text[2 * CHART_LABEL];

    find_range(c, &lowest, &highest);
    if (!(lowest > 0) || !(highest < 1e15))
        return;
    while (!c->log_x && highest / every > 10)
        every *= highest / every > 50 ? 10 : highest / every > 20 ? 5 : 2;
    fputs("set xtics (", to);
    for (int i = 0; i < 48; i++) {
        double at = c->log_x ? pow(10, i / 3) * steps[i % 3] : every * i;
        if (at > highest * 1.3)
            break;
        if (c->log_x && at < lowest / 1.3)
            continue;
        fprintf(to, "%s\"%s\" %.0f", comma, chart_count(at, text, sizeof text), at);
        comma = ", ";
    }
    fputs(")\n", to);
}

/* Ticks at powers of 2, like "64 KiB". */
static void put_byte_ticks(const chart *c, FILE *to)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double lowest, highest;
    int first, last, step;

    find_range(c, &lowest, &highest);
    if (!(lowest > 0) || !(highest < 0x1p49))
        return;
    first = (int)fmax(0, floor(log2(lowest)));
    last = (int)ceil(log2(highest));
    step = last - first > 12 ? 2 : 1;
    fputs("set xtics (", to);
    for (int power = first; power <= last; power += step)
        fprintf(to, "%s'%d %s' %.0f", power > first ? ", " : "", 1 << power % 10, units[power / 10], ldexp(1, power));
    fputs(") rotate by -45\n", to);
}

static double highest_y2(const chart *c)
{
    double highest = 0;

    for (size_t i = 0; i < c->n_series; i++) {
        for (size_t p = 0; p < c->series[i].n && c->series[i].on_y2; p++)
            highest = fmax(highest, c->series[i].points[p].y);
    }
    return highest > 0 ? highest : 1;
}

static void put_axes(const chart *c, FILE *to)
{
    put_line(to, "set xlabel ", c->x_label, "\n");
    put_line(to, "set ylabel ", c->y_label, "\n");
    if (c->log_x)
        fprintf(to, "set logscale x %d\n", c->log_x);
    if (c->log_y)
        fprintf(to, "set logscale y %d\nset ytics format '%s'\n", c->log_y, c->log_y == 10 ? "10^{%L}" : "%g");
    if (c->log_x == 10 && !c->x_bytes && !c->x_thousands)
        fputs("set xtics format '10^{%L}'\n", to);
    if (c->x_thousands)
        put_count_ticks(c, to);
    if (c->x_bytes)
        put_byte_ticks(c, to);
    fputs("set autoscale noextend\nset offsets graph 0.03, graph 0.03, graph 0.05, graph 0.03\n", to);
    if (c->y_from_zero)
        fprintf(to, "set yrange [0:*]\nset offsets graph 0.03, graph %s, graph 0.05, 0\n", c->has_labels ? "0.1" : "0.03");
    else if (c->has_labels)
        fputs("set offsets graph 0.03, graph 0.13, graph 0.05, graph 0.03\n", to);
    if (c->y_ratio)
        fputs("set ytics (0.25, 0.5, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.5, 2, 3, 4, 6, 8, 12, 16, 32)\n", to);
    if (c->y_high > 0)
        fprintf(to, "set yrange [%s:%.9g]\n", c->y_from_zero ? "0" : "*", c->y_high);
    if (c->y2_label[0] != '\0') {
        put_line(to, "set y2label ", c->y2_label, "\n");
        fprintf(to, "set y2tics\nset ytics nomirror\nset y2range [0:%.9g]\n", 1.08 * highest_y2(c));
    }
}

static int has_intervals(const chart_series *s)
{
    for (size_t p = 0; p < s->n; p++) {
        if (isfinite(s->points[p].low) && isfinite(s->points[p].high))
            return s->how == CHART_POINTS || s->how == CHART_LINE_POINTS;
    }
    return 0;
}

static int shape_of(const chart_series *s)
{
    if (s->look < 0)
        return s->hollow ? GREY_SHAPE - 1 : GREY_SHAPE;
    return s->hollow ? looks[s->look % N_LOOKS].hollow : looks[s->look % N_LOOKS].filled;
}

/* bars: draw the intervals of points. */
static void put_style(const chart_series *s, int bars, FILE *to)
{
    static const char *const dashes[] = {"1", "(9, 5)", "(3, 4)", "(12, 4, 3, 4)"};
    const char *colour = s->look < 0 ? grey : looks[s->look % N_LOOKS].colour;
    const char *dash = dashes[s->dash >= 0 && s->dash < 4 ? s->dash : 0];

    switch (s->how) {
    case CHART_LINE:
        fprintf(to, "with lines lc rgb '%s' lw 1.6 dt %s", colour, dash);
        break;
    case CHART_LINE_POINTS:
        fprintf(to, "with %s lc rgb '%s' lw 1.2 dt %s pt %d ps %g", bars ? "yerrorlines" : "linespoints", colour, dash, shape_of(s),
                s->size > 0 ? s->size : 0.8);
        break;
    case CHART_POINTS:
        fprintf(to, "with %s lc rgb '%s' lw 1.2 pt %d ps %g", bars ? "yerrorbars" : "points", colour, shape_of(s),
                s->size > 0 ? s->size : 0.8);
        break;
    case CHART_BOXES:
        fprintf(to, "with boxes lc rgb '%s' fs solid 0.45 noborder", colour);
        break;
    case CHART_STEPS:
        fprintf(to, "with histeps lc rgb '%s' lw 1.8 dt %s", colour, dash);
        break;
    case CHART_STACK:
        fprintf(to, "with histograms fs %s lc rgb '%s'", s->hollow ? "pattern 2" : "solid 0.8", colour);
        break;
    }
    fputs(s->on_y2 ? " axes x1y2" : "", to);
}

static int has_labels(const chart_series *s)
{
    for (size_t p = 0; p < s->n; p++) {
        if (s->points[p].label[0] != '\0')
            return s->how != CHART_STACK;
    }
    return 0;
}

static void put_series(const chart_series *s, size_t i, int is_first, FILE *to)
{
    int bars = has_intervals(s);

    fputs(is_first ? "plot " : ", \\\n     ", to);
    if (s->n == 0)
        fputs("keyentry ", to);
    else
        fprintf(to, s->how == CHART_STACK ? "$d%zu using 2:xticlabels(5) " : bars ? "$d%zu using 1:2:3:4 " : "$d%zu using 1:2 ", i);
    put_style(s, bars, to);
    if (s->title[0] != '\0')
        put_line(to, " title ", s->title, "");
    else
        fputs(" notitle", to);
    if (has_labels(s))
        fprintf(to, ", \\\n     $d%zu using 1:2:5 with labels left offset 0.8, 0.5 font ',11' notitle", i);
}

/* Columns of the key, at most 3. gnuplot uses fewer for long titles: in SVG it assumes characters 7.2 wide, in a picture 900 wide. */
static size_t key_columns(size_t longest)
{
    size_t columns = (size_t)(810 / (7.2 * (double)longest + 75));

    return columns > 3 ? 3 : columns > 0 ? columns : 1;
}

/* Whether the names of stacked columns are too long to be written side by side. */
static int has_long_ticks(const chart *c)
{
    enum { MOST = 90 }; /* characters in a picture */
    const chart_series *s = &c->series[0];
    size_t longest = 0;

    for (size_t p = 0; c->n_series > 0 && s->how == CHART_STACK && p < s->n; p++)
        longest = strlen(s->points[p].label) > longest ? strlen(s->points[p].label) : longest;
    return longest > 0 && (longest + 1) * s->n > MOST;
}

/* Puts the key below the chart, and reserves room for it: gnuplot's own estimate is too small for several rows. */
static void put_key(const chart *c, FILE *to)
{
    size_t n = 0, longest = 0, columns, rows;

    for (size_t i = 0; i < c->n_series; i++) {
        size_t length = strlen(c->series[i].title);
        n += length > 0;
        longest = length > longest ? length : longest;
    }
    columns = key_columns(longest);
    rows = (n + columns - 1) / columns;
    fprintf(to,
            "set key at screen 0.5, 0.015 bottom center horizontal Left reverse samplen 2.5 spacing 1.15 width 1 font ',12' maxrows %zu\n",
            rows > 0 ? rows : 1);
    fprintf(to, "set bmargin %g\n", c->is_small ? 3 : 4.6 + 1.25 * (double)rows + (c->x_bytes || has_long_ticks(c) ? 2.2 : 0));
}

void chart_write(const chart *c, chart_format format, FILE *to)
{
    if (format == CHART_SVG)
        fprintf(to, "set terminal svg size %s dynamic enhanced font 'sans-serif,14' background '#ffffff' linewidth 1.2\n",
                c->is_small ? "480, 360" : "900, 600");
    else
        fputs(
            "set terminal pngcairo size 1350, 900 enhanced font 'Sans,14' fontscale 1.1 background '#ffffff' linewidth 1.8 pointscale 1.4\n",
            to);
    fputs("set encoding utf8\n"
          "set grid xtics ytics lc rgb '#cccccc' lw 0.7 dt 1\n"
          "set border lw 1\n"
          "set bars 0.6\n"
          "set tmargin 4.5\n",
          to);
    if (c->is_small)
        fputs("set tmargin 3\nunset key\n", to);
    put_line(to, "set title ", c->title, " offset 0, 1.1 font ',16'\n");
    put_line(to, "set label 1 ", c->subtitle, " at graph 0.5, 1.03 center font ',11'\n");
    put_axes(c, to);
    put_key(c, to);
    if (c->box_width > 0)
        fprintf(to, "set boxwidth %.9g\n", c->box_width);
    if (c->n_series > 0 && c->series[0].how == CHART_STACK)
        fputs("set style histogram rowstacked\nset boxwidth 0.6\nset offsets 0, 0, graph 0.05, 0\n", to);
    if (has_long_ticks(c))
        fputs("set xtics rotate by 20 right\n", to);
    for (size_t i = 0; i < c->n_series; i++) {
        if (c->series[i].n > 0)
            put_data(c, &c->series[i], i, to);
    }
    for (size_t i = 0; i < c->n_series; i++)
        put_series(&c->series[i], i, i == 0, to);
    fputc('\n', to);
}
