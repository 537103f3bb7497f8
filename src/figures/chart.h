/*
 * chart.h - a chart of one figure: series of points and lines, axes, and what gnuplot has to be told to draw it.
 *
 * A chart is readable in black and white: series differ by the shapes of their points and the dashes of their lines; colours only help.
 */
#ifndef TAMIS_CHART_H
#define TAMIS_CHART_H

#include <stddef.h>
#include <stdio.h>

enum { CHART_TEXT = 256, CHART_NAME = 128, CHART_LABEL = 24 };

typedef enum chart_how {
    CHART_LINE,        /* the model */
    CHART_POINTS,      /* measurements; with bars where there are intervals */
    CHART_LINE_POINTS, /* measurements whose order matters */
    CHART_BOXES,       /* a histogram: x is the middle of a bin */
    CHART_STEPS,       /* its outline */
    CHART_STACK        /* a part of stacked columns: all series have the same x, which `labels` names */
} chart_how;

typedef struct chart_point {
    double x, y;
    double low, high;        /* of y, 95 %; NaN: not known */
    char label[CHART_LABEL]; /* without quotes and what gnuplot takes as markup */
} chart_point;

/* Series of one `look` belong together: the same colour and shape. */
typedef struct chart_series {
    char title[CHART_NAME]; /* "": not in the key. A series without points is only there */
    chart_how how;
    int look;    /* 0 .. ; CHART_GREY */
    int dash;    /* 0: solid, 1: dashed, 2: dots, 3: dash and dot */
    int hollow;  /* shapes are empty */
    int on_y2;   /* on the right axis */
    double size; /* of points; 0: usual */
    chart_point *points;
    size_t n, capacity;
} chart_series;

enum { CHART_GREY = -1, CHART_SERIES = 48 };

typedef struct chart {
    char title[CHART_TEXT];    /* the figure, with the paper's number */
    char subtitle[CHART_TEXT]; /* what was measured, where */
    char x_label[CHART_NAME], y_label[CHART_NAME], y2_label[CHART_NAME];
    int log_x, log_y; /* 0, or the base: 2, 10 */
    int x_bytes;      /* ticks are sizes: 64 KiB */
    int x_thousands;  /* ticks are written with commas */
    int y_from_zero;
    int y_ratio;      /* y is a ratio: ticks are near 1 */
    int has_labels;   /* room for them to the right */
    double y_high;    /* 0: as the data have it */
    int is_small;     /* one of many */
    double box_width; /* CHART_BOXES */
    chart_series series[CHART_SERIES];
    size_t n_series;
    int no_memory, too_many; /* the first sticks */
} chart;

void chart_init(chart *c);
void chart_free(chart *c);

/*
 * chart_find() - the series with this key, or a new one that has it as its title.
 * chart_add() - a new series.
 * NULL if there is no room, which chart_failed() tells; chart_put() takes NULL.
 */
chart_series *chart_find(chart *c, chart_how how, const char *title);
chart_series *chart_add(chart *c, chart_how how, const char *title);
chart_point *chart_put(chart *c, chart_series *s, double x, double y, double low, double high);
int chart_failed(const chart *c);

/* By x; CHART_LINE and CHART_LINE_POINTS are drawn in this order. */
void chart_sort(chart_series *s);

/* chart_count() - "50,000". Returns text. */
const char *chart_count(double n, char *text, size_t size);

/* chart_write() - the commands and the data for gnuplot, which then writes the picture to its standard output. */
typedef enum chart_format { CHART_SVG, CHART_PNG } chart_format;
void chart_write(const chart *c, chart_format format, FILE *to);

#endif
