/*
 * chart.h - a chart of one figure: series of points and lines, axes, and their gnuplot script.
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
    CHART_POINTS,      /* measurements, with error bars if they have intervals */
    CHART_LINE_POINTS, /* measurements whose order matters */
    CHART_BOXES,       /* a histogram: x is the middle of a bin */
    CHART_STEPS,       /* the outline of a histogram */
    CHART_STACK        /* one layer of stacked columns: all series have the same x; the points' labels are the ticks */
} chart_how;

typedef struct chart_point {
    double x, y;
    double low, high;        /* interval of y, 95 %; NaN: not known */
    char label[CHART_LABEL]; /* without quotes and gnuplot's markup characters */
} chart_point;

/* Series with the same `look` belong together: they have the same colour and shape. */
typedef struct chart_series {
    char title[CHART_NAME]; /* "": not in the key. A series without points is only in the key */
    chart_how how;
    int look;    /* from 0; CHART_GREY */
    int dash;    /* 0: solid, 1: dashed, 2: dots, 3: dash and dot */
    int hollow;  /* draw the outlines of shapes only */
    int on_y2;   /* on the right axis */
    double size; /* of points; 0: the default */
    chart_point *points;
    size_t n, capacity;
} chart_series;

enum { CHART_GREY = -1, CHART_SERIES = 48 };

typedef struct chart {
    char title[CHART_TEXT];    /* the figure, with the paper's number */
    char subtitle[CHART_TEXT]; /* the machine and the date of the measurements */
    char x_label[CHART_NAME], y_label[CHART_NAME], y2_label[CHART_NAME];
    int log_x, log_y; /* 0, or the base: 2, 10 */
    int x_bytes;      /* ticks are sizes: 64 KiB */
    int x_thousands;  /* ticks are written with commas */
    int y_from_zero;
    int y_ratio;      /* y is a ratio: ticks around 1 */
    int has_labels;   /* leave room for labels at the right */
    double y_high;    /* upper end of the y axis; 0: from the data */
    int is_small;     /* one of many small pictures */
    double box_width; /* width of CHART_BOXES, in units of x */
    chart_series series[CHART_SERIES];
    size_t n_series;
    int no_memory, too_many; /* both stay set */
} chart;

void chart_init(chart *c);
void chart_free(chart *c);

/*
 * chart_find() - the series of this kind with this title, or a new one.
 * chart_add() - a new series.
 * chart_put() - a new point; does nothing for a NULL series or a point that is not finite.
 * Each returns NULL if there is no room; chart_failed() returns 1 from then on.
 */
chart_series *chart_find(chart *c, chart_how how, const char *title);
chart_series *chart_add(chart *c, chart_how how, const char *title);
chart_point *chart_put(chart *c, chart_series *s, double x, double y, double low, double high);
int chart_failed(const chart *c);

/* Sorts points by x, the order in which CHART_LINE and CHART_LINE_POINTS connect them. NULL is allowed. */
void chart_sort(chart_series *s);

/* chart_count() - "50,000". Returns text. */
const char *chart_count(double n, char *text, size_t size);

/* chart_write() - writes a gnuplot script with its data; gnuplot then writes the picture to its standard output. */
typedef enum chart_format { CHART_SVG, CHART_PNG } chart_format;
void chart_write(const chart *c, chart_format format, FILE *to);

#endif
