/* plan_print.c - prints a plan: as text with the commands that run it, or as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_rows.h"
#include "cli/blast/plan_job.h"
#include "cli/data_files.h"
#include "figures/model_text.h"

static const char command[] = "plan";

#define LEAST_MINUTES 10.0 /* time limit of a cell */
#define TIME_MARGIN   3.0  /* time limit over estimate */
#define MEMORY_MARGIN 1.25
#define MEBIBYTE      1048576.0

/* ---- numbers ------------------------------------------------------------------------------------------------------------------ */

static double node_rate(const plan_job *job) { return plan_pair_rate(&job->search, &job->nodes, plan_profile(job)); }

static bool is_of_bases(const plan_job *job) { return plan_is_of_bases(job->search.task); }

const char *plan_program(const plan_job *job)
{
    static const char *const names[] = {
        [PLAN_BLASTP] = "blastp",      [PLAN_BLASTP_SHORT] = "blastp", [PLAN_BLASTP_FAST] = "blastp",   [PLAN_BLASTX] = "blastx",
        [PLAN_BLASTX_FAST] = "blastx", [PLAN_TBLASTN] = "tblastn",     [PLAN_TBLASTN_FAST] = "tblastn", [PLAN_TBLASTX] = "tblastx"};

    return is_of_bases(job) ? "blastn" : names[job->search.task];
}

static bool is_blastp(const plan_job *job) { return strcmp(plan_program(job), "blastp") == 0; }

/* Whether row i of the options is not one of the program: tblastx has no tasks. */
static bool is_left_out(const plan_job *job, const option_row *row)
{
    return job->search.task == PLAN_TBLASTX && row->blast != NULL && strcmp(row->blast, "task") == 0;
}

static long time_limit_minutes(const plan_job *job) { return (long)ceil(fmax(LEAST_MINUTES, TIME_MARGIN * job->grid.cell_seconds / 60)); }

/* With a margin, but not more than a node has: Slurm refuses a job that asks for more. */
static long memory_mib(const plan_job *job)
{
    const double node_bytes = (double)job->nodes.memory_bytes;

    return (long)ceil(fmin(MEMORY_MARGIN * job->grid.cell_bytes, node_bytes - MEBIBYTE) / MEBIBYTE);
}

static double all_parts_bytes(const plan_job *job) { return (double)plan_grid_cells(&job->grid) * job->grid.part_bytes; }

/* "12.3 s", "4.5 min", "6.7 h", "89 days" */
static const char *duration_text(double seconds, char text[MODEL_TEXT])
{
    static const struct {
        double seconds;
        const char *name;
    } units[] = {{1, "s"}, {60, "min"}, {3600, "h"}, {86400, "days"}};
    size_t i = 0;

    while (i + 1 < sizeof units / sizeof *units && seconds >= 2 * units[i + 1].seconds)
        i++;
    snprintf(text, MODEL_TEXT, "%.*f %s", seconds < 99.95 * units[i].seconds ? 1 : 0, seconds / units[i].seconds, units[i].name);
    return text;
}

/* Whether the numbers of the estimate are built in: no profile, or one of a machine without a GPU, for cells on GPUs. */
static bool is_built_in(const plan_job *job)
{
    return is_of_bases(job) || plan_profile(job) == NULL || (job->has_gpu && !job->profile.file.profile.has_gpu);
}

/* ---- the commands ------------------------------------------------------------------------------------------------------------- */

/* Prints a word of a shell's command, or with '"' a value of YAML: in quotes if it needs them. */
static void put_word(const char *word, char quote, FILE *to)
{
    const bool is_plain = word[0] != '\0' && word[0] != '-' &&
                          strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./+-=%@") == strlen(word);

    if (is_plain) {
        fputs(word, to);
        return;
    }
    fputc(quote, to);
    for (; *word != '\0'; word++) {
        if (quote == '\'' && *word == '\'')
            fputs("'\\'", to);
        else if (quote == '"' && (*word == '"' || *word == '\\'))
            fputc('\\', to);
        fputc(*word, to);
    }
    fputc(quote, to);
}

/* Prints the options of the search that were given: `before`, then the options with blanks between. */
static void put_options(const plan_job *job, const options_given *given, const char *before, FILE *to)
{
    char text[256];

    for (size_t i = 0; i < given->table->n_rows; i++) {
        if (!(given->table->rows[i].about & PLAN_ABOUT_SEARCH) || is_left_out(job, &given->table->rows[i]) ||
            !options_text(given, i, text, sizeof text))
            continue;
        fprintf(to, "%s%s", before, text);
        before = " ";
    }
    if (job->has_gpu)
        fprintf(to, "%s--device cuda", before);
}

