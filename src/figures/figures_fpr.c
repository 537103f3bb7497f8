/*
 * figures_fpr.c - [Ma11, Figs. 4 to 6]: false-positive rates on DNA.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/figure_parts.h"

enum { CURVE_POINTS = 96, MAX_CURVES = 8 };

/* Does a row belong to a figure? A row may belong to two: "4+5". */
static int is_of(const char *fig, const char *number) { return fig != NULL && strstr(fig, number) != NULL; }

/* Is the row's hash H3, as in the paper? Tables without the column have no other hash. */
static int is_h3(const model_table *t, size_t row)
{
    const char *hash = model_table_text(t, row, "hash");

    return hash == NULL || strcmp(hash, "h3") == 0;
}

static double number_of(model_table *t, size_t row, const char *column, const char *other)
{
    return model_table_number(t, row, model_table_text(t, row, other) != NULL ? other : column);
}

typedef struct fpr_curves {
    double value[MAX_CURVES]; /* m (Fig. 4) or k (Fig. 5) */
    double m_bits[MAX_CURVES], k[MAX_CURVES];
    int n;
    double n_low, n_high;
} fpr_curves;

static int find_curve(fpr_curves *curves, double m_bits, double k)
{
    int i = 0;

    while (i < curves->n && (curves->m_bits[i] != m_bits || curves->k[i] != k))
        i++;
    if (i == curves->n && i < MAX_CURVES) {
        curves->m_bits[i] = m_bits;
        curves->k[i] = k;
        curves->n++;
    }
    return i;
}

static void add_point(const figure_inputs *in, model_table *t, size_t row, fpr_curves *curves, chart *c)
{
    double m_bits = model_table_number(t, row, "m_bits"), k = model_table_number(t, row, "k"), n = model_table_number(t, row, "n");
    int i = find_curve(curves, m_bits, k);
    char word[FIGURE_WORD];
    chart_series *s;

    if (i == MAX_CURVES) {
        c->too_many = 1;
        return;
    }
    if (in->figure->other == 4)
        s = figure_series(c, CHART_POINTS, i, "m = %s, measured", figure_bits(m_bits, word));
    else
        s = figure_series(c, CHART_POINTS, i, "k = %.0f, measured", k);
    chart_put(c, s, n, number_of(t, row, "fpr_measured", "mean_fpr"), model_table_number_if(t, row, "ci_low"),
              model_table_number_if(t, row, "ci_high"));
    curves->n_low = fmin(curves->n_low, n);
    curves->n_high = fmax(curves->n_high, n);
}

static void add_distinct(model_table *t, size_t row, fpr_curves *curves, chart *c)
{
    int i = find_curve(curves, model_table_number(t, row, "m_bits"), model_table_number(t, row, "k"));
    double y = model_table_number_if(t, row, "fpr_eq2_distinct");
    char key[FIGURE_WORD];
    chart_series *s;

    if (!isfinite(y) || i >= MAX_CURVES)
        return;
    snprintf(key, sizeof key, "distinct %d", i);
    s = figure_series(c, CHART_LINE, i, "%s", key);
    if (s != NULL)
        s->dash = 1;
    chart_put(c, s, model_table_number(t, row, "n"), y, NAN, NAN);
}

/* [Ma11, eq. 2] */
static void add_theory(const fpr_curves *curves, chart *c)
{
    for (int i = 0; i < curves->n; i++) {
        chart_series *s = chart_add(c, CHART_LINE, "");
        if (s != NULL)
            s->look = i;
        for (int p = 0; p <= CURVE_POINTS; p++) {
            double n = curves->n_low * pow(curves->n_high / curves->n_low, (double)p / CURVE_POINTS);
            chart_put(c, s, n, model_fpr(curves->m_bits[i], curves->k[i], n), NAN, NAN);
        }
    }
}

void figure_fpr(const figure_inputs *in, chart *c)
{
    const model_table *drawn = NULL;
    fpr_curves curves = {.n_low = INFINITY};
    int has_distinct = 0;

    for (size_t i = 0; i < in->n_tables && drawn == NULL; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            if (model_table_text(t, row, "m_bits") == NULL || !is_of(model_table_text(t, row, "fig"), in->figure->rows) || !is_h3(t, row))
                continue;
            drawn = t;
            add_point(in, t, row, &curves, c);
            add_distinct(t, row, &curves, c);
        }
    }
    if (drawn == NULL || curves.n == 0)
        return;
    add_theory(&curves, c);
    for (size_t i = 0; i < c->n_series; i++) {
        chart_series *s = &c->series[i];
        if (strncmp(s->title, "distinct", 8) == 0) {
            s->title[0] = '\0';
            has_distinct = 1;
            chart_sort(s);
        }
    }
    figure_title(c, drawn, "False-positive rate on DNA over %s   [Ma11, Fig. %.0f]",
                 in->figure->other == 4 ? "n and m, k = 6" : "n and k, m = 256 Kbit", in->figure->other);
    figure_axes(c, "n, w-mers in a sub-query", "false-positive rate (mean over sub-queries, 95 %)");
    c->log_x = c->log_y = 10;
    c->x_thousands = 1;
    figure_key_line(c, 0, "eq. 2, all n w-mers");
    if (has_distinct)
        figure_key_line(c, 1, "eq. 2, the different ones of them");
}

/* ---- Fig. 6 -------------------------------------------------------------------------------------------------------------------- */

static const char *prediction_title(const char *prediction)
{
    if (prediction == NULL || strcmp(prediction, "nominal") == 0)
        return "eq. 2, all n w-mers";
    return strcmp(prediction, "distinct") == 0 ? "eq. 2, the different ones of them" : prediction;
}

void figure_fpr_errors(const figure_inputs *in, chart *c)
{
    for (size_t i = 0; i < in->n_tables && c->n_series == 0; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            const char *prediction = model_table_text(t, row, "prediction");
            double from, to;
            chart_series *s;
            if (model_table_text(t, row, "error_from") == NULL || !is_h3(t, row))
                continue;
            from = model_table_number(t, row, "error_from");
            to = model_table_number(t, row, "error_to");
            s = figure_series(c,
                              c->n_series == 0 || strcmp(c->series[0].title, prediction_title(prediction)) == 0 ? CHART_BOXES : CHART_STEPS,
                              0, "%s", prediction_title(prediction));
            if (s == NULL)
                return;
            s->look = s->how == CHART_BOXES ? CHART_GREY : 0;
            chart_put(c, s, 50 * (from + to), model_table_number(t, row, "percent"), NAN, NAN);
            c->box_width = 100 * (to - from);
            if (c->title[0] == '\0')
                figure_title(c, t, "Relative error of the predicted false-positive rate on DNA   [Ma11, Fig. 6]");
        }
    }
    figure_axes(c, "(measured − predicted) / predicted, percent; the outer bins hold all beyond", "percent of the sub-queries");
    c->y_from_zero = 1;
}
