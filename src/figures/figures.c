/* figures.c - see figures.h: the list of figures, and the chart of one. */
#include "figures/figures.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "figures/figure_parts.h"

#define SWEEPS "model_sweeps.tsv"
#define BANK   SWEEPS " bank.tsv"
#define GRID   "bank.tsv " SWEEPS /* bank.tsv has all k with one launch; the sweep has some k in B_opt, others not */

/* Sorted by paper and number. `other` is the paper's number of the figure, or k, or 1 for the CPU; `rows` is the text in a column of the
 * table. */
static const model_figure figures[] = {
    {"ma11.4", "False-positive rate of the bank on DNA over n, for m = 64, 128, 256 Kbit; k = 6: measured, and eq. 2",
     "rows 4 of tamis-bench fpr", "dna_fpr.tsv", figure_fpr, .other = 4, .rows = "4"},
    {"ma11.5", "False-positive rate of the bank on DNA over n, for several k; m = 256 Kbit: measured, and eq. 2",
     "rows 5 of tamis-bench fpr", "dna_fpr.tsv", figure_fpr, .other = 5, .rows = "5"},
    {"ma11.6", "Histogram of the relative errors of eq. 2 on DNA, over all sub-queries", "rows 6 of tamis-bench fpr", "dna_fpr.tsv",
     figure_fpr_errors},
    {"ma11.7", "Time of the bank over k, for several n: measured, and straight lines", "rows fig7-8 of tamis-bench bank, or the sweep bank",
     GRID, figure_over_k, .m_bits = 262144},
    {"ma11.8", "Time of the bank over n, for several k: measured, and 1/n", "rows fig7-8 of tamis-bench bank, or the sweep bank", GRID,
     figure_over_n, .m_bits = 262144},
    {"ma11.9", "Throughput of the bank over requested blocks, m = 256 Kbit: measured, with B_opt",
     "rows fig9 of tamis-bench bank, or the sweep bank-blocks", BANK, figure_blocks, .m_bits = 262144, .other = 9},
    {"ma11.9-larger", "The same for m = 512 Kbit, which leaves room for fewer vectors, as 256 Kbit did then",
     "rows fig9-larger of tamis-bench bank", "bank.tsv", figure_blocks, .m_bits = 524288, .other = 9},
    {"ma11.9-largest", "The same for m = 1 Mbit: one vector a multiprocessor", "rows fig9-larger of tamis-bench bank", "bank.tsv",
     figure_blocks, .m_bits = 1048576, .other = 9},
    {"ma11.10", "Throughput of the bank over requested blocks, m = 128 Kbit", "rows fig10 of tamis-bench bank, or the sweep bank-blocks",
     BANK, figure_blocks, .m_bits = 131072, .other = 10},
    {"ma11.11", "Throughput of the bank over requested blocks, m = 64 Kbit", "rows fig11 of tamis-bench bank, or the sweep bank-blocks",
     BANK, figure_blocks, .m_bits = 65536, .other = 11},
    {"ma11.12", "Throughput of the bank over requested blocks, m = 32 Kbit", "rows fig12 of tamis-bench bank, or the sweep bank-blocks",
     BANK, figure_blocks, .m_bits = 32768, .other = 12},
    {"ma11.13", "Figure 11 on a second GPU", "rows fig11 of tamis-bench bank, from a second GPU", "bank_second.tsv", figure_blocks,
     .m_bits = 65536, .other = 13},
    {"ma11.14", "Figure 12 on a second GPU", "rows fig12 of tamis-bench bank, from a second GPU", "bank_second.tsv", figure_blocks,
     .m_bits = 32768, .other = 14},
    {"ma11.15", "Throughput of the bank over threads of a block, m = 64 Kbit", "rows fig15 of tamis-bench bank, or the sweep bank-blocks",
     "bank.tsv " SWEEPS, figure_threads, .m_bits = 65536},
    {"ma11.16", "Time of the copies and of the kernels of the bank, over n", "rows fig16 of tamis-bench bank", "bank.tsv", figure_copies,
     .m_bits = 262144},
    {"ma11.17", "Time of the bank: modelled against measured, with R²", "rows fig7-8 of tamis-bench bank, or the sweep bank", BANK,
     figure_fit},
    {"ma11.18", "Trade-off between false-positive rate and time of the bank, as n varies; k = 6, m = 256 Kbit",
     "rows fig7-8 of tamis-bench bank, or the sweep bank", BANK, figure_tradeoff, .m_bits = 262144, .other = 6},
    {"ma12.3", "Throughput of random accesses over requested blocks, m = 8 KB, shared and global memory", "the sweep random-blocks", SWEEPS,
     figure_random_blocks, .m_bits = 8 * 8192, .other = 3},
    {"ma12.4", "Throughput of random accesses over requested blocks, m = 32 KB, shared and global memory", "the sweep random-blocks",
     SWEEPS, figure_random_blocks, .m_bits = 8 * 32768, .other = 4},
    {"ma12.5", "Hit and miss rates of the caches over m", "the sweep random-size", SWEEPS, figure_hit_rates},
    {"ma12.6", "Time of random accesses over m: what the caches do", "the sweep random-size", SWEEPS, figure_random_size},
    {"ma12.7", "Throughput of the bank over requested blocks: measured, and eq. 19",
     "rows fig9 of tamis-bench bank, or the sweep bank-blocks", BANK, figure_zigzag, .m_bits = 262144},
    {"ma12.9", "Throughput of read classification (FACS) over requested blocks", "the sweep classify, or rows fig9 of tamis-bench words",
     SWEEPS " words.tsv", figure_classify},
    {"ong13.2", "Time of insertion and search over n: serial", "rows ong of tamis-bench ong", "ong_1e7.tsv", figure_ong, .other = 2},
    {"ong13.5", "Time of insertion and search over n: threads and serial, with the speed-up", "rows ong of tamis-bench ong", "ong_1e7.tsv",
     figure_ong, .other = 5},
    {"ong13.8", "Time of insertion and search over n: CUDA and serial, with the speed-up", "rows ong of tamis-bench ong", "ong_1e7.tsv",
     figure_ong, .other = 8},
    {"ong13.9", "Time of insertion and search over n: CUDA and threads, with the speed-up", "rows ong of tamis-bench ong", "ong_1e7.tsv",
     figure_ong, .other = 9},
    {"thesis.13", "Classical filter: time of insertion over k", "rows fig13 of tamis-bench thesis or rows", "thesis.tsv rows.tsv",
     figure_thesis, .other = 13, .rows = "fig13"},
    {"thesis.14", "Classical filter: time of insertion over the bytes of a batch", "rows fig14 of tamis-bench thesis", "thesis.tsv",
     figure_thesis, .other = 14, .rows = "fig14"},
    {"thesis.15", "Probabilistic filter: time of insertion over k", "rows fig15 of tamis-bench thesis", "thesis.tsv rows.tsv",
     figure_thesis, .other = 15, .rows = "fig15"},
    {"schedules", "Time of the bank over n by schedule: the papers', and tamis's two", "rows fig7-8 of tamis-bench bank", "bank.tsv",
     figure_schedules, .m_bits = 262144, .other = 6},
    {"random-blocks", "Throughput of random accesses over requested blocks, larger tables, 32 bytes, atomic ORs", "the sweep random-blocks",
     SWEEPS, figure_random_blocks},
    {"random-threads", "Throughput of random accesses over threads of a block", "the sweep random-threads", SWEEPS, figure_random_threads},
    {"random-cpu", "Throughput of random accesses of the CPU over m", "sweeps of random accesses with place cpu",
     "model_sweeps_cpu.tsv " SWEEPS, figure_random_cpu},
    {"strings-build", "Throughput of building classic filters of strings over k, for several m", "the sweep strings-build", SWEEPS,
     figure_sweep_strings},
    {"strings-query", "Throughput of queries of missing strings over k, for several m", "the sweep strings-query", SWEEPS,
     figure_sweep_strings},
    {"strings-present", "Throughput of queries of present strings over k, for several m", "the sweep strings-present", SWEEPS,
     figure_sweep_strings},
    {"stages", "Where the time of tamis blastn goes, by the stages of Mercury BLASTN, over task and size of the query",
     "rows stages of bench/blastn_profile.sh", "blastn_profile.tsv", figure_stages},
    {"candidates", "What the filters of stage 1a pass to the look-up over m, and what that passes to stage 2: measured, and eq. 2",
     "rows filter of bench/blastn_profile.sh", "blastn_profile.tsv", figure_candidates},
    {"end-blocks", "Throughput of all of tamis blastn over requested blocks, with a bank of filters as stage 1a, and as it is",
     "rows bank of tamis-bench blastn", "blastn_bank.tsv", figure_end_blocks},
    {"end-sub-queries", "Throughput of all of tamis blastn over the size of a sub-query, with a bank of filters as stage 1a, and as it is",
     "rows bank of tamis-bench blastn", "blastn_bank.tsv", figure_end_sub_queries},
    {"end-passed", "What a bank of filters passes to the look-up in tamis blastn over the size of a sub-query, and what that passes on",
     "rows bank of tamis-bench blastn", "blastn_bank.tsv", figure_end_passed},
    {"check", "Measured over predicted time, all sweeps of the GPU", "sweeps of a GPU with predicted_seconds", SWEEPS, figure_check},
    {"check-cpu", "Measured over predicted time, all sweeps of the CPU", "sweeps of a CPU with predicted_seconds",
     "model_sweeps_cpu.tsv " SWEEPS, figure_check, .other = 1},
};
enum { N_FIGURES = sizeof figures / sizeof *figures };

