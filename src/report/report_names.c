/* report_names.c - see report_names.h. */
#include "report/report_names.h"

#include <stdlib.h>
#include <string.h>

#include "report/report_text.h"
#include "seqid/seqid_text.h"
#include "seqio/seqio_blast_title.h"

enum { MAX_SHOWN = 200 };

static bool begins_with(struct text text, const char *with)
{
    return text.n >= strlen(with) && memcmp(text.bytes, with, strlen(with)) == 0;
}

static struct text without(struct text text, size_t n) { return (struct text){text.bytes + n, text.n - n}; }

struct text report_first_word(struct text header)
{
    size_t n = 0;

    header = text_trimmed(header);
    while (n < header.n && (uint8_t)header.bytes[n] > ' ')
        n++;
    return (struct text){header.bytes, n};
}

struct text report_header(const char *bytes, size_t n)
{
    const char *tab;

    for (; n > 0 && (*bytes == ' ' || *bytes == '\t'); n--)
        bytes++;
    tab = n > 0 ? memchr(bytes, '\t', n) : NULL;
    return (struct text){n > 0 ? bytes : "", tab != NULL ? (size_t)(tab - bytes) : n};
}

/* ---- headers ------------------------------------------------------------------------------------------------------------------ */

struct report_name report_name_plain(struct text header, tms_molecule molecule, struct text unnamed)
{
    struct text word = report_first_word(header);

    if (word.n == 0)
        word = unnamed;
    return (struct report_name){.molecule = molecule, .title = header, .id = word, .ids = word, .accession = word, .label = word};
}

/* NCBI's program takes "contig:1-100" for an id with a range, and then for none. */
static bool has_range(struct text word)
{
    unsigned long long ends[2] = {0, 0};
    size_t i = word.n;

    for (int k = 2; k-- > 0;) {
        unsigned long long scale = 1;
        size_t end = i;
        for (; i > 0 && word.bytes[i - 1] >= '0' && word.bytes[i - 1] <= '9' && end - i < 18; i--, scale *= 10)
            ends[k] += scale * (unsigned long long)(word.bytes[i - 1] - '0');
        if (i == end || i == 0 || word.bytes[--i] != (k == 1 ? '-' : ':'))
            return false;
    }
    return i > 0 && ends[0] > 0 && ends[0] <= ends[1];
}

bool report_header_has_id(struct text header)
{
    struct text word = report_first_word(header);

    return word.n > 0 && !has_range(word);
}

void report_parsed_free(struct report_parsed *parsed)
{
    free(parsed->scratch.bytes);
    free(parsed->texts.bytes);
    memset(parsed, 0, sizeof *parsed);
}

static io_status fail_id(enum seqid_parse_status status, struct text word, size_t too_long, io_error *err)
{
    int n = word.n < MAX_SHOWN ? (int)word.n : MAX_SHOWN;

    switch (status) {
    case SEQID_LONG_LOCAL:
    case SEQID_LONG_GENERAL:
    case SEQID_LONG_ACCESSION:
        return io_fail(err, IO_E_INPUT, 0, "the id '%.*s' is too long: it has %zu letters", n, word.bytes, too_long);
    case SEQID_BAD_LOCAL:
        return io_fail(err, IO_E_INPUT, 0, "'%.*s' is not a valid local ID", n, word.bytes);
    default:
        return io_fail(err, IO_E_INPUT, 0, "Could not construct seq-id from '%.*s'", n, word.bytes);
    }
}

/* Writes the texts of the ids one behind the other, and then points into them. */
static bool put_texts(const struct defline *defline, struct byte_array *to, struct report_name *out)
{
    const struct seqid *best = seqid_best(defline), *listed = seqid_listed(defline);
    size_t id, ids, of_list;

    to->n = 0;
    if (!seqid_text_accession(best, to))
        return false;
    id = to->n;
    if (!seqid_text_fasta(best, to))
        return false;
    ids = to->n;
    if (!seqid_text_shown(defline, to))
        return false;
    of_list = to->n;
    if (!(seqid_is_label(listed) ? seqid_text_fasta : seqid_text_accession)(listed, to))
        return false;
    out->accession = (struct text){(const char *)to->bytes, id};
    out->id = (struct text){(const char *)to->bytes + id, ids - id};
    out->ids = (struct text){(const char *)to->bytes + ids, of_list - ids};
    out->listed = (struct text){(const char *)to->bytes + of_list, to->n - of_list};
    out->label = seqid_is_label(best) ? out->id : out->accession;
    return true;
}

