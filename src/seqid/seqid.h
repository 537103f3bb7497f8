/*
 * seqid.h - the names of a sequence in a BLAST database: a defline is a title and a list of ids.
 *
 * defline_decode.c decodes them from BER, defline_encode.c writes BER, seqid_parse.c parses a FASTA header, and seqid_text.c prints ids.
 */
#ifndef TMS_SEQID_H
#define TMS_SEQID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The BER tag of each kind is 0xa0 + its number. */
enum seqid_kind {
    SEQID_LOCAL = 0,
    SEQID_GIBBSQ = 1,
    SEQID_GIBBMT = 2,
    SEQID_GIIM = 3,
    SEQID_GENBANK = 4,
    SEQID_EMBL = 5,
    SEQID_PIR = 6,
    SEQID_SWISSPROT = 7, /* sp and tr */
    SEQID_PATENT = 8,
    SEQID_REFSEQ = 9,
    SEQID_GENERAL = 10,
    SEQID_GI = 11,
    SEQID_DDBJ = 12,
    SEQID_PRF = 13,
    SEQID_PDB = 14,
    SEQID_TPG = 15,
    SEQID_TPE = 16,
    SEQID_TPD = 17,
    SEQID_GPIPE = 18,
    SEQID_NAMED_ANNOT = 19
};

/* Borrowed bytes, not NUL-terminated. */
struct text {
    const char *bytes; /* NULL: no text */
    size_t n;
};

struct seqid {
    enum seqid_kind kind;
    struct text accession; /* text ids (gb emb pir sp ref dbj prf tp*): the accession; local: the string; general: the tag; pdb: the
                            * molecule; patent: the number */
    struct text name;      /* text ids: the locus; general: the database; pdb: the chain; patent: the country */
    struct text release;   /* text ids: "reviewed" means sp, "unreviewed" tr */
    bool has_number;       /* local and general ids: an integer in place of the string */
    int64_t number;        /* the integer of has_number; the number of gi, gibbsq, gibbmt, giim; patent: the number of the sequence in
                            * the patent */
    int version;           /* text ids; 0: none */
};

struct defline {
    struct text title; /* the title without the ids; bytes is NULL if there is none */
    struct seqid *ids;
    size_t n_ids;
    int64_t taxid;
};

#endif
