/*
 * io_dna_reader.h - between io_dna.c, which has the thread and the chunks, and the readers of one format each.
 *
 * A reader takes bytes from its dna_input and calls dna_begin_record() and dna_add_*(). They return IO_END where the caller of
 * io_dna wants no more; the reader then returns IO_END too.
 */
#ifndef TAMIS_IO_DNA_READER_H
#define TAMIS_IO_DNA_READER_H

#include "io_dna.h"
#include "io_stream.h"

/* A file being read: what lies between pos and end was read and not used. */
typedef struct dna_input {
    io_stream *stream;
    const char *name; /* for messages */
    uint8_t *bytes;
    size_t pos, end, size;
} dna_input;

/* dna_input_more() - more bytes after those not used, which move to the front. Returns as io_stream_read(). */
io_status dna_input_more(dna_input *in, io_error *err);

/* dna_begin_record() - the record before ends. name: n bytes, 0 where it has none. Returns IO_OK; IO_END; IO_E_MEMORY. */
io_status dna_begin_record(io_dna *r, const char *name, size_t n, io_error *err);

/*
 * dna_add_letters() - letters of the current record.
 * Returns IO_OK; IO_END; IO_E_MEMORY; IO_E_INPUT where letters[*n_done] is no nucleotide, and it is for the reader to say so.
 */
io_status dna_add_letters(io_dna *r, const char *letters, size_t n, size_t *n_done, io_error *err);

/*
 * dna_add_packed() - n bases of the current record, from base start of `from` on.
 *   run [in,out] the first run of `from` that may reach these bases
 * Returns IO_OK; IO_END; IO_E_MEMORY.
 */
io_status dna_add_packed(io_dna *r, const tms_dna *from, size_t start, size_t n, size_t *run, io_error *err);

/* The current record, from dna_begin_record() on. */
uint64_t dna_record_bases(const io_dna *r); /* so far */
const char *dna_record_name(const io_dna *r);

/*
 * dna_read_text() - a FASTA or FASTQ file from in->pos, its '>' or '@', on.
 *   letters [in] scratch of in->size bytes
 *   line    [in] number of the line there
 * dna_read_t2b() - a .t2b file, whose magic lies at in->pos.
 * Both return IO_OK at the end of the file.
 */
io_status dna_read_text(io_dna *r, dna_input *in, char *letters, uint64_t line, io_error *err);
io_status dna_read_t2b(io_dna *r, dna_input *in, io_error *err);

#endif
