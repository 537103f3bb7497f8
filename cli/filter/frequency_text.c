#include "cli/filter/frequency_text.h"

#include <math.h>
#include <stdio.h>

#include <jansson.h>

/* Three significant digits; values from 100 to 1e12 as whole numbers. */
static const char *short_number(double value, char text[24])
{
    snprintf(text, 24, value >= 100 && value < 1e12 ? "%.0f" : "%.3g", value);
    return text;
}

tms_status frequency_range_text(tms_context *ctx, const tms_filter_params *params, double fill, double confidence, double error,
                                char text[FREQUENCY_TEXT_SIZE])
{
    tms_frequency_reach reach = {.best_error = INFINITY};
    char a[24], b[24], c[24], d[24];
    tms_status status = TMS_OK;

    if (fill < 1)
        status = tms_frequency_range(ctx, params, fill, confidence, error, &reach);
    if (status != TMS_OK)
        return status;
    if (isinf(reach.best_error) && params->p == 1)
        snprintf(text, FREQUENCY_TEXT_SIZE, "no f: with p = 1 the first insertion sets all bits of a key");
    else if (isinf(reach.best_error))
        snprintf(text, FREQUENCY_TEXT_SIZE, "no f: %.4g %% of the bits are set", 100 * fill);
    else if (reach.high > 0)
        snprintf(text, FREQUENCY_TEXT_SIZE, "f from %s to %s within %.3g %% (%.10g %% confidence), best %s %% near f = %s",
                 short_number(reach.low, a), short_number(reach.high, b), 100 * error, 100 * confidence,
                 short_number(100 * reach.best_error, c), short_number(reach.best_f, d));
    else
        snprintf(text, FREQUENCY_TEXT_SIZE, "no f within %.3g %% (%.10g %% confidence), best %s %% near f = %s", 100 * error,
                 100 * confidence, short_number(100 * reach.best_error, c), short_number(reach.best_f, d));
    return TMS_OK;
}

/* Twice the error of the range that "tamis info" shows. */
#define REMARK_ERROR 0.5

int frequency_remark_min(const cli_common *common, tms_context *ctx, const tms_filter_params *params, double fill, double confidence,
                         tms_frequency_by by, double min_f)
{
    tms_frequency_reach reach;
    char range[FREQUENCY_TEXT_SIZE];
    uint32_t least;
    tms_frequency most; /* estimate for k ones; its f_max is infinite, so never too low */
    tms_status status;

    if (common->quiet)
        return CLI_OK;
    status = tms_frequency_least_ones(ctx, params, fill, confidence, by, min_f, &least);
    if (status == TMS_OK)
        status = tms_frequency_estimate(ctx, params, fill, confidence, params->k, &most);
    if (status == TMS_OK)
        status = tms_frequency_range(ctx, params, fill, confidence, REMARK_ERROR, &reach);
    if (status == TMS_OK)
        status = frequency_range_text(ctx, params, fill, confidence, REMARK_ERROR, range);
    if (status != TMS_OK)
        return cli_fail_library(common->command, ctx, status);
    if (least > params->k)
        cli_say(common->command, "no line can reach an %s of %.10g: it is at most %.6g in a filter with k = %u, p = %g and fill %.4g",
                tms_frequency_by_name(by), min_f, by == TMS_BY_F_MIN ? most.f_min : most.f, params->k, params->p, fill);
    else if (reach.high == 0 || min_f < reach.low)
        cli_say(common->command, "--min %.10g is %s what this filter resolves: %s", min_f, reach.high > 0 ? "far below" : "outside", range);
    return CLI_OK;
}

typedef struct json_sink {
    line_writer *writer;
    io_status status;
    io_error *err;
} json_sink;

static int put_json(const char *bytes, size_t size, void *arg)
{
    json_sink *sink = arg;

    sink->status = line_writer_put(sink->writer, bytes, size, sink->err);
    return sink->status == IO_OK ? 0 : -1;
}

static io_status put_hex(line_writer *w, const uint8_t *key, size_t size, io_error *err)
{
    static const char digits[] = "0123456789abcdef";
    static const char name[] = "null, \"key_hex\": \"";
    io_status status = line_writer_put(w, name, sizeof name - 1, err);

    for (size_t i = 0; i < size && status == IO_OK; i++) {
        char two[2] = {digits[key[i] >> 4], digits[key[i] & 15]};
        status = line_writer_put(w, two, 2, err);
    }
    return status == IO_OK ? line_writer_put(w, "\"", 1, err) : status;
}

static io_status put_key_json(line_writer *w, const uint8_t *key, size_t size, io_error *err)
{
    json_sink sink = {w, line_writer_put(w, "\"key\": ", 7, err), err};
    json_t *string;

    if (sink.status != IO_OK)
        return sink.status;
    string = json_stringn((const char *)key, size);
    if (string == NULL)
        return put_hex(w, key, size, err);
    if (json_dump_callback(string, put_json, &sink, JSON_ENCODE_ANY) != 0 && sink.status == IO_OK)
        sink.status = io_fail_memory(err, "a line of JSON");
    json_decref(string);
    return sink.status;
}

io_status frequency_put_key(line_writer *w, int as_json, const uint8_t *key, size_t size, io_error *err)
{
    return as_json ? put_key_json(w, key, size, err) : line_writer_put(w, key, size, err);
}

/* Six significant digits, without an exponent, which sort -n does not read. */
static const char *number_format(double value) { return value >= 1e6 ? "%.0f" : value == 0 || value >= 1e-4 ? "%.6g" : "%.6f"; }

size_t frequency_values_text(int as_json, uint32_t ones, const tms_frequency *frequency, char text[FREQUENCY_TEXT_SIZE])
{
    static const char *const json_names[] = {", \"f\": ", ", \"f_min\": ", ", \"f_max\": "};
    const double values[] = {frequency->f, frequency->f_min, frequency->f_max};
    int n = snprintf(text, FREQUENCY_TEXT_SIZE, as_json ? ", \"ones\": %u" : "\t%u", ones);

    for (int i = 0; i < 3; i++) {
        size_t left = FREQUENCY_TEXT_SIZE - (size_t)n;
        n += snprintf(text + n, left, "%s", as_json ? json_names[i] : "\t");
        left = FREQUENCY_TEXT_SIZE - (size_t)n;
        n += isfinite(values[i]) ? snprintf(text + n, left, number_format(values[i]), values[i])
                                 : snprintf(text + n, left, "%s", as_json ? "null" : "inf");
    }
    n += snprintf(text + n, FREQUENCY_TEXT_SIZE - (size_t)n, "%s", as_json ? "}\n" : "\n");
    return (size_t)n;
}
