/*
 * seqio_dna_options.h - what is asked of reading sequences, and what is counted: for seqio_dna.h and for the readers below it.
 */
#ifndef TAMIS_IO_DNA_OPTIONS_H
#define TAMIS_IO_DNA_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "tamis/seqdb.h"

#define SEQIO_DNA_MAX_OVERLAP 31
#define SEQIO_DNA_MAX_NAME    65535 /* bytes of a record's name */
#define SEQIO_DNA_AHEAD       2
#define SEQIO_DNA_MAX_AHEAD   255

typedef struct seqio_dna_options {
    const char *const *paths; /* borrowed until seqio_dna_close(); "-" is standard input */
    size_t n_paths;
    size_t chunk_bases;  /* a chunk closes at this many bases, overlap not counted: 1 .. TMS_DNA_MAX_BASES - 31. It closes before
                            that where its names fill a quarter as many bytes (and SEQIO_DNA_MAX_NAME + 1 at least) */
    uint32_t overlap;    /* 0 .. SEQIO_DNA_MAX_OVERLAP: a chunk in which a record goes on begins with so many of its last bases
                            (w - 1), or with all that the chunk before had of it */
    int keep_empty;      /* 1: an empty record has a part, of no bases */
    int n_ahead;         /* chunks that may wait to be taken, until seqio_dna_set_ahead(): 0: SEQIO_DNA_AHEAD; up to SEQIO_DNA_MAX_AHEAD */
    const tms_seqdb *db; /* borrowed likewise: a database in place of files; NULL: none */
} seqio_dna_options;

/* What was read so far. Overlaps are not counted. */
typedef struct seqio_dna_totals {
    uint64_t n_records, n_bases, n_other; /* n_other: of the bases, letters other than ACGT */
} seqio_dna_totals;

#endif