struct text report_header_rest(struct text header)
{
    const struct text word = report_first_word(header);
    const char *end = header.bytes + header.n, *at = word.bytes + word.n;

    at += at < end && *at == ' ';
    return (struct text){at, (size_t)(end - at)};
}

io_status report_header_ids(struct text header, tms_molecule molecule, struct byte_array *scratch, struct seqid *ids, size_t *n_ids,
                            io_error *err)
{
    struct text word = report_first_word(header);
    const bool has_bar = word.n > 0 && memchr(word.bytes, '|', word.n) != NULL;
    enum seqid_parse_status status;
    size_t too_long = 0;
    char *bytes;

    scratch->n = 0;
    bytes = (char *)byte_array_room(scratch, 2 * word.n + 16);
    if (bytes == NULL)
        return io_fail_memory(err, "the ids of a sequence");
    for (size_t i = 0; i < word.n; i++)
        bytes[i] = (char)(word.bytes[i] == ',' && !has_bar ? '_' : word.bytes[i]);
    status = seqid_parse(bytes, word.n, molecule, bytes + word.n, ids, n_ids, &too_long);
    return status == SEQID_PARSED ? IO_OK : fail_id(status, word, too_long, err);
}

io_status report_name_parse(struct text header, tms_molecule molecule, struct text unnamed, struct report_parsed *parsed,
                            struct report_name *out, io_error *err)
{
    struct seqid ids[SEQID_MAX_IDS];
    size_t n_ids = 0;
    struct defline defline;
    io_status status;

    *out = (struct report_name){.molecule = molecule,
                                .is_parsed = true,
                                .title = report_header_rest(header),
                                .id = unnamed,
                                .ids = unnamed,
                                .accession = unnamed,
                                .label = unnamed,
                                .listed = unnamed};
    if (!report_header_has_id(header))
        return IO_OK;
    status = report_header_ids(header, molecule, &parsed->scratch, ids, &n_ids, err);
    if (status != IO_OK)
        return status;
    defline = (struct defline){.ids = ids, .n_ids = n_ids};
    for (size_t i = n_ids; i-- > 0;) {
        if (ids[i].kind == SEQID_GI)
            out->gi = ids[i].number;
        out->is_third_party |= ids[i].kind == SEQID_TPG || ids[i].kind == SEQID_TPE || ids[i].kind == SEQID_TPD;
    }
    return put_texts(&defline, &parsed->texts, out) ? IO_OK : io_fail_memory(err, "the ids of a sequence");
}

/* Whether one of the ids is of Third Party Annotation. */
static bool has_third_party(struct text ids)
{
    static const char *const tags[] = {"tpg|", "tpe|", "tpd|"};

    for (;;) {
        const char *bar = memchr(ids.bytes, '|', ids.n);
        for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
            if (begins_with(ids, tags[i]))
                return true;
        }
        if (bar == NULL)
            return false;
        ids = without(ids, (size_t)(bar + 1 - ids.bytes));
    }
}

bool report_name_stored(const tms_seqdb_name *name, tms_molecule molecule, struct byte_array *tidied, struct report_name *out)
{
    struct text word;

    *out = (struct report_name){.molecule = molecule,
                                .is_parsed = name->has_id,
                                .is_stored = true,
                                .title = {name->title, name->title_size},
                                .id = {name->id, name->id_size},
                                .ids = {name->shown, name->shown_size},
                                .is_third_party = name->has_id && has_third_party((struct text){name->ids, name->ids_size}),
                                .accession = {name->accession, name->accession_size},
                                .label = {name->label, name->label_size},
                                .gi = name->gi > 0 ? name->gi : 0,
                                .taxid = name->taxid};
    if (name->has_id)
        return true;
    tidied->n = 0;
    if (!seqio_blast_tidy_stored_title(name->title, name->title_size, molecule, "", tidied))
        return false;
    word = report_first_word(text_of_array(tidied));
    if (word.n > 0)
        out->id = out->ids = out->accession = out->label = word;
    return true;
}

