/* classify_page.c - see classify_page.h. */
#include "cli/reads/classify_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "page/html_text.h"
#include "page/page.h"

void classify_scores_add(classify_scores *scores, const tms_classified *results, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const tms_classified *r = &results[i];
        const int at = r->score >= 1 ? CLASSIFY_BINS - 1 : (int)(r->score * CLASSIFY_BINS);
        if (r->verdict == TMS_VERDICT_MATCH) {
            scores->matched[r->best][at]++;
        } else if (r->verdict == TMS_VERDICT_AMBIGUOUS) {
            const uint32_t low = r->best < r->second ? r->best : r->second, high = r->best < r->second ? r->second : r->best;
            scores->ambiguous[at]++;
            scores->ties[low][high]++;
        } else if (r->best == TMS_NO_REFERENCE) {
            scores->n_without_hit++;
        } else {
            scores->unmatched[at]++;
        }
    }
}

/* ---- parts of the page --------------------------------------------------------------------------------------------------------- */

static const char style[] =
    ":root { --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #cc79a7; --c4: #e69f00; --c5: #56b4e9; --c6: #7a7f87; --c7: #b9c0c9; --c8: var(--ink); }\n"
    ".c0 { fill: var(--c0); background: var(--c0); } .c1 { fill: var(--c1); background: var(--c1); } .c2 { fill: var(--c2); background: "
    "var(--c2); } .c3 { fill: var(--c3); background: var(--c3); } .c4 { fill: var(--c4); background: var(--c4); } .c5 { fill: var(--c5); "
    "background: var(--c5); } .c6 { fill: var(--c6); background: var(--c6); } .c7 { fill: var(--c7); background: var(--c7); } .c8 { fill: var(--c8); background: var(--c8); }\n"
    "td:first-child { min-width: 8rem; } td i, figcaption i { display: inline-block; width: 1rem; height: .7rem; margin-right: .5rem; print-color-adjust: exact; }\n"
    "svg { print-color-adjust: exact; } svg text { fill: var(--ink); font-size: 11px; } svg .axis { stroke: var(--muted); } svg .at { stroke: "
    "var(--ink); stroke-dasharray: 3 3; }\n"
    ".scores { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; } .scores figure { margin: 0; }\n"
    "figure.whole svg { border: 1px solid var(--grid); }\n";

enum { COLOURS = 6, OTHERS = 6, UNMATCHED = 7, AMBIGUOUS = 8 }; /* c0 .. c5: the references with most units; the other ones; none; two */

/* The order of references by their number of units, and the colour of each. */
typedef struct page_order {
    size_t items[TMS_MAX_REFERENCES];
    int colours[TMS_MAX_REFERENCES];
} page_order;

static page_order order_of(const classify_report *r)
{
    page_order o = {.items = {0}};

    for (size_t i = 0; i < r->n_references; i++) { /* by insertion: equal numbers keep the order of the command line */
        size_t at = i;
        for (; at > 0 && r->counts->of_reference[o.items[at - 1]] < r->counts->of_reference[i]; at--)
            o.items[at] = o.items[at - 1];
        o.items[at] = i;
    }
    for (size_t i = 0; i < r->n_references; i++)
        o.colours[o.items[i]] = i < COLOURS ? (int)i : OTHERS;
    return o;
}

static double percent(const classify_report *r, uint64_t n)
{
    return r->counts->n_units > 0 ? 100 * (double)n / (double)r->counts->n_units : 0;
}

/* A number with commas. */
static void put_count(FILE *to, uint64_t n)
{
    char digits[24];
    const int size = snprintf(digits, sizeof digits, "%" PRIu64, n);

    for (int i = 0; i < size; i++) {
        fputc(digits[i], to);
        if ((size - i) % 3 == 1 && i + 1 < size)
            fputc(',', to);
    }
}

static double put_share(const classify_report *r, FILE *to, const char *name, uint64_t n, int colour, double x)
{
    const double width = 10 * percent(r, n);

    if (n == 0)
        return x;
    fprintf(to, "<rect class=\"c%d\" x=\"%.2f\" y=\"0\" width=\"%.2f\" height=\"46\"><title>", colour, x, width);
    html_put(to, name);
    fprintf(to, ": %.2f %%</title></rect>\n", percent(r, n));
    return x + width;
}

/* One bar for the whole sample. */
static void put_bar(const classify_report *r, const page_order *order, FILE *to)
{
    double x = 0;

    fputs(
        "<figure class=\"whole\"><svg viewBox=\"0 0 1000 46\" role=\"img\" aria-label=\"Shares of the references; the table below has the "
        "same numbers\" preserveAspectRatio=\"none\" style=\"height:2.8rem\">\n",
        to);
    for (size_t i = 0; i < r->n_references; i++)
        x = put_share(r, to, r->names[order->items[i]], r->counts->of_reference[order->items[i]], order->colours[order->items[i]], x);
    x = put_share(r, to, "ambiguous", r->counts->n_ambiguous, AMBIGUOUS, x);
    (void)put_share(r, to, "unmatched", r->counts->n_unmatched, UNMATCHED, x);
    fputs("</svg></figure>\n", to);
}

