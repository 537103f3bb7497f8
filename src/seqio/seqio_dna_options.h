/*
 * seqio_dna_options.h - options of reading sequences, and totals, for seqio_dna.h and the readers below it.
 */
#ifndef TAMIS_SEQIO_DNA_OPTIONS_H
#define TAMIS_SEQIO_DNA_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/seqdb.h"

#define SEQIO_DNA_MAX_OVERLAP 31
#define SEQIO_DNA_MAX_NAME    65535 /* most bytes of a record's name */
#define SEQIO_DNA_AHEAD       2
#define SEQIO_DNA_MAX_AHEAD   255

typedef struct seqio_dna_options {
    const char *const *paths; /* borrowed until seqio_dna_close(); "-" is standard input */
    size_t n_paths;
    size_t chunk_bases;  /* a chunk closes at this many bases, not counting the overlap: 1 .. TMS_DNA_MAX_BASES - 31. It closes earlier
                          * if the names of its parts fill a quarter as many bytes (at least SEQIO_DNA_MAX_NAME + 1) */
    uint32_t overlap;    /* 0 .. SEQIO_DNA_MAX_OVERLAP: a chunk that continues a record begins with this many of the record's previous
                          * bases (w - 1), or with all that the previous chunk had */
    int keep_empty;      /* 1: an empty record has a part, of no bases */
    int n_ahead;         /* chunks that may wait for the caller until seqio_dna_set_ahead() is called: 0: SEQIO_DNA_AHEAD; at most
                          * SEQIO_DNA_MAX_AHEAD */
    const tms_seqdb *db; /* a database to read in place of files; NULL: none; borrowed until seqio_dna_close() */
} seqio_dna_options;

/* What has been read so far, not counting overlaps. */
typedef struct seqio_dna_totals {
    uint64_t n_records, n_bases, n_other; /* n_other: bases that are ambiguous */
} seqio_dna_totals;

#endif
