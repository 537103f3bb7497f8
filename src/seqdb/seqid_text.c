/* seqid_text.c - ids, printed. */
#include "seqid_text.h"

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

static const char *kind_word(const struct seqid *id)
{
    return id->kind == SEQID_SWISSPROT && is_text(id->release, "unreviewed") ? "tr" : seqid_word(id->kind);
}

/* A number, or the text. */
static bool add_object(struct byte_array *out, const struct seqid *id)
{
    return id->has_number ? add_number(out, id->number) : add_text(out, id->accession);
}

static bool add_versioned(struct byte_array *out, const struct seqid *id)
{
    return add_text(out, id->accession) &&
           (id->accession.n == 0 || id->version == 0 || (add_string(out, ".") && add_number(out, id->version)));
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
        return add_versioned(out, id) && add_string(out, "|") && add_text(out, id->name);
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
            return add_versioned(out, id);
        if (id->kind != SEQID_PIR && id->kind != SEQID_PRF && id->name.n > 0)
            return add_text(out, id->name);
        return seqid_text_fasta(id, out);
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

/* The lower the better. */
static int rank(const struct seqid *id)
{
    switch (id->kind) {
    case SEQID_GI:
        return 4;
    case SEQID_LOCAL:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        return 3;
    case SEQID_GENERAL:
        return 2;
    case SEQID_PATENT:
        return 1;
    default:
        return 0;
    }
}

const struct seqid *seqid_best(const struct defline *defline)
{
    const struct seqid *best = NULL;

    for (size_t i = 0; i < defline->n_ids; i++) {
        if (best == NULL || rank(&defline->ids[i]) < rank(best))
            best = &defline->ids[i];
    }
    return best;
}

bool seqid_is_ordinal(const struct seqid *id) { return id->kind == SEQID_GENERAL && is_text(id->name, "BL_ORD_ID"); }