const model_figure *model_figure_at(size_t i) { return i < N_FIGURES ? &figures[i] : NULL; }

const model_figure *model_figure_find(const char *name)
{
    for (size_t i = 0; i < N_FIGURES; i++) {
        if (strcmp(figures[i].name, name) == 0)
            return &figures[i];
    }
    return NULL;
}

/* Finds those of the figure's tables that exist; if the data is one file, that file. */
static io_status find_tables(figure_data *data, figure_inputs *in, io_error *err)
{
    for (const char *name = in->figure->tables; *name != '\0' && in->n_tables < FIGURE_TABLES;) {
        size_t length = strcspn(name, " ");
        char word[64];
        model_table *table;
        io_status status;

        snprintf(word, sizeof word, "%.*s", (int)length, name);
        status = figure_data_table(data, word, &table, err);
        if (status != IO_OK)
            return status;
        if (table != NULL && (in->n_tables == 0 || in->tables[in->n_tables - 1] != table))
            in->tables[in->n_tables++] = table;
        name += length + (name[length] == ' ');
    }
    return IO_OK;
}

static int has_points(const chart *c)
{
    for (size_t i = 0; i < c->n_series; i++) {
        if (c->series[i].n > 0)
            return 1;
    }
    return 0;
}

/* Names the profile in the subtitle if its predictions are drawn; otherwise sets a remark that says why not. Neither for tables without
 * runs. */
