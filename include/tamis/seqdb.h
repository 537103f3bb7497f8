/*
 * seqdb.h - sequences by number: BLAST databases, mapped as they lie on disk, and records in memory.
 *
 * A sequence has a number, from 0, through all databases and volumes that were opened together. Getting a sequence by number takes
 * a binary search among the volumes, of which there are few; deflines are decoded when they are asked for.
 *
 * Threads: a tms_seqdb does not change once it is open. Any number of threads may read it, each with its own context.
 */
#ifndef TAMIS_SEQDB_H
#define TAMIS_SEQDB_H

#include "tamis/dna.h"
#include "tamis/mask.h"
#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum tms_molecule { TMS_NUCLEOTIDE = 0, TMS_PROTEIN = 1 } tms_molecule;

typedef struct tms_seqdb tms_seqdb;

/*
 * tms_seqdb_open() - map databases, read-only.
 *   names [in] as BLAST's -db: names with blanks between; a name with blanks in double quotes. Each is looked for at its path, then in the
 *              directories of $BLASTDB, and of BLASTDB in section [BLAST] of .ncbirc; an alias (.pal, .nal) comes before a volume
 *   out   [out] destroyed with tms_seqdb_destroy()
 * Checks all that access relies on: the indexes, and the sizes of the files; about two milliseconds for 10^6 sequences. What else may be
 * wrong with a sequence is found when it is read, or by tms_seqdb_check().
 * Returns TMS_OK; TMS_E_ARG: there is no such database; TMS_E_FORMAT: a file is missing or damaged, and the message names file and field;
 * or versions 4 and 5 are mixed; TMS_E_MEMORY; TMS_E_CANCELLED.
 * Files have to be replaced by renaming. Whoever writes into one that is mapped changes what is read here; whoever truncates it makes an
 * access to it end with SIGBUS (tms_seqdb_path_at() says of which file).
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_open(tms_context *ctx, const char *names, tms_molecule molecule, tms_seqdb **out);
TMS_API void tms_seqdb_destroy(tms_seqdb *db); /* NULL is fine */

/*
 * tms_seqdb_from_seqs() - records in memory, encoded as in a database, so that all calls below take it. A sequence's title is its header.
 *   seqs  [in] borrowed for the call; a gap, which nucleotides cannot be stored with, is no letter of these
 *   title [in] of the database; copied
 *   out   [out] destroyed with tms_seqdb_destroy(); about one byte for each amino acid, or four bases
 * Returns TMS_OK; TMS_E_ARG: a letter that is none of the alphabet's, with its record and place, or a record of 2^32 - 16 letters or more,
 * or that with its ambiguous letters takes 2^32 - 1 bytes or more; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_from_seqs(tms_context *ctx, const tms_seqs *seqs, tms_molecule molecule, const char *title,
                                                   tms_seqdb **out);

typedef struct tms_seqdb_info {
    tms_molecule molecule;
    uint32_t version;                             /* of its files: 4 or 5; 0 in memory */
    uint64_t n_sequences;                         /* numbers 0 .. n_sequences - 1 */
    uint64_t n_residues;                          /* of the volumes */
    uint64_t shown_n_sequences, shown_n_residues; /* what BLAST shows: an alias file may say others (NSEQ, LENGTH) */
    uint64_t stats_n_sequences, stats_n_residues; /* for statistics: likewise, and STATS_NSEQ, STATS_TOTLEN come before these */
    uint64_t longest;                             /* residues */
    uint64_t n_volumes;
    const char *title;     /* owned by the database; of several, "; " between */
    const char *date;      /* of the newest volume, as stored, "Nov 21, 2026  1:17 PM" */
    uint64_t is_selection; /* 1: made by tms_seqdb_select() */
} tms_seqdb_info;

