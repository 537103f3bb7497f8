/* cmd_plan.c - plans a search on a cluster: the grid, and what it takes. plan_grid.c has the choice and the estimate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_plan.h"
#include "cli/blast/blast_queries.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/blast_subjects.h"
#include "cli/blast/plan_job.h"
#include "cli/molecule_warning.h"
#include "tamis/blastx.h"
#include "tamis/tblastn.h"
#include "tamis/tblastx.h"

static const char command[] = "plan";

/* Of a database whose number of sequences is not given; and of a query. */
enum { USUAL_RESIDUES = 350 };

static const option_row rows[] = {
    {.heading = "The search"},
    {0, NULL, "FILE", OPTION_PATH(blast_job, options.query), .blast = "query", .excludes = "queries",
     .help = "the queries: FASTA or FASTQ, plain or compressed"},
    {0, NULL, "NAME", OPTION_PATH(blast_job, options.db_name), .blast = "db", .excludes = "db-residues",
     .help = "a BLAST database, of proteins or of nucleotides as the task needs"},
    {0, "queries", "N", OPTION_SIZE(plan_job, n_queries, 1, (int64_t)1 << 40), .what = "a number of queries", .such_as = "1M",
     .help = "plan without a file: the number of queries"},
    {0, "query-residues", "N", OPTION_SIZE(plan_job, query_residues, 1, (int64_t)1 << 50), .what = "a number of residues",
     .such_as = "350M", .needs = "queries", .otherwise = "350 a query", .help = "residues, or bases, of all --queries together"},
    {0, "db-residues", "N", OPTION_SIZE(plan_job, subject_residues, 1, (int64_t)1 << 50), .what = "a number of residues", .such_as = "200G",
     .help = "plan without a database: its residues, or bases"},
    {0, "db-sequences", "N", OPTION_SIZE(plan_job, n_subjects, 1, (int64_t)1 << 40), .what = "a number of sequences", .such_as = "500M",
     .needs = "db-residues", .otherwise = "one for 350 residues", .help = "sequences of the database of --db-residues"},
    {0, NULL, "TASK",
     OPTION_CHOICE(
         plan_job, task,
         "blastp blastp-short blastp-fast blastx blastx-fast tblastn tblastn-fast tblastx megablast blastn blastn-short dc-megablast",
         PLAN_BLASTP),
     .blast = "task", .about = PLAN_ABOUT_SEARCH, .initial = "blastp", .help = "the task of the search, which also names its program"},
    {0, NULL, "E", OPTION_POSITIVE(blast_job, options.evalue), .blast = "evalue", .about = PLAN_ABOUT_SEARCH, .initial = "10",
     .such_as = "1e-5", .help = "the E-value of the search: with a low one parts are smaller"},
    {0, NULL, "N", OPTION_SIZE(blast_job, options.max_target_seqs, 1, INT32_MAX), .blast = "max_target_seqs", .about = PLAN_ABOUT_SEARCH,
     .initial = "500", .help = "subjects to keep for each query: with more than 500, parts are larger, and the report takes longer"},
    {.heading = "The cluster"},
    {0, "nodes", "N", OPTION_SIZE(plan_job, n_nodes, 1, 1000000), .what = "a number of nodes", .ask = "how many nodes?",
     .help = "nodes that work on the search at the same time"},
    {0, "gpu", NULL, OPTION_FLAG(plan_job, has_gpu), .help = "each node has a GPU, on which its cells run"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .what = "a number of threads",
     .otherwise = "those of the profile, or of this machine", .help = "CPU threads of a node"},
    {0, "memory", "BYTES", OPTION_SIZE(plan_job, memory_bytes, 1, (int64_t)1 << 50), .what = "a number of bytes", .such_as = "128G",
     .otherwise = "that of this machine", .help = "memory of a node"},
    {0, "profile", "FILE", OPTION_PATH(plan_job, profile_name), .otherwise = "of this machine",
     .help = "what a node is like: a file of 'tamis model calibrate', or the name of a profile that comes with tamis"},
    {.heading = "Output"},
    {0, "json", NULL, OPTION_FLAG(plan_job, as_json), .help = "print one JSON object"},
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP};

