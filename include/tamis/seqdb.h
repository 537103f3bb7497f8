/*
 * seqdb.h - sequences by number: BLAST databases, mapped from disk, and records in memory.
 *
 * A sequence has a number, from 0, through all databases and volumes opened together. Finding a sequence by number takes a binary search
 * among the volumes, of which there are few; deflines are decoded on request.
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
 *   names [in]  as BLAST's -db: names separated by blanks; double quotes enclose a name with blanks. Each is looked for at its path, then
 *               in the directories of $BLASTDB, and of BLASTDB in section [BLAST] of .ncbirc; an alias (.pal, .nal) takes precedence over
 *               a volume
 *   out   [out] destroyed with tms_seqdb_destroy()
 * Checks everything that access relies on: the indexes, and the sizes of the files; about two milliseconds for 10^6 sequences. Reading a
 * sequence, or tms_seqdb_check(), finds other faults.
 * Returns TMS_OK; TMS_E_ARG: a database does not exist; TMS_E_FORMAT: a file is missing or damaged, with file and field in the message; or
 * versions 4 and 5 are mixed; TMS_E_MEMORY; TMS_E_CANCELLED.
 * Replace files by renaming. If a program writes into a mapped file, the sequences change; if it truncates the file, an access ends with
 * SIGBUS (tms_seqdb_path_at() returns the file).
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_open(tms_context *ctx, const char *names, tms_molecule molecule, tms_seqdb **out);
TMS_API void tms_seqdb_destroy(tms_seqdb *db); /* NULL is fine */

/*
 * tms_seqdb_from_seqs() - make a database in memory from records; all calls below accept it. A sequence's title is its header.
 *   seqs  [in]  borrowed for the call; a nucleotide sequence cannot have gaps
 *   title [in]  of the database; copied
 *   out   [out] destroyed with tms_seqdb_destroy(); takes about one byte for each residue, or for four bases
 * Returns TMS_OK; TMS_E_ARG: a character that is not in the alphabet, with its record and position, or a record of 2^32 - 16 residues or
 * more, or one that takes 2^32 - 1 bytes or more together with its ambiguous bases; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_from_seqs(tms_context *ctx, const tms_seqs *seqs, tms_molecule molecule, const char *title,
                                                   tms_seqdb **out);

typedef struct tms_seqdb_info {
    tms_molecule molecule;
    uint32_t version;                             /* version of the files: 4 or 5; 0 in memory */
    uint64_t n_sequences;                         /* numbers 0 .. n_sequences - 1 */
    uint64_t n_residues;                          /* residues in the volumes */
    uint64_t shown_n_sequences, shown_n_residues; /* the totals that BLAST shows: an alias file may state other ones (NSEQ, LENGTH) */
    uint64_t stats_n_sequences, stats_n_residues; /* the totals for statistics: STATS_NSEQ and STATS_TOTLEN of an alias file, else NSEQ
                                                   * and LENGTH, else those of the volumes */
    uint64_t longest;                             /* residues of the longest sequence */
    uint64_t n_volumes;
    const char *title;     /* owned by the database; titles of several databases are separated by "; " */
    const char *date;      /* date of the newest volume, as stored: "Nov 21, 2026  1:17 PM" */
    uint64_t is_selection; /* 1: made by tms_seqdb_select() */
} tms_seqdb_info;

TMS_API void tms_seqdb_get_info_sized(const tms_seqdb *db, tms_seqdb_info *out, size_t out_size);
TMS_INLINE void tms_seqdb_get_info(const tms_seqdb *db, tms_seqdb_info *out) { tms_seqdb_get_info_sized(db, out, sizeof *out); }

/*
 * tms_seqdb_search_path() - the directories in which databases are looked for, as BLAST prints them: "/home/me:/blast/db:".
 *   text [out] room for `size` bytes; truncated if necessary, and NUL-terminated
 *   n    [out] full length, without the NUL
 * Returns TMS_OK; TMS_E_ARG: there is no working directory; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_search_path(tms_context *ctx, char *text, size_t size, size_t *n);

/*
 * tms_seqdb_check() - read sequences first .. end - 1 and their deflines completely: checks what tms_seqdb_open() leaves unchecked. Uses
 * the context's threads. Returns TMS_OK; TMS_E_FORMAT, naming file, sequence and field; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_check(tms_context *ctx, const tms_seqdb *db, uint64_t first, uint64_t end);

/*
 * tms_seqdb_path_at() - the path, without its extension, of the file in which an address is mapped; NULL if it is no file of this
 * database. For a handler of SIGBUS: async-signal-safe.
 */
TMS_API const char *tms_seqdb_path_at(const tms_seqdb *db, const void *address);

