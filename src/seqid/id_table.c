#include "seqid/id_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/core.h"
#include "seqid/seqid_text.h"

enum { MAX_KEY = 512, LISTED = 'x', LISTED_BY_CASE = 'X' };

static uint64_t hash_key(const uint8_t *key, size_t n)
{
    uint64_t h = 14695981039346656037u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ key[i]) * 1099511628211u;
    return core_splitmix(h, 0);
}

static uint8_t upper(char c) { return (uint8_t)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); }

/* A key being built. A key longer than MAX_KEY is cut: then it finds only ids that agree so far. */
struct key {
    uint8_t bytes[MAX_KEY];
    size_t n;
};

static void key_begin(struct key *key, char family)
{
    key->bytes[0] = (uint8_t)family;
    key->n = 1;
}

/* Appends in upper case, except in a family whose letter is upper-case. */
static void key_add(struct key *key, struct text text)
{
    const bool has_case = key->bytes[0] < 'a';

    for (size_t i = 0; i < text.n && key->n < MAX_KEY; i++)
        key->bytes[key->n++] = has_case ? (uint8_t)text.bytes[i] : upper(text.bytes[i]);
}

static void key_add_string(struct key *key, const char *text) { key_add(key, (struct text){text, strlen(text)}); }

static void key_add_number(struct key *key, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRId64, number);
    key_add_string(key, digits);
}

/* ---- wanted ids ---------------------------------------------------------------------------------------------------- */

static bool want(struct id_table *table, const struct key *key, size_t id)
{
    size_t start = table->keys.n;

    if (!byte_array_add(&table->keys, key->bytes, key->n) ||
        !array_reserve(&table->wanted, &table->capacity, table->n_wanted + 1, sizeof *table->wanted))
        return false;
    table->wanted[table->n_wanted++] = (struct id_wanted){start, key->n, id, hash_key(key->bytes, key->n), 0};
    return true;
}

static bool want_text(struct id_table *table, char family, struct text text, size_t id)
{
    struct key key;

    key_begin(&key, family);
    key_add(&key, text);
    return text.n == 0 || want(table, &key, id);
}

/* The parts of a key: a, then b and c with a string in front of each; a string that is NULL: nothing. */
struct key_parts {
    struct text a;
    const char *between;
    struct text b;
    const char *then;
    struct text c;
};

static bool want_joined(struct id_table *table, char family, struct key_parts parts, size_t id)
{
    struct key key;

    key_begin(&key, family);
    key_add(&key, parts.a);
    if (parts.between != NULL)
        key_add_string(&key, parts.between);
    key_add(&key, parts.b);
    if (parts.then != NULL)
        key_add_string(&key, parts.then);
    key_add(&key, parts.c);
    return want(table, &key, id);
}

enum { MAX_FIELDS = 8 };

/* Splits an id at its bars; the last field has the rest. */
static size_t cut_fields(const char *id, struct text fields[MAX_FIELDS])
{
    size_t n = 0;

    for (;; id++) {
        size_t size = n + 1 < MAX_FIELDS ? strcspn(id, "|") : strlen(id);
        fields[n++] = (struct text){id, size};
        id += size;
        if (*id == '\0')
            return n;
    }
}

static bool is_word(struct text text, const char *word)
{
    if (text.n != strlen(word))
        return false;
    for (size_t i = 0; i < text.n; i++) {
        if (upper(text.bytes[i]) != upper(word[i]))
            return false;
    }
    return true;
}

/* The number as NCBI's programs print it. */
static struct text without_zeros(struct text number)
{
    for (; number.n > 1 && number.bytes[0] == '0'; number.n--)
        number.bytes++;
    return number;
}

/* Wants a molecule and a chain in one word: 1ABC_A, also 1ABC-A. */
static bool want_molecule(struct id_table *table, struct text word, size_t id)
{
    enum { MOLECULE = 4 };
    struct key_parts parts;

    if (word.n <= MOLECULE || word.bytes[MOLECULE] != '-')
        return want_text(table, 'c', word, id);
    parts = (struct key_parts){.a = {word.bytes, MOLECULE}, .between = "_", .b = {word.bytes + MOLECULE + 1, word.n - MOLECULE - 1}};
    return want_joined(table, 'c', parts, id);
}

/* Wants an id that follows a word and a bar. */
static bool want_typed(struct id_table *table, const struct text *f, size_t n, size_t id)
{
    static const struct text none = {"", 0};
    const struct text second = n > 2 ? f[2] : none, third = n > 3 ? f[3] : none;

    if (is_word(f[0], "gi")) /* also matches gi|129295|sp|P01013.1|...: NCBI's programs ignore the rest */
        return want_text(table, 'i', without_zeros(f[1]), id);
    if (is_word(f[0], "lcl"))
        return want_text(table, 'l', f[1], id);
    if (is_word(f[0], "gnl"))
        return (!is_word(f[1], "BL_ORD_ID") || want_text(table, 'n', second, id)) &&
               want_joined(table, 'g', (struct key_parts){.a = f[1], .between = ":", .b = second}, id);
    if (is_word(f[0], "pdb"))
        return second.n > 0 ? want_joined(table, 'c', (struct key_parts){.a = f[1], .between = "_", .b = second}, id)
                            : want_molecule(table, f[1], id);
    if (is_word(f[0], "pat") || is_word(f[0], "pgp"))
        return want_joined(table, 'p', (struct key_parts){.a = f[1], .b = second, .then = "_", .c = without_zeros(third)}, id);
    if (is_word(f[0], "bbs") || is_word(f[0], "bbm") || is_word(f[0], "gim"))
        return want_text(table, 'b', without_zeros(f[1]), id);
    return want_text(table, 't', f[1].n > 0 ? f[1] : second, id);
}

