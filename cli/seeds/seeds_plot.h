/*
 * seeds_plot.h - the dot plot of tamis seeds --plot: what the chunks of a subject add to it, and its file.
 */
#ifndef TAMIS_SEEDS_PLOT_H
#define TAMIS_SEEDS_PLOT_H

#include "cli/seeds/seed_query.h"
#include "figures/dot_plot.h"
#include "io/io_safe_file.h"

typedef enum seeds_plot_form { SEEDS_PLOT_NONE, SEEDS_PLOT_SVG, SEEDS_PLOT_PNG, SEEDS_PLOT_HTML } seeds_plot_form;

/* All zero: no plot. */
typedef struct seeds_plot {
    dot_plot *plot;
    uint64_t next_record;  /* at least the number of the subject's next record; those without bases have numbers, too */
    uint64_t n_bases;      /* of the subject so far */
    uint64_t record_start; /* where its last record began */
    int is_again;          /* the subject is read again: its records are known */
} seeds_plot;

/* What the picture says about its input. Texts are borrowed. */
typedef struct seeds_plot_text {
    const char *path;            /* of the file */
    const char *query, *subject; /* first files, or the database */
    uint32_t word_size;
    uint64_t least; /* bases of the shortest match */
} seeds_plot_text;

seeds_plot_form seeds_plot_form_of(const char *path); /* by its ending */
int seeds_plot_is(const uint8_t *bytes, size_t n);    /* do these bytes begin a picture or a page? */

/*
 * seeds_plot_create(), seeds_plot_free() - a plot without sequences.
 * seeds_plot_query() - the query's records.
 * seeds_plot_again() - the subject will come once more, for another batch of the query.
 * seeds_plot_subject() - a piece's records, before its matches. first_base [out] of the piece, through all records.
 * They return 0 if there is no memory.
 */
int seeds_plot_create(seeds_plot *p);
void seeds_plot_free(seeds_plot *p);
int seeds_plot_query(seeds_plot *p, const seed_query *query);
void seeds_plot_again(seeds_plot *p);
int seeds_plot_subject(seeds_plot *p, const seqio_dna_piece *piece, uint64_t *first_base);

/* seeds_plot_write() - appends the picture or page to a file. Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY. */
io_status seeds_plot_write(seeds_plot *p, const seeds_plot_text *text, io_safe_file *file, io_error *err);

#endif
