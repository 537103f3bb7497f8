/*
 * plan_grid.h - how to divide a search among the nodes of a cluster, and an estimate of what that takes. Opens no file, and does not ask
 * this machine.
 *
 * Queries are divided first: parts of different queries need no merge. They are divided until there are enough cells, or a cell would have
 * fewer than PLAN_LEAST_QUERIES queries, or less than a query batch. The database is divided if its sequences do not fit into a node's
 * memory, if there are fewer query shards than nodes, or if a cell would take longer than PLAN_MOST_SECONDS. A node gets PLAN_ROUNDS cells,
 * so that nodes that are faster or slower than others end at about the same time: fewer if a cell would take less than PLAN_LEAST_SECONDS,
 * more if it would take longer than PLAN_MOST_SECONDS. Queries of bases may be long, so a cell may have any number of them, in whole
 * batches. Bases that are translated count as two residues, those of their frames.
 */
#ifndef TAMIS_CLI_PLAN_GRID_H
#define TAMIS_CLI_PLAN_GRID_H

#include <stdbool.h>

#include "tamis/model.h"

enum {
    PLAN_LEAST_QUERIES = 1000,
    PLAN_MOST_CELLS = 1000, /* Slurm's MaxArraySize is 1001, and the numbers of cells begin with 1 */
    PLAN_ROUNDS = 4,
    PLAN_LEAST_SECONDS = 60,
    PLAN_MOST_SECONDS = 1800
};

/* Tasks of tamis blastp, of translated searches, then those of tamis blastn. */
enum plan_task {
    PLAN_BLASTP,
    PLAN_BLASTP_SHORT,
    PLAN_BLASTP_FAST,
    PLAN_BLASTX,
    PLAN_BLASTX_FAST,
    PLAN_TBLASTN,
    PLAN_TBLASTN_FAST,
    PLAN_TBLASTX,
    PLAN_MEGABLAST,
    PLAN_BLASTN,
    PLAN_BLASTN_SHORT,
    PLAN_DC_MEGABLAST
};

/* Whether a search compares bases, translates its queries, or translates its subjects. */
static inline bool plan_is_of_bases(uint32_t task) { return task >= PLAN_MEGABLAST; }
static inline bool plan_translates_queries(uint32_t task)
{
    return task == PLAN_BLASTX || task == PLAN_BLASTX_FAST || task == PLAN_TBLASTX;
}
static inline bool plan_translates_subjects(uint32_t task) { return task >= PLAN_TBLASTN && task <= PLAN_TBLASTX; }

/* Whether queries, or subjects, are nucleotides, whose lengths are in bases; else they are proteins. */
static inline bool plan_has_query_bases(uint32_t task) { return plan_is_of_bases(task) || plan_translates_queries(task); }
static inline bool plan_has_subject_bases(uint32_t task) { return plan_is_of_bases(task) || plan_translates_subjects(task); }

/* What is searched, in residues or bases. All numbers are 1 or more. */
struct plan_search {
    uint64_t n_queries, query_residues, n_batches; /* batches: of BLAST+, which a query shard does not divide */
    uint64_t n_subjects, subject_residues;
    uint32_t task;          /* a plan_task */
    uint32_t list_subjects; /* subjects that are aligned for each query, at most */
    double list_evalue;     /* E-value of the preliminary HSPs that are kept, at most */
};

/* The nodes, each like the others. */
struct plan_nodes {
    uint64_t n;            /* 1 or more */
    int n_threads;         /* of a node, 1 or more */
    bool has_gpu;          /* each node has a GPU, which runs its cells */
    uint64_t memory_bytes; /* of a node */
};

struct plan_grid {
    uint64_t n_shards, n_query_shards;                   /* of the database, and of the queries */
    uint64_t n_rounds;                                   /* cells that a node runs, one after the other */
    double cell_seconds, search_seconds, report_seconds; /* of a cell; of all cells on all nodes; of tamis report on one node */
    double cell_bytes;                                   /* memory of a cell, with its shard of the database */
    double part_bytes;                                   /* size of a part */
    double most_part_bytes;                              /* size of a part if every query has its full list in every shard */
};

/*
 * plan_grid_choose() - chooses a grid of at most PLAN_MOST_CELLS cells, and estimates it.
 *   profile [in]  of a node; NULL: the built-in numbers of tms_model_blastp(), which makes the estimate for proteins. That for bases,
 *                 tms_model_blastn(), needs none
 *   out     [out] undefined on failure, except cell_bytes
 * Returns false if memory_bytes is not enough for a shard, even of PLAN_MOST_CELLS: that cell_bytes would be.
 */
bool plan_grid_choose(const struct plan_search *search, const struct plan_nodes *nodes, const tms_profile *profile, struct plan_grid *out);

/* plan_pair_rate() - pairs of residues, or of bases, that a node scans in a second. */
double plan_pair_rate(const struct plan_search *search, const struct plan_nodes *nodes, const tms_profile *profile);

/* plan_grid_cells() - the number of cells. */
static inline uint64_t plan_grid_cells(const struct plan_grid *g) { return g->n_shards * g->n_query_shards; }

#endif
