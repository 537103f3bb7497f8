/* asn_seqid.c - prints a Seq-id through asn_writer.h: the ASN.1 types of each kind of id. */
#include "cli/db/asn_writer.h"
#include "seqid/seqid_text.h"

static void put_string_member(asn_writer *w, unsigned number, const char *type, const char *name, struct text text)
{
    if (text.bytes == NULL)
        return;
    asn_member(w, number, type, name);
    asn_string(w, text);
    asn_end_member(w, type, name);
}

static void put_integer_member(asn_writer *w, unsigned number, const char *type, const char *name, int64_t value)
{
    asn_member(w, number, type, name);
    asn_integer(w, value);
    asn_end_member(w, type, name);
}

static void put_object_id(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Object-id";
    const char *name = id->has_number ? "id" : "str";

    asn_element(w, type);
    asn_choice(w, id->has_number ? 0 : 1, type, name);
    if (id->has_number)
        asn_integer(w, id->number);
    else
        asn_string(w, id->accession);
    asn_end_member(w, type, name);
    asn_end_element(w, type);
}

static void put_general(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Dbtag";

    asn_open(w, type);
    put_string_member(w, 0, type, "db", id->name);
    asn_member(w, 1, type, "tag");
    put_object_id(w, id);
    asn_end_member(w, type, "tag");
    asn_close(w, type);
}

static void put_pdb(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "PDB-seq-id", molecule[] = "PDB-mol-id";

    asn_open(w, type);
    asn_member(w, 0, type, "mol");
    asn_element(w, molecule);
    asn_string(w, id->accession);
    asn_end_element(w, molecule);
    asn_end_member(w, type, "mol");
    if (id->name.n == 1)
        put_integer_member(w, 1, type, "chain", (uint8_t)id->name.bytes[0]);
    put_string_member(w, 3, type, "chain-id", id->name);
    asn_close(w, type);
}

static void put_patent(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Patent-seq-id", citation[] = "Id-pat", number[] = "Id-pat_id";

    asn_open(w, type);
    put_integer_member(w, 0, type, "seqid", id->number);
    asn_member(w, 1, type, "cit");
    asn_open(w, citation);
    put_string_member(w, 0, citation, "country", id->name);
    asn_member(w, 1, citation, "id");
    asn_choice(w, 0, number, "number");
    asn_string(w, id->accession);
    asn_end_member(w, number, "number");
    asn_end_member(w, citation, "id");
    asn_close(w, citation);
    asn_end_member(w, type, "cit");
    asn_close(w, type);
}

static void put_text_id(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Textseq-id";

    asn_open(w, type);
    put_string_member(w, 0, type, "name", id->name);
    put_string_member(w, 1, type, "accession", id->accession);
    put_string_member(w, 2, type, "release", id->release);
    if (id->version > 0)
        put_integer_member(w, 3, type, "version", id->version);
    asn_close(w, type);
}

static void put_giim(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Giimport-id";

    asn_open(w, type);
    put_integer_member(w, 0, type, "id", id->number);
    asn_close(w, type);
}

void asn_seqid(asn_writer *w, const struct seqid *id)
{
    static const char type[] = "Seq-id";
    const char *name = seqid_asn_name(id->kind);

    asn_element(w, type);
    asn_choice(w, (unsigned)id->kind, type, name);
    switch (id->kind) {
    case SEQID_LOCAL:
        put_object_id(w, id);
        break;
    case SEQID_GENERAL:
        put_general(w, id);
        break;
    case SEQID_PDB:
        put_pdb(w, id);
        break;
    case SEQID_PATENT:
        put_patent(w, id);
        break;
    case SEQID_GIIM:
        put_giim(w, id);
        break;
    case SEQID_GI:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
        asn_integer(w, id->number);
        break;
    default:
        put_text_id(w, id);
    }
    asn_end_member(w, type, name);
    asn_end_element(w, type);
}
