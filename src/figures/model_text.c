/* model_text.c - see model_text.h. */
#include "figures/model_text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Writes value / base^i with units[i], for the largest fitting i. */
static const char *scaled(double value, double base, const char *const *units, int n_units, char text[MODEL_TEXT])
{
    int i = 0;

    while (i + 1 < n_units && fabs(value) >= base * (base == 1000 ? 0.9995 : 1)) { /* 999.9 would be printed as 1000 */
        value /= base;
        i++;
    }
    snprintf(text, MODEL_TEXT, "%.*f%s%s",
             value == floor(value) && (i == 0 || base == 1024) ? 0
             : fabs(value) < 9.995                             ? 2
             : fabs(value) < 99.95                             ? 1
                                                               : 0,
             value, units[i][0] != '\0' ? " " : "", units[i]);
    return text;
}

const char *model_seconds_text(double seconds, char text[MODEL_TEXT])
{
    static const char *const units[] = {"ns", "us", "ms", "s"};

    return scaled(seconds * 1e9, 1000, units, 4, text);
}

const char *model_count_text(double value, char text[MODEL_TEXT])
{
    static const char *const units[] = {"", "K", "M", "G", "T", "P", "E"};

    return scaled(value, 1000, units, 7, text);
}

const char *model_bytes_text(double bytes, char text[MODEL_TEXT])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};

    return scaled(bytes, 1024, units, 6, text);
}

const char *model_rate_text(double fpr, char text[MODEL_TEXT])
{
    if (isnan(fpr))
        snprintf(text, MODEL_TEXT, "-");
    else
        snprintf(text, MODEL_TEXT, "%.3g", fpr);
    return text;
}

const char *model_items(tms_app app)
{
    static const char *const names[] = {
        [TMS_APP_RANDOM] = "pointers", [TMS_APP_BANK] = "w-mers", [TMS_APP_STRINGS] = "strings", [TMS_APP_CLASSIFY] = "reads"};

    return names[app];
}

const char *model_where(const tms_workload *w) { return w->on_cpu ? "cpu" : w->place == TMS_PLACE_SHARED ? "shared" : "global"; }

const char *model_binding(const tms_prediction *p) { return p->binding < p->n_terms ? p->terms[p->binding].name : "-"; }

static size_t add(char *text, size_t at, const char *name, uint64_t value)
{
    if (value == 0 || at >= MODEL_WORKLOAD_TEXT)
        return at;
    return at + (size_t)snprintf(text + at, MODEL_WORKLOAD_TEXT - at, ", %s = %llu", name, (unsigned long long)value);
}

const char *model_workload_text(const tms_workload *w, char text[MODEL_WORKLOAD_TEXT])
{
    char bytes[MODEL_TEXT];
    size_t n = (size_t)snprintf(text, MODEL_WORKLOAD_TEXT, "%s %s%s%s, %s", tms_app_name(w->app), tms_op_name(w->op),
                                w->layout != 0 ? " " : "", w->layout != 0 ? tms_layout_name(w->layout) : "",
                                w->on_cpu                      ? "on the CPU"
                                : w->place == TMS_PLACE_SHARED ? "in shared memory"
                                                               : "in global memory");

    n = add(text, n, "k", w->k);
    n = add(text, n, "m", w->m_bits);
    if (n < MODEL_WORKLOAD_TEXT)
        n += (size_t)snprintf(text + n, MODEL_WORKLOAD_TEXT - n, " bits (%s)", model_bytes_text((double)w->m_bits / 8, bytes));
    n = add(text, n, "n", w->n);
    n = add(text, n, "D", w->D);
    n = add(text, n, "Q", w->Q);
    n = add(text, n, "length", w->length);
    n = add(text, n, "blocks", w->blocks);
    n = add(text, n, w->app == TMS_APP_STRINGS ? "threads a string" : "threads", w->threads);
    add(text, n, "CPU threads", w->on_cpu ? w->n_threads_cpu : 0);
    return text;
}
