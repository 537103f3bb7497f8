/*
 * seqio_dna_reader.h - the chunks that sequences fill: a sink for the events of a parser, and calls for a format that has its own bases.
 * seqio_dna.c is above it and has the thread.
 *
 * Each call returns IO_SINK_FULL if the chunk takes no more. When it is repeated, there is a new chunk and it goes on with what was left.
 */
#ifndef TAMIS_IO_DNA_READER_H
#define TAMIS_IO_DNA_READER_H

#include "io/io_reader.h"
#include "seqio/seqio_dna_options.h"
#include "seqio/seqio_sequences.h"
#include "tamis/dna.h"
#include "tamis/seqdb.h"

typedef struct dna_chunk {
    tms_dna_room room;
    int in_slab;         /* room.codes are, and are not freed */
    tms_dna_part *parts; /* start, record and offset when opened, the rest when the chunk is put */
    size_t n_parts, parts_capacity;
    char *names; /* of the parts, one after the other, each with its NUL */
    size_t names_size, names_capacity;
    uint64_t n_before; /* bases and other letters of the overlap: counted in the chunk before */
    uint64_t n_before_other;
    uint64_t n_read;
    seqio_dna_totals totals;
} dna_chunk;

/* The last bases of a record, to go ahead of what follows in the next chunk. */
typedef struct dna_tail {
    unsigned n;
    uint64_t codes;
    tms_dna_run runs[SEQIO_DNA_MAX_OVERLAP]; /* start: from the tail's first base */
    unsigned n_runs;
} dna_tail;

typedef struct dna_reader {
    size_t chunk_bases; /* as in seqio_dna_options */
    uint32_t overlap;
    int keep_empty;
    size_t max_names;                     /* bytes of names at which a chunk closes */
    int many_wait;                        /* chunks, before the caller takes them */
    int has_full;                         /* a chunk has grown to its full size */
    void *slabs[IO_READER_MAX_SLOTS / 8]; /* of codes: slab_alloc(). A chunk takes room in one once, an eighth at most */
    int n_slabs;
    size_t slab_used; /* bytes of the last one */
    dna_chunk chunks[IO_READER_MAX_SLOTS];
    dna_tail tail;    /* of the chunk before */
    io_reader reader; /* its slots are chunks */
    tms_context *ctx;
    seqio_sequences *source; /* where the bytes come from; owned; NULL: a database */
    uint64_t n_read;         /* of a database: bytes so far */
    const char *file;        /* the current one, for messages */
    uint64_t n_before;       /* bases of the files before it */
    seqio_dna_totals so_far; /* records begun; bases and other letters in chunks already put */
    int in_record, in_part;  /* in_part: the record's open part is the current chunk's last */
    uint64_t offset;         /* bases of the record so far */
    char *name;              /* the record's, NUL-terminated */
    size_t name_size;        /* with its NUL */
} dna_reader;

/* dna_reader_init() - of zeroes. Whatever it returns, dna_reader_free() at the end. Returns IO_OK; IO_E_INPUT; IO_E_MEMORY. */
io_status dna_reader_init(dna_reader *r, const seqio_dna_options *options, io_error *err);
void dna_reader_free(dna_reader *r);

/* dna_sink() - for the events of a parser. */
seqio_sequence_sink dna_sink(dna_reader *r);

/* dna_begin_chunk() - an empty one, but for the overlap. Returns IO_OK; IO_E_MEMORY. */
io_status dna_begin_chunk(dna_reader *r, io_error *err);

/* dna_begin_record() - the record before ends. name: n bytes, 0 where it has none. Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY. */
io_status dna_begin_record(dna_reader *r, const char *name, size_t n, io_error *err);

/* dna_end_record() - where there is none, nothing. Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY. */
io_status dna_end_record(dna_reader *r, io_error *err);

/*
 * dna_add_letters() - letters of the current record, of which *n_done were taken, whatever it returns.
 * Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY; IO_E_INPUT where letters[*n_done] is no nucleotide, and it is for the reader to say so.
 */
io_status dna_add_letters(dna_reader *r, const char *letters, size_t n, size_t *n_done, io_error *err);

/*
 * dna_add_sequence() - all bases of sequence i of a database, which is the current record.
 *   start [in,out] the first base that is not taken yet
 * Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY; IO_E_INPUT where the sequence is damaged, and it is for the reader to say how.
 */
io_status dna_add_sequence(dna_reader *r, const tms_seqdb *db, uint64_t i, uint64_t *start, io_error *err);

/* dna_finish() - all files end. Returns IO_SINK_FULL; after the last chunk IO_END. */
io_status dna_finish(dna_reader *r);

#endif
