/*
 * seqdb_volume.h - one volume of a BLAST database: an index, sequences and deflines, as doc/blastdb.md describes them.
 *
 * The bytes may be anything: seqdb_volume_check() finds once, in time proportional to the number of sequences, whatever would make an
 * access unsafe, and after it every call below stays inside the three files. Faults that only make a sequence wrong (ambiguity blocks,
 * invalid residue codes, the zeros between proteins) are checked when the sequence is read, because that touches its pages.
 */
#ifndef TMS_SEQDB_VOLUME_H
#define TMS_SEQDB_VOLUME_H

#include "base/core.h"
#include "seqdb/seqdb_map.h"
#include "seqid/seqid.h"
#include "tamis/seqdb.h"

struct seqdb_volume {
    char *path;                                   /* path of the files without the last four characters; owned; NULL in memory */
    bool is_mapped, is_allocated;                 /* how seqdb_volume_close() releases the files: unmaps or frees them; both false: the
                                                   * files are borrowed */
    struct seqdb_bytes index, headers, sequences; /* .pin .phr .psq, or .nin .nhr .nsq */
    tms_molecule molecule;

    /* Set by seqdb_volume_check() from the index. Texts point into it. */
    int version;     /* 4 or 5 */
    uint32_t number; /* number of the volume; version 5 only */
    struct text title, lmdb_name, date;
    uint32_t n_oids;
    uint64_t n_residues;
    uint32_t longest;
    /* Offsets: n_oids + 1 big-endian words each. */
    const uint8_t *header_starts, *sequence_starts;
    const uint8_t *ambiguity_starts; /* nucleotides only */
};

/* seqdb_volume_open() - map and check the files of the volume at path, which is copied. Closed with seqdb_volume_close(). */
tms_status seqdb_volume_open(tms_context *ctx, const char *path, tms_molecule molecule, struct seqdb_volume *out);

/*
 * seqdb_volume_check() - read the index of a volume whose path, files and molecule are set, and check everything that an access relies on.
 * Returns TMS_OK; TMS_E_FORMAT, naming file and field.
 */
tms_status seqdb_volume_check(tms_context *ctx, struct seqdb_volume *volume);

/*
 * seqdb_volume_check_sequence() - check what opening leaves unchecked: a protein's codes and the zeros around it; the ambiguity block of
 * nucleotides.
 */
tms_status seqdb_volume_check_sequence(tms_context *ctx, const struct seqdb_volume *volume, uint32_t oid);

/* seqdb_volume_fault() - the same check without a context: returns the end of a sentence, or NULL. */
const char *seqdb_volume_fault(const struct seqdb_volume *volume, uint32_t oid);

void seqdb_volume_close(struct seqdb_volume *volume);

/* seqdb_volume_fail() - fail with a sentence about one of the volume's files: part is 'i' (index), 'h' (headers) or 's' (sequences). */
tms_status seqdb_volume_fail(tms_context *ctx, const struct seqdb_volume *volume, char part, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* The length of a nucleotide sequence in bases: four in each byte but the last, which has 0 to 3 and their number. */
static inline uint64_t seqdb_volume_bases(const struct seqdb_volume *volume, uint32_t oid)
{
    uint32_t last = seqdb_word(volume->ambiguity_starts, oid) - 1;

    return 4 * (uint64_t)(last - seqdb_word(volume->sequence_starts, oid)) + (volume->sequences.bytes[last] & 3);
}

static inline uint64_t seqdb_volume_length(const struct seqdb_volume *volume, uint32_t oid)
{
    return volume->molecule == TMS_PROTEIN
               ? (uint64_t)seqdb_word(volume->sequence_starts, (size_t)oid + 1) - seqdb_word(volume->sequence_starts, oid) - 1
               : seqdb_volume_bases(volume, oid);
}

/* The residues of a protein, or the packed bases. */
static inline const uint8_t *seqdb_volume_sequence(const struct seqdb_volume *volume, uint32_t oid)
{
    return volume->sequences.bytes + seqdb_word(volume->sequence_starts, oid);
}

/* The ambiguity block of a nucleotide sequence; of size 0 if it has none. */
static inline struct seqdb_bytes seqdb_volume_ambiguity(const struct seqdb_volume *volume, uint32_t oid)
{
    uint32_t start = seqdb_word(volume->ambiguity_starts, oid), end = seqdb_word(volume->sequence_starts, (size_t)oid + 1);

    return (struct seqdb_bytes){volume->sequences.bytes + start, end - start};
}

/* The deflines, in BER. */
static inline struct seqdb_bytes seqdb_volume_header(const struct seqdb_volume *volume, uint32_t oid)
{
    uint32_t start = seqdb_word(volume->header_starts, oid), end = seqdb_word(volume->header_starts, (size_t)oid + 1);

    return (struct seqdb_bytes){start < end ? volume->headers.bytes + start : NULL, end - start};
}

#endif