const option_table plan_options = {
    command,
    "Usage: tamis plan -query FILE -db NAME --nodes N [OPTION]...\n"
    "       tamis plan --queries N --db-residues N --nodes N [OPTION]...\n"
    "\n"
    "Plans a search that the nodes of a cluster share: into how many parts to divide\n"
    "the queries and the database, how long a cell, the search and the report take,\n"
    "and how large the parts are. Prints the commands for Slurm and the settings for\n"
    "Snakemake. All numbers are estimates.\n",
    OPTION_ROWS(rows),
    "\n"
    "The estimate is that of --device auto; that of a translated search is a share\n"
    "of that of tamis blastp. It uses the profile that 'tamis model calibrate' stored\n"
    "for this machine, or built-in numbers, and says which. It leaves out waiting for\n"
    "nodes, and reading the database from a disk. For tamis blastn it uses measured\n"
    "rates of each task, and the plan has a BATCH_SIZE, which all cells need.\n"
    "\n"
    "Exit status, as of tamis blastp: 1 wrong options or input, or a shard of the\n"
    "database would not fit into a node; 2 missing or damaged database.\n"
    "\n"
    "Examples\n"
    "  tamis plan -query q.fa -db nr --nodes 16 -num_threads 32 --memory 128G\n"
    "  tamis plan --queries 1000 --db-residues 200G --nodes 64 --gpu --profile h200\n"
    "  tamis plan -task megablast -query reads.fq.gz -db genomes --nodes 16\n"
    "  tamis plan -task tblastx -query contigs.fa -db genomes --nodes 16\n",
    .no_operands = "files are named with -query and -db",
};

/* ---- what is searched --------------------------------------------------------------------------------------------------------- */

static bool is_of_bases(const plan_job *job) { return plan_is_of_bases((uint32_t)job->task); }

static tms_molecule molecule_of(bool has_bases) { return has_bases ? TMS_NUCLEOTIDE : TMS_PROTEIN; }

/* Residues or bases of a query batch of the task's program. */
static uint64_t usual_batch(const plan_job *job)
{
    const uint32_t task = (uint32_t)job->task;

    if (task == PLAN_TBLASTX)
        return tms_tblastx_protein_defaults().batch_residues;
    if (plan_translates_queries(task))
        return tms_blastx_protein_defaults().batch_residues;
    return plan_translates_subjects(task) ? tms_tblastn_protein_defaults().batch_residues : tms_blastp_defaults().batch_residues;
}

static int check(plan_job *job)
{
    const blast_shared_options *o = &job->blast.options;

    if (o->query == NULL && job->n_queries == 0)
        return cli_fail_usage(command, "which queries? Give -query FILE, or --queries N");
    if (o->db_name == NULL && job->subject_residues == 0)
        return cli_fail_usage(command, "which database? Give -db NAME, or --db-residues N");
    if (o->query != NULL && strcmp(o->query, "-") == 0)
        return cli_fail(command, CLI_USAGE, "a cell needs a file of queries, which the report reads again: give -query FILE");
    if (o->query != NULL && blast_file_is_empty(o->query))
        return cli_fail(command, CLI_USAGE, "%s: has no queries", o->query);
    if (job->has_gpu && (job->task == PLAN_BLASTN_SHORT || job->task == PLAN_DC_MEGABLAST))
        return cli_fail(command, CLI_USAGE, "a GPU does not take the words of this task: leave out --gpu");
    if (is_of_bases(job) && job->profile_name != NULL)
        return cli_fail(command, CLI_USAGE, "a profile has the rates of proteins: leave out --profile");
    return CLI_OK;
}

