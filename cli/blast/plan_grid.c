/* plan_grid.c - see plan_grid.h. */
#include "cli/blast/plan_grid.h"

#include <math.h>

/* ---- what things take: measured, see doc/cluster.md --------------------------------------------------------------------------- */

#define HSP_BYTES 7.7 /* in a part: 7 to 8 */

/* By task: the work of a scan relative to words of 3 residues; the CPU time to make a cell's lookup tables, for each residue of the queries
 * (a GPU makes its tables of long words itself); HSPs that are found, relative to words of 3 residues; and bytes of an HSP in a part, whose
 * E-values tblastx adds. A base of a database has fewer relatives than a residue: a third at most is a codon. */
static const struct {
    double on_cpu, on_gpu, table_seconds, hsps, hsp_bytes;
} tasks[] = {[PLAN_BLASTP] = {1, 1, 0.5e-6, 1, HSP_BYTES},
             [PLAN_BLASTP_SHORT] = {1.1, 1.1, 0.5e-6, 1, HSP_BYTES},
             [PLAN_BLASTP_FAST] = {0.2, 0.55, 15e-6, 0.5, HSP_BYTES},
             [PLAN_BLASTX] = {0.32, 0.47, 0.5e-6, 1, HSP_BYTES},
             [PLAN_BLASTX_FAST] = {0.13, 0.2, 15e-6, 0.5, HSP_BYTES},
             [PLAN_TBLASTN] = {0.35, 0.39, 0.5e-6, 1 / 3.0, HSP_BYTES},
             [PLAN_TBLASTN_FAST] = {0.17, 0.2, 15e-6, 0.5 / 3, HSP_BYTES},
             [PLAN_TBLASTX] = {0.22, 0.42, 0.5e-6, 1, 2 * HSP_BYTES}};

/* By task of bases: the task of tamis blastn; HSPs by chance, in E-values; HSPs of relatives for a pair of bases. */
static const struct {
    tms_blastn_task task;
    double chance, relatives;
} base_tasks[] = {[PLAN_MEGABLAST] = {TMS_TASK_MEGABLAST, 0, 1.2e-9},
                  [PLAN_BLASTN] = {TMS_TASK_BLASTN, 0.8, 6e-9},
                  [PLAN_BLASTN_SHORT] = {TMS_TASK_BLASTN_SHORT, 1.2, 5e-9},
                  [PLAN_DC_MEGABLAST] = {TMS_TASK_DC_MEGABLAST, 0.1, 1.5e-9}};
#define BASES_AN_HSP     1000.0 /* of a long query */
#define BASE_HSP_SECONDS 70e-6  /* of an alignment with its report, on a thread */

#define START_SECONDS 0.1 /* of a cell, until the search begins, without the start of a GPU */

/*
 * The preliminary HSPs of a query: by chance, as many as their E-value says; and those of relatives, in proportion to the database. Of
 * these, a tenth of the E-value leaves 9 of 10.
 */
#define RELATIVES        6e-6 /* HSPs for each residue of the database, at an E-value of RELATIVES_EVALUE */
#define RELATIVES_POWER  0.05
#define RELATIVES_EVALUE 50.0
#define HSPS             1.2 /* HSPs of a subject */

/* A part has some bytes for the batch and for each list. */
#define LIST_BYTES  2.0
#define BATCH_BYTES 112.0

#define READ_BYTES 220e6 /* of parts that the report reads in a second */
#define PAIR_WORK  8e6   /* an alignment with its report takes a thread as long as the scan of this many pairs of residues */

/* Memory of a cell beside the residues of its shard. */
#define CPU_BYTES     200e6 /* most of it lookup tables, if words have 6 residues */
#define GPU_BYTES     1e9   /* most of it CUDA's */
#define BASES_A_BYTE  4.0   /* of a database of nucleotides */
#define SUBJECT_BYTES 9.0   /* of the database's index, and the byte between two sequences */

