#include "cli/seeds/seeds_plot.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "figures/chart.h"
#include "page/html_text.h"
#include "page/page.h"
#include "tamis/context.h"

enum { PNG_SCALE = 2 };

seeds_plot_form seeds_plot_form_of(const char *path)
{
    static const struct {
        const char *ending;
        seeds_plot_form form;
    } forms[] = {{".svg", SEEDS_PLOT_SVG}, {".png", SEEDS_PLOT_PNG}, {".html", SEEDS_PLOT_HTML}, {".htm", SEEDS_PLOT_HTML}};
    const char *dot = strrchr(path, '.');

    for (size_t i = 0; dot != NULL && i < sizeof forms / sizeof *forms; i++) {
        if (strcasecmp(dot, forms[i].ending) == 0)
            return forms[i].form;
    }
    return SEEDS_PLOT_NONE;
}

int seeds_plot_is(const uint8_t *bytes, size_t n)
{
    static const char *const begins[] = {"<svg xmlns=", "\x89PNG\r\n\x1a\n", "<!DOCTYPE html>"};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        if (n >= strlen(begins[i]) && memcmp(bytes, begins[i], strlen(begins[i])) == 0)
            return 1;
    }
    return 0;
}

int seeds_plot_create(seeds_plot *p)
{
    *p = (seeds_plot){.plot = dot_plot_create()};
    return p->plot != NULL;
}

void seeds_plot_free(seeds_plot *p)
{
    dot_plot_free(p->plot);
    p->plot = NULL;
}

int seeds_plot_query(seeds_plot *p, const seed_query *query)
{
    int fits = 1;

    for (size_t b = 0; b < query->n_batches; b++) {
        const seed_query_batch *batch = &query->batches[b];
        for (size_t i = 0; i < batch->dna->n_parts && fits; i++) {
            const tms_dna_part *part = &batch->dna->parts[i];
            if (i == 0 && batch->n_again > 0)
                dot_plot_query_more(p->plot, part->n_bases - batch->n_again);
            else
                fits = dot_plot_query(p->plot, part->name, part->n_bases);
        }
    }
    return fits;
}

int seeds_plot_subject(seeds_plot *p, const seqio_dna_piece *piece, uint64_t *first_base)
{
    const tms_dna *dna = &piece->chunk.dna;
    uint64_t end;

    for (size_t i = 0; i < dna->n_parts; i++) {
        const tms_dna_part *part = &dna->parts[i];
        uint64_t end_of_part;
        if (part->record >= p->next_record) { /* the first part of this record */
            p->record_start = p->n_bases;
            p->next_record = part->record + 1;
            if (!p->is_again && !dot_plot_subject(p->plot, part->name, 0))
                return 0;
        }
        if (i == 0)
            *first_base = p->record_start + part->offset;
        end_of_part = p->record_start + part->offset + part->n_bases; /* a part may begin with bases of the one before */
        if (!p->is_again)
            dot_plot_subject_more(p->plot, end_of_part - p->n_bases);
        p->n_bases = end_of_part;
    }
    end = p->n_bases; /* matches that begin here may end in the chunks behind */
    for (const seqio_dna_piece *next = piece->next; next != NULL; next = next->next)
        end += next->chunk.dna.n_bases;
    dot_plot_reserve(p->plot, end);
    return 1;
}

void seeds_plot_again(seeds_plot *p) { *p = (seeds_plot){.plot = p->plot, .is_again = 1}; }

/* ---- the page ------------------------------------------------------------------------------------------------------------------ */

static const char *name_of(const char *path) { return strrchr(path, '/') != NULL ? strrchr(path, '/') + 1 : path; }

static void put_number(FILE *to, uint64_t n)
{
    char text[40];

    fprintf(to, "<td class=\"n\">%s</td>", chart_count((double)n, text, sizeof text));
}

