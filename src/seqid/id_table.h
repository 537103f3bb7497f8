/*
 * id_table.h - a hash table of wanted ids, which finds those that an id of a defline matches.
 *
 * An id matches several keys. A key is a letter for its family, and a text in upper case:
 *   t  P12345, P12345.2, NAME_X (what is behind sp|, ref|, gb|, pir| ... is one family)
 *   l  a local id               g  DB:TAG                i  a gi, 129295
 *   c  1ABC_A, 1ABC             p  US1234567_1           m  TAG of DB:TAG, unless it is a number
 *   b  bbs|, bbm|, gim|: 123    n  the ordinal id: gnl|BL_ORD_ID|3
 * A wanted id has every key that it may mean: "P12345" is in t, l, c, ...; "sp|P12345.2|X" in t alone. Keys are compared byte for byte.
 */
#ifndef TMS_ID_TABLE_H
#define TMS_ID_TABLE_H

#include "base/byte_array.h"
#include "seqid/seqid.h"

/* A key of a wanted id. */
struct id_wanted {
    size_t start, n; /* start and length of the key in `keys` */
    size_t id;
    uint64_t hash;
    uint32_t next; /* 1 + index in `wanted` of the previous entry with the same key; 0 if there is none */
};

/*
 * How an id is interpreted. ID_TABLE_FREE: as people write ids. The others: as in BLAST's lists of ids, which have one family for
 * everything but gis; an id is found by its accession, by its accession with version, or by its complete text if it has none: DB:TAG,
 * 1ABC_A. With ID_TABLE_LIST_BY_CASE texts that are no accession keep their case.
 */
enum id_table_rule { ID_TABLE_FREE, ID_TABLE_LIST, ID_TABLE_LIST_BY_CASE };

/* Empty if all zero. */
struct id_table {
    enum id_table_rule rule;
    struct byte_array keys;
    struct id_wanted *wanted;
    size_t n_wanted, capacity;
    uint32_t *slots; /* 1 + index in `wanted` of the last entry with the slot's key; 0: free */
    size_t mask;
};

/* id_table_want() - add wanted id number `id`, written as users write it. Returns false if there is no memory. */
bool id_table_want(struct id_table *table, const char *text, size_t id);

/* id_table_make() - build the table after the last wanted id. Returns false if there is no memory. */
bool id_table_make(struct id_table *table);
void id_table_free(struct id_table *table);

/* Receives a wanted id that matches. */
typedef void id_met(void *arg, size_t id);

/* id_table_meet() - call met for each wanted id that this id matches, once for each common key. Thread-safe. */
void id_table_meet(const struct id_table *table, const struct seqid *id, id_met *met, void *arg);

/* id_table_meet_ordinal() - the same for gnl|BL_ORD_ID|oid. */
void id_table_meet_ordinal(const struct id_table *table, uint64_t oid, id_met *met, void *arg);

#endif