/* Counts the queries of a call, and the batches that the search divides it into. */
static void count_call(const plan_job *job, const tms_seqs *seqs, struct plan_search *s)
{
    uint64_t filled = 0;

    for (size_t i = 0; i < seqs->n_records; i++) {
        s->n_batches += filled == 0;
        s->query_residues += tms_seqs_length(seqs, i);
        filled += tms_seqs_length(seqs, i);
        if (filled >= job->batch_residues)
            filled = 0;
    }
    s->n_queries += seqs->n_records;
}

static int count_queries(plan_job *job)
{
    blast_job *b = &job->blast;
    struct plan_search *s = &job->search;
    tms_seqs seqs;
    io_error err;
    const bool has_bases = plan_has_query_bases((uint32_t)job->task);
    io_status status = blast_open_queries(b, molecule_of(has_bases), &err);

    while (status == IO_OK && (status = seqio_blast_records_next(b->run.queries, &seqs, &err)) == IO_OK) {
        if (s->n_queries == 0 && !has_bases)
            molecule_warn(&b->common, b->options.query, &seqs, TMS_PROTEIN,
                          "tamis plan plans a search with proteins, unless -task is one with bases");
        count_call(job, &seqs, s);
    }
    seqio_blast_records_close(b->run.queries);
    b->run.queries = NULL;
    if (status != IO_END)
        return blast_fail_io(b, status, &err);
    return s->query_residues > 0 ? CLI_OK : cli_fail(command, BLAST_INPUT, "%s: no query has a residue", b->options.query);
}

/* A batch ends with the query that reaches its size, so it is longer than that by half a query. */
static void assume_batches(plan_job *job)
{
    struct plan_search *s = &job->search;

    s->n_batches = 1 + (uint64_t)((double)s->query_residues /
                                  ((double)job->batch_residues + (double)s->query_residues / (double)s->n_queries / 2));
    if (s->n_batches > s->n_queries)
        s->n_batches = s->n_queries;
}

/* Batches of bases are as many as there may be cells, within the sizes that suit the scan. */
static void choose_batches(plan_job *job)
{
    enum { LEAST = 100000, MOST = 1000000 };
    const uint64_t size = job->search.query_residues / PLAN_MOST_CELLS / 10000 * 10000;

    if (!is_of_bases(job) || job->blast.plan.has_batch_size)
        return;
    job->batch_residues = size < LEAST ? LEAST : size > MOST ? MOST : size;
    assume_batches(job);
}

static void assume_queries(plan_job *job)
{
    struct plan_search *s = &job->search;

    s->n_queries = job->n_queries;
    s->query_residues = job->query_residues > 0 ? job->query_residues : USUAL_RESIDUES * s->n_queries;
    assume_batches(job);
}

static int find_subjects(plan_job *job)
{
    struct plan_search *s = &job->search;
    tms_seqdb_info info;
    int code;

    s->subject_residues = job->subject_residues;
    s->n_subjects = job->n_subjects > 0 ? job->n_subjects : 1 + s->subject_residues / USUAL_RESIDUES;
    if (job->blast.options.db_name == NULL)
        return CLI_OK;
    code = blast_open_subjects(&job->blast);
    if (code != CLI_OK)
        return code;
    tms_seqdb_get_info(job->blast.run.db, &info);
    s->n_subjects = info.n_sequences;
    s->subject_residues = info.n_residues;
    return s->subject_residues > 0 ? CLI_OK : cli_fail(command, BLAST_DATABASE, "%s: has no residues", job->blast.options.db_name);
}

/* The search's list of preliminary HSPs, of proteins with the composition that is the default: doc/blast.md. */
static void set_lists(plan_job *job)
{
    const uint32_t n = job->blast.options.max_target_seqs;

    job->search.task = (uint32_t)job->task;
    if (is_of_bases(job)) {
        job->search.list_subjects = n < UINT32_MAX - 50 ? n + 50 : UINT32_MAX;
        job->search.list_evalue = job->blast.options.evalue;
    } else if (job->task == PLAN_TBLASTX) { /* no gaps: HSPs are final ones */
        job->search.list_subjects = n;
        job->search.list_evalue = job->blast.options.evalue;
    } else {
        job->search.list_subjects = n <= 500 ? 1050 : n < UINT32_MAX / 2 - 50 ? 2 * n + 50 : UINT32_MAX;
        job->search.list_evalue = 5 * job->blast.options.evalue;
    }
}