/* chance, fpr: below 0: the row has none. */
static void put_row(const classify_report *r, FILE *to, const char *name, int colour, uint64_t n, double chance, double fpr)
{
    fputs("<tr><td>", to);
    if (colour >= 0)
        fprintf(to, "<i class=\"c%d\"></i>", colour);
    html_put(to, name);
    fputs("</td><td class=\"n\">", to);
    put_count(to, n);
    fprintf(to, "</td><td class=\"n\">%.2f %%</td>", percent(r, n));
    fprintf(to, chance >= 0 ? "<td class=\"n\">%.3g</td>" : "<td></td>", chance);
    fprintf(to, fpr >= 0 ? "<td class=\"n\">%.3g</td>" : "<td></td>", fpr);
    fputs("</tr>\n", to);
}

static void put_table(const classify_report *r, const page_order *order, FILE *to)
{
    const classify_counts *c = r->counts;
    const uint64_t length = classify_report_length(r);

    fprintf(to,
            "<table><caption>%s by reference</caption><thead><tr><th>reference</th><th class=\"n\">%s</th><th class=\"n\">share</th><th "
            "class=\"n\">by chance in 10<sup>6</sup></th><th class=\"n\">k-mers by chance</th></tr></thead>\n<tbody>\n",
            r->are_pairs ? "Pairs" : "Reads", r->are_pairs ? "pairs" : "reads");
    for (size_t i = 0; i < r->n_references; i++) {
        const size_t at = order->items[i];
        put_row(r, to, r->names[at], order->colours[at], c->of_reference[at], tms_classifier_expected_false(r->classifier, at, length),
                tms_classifier_fpr(r->classifier, at));
    }
    put_row(r, to, "ambiguous", AMBIGUOUS, c->n_ambiguous, -1, -1);
    put_row(r, to, "unmatched", UNMATCHED, c->n_unmatched, -1, -1);
    put_row(r, to, "total", -1, c->n_units, tms_classifier_expected_false(r->classifier, TMS_NO_REFERENCE, length), -1);
    fprintf(
        to,
        "</tbody></table>\n<p><em>By chance in 10<sup>6</sup></em>: how many of a million random %s of this input's mean length, %" PRIu64
        " bases, would match. <em>K-mers by chance</em>: the probability that a random k-mer is a hit.</p>\n",
        r->are_pairs ? "pairs" : "reads", length);
}

/* ---- scores -------------------------------------------------------------------------------------------------------------------- */

static void put_scores(const classify_report *r, const char *name, int colour, const uint64_t bins[CLASSIFY_BINS], FILE *to)
{
    enum { LEFT = 10, WIDE = 280, TOP = 18, HIGH = 110 };
    const double step = (double)WIDE / CLASSIFY_BINS, threshold = tms_classifier_threshold(r->classifier);
    uint64_t most = 0, sum = 0;

    for (int i = 0; i < CLASSIFY_BINS; i++) {
        most = bins[i] > most ? bins[i] : most;
        sum += bins[i];
    }
    if (sum == 0)
        return;
    fprintf(to, "<figure><svg viewBox=\"0 0 300 165\" role=\"img\" aria-label=\"Scores: ");
    html_put(to, name);
    fputs("\">\n", to);
    for (int i = 0; i < CLASSIFY_BINS; i++) {
        const double high = (double)HIGH * (double)bins[i] / (double)most;
        if (bins[i] > 0)
            fprintf(to,
                    "<rect class=\"c%d\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"><title>%.2f to %.2f: %" PRIu64
                    "</title></rect>\n",
                    colour, LEFT + i * step, TOP + HIGH - (high > 1 ? high : 1), step - 1, high > 1 ? high : 1, (double)i / CLASSIFY_BINS,
                    (double)(i + 1) / CLASSIFY_BINS, bins[i]);
    }
    fprintf(to, "<line class=\"axis\" x1=\"%d\" x2=\"%d\" y1=\"%d\" y2=\"%d\"/>\n", LEFT, LEFT + WIDE, TOP + HIGH, TOP + HIGH);
    for (int i = 0; i <= 4; i++)
        fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%.2g</text>\n", LEFT + WIDE * i / 4, TOP + HIGH + 15,
                i == 0   ? "start"
                : i == 4 ? "end"
                         : "middle",
                (double)i / 4);
    fprintf(
        to,
        "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">score</text>\n<line class=\"at\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/>\n",
        LEFT + WIDE / 2, TOP + HIGH + 31, LEFT + WIDE * threshold, LEFT + WIDE * threshold, TOP - 4, TOP + HIGH);
    fprintf(to, "<text x=\"%d\" y=\"11\">highest bar: ", LEFT);
    put_count(to, most);
    fprintf(to, "</text>\n</svg><figcaption><i class=\"c%d\"></i>", colour);
    html_put(to, name);
    fputs(", ", to);
    put_count(to, sum);
    fputs("</figcaption></figure>\n", to);
}