/* ---- sequences: i is a number of this database, 0 .. n_sequences - 1 ------------------------------------------------------ */

/* tms_seqdb_length() - the number of residues of a sequence. */
TMS_API uint64_t tms_seqdb_length(const tms_seqdb *db, uint64_t i);

/*
 * tms_seqdb_protein() - a protein's NCBIstdaa codes, borrowed from the mapped file. In a sound file there is a 0 before the first and
 * after the last code, and none is above 27; in any file the byte after the last code is readable.
 */
TMS_API const uint8_t *tms_seqdb_protein(const tms_seqdb *db, uint64_t i, uint64_t *n_residues);

/*
 * tms_seqdb_packed() - the bases of a nucleotide sequence, borrowed from the mapped file: four in a byte, the first in the top bits. An
 * ambiguous base is stored as one of the bases it stands for.
 */
TMS_API const uint8_t *tms_seqdb_packed(const tms_seqdb *db, uint64_t i, uint64_t *n_bases);

/*
 * tms_seqdb_residues() - residues start .. end - 1 as codes, one a byte: NCBIstdaa, or BLASTNA with ambiguous bases. tms_seqdb_letters() -
 * the same residues as upper-case characters.
 *   codes, characters [out] room for end - start
 * Returns TMS_OK; TMS_E_FORMAT if the sequence is damaged: tms_seqdb_check() writes the reason. Takes no context, for threads that have
 * none of their own.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_residues(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *codes);
TMS_API TMS_CHECKED tms_status tms_seqdb_letters(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, uint8_t *characters);

/*
 * tms_seqdb_dna() - append bases start .. end - 1 of a nucleotide sequence as tms_dna_encode() does: ambiguous bases become runs.
 *   n_done [out] bases appended: fewer if bases or runs reach their capacity
 * Returns as tms_seqdb_residues().
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_dna(const tms_seqdb *db, uint64_t i, uint64_t start, uint64_t end, tms_dna_room *room,
                                             uint64_t *n_done);

/* tms_seqdb_oid() - BLAST's ordinal id of a sequence. It is i, unless an alias file selects a part of a volume (FIRST_OID, LAST_OID). */
TMS_API uint64_t tms_seqdb_oid(const tms_seqdb *db, uint64_t i);

/* Sequences first .. end - 1. */
typedef struct tms_seqdb_range {
    uint64_t first, end;
} tms_seqdb_range;

/*
 * tms_seqdb_cut() - range k of n_ranges ranges with about equal numbers of residues, in order; some may be empty. Every sequence is in one
 * range.
 */
TMS_API tms_seqdb_range tms_seqdb_cut(const tms_seqdb *db, uint64_t k, uint64_t n_ranges);

/* ---- masks: intervals of sequences in which a search finds no words ------------------------------------------------------------ */

typedef struct tms_seqdb_masks tms_seqdb_masks;

/*
 * Which algorithm of a database, by number or by name. makeblastdb's numbers: 10 and up DUST, 20 SEG, 30 WindowMasker, 40 repeats, 100
 * others.
 */
typedef struct tms_seqdb_mask_choice {
    uint64_t number;
    const char *name; /* as in -mask_id of makeblastdb; NULL: use number */
} tms_seqdb_mask_choice;

/*
 * tms_seqdb_masks_open() - open the masks of one algorithm in a database's files (makeblastdb -mask_data). A volume may lack them.
 *   db  [in]  borrowed until tms_seqdb_masks_destroy(); not made by tms_seqdb_from_seqs()
 *   out [out] destroyed with tms_seqdb_masks_destroy()
 * Returns TMS_OK; TMS_E_ARG: a named database has no such algorithm, or the algorithm has other options in another volume; TMS_E_FORMAT: a
 * file is damaged, with file and field in the message; TMS_E_MEMORY. Faults in the masks of a single sequence are found when they are
 * read.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_open_sized(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_mask_choice *choice,
                                                          size_t choice_size, tms_seqdb_masks **out);
TMS_INLINE TMS_CHECKED tms_status tms_seqdb_masks_open(tms_context *ctx, const tms_seqdb *db, const tms_seqdb_mask_choice *choice,
                                                       tms_seqdb_masks **out)
{
    return tms_seqdb_masks_open_sized(ctx, db, choice, sizeof *choice, out);
}

/*
 * tms_seqdb_masks_of_list() - use the intervals of record i as masks of sequence i: for records in memory, such as the result of
 * tms_mask_lower_case().
 *   list [in]  copied
 *   out  [out] destroyed with tms_seqdb_masks_destroy()
 * Returns TMS_OK or TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_of_list(tms_context *ctx, const tms_mask_list *list, tms_seqdb_masks **out);
TMS_API void tms_seqdb_masks_destroy(tms_seqdb_masks *masks); /* NULL is fine */

