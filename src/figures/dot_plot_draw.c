/* dot_plot_draw.c - the picture of a dot plot: axes, borders, names, lines or shades, and what they mean. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/chart.h"
#include "figures/dot_plot_parts.h"

#define LONG_SIDE     800.0 /* of the plot */
#define LEAST_SIDE    0.3   /* of the long side; between, both axes have one scale */
#define TYPE          13.0
#define SMALL         11.5
#define LEAST_NAMED   11.0 /* height or width of a record with a name */
#define TICK_DISTANCE 90.0 /* at least, on an axis of one record; else a third of it */

enum { NAME = 26, TEXT = 320 };

/* Where the plot is, and how the sides are scaled: pixels for a base. */
struct frame {
    double left, top, width, height;
    double per_subject, per_query;
    const dot_plot *plot;
    picture *to;
};

static double x_of(const struct frame *f, uint64_t base) { return f->left + (double)base * f->per_subject; }

static double y_of(const struct frame *f, uint64_t base) { return f->top + f->height - (double)base * f->per_query; }

static void put(const struct frame *f, picture_type type, double x, double y, const char *text) { picture_text(f->to, &type, x, y, text); }

/* A name of at most NAME characters: the end of a longer one becomes an ellipsis. */
static void shorten(const char *name, char out[4 * NAME + 4])
{
    size_t n = 0, n_characters = 0;

    while (n < (size_t)4 * NAME - 4 && name[n] != '\0') {
        size_t bytes = 1;
        while (((unsigned char)name[n + bytes] & 0xc0) == 0x80 && bytes < 4)
            bytes++;
        if (++n_characters == NAME && name[n + bytes] != '\0') {
            snprintf(out, 4 * NAME + 4, "%.*s\xe2\x80\xa6", (int)n, name);
            return;
        }
        n += bytes;
    }
    snprintf(out, 4 * NAME + 4, "%.*s", (int)n, name);
}