static void put_facts(const seeds_plot *p, const seeds_plot_text *text, FILE *to)
{
    static const char *const strands[] = {"forward", "reverse"};
    dot_plot_facts facts;

    dot_plot_get_facts(p->plot, &facts);
    fputs("<div class=\"facts\">\n<table><caption>Sequences</caption>\n<thead><tr><th>side</th><th>file</th><th class=\"n\">records</th>"
          "<th class=\"n\">bp</th></tr></thead>\n<tbody><tr><th scope=\"row\">subject (across)</th><td>",
          to);
    html_put(to, name_of(text->subject));
    fputs("</td>", to);
    put_number(to, facts.n_subject);
    put_number(to, facts.subject_bases);
    fputs("</tr>\n<tr><th scope=\"row\">query (up)</th><td>", to);
    html_put(to, name_of(text->query));
    fputs("</td>", to);
    put_number(to, facts.n_query);
    put_number(to, facts.query_bases);
    fprintf(to,
            "</tr></tbody></table>\n<table><caption>Exact matches of %llu bp or more</caption>\n<thead><tr><th>strand</th><th "
            "class=\"n\">matches</th><th class=\"n\">bp together</th><th class=\"n\">longest, bp</th></tr></thead>\n<tbody>",
            (unsigned long long)text->least);
    for (int i = 0; i < 2; i++) {
        fprintf(to, "<tr><th scope=\"row\">%s</th>", strands[i]);
        put_number(to, facts.n_matches[i]);
        put_number(to, facts.n_bases[i]);
        put_number(to, facts.longest[i]);
        fputs("</tr>\n", to);
    }
    fputs("</tbody></table>\n</div>\n", to);
    if (facts.is_density)
        fputs(
            "<p>There are more matches than could be told apart as lines, so a pixel's shade shows how many bases match in it; it has the "
            "colour of the strand with more of them.</p>\n",
            to);
    fprintf(to,
            "<p>The numbers behind the picture: <code>tamis seeds -query … -subject … -word_size %u --min-length %llu --bed</code>.</p>\n",
            text->word_size, (unsigned long long)text->least);
}

/* On paper, the picture leaves room for the rest of the page. */
static const char style[] =
    "figure svg { min-width: 34rem; max-width: 72rem; } .facts { display: flex; flex-wrap: wrap; gap: 0 4rem; }\n"
    "@media print { .facts { gap: 0 2rem; } figure, footer { margin: 0; } figure > svg { min-width: 0; max-height: 9cm; } }\n"
    "@media print and (orientation: portrait) { figure > svg { max-height: 13cm; } }\n";

static int put_page(const seeds_plot *p, const seeds_plot_text *text, const struct byte_array *svg, struct byte_array *to)
{
    char *page = NULL, title[640];
    size_t n = 0;
    FILE *file = open_memstream(&page, &n);
    int fits;

    if (file == NULL)
        return 0;
    snprintf(title, sizeof title, "Dot plot: %.300s against %.300s", name_of(text->query), name_of(text->subject));
    page_begin(file, title, style);
    fputs("<figure tabindex=\"0\" aria-label=\"Dot plot\">\n", file);
    fwrite(svg->bytes, 1, svg->n, file);
    fputs("</figure>\n", file);
    put_facts(p, text, file);
    page_end(file, "tamis seeds", tms_version());
    fits = !ferror(file);
    fits &= fclose(file) == 0;
    fits = fits && byte_array_add(to, page, n);
    free(page);
    return fits;
}

io_status seeds_plot_write(seeds_plot *p, const seeds_plot_text *text, io_safe_file *file, io_error *err)
{
    const seeds_plot_form form = seeds_plot_form_of(text->path);
    picture *drawn = dot_plot_draw(p->plot, name_of(text->query), name_of(text->subject), text->least);
    struct byte_array svg = {0}, out = {0};
    io_status status;
    int fits = drawn != NULL;

    if (form == SEEDS_PLOT_PNG)
        fits = fits && picture_png(drawn, PNG_SCALE, &out);
    else if (form == SEEDS_PLOT_SVG)
        fits = fits && picture_svg(drawn, 0, &out);
    else
        fits = fits && picture_svg(drawn, 1, &svg) && put_page(p, text, &svg, &out);
    picture_free(drawn);
    free(svg.bytes);
    status = fits ? io_safe_file_write(file, out.bytes, out.n, err) : io_fail_memory(err, "the plot");
    free(out.bytes);
    return status;
}