/* tms_seqdb_masks_name() - the algorithm: "seg", or the name given to makeblastdb. *options: the program's options; "" if there are none.
 */
TMS_API const char *tms_seqdb_masks_name(const tms_seqdb_masks *masks, const char **options);

/*
 * tms_seqdb_masks_get() - the intervals of sequence i, in stored order: usually ascending, though they may overlap.
 *   out      [out] the first `capacity` intervals
 *   capacity [in]  room in out
 *   n        [out] number of intervals, which may exceed capacity
 * Returns TMS_OK; TMS_E_FORMAT if the file is damaged: an interval lies outside the sequence, or the masks are truncated.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_masks_get(const tms_seqdb_masks *masks, uint64_t i, tms_interval *out, size_t capacity, size_t *n);

/* ---- volumes: contiguous memory, for copying to a GPU and for reports --------------------------------------------------------- */

typedef struct tms_seqdb_volume {
    const char *path;     /* without an extension; "" in memory */
    uint64_t first_oid;   /* BLAST's ordinal id of its first sequence */
    uint64_t n_sequences; /* sequences in the file, including those that an alias leaves out */
    uint64_t n_residues;
    uint64_t longest;
    const uint8_t *bytes; /* contents of .psq or .nsq. Proteins: a 0, then NCBIstdaa codes with a 0 after each sequence */
    uint64_t n_bytes;
    const uint8_t *starts;              /* n_sequences + 1 big-endian words of 32 bits: offset in bytes of each sequence */
    const uint8_t *ambiguity_starts;    /* nucleotides: offset in bytes of each ambiguity block; NULL for proteins */
    uint64_t index_bytes, header_bytes; /* sizes of the other two files */
    const char *title;                  /* not NUL-terminated */
    const char *date;
    uint64_t title_size, date_size;
    const uint8_t *headers;       /* contents of .phr or .nhr: the deflines of each sequence, in BER */
    const uint8_t *header_starts; /* n_sequences + 1 big-endian words of 32 bits: offset in headers of each sequence's deflines */
} tms_seqdb_volume;

TMS_API void tms_seqdb_get_volume_sized(const tms_seqdb *db, uint64_t v, tms_seqdb_volume *out, size_t out_size);
TMS_INLINE void tms_seqdb_get_volume(const tms_seqdb *db, uint64_t v, tms_seqdb_volume *out)
{
    tms_seqdb_get_volume_sized(db, v, out, sizeof *out);
}

/*
 * tms_seqdb_part() - path of part k of the named databases: a volume, without an extension, or an alias file, with its extension. NULL if
 * k is too large.
 */
TMS_API const char *tms_seqdb_part(const tms_seqdb *db, uint64_t k);

/* tms_seqdb_base() - path of named database k, without an extension, and the date of its newest volume. NULL if k is too large. */
TMS_API const char *tms_seqdb_base(const tms_seqdb *db, uint64_t k, const char **date);

/* ---- names: a sequence has one defline, or several that were merged -------------------------------------------------------- */

/* Texts are not NUL-terminated, and may have any bytes. */
typedef struct tms_seqdb_name {
    const char *title; /* without ids; the whole header if has_id is 0 */
    size_t title_size;
    const char *accession; /* "P12345.2", "1ABC_A", "db:tag" */
    size_t accession_size;
    const char *id; /* "sp|P12345.2|NAME" */
    size_t id_size;
    const char *ids; /* all ids, "gi|5|sp|P12345.2|NAME" */
    size_t ids_size;
    int64_t gi;        /* -1: none */
    int64_t taxid;     /* 0: not known */
    int64_t has_id;    /* 0: names were not parsed when the database was made; the id is gnl|BL_ORD_ID|oid, with tms_seqdb_oid() */
    const char *shown; /* as in BLAST's tables: the gi, if there is one, and the id, "gi|5|sp|P12345.2|NAME" */
    size_t shown_size;
    const char *label; /* as in BLAST's reports: the accession, but for PIR and PRF the id, "prf|1234567A|" */
    size_t label_size;
} tms_seqdb_name;

/* The names of one sequence; the next one reuses their memory. */
typedef struct tms_seqdb_names tms_seqdb_names;

/* tms_seqdb_names_create() - create it for one thread. Returns TMS_OK or TMS_E_MEMORY. */
TMS_API TMS_CHECKED tms_status tms_seqdb_names_create(tms_context *ctx, tms_seqdb_names **out);
TMS_API void tms_seqdb_names_destroy(tms_seqdb_names *names); /* NULL is fine */

