/* classify_page.c - see classify_page.h. */
#include "cli/reads/classify_page.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "figures/chart.h"
#include "figures/picture.h"
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
    "td:first-child { white-space: nowrap; } @media print { td:first-child { white-space: normal; } }\n"
    "td i, figcaption i { display: inline-block; width: 1rem; height: .7rem; margin-right: .5rem; background: currentcolor; "
    "print-color-adjust: exact; }\n"
    ".scores { display: grid; grid-template-columns: repeat(auto-fill, minmax(17rem, 1fr)); gap: 1rem; } .scores figure { margin: 0; }\n";

/* Colours of the references with most units; of the other ones, of units without one, and of units of two. */
enum { COLOURS = 6 };
static const picture_colour others = PICTURE_SERIES + 6, unmatched = PICTURE_SERIES + 7, ambiguous = PICTURE_INK;

/* The order of references by their number of units, and the colour of each. */
typedef struct page_order {
    size_t items[TMS_MAX_REFERENCES];
    picture_colour colours[TMS_MAX_REFERENCES];
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
        o.colours[o.items[i]] = i < COLOURS ? PICTURE_SERIES + (picture_colour)i : others;
    return o;
}

static double percent(const classify_report *r, uint64_t n)
{
    return r->counts->n_units > 0 ? 100 * (double)n / (double)r->counts->n_units : 0;
}

static void put_count(FILE *to, uint64_t n)
{
    char text[40];

    fputs(chart_count((double)n, text, sizeof text), to);
}

/* A box of a colour, before the name that it stands for. */
static void put_swatch(FILE *to, picture_colour colour) { fprintf(to, "<i class=\"%s\"></i>", picture_class(colour)); }

/* Writes the picture and frees it. Returns false if memory is short. */
static bool put_picture(picture *drawn, FILE *to)
{
    struct byte_array svg = {0};
    const bool fits = drawn != NULL && picture_svg(drawn, 1, &svg);

    if (fits)
        fwrite(svg.bytes, 1, svg.n, to);
    free(svg.bytes);
    picture_free(drawn);
    return fits;
}

enum { BAR_WIDE = 1000, BAR_HIGH = 46 };

/* Adds n units to the bar that ends at x. Returns its new end. */
static double add_share(const classify_report *r, picture *bar, const char *name, uint64_t n, picture_colour colour, double x)
{
    const double width = BAR_WIDE * percent(r, n) / 100;
    char about[600];

    if (n == 0)
        return x;
    snprintf(about, sizeof about, "%.500s: %.2f %%", name, percent(r, n));
    picture_box(bar, colour, &(picture_area){x, 0, width, BAR_HIGH}, about);
    return x + width;
}

/* One bar for the whole sample. */
static bool put_bar(const classify_report *r, const page_order *order, FILE *to)
{
    picture *bar = picture_create(BAR_WIDE, BAR_HIGH, "Shares of the references; the table below has the same numbers");
    double x = 0;
    bool fits;

    if (bar == NULL)
        return false;
    for (size_t i = 0; i < r->n_references; i++) {
        const size_t at = order->items[i];
        x = add_share(r, bar, r->names[at], r->counts->of_reference[at], order->colours[at], x);
    }
    x = add_share(r, bar, "ambiguous", r->counts->n_ambiguous, ambiguous, x);
    (void)add_share(r, bar, "unmatched", r->counts->n_unmatched, unmatched, x);
    fputs("<figure>\n", to);
    fits = put_picture(bar, to);
    fputs("</figure>\n", to);
    return fits;
}

/* colour: NULL: the row has none; chance, fpr: so if below 0. */
static void put_row(const classify_report *r, FILE *to, const char *name, const picture_colour *colour, uint64_t n, double chance,
                    double fpr)
{
    fputs("<tr><td>", to);
    if (colour != NULL)
        put_swatch(to, *colour);
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
        put_row(r, to, r->names[at], &order->colours[at], c->of_reference[at], tms_classifier_expected_false(r->classifier, at, length),
                tms_classifier_fpr(r->classifier, at));
    }
    put_row(r, to, "ambiguous", &ambiguous, c->n_ambiguous, -1, -1);
    put_row(r, to, "unmatched", &unmatched, c->n_unmatched, -1, -1);
    put_row(r, to, "total", NULL, c->n_units, tms_classifier_expected_false(r->classifier, TMS_NO_REFERENCE, length), -1);
    fprintf(
        to,
        "</tbody></table>\n<p><em>By chance in 10<sup>6</sup></em>: how many of a million random %s of this input's mean length, %" PRIu64
        " bases, would match. <em>K-mers by chance</em>: the probability that a random k-mer is a hit.</p>\n",
        r->are_pairs ? "pairs" : "reads", length);
}

/* ---- scores -------------------------------------------------------------------------------------------------------------------- */

enum { LEFT = 10, WIDE = 280, TOP = 18, HIGH = 110 }; /* of the area in which bars are, in a picture of 300 x 165 */

