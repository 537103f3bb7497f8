#include "seqid/seqid_parse.h"

#include <string.h>
#include <strings.h>

#include "seqid/accession.h"

/* What follows a tag. */
enum shape { LOCAL, NUMBER, GENERAL, PDB, PATENT, TEXT, PLAIN_TEXT /* without a version */ };

static const struct tag {
    const char *name;
    enum seqid_kind kind;
    enum shape shape;
    const char *release;
} tags[] = {
    {"lcl", SEQID_LOCAL, LOCAL, NULL},
    {"gi", SEQID_GI, NUMBER, NULL},
    {"bbs", SEQID_GIBBSQ, NUMBER, NULL},
    {"bbm", SEQID_GIBBMT, NUMBER, NULL},
    {"gim", SEQID_GIIM, NUMBER, NULL},
    {"gnl", SEQID_GENERAL, GENERAL, NULL},
    {"pdb", SEQID_PDB, PDB, NULL},
    {"pat", SEQID_PATENT, PATENT, NULL},
    {"pgp", SEQID_PATENT, PATENT, NULL},
    {"gb", SEQID_GENBANK, TEXT, NULL},
    {"emb", SEQID_EMBL, TEXT, NULL},
    {"dbj", SEQID_DDBJ, TEXT, NULL},
    {"ref", SEQID_REFSEQ, TEXT, NULL},
    {"sp", SEQID_SWISSPROT, TEXT, "reviewed"},
    {"tr", SEQID_SWISSPROT, TEXT, "unreviewed"},
    {"tpg", SEQID_TPG, TEXT, NULL},
    {"tpe", SEQID_TPE, TEXT, NULL},
    {"tpd", SEQID_TPD, TEXT, NULL},
    {"gpp", SEQID_GPIPE, TEXT, NULL},
    {"nat", SEQID_NAMED_ANNOT, TEXT, NULL},
    {"pir", SEQID_PIR, PLAIN_TEXT, NULL},
    {"prf", SEQID_PRF, PLAIN_TEXT, NULL},
};

/* The fields between bars, one after the other. */
struct fields {
    const char *at, *end; /* at is NULL after the last field */
};

static bool next_field(struct fields *f, struct text *out)
{
    const char *bar;

    *out = (struct text){NULL, 0};
    if (!f->at)
        return false;
    bar = memchr(f->at, '|', (size_t)(f->end - f->at));
    *out = (struct text){f->at, (size_t)((bar ? bar : f->end) - f->at)};
    f->at = bar ? bar + 1 : NULL;
    return true;
}

static const struct tag *find_tag(struct text name)
{
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        if (strlen(tags[i].name) == name.n && strncasecmp(tags[i].name, name.bytes, name.n) == 0)
            return &tags[i];
    }
    return NULL;
}

/* Parses a text of digits only; returns false also if the number exceeds max. */
static bool parse_number(struct text t, int64_t max, int64_t *out)
{
    *out = 0;
    for (size_t i = 0; i < t.n; i++) {
        if (t.bytes[i] < '0' || t.bytes[i] > '9')
            return false;
        *out = 10 * *out + (t.bytes[i] - '0');
        if (*out > max)
            return false;
    }
    return t.n > 0;
}

/* Sets the second half of a local or general id: a number if it is written as one, else a string. */
static void set_object_id(struct seqid *id, struct text t)
{
    int64_t number;

    id->has_number = t.n > 0 && t.bytes[0] != '0' && parse_number(t, INT32_MAX, &number);
    if (id->has_number)
        id->number = number;
    else
        id->accession = t;
}

/* Splits "P12345.2" into accession and version. Returns false if the text behind the last point is no version. */
static bool set_accession(struct seqid *id, struct text t)
{
    const char *point = t.n > 0 ? memrchr(t.bytes, '.', t.n) : NULL;
    int64_t version = 0;

    if (point) {
        struct text digits = {point + 1, (size_t)(t.bytes + t.n - point - 1)};
        if (!parse_number(digits, INT32_MAX, &version) || version == 0)
            return false;
        t.n = (size_t)(point - t.bytes);
    }
    id->version = (int)version;
    if (t.n > 0)
        id->accession = t;
    return true;
}