TMS_API void tms_seqdb_get_info_sized(const tms_seqdb *db, tms_seqdb_info *out, size_t out_size);
TMS_INLINE void tms_seqdb_get_info(const tms_seqdb *db, tms_seqdb_info *out) { tms_seqdb_get_info_sized(db, out, sizeof *out); }

/*
 * tms_seqdb_search_path() - where databases are looked for, as BLAST prints it: "/home/me:/blast/db:".
 *   text [out] of `size` bytes, cut if it has to be, and with a NUL
 *   n    [out] how long it is, without the NUL
 * Returns TMS_OK; TMS_E_ARG: there is no working directory; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_search_path(tms_context *ctx, char *text, size_t size, size_t *n);

/* tms_seqdb_check() - read all of sequences first .. end - 1 and of their deflines: what tms_seqdb_open() leaves unchecked. Uses the
 * context's threads. Returns TMS_OK; TMS_E_FORMAT, naming file, sequence and field; TMS_E_MEMORY; TMS_E_CANCELLED. */
TMS_API TMS_CHECKED tms_status tms_seqdb_check(tms_context *ctx, const tms_seqdb *db, uint64_t first, uint64_t end);

/*
 * tms_seqdb_path_at() - the file in which an address is mapped, without its extension; NULL: none of this database. For a handler of
 * SIGBUS: async-signal-safe.
 */
TMS_API const char *tms_seqdb_path_at(const tms_seqdb *db, const void *address);

/* ---- sequences: i is a number of this database, 0 .. n_sequences - 1 ------------------------------------------------------ */

/* tms_seqdb_length() - residues of a sequence. */
TMS_API uint64_t tms_seqdb_length(const tms_seqdb *db, uint64_t i);

/*
 * tms_seqdb_protein() - a protein's NCBIstdaa codes, borrowed, as they lie on disk. In a sound file there is a 0 before the first and one
 * after the last, and none is above 27; in any file the byte after the last one can be read.
 */
TMS_API const uint8_t *tms_seqdb_protein(const tms_seqdb *db, uint64_t i, uint64_t *n_residues);

/* tms_seqdb_packed() - a nucleotide sequence's bases, borrowed, as they lie on disk: four in a byte, the first in the top bits. Where the
 * sequence has an ambiguous letter there is some base of it. */
TMS_API const uint8_t *tms_seqdb_packed(const tms_seqdb *db, uint64_t i, uint64_t *n_bases);

/*
 * tms_seqdb_residues() - residues start .. end - 1 as codes, one a byte: NCBIstdaa, or BLASTNA with the ambiguous letters in place.
 * tms_seqdb_letters() - the same as upper-case letters.
 *   codes, letters [out] end - start of them
 * Returns TMS_OK; TMS_E_FORMAT where the sequence is damaged: tms_seqdb_check() of it says how. Without a context, for threads that have
 * none of their own.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_residues(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *codes);
TMS_API TMS_CHECKED tms_status tms_seqdb_letters(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *letters);

/*
 * tms_seqdb_dna() - append bases start .. end - 1 of a nucleotide sequence as tms_dna_encode() does: ambiguous letters are runs.
 *   n_done [out] bases appended: fewer if bases or runs reach their capacity
 * Returns as tms_seqdb_residues().
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_dna(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, tms_dna_room *room,
                                             uint64_t *n_done);

/* tms_seqdb_oid() - BLAST's ordinal id of a sequence. It is i, unless an alias file takes a part of a volume (FIRST_OID, LAST_OID). */
TMS_API uint64_t tms_seqdb_oid(const tms_seqdb *db, uint64_t i);

/* Sequences first .. end - 1. */
typedef struct tms_seqdb_range {
    uint64_t first, end;
} tms_seqdb_range;

/* tms_seqdb_cut() - piece k of n_pieces of about equal residues, in order; some may be empty. Every sequence is in one of them. */
TMS_API tms_seqdb_range tms_seqdb_cut(const tms_seqdb *db, uint64_t k, uint64_t n_pieces);

/* ---- masks: intervals of sequences, in which a search looks for nothing ------------------------------------------------------ */

