/* report_options.h - the options of a report, and of each query. */
#ifndef TMS_REPORT_OPTIONS_H
#define TMS_REPORT_OPTIONS_H

#include <stdbool.h>

#include "report/report_program.h"
#include "report/report_writer.h"
#include "tamis/search.h"

/* All pointers are borrowed until report_free(). */
struct report_options {
    struct report_format format; /* of report_format_parse() */
    const struct report_program *program;
    const tms_seqdb *db;                   /* of version 0: the records of -subject */
    const tms_seqdb_masks *subject_masks;  /* masks of the subjects; NULL: there are none */
    bool hides_masked;                     /* the search took the masked residues of subjects as X */
    const tms_taxonomy *taxonomy;          /* names of taxa; NULL: there are none */
    const char *db_name;                   /* -db as it was given; NULL: -subject */
    const char *subject_path;              /* -subject as it was given */
    uint64_t subject_offset;               /* -subject_loc: position, from 0, of the first residue of each record that was searched */
    const uint64_t *subject_lengths;       /* -subject_loc: residues of the whole records; NULL: whole records were searched */
    bool parse_deflines;                   /* ids are taken from the headers of queries, and of -subject */
    bool show_gis;                         /* formats 0 to 4: ids with their gi */
    bool html;                             /* formats 0 to 4: an HTML page with links */
    bool has_list;                         /* format 0: -seqidlist, -gilist, -taxids or -taxidlist: fewer names above alignments */
    uint32_t line_length;                  /* formats 0 to 4: columns of a row; 0: 60 */
    uint32_t n_descriptions, n_alignments; /* formats 0 to 4: subjects in the summary; subjects whose alignments are shown */
    const char *const *arguments;          /* format 17: n_arguments of the command, as they were typed, the command's name first */
    size_t n_arguments;
    int sort_hits, sort_hsps; /* formats 0 to 4: 0 to 4 as -sorthits and -sorthsps (format 0) count; -1: not given */
};

struct report_query {
    uint64_t number;    /* from 1 */
    const char *header; /* as in the file, without '>' */
    size_t header_size;
    const char *warning; /* sentences about the query, each with a blank at its end, without the query's name. Formats 5, 15 and 16
                            print them; with other formats NCBI's program writes them to standard error. NULL: none */
    const tms_search_result *result; /* of the part of the query that was searched */
    uint64_t n_unnamed;              /* -query_loc: earlier queries without an id (report_header_is_unnamed()) that were left out */
    uint64_t offset;                 /* -query_loc: position, from 0, of the first residue of that part */
    uint64_t typed_length;           /* -query_loc: length of the range as it was typed, which may reach beyond the query; 0: the whole
                                        query was searched */
    uint64_t full_length;            /* residues of the query; 0: the whole query was searched */
};

#endif
