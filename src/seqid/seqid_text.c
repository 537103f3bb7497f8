/* seqid_text.c - prints ids. */
#include "seqid/seqid_text.h"

#include <inttypes.h>
#include <stdio.h>

static bool add_text(struct byte_array *out, struct text text) { return byte_array_add(out, text.bytes, text.n); }
static bool add_string(struct byte_array *out, const char *string) { return byte_array_add(out, string, strlen(string)); }

static bool add_number(struct byte_array *out, int64_t number)
{
    char digits[24];

    return byte_array_add(out, digits, (size_t)snprintf(digits, sizeof digits, "%" PRId64, number));
}

static bool is_text(struct text text, const char *string) { return text.n == strlen(string) && memcmp(text.bytes, string, text.n) == 0; }

const char *seqid_word(enum seqid_kind kind)
{
    static const char *const words[] = {
        [SEQID_LOCAL] = "lcl",   [SEQID_GIBBSQ] = "bbs", [SEQID_GIBBMT] = "bbm",   [SEQID_GIIM] = "gim",   [SEQID_GENBANK] = "gb",
        [SEQID_EMBL] = "emb",    [SEQID_PIR] = "pir",    [SEQID_SWISSPROT] = "sp", [SEQID_PATENT] = "pat", [SEQID_REFSEQ] = "ref",
        [SEQID_GENERAL] = "gnl", [SEQID_GI] = "gi",      [SEQID_DDBJ] = "dbj",     [SEQID_PRF] = "prf",    [SEQID_PDB] = "pdb",
        [SEQID_TPG] = "tpg",     [SEQID_TPE] = "tpe",    [SEQID_TPD] = "tpd",      [SEQID_GPIPE] = "gpp",  [SEQID_NAMED_ANNOT] = "nat",
    };

    return words[kind];
}

const char *seqid_asn_name(enum seqid_kind kind)
{
    static const char *const names[] = {
        [SEQID_LOCAL] = "local",     [SEQID_GIBBSQ] = "gibbsq", [SEQID_GIBBMT] = "gibbmt",   [SEQID_GIIM] = "giim",
        [SEQID_GENBANK] = "genbank", [SEQID_EMBL] = "embl",     [SEQID_PIR] = "pir",         [SEQID_SWISSPROT] = "swissprot",
        [SEQID_PATENT] = "patent",   [SEQID_REFSEQ] = "other",  [SEQID_GENERAL] = "general", [SEQID_GI] = "gi",
        [SEQID_DDBJ] = "ddbj",       [SEQID_PRF] = "prf",       [SEQID_PDB] = "pdb",         [SEQID_TPG] = "tpg",
        [SEQID_TPE] = "tpe",         [SEQID_TPD] = "tpd",       [SEQID_GPIPE] = "gpipe",     [SEQID_NAMED_ANNOT] = "named-annot-track"};

    return (size_t)kind < sizeof names / sizeof *names ? names[kind] : NULL;
}

static const char *kind_word(const struct seqid *id)
{
    return id->kind == SEQID_SWISSPROT && is_text(id->release, "unreviewed") ? "tr" : seqid_word(id->kind);
}

/* Appends the number or the text. */
static bool add_object(struct byte_array *out, const struct seqid *id)
{
    return id->has_number ? add_number(out, id->number) : add_text(out, id->accession);
}

static bool add_version(struct byte_array *out, const struct seqid *id)
{
    return id->accession.n == 0 || id->version == 0 || (add_string(out, ".") && add_number(out, id->version));
}

static bool add_upper(struct byte_array *out, struct text text)
{
    uint8_t *at = byte_array_room(out, text.n);

    if (at == NULL)
        return false;
    for (size_t i = 0; i < text.n; i++)
        at[i] = (uint8_t)(text.bytes[i] >= 'a' && text.bytes[i] <= 'z' ? text.bytes[i] - 'a' + 'A' : text.bytes[i]);
    out->n += text.n;
    return true;
}

bool seqid_text_fasta(const struct seqid *id, struct byte_array *out)
{
    if (!add_string(out, kind_word(id)) || !add_string(out, "|"))
        return false;
    switch (id->kind) {
    case SEQID_LOCAL:
        return add_object(out, id);
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
    case SEQID_GI:
        return add_number(out, id->number);
    case SEQID_GENERAL:
        return add_text(out, id->name) && add_string(out, "|") && add_object(out, id);
    case SEQID_PDB:
        return add_text(out, id->accession) && add_string(out, "|") && (id->name.n > 0 ? add_text(out, id->name) : add_string(out, " "));
    case SEQID_PATENT:
        return add_text(out, id->name) && add_string(out, "|") && add_text(out, id->accession) && add_string(out, "|") &&
               add_number(out, id->number);
    default:
        return add_text(out, id->accession) && add_version(out, id) && add_string(out, "|") && add_text(out, id->name);
    }
}