typedef struct tms_seqdb_masks tms_seqdb_masks;

/* Which algorithm of a database; one of the two. makeblastdb numbers them: 10 and up DUST, 20 SEG, 30 WindowMasker, 40 repeats, 100 others.
 */
typedef struct tms_seqdb_mask_choice {
    uint64_t number;
    const char *name; /* of -mask_id of makeblastdb; NULL: by number */
} tms_seqdb_mask_choice;

/*
 * tms_seqdb_masks_open() - the masks that a database's files have of one algorithm (makeblastdb -mask_data). A volume may lack them.
 *   db  [in]  borrowed until tms_seqdb_masks_destroy(); not of tms_seqdb_from_seqs()
 *   out [out] destroyed with tms_seqdb_masks_destroy()
 * Returns TMS_OK; TMS_E_ARG: a database that was named has no such algorithm; or it has other options in another volume; TMS_E_FORMAT: a
 * file is damaged, and the message names file and field; TMS_E_MEMORY. What may be wrong with the masks of one sequence is found when they
 * are read.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_open_sized(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_mask_choice *choice,
                                                          size_t choice_size, tms_seqdb_masks **out);
TMS_INLINE TMS_CHECKED tms_status tms_seqdb_masks_open(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_mask_choice *choice,
                                                       tms_seqdb_masks **out)
{
    return tms_seqdb_masks_open_sized(ctx, db, choice, sizeof *choice, out);
}

/*
 * tms_seqdb_masks_of_list() - of sequence i the intervals of record i: for records in memory, such as those of tms_mask_lower_case().
 *   list [in] copied
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_of_list(tms_context *ctx, const tms_mask_list *list, tms_seqdb_masks **out);
TMS_API void tms_seqdb_masks_destroy(tms_seqdb_masks *masks); /* NULL is fine */

/* tms_seqdb_masks_name() - what made them: "seg", or the name that makeblastdb was given. *options: of the program; "" without. */
TMS_API const char *tms_seqdb_masks_name(const tms_seqdb_masks *masks, const char **options);

/*
 * tms_seqdb_masks_get() - the intervals of sequence i, in the order in which they are stored: usually ascending, though they may overlap.
 *   capacity [in] of out
 *   n [out] how many there are; no more than capacity are put to out
 * Returns TMS_OK; TMS_E_FORMAT where the file is damaged: an interval lies outside the sequence, or the masks are cut off.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_get(const tms_seqdb_masks *masks, uint64_t i, tms_interval *out, size_t capacity, size_t *n);

/* ---- volumes: what lies in one piece, for copying to a GPU and for reports --------------------------------------------------- */

typedef struct tms_seqdb_volume {
    const char *path;     /* without an extension; "" in memory */
    uint64_t first_oid;   /* BLAST's ordinal id of its first sequence */
    uint64_t n_sequences; /* of the file, also of those that an alias leaves out */
    uint64_t n_residues;
    uint64_t longest;
    const uint8_t *bytes; /* of its .psq or .nsq. Proteins: a 0, and then each with a 0 after it, as NCBIstdaa */
    uint64_t n_bytes;
    const uint8_t *starts;              /* n_sequences + 1 big-endian words of 32 bits: where in bytes a sequence begins */
    const uint8_t *ambiguity_starts;    /* nucleotides: the same for the ambiguity block of a sequence; NULL of proteins */
    uint64_t index_bytes, header_bytes; /* sizes of its other two files */
    const char *title;                  /* not NUL-terminated */
    const char *date;
    uint64_t title_size, date_size;
    const uint8_t *headers;       /* of its .phr or .nhr: the deflines of each sequence, in BER */
    const uint8_t *header_starts; /* n_sequences + 1 big-endian words of 32 bits: where in headers these begin */
} tms_seqdb_volume;

