/*
 * figures_blastn.c - the stages of Mercury BLASTN [Ma11, Fig. 1] in tamis blastn, from tables of bench/blastn_profile.sh; and all of them
 * behind a bank of filters, from tables of tamis-bench blastn.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figures/figure_parts.h"

static int is_row(const model_table *t, size_t row, const char *what)
{
    const char *text = model_table_text(t, row, "what");

    return text != NULL && strcmp(text, what) == 0;
}

/* "25 kb", "4.64 Mb" */
static const char *bases_text(double n, char text[FIGURE_WORD])
{
    if (n < 1e6)
        snprintf(text, FIGURE_WORD, "%.3g kb", n / 1e3);
    else
        snprintf(text, FIGURE_WORD, "%.3g Mb", n / 1e6);
    return text;
}

/* ---- where the time goes ------------------------------------------------------------------------------------------------------- */

/* Adds the share of one stage to each column, which is a row of the table. A star marks columns of a GPU. */
static void add_layer(model_table *t, const char *column, chart_series *s, chart *c)
{
    double x = 0;

    for (size_t row = 0; row < t->n_rows; row++) {
        char word[FIGURE_WORD];
        const char *task, *device;
        chart_point *p;
        if (!is_row(t, row, "stages"))
            continue;
        task = model_table_text(t, row, "task");
        device = model_table_text(t, row, "device");
        p = chart_put(c, s, x++, 100 * model_table_number(t, row, column), NAN, NAN);
        if (p != NULL && task != NULL)
            snprintf(p->label, sizeof p->label, "%.12s %.7s%s", task, bases_text(model_table_number(t, row, "query_bases"), word),
                     device != NULL && strcmp(device, "cpu") != 0 ? "*" : "");
    }
}

void figure_stages(const figure_inputs *in, chart *c)
{
    static const struct {
        const char *column, *title;
        int look;
    } stages[] = {{"tables", "tables of words", CHART_GREY},
                  {"1a", "1a, filter", 0},
                  {"1b", "1b, look-up", 1},
                  {"2", "2, ungapped extension", 2},
                  {"3", "3, gapped extension", 3},
                  {"alignment", "alignment with traceback", 4},
                  {"output", "output", 5}};

    for (size_t i = 0; i < in->n_tables && c->n_series == 0; i++) {
        model_table *t = in->tables[i];
        size_t row = 0;
        while (row < t->n_rows && !is_row(t, row, "stages"))
            row++;
        for (size_t stage = 0; stage < sizeof stages / sizeof *stages && row < t->n_rows; stage++) {
            chart_series *s = figure_series(c, CHART_STACK, stages[stage].look, "%s", stages[stage].title);
            if (s == NULL)
                return;
            s->hollow = (int)(stage % 2);
            add_layer(t, stages[stage].column, s, c);
        }
        if (c->n_series > 0)
            figure_title(c, t, "Stages of tamis blastn over the size of the query   [Ma11, Fig. 1]");
    }
    figure_axes(c, "task and size of the query", "percent of the time of all threads");
    c->y_from_zero = 1;
    c->y_high = 100;
}

/* ---- what the filter passes ---------------------------------------------------------------------------------------------------- */

