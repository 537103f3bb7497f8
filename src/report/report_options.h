/* report_options.h - what a report is told: once, and of each query. */
#ifndef TMS_REPORT_OPTIONS_H
#define TMS_REPORT_OPTIONS_H

#include <stdbool.h>

#include "report/report_format.h"
#include "tamis/blastp.h"

/* -seg as it was typed: formats 5, 15 and 16 show that, though what is not above 0 means the usual number, and hicut is locut at least. */
struct report_seg {
    int window;
    double locut, hicut;
};

struct report_options {
    struct report_format format;
    const tms_blastp *search;              /* borrowed, as all that follows is, until report_free() */
    const tms_seqdb *db;                   /* of version 0: the records of -subject */
    const tms_blastp_params *params;       /* those that the search was made with */
    struct report_seg seg;                 /* if params->masks_seg */
    const tms_taxonomy *taxonomy;          /* names of taxa; NULL: there are none */
    const char *db_name;                   /* -db as it was given; NULL: -subject */
    const char *subject_path;              /* -subject as it was given */
    uint64_t subject_offset;               /* -subject_loc: the first residue, from 0, of what is searched of each record */
    const uint64_t *subject_lengths;       /* -subject_loc: residues of the records; NULL: as many as are searched */
    bool parse_deflines;                   /* ids are taken from the headers of queries, and of -subject */
    bool show_gis;                         /* formats 0 to 4: ids with their gi */
    bool html;                             /* formats 0 to 4: as a page, with links */
    bool has_list;                         /* format 0: -seqidlist, -gilist, -taxids or -taxidlist: fewer names above alignments */
    uint32_t line_length;                  /* formats 0 to 4: columns of a row; 0: 60 */
    uint32_t n_descriptions, n_alignments; /* formats 0 to 4: lines of the table; subjects that are shown */
    int sort_hits, sort_hsps;              /* formats 0 to 4: 0 to 4 as -sorthits and -sorthsps (format 0) count; -1: not given */
};

struct report_query {
    uint64_t number;    /* from 1 */
    const char *header; /* as in the file, without '>' */
    size_t header_size;
    const char *warning; /* sentences about the query, each with a blank at its end, without its name: for formats 5, 15 and 16, which have
                            them in the report (blastp prints none of them elsewhere then). NULL: none */
    const tms_search_result *result; /* of the part that was searched */
    uint64_t n_unnamed;              /* -query_loc: queries before it that were left out, and have no id (report_header_is_unnamed()) */
    uint64_t offset;                 /* -query_loc: the first residue of that part, from 0 */
    uint64_t typed_length;           /* -query_loc: its length as it was asked for, though the query be shorter; 0: the whole query */
    uint64_t full_length;            /* residues of the query; 0: as many as were searched */
};

#endif
