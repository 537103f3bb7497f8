/* The grid of a search on a cluster: how it is chosen, and the estimate. The built-in rates are 1.4e11 pairs of residues a second and
 * thread, and 3.2e13 on a GPU. */
#include "unit/samples.h"

#include "cli/blast/plan_grid.h"

#define GIGA UINT64_C(1000000000)

/* Queries of 350 residues in batches of 29, and a database of sequences of 350 residues. */
static struct plan_search search_of(uint64_t n_queries, uint64_t residues)
{
    return (struct plan_search){.n_queries = n_queries,
                                .query_residues = 350 * n_queries,
                                .n_batches = (n_queries + 28) / 29,
                                .n_subjects = 1 + residues / 350,
                                .subject_residues = residues,
                                .task = PLAN_BLASTP,
                                .list_subjects = 1050,
                                .list_evalue = 50};
}

static struct plan_nodes nodes_of(uint64_t n, int n_threads) { return (struct plan_nodes){n, n_threads, false, 512 * GIGA}; }

static void chooses(struct plan_search s, struct plan_nodes nodes, uint64_t n_query_shards, uint64_t n_shards)
{
    struct plan_grid g;

    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    if (g.n_query_shards != n_query_shards || g.n_shards != n_shards)
        fail_msg("%llu queries x %llu residues on %llu nodes: %llu x %llu instead of %llu x %llu", (unsigned long long)s.n_queries,
                 (unsigned long long)s.subject_residues, (unsigned long long)nodes.n, (unsigned long long)g.n_query_shards,
                 (unsigned long long)g.n_shards, (unsigned long long)n_query_shards, (unsigned long long)n_shards);
}

static void queries_first(void **state)
{
    (void)state;
    chooses(search_of(1, 1000), nodes_of(16, 16), 1, 1);
    chooses(search_of(100000, GIGA), nodes_of(16, 16), 64, 1);         /* four cells a node */
    chooses(search_of(100000, GIGA / 10), nodes_of(16, 16), 16, 1);    /* 1,563 s: cells of at least a minute */
    chooses(search_of(100000, GIGA / 100), nodes_of(16, 16), 2, 1);    /* 156 s: not even a cell for each node */
    chooses(search_of(100000, 10 * GIGA), nodes_of(16, 16), 96, 1);    /* 43 hours: cells of about half an hour, of 1,042 queries */
    chooses(search_of(20000, GIGA), nodes_of(16, 16), 16, 1);          /* 20 query shards, but 16 nodes: a full round */
    chooses(search_of(1000000, 200 * GIGA), nodes_of(16, 16), 992, 1); /* the most cells */
}

/* A base that is translated counts as two residues, with a share of the work; long queries are divided batch by batch. */
static void bases_are_translated(void **state)
{
    struct plan_search s = search_of(100, GIGA);
    struct plan_grid proteins, queries, subjects, both;
    const struct plan_nodes nodes = nodes_of(1, 16);

    (void)state;
    s.query_residues = 100 * 1000000;
    s.n_batches = 100;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &proteins));
    s.task = PLAN_BLASTX;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &queries));
    s.task = PLAN_TBLASTN;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &subjects));
    s.task = PLAN_TBLASTX;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &both));
    assert_int_equal(proteins.n_query_shards, 1);
    assert_int_equal(subjects.n_query_shards, 1);
    assert_true(queries.n_query_shards > 10 && both.n_query_shards > 10);
    assert_true(subjects.search_seconds < 0.75 * proteins.search_seconds && subjects.search_seconds > 0.6 * proteins.search_seconds);
    assert_true(queries.search_seconds < 0.75 * proteins.search_seconds && queries.search_seconds > 0.6 * proteins.search_seconds);
    assert_true(both.search_seconds < 0.95 * proteins.search_seconds && both.search_seconds > 0.8 * proteins.search_seconds);
    assert_true(both.cell_bytes < queries.cell_bytes &&
                subjects.cell_bytes * (double)subjects.n_shards < proteins.cell_bytes * (double)proteins.n_shards);
}

static void database_if_there_are_more_nodes(void **state)
{
    (void)state;
    chooses(search_of(1000, 200 * GIGA), nodes_of(16, 16), 1, 64);
    chooses(search_of(1000, 200 * GIGA), nodes_of(64, 16), 1, 256);
    chooses(search_of(3999, 200 * GIGA), nodes_of(64, 16), 3, 85);
    chooses(search_of(10000, 200 * GIGA), nodes_of(100, 16), 10, 40);
    chooses(search_of(8000, 10 * GIGA), nodes_of(16, 16), 8, 8);

    struct plan_search one_batch = search_of(8000, 10 * GIGA);
    one_batch.n_batches = 1; /* BATCH_SIZE */
    chooses(one_batch, nodes_of(16, 16), 1, 64);
}

static void shards_fit_into_memory(void **state)
{
    struct plan_search s = search_of(100000, 100 * GIGA);
    struct plan_nodes nodes = {16, 16, true, 30 * GIGA};
    struct plan_grid g;

    (void)state;
    chooses(s, nodes, 16, 4); /* of 103 GB, 29 fit */
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_true(g.cell_bytes <= 30e9 && g.cell_bytes > 20e9);
    nodes.memory_bytes = GIGA;
    assert_false(plan_grid_choose(&s, &nodes, NULL, &g));
    nodes.has_gpu = false;
    nodes.memory_bytes = GIGA / 8;
    assert_false(plan_grid_choose(&s, &nodes, NULL, &g));
    nodes.memory_bytes = GIGA / 3;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_int_equal(g.n_query_shards, 1);
    assert_true(g.n_shards > 750 && g.n_shards <= PLAN_MOST_CELLS);
}

