/* seqdb_tree.c - reads alias files, and the alias files that they name, without recursion: a queue of nodes. */
#include "seqdb/seqdb_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "seqdb/seqdb_map.h"

/* More than any database has; an alias that names itself, even indirectly, exceeds it. */
enum { MAX_NODES = 10000, MAX_ALIAS_BYTES = 1 << 26 };

static const char *extension(tms_molecule molecule) { return molecule == TMS_PROTEIN ? "pal" : "nal"; }

/* Copies the file with a NUL behind it, so that paths can be printed. */
static tms_status read_text(tms_context *ctx, struct seqdb_node *node, tms_molecule molecule)
{
    size_t n = strlen(node->path);
    char *file = malloc(n + 5);
    struct seqdb_bytes map;
    tms_status status;

    if (file == NULL)
        return context_fail_memory(ctx, "the name of a file", n);
    memcpy(file, node->path, n);
    file[n] = '.';
    memcpy(file + n + 1, extension(molecule), 4);
    status = seqdb_map_file(ctx, file, false, &map);
    if (status == TMS_OK && map.size > MAX_ALIAS_BYTES)
        status = context_fail(ctx, TMS_E_FORMAT, "%s: is larger than %d bytes, the limit for an alias file", file, MAX_ALIAS_BYTES);
    if (status == TMS_OK && (node->text = malloc(map.size + 1)) == NULL)
        status = context_fail_memory(ctx, "an alias file", map.size);
    if (status == TMS_OK) {
        if (map.size > 0)
            memcpy(node->text, map.bytes, map.size);
        node->text[map.size] = '\0';
        seqdb_alias_parse(node->text, map.size, &node->alias);
        if (node->alias.refused[0] != '\0')
            status = context_fail(ctx, TMS_E_FORMAT, "%s: selects sequences by %s, which tamis does not support: make a database of them",
                                  file, node->alias.refused);
        else if (node->alias.damaged[0] != '\0')
            status = context_fail(ctx, TMS_E_FORMAT, "%s: %s: is not a whole number of at most 14 digits", file, node->alias.damaged);
        else if (node->alias.dblist.n == 0)
            status = context_fail(ctx, TMS_E_FORMAT, "No database names were found in alias file [%s].", node->path);
        else if (node->alias.first_oid == 0)
            status = context_fail(ctx, TMS_E_FORMAT, "%s: FIRST_OID: is 0, but sequences count from 1", file);
    }
    seqdb_unmap(&map);
    free(file);
    return status;
}

static bool has_item(const size_t *items, size_t n, size_t item)
{
    for (size_t i = 0; i < n; i++) {
        if (items[i] == item)
            return true;
    }
    return false;
}

/* The volume's number, or n_volumes if it is new. A database has at most some hundreds. */
static size_t find_volume(const struct seqdb_tree *tree, const char *path)
{
    size_t i = 0;

    while (i < tree->n_volumes && strcmp(tree->volumes[i], path) != 0)
        i++;
    return i;
}

/* Takes ownership of path, even on failure. */
static tms_status add_volume(tms_context *ctx, struct seqdb_tree *tree, size_t in, char *path)
{
    size_t i = find_volume(tree, path);
    struct seqdb_node *node = &tree->nodes[in];

    if (i < tree->n_volumes) {
        free(path);
        if (has_item(node->volumes, node->n_volumes, i))
            return TMS_OK;
    } else {
        if (!array_reserve(&tree->volumes, &tree->volumes_capacity, tree->n_volumes + 1, sizeof *tree->volumes)) {
            free(path);
            return context_fail_memory(ctx, "the list of volumes", tree->n_volumes);
        }
        tree->volumes[tree->n_volumes++] = path;
    }
    if (!array_reserve(&node->volumes, &node->volumes_capacity, node->n_volumes + 1, sizeof *node->volumes))
        return context_fail_memory(ctx, "the list of volumes", tree->n_volumes);
    node->volumes[node->n_volumes++] = i;
    return TMS_OK;
}