TMS_API void tms_seqdb_get_volume_sized(const tms_seqdb *db, uint64_t v, tms_seqdb_volume *out, size_t out_size);
TMS_INLINE void tms_seqdb_get_volume(const tms_seqdb *db, uint64_t v, tms_seqdb_volume *out)
{
    tms_seqdb_get_volume_sized(db, v, out, sizeof *out);
}

/* tms_seqdb_part() - part k of what the names given consist of: a volume's path, or an alias file's with its extension. NULL: there are
 * not so many. */
TMS_API const char *tms_seqdb_part(const tms_seqdb *db, uint64_t k);

/* tms_seqdb_base() - the path of database k of those that were named, without an extension, and the date of its newest volume. NULL:
 * there are not so many. */
TMS_API const char *tms_seqdb_base(const tms_seqdb *db, uint64_t k, const char **date);

/* ---- names: a sequence has one defline, or several that were merged -------------------------------------------------------- */

/* Texts are not NUL-terminated, and may have any bytes. */
typedef struct tms_seqdb_name {
    const char *title; /* without ids; where has_id is 0, the whole header */
    size_t title_size;
    const char *accession; /* "P12345.2", "1ABC_A", "db:tag" */
    size_t accession_size;
    const char *id; /* "sp|P12345.2|NAME" */
    size_t id_size;
    const char *ids; /* all of them, "gi|5|sp|P12345.2|NAME" */
    size_t ids_size;
    int64_t gi;        /* -1: none */
    int64_t taxid;     /* 0: not known */
    int64_t has_id;    /* 0: names were not parsed when the database was made; the id is gnl|BL_ORD_ID|oid, with tms_seqdb_oid() */
    const char *shown; /* what BLAST's tables have: of a gi and others, the gi and the id, "gi|5|sp|P12345.2|NAME" */
    size_t shown_size;
    const char *label; /* what BLAST's reports call it: the accession, but of PIR and PRF the id, "prf|1234567A|" */
    size_t label_size;
} tms_seqdb_name;

/* The names of one sequence; their memory is used again for the next. */
typedef struct tms_seqdb_names tms_seqdb_names;

/* tms_seqdb_names_create() - for one thread. Returns TMS_OK or TMS_E_MEMORY. */
TMS_API TMS_CHECKED tms_status tms_seqdb_names_create(tms_context *ctx, tms_seqdb_names **out);
TMS_API void tms_seqdb_names_destroy(tms_seqdb_names *names); /* NULL is fine */

/*
 * tms_seqdb_names_read() - decode the deflines of sequence i.
 *   n [out] how many there are; may be 0
 * Returns TMS_OK; TMS_E_FORMAT: they are damaged, and tms_seqdb_check() says how; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_names_read(const tms_seqdb *db, uint64_t i, tms_seqdb_names *names, size_t *n);

/* tms_seqdb_names_get() - defline k, 0 .. n - 1, of the sequence that was read last; valid until the next is read. */
TMS_API const tms_seqdb_name *tms_seqdb_names_get(const tms_seqdb_names *names, size_t k);

/* What tms_seqdb_find() found: a sequence, and which of its deflines. */
typedef struct tms_seqdb_found {
    uint64_t number;  /* of the sequence; UINT64_MAX: there is none */
    uint64_t defline; /* from 0 */
} tms_seqdb_found;

/*
 * tms_seqdb_find() - sequences by their ids.
 *   ids   [in] n of them: an accession with or without a version, a name, a gi, "sp|P12345", "gi|5", "gnl|db|tag", "db:tag", "lcl|x",
 *              "1ABC_A", "gnl|BL_ORD_ID|3"; any case. What kind of id an accession is said to be makes no difference
 *   found [out] n; of several sequences the first
 * Decodes all deflines of the database, some 5 * 10^6 a second and thread, however few ids there are: tamis does not read BLAST's own
 * indexes of ids. Ask for many at once.
 * Returns TMS_OK, also if some are not found; TMS_E_FORMAT; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_find(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n,
                                              tms_seqdb_found *found);

/*
 * tms_seqdb_find_next() - of each id the next sequence that has it.
 *   found [in,out] what the call before found, tms_seqdb_find() or this one; where it found none there is none
 * Takes as long as tms_seqdb_find(), and returns likewise.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_find_next(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n,
                                                   tms_seqdb_found *found);

/* ---- names of taxa: NCBI's taxdb, the files taxdb.bti and taxdb.btd -------------------------------------------------------- */

