/* mask_names.c - see mask_names.h. */
#include "cli/db/mask_names.h"

#include <inttypes.h>
#include <stdio.h>

#include "report/report_names.h"
#include "seqid/seqid_text.h"
#include "seqio/seqio_blast_title.h"

static struct seqid local_number(uint64_t number)
{
    return (struct seqid){.kind = SEQID_LOCAL, .has_number = true, .number = (int64_t)number};
}

/* Parses the ids. Accessions of both molecules count, while makedb takes one of the other molecule as a local id. */
static io_status take_ids(mask_names *names, io_error *err)
{
    const tms_molecule own = names->molecule, other = own == TMS_PROTEIN ? TMS_NUCLEOTIDE : TMS_PROTEIN;
    io_status status = report_header_ids(names->header, own, &names->scratch, names->ids, &names->n_ids, err);

    if (status == IO_OK && names->n_ids == 1 && names->ids[0].kind == SEQID_LOCAL)
        status = report_header_ids(names->header, other, &names->scratch, names->ids, &names->n_ids, err);
    return status;
}

io_status mask_names_next(mask_names *names, const char *header, size_t n, io_error *err)
{
    names->header = (struct text){header, n};
    names->n_records++;
    names->n_ids = 1;
    names->ids[0] = local_number(names->n_records);
    if (!names->parse_ids)
        return IO_OK;
    names->header = report_header(header, n);
    if (names->database != NULL)
        return mask_database_ids(names->database, names->n_records - 1, names->ids, &names->n_ids, err);
    if (report_header_has_id(names->header))
        return take_ids(names, err);
    names->ids[0] = local_number(++names->n_unnamed);
    return IO_OK;
}

static const struct seqid *gi_of(const mask_names *names)
{
    for (size_t i = 0; i < names->n_ids; i++)
        if (names->ids[i].kind == SEQID_GI)
            return &names->ids[i];
    return NULL;
}

const struct seqid *mask_names_id(const mask_names *names)
{
    const struct seqid *gi = gi_of(names);

    return gi != NULL ? gi : &names->ids[0];
}

/* Prints "gi|5|sp|P12345|NAME": the gi, if there is one, and the best id; the gi alone if the best id is a local one. */
static bool put_ids(const mask_names *names, const struct seqid *best, struct byte_array *to)
{
    const struct seqid *gi = gi_of(names);

    if (gi != NULL && !seqid_text_fasta(gi, to))
        return false;
    if (gi != NULL && (best == gi || best->kind == SEQID_LOCAL || best->kind == SEQID_GI))
        return true;
    return (gi == NULL || byte_array_add(to, "|", 1)) && seqid_text_fasta(best, to);
}

/* The header after its first word. */
static struct text title_of(struct text header)
{
    struct text word = report_first_word(header);
    size_t n = word.n > 0 ? (size_t)(word.bytes - header.bytes) + word.n : 0;

    n += n > 0 && n < header.n;
    return (struct text){header.bytes + n, header.n - n};
}

static bool is_blank(struct text title)
{
    for (size_t i = 0; i < title.n; i++)
        if (title.bytes[i] != ' ')
            return false;
    return true;
}

/* Prints the substitute for an empty title. *is_put [out] false: this kind of id has none. */
static bool put_instead(const struct seqid *id, struct byte_array *to, bool *is_put)
{
    char number[64];
    int n = snprintf(number, sizeof number, "Sequence %" PRId64 " from Patent ", id->number);

    *is_put = (id->kind == SEQID_PDB && id->name.n > 0) || id->kind == SEQID_PATENT;
    if (!*is_put)
        return true;
    if (id->kind == SEQID_PDB)
        return byte_array_add(to, "Chain ", 6) && byte_array_add(to, id->name.bytes, id->name.n);
    return byte_array_add(to, number, (size_t)n) && byte_array_add(to, id->name.bytes, id->name.n) && byte_array_add(to, " ", 1) &&
           byte_array_add(to, id->accession.bytes, id->accession.n);
}

bool mask_names_title(const mask_names *names, struct byte_array *to)
{
    const struct defline defline = {.ids = (struct seqid *)(uintptr_t)names->ids, .n_ids = names->n_ids};
    const struct seqid *best = seqid_best(&defline);
    struct text title = names->header;
    const char *prefix;
    bool is_put = false, is_third_party = best->kind == SEQID_TPG || best->kind == SEQID_TPE || best->kind == SEQID_TPD;

    if (!names->parse_ids)
        return seqio_blast_tidy_title(title.bytes, title.n, names->molecule, "", to);
    title = title_of(names->header);
    if (!names->hides_ids && (!put_ids(names, best, to) || !byte_array_add(to, " ", 1)))
        return false;
    if (is_blank(title) && !put_instead(best, to, &is_put))
        return false;
    if (is_put)
        return true;
    prefix = !is_third_party ? "" : is_blank(title) && names->molecule == TMS_NUCLEOTIDE ? "TPA:" : "TPA: ";
    return seqio_blast_tidy_title(title.bytes, title.n, names->molecule, prefix, to);
}

void mask_names_free(mask_names *names) { free(names->scratch.bytes); }
