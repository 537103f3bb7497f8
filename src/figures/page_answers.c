#include "figures/page_answers.h"

#include <math.h>
#include <string.h>

#include "figures/chart.h"
#include "figures/model_text.h"
#include "page/html_text.h"

/* Filters for a false-positive rate of 1/1000: the default of tamis build, and the classic layout. */
static const struct filter_kind {
    tms_layout layout;
    uint32_t k;
    double bits_a_key;
} kinds[] = {{TMS_LAYOUT_BLOCKED, 8, 16.9}, {TMS_LAYOUT_CLASSIC, 10, 14.4}};
enum { N_KINDS = sizeof kinds / sizeof *kinds, KEYS_ASKED = 10000000, KEY_BYTES = 16 };

static const double sizes[] = {0x1p20, 0x1p24, 0x1p28, 0x1p30, 0x1p32, 0x1p34};
enum { N_SIZES = sizeof sizes / sizeof *sizes };

/* The size in bytes of the largest filter that the profile covers: a GPU's memory; on the CPU the largest measured table. */
static double largest(const tms_profile *p, int on_cpu)
{
    const char *name;
    double most = 0;

    if (!on_cpu)
        return (double)p->machine.memory_bytes;
    for (size_t i = 0; i < TMS_PROFILE_CURVES && (name = tms_profile_curve_name(i)) != NULL; i++) {
        const tms_curve *c = &p->curves[i];
        if (strncmp(name, "cpu_", 4) == 0 && c->n > 0)
            most = fmax(most, c->x[c->n - 1]);
    }
    return most;
}

/* Returns 0 if the profile lacks values for the prediction. */
static int predict(tms_context *ctx, const tms_profile *p, int on_cpu, const struct filter_kind *kind, tms_op op, double bytes,
                   tms_prediction *out)
{
    const tms_workload w = {.app = TMS_APP_STRINGS,
                            .op = op,
                            .on_cpu = on_cpu,
                            .layout = kind->layout,
                            .k = kind->k,
                            .m_bits = (uint64_t)(8 * bytes),
                            .n = (uint64_t)(8 * bytes / kind->bits_a_key),
                            .D = KEYS_ASKED,
                            .length = KEY_BYTES,
                            .n_threads_cpu = on_cpu ? p->machine.n_processors : 0};

    return tms_model_predict(ctx, p, &w, TMS_FORM_EXTENDED, out) == TMS_OK;
}

static void put_rate(tms_context *ctx, const tms_profile *p, int on_cpu, const struct filter_kind *kind, tms_op op, double bytes, FILE *to)
{
    tms_prediction prediction;
    char text[CHART_LABEL];

    if (!predict(ctx, p, on_cpu, kind, op, bytes, &prediction))
        fputs("<td></td>", to);
    else if (prediction.throughput < 1e8)
        fprintf(to, "<td class=\"n\">%.1f</td>", prediction.throughput / 1e6);
    else
        fprintf(to, "<td class=\"n\">%s</td>", chart_count(round(prediction.throughput / 1e6), text, sizeof text));
}

static void put_sizes(tms_context *ctx, const tms_profile *p, int on_cpu, FILE *to)
{
    char text[MODEL_TEXT];
    tms_prediction asked;

    fputs("<table><caption>Million keys a second, at a false-positive rate of 1 in 1,000</caption>\n"
          "<thead><tr><th rowspan=\"2\">filter</th><th rowspan=\"2\">keys in it</th><th colspan=\"2\">blocked</th>"
          "<th colspan=\"2\">classic</th><th rowspan=\"2\">binds (blocked, asked)</th></tr>\n"
          "<tr><th>asked</th><th>built</th><th>asked</th><th>built</th></tr></thead>\n<tbody>\n",
          to);
    for (size_t i = 0; i < N_SIZES && sizes[i] <= largest(p, on_cpu); i++) {
        fprintf(to, "<tr><th scope=\"row\">%s</th>", model_bytes_text(sizes[i], text));
        fprintf(to, "<td class=\"n\">%s</td>", model_count_text(8 * sizes[i] / kinds[0].bits_a_key, text));
        for (size_t k = 0; k < N_KINDS; k++) {
            put_rate(ctx, p, on_cpu, &kinds[k], TMS_OP_QUERY, sizes[i], to);
            put_rate(ctx, p, on_cpu, &kinds[k], TMS_OP_BUILD, sizes[i], to);
        }
        fprintf(to, "<td>%s</td></tr>\n", predict(ctx, p, on_cpu, &kinds[0], TMS_OP_QUERY, sizes[i], &asked) ? model_binding(&asked) : "");
    }
    fputs("</tbody></table>\n", to);
}