/* Takes the name behind an accession. A tag with something behind it begins the next id instead. */
static void take_name(struct fields *f, struct seqid *id)
{
    struct fields ahead = *f;
    struct text name;

    if (!next_field(&ahead, &name) || (ahead.at && find_tag(name)))
        return;
    *f = ahead;
    if (name.n > 0)
        id->name = name;
}

static bool take_text(struct fields *f, const struct tag *tag, struct seqid *id)
{
    struct text t;

    if (!next_field(f, &t))
        return false;
    if (tag->shape == PLAIN_TEXT && t.n > 0)
        id->accession = t;
    else if (!set_accession(id, t))
        return false;
    take_name(f, id);
    if (tag->release)
        id->release = (struct text){tag->release, strlen(tag->release)};
    return id->accession.n > 0 || id->name.n > 0;
}

/* Behind the tag a molecule may be any 4 bytes, such as 1914, which without a tag is no PDB id. */
static bool take_pdb(struct fields *f, struct seqid *id)
{
    struct text chain;

    if (!next_field(f, &id->accession) || id->accession.n != 4)
        return false;
    for (size_t i = 0; i < 4; i++) {
        if (id->accession.bytes[i] <= ' ' || id->accession.bytes[i] > '~')
            return false;
    }
    if (next_field(f, &chain) && chain.n > 0)
        id->name = chain;
    return true;
}

static bool take_patent(struct fields *f, struct seqid *id)
{
    struct text number;

    return next_field(f, &id->name) && next_field(f, &id->accession) && next_field(f, &number) &&
           parse_number(number, INT32_MAX, &id->number);
}

static bool take_id(struct fields *f, const struct tag *tag, struct seqid *id)
{
    struct text t;

    *id = (struct seqid){.kind = tag->kind};
    switch (tag->shape) {
    case LOCAL:
        if (!next_field(f, &t) || t.n == 0)
            return false;
        set_object_id(id, t);
        return true;
    case NUMBER:
        return next_field(f, &t) && parse_number(t, UINT32_MAX, &id->number);
    case GENERAL:
        if (!next_field(f, &id->name) || !next_field(f, &t))
            return false;
        set_object_id(id, t);
        return true;
    case PDB:
        return take_pdb(f, id);
    case PATENT:
        return take_patent(f, id);
    default:
        return take_text(f, tag, id);
    }
}

static enum seqid_parse_status too_long_if(struct text t, size_t max, enum seqid_parse_status status, size_t *too_long)
{
    *too_long = t.n;
    return t.n > max ? status : SEQID_PARSED;
}

static enum seqid_parse_status check_length(const struct seqid *id, size_t *too_long)
{
    switch (id->kind) {
    case SEQID_LOCAL:
        return too_long_if(id->accession, SEQID_MAX_LOCAL, SEQID_LONG_LOCAL, too_long);
    case SEQID_GENERAL:
        return too_long_if(id->accession, SEQID_MAX_GENERAL, SEQID_LONG_GENERAL, too_long);
    case SEQID_PDB:
    case SEQID_PATENT:
        return SEQID_PARSED;
    default:
        return too_long_if(id->accession, SEQID_MAX_ACCESSION, SEQID_LONG_ACCESSION, too_long);
    }
}

static enum seqid_parse_status parse_tagged(struct fields f, struct seqid *ids, size_t *n_ids, size_t *too_long)
{
    enum seqid_parse_status status = SEQID_PARSED;
    struct text name;

    while (status == SEQID_PARSED && next_field(&f, &name)) {
        const struct tag *tag = find_tag(name);
        if (name.n == 0 && *n_ids > 0) /* skips an extra bar between ids or at the end */
            continue;
        if (!tag || *n_ids == SEQID_MAX_IDS || !take_id(&f, tag, &ids[*n_ids]))
            return SEQID_NONE;
        status = check_length(&ids[(*n_ids)++], too_long);
    }
    return status;
}

/* Parses "ab|x" where ab is no tag. */
static enum seqid_parse_status parse_general(struct fields f, struct seqid *ids, size_t *n_ids, size_t *too_long)
{
    struct text tag;

    ids[0] = (struct seqid){.kind = SEQID_GENERAL};
    *n_ids = 1;
    next_field(&f, &ids[0].name);
    next_field(&f, &tag);
    set_object_id(&ids[0], tag);
    return check_length(&ids[0], too_long);
}

