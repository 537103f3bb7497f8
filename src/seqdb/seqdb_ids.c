/*
 * seqdb_ids.c - from ids to sequences: one pass over all deflines, with the wanted ids in a hash table.
 *
 * An id answers to several keys. Each is a letter for its family, and a text in upper case:
 *   t  P12345, P12345.2, NAME_X (what is behind sp|, ref|, gb|, pir| ... is one family)
 *   l  a local id               g  DB:TAG                i  a gi, 129295
 *   c  1ABC_A, 1ABC             p  US1234567_1           n  the ordinal id: gnl|BL_ORD_ID|3
 * A wanted id comes to the keys that it may mean: "P12345" to t, l, c, ...; "sp|P12345.2|X" to t alone. Then they are compared byte for
 * byte.
 */
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/byte_array.h"
#include "base/lower_to.h"
#include "seqdb_names.h"
#include "seqid_text.h"

enum { GRAIN = 4096, MAX_KEY = 512 };

/* A key of a wanted id. */
struct wanted {
    size_t start, n; /* of the key, in keys */
    size_t id;
    uint64_t hash;
    uint32_t next; /* the one of wanted before it with the same key, + 1; 0: there is none */
};

struct find {
    const tms_seqdb *db;
    struct byte_array keys;
    struct wanted *wanted;
    size_t n_wanted, capacity;
    uint32_t *slots; /* the last of wanted with a key, + 1; 0: free */
    size_t mask;
    atomic_uint_fast64_t *numbers; /* for each id the lowest sequence that has it */
    atomic_uint_fast64_t bad;      /* the lowest sequence whose deflines are damaged */
    atomic_bool no_memory;
};

static uint64_t hash_key(const uint8_t *key, size_t n)
{
    uint64_t h = 14695981039346656037u;

    for (size_t i = 0; i < n; i++)
        h = (h ^ key[i]) * 1099511628211u;
    return core_splitmix(h, 0);
}

static uint8_t upper(char c) { return (uint8_t)(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c); }

/* A key under way; longer than MAX_KEY it is cut, which makes it find nothing that is not the same so far. */
struct key {
    uint8_t bytes[MAX_KEY];
    size_t n;
};

static void key_begin(struct key *key, char family)
{
    key->bytes[0] = (uint8_t)family;
    key->n = 1;
}

static void key_add(struct key *key, struct text text)
{
    for (size_t i = 0; i < text.n && key->n < MAX_KEY; i++)
        key->bytes[key->n++] = upper(text.bytes[i]);
}

static void key_add_string(struct key *key, const char *text) { key_add(key, (struct text){text, strlen(text)}); }

static void key_add_number(struct key *key, int64_t number)
{
    char digits[24];

    snprintf(digits, sizeof digits, "%" PRId64, number);
    key_add_string(key, digits);
}

/* ---- what is wanted --------------------------------------------------------------------------------------------- */

static bool want(struct find *find, const struct key *key, size_t id)
{
    size_t start = find->keys.n;

    if (!byte_array_add(&find->keys, key->bytes, key->n) ||
        !array_reserve(&find->wanted, &find->capacity, find->n_wanted + 1, sizeof *find->wanted))
        return false;
    find->wanted[find->n_wanted++] = (struct wanted){start, key->n, id, hash_key(key->bytes, key->n), 0};
    return true;
}

static bool want_text(struct find *find, char family, struct text text, size_t id)
{
    struct key key;

    key_begin(&key, family);
    key_add(&key, text);
    return text.n == 0 || want(find, &key, id);
}

static bool want_joined(struct find *find, char family, struct text a, const char *between, struct text b, const char *then, struct text c,
                        size_t id)
{
    struct key key;

    key_begin(&key, family);
    key_add(&key, a);
    key_add_string(&key, between);
    key_add(&key, b);
    key_add_string(&key, then);
    key_add(&key, c);
    return want(find, &key, id);
}

enum { MAX_FIELDS = 8 };

/* The texts between bars; the last has the rest. */
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

