/*
 * classify_units.h - reads the units of tamis classify, reads or pairs of mates, batch by batch: from one file or two, and then from those
 * of the next lane.
 *
 * Two files have two readers, each with a thread of its own. Their batches need not end at the same record; a batch of units has the
 * records that both have. Nothing is copied. A unit with a record that is too long for a batch comes alone, in parts, so that the memory
 * does not depend on the lengths of records.
 */
#ifndef TAMIS_CLI_CLASSIFY_UNITS_H
#define TAMIS_CLI_CLASSIFY_UNITS_H

#include "base/byte_array.h"
#include "seqio/seqio_records.h"
#include "tamis/classify.h"

/* A record of one mate of a unit in parts, or the next part of that record. */
typedef struct classify_part {
    size_t mate;
    const uint8_t *letters;
    size_t n_letters;
    const uint8_t *raw; /* the file's bytes of the part, approximately; NULL if the caller does not want them */
    size_t n_raw;
    int ends_mate, ends_unit;
} classify_part;

typedef struct classify_units {
    const char *const *paths; /* borrowed: n_files of the first lane, then of the second, ... */
    size_t n_lanes;
    size_t n_files, n_mates; /* of a unit: 1 or 2. One file with 2 is interleaved */
    int any_names;           /* mates may have any names */

    int raw, no_headers;
    size_t lane;
    seqio_records *files[2];
    int kinds[2];                 /* of the lanes so far: ... */
    uint64_t n_before, n_read[2]; /* bytes used of the lanes before, and of the files of this one */
    char mark;                    /* of this lane's mates: '.', '_' or ':' before 1 and 2; '/': these or none; 0: no pair was seen */
    seqio_records_batch batches[2];
    size_t used[2]; /* processed records, or parts, of each batch */

    /* The current units: read i of each of n_mates. Or a part of a unit: */
    tms_reads mates[2];
    size_t n_units;
    int in_parts;
    classify_part part;
    struct byte_array name; /* of the unit in parts, and ... */
    uint64_t record;        /* ... the number of its first mate's record */
} classify_units;

/*
 * classify_units_open() - opens zeroed units with paths, n_lanes, n_files, n_mates and any_names set; call classify_units_close() in any
 * case. raw   [in] 1: batches also have the file's bytes of the records names [in] 1: batches have names; those of pairs have them in any
 * case Returns as seqio_records_open().
 */
io_status classify_units_open(classify_units *units, int raw, int names, io_error *err);

/*
 * classify_units_next() - the next units, in the order of the input; or, with in_parts, the next part of one. Parts of the first mate come
 * before those of the second. With the one that ends the unit n_units is 1, before that 0.
 * Returns IO_OK; IO_END; IO_E_INPUT, naming file and record or line: a fault of the file, mates whose names do not agree but for their
 * numbers, a read without a mate, or a lane of FASTA after one of FASTQ; IO_E_MEMORY.
 */
io_status classify_units_next(classify_units *units, io_error *err);

/* A mate's record of unit i: its number in batches[*file]. Not of a unit in parts. */
size_t classify_units_record(const classify_units *units, size_t mate, size_t i, size_t *file);

/* The name of unit i: the first word of its header; of pairs that of the first mate, without its number. */
const char *classify_units_name(const classify_units *units, size_t i, size_t *size);

/* Bytes of the files that are processed so far: compressed bytes of compressed files. */
uint64_t classify_units_offset(const classify_units *units);

void classify_units_close(classify_units *units);

#endif