static uint64_t lesser(uint64_t a, uint64_t b) { return a < b ? a : b; }
static uint64_t greater(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* ---- the estimate ------------------------------------------------------------------------------------------------------------- */

/* What is compared: bases, or residues, of which a translated base has two. */
static double query_residues(const struct plan_search *s)
{
    return (plan_translates_queries(s->task) ? 2.0 : 1.0) * (double)s->query_residues;
}

static double subject_residues(const struct plan_search *s)
{
    return (plan_translates_subjects(s->task) ? 2.0 : 1.0) * (double)s->subject_residues;
}

/* Seconds of the scan of a share of all pairs of residues or bases, on one node. */
static double scan_seconds(const struct plan_search *s, const struct plan_nodes *nodes, const tms_profile *profile,
                           const struct plan_grid *g)
{
    const double subjects = subject_residues(s) / (double)g->n_shards;
    double queries = query_residues(s) / (double)g->n_query_shards;

    if (plan_is_of_bases(s->task))
        return tms_model_blastn(base_tasks[s->task].task, queries, fmax(1, (double)s->n_batches / (double)g->n_query_shards), subjects,
                                nodes->n_threads, nodes->has_gpu);
    queries *= nodes->has_gpu ? tasks[s->task].on_gpu : tasks[s->task].on_cpu;
    return tms_model_blastp(profile, queries, subjects, nodes->has_gpu ? 0 : nodes->n_threads);
}

double plan_pair_rate(const struct plan_search *s, const struct plan_nodes *nodes, const tms_profile *profile)
{
    const int n_threads = nodes->has_gpu ? 0 : nodes->n_threads;

    if (plan_is_of_bases(s->task))
        return (double)s->query_residues * (double)s->subject_residues /
               scan_seconds(s, nodes, profile, &(struct plan_grid){.n_shards = 1, .n_query_shards = 1});
    return 1e18 / (tms_model_blastp(profile, 2e9, 1e9, n_threads) - tms_model_blastp(profile, 1e9, 1e9, n_threads));
}

static double cell_seconds(const struct plan_search *s, const struct plan_nodes *nodes, const tms_profile *profile,
                           const struct plan_grid *g)
{
    const double tables = nodes->has_gpu || plan_is_of_bases(s->task)
                              ? 0
                              : tasks[s->task].table_seconds * query_residues(s) / (double)g->n_query_shards;

    return START_SECONDS + tables / nodes->n_threads + scan_seconds(s, nodes, profile, g);
}

/* The most HSPs in a query's list: a long query of bases may have many in a subject. */
static double most_list_hsps(const struct plan_search *s)
{
    const double bases = (double)s->query_residues / (double)s->n_queries;

    return HSPS * s->list_subjects * (plan_has_query_bases(s->task) ? fmax(1, bases / BASES_AN_HSP) : 1);
}

/* HSPs in a query's list, for a share of the database. */
static double list_hsps(const struct plan_search *s, double share)
{
    const double residues = (double)s->subject_residues, bases = (double)s->query_residues / (double)s->n_queries;
    double hsps;

    if (plan_is_of_bases(s->task))
        hsps = base_tasks[s->task].chance * s->list_evalue + base_tasks[s->task].relatives * bases * residues;
    else
        hsps = tasks[s->task].hsps * (s->list_evalue + RELATIVES * pow(s->list_evalue / RELATIVES_EVALUE, RELATIVES_POWER) * residues) *
               (plan_translates_queries(s->task) ? fmax(1, bases / BASES_AN_HSP) : 1);
    return fmin(most_list_hsps(s), share * hsps);
}

static double part_bytes(const struct plan_search *s, const struct plan_grid *g, double hsps)
{
    const double hsp_bytes = plan_is_of_bases(s->task) ? HSP_BYTES : tasks[s->task].hsp_bytes;

    return ((double)s->n_queries * (LIST_BYTES + hsp_bytes * hsps) + BATCH_BYTES * (double)s->n_batches) / (double)g->n_query_shards;
}

static double memory_bytes(const struct plan_search *s, const struct plan_nodes *nodes, uint64_t n_shards)
{
    return (nodes->has_gpu ? GPU_BYTES : CPU_BYTES) +
           ((double)s->subject_residues / (plan_has_subject_bases(s->task) ? BASES_A_BYTE : 1) + SUBJECT_BYTES * (double)s->n_subjects) /
               (double)n_shards;
}

static void estimate(const struct plan_search *s, const struct plan_nodes *nodes, const tms_profile *profile, struct plan_grid *g)
{
    const uint64_t n_cells = plan_grid_cells(g);
    const double pairs = (double)s->n_queries * list_hsps(s, 1);

    g->n_rounds = (n_cells + nodes->n - 1) / nodes->n;
    g->cell_seconds = cell_seconds(s, nodes, profile, g);
    g->search_seconds = (double)g->n_rounds * g->cell_seconds;
    g->cell_bytes = memory_bytes(s, nodes, g->n_shards);
    g->part_bytes = part_bytes(s, g, list_hsps(s, 1.0 / (double)g->n_shards));
    g->most_part_bytes = part_bytes(s, g, most_list_hsps(s));
    g->report_seconds = START_SECONDS + (double)n_cells * g->part_bytes / READ_BYTES +
                        (plan_is_of_bases(s->task) ? BASE_HSP_SECONDS * pairs / nodes->n_threads
                                                   : tms_model_blastp(profile, pairs, PAIR_WORK, nodes->n_threads));
}

/* ---- the choice --------------------------------------------------------------------------------------------------------------- */

/* The least number of shards of which one fits into a node's memory; 0: none does. */
static uint64_t least_shards(const struct plan_search *s, const struct plan_nodes *nodes)
{
    for (uint64_t n = 1; n <= PLAN_MOST_CELLS; n++)
        if (memory_bytes(s, nodes, n) <= (double)nodes->memory_bytes)
            return n;
    return 0;
}

/* The number of cells that suits the nodes and the length of the search: a multiple of the number of nodes, unless it is smaller. */
static uint64_t suitable_cells(uint64_t n_nodes, double seconds)
{
    double n = PLAN_ROUNDS * (double)n_nodes;
    uint64_t n_cells;

    if (seconds / n < PLAN_LEAST_SECONDS)
        n = fmax(1, floor(seconds / PLAN_LEAST_SECONDS));
    if (seconds / n > PLAN_MOST_SECONDS)
        n = ceil(seconds / (PLAN_MOST_SECONDS * (double)n_nodes)) * (double)n_nodes;
    n_cells = (uint64_t)fmin(n, PLAN_MOST_CELLS);
    return n_cells > n_nodes ? n_cells - n_cells % n_nodes : n_cells;
}

/* Divides both into n_cells, or up to a tenth less, with as many query shards as that allows. */
static void divide_both(uint64_t most_query_shards, uint64_t least, uint64_t n_cells, struct plan_grid *g)
{
    uint64_t q = most_query_shards, n = greater(n_cells / q, least);

    while (q > 1 && (n * q > n_cells || 10 * n * q < 9 * n_cells)) {
        q--;
        n = greater(n_cells / q, least);
    }
    g->n_query_shards = q;
    g->n_shards = n;
}

bool plan_grid_choose(const struct plan_search *s, const struct plan_nodes *nodes, const tms_profile *profile, struct plan_grid *out)
{
    const uint64_t least = least_shards(s, nodes),
                   most_query_shards = greater(1, plan_has_query_bases(s->task) ? s->n_batches
                                                                                : lesser(s->n_batches, s->n_queries / PLAN_LEAST_QUERIES));
    const double seconds = scan_seconds(s, nodes, profile, &(struct plan_grid){.n_shards = 1, .n_query_shards = 1});
    const uint64_t n_cells = suitable_cells(nodes->n, seconds);
    uint64_t n;

    if (least == 0) {
        out->cell_bytes = memory_bytes(s, nodes, PLAN_MOST_CELLS);
        return false;
    }
    out->n_shards = least;
    out->n_query_shards = lesser(most_query_shards, greater(1, n_cells / least));
    n = plan_grid_cells(out);
    if (n < lesser(nodes->n, n_cells) || seconds / (double)n > PLAN_MOST_SECONDS)
        divide_both(out->n_query_shards, least, n_cells, out);
    else if (n > nodes->n) /* so that the last round has a cell for each node */
        out->n_query_shards = greater(1, n / nodes->n * nodes->n / least);
    estimate(s, nodes, profile, out);
    return true;
}