/* Accepts letters, digits, and the other characters with which NCBI's readers let a local id begin; they do not check the rest. */
static bool is_local(const char *word, size_t n) { return n > 0 && word[0] > ' ' && strchr("\"[]>|", word[0]) == NULL; }

/* Turns an accession into a local id: in upper case, and with its version written as a number. */
static struct text upper_case(const char *word, const struct accession *a, char *scratch)
{
    struct text digits = a->version;
    size_t n = a->n;

    for (size_t i = 0; i < a->n; i++)
        scratch[i] = (char)(word[i] >= 'a' && word[i] <= 'z' ? word[i] - 'a' + 'A' : word[i]);
    if (!a->has_version)
        return (struct text){scratch, n};
    while (digits.n > 1 && digits.bytes[0] == '0') {
        digits.bytes++;
        digits.n--;
    }
    scratch[n++] = '.';
    memcpy(scratch + n, digits.bytes, digits.n);
    return (struct text){scratch, n + digits.n};
}

static enum seqid_parse_status parse_accession(const char *word, size_t n, const struct accession *a, tms_molecule molecule, char *scratch,
                                               struct seqid *id)
{
    int64_t version = 0;

    *id = (struct seqid){.kind = a->kind};
    if (a->has_version && (!parse_number(a->version, INT32_MAX, &version) || version == 0))
        return SEQID_NONE;
    if (molecule == TMS_PROTEIN ? !a->is_protein : !a->is_nucleotide) {
        id->kind = SEQID_LOCAL;
        id->accession = upper_case(word, a, scratch);
        return SEQID_PARSED;
    }
    id->accession = (struct text){word, a->n};
    id->version = (int)version;
    if (a->kind == SEQID_PDB)
        id->name = a->chain;
    (void)n;
    return SEQID_PARSED;
}

enum seqid_parse_status seqid_parse_barred(const char *word, size_t n, struct seqid *ids, size_t *n_ids, size_t *too_long)
{
    const char *bar = n > 0 ? memchr(word, '|', n) : NULL;
    const struct fields f = {word, word + n};
    size_t n_tag;

    *n_ids = 0;
    *too_long = 0;
    if (bar == NULL || bar + 1 == word + n)
        return SEQID_NONE;
    n_tag = (size_t)(bar - word);
    if (find_tag((struct text){word, n_tag}))
        return parse_tagged(f, ids, n_ids, too_long);
    if ((n_tag == 2 || n_tag == 3) && memchr(bar + 1, '|', (size_t)(word + n - bar - 1)) == NULL)
        return parse_general(f, ids, n_ids, too_long);
    return SEQID_NONE;
}

/* Returns true if a word with bars that is neither a tag with an id nor a general id may still be a local id. */
static bool may_be_local(const char *word, size_t n)
{
    const char *bar = memchr(word, '|', n), *end = word + n, *second;

    if (bar == NULL || bar + 1 == end)
        return true;
    second = memchr(bar + 1, '|', (size_t)(end - bar - 1));
    return second == NULL || bar - word >= 4 || (bar - word == 1 && second + 1 == end);
}

enum seqid_parse_status seqid_parse(const char *word, size_t n, tms_molecule molecule, char *scratch, struct seqid *ids, size_t *n_ids,
                                    size_t *too_long)
{
    const char *bar = n > 0 ? memchr(word, '|', n) : NULL;
    enum seqid_parse_status status;
    struct accession accession;

    *n_ids = 0;
    *too_long = 0;
    if (accession_identify(word, n, &accession)) {
        *n_ids = 1;
        return parse_accession(word, n, &accession, molecule, scratch, ids);
    }
    if (!is_local(word, n))
        return SEQID_BAD_LOCAL;
    status = seqid_parse_barred(word, n, ids, n_ids, too_long);
    if (status != SEQID_NONE || (bar != NULL && bar + 1 < word + n && find_tag((struct text){word, (size_t)(bar - word)})) ||
        !may_be_local(word, n))
        return status;
    ids[0] = (struct seqid){.kind = SEQID_LOCAL};
    *n_ids = 1;
    set_object_id(&ids[0], (struct text){word, n});
    return check_length(&ids[0], too_long);
}