static void put_all_scores(const classify_report *r, const page_order *order, const classify_scores *scores, FILE *to)
{
    fprintf(
        to,
        "<h2>Scores</h2>\n<p>A score is the share of the k-mers of a %s that %s the reference has; the dashed line is the threshold, %.3g. "
        "Unmatched and ambiguous ones have their best score here",
        r->are_pairs ? "pair" : "read", r->rule == TMS_RULE_DEFAULT ? "" : "(by the rule of FACS: of its bases)",
        tms_classifier_threshold(r->classifier));
    if (scores->n_without_hit > 0) {
        fputs("; ", to);
        put_count(to, scores->n_without_hit);
        fputs(" without any hit are left out", to);
    }
    fputs(".</p>\n<div class=\"scores\">\n", to);
    for (size_t i = 0; i < r->n_references; i++)
        put_scores(r, r->names[order->items[i]], order->colours[order->items[i]], scores->matched[order->items[i]], to);
    put_scores(r, "ambiguous", AMBIGUOUS, scores->ambiguous, to);
    put_scores(r, "unmatched", UNMATCHED, scores->unmatched, to);
    fputs("</div>\n", to);
}

/* ---- ties ---------------------------------------------------------------------------------------------------------------------- */

struct tie {
    uint64_t n;
    size_t first, second;
};

static int compare_ties(const void *a, const void *b)
{
    const struct tie *x = a, *y = b;

    if (x->n != y->n)
        return x->n > y->n ? -1 : 1;
    return x->first != y->first ? (x->first > y->first) - (x->first < y->first) : (x->second > y->second) - (x->second < y->second);
}

static void put_ties(const classify_report *r, const classify_scores *scores, FILE *to)
{
    enum { MOST = 50 };
    struct tie ties[TMS_MAX_REFERENCES * (TMS_MAX_REFERENCES - 1) / 2];
    size_t n = 0;

    if (r->n_references < 2)
        return;
    for (size_t i = 0; i < r->n_references; i++) {
        for (size_t k = i + 1; k < r->n_references; k++) {
            if (scores->ties[i][k] > 0)
                ties[n++] = (struct tie){scores->ties[i][k], i, k};
        }
    }
    fputs("<h2>Ties</h2>\n", to);
    if (n == 0) {
        fprintf(to, "<p>No %s fits two references equally well.</p>\n", r->are_pairs ? "pair" : "read");
        return;
    }
    qsort(ties, n, sizeof *ties, compare_ties);
    fprintf(
        to,
        "<p>%s that fit two references equally well, or so nearly that the difference may be chance, are ambiguous. %s</p>\n<table><caption>"
        "Ambiguous %s by their two best references</caption><thead><tr><th>one</th><th>other</th><th class=\"n\">%s</th><th "
        "class=\"n\">share</th></tr></thead>\n<tbody>\n",
        r->are_pairs ? "Pairs" : "Reads", n > MOST ? "The table has the 50 most frequent." : "", r->are_pairs ? "pairs" : "reads",
        r->are_pairs ? "pairs" : "reads");
    for (size_t i = 0; i < n && i < MOST; i++) {
        fputs("<tr><td>", to);
        html_put(to, r->names[ties[i].first]);
        fputs("</td><td>", to);
        html_put(to, r->names[ties[i].second]);
        fputs("</td><td class=\"n\">", to);
        put_count(to, ties[i].n);
        fprintf(to, "</td><td class=\"n\">%.3f %%</td></tr>\n", percent(r, ties[i].n));
    }
    fputs("</tbody></table>\n", to);
}

bool classify_page(const classify_report *r, const classify_scores *scores, struct byte_array *to)
{
    const page_order order = order_of(r);
    char *text = NULL, title[512];
    size_t n = 0;
    FILE *file = open_memstream(&text, &n);
    bool done;

    if (file == NULL)
        return false;
    snprintf(title, sizeof title, "Sample %.400s: %s by reference", r->sample, r->are_pairs ? "pairs" : "reads");
    page_begin(file, title, style);
    fputs("<p>", file);
    put_count(file, r->counts->n_units);
    fprintf(file, " %s, k-mers of %u bases, rule %s.</p>\n", r->are_pairs ? "pairs" : "reads", tms_classifier_word_size(r->classifier),
            tms_rule_name(r->rule));
    put_bar(r, &order, file);
    put_table(r, &order, file);
    put_all_scores(r, &order, scores, file);
    put_ties(r, scores, file);
    page_end(file, "tamis classify --html", tms_version());
    done = !ferror(file);
    done &= fclose(file) == 0;
    done = done && byte_array_add(to, text, n);
    free(text);
    return done;
}