/* What stands behind a word and a bar. */
static bool want_typed(struct find *find, const struct text *f, size_t n, size_t id)
{
    static const struct text none = {"", 0};
    const struct text second = n > 2 ? f[2] : none, third = n > 3 ? f[3] : none;

    if (is_word(f[0], "gi") && n > 3)
        return want_typed(find, f + 2, n - 2, id); /* gi|129295|sp|P01013.1|...: the rest says it as well */
    if (is_word(f[0], "gi"))
        return want_text(find, 'i', f[1], id);
    if (is_word(f[0], "lcl"))
        return want_text(find, 'l', f[1], id);
    if (is_word(f[0], "gnl"))
        return is_word(f[1], "BL_ORD_ID") ? want_text(find, 'n', second, id) && want_joined(find, 'g', f[1], ":", second, "", none, id)
                                          : want_joined(find, 'g', f[1], ":", second, "", none, id);
    if (is_word(f[0], "pdb"))
        return second.n > 0 ? want_joined(find, 'c', f[1], "_", second, "", none, id) : want_text(find, 'c', f[1], id);
    if (is_word(f[0], "pat") || is_word(f[0], "pgp"))
        return want_joined(find, 'p', f[1], "", second, "_", third, id);
    if (is_word(f[0], "bbs") || is_word(f[0], "bbm") || is_word(f[0], "gim"))
        return want_text(find, 'b', f[1], id);
    return want_text(find, 't', f[1].n > 0 ? f[1] : second, id);
}

static bool want_id(struct find *find, const char *text, size_t id)
{
    static const char families[] = "tligcpb";
    struct text fields[MAX_FIELDS];
    size_t n = cut_fields(text, fields);

    if (n > 1)
        return want_typed(find, fields, n, id);
    for (const char *family = families; *family != '\0'; family++) {
        if (!want_text(find, *family, fields[0], id))
            return false;
    }
    return true;
}

/* Where the key is in the table, or would be. */
static size_t slot_of(const struct find *find, const uint8_t *key, size_t n, uint64_t hash)
{
    size_t at = hash & find->mask;

    for (; find->slots[at] != 0; at = (at + 1) & find->mask) {
        const struct wanted *wanted = &find->wanted[find->slots[at] - 1];
        if (wanted->hash == hash && wanted->n == n && memcmp(find->keys.bytes + wanted->start, key, n) == 0)
            break;
    }
    return at;
}

/* An id may be wanted often: its keys are in the table once. */
static bool make_table(struct find *find)
{
    size_t size = 64;

    while (size < 2 * find->n_wanted)
        size *= 2;
    find->slots = calloc(size, sizeof *find->slots);
    find->mask = size - 1;
    if (find->slots == NULL || find->n_wanted >= UINT32_MAX)
        return false;
    for (size_t i = 0; i < find->n_wanted; i++) {
        struct wanted *wanted = &find->wanted[i];
        size_t at = slot_of(find, find->keys.bytes + wanted->start, wanted->n, wanted->hash);
        wanted->next = find->slots[at];
        find->slots[at] = (uint32_t)i + 1;
    }
    return true;
}

/* ---- what there is ---------------------------------------------------------------------------------------------- */

/* The sequence has this key. */
static void meet(struct find *find, const struct key *key, uint64_t number, uint64_t defline)
{
    size_t at = slot_of(find, key->bytes, key->n, hash_key(key->bytes, key->n));

    for (uint32_t i = find->slots[at]; i != 0; i = find->wanted[i - 1].next)
        lower_to(&find->numbers[find->wanted[i - 1].id], number << 16 | (defline < 0xffff ? defline : 0xffff));
}

static void meet_text(struct find *find, char family, struct text text, uint64_t number, uint64_t defline)
{
    struct key key;

    if (text.n == 0)
        return;
    key_begin(&key, family);
    key_add(&key, text);
    meet(find, &key, number, defline);
}