void figure_candidates(const figure_inputs *in, chart *c)
{
    for (size_t i = 0; i < in->n_tables && c->n_series == 0; i++) {
        model_table *t = in->tables[i];
        for (size_t row = 0; row < t->n_rows; row++) {
            chart_series *measured, *predicted, *words;
            double m_bits, tests;
            if (!is_row(t, row, "filter"))
                continue;
            m_bits = model_table_number(t, row, "m_bits") / 1024;
            tests = model_table_number(t, row, "tests");
            predicted = figure_series(c, CHART_LINE, 0, "eq. 2, for the different w-mers, and the true words");
            measured = figure_series(c, CHART_POINTS, 0, "candidates, which the filters pass to stage 1b");
            words = figure_series(c, CHART_LINE_POINTS, 1, "true words, which stage 1b passes to stage 2");
            chart_put(c, predicted, m_bits, model_table_number(t, row, "candidates_predicted") / tests, NAN, NAN);
            chart_put(c, measured, m_bits, model_table_number(t, row, "candidates") / tests, NAN, NAN);
            chart_put(c, words, m_bits, model_table_number(t, row, "true") / tests, NAN, NAN);
            if (c->title[0] == '\0')
                figure_title(c, t, "What stage 1a passes over m, sub-queries of %.0f w-mers, k = %.0f   [Ma11, eq. 2]",
                             model_table_number(t, row, "sub_query"), model_table_number(t, row, "k"));
        }
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    figure_axes(c, "m, Kbit of a filter", "share of the pairs of a w-mer and a sub-query");
    c->log_x = 2;
    c->log_y = 10;
}

/* ---- all stages behind a bank of filters --------------------------------------------------------------------------------------- */

/* Adds the throughput with the bitmap, which depends on neither blocks nor sub-queries, as a line from x = 0 or `low` to `high`. */
static void add_bitmap(model_table *t, double low, double high, chart *c)
{
    chart_series *line = figure_series(c, CHART_LINE, CHART_GREY, "a bitmap of words as stage 1a, as tamis blastn has it");
    double sum = 0, n = 0;

    for (size_t row = 0; row < t->n_rows; row++) {
        if (!is_row(t, row, "bitmap"))
            continue;
        sum += model_table_number(t, row, "M_bases_per_s");
        n++;
    }
    chart_put(c, line, low, sum / n, NAN, NAN);
    chart_put(c, line, high, sum / n, NAN, NAN);
}

static model_table *table_with_bank(const figure_inputs *in)
{
    for (size_t i = 0; i < in->n_tables; i++)
        for (size_t row = 0; row < in->tables[i]->n_rows; row++) {
            if (is_row(in->tables[i], row, "bank"))
                return in->tables[i];
        }
    return NULL;
}

void figure_end_blocks(const figure_inputs *in, chart *c)
{
    model_table *t = table_with_bank(in);
    double most = 0;

    for (size_t row = 0, look = 0; t != NULL && row < t->n_rows; row++) {
        chart_series *s;
        const size_t n_before = c->n_series;
        double blocks;
        char word[FIGURE_WORD];
        if (!is_row(t, row, "bank"))
            continue;
        blocks = model_table_number(t, row, "blocks");
        s = figure_series(c, CHART_LINE_POINTS, (int)look, "bank, n = %s", figure_count(model_table_number(t, row, "n"), word));
        look += c->n_series > n_before;
        chart_put(c, s, blocks, model_table_number(t, row, "M_bases_per_s"), NAN, NAN);
        most = blocks > most ? blocks : most;
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    if (t == NULL)
        return;
    add_bitmap(t, 0, most, c);
    figure_title(c, t, "All of tamis blastn over requested blocks of stage 1a   [Ma11, IV]");
    figure_axes(c, "requested blocks (B_r)", "M bases of the database a second, to final HSPs");
    c->y_from_zero = 1;
}

void figure_end_sub_queries(const figure_inputs *in, chart *c)
{
    model_table *t = table_with_bank(in);
    double low = INFINITY, high = 0;

    for (size_t row = 0; t != NULL && row < t->n_rows; row++) {
        double n, tput;
        chart_series *best;
        size_t i = 0;
        if (!is_row(t, row, "bank"))
            continue;
        n = model_table_number(t, row, "n");
        tput = model_table_number(t, row, "M_bases_per_s");
        best = figure_series(c, CHART_LINE_POINTS, 0, "bank, at the best of the requested blocks");
        while (best != NULL && i < best->n && best->points[i].x != n)
            i++;
        if (best != NULL && i < best->n)
            best->points[i].y = fmax(best->points[i].y, tput);
        else
            chart_put(c, best, n, tput, NAN, NAN);
        low = fmin(low, n);
        high = fmax(high, n);
    }
    for (size_t i = 0; i < c->n_series; i++)
        chart_sort(&c->series[i]);
    if (t == NULL)
        return;
    add_bitmap(t, low, high, c);
    figure_title(c, t, "All of tamis blastn over the size of a sub-query in stage 1a   [Ma11, IV]");
    figure_axes(c, "n, words of a sub-query", "M bases of the database a second, to final HSPs");
    c->log_x = 10;
    c->x_thousands = 1;
    c->y_from_zero = 1;
}

void figure_end_passed(const figure_inputs *in, chart *c)
{
    model_table *t = table_with_bank(in);

    for (size_t row = 0; t != NULL && row < t->n_rows; row++) {
        chart_series *passed, *present, *pairs;
        double n, looked_up;
        if (!is_row(t, row, "bank"))
            continue;
        passed = figure_series(c, CHART_LINE_POINTS, 0, "words that a filter passes to stage 1b");
        present = figure_series(c, CHART_LINE_POINTS, 1, "words that stage 1b passes to stage 2");
        pairs = figure_series(c, CHART_LINE_POINTS, 2, "pairs of a word and a sub-query that pass, of all pairs");
        n = model_table_number(t, row, "n");
        looked_up = model_table_number(t, row, "looked_up");
        if (passed == NULL || (passed->n > 0 && passed->points[passed->n - 1].x == n))
            continue; /* blocks change nothing */
        chart_put(c, passed, n, model_table_number(t, row, "passed") / looked_up, NAN, NAN);
        chart_put(c, present, n, model_table_number(t, row, "present") / looked_up, NAN, NAN);
        chart_put(c, pairs, n, model_table_number(t, row, "candidates") / model_table_number(t, row, "tests"), NAN, NAN);
        if (c->title[0] == '\0')
            figure_title(c, t, "What a bank passes in tamis blastn over the size of a sub-query, m = %.0f Kbit, k = %.0f   [Ma11, eq. 2]",
                         model_table_number(t, row, "m_bits") / 1024, model_table_number(t, row, "k"));
    }
    figure_axes(c, "n, words of a sub-query", "share of the words of the database");
    c->log_x = 10;
    c->x_thousands = 1;
    c->y_from_zero = 1;
}