static int find_search(plan_job *job)
{
    int code = CLI_OK;

    if (job->blast.options.query != NULL)
        code = count_queries(job);
    else
        assume_queries(job);
    choose_batches(job);
    if (code == CLI_OK)
        code = find_subjects(job);
    set_lists(job);
    return code;
}

/* ---- the nodes ---------------------------------------------------------------------------------------------------------------- */

/* Finds the profile that was given, or the one that tamis blastp --device auto uses, or one of this machine's CPU alone. */
static int find_profile(plan_job *job)
{
    model_profile *p = &job->profile;
    io_error err;

    if (job->profile_name != NULL)
        return blast_code(model_profile_find(command, job->profile_name, MODEL_AUTO, NULL, p));
    p->origin = "of this machine";
    if (tms_model_machine(job->blast.run.ctx, &p->here.machine) != TMS_OK || profile_cache_find(&p->here.machine, &p->file, p->path) ||
        (profile_cache_read(&p->here.machine, 0, &p->file, &err) > 0 && profile_cache_path(&p->here.machine, 0, p->path)))
        return CLI_OK;
    p->path[0] = '\0';
    return CLI_OK;
}

static void set_nodes(plan_job *job)
{
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

    job->nodes = (struct plan_nodes){job->n_nodes, job->blast.common.n_threads, job->has_gpu, job->memory_bytes};
    if (job->nodes.n_threads == 0)
        job->nodes.n_threads = job->profile_name != NULL ? (int)job->profile.file.profile.machine.n_processors
                                                         : (int)sysconf(_SC_NPROCESSORS_ONLN);
    if (job->nodes.n_threads < 1)
        job->nodes.n_threads = 1;
    if (job->nodes.memory_bytes == 0 && pages > 0 && page > 0)
        job->nodes.memory_bytes = (uint64_t)pages * (uint64_t)page;
}

/* ---- the command -------------------------------------------------------------------------------------------------------------- */

static int run(plan_job *job, const options_given *given)
{
    const cli_common alone = {.command = command, .device = TMS_DEVICE_CPU, .n_threads = 1};
    int code = check(job);

    if (code == CLI_OK)
        code = cli_context_create(&alone, &job->blast.run.ctx);
    code = blast_code(code);
    if (code == CLI_OK)
        code = blast_plan_batches(&job->blast, usual_batch(job));
    job->blast.plan.batch_residues = job->batch_residues = job->blast.plan.unit_residues;
    if (code == CLI_OK)
        code = find_search(job);
    if (code == CLI_OK && !is_of_bases(job))
        code = find_profile(job);
    if (code != CLI_OK)
        return code;
    if (!job->blast.common.quiet && job->profile.path[0] != '\0')
        model_profile_remark(command, &job->profile);
    set_nodes(job);
    if (plan_grid_choose(&job->search, &job->nodes, plan_profile(job), &job->grid))
        return plan_print(job, given);
    return cli_fail(command, BLAST_INPUT, "a cell needs %.0f MB of memory, even with a shard of %d of the database, and a node has %.0f MB",
                    ceil(job->grid.cell_bytes / 1e6), PLAN_MOST_CELLS, floor((double)job->nodes.memory_bytes / 1e6));
}

int cmd_plan(int argc, char **argv)
{
    plan_job *job = calloc(1, sizeof *job);
    int code;

    if (job == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    if (!cli_options(&plan_options, argc, argv, &job->blast.common, &job->blast.given, &code)) {
        free(job);
        return blast_code(code);
    }
    job->blast.molecule = molecule_of(plan_has_subject_bases((uint32_t)job->task));
    code = run(job, &job->blast.given);
    blast_close_subjects(&job->blast);
    tms_context_destroy(job->blast.run.ctx);
    free(job);
    return code;
}