/* ---- forms -------------------------------------------------------------------------------------------------------------------- */

static struct text without_local(struct text id) { return begins_with(id, "lcl|") ? without(id, 4) : id; }

bool report_name_is_own(const struct report_name *name) { return begins_with(name->id, "lcl|") || begins_with(name->id, "gnl|"); }

bool report_name_is_gi(const struct report_name *name) { return begins_with(name->accession, "gi|"); }

bool report_name_is_geninfo(const struct report_name *name)
{
    return begins_with(name->id, "bbs|") || begins_with(name->id, "bbm|") || begins_with(name->id, "gim|");
}

bool report_name_is_local(const struct report_name *name) { return begins_with(name->id, "lcl|"); }

struct text report_name_id(const struct report_name *name) { return name->is_parsed ? without_local(name->id) : name->id; }
struct text report_name_ids(const struct report_name *name) { return name->is_parsed ? without_local(name->ids) : name->ids; }

struct text report_name_versioned(const struct report_name *name)
{
    const struct text text = name->accession;

    if (!name->is_parsed)
        return text;
    return begins_with(text, "gi|") ? without(text, 3) : text;
}

/* Kinds of ids that have a version. */
static bool has_version(struct text id)
{
    static const char *const words[] = {"gb|", "emb|", "sp|", "tr|", "ref|", "dbj|", "tpg|", "tpe|", "tpd|", "gpp|", "nat|"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (begins_with(id, words[i]))
            return true;
    }
    return false;
}

struct text report_name_accession(const struct report_name *name)
{
    struct text text = report_name_versioned(name);
    size_t n = text.n;

    if (!name->is_parsed || !has_version(name->id))
        return text;
    while (n > 0 && text.bytes[n - 1] >= '0' && text.bytes[n - 1] <= '9')
        n--;
    if (n > 1 && n < text.n && text.bytes[n - 1] == '.')
        text.n = n - 1;
    return text;
}

struct text report_name_last(const struct report_name *name)
{
    struct text text = report_name_accession(name);
    const char *colon;

    if (!name->is_parsed || !begins_with(name->id, "gnl|"))
        return text;
    colon = memchr(name->id.bytes + 4, '|', name->id.n - 4);
    return colon != NULL ? without(name->id, (size_t)(colon + 1 - name->id.bytes)) : text;
}

/* ---- titles ------------------------------------------------------------------------------------------------------------------- */

/* The title of a chain without one, "Chain A", or of a patent's sequence, "Sequence 1 from Patent US 123". */
static bool put_made_up(const struct report_name *name, struct byte_array *to)
{
    struct report_text t = {.to = to};
    struct text parts[3];
    struct text rest = name->id;

    for (size_t i = 0; i < 3; i++) { /* of pdb|1ABC|A or pat|US|123|1, behind the first bar */
        const char *bar = memchr(rest.bytes, '|', rest.n);
        rest = bar != NULL ? without(rest, (size_t)(bar + 1 - rest.bytes)) : (struct text){rest.bytes + rest.n, 0};
        parts[i] = rest;
    }
    if (begins_with(name->id, "pdb|")) {
        text_string(&t, "Chain ");
        text_put(&t, parts[1]);
    } else {
        text_string(&t, "Sequence ");
        text_put(&t, parts[2]);
        text_string(&t, " from Patent ");
        parts[0].n -= parts[1].n + 1;
        text_put(&t, parts[0]);
        text_string(&t, " ");
        parts[1].n -= parts[2].n + 1;
        text_put(&t, parts[1]);
    }
    return !t.is_lost;
}

bool report_name_tidy(const struct report_name *name, struct byte_array *to)
{
    const char *prefix = name->is_third_party ? "TPA: " : "";

    const size_t n_title = name->is_stored ? name->title.n : text_trimmed(name->title).n;

    if (name->is_parsed && n_title == 0 && (begins_with(name->id, "pdb|") || begins_with(name->id, "pat|")))
        return byte_array_add(to, prefix, strlen(prefix)) && put_made_up(name, to);
    return (name->is_stored ? seqio_blast_tidy_stored_title : seqio_blast_tidy_title)(name->title.bytes, name->title.n, name->molecule,
                                                                                      prefix, to);
}