/* Wants a word with bars that may be an id itself: abcd|e|f, 1ABC_A|x; or a molecule and its chain, 1ABC|A. */
static bool want_barred(struct id_table *table, const char *text, const struct text *f, size_t id)
{
    const struct text all = {text, strlen(text)};
    enum { TAG = 3, MOLECULE = 4 };

    if (f[0].n <= TAG)
        return true;
    return want_text(table, 'l', all, id) && want_text(table, 'c', all, id) &&
           (f[0].n != MOLECULE ||
            want_joined(table, 'c', (struct key_parts){.a = f[0], .between = "_", .b = {text + MOLECULE + 1, all.n - MOLECULE - 1}}, id));
}

/* Wants the same key in both families of lists. */
static bool want_listed(struct id_table *table, struct key_parts parts, size_t id)
{
    return want_joined(table, LISTED, parts, id) && want_joined(table, LISTED_BY_CASE, parts, id);
}

/* Wants an id of a list; a gi is not found this way. */
static bool want_in_list(struct id_table *table, const struct text *f, size_t n, size_t id)
{
    static const struct text none = {"", 0};
    const struct text second = n > 2 ? f[2] : none, third = n > 3 ? f[3] : none;

    if (n == 1)
        return want_listed(table, (struct key_parts){.a = f[0]}, id);
    if (is_word(f[0], "gi"))
        return true;
    if (is_word(f[0], "gnl"))
        return want_listed(table, (struct key_parts){.a = f[1], .between = ":", .b = second}, id);
    if (is_word(f[0], "pdb"))
        return want_listed(table, (struct key_parts){.a = f[1], .between = "_", .b = second}, id);
    if (is_word(f[0], "pat") || is_word(f[0], "pgp"))
        return want_listed(table, (struct key_parts){.a = f[1], .b = second, .then = "_", .c = third}, id);
    return want_listed(table, (struct key_parts){.a = f[1].n > 0 ? f[1] : second}, id);
}

bool id_table_want(struct id_table *table, const char *text, size_t id)
{
    static const char families[] = "tlgmpb";
    struct text fields[MAX_FIELDS];
    size_t n = cut_fields(text, fields);

    if (table->rule != ID_TABLE_FREE)
        return want_in_list(table, fields, n, id);
    if (n > 1)
        return want_typed(table, fields, n, id) && want_barred(table, text, fields, id);
    for (const char *family = families; *family != '\0'; family++) {
        if (!want_text(table, *family, fields[0], id))
            return false;
    }
    return want_text(table, 'i', without_zeros(fields[0]), id) && want_molecule(table, fields[0], id);
}

/* The slot of the key, or the free slot where it would be. */
static size_t slot_of(const struct id_table *table, const uint8_t *key, size_t n, uint64_t hash)
{
    size_t at = hash & table->mask;

    for (; table->slots[at] != 0; at = (at + 1) & table->mask) {
        const struct id_wanted *wanted = &table->wanted[table->slots[at] - 1];
        if (wanted->hash == hash && wanted->n == n && memcmp(table->keys.bytes + wanted->start, key, n) == 0)
            break;
    }
    return at;
}

/* An id may be wanted several times; its keys are in the table once. */
bool id_table_make(struct id_table *table)
{
    size_t size = 64;

    while (size < 2 * table->n_wanted)
        size *= 2;
    table->slots = calloc(size, sizeof *table->slots);
    table->mask = size - 1;
    if (table->slots == NULL || table->n_wanted >= UINT32_MAX)
        return false;
    for (size_t i = 0; i < table->n_wanted; i++) {
        struct id_wanted *wanted = &table->wanted[i];
        size_t at = slot_of(table, table->keys.bytes + wanted->start, wanted->n, wanted->hash);
        wanted->next = table->slots[at];
        table->slots[at] = (uint32_t)i + 1;
    }
    return true;
}

void id_table_free(struct id_table *table)
{
    free(table->keys.bytes);
    free(table->wanted);
    free(table->slots);
    *table = (struct id_table){0};
}

/* ---- looking up ---------------------------------------------------------------------------------------------------- */

/* The callback of a look-up. */
struct meeting {
    const struct id_table *table;
    id_met *met;
    void *arg;
};

