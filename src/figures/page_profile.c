#include "figures/page_profile.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figures/gnuplot.h"
#include "io/io_text.h"
#include "page/html_text.h"
#include "tamis/context.h"

static io_status damaged(const char *path, const char *what, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: not a profile, or a damaged one: %s; create one with 'tamis model calibrate'", path, what);
}

/* Is it a curve: arrays x and y of numbers, of the same length? */
static int is_curve(const json_t *curve)
{
    const json_t *x = json_object_get(curve, "x"), *y = json_object_get(curve, "y");

    if (!json_is_array(x) || !json_is_array(y) || json_array_size(x) != json_array_size(y))
        return 0;
    for (size_t i = 0; i < json_array_size(x); i++) {
        if (!json_is_number(json_array_get(x, i)) || !json_is_number(json_array_get(y, i)))
            return 0;
    }
    return 1;
}

static io_status check(const char *path, const json_t *profile, io_error *err)
{
    static const char *const objects[] = {"machine", "values", "curves"};
    const char *name;
    json_t *value;
    char what[256];

    if (!json_is_integer(json_object_get(profile, "tamis_profile")))
        return damaged(path, "it has no \"tamis_profile\"", err);
    for (size_t i = 0; i < sizeof objects / sizeof *objects; i++) {
        if (!json_is_object(json_object_get(profile, objects[i]))) {
            snprintf(what, sizeof what, "it has no \"%s\"", objects[i]);
            return damaged(path, what, err);
        }
    }
    json_object_foreach(json_object_get(profile, "values"), name, value)
    {
        if (!json_is_number(value)) {
            snprintf(what, sizeof what, "the value '%.100s' is not a number", name);
            return damaged(path, what, err);
        }
    }
    json_object_foreach(json_object_get(profile, "curves"), name, value)
    {
        if (!is_curve(value)) {
            snprintf(what, sizeof what, "the curve '%.100s' does not have equally many numbers x and y", name);
            return damaged(path, what, err);
        }
    }
    return IO_OK;
}

io_status page_profile_read(const char *path, json_t **out, io_error *err)
{
    json_error_t fault;
    char *text, what[256];
    size_t n;
    io_status status = io_text_read(path, &text, &n, err);

    *out = NULL;
    if (status == IO_OK) {
        *out = json_loadb(text, n, JSON_REJECT_DUPLICATES, &fault);
        if (*out == NULL) {
            snprintf(what, sizeof what, "line %d: %.180s", fault.line, fault.text);
            status = damaged(path, what, err);
        } else {
            status = check(path, *out, err);
        }
    }
    free(text);
    if (status != IO_OK) {
        json_decref(*out);
        *out = NULL;
    }
    return status;
}

static const char *text_of(const json_t *profile, const char *name)
{
    const char *text = json_string_value(json_object_get(json_object_get(profile, "machine"), name));

    return text != NULL ? text : "";
}

const char *page_profile_device(const json_t *profile)
{
    return text_of(profile, "gpu")[0] != '\0' ? text_of(profile, "gpu") : text_of(profile, "cpu");
}

/* "shared_bytes_block" as "shared bytes block" */
static void put_name(const char *name, FILE *to)
{
    char text[128];

    snprintf(text, sizeof text, "%s", name);
    for (char *c = text; *c != '\0'; c++) {
        if (*c == '_')
            *c = ' ';
    }
    html_put(to, text);
}

static void put_value(const char *name, const json_t *value, FILE *to)
{
    size_t length = strlen(name);

    if (json_is_string(value)) {
        html_put(to, json_string_value(value));
    } else if (strcmp(name, "simd") == 0 && json_is_integer(value)) {
        fputs(tms_simd_name((tms_simd)json_integer_value(value)), to);
    } else if (json_is_boolean(value)) {
        fputs(json_is_true(value) ? "yes" : "no", to);
    } else if (json_is_integer(value)) {
        char text[CHART_LABEL * 2];
        double n = (double)json_integer_value(value);
        if (n < 100000)
            fprintf(to, "%.0f", n);
        else
            fputs(chart_count(n, text, sizeof text), to);
        if (length > 5 && strcmp(name + length - 5, "bytes") == 0 && n >= 1 << 20)
            fprintf(to, " (%.4g %s)", n / (n >= 1 << 30 ? 1 << 30 : 1 << 20), n >= 1 << 30 ? "GiB" : "MiB");
    } else {
        fprintf(to, "%.5g", json_number_value(value));
    }
}

