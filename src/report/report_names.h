/*
 * report_names.h - ids and titles of queries and subjects, in the forms that the formats want.
 *
 *   parsed      the sequence has ids: of a database that was made so, or from its header with -parse_deflines
 *   not parsed  the header is its title, and its first word is what tables call it
 */
#ifndef TMS_REPORT_NAMES_H
#define TMS_REPORT_NAMES_H

#include "base/byte_array.h"
#include "io/io_error.h"
#include "seqid/seqid_parse.h"
#include "tamis/seqdb.h"

/* One defline. Texts are borrowed. */
struct report_name {
    tms_molecule molecule;
    bool is_parsed;
    bool is_stored;        /* of a database */
    struct text title;     /* parsed: without the ids */
    struct text id;        /* "sp|P12345.2|NAME"; not parsed: the first word, or a substitute */
    struct text ids;       /* parsed: with the gi, "gi|5|sp|P12345.2|NAME" */
    struct text accession; /* parsed: "P12345.2", "db:tag", or "gi|5" if there is no other; else as id */
    struct text label;     /* the accession, but "pir||A12345"; not parsed: as id */
    struct text listed;    /* of -subject, parsed: what format 15 lists */
    int64_t gi;            /* 0: none */
    int64_t taxid;
    bool is_third_party; /* parsed: an id of tpg, tpe or tpd; the tidied title then begins with TPA: */
};

/* Memory for the name of a header with ids; all zero at first. */
struct report_parsed {
    struct byte_array scratch, texts;
};
void report_parsed_free(struct report_parsed *parsed);

/*
 * report_name_parse() - of a header of -query or -subject, with -parse_deflines. A header without an id gets `unnamed` for one.
 * Returns IO_OK; IO_E_INPUT: the first word is no id; IO_E_MEMORY.
 */
io_status report_name_parse(struct text header, tms_molecule molecule, struct text unnamed, struct report_parsed *parsed,
                            struct report_name *out, io_error *err) TMS_CHECKED;

/*
 * report_header_ids() - those of the first word of a header that report_header_has_id().
 *   scratch [out] emptied; ids point into it
 *   ids     [out] SEQID_MAX_IDS of them
 * Returns as report_name_parse().
 */
io_status report_header_ids(struct text header, tms_molecule molecule, struct byte_array *scratch, struct seqid *ids, size_t *n_ids,
                            io_error *err) TMS_CHECKED;

/* report_name_plain() - of a header that is not parsed. unnamed: the id of a header without a first word. */
struct report_name report_name_plain(struct text header, tms_molecule molecule, struct text unnamed);

/*
 * report_name_stored() - of a defline of a database. A name without ids has the first word of the tidied title; if there is none,
 * gnl|BL_ORD_ID|0.
 *   tidied [out] emptied; out borrows from it
 * Returns false if memory runs out.
 */
bool report_name_stored(const tms_seqdb_name *name, tms_molecule molecule, struct byte_array *tidied, struct report_name *out);

/* report_header_has_id() - whether report_name_parse() finds an id: blanks alone have none, nor has an id with a range. */
bool report_header_has_id(struct text header);

/* report_header() - a header without blanks at its beginning, and up to the first tab. */
struct text report_header(const char *bytes, size_t n);

/* report_header_rest() - the text behind the first word and a blank. */
struct text report_header_rest(struct text header);

/* report_first_word() - blanks before it are skipped. */
struct text report_first_word(struct text header);

/* report_name_is_own() - whether its id is local, or gnl|database|tag. */
bool report_name_is_own(const struct report_name *name);

/* report_name_is_gi() - whether it has no id but a gi. */
bool report_name_is_gi(const struct report_name *name);

/* report_name_is_geninfo() - whether its id is bbs|5, bbm|5 or gim|5. */
bool report_name_is_geninfo(const struct report_name *name);

/* report_name_is_local() - whether its id is one of the user's own. */
bool report_name_is_local(const struct report_name *name);

/* Forms of a name. */
struct text report_name_id(const struct report_name *name);        /* "sp|P12345.2|NAME", "x" of lcl|x */
struct text report_name_ids(const struct report_name *name);       /* "gi|5|sp|P12345.2|NAME", "x" */
struct text report_name_versioned(const struct report_name *name); /* "P12345.2", "db:tag", "5", "A12345" */
struct text report_name_accession(const struct report_name *name); /* "P12345" */
struct text report_name_last(const struct report_name *name);      /* "P12345", "tag" of gnl|db|tag */

/* report_name_tidy() - the tidied title, or a substitute for an empty one. Returns false if memory runs out. */
bool report_name_tidy(const struct report_name *name, struct byte_array *to);

#endif