bool seqid_text_accession(const struct seqid *id, struct byte_array *out)
{
    switch (id->kind) {
    case SEQID_LOCAL:
        return add_object(out, id);
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        return add_number(out, id->number);
    case SEQID_GENERAL:
        return add_text(out, id->name) && add_string(out, ":") && add_object(out, id);
    case SEQID_PDB:
        return add_text(out, id->accession) && (id->name.n == 0 || (add_string(out, "_") && add_text(out, id->name)));
    case SEQID_PATENT:
        return add_text(out, id->name) && add_text(out, id->accession) && add_string(out, "_") && add_number(out, id->number);
    case SEQID_GI:
        return seqid_text_fasta(id, out);
    default:
        if (id->accession.n > 0)
            return add_upper(out, id->accession) && add_version(out, id);
        return id->name.n > 0 ? add_text(out, id->name) : seqid_text_fasta(id, out);
    }
}

bool seqid_text_all(const struct defline *defline, struct byte_array *out)
{
    for (size_t i = 0; i < defline->n_ids; i++) {
        if ((i > 0 && !add_string(out, "|")) || !seqid_text_fasta(&defline->ids[i], out))
            return false;
    }
    return true;
}

bool seqid_text_shown(const struct defline *defline, struct byte_array *out)
{
    const struct seqid *best = seqid_best(defline), *gi = NULL;

    for (size_t i = 0; i < defline->n_ids; i++)
        gi = gi == NULL && defline->ids[i].kind == SEQID_GI ? &defline->ids[i] : gi;
    if (gi != NULL && best->kind != SEQID_GI && !(seqid_text_fasta(gi, out) && add_string(out, "|")))
        return false;
    if (gi != NULL && best->kind == SEQID_LOCAL)
        return seqid_text_accession(best, out);
    return seqid_text_fasta(best, out);
}

/* Ranks of kinds; the lowest is preferred. */
static const uint8_t called_by[SEQID_NAMED_ANNOT + 1] = {
    [SEQID_REFSEQ] = 1, [SEQID_GPIPE] = 2,  [SEQID_NAMED_ANNOT] = 2, [SEQID_LOCAL] = 3,   [SEQID_PATENT] = 3,
    [SEQID_GIBBSQ] = 4, [SEQID_GIBBMT] = 4, [SEQID_GIIM] = 4,        [SEQID_GENERAL] = 4, [SEQID_GI] = 5};
static const uint8_t listed_by[SEQID_NAMED_ANNOT + 1] = {
    [SEQID_GI] = 0,        [SEQID_PDB] = 1,    [SEQID_GENBANK] = 1, [SEQID_EMBL] = 1,  [SEQID_PIR] = 1,
    [SEQID_SWISSPROT] = 1, [SEQID_DDBJ] = 1,   [SEQID_PRF] = 1,     [SEQID_TPG] = 1,   [SEQID_TPE] = 1,
    [SEQID_TPD] = 1,       [SEQID_REFSEQ] = 2, [SEQID_PATENT] = 3,  [SEQID_GPIPE] = 4, [SEQID_NAMED_ANNOT] = 5,
    [SEQID_GIBBSQ] = 6,    [SEQID_GIBBMT] = 6, [SEQID_GIIM] = 6,    [SEQID_LOCAL] = 7, [SEQID_GENERAL] = 7};

/* Parts that a text id lacks: of two of one kind the id that lacks less is preferred. */
static int lack(const struct seqid *id)
{
    enum { NAME = 1, VERSION = 2, ACCESSION = 4 };

    switch (id->kind) {
    case SEQID_PDB:
    case SEQID_LOCAL:
    case SEQID_PATENT:
    case SEQID_GENERAL:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
    case SEQID_GI:
        return 0;
    default:
        return id->accession.n == 0 ? ACCESSION : (id->name.n == 0 ? NAME : 0) + (id->version == 0 ? VERSION : 0);
    }
}

static const struct seqid *lowest(const struct defline *defline, const uint8_t *order)
{
    enum { OF_KIND = 8 };
    const struct seqid *best = NULL;
    int least = 0;

    for (size_t i = 0; i < defline->n_ids; i++) {
        int rank = OF_KIND * order[defline->ids[i].kind] + lack(&defline->ids[i]);
        if (best == NULL || rank < least) {
            best = &defline->ids[i];
            least = rank;
        }
    }
    return best;
}

const struct seqid *seqid_best(const struct defline *defline) { return lowest(defline, called_by); }
const struct seqid *seqid_listed(const struct defline *defline) { return lowest(defline, listed_by); }

bool seqid_is_label(const struct seqid *id) { return id->kind == SEQID_PIR || id->kind == SEQID_PRF; }

bool seqid_is_ordinal(const struct seqid *id) { return id->kind == SEQID_GENERAL && is_text(id->name, "BL_ORD_ID"); }
