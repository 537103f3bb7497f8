/* figure_parts.c - see figure_parts.h: texts for sizes, series by title, titles, axes, and the key. */
#include "figures/figure_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"

const char *figure_count(double n, char text[FIGURE_WORD]) { return chart_count(n, text, FIGURE_WORD); }

static const char *scaled(double value, const char *const units[], char text[FIGURE_WORD])
{
    int i = 0;

    for (; value >= 1024 && units[i + 1] != NULL; i++)
        value /= 1024;
    snprintf(text, FIGURE_WORD, "%.4g %s", value, units[i]);
    return text;
}

const char *figure_bits(double m_bits, char text[FIGURE_WORD])
{
    static const char *const units[] = {"bit", "Kbit", "Mbit", "Gbit", NULL};

    return scaled(m_bits, units, text);
}

const char *figure_bytes(double bytes, char text[FIGURE_WORD])
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", NULL};

    return scaled(bytes, units, text);
}

chart_series *figure_series(chart *c, chart_how how, int look, const char *format, ...)
{
    char title[CHART_NAME];
    chart_series *s;
    va_list args;

    va_start(args, format);
    vsnprintf(title, sizeof title, format, args);
    va_end(args);
    s = chart_find(c, how, title);
    if (s != NULL)
        s->look = look;
    return s;
}

/* Appends a note, without the details that begin with ", driver". Returns the number of bytes written. */
static size_t put_note(const model_table *t, const char *name, const char *before, char *text, size_t size)
{
    const char *note = model_table_note(t, name);
    size_t n = 0, length;

    if (note == NULL || size < 2)
        return 0;
    length = strstr(note, ", driver") != NULL ? (size_t)(strstr(note, ", driver") - note) : strlen(note);
    n = (size_t)snprintf(text, size, "%s", before);
    for (size_t i = 0; i < length && n + 2 < size; i++) {
        if (note[i] == ' ' && note[i + 1] == ' ')
            text[n++] = ',';
        else
            text[n++] = note[i];
    }
    text[n] = '\0';
    return n;
}

void figure_title(chart *c, const model_table *t, const char *format, ...)
{
    va_list args;
    size_t n;

    va_start(args, format);
    vsnprintf(c->title, sizeof c->title, format, args);
    va_end(args);
    n = put_note(t, "gpu", "", c->subtitle, sizeof c->subtitle);
    if (n == 0 || (t->n_rows > 0 && model_table_text(t, 0, "backend") != NULL)) /* tables with a column backend measured both */
        n += put_note(t, "cpu", n > 0 ? ", " : "", c->subtitle + n, sizeof c->subtitle - n);
    put_note(t, "date", n > 0 ? ", " : "", c->subtitle + n, sizeof c->subtitle - n);
}

void figure_axes(chart *c, const char *x, const char *y)
{
    snprintf(c->x_label, sizeof c->x_label, "%s", x);
    snprintf(c->y_label, sizeof c->y_label, "%s", y);
}

void figure_key_line(chart *c, int dash, const char *title)
{
    chart_series *s = figure_series(c, CHART_LINE, CHART_GREY, "%s", title);

    if (s != NULL)
        s->dash = dash;
}

void figure_shorten_key(chart *c)
{
    int has[2] = {0, 0};

    for (size_t i = 0; i < c->n_series; i++) {
        if (c->series[i].how != CHART_LINE)
            continue;
        has[c->series[i].dash == 1] = 1;
        c->series[i].title[0] = '\0';
        chart_sort(&c->series[i]);
    }
    if (has[0])
        figure_key_line(c, 0, "predicted");
    if (has[1])
        figure_key_line(c, 1, "predicted, the papers' form");
}

size_t figure_runs(const figure_inputs *in, figure_want *want, chart *c, figure_run **runs)
{
    size_t n = 0, capacity = 0;
    figure_run run;

    *runs = NULL;
    for (size_t i = 0; i < in->n_tables; i++) {
        for (size_t row = 0; row < in->tables[i]->n_rows; row++) {
            if (!figure_run_read(in->tables[i], row, &run) || !want(&run, in->figure) || (n > 0 && run.is_sweep != (*runs)->is_sweep))
                continue;
            if (in->data->profile != NULL && figure_run_predict(&run, in->data->ctx, in->data->profile))
                in->data->n_predicted++;
            else
                in->data->n_not_predicted++;
            if (!array_reserve(runs, &capacity, n + 1, sizeof run)) {
                c->no_memory = 1;
                return n;
            }
            (*runs)[n++] = run;
        }
    }
    return n;
}