typedef struct tms_taxonomy tms_taxonomy;

typedef enum tms_taxon_name {
    TMS_TAXON_SCIENTIFIC = 0, /* "Homo sapiens" */
    TMS_TAXON_COMMON = 1,     /* "human" */
    TMS_TAXON_BLAST = 2,      /* "primates" */
    TMS_TAXON_KINGDOM = 3     /* "Eukaryota" */
} tms_taxon_name;

/*
 * tms_taxonomy_open() - the taxdb that BLAST finds: in the working directory, in $BLASTDB, then in BLASTDB of .ncbirc.
 *   out [out] destroyed with tms_taxonomy_destroy(); NULL: there is none, which is no failure
 * Returns TMS_OK; TMS_E_FORMAT: the index is damaged; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_taxonomy_open(tms_context *ctx, tms_taxonomy **out);
TMS_API void tms_taxonomy_destroy(tms_taxonomy *taxonomy); /* NULL is fine */

/*
 * tms_taxonomy_name() - a name of a taxon, not NUL-terminated, borrowed; by any number of threads.
 *   taxonomy [in] NULL is fine: no taxon has names
 * Returns NULL where it has none: the taxon is not in there, or its entry is damaged. Of BLAST names and kingdoms "-" is none.
 */
TMS_API const char *tms_taxonomy_name(const tms_taxonomy *taxonomy, int64_t taxid, tms_taxon_name which, size_t *n);

/* ---- parts of a database ------------------------------------------------------------------------------------------------------ */

/* Lists of ids, of gis and of taxids: a defline that has one of these is listed. Borrowed for the call. */
typedef struct tms_seqdb_selection {
    const char *const *ids; /* n_ids: an accession with or without its version, a local id, "sp|P12345", "gnl|db|tag", "db:tag", "1ABC_A".
                               What kind of id it is said to be makes no difference, nor does its case, but for local ids, db:tag and
                               chains in databases of version 5. A gi is none */
    const int64_t *gis;     /* n_gis */
    const int64_t *taxids;  /* n_taxids; 0: those without one */
    uint64_t n_ids, n_gis, n_taxids;
    uint64_t is_negative; /* 1: the sequences are those that have a defline that is not listed */
} tms_seqdb_selection;

/*
 * tms_seqdb_select() - a database of some sequences of another one, as blastp makes it of lists: those with a defline that is listed. Of
 * sequences with several deflines it has only these.
 *   db  [in]  borrowed until tms_seqdb_destroy() of *out; no selection itself
 *   out [out] destroyed with tms_seqdb_destroy(). Sequences have numbers from 0, and keep their tms_seqdb_oid(). Its info is that of db,
 * but for n_sequences, n_residues, longest and the numbers for statistics. Where nothing is selected these count the first sequence of db,
 * as blastp does Decodes all deflines, as tms_seqdb_find() does.
 *
 * Returns TMS_OK, also if nothing is selected; TMS_E_ARG: db is a selection, or a negative list of gis is for one that has a defline
 * without a gi; TMS_E_FORMAT; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_select_sized(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_selection *selection,
                                                      size_t selection_size, tms_seqdb **out);
TMS_INLINE TMS_CHECKED tms_status tms_seqdb_select(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_selection *selection,
                                                   tms_seqdb **out)
{
    return tms_seqdb_select_sized(ctx, db, selection, sizeof *selection, out);
}

#ifdef __cplusplus
}
#endif
#endif
