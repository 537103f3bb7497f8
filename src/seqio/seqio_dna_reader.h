/*
 * seqio_dna_reader.h - fills chunks with sequences: a sink for the events of a parser, and functions for a format that has packed bases.
 * seqio_dna.c is above it and has the thread.
 *
 * Each function returns IO_SINK_FULL if the chunk is full. The caller repeats it with a new chunk, and it continues with what was left.
 */
#ifndef TAMIS_SEQIO_DNA_READER_H
#define TAMIS_SEQIO_DNA_READER_H

#include "io/io_reader.h"
#include "seqio/seqio_dna_options.h"
#include "seqio/seqio_sequences.h"
#include "tamis/dna.h"
#include "tamis/seqdb.h"

typedef struct dna_chunk {
    tms_dna_room room;
    int in_slab;         /* room.codes is part of a slab, and is not freed */
    tms_dna_part *parts; /* start, record and offset are set when the part is opened, the rest when the chunk is put */
    size_t n_parts, parts_capacity;
    char *names; /* names of the parts, one after the other, each with a NUL */
    size_t names_size, names_capacity;
    uint64_t n_before; /* bases and ambiguous bases of the overlap, which the previous chunk has counted */
    uint64_t n_before_other;
    uint64_t n_read;
    seqio_dna_totals totals;
} dna_chunk;

/* The last bases of a record, with which the next chunk begins. */
typedef struct dna_tail {
    unsigned n;
    uint64_t codes;
    tms_dna_run runs[SEQIO_DNA_MAX_OVERLAP]; /* start is relative to the tail's first base */
    unsigned n_runs;
} dna_tail;

typedef struct dna_reader {
    size_t chunk_bases; /* this and the next two as in seqio_dna_options */
    uint32_t overlap;
    int keep_empty;
    size_t max_names;                     /* a chunk closes at this many bytes of names */
    int many_wait;                        /* 1: many chunks may wait for the caller */
    int has_full;                         /* 1: a chunk has grown to its full size */
    void *slabs[IO_READER_MAX_SLOTS / 8]; /* memory for codes, from slab_alloc(). A chunk takes memory from a slab once, an eighth of it
                                           * at most */
    int n_slabs;
    size_t slab_used; /* bytes used of the last slab */
    dna_chunk chunks[IO_READER_MAX_SLOTS];
    dna_tail tail;    /* of the previous chunk */
    io_reader reader; /* its slots are chunks */
    tms_context *ctx;
    seqio_sequences *source; /* the source of the files' bytes, owned; NULL: a database */
    uint64_t n_read;         /* bytes of the database read so far */
    const char *file;        /* name of the current file, for messages */
    uint64_t n_before;       /* bases of the previous files */
    seqio_dna_totals so_far; /* records begun, and bases and ambiguous bases of chunks already put */
    int in_record, in_part;  /* in_part: the record's open part is the last one of the current chunk */
    uint64_t offset;         /* bases of the record so far */
    char *name;              /* the record's name, NUL-terminated */
    size_t name_size;        /* including the NUL */
} dna_reader;

/*
 * dna_reader_init() - initialize a zeroed reader. Call dna_reader_free() at the end even after a failure. Returns IO_OK; IO_E_INPUT;
 * IO_E_MEMORY.
 */
io_status dna_reader_init(dna_reader *r, const seqio_dna_options *options, io_error *err);
void dna_reader_free(dna_reader *r);

/* dna_sink() - a sink for a parser's events. */
seqio_sequence_sink dna_sink(dna_reader *r);

/* dna_begin_chunk() - begin an empty chunk, with the overlap. Returns IO_OK; IO_E_MEMORY. */
io_status dna_begin_chunk(dna_reader *r, io_error *err);

/*
 * dna_begin_record() - end the previous record and begin one. name: n bytes; n is 0 if it has none. Returns IO_OK; IO_SINK_FULL;
 * IO_E_MEMORY.
 */
io_status dna_begin_record(dna_reader *r, const char *name, size_t n, io_error *err);

/* dna_end_record() - end the current record, if there is one. Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY. */
io_status dna_end_record(dna_reader *r, io_error *err);

/*
 * dna_add_bases() - append characters of the current record. *n_done is set whatever it returns.
 * Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY; IO_E_INPUT if bases[*n_done] is no nucleotide, without a message: the caller writes it.
 */
io_status dna_add_bases(dna_reader *r, const char *bases, size_t n, size_t *n_done, io_error *err);

/*
 * dna_add_sequence() - append all bases of sequence i of a database, which is the current record.
 *   start [in,out] the first base not taken yet
 * Returns IO_OK; IO_SINK_FULL; IO_E_MEMORY; IO_E_INPUT if the sequence is damaged, without a message: the caller writes it.
 */
io_status dna_add_sequence(dna_reader *r, const tms_seqdb *db, uint64_t i, uint64_t *start, io_error *err);

/* dna_finish() - end the input. Returns IO_SINK_FULL; after the last chunk IO_END. */
io_status dna_finish(dna_reader *r);

#endif