static const char *query_of(const plan_job *job) { return job->blast.options.query != NULL ? job->blast.options.query : "QUERIES"; }
static const char *db_of(const plan_job *job) { return job->blast.options.db_name != NULL ? job->blast.options.db_name : "DB"; }

static void put_slurm(const plan_job *job, const options_given *given, FILE *to)
{
    char path[DATA_PATH], *real = data_file(DATA_WORKFLOW, "tamis-array.sh", path) ? realpath(path, NULL) : NULL;

    put_word(real != NULL ? real : "tamis-array.sh", '\'', to);
    free(real);
    fputs(" submit", to);
    if (!is_blastp(job))
        fprintf(to, " -p %s", plan_program(job));
    if (is_of_bases(job))
        fprintf(to, " -z %llu", (unsigned long long)job->batch_residues);
    fprintf(to, " -s %llu -q %llu -b --cpus-per-task=%d -b --mem=%ldM -b --time=%ld%s -- -query ", (unsigned long long)job->grid.n_shards,
            (unsigned long long)job->grid.n_query_shards, job->nodes.n_threads, memory_mib(job), time_limit_minutes(job),
            job->has_gpu ? " -b --gres=gpu:1" : "");
    put_word(query_of(job), '\'', to);
    fputs(" -db ", to);
    put_word(db_of(job), '\'', to);
    put_options(job, given, " ", to);
}

/* Prints the lines of config.yaml, each after `before`. */
static void put_snakemake(const plan_job *job, const options_given *given, const char *before, FILE *to)
{
    fprintf(to, "%squery: ", before);
    put_word(query_of(job), '"', to);
    fprintf(to, "\n%sdb: ", before);
    put_word(db_of(job), '"', to);
    if (!is_blastp(job))
        fprintf(to, "\n%sprogram: %s", before, plan_program(job));
    if (is_of_bases(job))
        fprintf(to, "\n%sbatch_size: %llu", before, (unsigned long long)job->batch_residues);
    fprintf(to, "\n%sshards: %llu\n%squery_shards: %llu\n%soptions: \"", before, (unsigned long long)job->grid.n_shards, before,
            (unsigned long long)job->grid.n_query_shards, before);
    put_options(job, given, "", to);
    fprintf(to, "\"\n%sthreads: %d\n%smem_mb: %ld\n%sruntime: %ld\n", before, job->nodes.n_threads, before, memory_mib(job), before,
            time_limit_minutes(job));
}

/* ---- text --------------------------------------------------------------------------------------------------------------------- */

static void print_search(const plan_job *job)
{
    const struct plan_search *s = &job->search;
    char text[2][MODEL_TEXT];
    const char *residues = is_of_bases(job) ? "bases" : "residues";

    printf("queries     %llu with %s %s, %llu batch%s\n", (unsigned long long)s->n_queries,
           model_count_text((double)s->query_residues, text[0]), plan_has_query_bases(s->task) ? "bases" : "residues",
           (unsigned long long)s->n_batches, s->n_batches == 1 ? "" : "es");
    printf("database    %llu sequences with %s %s\n", (unsigned long long)s->n_subjects,
           model_count_text((double)s->subject_residues, text[0]), plan_has_subject_bases(s->task) ? "bases" : "residues");
    printf("nodes       %llu, each with %d thread%s, %sB of memory%s: %.3g pairs of %s a second\n", (unsigned long long)job->nodes.n,
           job->nodes.n_threads, CLI_PLURAL(job->nodes.n_threads), model_count_text((double)job->nodes.memory_bytes, text[1]),
           job->has_gpu ? " and a GPU" : "", node_rate(job), residues);
    if (is_of_bases(job))
        printf("estimate    by the rates of an EPYC%s; with repeats that are not masked, up to 30 times longer: measure a cell\n",
               job->has_gpu ? " and an H100" : "");
    else if (is_built_in(job))
        printf("estimate    by the numbers of an H200 and its host; for yours: tamis model calibrate, on a node\n");
    else
        printf("estimate    by the profile %s (%s)\n", job->profile.path, job->profile.origin);
}

static void print_grid(const plan_job *job)
{
    const struct plan_grid *g = &job->grid;
    const unsigned long long n_cells = plan_grid_cells(g), rounds = g->n_rounds;
    char text[4][MODEL_TEXT];

    printf("grid        %llu query shard%s x %llu shard%s of the database: %llu cell%s, %llu a node\n",
           (unsigned long long)g->n_query_shards, CLI_PLURAL(g->n_query_shards), (unsigned long long)g->n_shards, CLI_PLURAL(g->n_shards),
           n_cells, CLI_PLURAL(n_cells), rounds);
    printf("cell        %s, %sB of memory\n", duration_text(g->cell_seconds, text[0]), model_count_text(g->cell_bytes, text[1]));
    printf("search      %s\n", duration_text(g->search_seconds, text[0]));
    printf("parts       %sB each, %sB in all; with full lists %sB in all\n", model_count_text(g->part_bytes, text[0]),
           model_count_text(all_parts_bytes(job), text[1]), model_count_text((double)n_cells * g->most_part_bytes, text[2]));
    printf("report      %s on one node\n", duration_text(g->report_seconds, text[0]));
}

