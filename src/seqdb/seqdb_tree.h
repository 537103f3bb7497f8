/*
 * seqdb_tree.h - what a list of names comes to: alias files that name others, and volumes at the leaves.
 *
 * The root stands for the names that were given; every other node is an alias file. A volume that comes twice in a list counts once; an
 * alias file that does counts twice in the totals, as it does for BLAST. The sequences are those of each volume once.
 */
#ifndef TMS_SEQDB_TREE_H
#define TMS_SEQDB_TREE_H

#include "seqdb/seqdb_alias.h"
#include "seqdb/seqdb_find.h"

struct seqdb_node {
    char *path; /* of the alias file without its extension; NULL: the root */
    char *text; /* the file, into which alias points */
    struct seqdb_alias alias;
    uint32_t parent;
    size_t *volumes, n_volumes, volumes_capacity; /* of volumes[] below, in the order of the list */
    size_t *nodes, n_nodes, nodes_capacity;
};

struct seqdb_tree {
    struct seqdb_node *nodes; /* the root first, children behind their parents */
    size_t n_nodes, nodes_capacity;
    char **volumes; /* paths, without extensions, each once */
    size_t n_volumes, volumes_capacity;
};

/* seqdb_tree_read() - find all files of the databases of names. Freed with seqdb_tree_free(). Returns TMS_OK; TMS_E_ARG: there is no such
 * database; TMS_E_FORMAT: an alias file is not usable, or names what is not there; TMS_E_MEMORY. */
tms_status seqdb_tree_read(tms_context *ctx, const char *names, tms_molecule molecule, struct seqdb_tree *out);
void seqdb_tree_free(struct seqdb_tree *tree);

#endif