static void meet(const struct meeting *m, const struct key *key)
{
    const struct id_table *table = m->table;
    size_t at = slot_of(table, key->bytes, key->n, hash_key(key->bytes, key->n));

    for (uint32_t i = table->slots[at]; i != 0; i = table->wanted[i - 1].next)
        m->met(m->arg, table->wanted[i - 1].id);
}

static void meet_text(const struct meeting *m, char family, struct text text)
{
    struct key key;

    if (text.n == 0)
        return;
    key_begin(&key, family);
    key_add(&key, text);
    meet(m, &key);
}

/* A molecule and its chain. */
static void key_add_pdb(struct key *key, const struct seqid *id)
{
    key_add(key, id->accession);
    key_add_string(key, "_");
    key_add(key, id->name);
}

static void key_add_patent(struct key *key, const struct seqid *id)
{
    key_add(key, id->name);
    key_add(key, id->accession);
    key_add_string(key, "_");
    key_add_number(key, id->number);
}

static void key_add_version(struct key *key, const struct seqid *id)
{
    key_add_string(key, ".");
    key_add_number(key, id->version);
}

static void meet_numbered(const struct meeting *m, char family, const struct seqid *id)
{
    struct key key;

    key_begin(&key, family);
    if (id->accession.bytes != NULL)
        key_add(&key, id->accession);
    else
        key_add_number(&key, id->number);
    meet(m, &key);
}

static void meet_general(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    key_begin(&key, 'g');
    key_add(&key, id->name);
    key_add_string(&key, ":");
    if (id->has_number)
        key_add_number(&key, id->number);
    else
        key_add(&key, id->accession);
    if (!seqid_is_ordinal(id) || !id->has_number)
        meet(m, &key);
    meet_text(m, 'm', id->accession);
}

static void meet_pdb(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    meet_text(m, 'c', id->accession);
    key_begin(&key, 'c');
    key_add_pdb(&key, id);
    meet(m, &key);
}

static void meet_patent(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    key_begin(&key, 'p');
    key_add_patent(&key, id);
    meet(m, &key);
}

static void meet_versioned(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    meet_text(m, 't', id->name);
    meet_text(m, 't', id->accession);
    if (id->version == 0 || id->accession.n == 0)
        return;
    key_begin(&key, 't');
    key_add(&key, id->accession);
    key_add_version(&key, id);
    meet(m, &key);
}

static void meet_id(const struct meeting *m, const struct seqid *id)
{
    switch (id->kind) {
    case SEQID_LOCAL:
        meet_numbered(m, 'l', id);
        break;
    case SEQID_GI:
        meet_numbered(m, 'i', id);
        break;
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
        meet_numbered(m, 'b', id);
        break;
    case SEQID_GENERAL:
        meet_general(m, id);
        break;
    case SEQID_PDB:
        meet_pdb(m, id);
        break;
    case SEQID_PATENT:
        meet_patent(m, id);
        break;
    default:
        meet_versioned(m, id);
    }
}

/* Looks an id up by its accession, in any case. */
static void meet_accession(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    key_begin(&key, LISTED);
    key_add(&key, id->accession);
    meet(m, &key);
    if (id->version != 0) {
        key_add_version(&key, id);
        meet(m, &key);
    }
}

/* Looks an id up by its complete text. */
static void meet_whole(const struct meeting *m, const struct seqid *id)
{
    struct key key;

    key_begin(&key, m->table->rule == ID_TABLE_LIST_BY_CASE ? LISTED_BY_CASE : LISTED);
    if (id->kind == SEQID_PDB) {
        key_add_pdb(&key, id);
    } else if (id->kind == SEQID_PATENT) {
        key_add_patent(&key, id);
    } else {
        key_add(&key, id->name);
        key_add_string(&key, id->kind == SEQID_GENERAL ? ":" : "");
        if (id->accession.bytes != NULL)
            key_add(&key, id->accession);
        else if (id->kind == SEQID_GENERAL || id->name.n == 0)
            key_add_number(&key, id->number);
    }
    meet(m, &key);
}

static void meet_in_list(const struct meeting *m, const struct seqid *id)
{
    switch (id->kind) {
    case SEQID_GI:
        break;
    case SEQID_LOCAL:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
    case SEQID_PDB:
    case SEQID_PATENT:
        meet_whole(m, id);
        break;
    case SEQID_GENERAL:
        if (!seqid_is_ordinal(id))
            meet_whole(m, id);
        break;
    default:
        if (id->accession.n > 0)
            meet_accession(m, id);
        else
            meet_whole(m, id);
    }
}

void id_table_meet(const struct id_table *table, const struct seqid *id, id_met *met, void *arg)
{
    if (table->rule != ID_TABLE_FREE) {
        meet_in_list(&(struct meeting){table, met, arg}, id);
        return;
    }
    meet_id(&(struct meeting){table, met, arg}, id);
}

void id_table_meet_ordinal(const struct id_table *table, uint64_t oid, id_met *met, void *arg)
{
    struct key key;

    key_begin(&key, 'n');
    key_add_number(&key, (int64_t)oid);
    meet(&(struct meeting){table, met, arg}, &key);
}