static void meet_id(struct find *find, const struct seqid *id, uint64_t number, uint64_t defline)
{
    struct key key;

    switch (id->kind) {
    case SEQID_LOCAL:
    case SEQID_GIBBSQ:
    case SEQID_GIBBMT:
    case SEQID_GIIM:
    case SEQID_GI:
        key_begin(&key, id->kind == SEQID_LOCAL ? 'l' : id->kind == SEQID_GI ? 'i' : 'b');
        if (id->accession.bytes != NULL)
            key_add(&key, id->accession);
        else
            key_add_number(&key, id->number);
        meet(find, &key, number, defline);
        return;
    case SEQID_GENERAL:
        key_begin(&key, 'g');
        key_add(&key, id->name);
        key_add_string(&key, ":");
        if (id->has_number)
            key_add_number(&key, id->number);
        else
            key_add(&key, id->accession);
        if (!seqid_is_ordinal(id) || !id->has_number)
            meet(find, &key, number, defline);
        return;
    case SEQID_PDB:
        meet_text(find, 'c', id->accession, number, defline);
        key_begin(&key, 'c');
        key_add(&key, id->accession);
        key_add_string(&key, "_");
        key_add(&key, id->name);
        meet(find, &key, number, defline);
        return;
    case SEQID_PATENT:
        key_begin(&key, 'p');
        key_add(&key, id->name);
        key_add(&key, id->accession);
        key_add_string(&key, "_");
        key_add_number(&key, id->number);
        meet(find, &key, number, defline);
        return;
    default:
        meet_text(find, 't', id->name, number, defline);
        meet_text(find, 't', id->accession, number, defline);
        if (id->version != 0 && id->accession.n > 0) {
            key_begin(&key, 't');
            key_add(&key, id->accession);
            key_add_string(&key, ".");
            key_add_number(&key, id->version);
            meet(find, &key, number, defline);
        }
    }
}

static void meet_range(void *arg, size_t first, size_t end)
{
    struct find *find = arg;
    struct defline_decoder decoder = {0};
    struct key key;

    for (uint64_t i = first; i < end; i++) {
        uint32_t oid;
        const struct seqdb_volume *v = seqdb_place_of(find->db, i, &oid);
        struct seqdb_bytes header = seqdb_volume_header(v, oid);
        const char *why;
        tms_status status = defline_decode(&decoder, header.bytes, header.size, &why);
        if (status == TMS_E_FORMAT)
            lower_to(&find->bad, i);
        if (status == TMS_E_MEMORY)
            atomic_store(&find->no_memory, true);
        for (size_t k = 0; k < decoder.n; k++) {
            for (size_t j = 0; j < decoder.deflines[k].n_ids; j++)
                meet_id(find, &decoder.deflines[k].ids[j], i, k);
        }
        key_begin(&key, 'n');
        key_add_number(&key, (int64_t)tms_seqdb_oid(find->db, i));
        meet(find, &key, i, 0);
    }
    defline_decoder_free(&decoder);
}

static tms_status run(tms_context *ctx, struct find *find, const char *const *ids, size_t n)
{
    tms_status status;
    uint64_t bad;

    find->numbers = calloc(n + 1, sizeof *find->numbers);
    for (size_t i = 0; i < n && find->numbers != NULL; i++) {
        atomic_init(&find->numbers[i], UINT64_MAX);
        if (!want_id(find, ids[i], i))
            return context_fail_memory(ctx, "the ids that are looked for", n);
    }
    if (find->numbers == NULL || !make_table(find))
        return context_fail_memory(ctx, "the ids that are looked for", n);
    status = context_run_ranges(ctx, find->db->info.n_sequences, GRAIN, meet_range, find);
    if (status != TMS_OK)
        return status;
    if (atomic_load(&find->no_memory))
        return context_fail_memory(ctx, "the names of a sequence", 1);
    bad = atomic_load(&find->bad);
    return bad == UINT64_MAX ? TMS_OK : tms_seqdb_check(ctx, find->db, bad, bad + 1);
}

tms_status tms_seqdb_find(tms_context *ctx, const tms_seqdb *db, const char *const *ids, size_t n, tms_seqdb_found *found)
{
    struct find find = {.db = db};
    tms_status status;

    atomic_init(&find.bad, UINT64_MAX);
    atomic_init(&find.no_memory, false);
    status = run(ctx, &find, ids, n);
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        uint64_t at = atomic_load(&find.numbers[i]);
        found[i] = at == UINT64_MAX ? (tms_seqdb_found){UINT64_MAX, 0} : (tms_seqdb_found){at >> 16, at & 0xffff};
    }
    free(find.keys.bytes);
    free(find.wanted);
    free(find.slots);
    free(find.numbers);
    return status;
}
