/*
 * seqdb_tree.h - resolves a list of names: alias files that name others, and volumes at the leaves.
 *
 * The root stands for the given names; every other node is an alias file. A volume listed twice counts once. An alias file listed twice
 * counts twice in the totals, as in BLAST, but each of its sequences is searched once.
 */
#ifndef TMS_SEQDB_TREE_H
#define TMS_SEQDB_TREE_H

#include "seqdb/seqdb_alias.h"
#include "seqdb/seqdb_find.h"

struct seqdb_node {
    char *path; /* path of the alias file without its extension; NULL for the root */
    char *text; /* the file's text, into which alias points */
    struct seqdb_alias alias;
    uint32_t parent;
    size_t *volumes, n_volumes, volumes_capacity; /* indexes in the tree's volumes, in the order of the list */
    size_t *nodes, n_nodes, nodes_capacity;
};

struct seqdb_tree {
    struct seqdb_node *nodes; /* the root first, children after their parents */
    size_t n_nodes, nodes_capacity;
    char **volumes; /* paths without extensions, each once */
    size_t n_volumes, volumes_capacity;
};

/*
 * seqdb_tree_read() - find all files of the named databases. Freed with seqdb_tree_free(). Returns TMS_OK; TMS_E_ARG: a database does not
 * exist; TMS_E_FORMAT: an alias file is unusable, or names a missing database; TMS_E_MEMORY.
 */
tms_status seqdb_tree_read(tms_context *ctx, const char *names, tms_molecule molecule, struct seqdb_tree *out);
void seqdb_tree_free(struct seqdb_tree *tree);

#endif
