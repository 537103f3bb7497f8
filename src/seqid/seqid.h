/*
 * seqid.h - the names of a sequence in a BLAST database: a defline is a title and a list of ids.
 *
 * Decoded from BER (defline_decode.c), written as BER (defline_encode.c), parsed from a FASTA header (seqid_parse.c), printed
 * (seqid_text.c).
 */
#ifndef TMS_SEQID_H
#define TMS_SEQID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The tag of each in BER is 0xa0 + its number. */
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

/* Bytes that somebody else owns, not NUL-terminated. */
struct text {
    const char *bytes; /* NULL: there is none */
    size_t n;
};

struct seqid {
    enum seqid_kind kind;
    struct text accession; /* of text ids (gb emb pir sp ref dbj prf tp*); local: the string; general: the tag; pdb: the molecule;
                              patent: the number */
    struct text name;      /* text ids: the locus; general: the database; pdb: the chain; patent: the country */
    struct text release;   /* text ids: "reviewed" is sp, "unreviewed" tr */
    bool has_number;       /* local and general: an integer, not a string */
    int64_t number;        /* that; gi, gibbsq, gibbmt, giim; patent: the sequence in it */
    int version;           /* text ids: 0 is none */
};

struct defline {
    struct text title; /* without the ids; bytes NULL: none */
    struct seqid *ids;
    size_t n_ids;
    int64_t taxid;
};

#endif