static double near(double a, double b) { return a > b ? a / b : b / a; }

/* Every grid: cells within bounds, and never fewer than could keep the nodes busy. */
static void any_grid(void **state)
{
    (void)state;
    for (uint64_t n_queries = 1; n_queries < 5000000; n_queries *= 7) {
        for (uint64_t residues = 1000; residues < 1000 * GIGA; residues *= 31) {
            for (uint64_t n = 1; n < 300; n = 3 * n + 1) {
                const struct plan_search s = search_of(n_queries, residues);
                const struct plan_nodes nodes = {n, 8, n % 2 == 0, 64 * GIGA};
                struct plan_grid g;
                assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
                const uint64_t n_cells = plan_grid_cells(&g);
                assert_in_range(n_cells, 1, PLAN_MOST_CELLS);
                assert_true(g.n_query_shards <= s.n_batches);
                assert_true(g.n_query_shards == 1 || n_queries / g.n_query_shards >= PLAN_LEAST_QUERIES);
                assert_true(g.cell_bytes <= 64e9);
                assert_int_equal(g.n_rounds, (n_cells + n - 1) / n);
                assert_true(g.part_bytes <= g.most_part_bytes && g.part_bytes > 0);
                assert_true(near(g.search_seconds, (double)g.n_rounds * g.cell_seconds) < 1.001);
                if (n_cells > n) /* no round is mostly idle */
                    assert_true((double)n_cells / (double)(g.n_rounds * n) > 0.5);
                if (n_cells < n && n_cells < PLAN_MOST_CELLS) /* then cells would be short */
                    assert_true(g.cell_seconds < 2.2 * PLAN_LEAST_SECONDS);
            }
        }
    }
}

static void estimates(void **state)
{
    struct plan_search s = search_of(1000, 200 * GIGA);
    struct plan_nodes nodes = nodes_of(16, 16);
    struct plan_grid g;

    (void)state;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g)); /* 64 cells */
    assert_true(near(g.cell_seconds, 350e3 * 200e9 / 64 / (16 * 1.4e11)) < 1.001);
    assert_true(near(g.part_bytes, 1000 * 1050 * 1.2 * 7.7) < 1.01); /* full lists */
    assert_true(near(g.report_seconds, 1000 * 1050 * 1.2 * 8e6 / 1.4e11 / 16 + 64 * g.part_bytes / 220e6) < 1.05);

    s.list_subjects = 4050;
    const double full = g.part_bytes;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_true(near(g.part_bytes, 4050.0 / 1050 * full) < 1.01);

    nodes.has_gpu = true;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g)); /* 2,188 s: 32 cells of more than a minute */
    assert_int_equal(g.n_shards, 32);
    assert_true(near(g.search_seconds, 2 * (0.1 + 0.266 + 200e9 / 32 / 55e9 + 350e3 * 200e9 / 32 / 3.2e13)) < 1.001);

    s = search_of(100, GIGA / 100);
    s.list_evalue = 5e-5;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_true(g.part_bytes < g.most_part_bytes / 10); /* lists of relatives only */
    const double slow = g.cell_seconds;
    s.task = PLAN_BLASTP_FAST;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_true(g.cell_seconds < slow);
}

/* Queries of bases are divided by batches, a database of them has four in a byte, and a batch costs a scan. */
static void bases(void **state)
{
    struct plan_search s = search_of(10, GIGA);
    struct plan_nodes nodes = nodes_of(16, 16);
    struct plan_grid g;

    (void)state;
    s.task = PLAN_BLASTN;
    s.query_residues = 100000000;
    s.n_batches = 10;
    assert_true(plan_grid_choose(&s, &nodes, NULL, &g));
    assert_int_equal(g.n_query_shards, 8); /* of whole batches, though there are fewer than 1,000 queries */
    assert_int_equal(g.n_shards, 2);       /* 1,564 s: 16 cells of a minute */
    assert_true(near(g.cell_seconds, 0.1 + (1.25 * (0.01 + 3e-9 * 1e9 / 2) + 2.5e-13 * 1e8 / 8 * 1e9 / 2) / 16) < 1.001);
    assert_true(near(g.cell_bytes, 200e6 + (0.25e9 + 9.0 * (double)s.n_subjects) / 2) < 1.001);
    assert_true(g.part_bytes <= g.most_part_bytes && g.part_bytes > 0);

    const double slow = plan_pair_rate(&s, &nodes, NULL);
    s.n_batches = 1;
    assert_true(plan_pair_rate(&s, &nodes, NULL) > slow); /* fewer scans */
    s.task = PLAN_MEGABLAST;
    assert_true(plan_pair_rate(&s, &nodes, NULL) > 10 * slow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries_first),
        cmocka_unit_test(bases_are_translated),
        cmocka_unit_test(database_if_there_are_more_nodes),
        cmocka_unit_test(shards_fit_into_memory),
        cmocka_unit_test(any_grid),
        cmocka_unit_test(estimates),
        cmocka_unit_test(bases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