static void print_remarks(const plan_job *job)
{
    const struct plan_grid *g = &job->grid;
    const uint64_t n_cells = plan_grid_cells(g);

    if (n_cells == 1)
        printf("\nThe search is short: one machine is enough.\n");
    else if (n_cells < job->nodes.n && g->cell_seconds < 2 * PLAN_LEAST_SECONDS)
        printf("\nThe search is short: more cells than %llu would take less than a minute each.\n", (unsigned long long)n_cells);
    else if (n_cells < job->nodes.n || g->cell_seconds > 2 * PLAN_MOST_SECONDS)
        printf("\nMore cells would be better, but there are at most %d (Slurm's MaxArraySize is 1001). Divide the file of\n"
               "queries, or raise MaxArraySize and the numbers below.\n",
               PLAN_MOST_CELLS);
}

static void print_text(const plan_job *job, const options_given *given)
{
    print_search(job);
    print_grid(job);
    print_remarks(job);
    puts("\nSlurm:\n");
    fputs("  ", stdout);
    put_slurm(job, given, stdout);
    puts("\n\nSnakemake, config.yaml:\n");
    put_snakemake(job, given, "  ", stdout);
}

/* ---- JSON --------------------------------------------------------------------------------------------------------------------- */

static json_t *whole(uint64_t n) { return json_integer((json_int_t)n); }

/* What put_slurm() or put_snakemake() prints; NULL: no memory, or a path is not UTF-8. */
static json_t *command_text(const plan_job *job, const options_given *given, bool is_slurm)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    json_t *out = NULL;

    if (to == NULL)
        return NULL;
    if (is_slurm)
        put_slurm(job, given, to);
    else
        put_snakemake(job, given, "", to);
    if (fclose(to) == 0)
        out = json_string(text);
    free(text);
    return out != NULL ? out : json_null();
}

static int print_json(const plan_job *job, const options_given *given)
{
    const struct plan_search *s = &job->search;
    const struct plan_grid *g = &job->grid;
    json_t *profile = is_built_in(job) ? NULL : json_string(job->profile.path);
    json_t *root = json_pack(
        "{s:{s:o, s:o, s:o}, s:{s:o, s:o}, s:{s:o, s:i, s:b, s:o}, s:o, s:f, s:{s:o, s:o, s:o, s:o}, s:{s:f, s:f, s:f}, s:{s:f, s:f, s:f, "
        "s:f}, s:o, s:o}",
        "queries", "n", whole(s->n_queries), "residues", whole(s->query_residues), "batches", whole(s->n_batches), "database", "sequences",
        whole(s->n_subjects), "residues", whole(s->subject_residues), "nodes", "n", whole(job->nodes.n), "threads", job->nodes.n_threads,
        "gpu", job->has_gpu, "memory_bytes", whole(job->nodes.memory_bytes), "profile", profile != NULL ? profile : json_null(),
        "node_pairs_per_second", node_rate(job), "grid", "query_shards", whole(g->n_query_shards), "shards", whole(g->n_shards), "cells",
        whole(plan_grid_cells(g)), "cells_per_node", whole(g->n_rounds), "estimated_seconds", "cell", g->cell_seconds, "search",
        g->search_seconds, "report", g->report_seconds, "estimated_bytes", "cell_memory", g->cell_bytes, "part", g->part_bytes, "all_parts",
        all_parts_bytes(job), "full_part", g->most_part_bytes, "slurm", command_text(job, given, true), "snakemake",
        command_text(job, given, false));
    int failed = root == NULL || (!is_blastp(job) && json_object_set_new(root, "program", json_string(plan_program(job))) != 0) ||
                 (is_of_bases(job) && json_object_set_new(root, "batch_size", whole(job->batch_residues)) != 0);
    char *text = !failed ? json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(6)) : NULL;

    json_decref(root);
    if (text == NULL)
        return cli_fail(command, BLAST_MEMORY, "out of memory");
    puts(text);
    free(text);
    return CLI_OK;
}

int plan_print(const plan_job *job, const options_given *given)
{
    int code = CLI_OK;

    if (job->as_json)
        code = print_json(job, given);
    else
        print_text(job, given);
    return blast_code(cli_end_stdout(command, code));
}