/* Takes ownership of path, even on failure. */
static tms_status add_node(tms_context *ctx, struct seqdb_tree *tree, size_t in, char *path)
{
    struct seqdb_node *node = &tree->nodes[in];
    size_t up = in;

    while (up != 0 && strcmp(tree->nodes[up].path, path) != 0)
        up = tree->nodes[up].parent;
    if (up != 0 || tree->n_nodes == MAX_NODES) {
        tms_status status = up != 0 ? context_fail(ctx, TMS_E_FORMAT, "%s: this alias file lists itself through another", path)
                                    : context_fail(ctx, TMS_E_FORMAT, "%s: more than %d alias files", path, MAX_NODES);
        free(path);
        return status;
    }
    if (!array_reserve(&node->nodes, &node->nodes_capacity, node->n_nodes + 1, sizeof *node->nodes) ||
        !array_reserve(&tree->nodes, &tree->nodes_capacity, tree->n_nodes + 1, sizeof *tree->nodes)) {
        free(path);
        return context_fail_memory(ctx, "the list of alias files", tree->n_nodes);
    }
    node = &tree->nodes[in];
    node->nodes[node->n_nodes++] = tree->n_nodes;
    tree->nodes[tree->n_nodes++] = (struct seqdb_node){.path = path, .parent = (uint32_t)in};
    return TMS_OK;
}

static tms_status fail_missing(tms_context *ctx, const struct seqdb_node *node, const struct seqdb_path *path, struct text name,
                               tms_molecule molecule)
{
    if (node->path != NULL)
        return context_fail(ctx, TMS_E_FORMAT, "Could not find volume or alias file (%.*s) referenced in alias file (%s).", (int)name.n,
                            name.bytes, node->path);
    return context_fail(ctx, TMS_E_ARG, "No alias or index file found for %s database [%.*s] in search path [%s]",
                        molecule == TMS_PROTEIN ? "protein" : "nucleotide", (int)name.n, name.bytes, path->text);
}

/* Reads the names listed in node `in`. Names in an alias file are relative to its directory. */
static tms_status read_node(tms_context *ctx, struct seqdb_tree *tree, const struct seqdb_path *path, size_t in, tms_molecule molecule)
{
    struct text list, name;
    char *directory = NULL, *slash;
    tms_status status = TMS_OK;

    if (in != 0) {
        status = read_text(ctx, &tree->nodes[in], molecule);
        if (status != TMS_OK)
            return status;
        directory = strdup(tree->nodes[in].path);
        if (directory == NULL)
            return context_fail_memory(ctx, "the name of a directory", strlen(tree->nodes[in].path));
        slash = strrchr(directory, '/');
        *(slash == directory ? slash + 1 : slash) = '\0';
    }
    list = tree->nodes[in].alias.dblist;
    while (status == TMS_OK && seqdb_names_next(&list, &name)) {
        struct seqdb_file found;
        if (name.n > INT16_MAX)
            status = context_fail(ctx, TMS_E_ARG, "the name of a database has %zu bytes, more than the %d of a path", name.n, INT16_MAX);
        else
            status = seqdb_find(ctx, path, directory, name, molecule, tree->nodes[in].path, &found);
        if (status != TMS_OK)
            break;
        if (found.base == NULL)
            status = fail_missing(ctx, &tree->nodes[in], path, name, molecule);
        else
            status = found.is_alias ? add_node(ctx, tree, in, found.base) : add_volume(ctx, tree, in, found.base);
    }
    free(directory);
    return status;
}

tms_status seqdb_tree_read(tms_context *ctx, const char *names, tms_molecule molecule, struct seqdb_tree *out)
{
    struct seqdb_path path;
    tms_status status = seqdb_path_read(ctx, &path);

    *out = (struct seqdb_tree){0};
    if (status != TMS_OK)
        return status;
    if (!array_reserve(&out->nodes, &out->nodes_capacity, 1, sizeof *out->nodes)) {
        seqdb_path_free(&path);
        return context_fail_memory(ctx, "the list of alias files", 1);
    }
    out->nodes[0] = (struct seqdb_node){0};
    seqdb_alias_parse("", 0, &out->nodes[0].alias);
    out->nodes[0].alias.dblist = (struct text){names, strlen(names)};
    out->n_nodes = 1;
    for (size_t i = 0; status == TMS_OK && i < out->n_nodes; i++)
        status = read_node(ctx, out, &path, i, molecule);
    if (status == TMS_OK && out->n_volumes == 0)
        status = context_fail(ctx, TMS_E_ARG, "no name of a database is given");
    if (status != TMS_OK)
        seqdb_tree_free(out);
    seqdb_path_free(&path);
    return status;
}

void seqdb_tree_free(struct seqdb_tree *tree)
{
    for (size_t i = 0; i < tree->n_nodes; i++) {
        free(tree->nodes[i].path);
        free(tree->nodes[i].text);
        free(tree->nodes[i].volumes);
        free(tree->nodes[i].nodes);
    }
    for (size_t i = 0; i < tree->n_volumes; i++)
        free(tree->volumes[i]);
    free(tree->nodes);
    free(tree->volumes);
    *tree = (struct seqdb_tree){0};
}