static void add_axis(picture *p, double threshold)
{
    static const picture_anchor anchors[] = {PICTURE_START, PICTURE_MIDDLE, PICTURE_MIDDLE, PICTURE_MIDDLE, PICTURE_END};
    char text[16];

    picture_line(p, PICTURE_MUTED, 1, LEFT, TOP + HIGH, LEFT + WIDE, TOP + HIGH);
    for (int i = 0; i <= 4; i++) {
        snprintf(text, sizeof text, "%.2g", (double)i / 4);
        picture_text(p, &(picture_type){PICTURE_INK, 11, anchors[i], 0}, LEFT + (double)(WIDE * i) / 4, TOP + HIGH + 15, text);
    }
    picture_text(p, &(picture_type){PICTURE_INK, 11, PICTURE_MIDDLE, 0}, LEFT + WIDE / 2, TOP + HIGH + 31, "score");
    for (int y = TOP - 4; y < TOP + HIGH; y += 6)
        picture_line(p, PICTURE_INK, 1, LEFT + WIDE * threshold, y, LEFT + WIDE * threshold, y + 2);
}

static bool put_scores(const classify_report *r, const char *name, picture_colour colour, const uint64_t bins[CLASSIFY_BINS], FILE *to)
{
    const double step = (double)WIDE / CLASSIFY_BINS;
    uint64_t most = 0, sum = 0;
    char text[600], count[40];
    picture *p;
    bool fits;

    for (int i = 0; i < CLASSIFY_BINS; i++) {
        most = bins[i] > most ? bins[i] : most;
        sum += bins[i];
    }
    if (sum == 0)
        return true;
    snprintf(text, sizeof text, "Scores: %.500s", name);
    p = picture_create(300, 165, text);
    if (p == NULL)
        return false;
    for (int i = 0; i < CLASSIFY_BINS; i++) {
        const double share = HIGH * (double)bins[i] / (double)most, high = share > 1 ? share : 1;
        snprintf(text, sizeof text, "%.2f to %.2f: %s", (double)i / CLASSIFY_BINS, (double)(i + 1) / CLASSIFY_BINS,
                 chart_count((double)bins[i], count, sizeof count));
        if (bins[i] > 0)
            picture_box(p, colour, &(picture_area){LEFT + i * step, TOP + HIGH - high, step - 1, high}, text);
    }
    add_axis(p, tms_classifier_threshold(r->classifier));
    snprintf(text, sizeof text, "highest bar: %s", chart_count((double)most, count, sizeof count));
    picture_text(p, &(picture_type){PICTURE_INK, 11, PICTURE_START, 0}, LEFT, 11, text);
    fputs("<figure>\n", to);
    fits = put_picture(p, to);
    fputs("<figcaption>", to);
    put_swatch(to, colour);
    html_put(to, name);
    fputs(", ", to);
    put_count(to, sum);
    fputs("</figcaption></figure>\n", to);
    return fits;
}

static bool put_all_scores(const classify_report *r, const page_order *order, const classify_scores *scores, FILE *to)
{
    static const char *const what[][2] = {
        [TMS_RULE_DEFAULT] = {"the share of the k-mers", " that the reference has"},
        [TMS_RULE_FACS] = {"a weighted mean, as in FACS, of two shares",
                           ": of its k-mers that the reference has, and of the bases that these cover"},
        [TMS_RULE_FACS_PERL] = {"the share of the bases", " that k-mers of the reference cover"},
    };
    bool fits = true;

    fprintf(
        to,
        "<h2>Scores</h2>\n<p>A score is %s of a %s%s; the dashed line is the threshold, %.3g. Unmatched and ambiguous ones have their best "
        "score here",
        what[r->rule][0], r->are_pairs ? "pair" : "read", what[r->rule][1], tms_classifier_threshold(r->classifier));
    if (scores->n_without_hit > 0) {
        fputs("; ", to);
        put_count(to, scores->n_without_hit);
        fputs(" without any hit are left out", to);
    }
    fputs(".</p>\n<div class=\"scores\">\n", to);
    for (size_t i = 0; i < r->n_references; i++)
        fits &= put_scores(r, r->names[order->items[i]], order->colours[order->items[i]], scores->matched[order->items[i]], to);
    fits &= put_scores(r, "ambiguous", ambiguous, scores->ambiguous, to);
    fits &= put_scores(r, "unmatched", unmatched, scores->unmatched, to);
    fputs("</div>\n", to);
    return fits;
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
    done = put_bar(r, &order, file);
    put_table(r, &order, file);
    done &= put_all_scores(r, &order, scores, file);
    put_ties(r, scores, file);
    page_end(file, "tamis classify --html", tms_version());
    done &= !ferror(file);
    done &= fclose(file) == 0;
    done = done && byte_array_add(to, text, n);
    free(text);
    return done;
}
