/* mask_names.h - the name of a record in printed masks: its number, or with -parse_seqids the ids of its header. */
#ifndef TAMIS_CLI_MASK_NAMES_H
#define TAMIS_CLI_MASK_NAMES_H

#include "base/byte_array.h"
#include "cli/db/mask_database.h"
#include "io/io_error.h"
#include "seqid/seqid_parse.h"

/* Initial state: all zero, except for the molecule, the database and whether to parse ids. */
typedef struct mask_names {
    tms_molecule molecule;
    mask_database *database; /* borrowed; the records are its sequences, in their order, with the ids that it stores. NULL: FASTA */
    int parse_ids;
    int hides_ids;      /* print titles without ids */
    uint64_t n_records; /* records so far */
    uint64_t n_unnamed; /* records without an id so far */
    struct byte_array scratch;
    /* The last record: */
    struct text header;
    struct seqid ids[SEQID_MAX_IDS];
    size_t n_ids;
} mask_names;

/* mask_names_next() - the next record, whose header is borrowed. Returns IO_OK; IO_E_INPUT: its first word is no id, or the
 * database is damaged; IO_E_MEMORY. */
io_status mask_names_next(mask_names *names, const char *header, size_t n, io_error *err);

/* mask_names_id() - the id that identifies the last record: its gi, or the first id. */
const struct seqid *mask_names_id(const mask_names *names);

/* mask_names_title() - appends the title as NCBI's programs print it, behind the ids if they are parsed. Returns false: no memory. */
bool mask_names_title(const mask_names *names, struct byte_array *to);

void mask_names_free(mask_names *names);

#endif