static void note_predicted(figure_data *data, const model_figure *figure, chart *c)
{
    size_t length = strlen(c->subtitle);

    if (data->n_predicted > 0)
        snprintf(c->subtitle + length, sizeof c->subtitle - length, "; predicted by the profile of %.100s",
                 data->profile->has_gpu ? data->profile->machine.gpu : data->profile->machine.cpu);
    else if (data->n_not_predicted > 0)
        snprintf(data->remark, sizeof data->remark, "figure %s: the profile predicts none of its runs%s%s", figure->name,
                 tms_context_message(data->ctx)[0] != '\0' ? ": " : "", tms_context_message(data->ctx));
}

io_status model_figure_chart(const model_figure *figure, figure_data *data, chart *c, int *found, io_error *err)
{
    figure_inputs in = {.figure = figure, .data = data};
    io_status status;

    chart_init(c);
    *found = 0;
    data->n_predicted = data->n_not_predicted = 0;
    data->remark[0] = '\0';
    status = find_tables(data, &in, err);
    if (status != IO_OK)
        return status;
    figure->build(&in, c);
    for (size_t i = 0; i < in.n_tables; i++) {
        if (in.tables[i]->fault[0] != '\0')
            return io_fail(err, IO_E_INPUT, 0, "%s", in.tables[i]->fault);
    }
    if (c->no_memory)
        return io_fail(err, IO_E_MEMORY, ENOMEM, "figure %s: out of memory", figure->name);
    if (c->too_many)
        return io_fail(err, IO_E_INPUT, 0, "figure %s: the table has more than %d curves", figure->name, CHART_SERIES);
    *found = has_points(c);
    if (*found && data->profile != NULL)
        note_predicted(data, figure, c);
    return IO_OK;
}
