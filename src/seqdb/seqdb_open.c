/*
 * seqdb_open.c - opens a database by names: combines the tree of alias files, its volumes ordered by path, and what the aliases state
 * about titles, totals and parts of volumes.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "seqdb/seqdb_struct.h"
#include "seqdb/seqdb_tree.h"

/* Sequences first .. end - 1 of a volume. */
struct interval {
    uint32_t volume, first, end;
};

/* What the files of a node add up to, computed from the leaves to the root. */
struct node_sum {
    uint64_t n_sequences, n_residues, stats_n_sequences, stats_n_residues;
    char *title; /* NULL if there is none */
    struct interval *intervals;
    size_t n_intervals, capacity;
};

struct opening {
    tms_context *ctx;
    struct seqdb_tree tree;
    uint32_t *rank; /* rank by path of each of the tree's volumes */
    struct node_sum *sums;
    tms_seqdb *db;
};

/* ---- volumes ---------------------------------------------------------------------------------------------------- */

struct named {
    const char *path;
    size_t number;
};

static int compare_named(const void *a, const void *b) { return strcmp(((const struct named *)a)->path, ((const struct named *)b)->path); }

static tms_status open_volumes(struct opening *o, tms_molecule molecule)
{
    size_t n = o->tree.n_volumes;
    struct named *order = calloc(n, sizeof *order);
    tms_status status = TMS_OK;

    o->rank = calloc(n, sizeof *o->rank);
    o->db->volumes = calloc(n, sizeof *o->db->volumes);
    if (order == NULL || o->rank == NULL || o->db->volumes == NULL) {
        free(order);
        return context_fail_memory(o->ctx, "the list of volumes", n * sizeof *o->db->volumes);
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (struct named){o->tree.volumes[i], i};
    qsort(order, n, sizeof *order, compare_named);
    for (size_t i = 0; i < n && status == TMS_OK; i++) {
        o->rank[order[i].number] = (uint32_t)i;
        status = seqdb_volume_open(o->ctx, order[i].path, molecule, &o->db->volumes[i]);
        o->db->n_volumes += status == TMS_OK;
        if (status == TMS_OK && o->db->volumes[i].version != o->db->volumes[0].version)
            status = context_fail(o->ctx, TMS_E_FORMAT, "DB list contains both Version 4 and Version 5 dbs");
    }
    free(order);
    return status;
}

/* ---- titles and totals ------------------------------------------------------------------------------------------ */

/* Appends a title after "; ", unless it is empty. */
static tms_status add_title(struct opening *o, char **title, struct text more)
{
    size_t n = *title != NULL ? strlen(*title) : 0;
    char *grown;

    if (more.n == 0)
        return TMS_OK;
    grown = more.n > SIZE_MAX / 2 ? NULL : realloc(*title, n + more.n + 3);
    if (grown == NULL)
        return context_fail_memory(o->ctx, "a title", more.n);
    if (n > 0) {
        memcpy(grown + n, "; ", 2);
        n += 2;
    }
    memcpy(grown + n, more.bytes, more.n);
    grown[n + more.n] = '\0';
    *title = grown;
    return TMS_OK;
}

static tms_status sum_title(struct opening *o, const struct seqdb_node *node, char **title)
{
    tms_status status = TMS_OK;

    if (node->alias.title.n > 0)
        return add_title(o, title, node->alias.title);
    for (size_t i = 0; i < node->n_nodes && status == TMS_OK; i++) {
        const char *of_child = o->sums[node->nodes[i]].title;
        if (of_child != NULL)
            status = add_title(o, title, (struct text){of_child, strlen(of_child)});
    }
    for (size_t i = 0; i < node->n_volumes && status == TMS_OK; i++)
        status = add_title(o, title, o->db->volumes[o->rank[node->volumes[i]]].title);
    return status;
}

static uint64_t said(uint64_t by_alias, uint64_t otherwise) { return by_alias != UINT64_MAX ? by_alias : otherwise; }

static void sum_totals(const struct opening *o, const struct seqdb_node *node, struct node_sum *sum)
{
    const struct seqdb_alias *alias = &node->alias;

    for (size_t i = 0; i < node->n_nodes; i++) {
        const struct node_sum *child = &o->sums[node->nodes[i]];
        sum->n_sequences += child->n_sequences;
        sum->n_residues += child->n_residues;
        sum->stats_n_sequences += child->stats_n_sequences;
        sum->stats_n_residues += child->stats_n_residues;
    }
    for (size_t i = 0; i < node->n_volumes; i++) {
        const struct seqdb_volume *v = &o->db->volumes[o->rank[node->volumes[i]]];
        sum->n_sequences += v->n_oids;
        sum->n_residues += v->n_residues;
        sum->stats_n_sequences += v->n_oids;
        sum->stats_n_residues += v->n_residues;
    }
    sum->n_sequences = said(alias->n_sequences, sum->n_sequences);
    sum->n_residues = said(alias->n_residues, sum->n_residues);
    sum->stats_n_sequences = said(alias->stats_n_sequences, said(alias->n_sequences, sum->stats_n_sequences));
    sum->stats_n_residues = said(alias->stats_n_residues, said(alias->n_residues, sum->stats_n_residues));
}

/* ---- which sequences -------------------------------------------------------------------------------------------- */

static tms_status add_interval(struct opening *o, struct node_sum *sum, struct interval interval)
{
    if (!array_reserve(&sum->intervals, &sum->capacity, sum->n_intervals + 1, sizeof *sum->intervals))
        return context_fail_memory(o->ctx, "the list of volumes", sum->n_intervals);
    sum->intervals[sum->n_intervals++] = interval;
    return TMS_OK;
}

static int compare_intervals(const void *a, const void *b)
{
    const struct interval *x = a, *y = b;

    if (x->volume != y->volume)
        return x->volume < y->volume ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

/* Sorts the intervals and removes duplicate sequences. */
static void merge_intervals(struct node_sum *sum)
{
    size_t n = 0;

    if (sum->n_intervals > 0)
        qsort(sum->intervals, sum->n_intervals, sizeof *sum->intervals, compare_intervals);
    for (size_t i = 0; i < sum->n_intervals; i++) {
        struct interval next = sum->intervals[i], *last = n > 0 ? &sum->intervals[n - 1] : NULL;
        if (last != NULL && last->volume == next.volume && next.first <= last->end)
            last->end = next.end > last->end ? next.end : last->end;
        else
            sum->intervals[n++] = next;
    }
    sum->n_intervals = n;
}

/* Marks the volumes of a node and of those below it. */
static void mark_volumes(const struct opening *o, size_t node, unsigned char *is_below, unsigned char *is_marked)
{
    memset(is_below, 0, o->tree.n_nodes);
    is_below[node] = 1;
    for (size_t i = node; i < o->tree.n_nodes; i++) {
        const struct seqdb_node *at = &o->tree.nodes[i];
        is_below[i] |= i > node && is_below[at->parent];
        for (size_t j = 0; is_below[i] && j < at->n_volumes; j++)
            is_marked[o->rank[at->volumes[j]]] = 1;
    }
}

/* FIRST_OID and LAST_OID count the sequences of the node's own volumes, in their order. */
static tms_status clip_intervals(struct opening *o, size_t node, struct node_sum *sum)
{
    const struct seqdb_alias *alias = &o->tree.nodes[node].alias;
    uint64_t first = said(alias->first_oid, 1) - 1, end = alias->last_oid, start = 0;
    unsigned char *marks;
    size_t i = 0, n = 0;

    if (alias->first_oid == UINT64_MAX && alias->last_oid == UINT64_MAX)
        return TMS_OK;
    marks = calloc(o->tree.n_nodes + o->db->n_volumes, 1);
    if (marks == NULL)
        return context_fail_memory(o->ctx, "a part of a database", o->db->n_volumes);
    mark_volumes(o, node, marks, marks + o->tree.n_nodes);
    for (uint32_t v = 0; v < o->db->n_volumes; v++) {
        uint64_t n_oids = o->db->volumes[v].n_oids;
        for (; i < sum->n_intervals && sum->intervals[i].volume == v; i++) {
            uint64_t a = start + sum->intervals[i].first, b = start + sum->intervals[i].end;
            a = a > first ? a : first;
            b = b < end ? b : end;
            if (a < b)
                sum->intervals[n++] = (struct interval){v, (uint32_t)(a - start), (uint32_t)(b - start)};
        }
        start += marks[o->tree.n_nodes + v] ? n_oids : 0;
    }
    sum->n_intervals = n;
    free(marks);
    return TMS_OK;
}

static tms_status sum_intervals(struct opening *o, size_t node, struct node_sum *sum)
{
    const struct seqdb_node *at = &o->tree.nodes[node];
    tms_status status = TMS_OK;

    for (size_t i = 0; i < at->n_volumes && status == TMS_OK; i++) {
        uint32_t v = o->rank[at->volumes[i]];
        status = add_interval(o, sum, (struct interval){v, 0, o->db->volumes[v].n_oids});
    }
    for (size_t i = 0; i < at->n_nodes; i++) {
        const struct node_sum *child = &o->sums[at->nodes[i]];
        for (size_t j = 0; j < child->n_intervals && status == TMS_OK; j++)
            status = add_interval(o, sum, child->intervals[j]);
    }
    if (status != TMS_OK)
        return status;
    merge_intervals(sum);
    return clip_intervals(o, node, sum);
}

static tms_status sum_nodes(struct opening *o)
{
    tms_status status = TMS_OK;

    o->sums = calloc(o->tree.n_nodes, sizeof *o->sums);
    if (o->sums == NULL)
        return context_fail_memory(o->ctx, "the list of alias files", o->tree.n_nodes);
    for (size_t i = o->tree.n_nodes; i-- > 0 && status == TMS_OK;) {
        sum_totals(o, &o->tree.nodes[i], &o->sums[i]);
        status = sum_title(o, &o->tree.nodes[i], &o->sums[i].title);
        if (status == TMS_OK)
            status = sum_intervals(o, i, &o->sums[i]);
    }
    return status;
}

/* ---- the database ----------------------------------------------------------------------------------------------- */

/* Converts "Nov 21, 2026  1:17 PM" to a number that grows with time; 0 for any other text. */
static uint64_t date_number(struct text date)
{
    static const char months[] = "JanFebMarAprMayJunJulAugSepOctNovDec";
    char text[64], month[4], half[3];
    const char *found;
    unsigned day, year, hour, minute;

    if (date.n >= sizeof text || date.n == 0)
        return 0;
    memcpy(text, date.bytes, date.n);
    text[date.n] = '\0';
    if (sscanf(text, "%3s %2u, %4u %2u:%2u %2s", month, &day, &year, &hour, &minute, half) != 6)
        return 0;
    found = strstr(months, month);
    if (found == NULL || strlen(month) != 3)
        return 0;
    return ((((uint64_t)year * 12 + (uint64_t)(found - months) / 3) * 32 + day) * 24 + hour % 12 + (half[0] == 'P' ? 12 : 0)) * 60 + minute;
}

tms_status seqdb_make_slices(tms_context *ctx, tms_seqdb *db)
{
    uint64_t n = 0;

    db->byte_starts = calloc(db->n_slices + 1, sizeof *db->byte_starts);
    db->volume_starts = calloc(db->n_volumes + 1, sizeof *db->volume_starts);
    if (db->byte_starts == NULL || db->volume_starts == NULL)
        return context_fail_memory(ctx, "the list of volumes", (db->n_slices + db->n_volumes) * sizeof *db->byte_starts);
    for (size_t v = 0; v < db->n_volumes; v++)
        db->volume_starts[v + 1] = db->volume_starts[v] + db->volumes[v].n_oids;
    for (size_t i = 0; i < db->n_slices; i++) {
        struct seqdb_slice *slice = &db->slices[i];
        const uint8_t *starts = db->volumes[slice->volume].sequence_starts;
        slice->start = n;
        n += slice->n;
        db->byte_starts[i + 1] = db->byte_starts[i] + seqdb_word(starts, (size_t)slice->first + slice->n) -
                                 seqdb_word(starts, slice->first);
    }
    db->info.n_sequences = n;
    return TMS_OK;
}

/* is_meant: a byte for each volume; NULL: all volumes. */
static char *newest_date(const tms_seqdb *db, const unsigned char *is_meant)
{
    const struct seqdb_volume *newest = NULL;

    for (size_t i = 0; i < db->n_volumes; i++) {
        const struct seqdb_volume *v = &db->volumes[i];
        if ((is_meant == NULL || is_meant[i]) && (newest == NULL || date_number(v->date) > date_number(newest->date)))
            newest = v;
    }
    return newest != NULL && newest->date.n > 0 ? strndup(newest->date.bytes, newest->date.n) : strdup("");
}

tms_status seqdb_finish(tms_context *ctx, tms_seqdb *db)
{
    tms_seqdb_info *info = &db->info;

    info->molecule = db->volumes[0].molecule;
    info->version = (uint32_t)db->volumes[0].version;
    info->n_volumes = db->n_volumes;
    for (size_t i = 0; i < db->n_volumes; i++) {
        const struct seqdb_volume *v = &db->volumes[i];
        info->n_residues += v->n_residues;
        info->longest = v->longest > info->longest ? v->longest : info->longest;
    }
    db->date = newest_date(db, NULL);
    if (db->title == NULL)
        db->title = strdup("");
    if (db->date == NULL || db->title == NULL)
        return context_fail_memory(ctx, "a title", 1);
    info->title = db->title;
    info->date = db->date;
    return seqdb_make_slices(ctx, db);
}

static int compare_parts(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static tms_status add_part(struct opening *o, const char *path, const char *extension)
{
    size_t n = strlen(path) + strlen(extension) + 1;
    char *part = malloc(n);

    if (part == NULL)
        return context_fail_memory(o->ctx, "the name of a file", n);
    snprintf(part, n, "%s%s", path, extension);
    o->db->parts[o->db->n_parts++] = part;
    return TMS_OK;
}

/* Lists what the given names stand for: volumes, and for an alias file what it lists. */
static tms_status make_parts(struct opening *o, tms_molecule molecule)
{
    const struct seqdb_node *root = &o->tree.nodes[0];
    const char *extension = molecule == TMS_PROTEIN ? ".pal" : ".nal";
    size_t n = 0, capacity = root->n_volumes;
    tms_status status = TMS_OK;

    for (size_t i = 0; i < root->n_nodes; i++)
        capacity += o->tree.nodes[root->nodes[i]].n_volumes + o->tree.nodes[root->nodes[i]].n_nodes;
    o->db->parts = calloc(capacity, sizeof *o->db->parts);
    if (o->db->parts == NULL)
        return context_fail_memory(o->ctx, "the list of volumes", o->tree.n_volumes);
    for (size_t i = 0; i <= root->n_nodes && status == TMS_OK; i++) {
        const struct seqdb_node *node = i == root->n_nodes ? root : &o->tree.nodes[root->nodes[i]];
        for (size_t j = 0; j < node->n_volumes && status == TMS_OK; j++)
            status = add_part(o, o->tree.volumes[node->volumes[j]], "");
        for (size_t j = 0; node != root && j < node->n_nodes && status == TMS_OK; j++)
            status = add_part(o, o->tree.nodes[node->nodes[j]].path, extension);
    }
    qsort(o->db->parts, o->db->n_parts, sizeof *o->db->parts, compare_parts);
    for (size_t i = 0; i < o->db->n_parts; i++) {
        if (n > 0 && strcmp(o->db->parts[n - 1], o->db->parts[i]) == 0)
            free(o->db->parts[i]);
        else
            o->db->parts[n++] = o->db->parts[i];
    }
    o->db->n_parts = n;
    return status;
}

/* Takes ownership of date, even on failure. */
static tms_status add_base(struct opening *o, const char *path, char *date)
{
    struct seqdb_base *base = &o->db->bases[o->db->n_bases++];

    *base = (struct seqdb_base){strdup(path), date};
    return base->path != NULL && date != NULL ? TMS_OK : context_fail_memory(o->ctx, "the name of a file", strlen(path));
}

/* Lists the databases that were named. */
static tms_status make_bases(struct opening *o)
{
    const struct seqdb_node *root = &o->tree.nodes[0];
    size_t n_marks = o->tree.n_nodes + o->db->n_volumes;
    unsigned char *marks = calloc(n_marks, 1), *is_meant;
    tms_status status = TMS_OK;

    o->db->bases = calloc(root->n_nodes + root->n_volumes, sizeof *o->db->bases);
    if (marks == NULL || o->db->bases == NULL) {
        free(marks);
        return context_fail_memory(o->ctx, "the list of volumes", n_marks);
    }
    is_meant = marks + o->tree.n_nodes;
    for (size_t i = 0; i < root->n_nodes && status == TMS_OK; i++) {
        memset(marks, 0, n_marks);
        mark_volumes(o, root->nodes[i], marks, is_meant);
        status = add_base(o, o->tree.nodes[root->nodes[i]].path, newest_date(o->db, is_meant));
    }
    for (size_t i = 0; i < root->n_volumes && status == TMS_OK; i++) {
        memset(marks, 0, n_marks);
        is_meant[o->rank[root->volumes[i]]] = 1;
        status = add_base(o, o->tree.volumes[root->volumes[i]], newest_date(o->db, is_meant));
    }
    free(marks);
    return status;
}

/* Sets the database's fields from the root's sums. */
static tms_status fill(struct opening *o)
{
    struct node_sum *root = &o->sums[0];
    tms_seqdb *db = o->db;
    size_t n = root->n_intervals > 0 ? root->n_intervals : 1;

    db->title = root->title;
    root->title = NULL;
    db->info.shown_n_sequences = root->n_sequences;
    db->info.shown_n_residues = root->n_residues;
    db->info.stats_n_sequences = root->stats_n_sequences;
    db->info.stats_n_residues = root->stats_n_residues;
    db->slices = calloc(n, sizeof *db->slices); /* at least one slice, even if it is empty */
    if (db->slices == NULL)
        return context_fail_memory(o->ctx, "the list of volumes", n * sizeof *db->slices);
    db->n_slices = n;
    for (size_t i = 0; i < root->n_intervals; i++) {
        struct interval interval = root->intervals[i];
        db->slices[i] = (struct seqdb_slice){.volume = interval.volume, .first = interval.first, .n = interval.end - interval.first};
    }
    return seqdb_finish(o->ctx, db);
}

tms_status tms_seqdb_open(tms_context *ctx, const char *names, tms_molecule molecule, tms_seqdb **out)
{
    struct opening o = {.ctx = ctx};
    tms_status status;

    *out = NULL;
    if (molecule != TMS_PROTEIN && molecule != TMS_NUCLEOTIDE)
        return context_fail(ctx, TMS_E_ARG, "a molecule is TMS_PROTEIN or TMS_NUCLEOTIDE, not %d", (int)molecule);
    status = seqdb_tree_read(ctx, names, molecule, &o.tree);
    if (status != TMS_OK)
        return status;
    o.db = calloc(1, sizeof *o.db);
    status = o.db != NULL ? open_volumes(&o, molecule) : context_fail_memory(ctx, "a database", sizeof *o.db);
    if (status == TMS_OK)
        status = sum_nodes(&o);
    if (status == TMS_OK)
        status = fill(&o);
    if (status == TMS_OK)
        status = make_parts(&o, molecule);
    if (status == TMS_OK)
        status = make_bases(&o);
    for (size_t i = 0; o.sums != NULL && i < o.tree.n_nodes; i++) {
        free(o.sums[i].title);
        free(o.sums[i].intervals);
    }
    free(o.sums);
    free(o.rank);
    seqdb_tree_free(&o.tree);
    if (status != TMS_OK) {
        tms_seqdb_destroy(o.db);
        o.db = NULL;
    }
    *out = o.db;
    return status;
}

void tms_seqdb_destroy(tms_seqdb *db)
{
    if (db == NULL)
        return;
    free(db->volume_starts);
    free(db->slices);
    free(db->byte_starts);
    seqdb_list_free(db->list);
    if (db->of != NULL) {
        free(db);
        return;
    }
    for (size_t i = 0; i < db->n_volumes; i++)
        seqdb_volume_close(&db->volumes[i]);
    for (size_t i = 0; i < db->n_parts; i++)
        free(db->parts[i]);
    free(db->parts);
    for (size_t i = 0; i < db->n_bases; i++) {
        free(db->bases[i].path);
        free(db->bases[i].date);
    }
    free(db->bases);
    free(db->volumes);
    free(db->title);
    free(db->date);
    free(db);
}