/* Is it a field of the missing GPU: 0 or "", in a profile without a GPU? */
static int is_of_gpu_only(const json_t *profile, const json_t *value)
{
    if (json_is_true(json_object_get(profile, "has_gpu")))
        return 0;
    return json_is_string(value) ? json_string_value(value)[0] == '\0' : json_is_number(value) && json_number_value(value) == 0;
}

static void put_table(const json_t *profile, json_t *object, const char *caption, FILE *to)
{
    const char *name;
    json_t *value;

    fprintf(to, "<table><caption>%s</caption>\n", caption);
    json_object_foreach(object, name, value)
    {
        if (json_is_object(value) || json_is_array(value) || is_of_gpu_only(profile, value))
            continue;
        fputs("<tr><th scope=\"row\">", to);
        put_name(name, to);
        fputs("</th><td>", to);
        put_value(name, value, to);
        fputs("</td></tr>\n", to);
    }
    fputs("</table>\n", to);
}

void page_profile_machine(const json_t *profile, FILE *to)
{
    json_t *spread = json_object_get(profile, "spread"), *date = json_object_get(profile, "date");

    put_table(profile, json_object_get(profile, "machine"), "The machine, as its driver and its system describe it", to);
    fputs("<p>Measured", to);
    if (json_is_string(date)) {
        fputs(" on ", to);
        html_put(to, json_string_value(date));
    }
    if (json_is_number(spread))
        fprintf(to, "; repeats differed by %.1f %%, but for the 3 in 100 measurements that differ most", 100 * json_number_value(spread));
    fputs(json_is_false(json_object_get(profile, "reliable"))
              ? ". <strong>This is not reliable: calibrate again when the machine is idle.</strong></p>\n"
              : ".</p>\n",
          to);
}

void page_profile_values(const json_t *profile, FILE *to)
{
    put_table(profile, json_object_get(profile, "values"), "Numbers of the profile; units are in the names", to);
}

/* Makes the chart of a curve. An axis is logarithmic if its numbers are positive and span more than a factor of 20. */
static void make_chart(const char *name, const json_t *curve, chart *c)
{
    const json_t *x = json_object_get(curve, "x"), *y = json_object_get(curve, "y");
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    chart_series *s = chart_add(c, CHART_LINE_POINTS, "");

    snprintf(c->title, sizeof c->title, "%s", name);
    c->is_small = 1;
    for (size_t i = 0; i < json_array_size(x); i++) {
        double at[2] = {json_number_value(json_array_get(x, i)), json_number_value(json_array_get(y, i))};
        chart_put(c, s, at[0], at[1], NAN, NAN);
        for (int axis = 0; axis < 2; axis++) {
            low[axis] = fmin(low[axis], at[axis]);
            high[axis] = fmax(high[axis], at[axis]);
        }
    }
    c->log_x = low[0] > 0 && high[0] > 20 * low[0] ? 10 : 0;
    c->log_y = low[1] > 0 && high[1] > 20 * low[1] ? 10 : 0;
    c->y_from_zero = !c->log_y && low[1] >= 0;
}

static io_status put_curve(const char *name, const json_t *curve, size_t number, FILE *to, io_error *err)
{
    char *picture = NULL, id[32];
    size_t n;
    chart c;
    io_status status;

    chart_init(&c);
    make_chart(name, curve, &c);
    status = c.no_memory ? io_fail(err, IO_E_MEMORY, ENOMEM, "out of memory") : gnuplot_draw(name, &c, CHART_SVG, &picture, &n, err);
    chart_free(&c);
    if (status == IO_OK) {
        snprintf(id, sizeof id, "curve%zu", number);
        fputs("<figure>", to);
        html_put_svg(to, picture, id, name);
        fputs("</figure>\n", to);
    }
    free(picture);
    return status;
}

io_status page_profile_curves(const json_t *profile, FILE *to, io_error *err)
{
    const char *name;
    json_t *curve;
    size_t number = 0;
    io_status status = IO_OK;

    fputs("<div class=\"curves\">\n", to);
    json_object_foreach(json_object_get(profile, "curves"), name, curve)
    {
        if (status == IO_OK && json_array_size(json_object_get(curve, "x")) > 0)
            status = put_curve(name, curve, number++, to, err);
    }
    fputs("</div>\n", to);
    return status;
}
