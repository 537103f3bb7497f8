/*
 * classify_units.h - reads the units of tamis classify, reads or pairs of mates, batch by batch: from one file or two, then from those of
 * the next lane.
 *
 * Two files have two readers, each with its own thread. Their batches need not end at the same record; a batch of units has the records
 * that are in both. Nothing is copied. A unit with a record that is too long for a batch comes alone, in parts, so that the memory does not
 * depend on the lengths of records.
 */
#ifndef TAMIS_CLI_CLASSIFY_UNITS_H
#define TAMIS_CLI_CLASSIFY_UNITS_H

#include "base/byte_array.h"
#include "seqio/seqio_records.h"
#include "tamis/classify.h"

/* A record of one mate of a unit in parts, or the next part of that record. */
typedef struct classify_part {
    size_t mate;
    const uint8_t *bases;
    size_t n_bases;
    const uint8_t *raw; /* the file's bytes of the part, approximately; NULL if the caller does not want them */
    size_t n_raw;
    int ends_mate, ends_unit;
} classify_part;

typedef struct classify_units {
    const char *const *paths; /* borrowed: n_files of the first lane, then of the second, ... */
    size_t n_lanes;
    size_t n_files, n_mates; /* each 1 or 2; one file with 2 mates is interleaved */
    int any_names;           /* mates may have any names */
    tms_interval range;      /* units to take, by their number in all lanes; end UINT64_MAX: all from start on */

    int raw, no_headers;
    size_t lane;
    seqio_records *files[2];
    int kinds[2];                 /* format of each mate's files so far, FASTA or FASTQ; 0: none read */
    uint64_t n_before, n_read[2]; /* bytes read of earlier lanes, and of each file of this lane */
    char mark; /* separator before the mate numbers of this lane: '.', '_' or ':'; '/': that or no number; 0: no pair seen yet */
    seqio_records_batch batches[2];
    size_t used[2]; /* number of processed records, or parts, of each batch */

    uint64_t n_passed; /* units read so far, in range or not */

    /* The current units: mate m of unit i is record i of mates[m]. With in_parts, `part` of one unit instead. */
    tms_reads mates[2];
    size_t n_units;
    int in_parts;
    classify_part part;
    struct byte_array name; /* name of the unit in parts */
    uint64_t record;        /* number of the first mate's record of the unit in parts */
} classify_units;

/*
 * classify_units_open() - opens zeroed units with paths, n_lanes, n_files, n_mates, any_names and range set. Call classify_units_close()
 * even after a failure. raw   [in] 1: batches also have the file's bytes of the records names [in] 1: batches have names; with 0 they have
 * names only if those of mates are compared Returns as seqio_records_open().
 */
io_status classify_units_open(classify_units *units, int raw, int names, io_error *err);

/*
 * classify_units_next() - reads the next units of the range, in the order of the input, or, with in_parts, the next part of a unit. The
 * parts of the first mate come before those of the second; n_units is 1 with the part that ends the unit, and 0 before. Returns IO_OK;
 * IO_END; IO_E_MEMORY; IO_E_INPUT, naming file and record or line: a damaged file, mates whose names do not agree, a read without a mate,
 * or a lane of FASTA after one of FASTQ.
 */
io_status classify_units_next(classify_units *units, io_error *err);

/* classify_units_count() - the number of units of all lanes of unopened units, which it reads and leaves unopened. Returns as the above. */
io_status classify_units_count(const classify_units *units, uint64_t *n, io_error *err);

/* classify_units_record() - the index of a mate's record of unit i in batches[*file]. Not for a unit in parts. */
size_t classify_units_record(const classify_units *units, size_t mate, size_t i, size_t *file);

/* classify_units_name() - the name of unit i: the first word of its header; for a pair, the first mate's name without its number. */
const char *classify_units_name(const classify_units *units, size_t i, size_t *size);

/* classify_units_offset() - number of input bytes processed so far, as they are in the files: compressed or not. */
uint64_t classify_units_offset(const classify_units *units);

void classify_units_close(classify_units *units);

#endif
