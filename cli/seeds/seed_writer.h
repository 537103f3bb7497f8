/*
 * seed_writer.h - writes seeds as lines of a file: all threads format, and write in order.
 *
 * A thread formats into a buffer of its own and waits for its turn to write it, so memory does not grow with the output.
 */
#ifndef TAMIS_SEED_WRITER_H
#define TAMIS_SEED_WRITER_H

#include "cli/seeds/seed_query.h"
#include "figures/dot_plot.h"
#include "io/io_safe_file.h"
#include "tamis/seeds.h"

typedef struct seed_writer seed_writer;

/* What a scan of a subject has found. */
typedef struct seeds_found {
    const tms_seeds *seeds;
    const tms_seed_hit *hits;
    size_t n_hits;
    uint64_t n_seeds; /* positions of all hits together */
} seeds_found;

/* What becomes of matches. */
typedef struct seed_matches {
    uint64_t least;      /* bases of a match that counts */
    int has_lines;       /* lines of BED are written */
    dot_plot *plot;      /* borrowed; NULL: none */
    uint64_t first_base; /* of the piece, through all records of the subject */
} seed_matches;

/* seed_matches_need_length() - whether the lengths of matches matter: the subject's bases behind the piece, too. */
static inline int seed_matches_need_length(const seed_matches *how, uint32_t word_size)
{
    return how->has_lines || how->plot != NULL || how->least > word_size;
}

/*
 * seed_writer_create() - makes a writer for the query's batch that is searched now.
 *   query [in] borrowed. The batch's names are copied; for matches, whose ends may lie in other batches, the bases of all are borrowed
 *   ctx   [in] borrowed: its threads format
 *   file  [in] borrowed
 *   out   [out] destroyed with seed_writer_destroy()
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status seed_writer_create(const seed_query *query, uint32_t word_size, tms_context *ctx, io_safe_file *file, seed_writer **out,
                             io_error *err);
void seed_writer_destroy(seed_writer *w); /* NULL is fine */

/*
 * seed_writer_put_seeds() - query, q_start, subject, s_start, strand: a line for every position of every hit.
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status seed_writer_put_seeds(seed_writer *w, const tms_dna *subject, const seeds_found *found, io_error *err);

/*
 * seed_writer_put_matches() - joins consecutive seeds on a diagonal: a line of BED6, and a match of the plot, for each match that begins in
 * the piece, in the order of its first seed. It keeps no state between calls: the bases show whether a seed is the first of its
 * match, and how long the match is.
 *   piece     [in] with enough bases behind it that seed_writer_needs_more() returns 0, unless the subject ends
 *   n_matches [in,out] the call adds to it
 * seed_writer_needs_more() - whether a match of the piece reaches the end of the subject's bases in memory.
 * seed_writer_put_matches() returns as seed_writer_put_seeds().
 */
io_status seed_writer_put_matches(seed_writer *w, const seqio_dna_piece *piece, const seeds_found *found, const seed_matches *how,
                                  uint64_t *n_matches, io_error *err);
int seed_writer_needs_more(const seed_writer *w, const seqio_dna_piece *piece, const seeds_found *found);

/* seed_writer_put_passes() - subject, s_start, sub_query. Returns as seed_writer_put_seeds(). */
io_status seed_writer_put_passes(seed_writer *w, const tms_dna *subject, const tms_seed_pass *passes, size_t n_passes, io_error *err);

#endif