/*
 * tms_seqdb_names_read() - decode the deflines of sequence i.
 *   n [out] number of deflines; may be 0
 * Returns TMS_OK; TMS_E_FORMAT: they are damaged, and tms_seqdb_check() writes the reason; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_names_read(const tms_seqdb *db, uint64_t i, tms_seqdb_names *names, size_t *n);

/* tms_seqdb_names_get() - defline k, 0 .. n - 1, of the last sequence read; valid until the next is read. */
TMS_API const tms_seqdb_name *tms_seqdb_names_get(const tms_seqdb_names *names, size_t k);

/* A result of tms_seqdb_find(): a sequence, and one of its deflines. */
typedef struct tms_seqdb_found {
    uint64_t number;  /* number of the sequence; UINT64_MAX: not found */
    uint64_t defline; /* number of the defline, from 0 */
} tms_seqdb_found;

/*
 * tms_seqdb_find() - find sequences by their ids.
 *   ids   [in]  n ids: an accession with or without a version, a name, a gi, "sp|P12345", "gi|5", "gnl|db|tag", "db:tag", "lcl|x",
 *               "1ABC_A", "gnl|BL_ORD_ID|3"; any case. The kind given with an accession is ignored
 *   found [out] room for n; if several sequences have the id, the first
 * Decodes all deflines of the database, some 5 * 10^6 a second and thread, however few ids there are: tamis does not read BLAST's own
 * indexes of ids. Look up many ids at once.
 * Returns TMS_OK, even if some are not found; TMS_E_FORMAT; TMS_E_MEMORY; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_seqdb_find(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n,
                                              tms_seqdb_found *found);

/*
 * tms_seqdb_find_next() - find the next sequence that has each id.
 *   found [in,out] the results of the previous call, tms_seqdb_find() or this one; an id that it did not find stays not found
 * Takes as long as tms_seqdb_find(), and returns the same statuses.
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
 * tms_taxonomy_open() - open the taxdb that BLAST finds: in the working directory, in $BLASTDB, then in BLASTDB of .ncbirc.
 *   out [out] destroyed with tms_taxonomy_destroy(); NULL if there is none, which is no failure
 * Returns TMS_OK; TMS_E_FORMAT: the index is damaged; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_taxonomy_open(tms_context *ctx, tms_taxonomy **out);
TMS_API void tms_taxonomy_destroy(tms_taxonomy *taxonomy); /* NULL is fine */

/*
 * tms_taxonomy_name() - a name of a taxon, not NUL-terminated, owned by taxonomy. Thread-safe.
 *   taxonomy [in] NULL: no taxon has names
 * Returns NULL if the taxon is missing, its entry is damaged, or its BLAST name or kingdom is "-", which means none.
 */
TMS_API const char *tms_taxonomy_name(const tms_taxonomy *taxonomy, int64_t taxid, tms_taxon_name which, size_t *n);

/* ---- parts of a database ------------------------------------------------------------------------------------------------------ */

/* Lists of ids, of GIs and of taxids: a defline that has one of them is listed. Borrowed for the call. */
typedef struct tms_seqdb_selection {
    const char *const *ids; /* n_ids: an accession with or without its version, a local id, "sp|P12345", "gnl|db|tag", "db:tag",
                             * "1ABC_A". The given kind and the case are ignored, except the case of local ids, db:tag and chains in
                             * databases of version 5. GIs belong in gis */
    const int64_t *gis;     /* n_gis */
    const int64_t *taxids;  /* n_taxids; 0 lists the deflines without one */
    uint64_t n_ids, n_gis, n_taxids;
    uint64_t is_negative; /* 1: select the sequences that have a defline that is not listed */
} tms_seqdb_selection;

/*
 * tms_seqdb_select() - make a database of some sequences of another one, as blastp does for lists: those with a listed defline. A sequence
 * with several deflines keeps only these.
 *   db  [in]  borrowed until tms_seqdb_destroy() of *out; must not be a selection itself
 *   out [out] destroyed with tms_seqdb_destroy(). Sequences have numbers from 0, and keep their tms_seqdb_oid(). Its info is that of db,
 *             except n_sequences, n_residues, longest and the totals for statistics. These are as in BLAST: of nucleotides, bases of a last
 *             byte that is not full are not counted, but the sequence's number in its volume, modulo 4; in an empty selection, the first
 *             sequence of db
 * Decodes all deflines, as tms_seqdb_find() does.
 * Returns TMS_OK, even if nothing is selected; TMS_E_ARG: db is a selection, or a negative list of GIs is used and a defline has no GI;
 * TMS_E_FORMAT; TMS_E_MEMORY; TMS_E_CANCELLED.
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