/* Writes which layout is faster, with the smallest and the largest ratio over all sizes. */
static void put_fastest(tms_context *ctx, const tms_profile *p, int on_cpu, FILE *to)
{
    double low = INFINITY, high = 0;
    tms_prediction of[N_KINDS];

    for (size_t i = 0; i < N_SIZES && sizes[i] <= largest(p, on_cpu); i++) {
        if (!predict(ctx, p, on_cpu, &kinds[0], TMS_OP_QUERY, sizes[i], &of[0]) ||
            !predict(ctx, p, on_cpu, &kinds[1], TMS_OP_QUERY, sizes[i], &of[1]))
            continue;
        low = fmin(low, of[0].throughput / of[1].throughput);
        high = fmax(high, of[0].throughput / of[1].throughput);
    }
    if (low >= 1)
        fprintf(to, "<p>The fastest layout is <strong>blocked</strong>, at every size: %.1f to %.1f times as fast as classic.", low, high);
    else if (high > 0 && high < 1)
        fprintf(to, "<p>The fastest layout is <strong>classic</strong>, at every size: %.1f to %.1f times as fast as blocked.", 1 / high,
                1 / low);
    else if (high > 0)
        fprintf(to, "<p>Which layout is faster depends on the size: blocked is %.1f to %.1f times as fast as classic.", low, high);
    else
        fputs("<p>The profile has no measurements of filters of strings.", to);
}

/* Writes the first size, in powers of 2, at which keys take twice as long as in the smallest filter. */
static void put_knee(tms_context *ctx, const tms_profile *p, int on_cpu, FILE *to)
{
    tms_prediction least, now;
    char text[2][MODEL_TEXT];

    if (!predict(ctx, p, on_cpu, &kinds[0], TMS_OP_QUERY, sizes[0], &least))
        return;
    for (double bytes = 2 * sizes[0]; bytes <= largest(p, on_cpu); bytes *= 2) {
        if (!predict(ctx, p, on_cpu, &kinds[0], TMS_OP_QUERY, bytes, &now) || now.seconds < 2 * least.seconds)
            continue;
        fprintf(
            to,
            " Memory limits the rate from filters of <strong>%s</strong> on: keys take twice as long there as in a filter of %s, which fits into the caches.",
            model_bytes_text(bytes, text[0]), model_bytes_text(sizes[0], text[1]));
        return;
    }
    fprintf(to, " Up to %s memory does not halve the rate.", model_bytes_text(largest(p, on_cpu), text[0]));
}

static void put_device(tms_context *ctx, const tms_profile *p, int on_cpu, FILE *to)
{
    fputs("<h3>", to);
    html_put(to, on_cpu ? p->machine.cpu : p->machine.gpu);
    if (on_cpu)
        fprintf(to, ", %u thread%s", p->machine.n_processors, p->machine.n_processors == 1 ? "" : "s");
    fputs("</h3>\n", to);
    put_fastest(ctx, p, on_cpu, to);
    put_knee(ctx, p, on_cpu, to);
    fputs("</p>\n", to);
    put_sizes(ctx, p, on_cpu, to);
}

void page_answers(tms_context *ctx, const tms_profile *profile, FILE *to)
{
    if (profile->has_gpu)
        put_device(ctx, profile, 0, to);
    if (profile->has_cpu)
        put_device(ctx, profile, 1, to);
    fprintf(
        to,
        "<p>Predicted from the profile, for keys of %d bytes that are not in the filter, in memory already: reading lines from a file takes longer. "
        "<code>tamis model tune --app strings --keys N --max-fpr P</code> chooses layout and size, and prints the command that builds the "
        "filter; <code>tamis model predict</code> shows one run in detail.</p>\n",
        KEY_BYTES);
}