/* ---- axes ---------------------------------------------------------------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten: the least with which ticks are far enough apart. */
static uint64_t tick_step(double per_base, double distance)
{
    uint64_t step = 1;

    for (unsigned i = 0; (double)step * per_base < distance && step < UINT64_MAX / 10; i++)
        step = i % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

/* The unit in which ticks are whole numbers or have one digit behind the point. */
static const struct unit {
    uint64_t bases;
    const char *name;
} units[] = {{1, "bp"}, {1000, "kbp"}, {1000000, "Mbp"}, {1000000000, "Gbp"}};

static const struct unit *unit_of(uint64_t step, uint64_t most)
{
    size_t i = 3;

    while (i > 0 && (units[i].bases > most || units[i].bases / 10 > step))
        i--;
    return &units[i];
}

static void tick_text(uint64_t base, const struct unit *unit, char *out, size_t size)
{
    if (base % unit->bases == 0)
        snprintf(out, size, "%llu", (unsigned long long)(base / unit->bases));
    else
        snprintf(out, size, "%.1f", (double)base / (double)unit->bases);
}

static uint64_t longest_record(const struct dot_side *side)
{
    uint64_t n = 0;

    for (size_t i = 0; i < side->n; i++)
        n = side->records[i].n_bases > n ? side->records[i].n_bases : n;
    return n;
}

/* Ticks count the bases of each record, or those of all records in a row if none is long enough for two ticks. */
struct axis {
    uint64_t step; /* bases between ticks */
    const struct unit *unit;
    int is_one;
};

static struct axis axis_of(const struct dot_side *side, double per_base)
{
    const uint64_t most = longest_record(side), step = tick_step(per_base, TICK_DISTANCE / 3);

    if (side->n > 1 && most >= step)
        return (struct axis){step, unit_of(step, most), 0};
    return (struct axis){tick_step(per_base, TICK_DISTANCE), unit_of(tick_step(per_base, TICK_DISTANCE), side->n_bases), 1};
}

/*
 * Draws the ticks of n bases from `start` on. Numbers that would touch an earlier one, or the 0 of a record that follows, are left out.
 *   free_from [in,out] where the next number may begin
 */
static void draw_stretch(const struct frame *f, const struct axis *axis, int is_x, uint64_t start, uint64_t n, int is_followed,
                         double *free_from)
{
    const double per_base = is_x ? f->per_subject : f->per_query;

    for (uint64_t base = 0; base <= n; base += axis->step) {
        const double x = x_of(f, start + base), y = y_of(f, start + base), bottom = f->top + f->height, at = is_x ? x : -y;
        char text[32];
        if (is_x)
            picture_line(f->to, PICTURE_MUTED, 1, x, bottom, x, bottom + 5);
        else
            picture_line(f->to, PICTURE_MUTED, 1, f->left - 5, y, f->left, y);
        if (at < *free_from || (is_followed && (double)(n - base) * per_base < 10))
            continue;
        tick_text(base, axis->unit, text, sizeof text);
        if (is_x)
            put(f, (picture_type){PICTURE_INK, SMALL, PICTURE_MIDDLE, 0}, x, bottom + 18, text);
        else
            put(f, (picture_type){PICTURE_INK, SMALL, PICTURE_END, 0}, f->left - 8, y + 4, text);
        *free_from = at + (is_x ? 8 + picture_text_width(SMALL, text) : 14);
    }
}

static void draw_ticks(const struct frame *f, const struct dot_side *side, int is_x)
{
    const struct axis axis = axis_of(side, is_x ? f->per_subject : f->per_query);
    double free_from = -1e9;

    if (axis.is_one)
        draw_stretch(f, &axis, is_x, 0, side->n_bases, 0, &free_from);
    for (size_t i = 0; i < side->n && !axis.is_one; i++)
        if (side->records[i].n_bases >= axis.step)
            draw_stretch(f, &axis, is_x, side->records[i].start, side->records[i].n_bases, i + 1 < side->n, &free_from);
}

static void draw_borders(const struct frame *f)
{
    for (size_t i = 1; i < f->plot->subject.n; i++) {
        const double x = x_of(f, f->plot->subject.records[i].start);
        if ((double)f->plot->subject.records[i].n_bases * f->per_subject >= 2 || f->plot->subject.n <= 400)
            picture_line(f->to, PICTURE_GRID, 1, x, f->top, x, f->top + f->height);
    }
    for (size_t i = 1; i < f->plot->query.n; i++) {
        const double y = y_of(f, f->plot->query.records[i].start);
        if ((double)f->plot->query.records[i].n_bases * f->per_query >= 2 || f->plot->query.n <= 400)
            picture_line(f->to, PICTURE_GRID, 1, f->left, y, f->left + f->width, y);
    }
}

static int is_named(const struct dot_record *record, double per_base) { return (double)record->n_bases * per_base >= LEAST_NAMED; }

/* The width that the names of a side take, and whether each fits above its record. */
static double names_width(const struct dot_side *side, double per_base, int *fit)
{
    double widest = 0;

    *fit = 1;
    for (size_t i = 0; i < side->n; i++) {
        char name[4 * NAME + 4];
        double width;
        if (!is_named(&side->records[i], per_base))
            continue;
        shorten(side->records[i].name, name);
        width = picture_text_width(SMALL, name);
        widest = width > widest ? width : widest;
        *fit &= width + 6 <= (double)side->records[i].n_bases * per_base;
    }
    return widest;
}

static void draw_names(const struct frame *f, int x_fits)
{
    for (size_t i = 0; i < f->plot->subject.n; i++) {
        const struct dot_record *record = &f->plot->subject.records[i];
        const double x = x_of(f, record->start + record->n_bases / 2);
        char name[4 * NAME + 4];
        if (!is_named(record, f->per_subject))
            continue;
        shorten(record->name, name);
        put(f, (picture_type){PICTURE_INK, SMALL, x_fits ? PICTURE_MIDDLE : PICTURE_START, x_fits ? 0 : 60}, x + (x_fits ? 0 : 3),
            f->top - 7, name);
    }
    for (size_t i = 0; i < f->plot->query.n; i++) {
        const struct dot_record *record = &f->plot->query.records[i];
        char name[4 * NAME + 4];
        if (!is_named(record, f->per_query))
            continue;
        shorten(record->name, name);
        put(f, (picture_type){PICTURE_INK, SMALL, PICTURE_START, 0}, f->left + f->width + 8,
            y_of(f, record->start + record->n_bases / 2) + 4, name);
    }
}

/* "Subject: o157.fa, 2 records, 5,594,605 bp (axes in Mbp)". Returns its width. */
static double side_text(const char *side, const char *name, const struct dot_side *of, double per_base, char out[TEXT])
{
    const struct axis axis = axis_of(of, per_base);
    char bases[40], records[40], where[4 * NAME + 4];

    shorten(name, where);
    chart_count((double)of->n_bases, bases, sizeof bases);
    chart_count((double)of->n_all, records, sizeof records);
    if (of->n_all == 1)
        snprintf(out, TEXT, "%s: %s, %s bp (axis in %s)", side, where, bases, axis.unit->name);
    else
        snprintf(out, TEXT, "%s: %s, %s records, %s bp (%s in %s)", side, where, records, bases, axis.is_one ? "one axis," : "axes",
                 axis.unit->name);
    return picture_text_width(TYPE, out);
}

/* ---- matches ------------------------------------------------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b)
{
    const dot_match *x = a, *y = b;

    if (x->is_minus != y->is_minus)
        return x->is_minus - y->is_minus;
    if (x->subject != y->subject)
        return x->subject < y->subject ? -1 : 1;
    return x->query < y->query ? -1 : x->query > y->query;
}

static void draw_lines(const struct frame *f, dot_plot *plot)
{
    const size_t n = plot->n_lines;

    qsort(plot->lines, n, sizeof *plot->lines, compare_lines);
    for (size_t i = 0; i < n; i++) {
        const dot_match *m = &plot->lines[i];
        const double x1 = x_of(f, m->subject), x2 = x_of(f, m->subject + m->n_bases);
        const double low = y_of(f, m->query), high = y_of(f, m->query + m->n_bases);
        picture_line(f->to, m->is_minus ? PICTURE_REVERSE : PICTURE_FORWARD, 1.8, x1, m->is_minus ? high : low, x2,
                     m->is_minus ? low : high);
    }
}

/*
 * Spreads the cells of a strand over the picture's, by the area that they share.
 *   out [out] n_columns x n_rows, from the top left
 */
static void spread(const dot_plot *plot, int strand, size_t used, double *out, size_t n_columns, size_t n_rows)
{
    const dot_count *cells = plot->cells + (size_t)strand * DOT_PLOT_CELLS;
    /* the subject may end within its last column */
    const double width = (double)plot->subject.n_bases / (double)(UINT64_C(1) << plot->shift) / (double)n_columns;
    const double height = (double)DOT_PLOT_ROWS / (double)n_rows;

    for (size_t column = 0; column < used; column++) {
        for (size_t row = 0; row < DOT_PLOT_ROWS; row++) {
            const uint64_t count = cells[column * DOT_PLOT_ROWS + row];
            if (count == 0)
                continue;
            for (size_t x = (size_t)((double)column / width); x < n_columns && (double)x * width < (double)column + 1; x++) {
                const double in_x = fmin((double)(x + 1) * width, (double)column + 1) - fmax((double)x * width, (double)column);
                for (size_t y = (size_t)((double)row / height); y < n_rows && (double)y * height < (double)row + 1; y++) {
                    const double in_y = fmin((double)(y + 1) * height, (double)row + 1) - fmax((double)y * height, (double)row);
                    if (in_x > 0 && in_y > 0)
                        out[(n_rows - 1 - y) * n_columns + x] += (double)count * in_x * in_y;
                }
            }
        }
    }
}

/* Shades are even steps of the logarithm from `low` to `high` bases. */
static unsigned shade_of(double bases, double low, double high)
{
    const double at = high > low ? log(bases / low) / log(high / low) : 1;

    return bases <= low ? 1 : bases >= high ? PICTURE_SHADES : 1 + (unsigned)(at * (PICTURE_SHADES - 1));
}

/* Draws the cells; a cell has the colour of the strand with more bases in it. *low, *high [out]: bases of the faintest and fullest shade.
 */
static int draw_cells(const struct frame *f, uint64_t least, double *low, double *high)
{
    const dot_plot *plot = f->plot;
    const size_t n_columns = (size_t)(f->width + 0.5), n_rows = (size_t)(f->height + 0.5), n = n_columns * n_rows;
    const size_t used = (size_t)((plot->subject.n_bases - 1) >> plot->shift) + 1;
    double *sums = calloc(2 * n, sizeof *sums);
    uint8_t *cells = malloc(n);
    const int fits = sums != NULL && cells != NULL;
    const double of_column = (double)plot->subject.n_bases / (double)n_columns, of_row = (double)plot->query.n_bases / (double)n_rows;

    *high = fmin(of_column, of_row); /* a diagonal that matches all the way */
    *low = fmin((double)least, *high / 4);
    if (fits) {
        spread(plot, 0, used, sums, n_columns, n_rows);
        spread(plot, 1, used, sums + n, n_columns, n_rows);
        for (size_t i = 0; i < n; i++) {
            const int strand = sums[n + i] > sums[i];
            const double bases = sums[strand ? n + i : i];
            cells[i] = bases < *low / 8 ? 0 : (uint8_t)(shade_of(bases, *low, *high) + (strand ? PICTURE_SHADES : 0));
        }
        picture_grid(f->to, &(picture_area){f->left, f->top, f->width, f->height}, cells, n_columns, n_rows);
    }
    free(sums);
    free(cells);
    return fits;
}

/* ---- the key ------------------------------------------------------------------------------------------------------------------- */

/* "16 bp", "5.4 kbp" */
static void size_text(double bases, char out[32])
{
    size_t i = 3;

    while (i > 0 && bases < (double)units[i].bases)
        i--;
    snprintf(out, 32, "%.3g %s", bases / (double)units[i].bases, units[i].name);
}

static void draw_key(const struct frame *f, double y, uint64_t least, double low, double high)
{
    static const char *const strands[] = {"forward", "reverse"};
    dot_plot_facts facts;
    char text[TEXT], count[40], from[32], till[32];
    uint8_t ramp[PICTURE_SHADES];
    double x = f->left;

    dot_plot_get_facts(f->plot, &facts);
    for (int i = 0; i < 2; i++) {
        chart_count((double)facts.n_matches[i], count, sizeof count);
        snprintf(text, sizeof text, "%s: %s match%s", strands[i], count, facts.n_matches[i] == 1 ? "" : "es");
        if (facts.is_density) {
            for (unsigned k = 0; k < PICTURE_SHADES; k++)
                ramp[k] = (uint8_t)(1 + k + (unsigned)i * PICTURE_SHADES);
            picture_grid(f->to, &(picture_area){x, y - 10, 72, 12}, ramp, PICTURE_SHADES, 1);
            x += 80;
        } else {
            picture_line(f->to, i ? PICTURE_REVERSE : PICTURE_FORWARD, 2.5, x + 1, y + (i ? -10 : 0), x + 15, y + (i ? 0 : -10));
            x += 23;
        }
        put(f, (picture_type){PICTURE_INK, TYPE, PICTURE_START, 0}, x, y, text);
        x += picture_text_width(TYPE, text) + 18;
    }
    chart_count((double)least, count, sizeof count);
    if (facts.is_density) {
        size_text(low, from);
        size_text(high, till);
        snprintf(text, sizeof text, "Exact matches of %s bp or more; shades: %s to %s of them in a pixel, in equal steps of the logarithm",
                 count, from, till);
    } else {
        snprintf(text, sizeof text, "Exact matches of %s bp or more, each a line or a dot", count);
    }
    put(f, (picture_type){PICTURE_MUTED, SMALL, PICTURE_START, 0}, f->left, y + 20, text);
}

/* ---- all of it ----------------------------------------------------------------------------------------------------------------- */

/* Sizes of the plot: one scale for both axes, unless a side would be too short to see anything. */
static void set_sizes(struct frame *f)
{
    const double query = (double)(f->plot->query.n_bases ? f->plot->query.n_bases : 1);
    const double subject = (double)(f->plot->subject.n_bases ? f->plot->subject.n_bases : 1);
    const double ratio = fmax(LEAST_SIDE, fmin(query, subject) / fmax(query, subject));

    f->width = subject >= query ? LONG_SIDE : floor(LONG_SIDE * ratio + 0.5);
    f->height = subject >= query ? floor(LONG_SIDE * ratio + 0.5) : LONG_SIDE;
    f->per_subject = f->width / subject;
    f->per_query = f->height / query;
}

/* The query's text, beside its axis: in two lines, from its first comma on, if the picture is not high enough for one. */
static void put_upward(const struct frame *f, double height, char text[TEXT])
{
    char *comma = picture_text_width(TYPE, text) + 16 > height ? strstr(text, ", ") : NULL;
    const char *lines[2] = {text, comma != NULL ? comma + 2 : ""};

    if (comma != NULL)
        *comma = '\0';
    for (int i = 0; i < 2 && *lines[i] != '\0'; i++) {
        const double half = picture_text_width(TYPE, lines[i]) / 2 + 8;
        put(f, (picture_type){PICTURE_INK, TYPE, PICTURE_MIDDLE, 90}, comma == NULL ? 22 : 14 + 16 * i,
            fmax(half, fmin(f->top + f->height / 2, height - half)), lines[i]);
    }
}

picture *dot_plot_draw(dot_plot *plot, const char *query, const char *subject, uint64_t least)
{
    struct frame f = {.plot = plot, .left = 78};
    const double least_width = 640; /* of the key */
    double right, width, height, subject_width, low = 0, high = 0;
    int x_fits, y_fits, fits = 1;
    dot_plot_facts facts;
    char text[TEXT], subject_text[TEXT], query_text[TEXT];

    set_sizes(&f);
    dot_plot_get_facts(plot, &facts);
    right = names_width(&plot->query, f.per_query, &y_fits) + 24;
    f.top = 22 + names_width(&plot->subject, f.per_subject, &x_fits) * (x_fits ? 0 : 0.87) + (x_fits ? 8 : 10);
    if (!x_fits) /* the last name leans out to the right */
        right = fmax(right, names_width(&plot->subject, f.per_subject, &x_fits) * 0.5 + 12);
    snprintf(text, sizeof text, "Dot plot: %llu forward and %llu reverse matches", (unsigned long long)facts.n_matches[0],
             (unsigned long long)facts.n_matches[1]);
    subject_width = side_text("Subject", subject, &plot->subject, f.per_subject, subject_text);
    (void)side_text("Query", query, &plot->query, f.per_query, query_text);
    width = fmax(f.left + fmax(f.width, least_width) + right, subject_width + 16);
    height = f.top + f.height + 110;
    f.to = picture_create(width, height, text);
    if (f.to == NULL)
        return NULL;
    draw_borders(&f);
    if (facts.is_density)
        fits = draw_cells(&f, least, &low, &high);
    else
        draw_lines(&f, plot);
    for (int i = 0; i < 4; i++) {
        const double x[4] = {f.left, f.left + f.width, f.left + f.width, f.left}, y[4] = {f.top, f.top, f.top + f.height, f.top + f.height};
        picture_line(f.to, PICTURE_MUTED, 1, x[i], y[i], x[(i + 1) % 4], y[(i + 1) % 4]);
    }
    draw_names(&f, x_fits);
    draw_ticks(&f, &plot->subject, 1);
    draw_ticks(&f, &plot->query, 0);
    /* in the middle of a side, unless it is so short that the text would leave the picture */
    put(&f, (picture_type){PICTURE_INK, TYPE, PICTURE_MIDDLE, 0}, fmax(f.left + f.width / 2, subject_width / 2 + 8), f.top + f.height + 40,
        subject_text);
    put_upward(&f, height, query_text);
    draw_key(&f, f.top + f.height + 72, least, low, high);
    if (fits && !picture_failed(f.to))
        return f.to;
    picture_free(f.to);
    return NULL;
}
