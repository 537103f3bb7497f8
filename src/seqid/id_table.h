/*
 * id_table.h - ids that are looked for, in a hash table, and which of them an id of a defline is.
 *
 * An id answers to several keys. Each is a letter for its family, and a text in upper case:
 *   t  P12345, P12345.2, NAME_X (what is behind sp|, ref|, gb|, pir| ... is one family)
 *   l  a local id               g  DB:TAG                i  a gi, 129295
 *   c  1ABC_A, 1ABC             p  US1234567_1           m  TAG of DB:TAG, unless it is a number
 *   b  bbs|, bbm|, gim|: 123    n  the ordinal id: gnl|BL_ORD_ID|3
 * A wanted id comes to the keys that it may mean: "P12345" to t, l, c, ...; "sp|P12345.2|X" to t alone. Then they are compared byte for
 * byte.
 */
#ifndef TMS_ID_TABLE_H
#define TMS_ID_TABLE_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* A key of a wanted id. */
struct id_wanted {
    size_t start, n; /* of the key, in keys */
    size_t id;
    uint64_t hash;
    uint32_t next; /* the one of wanted before it with the same key, + 1; 0: there is none */
};

/*
 * What an id means. In BLAST's lists of ids there is one family, for everything but gis, and an id is found by its accession, its
 * accession with its version, or all of it where it has none: DB:TAG, 1ABC_A. Texts that are no accession keep their case where it is said.
 */
enum id_table_rule { ID_TABLE_FREE, ID_TABLE_LIST, ID_TABLE_LIST_BY_CASE };

/* All zero: empty. */
struct id_table {
    enum id_table_rule rule;
    struct byte_array keys;
    struct id_wanted *wanted;
    size_t n_wanted, capacity;
    uint32_t *slots; /* the last of wanted with a key, + 1; 0: free */
    size_t mask;
};

/* id_table_want() - id number `id`, as people write it. Returns false if there is no memory. */
bool id_table_want(struct id_table *table, const char *text, size_t id);

/* id_table_make() - after the last one. Returns false if there is no memory. */
bool id_table_make(struct id_table *table);
void id_table_free(struct id_table *table);

/* A wanted id is met. */
typedef void id_met(void *arg, size_t id);

/* id_table_meet() - all wanted ids that this one is, once for each of its keys. Any number of threads. */
void id_table_meet(const struct id_table *table, const struct seqid *id, id_met *met, void *arg);

/* id_table_meet_ordinal() - the same for gnl|BL_ORD_ID|oid. */
void id_table_meet_ordinal(const struct id_table *table, uint64_t oid, id_met *met, void *arg);

#endif
