/*
 * seed_writer.h - seeds as lines on standard output: formatted by all threads, written in order.
 *
 * A thread formats into a buffer of its own and waits for its turn to write it, so memory does not grow with the output.
 */
#ifndef TAMIS_SEED_WRITER_H
#define TAMIS_SEED_WRITER_H

#include "io/io_error.h"
#include "tamis/seeds.h"

typedef struct seed_writer seed_writer;

/*
 * seed_writer_create() - for the places of one query.
 *   query [in] one piece with every record from its beginning; what is needed of it is copied
 *   out   [out] destroyed with seed_writer_destroy()
 * Returns IO_OK or IO_E_MEMORY.
 */
io_status seed_writer_create(const tms_dna *query, int n_threads, seed_writer **out, io_error *err);
void seed_writer_destroy(seed_writer *w); /* NULL is fine */

/*
 * seed_writer_put_seeds() - query, q_start, subject, s_start, strand: a line for every place of every hit.
 *   n_seeds [in] places of all hits together
 * Returns IO_OK; IO_E_OUTPUT; IO_E_MEMORY.
 */
io_status seed_writer_put_seeds(seed_writer *w, const tms_seeds *seeds, const tms_dna *subject, const tms_seed_hit *hits,
                                size_t n_hits, uint64_t n_seeds, io_error *err);

/* seed_writer_put_passes() - subject, s_start, sub_query. Returns the same. */
io_status seed_writer_put_passes(seed_writer *w, const tms_dna *subject, const tms_seed_pass *passes, size_t n_passes,
                                 io_error *err);

#endif
