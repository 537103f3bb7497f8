/*
 * cmd_dbinfo.c - what is in a BLAST database, and its sequences, as blastdbcmd prints them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "db_entries.h"
#include "db_report.h"
#include "db_writer.h"
#include "io/io_db_sums.h"
#include "io/io_map.h"
#include "io/io_safe_file.h"

static const char command[] = "dbinfo";

enum { GUESS = TMS_PROTEIN + 1 };

typedef struct dbinfo_job {
    cli_common common;
    const char *names;
    int molecule; /* tms_molecule, or GUESS */
    int info, exact, json, check;
    const char *entry, *entry_batch, *range, *out, *format;
    uint64_t line_length;
    int minus, target_only;

    tms_context *ctx;
    tms_seqdb *db;
    db_entries entries;
    io_safe_file *file;
    db_writer *writer;
    int n_missing;
} dbinfo_job;

static const option_row rows[] = {
    {0, NULL, "NAME", OPTION_PATH(dbinfo_job, names), .blast = "db", .ask = "which database?",
     .help = "the database: a path, or a name that is looked for in $BLASTDB; several in one argument, with blanks between"},
    {0, NULL, "TYPE", OPTION_CHOICE(dbinfo_job, molecule, "nucl prot guess", TMS_NUCLEOTIDE), .blast = "dbtype", .initial = "guess",
     .help = "nucl, prot, or guess: proteins if there are some"},

    {.heading = "What is in it"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, info), .blast = "info", .excludes = "entry entry_batch outfmt strand target_only range json",
     .help = "print the lines of blastdbcmd -info, and no others"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, exact), .blast = "exact_length", .needs = "info",
     .help = "changes nothing: lengths are always exact"},
    {0, "json", NULL, OPTION_FLAG(dbinfo_job, json), .excludes = "entry entry_batch", .help = "print one JSON object"},
    {0, "check", NULL, OPTION_FLAG(dbinfo_job, check), .excludes = "entry entry_batch",
     .help =
         "read all sequences and names too, compare the checksums of tamis makedb, and end with exit code 2 where something is damaged"},

    {.heading = "Its sequences"},
    {0, NULL, "IDS", OPTION_PATH(dbinfo_job, entry), .blast = "entry", .excludes = "entry_batch",
     .help = "print these, with commas between: accessions, gis, gnl|db|tag ...; or all"},
    {0, NULL, "FILE", OPTION_PATH(dbinfo_job, entry_batch), .blast = "entry_batch", .excludes = "range strand",
     .help = "print those of a file: a line each with an id, and if wanted a range and a strand; - is standard input"},
    {0, NULL, "A-B", OPTION_PATH(dbinfo_job, range), .blast = "range", .needs = "entry",
     .help = "print residues A to B, from 1; A- is to the end"},
    {0, NULL, "S", OPTION_CHOICE(dbinfo_job, minus, "plus minus", 0), .blast = "strand", .needs = "entry entry_batch", .initial = "plus",
     .help = "strand of nucleotides: plus, minus"},
    {0, NULL, "FILE", OPTION_PATH(dbinfo_job, out), .blast = "out", .initial = "-",
     .help = "write to a file, which appears whole or not at all; - is standard output"},
    {0, NULL, "FORMAT", OPTION_PATH(dbinfo_job, format), .blast = "outfmt", .needs = "entry entry_batch", .initial = "%f",
     .help =
         "%f FASTA, or a line of\n%s sequence, %a accession, %i id, %g gi, %o ordinal id, %t title, %l length, %h hash, %T taxon, %% percent"},
    {0, NULL, "N", OPTION_SIZE(dbinfo_job, line_length, 1, 0), .blast = "line_length", .needs = "entry entry_batch",
     .what = "a number of letters", .initial = "80", .help = "letters of a line of FASTA"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, target_only), .blast = "target_only", .needs = "entry entry_batch",
     .help = "of merged names print only the one that was asked for"},
    CLI_ROW_FORCE("let -out replace any file"),

    {.heading = "Running"},
    {0, "threads", "N", OPTION_SIZE(cli_common, n_threads, 1, 1024), .blast = "num_threads", .otherwise = "all",
     .help = "CPU threads, to look for ids and to check"},
    CLI_ROW_HELP,
};

const option_table dbinfo_options = {
    command,
    "Usage: tamis dbinfo -db NAME [OPTION]...\n"
    "\n"
    "Shows what is in a BLAST database, of version 4 or 5, with its alias files and\n"
    "volumes; or prints its sequences. Options and output are those of blastdbcmd.\n"
    "The database is checked before anything of it is used. Long options begin with\n"
    "one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "An id that is not there is reported, and the others are printed.\n"
    "\n"
    "Exit status: 1 if an id is not in the database, 2 if the database is missing or\n"
    "damaged; see tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis dbinfo -db uniprot\n"
    "  tamis dbinfo -db uniprot -entry all > uniprot.fa\n"
    "  tamis dbinfo -db genomes -entry NC_000913 -range 1-1000 -strand minus\n"
    "  tamis dbinfo -db uniprot -entry all -outfmt '%a %l'\n",
    .no_operands = "the database is named with -db",
};

/* Options of blastdbcmd that are not here: each with what to do instead. */
static int refuse(int argc, char **argv)
{
    static const struct {
        const char *names, *why;
    } refused[] = {
        {" ipg ipg_batch ", "tamis does not read identical protein groups; give -entry"},
        {" taxids taxidlist ", "tamis does not select by taxon; print -entry all -outfmt '%T %a' and choose from it"},
        {" tax_info ", "tamis does not read NCBI's taxonomy; -outfmt %T prints the number of each sequence's taxon"},
        {" mask_sequence_with ", "tamis does not read masks of a database; tamis mask makes them"},
        {" get_dups ", "the first sequence with an id is printed; -entry all -outfmt '%a %o' shows all"},
        {" long_seqids ctrl_a ", "-outfmt '%i %t' prints whole ids"},
        {" list recursive list_outfmt remove_redundant_dbs ", "give a database: tamis dbinfo -db NAME -info"},
        {" show_blastdb_search_path ", "a database that is not found is reported with the path that was searched"},
        {" logfile ", "messages go to standard error: redirect it"},
    };
    char word[40];

    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + strspn(argv[i], "-");
        size_t n = strcspn(name, "=");
        if (argv[i][0] != '-' || n == 0 || n > sizeof word - 3)
            continue;
        snprintf(word, sizeof word, " %.*s ", (int)n, name);
        for (size_t j = 0; j < sizeof refused / sizeof *refused; j++) {
            if (strstr(refused[j].names, word) != NULL)
                return cli_fail_usage(command, "-%.*s of blastdbcmd is not here: %s", (int)n, name, refused[j].why);
        }
    }
    return CLI_OK;
}

/* ---- the database ----------------------------------------------------------------------------------------------- */

static const char *path_at(const void *db, const void *address) { return tms_seqdb_path_at(db, address); }

/* To guess: proteins, then nucleotides, and of the latter the message. */
static int open_database(dbinfo_job *job)
{
    tms_status status = TMS_E_ARG;

    if (job->molecule != TMS_NUCLEOTIDE)
        status = tms_seqdb_open(job->ctx, job->names, TMS_PROTEIN, &job->db);
    if (job->molecule == TMS_NUCLEOTIDE || (job->molecule == GUESS && status == TMS_E_ARG))
        status = tms_seqdb_open(job->ctx, job->names, TMS_NUCLEOTIDE, &job->db);
    if (status != TMS_OK)
        return cli_fail_database(command, job->ctx, status);
    io_map_guard(command, CLI_USAGE);
    io_map_watch(path_at, job->db);
    return CLI_OK;
}

/* All sequences and names, and the files against the checksums that tamis makedb left. */
static int check(dbinfo_job *job, db_checks *checks)
{
    tms_seqdb_info info;
    tms_status status;
    const char *base, *date;

    tms_seqdb_get_info(job->db, &info);
    status = tms_seqdb_check(job->ctx, job->db, 0, info.n_sequences);
    if (status != TMS_OK)
        return cli_fail_database(command, job->ctx, status);
    for (uint64_t k = 0; (base = tms_seqdb_base(job->db, k, &date)) != NULL; k++) {
        io_db_sums_result result;
        io_error err;
        io_status read = io_db_sums_check(base, info.molecule, date, &result, &err);
        if (read != IO_OK)
            return cli_fail_io(command, read, &err);
        checks->n_sums += result.n_files;
        checks->n_old_sums += (uint64_t)result.is_of_another;
    }
    checks->all_was_read = 1;
    return CLI_OK;
}

static int open_output(dbinfo_job *job)
{
    const io_output output = {.path = job->out,
                              .inputs = &job->entry_batch,
                              .n_inputs = job->entry_batch != NULL,
                              .is_kind = io_is_no_kind,
                              .kind = "empty",
                              .force = job->common.force};
    io_error err;
    io_status status = io_safe_file_open(&output, &job->file, &err);

    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int commit_output(dbinfo_job *job)
{
    io_error err;
    io_status status = io_safe_file_commit(job->file, &err);

    job->file = NULL;
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

static int put_report(const dbinfo_job *job, const db_checks *checks, FILE *to)
{
    if (job->json)
        return db_report_json(command, job->db, checks, to);
    db_report_text(job->db, checks, job->info, to);
    return CLI_OK;
}

static int report(dbinfo_job *job)
{
    db_checks checks = {0};
    char *text = NULL;
    size_t n = 0;
    FILE *to;
    io_error err;
    io_status status;
    int code = open_output(job);

    if (code == CLI_OK && job->check)
        code = check(job, &checks);
    if (code != CLI_OK)
        return code;
    to = open_memstream(&text, &n);
    if (to != NULL) {
        code = put_report(job, &checks, to);
        if (fclose(to) != 0)
            to = NULL;
    }
    if (to == NULL)
        code = cli_fail(command, CLI_NO_MEMORY, "out of memory for the report");
    if (code == CLI_OK && (status = io_safe_file_write(job->file, text, n, &err)) != IO_OK)
        code = cli_fail_io(command, status, &err);
    free(text);
    return code == CLI_OK ? commit_output(job) : code;
}

/* ---- sequences -------------------------------------------------------------------------------------------------- */

static int wants_all(const dbinfo_job *job) { return job->entry != NULL && strcmp(job->entry, "all") == 0; }

static int read_entries(dbinfo_job *job, db_range range)
{
    int code = CLI_OK;

    if (job->entry_batch != NULL)
        code = db_entries_file(command, job->entry_batch, &job->entries);
    else if (!wants_all(job))
        code = db_entries_list(command, job->entry, range, job->minus, &job->entries);
    return code;
}

static int put_all(dbinfo_job *job, db_range range)
{
    db_entry entry = {.defline = UINT64_MAX, .range = range, .minus = job->minus};
    tms_seqdb_info info;
    int code = CLI_OK;

    tms_seqdb_get_info(job->db, &info);
    for (uint64_t i = 0; i < info.n_sequences && code == CLI_OK; i++) {
        entry.number = i;
        code = db_writer_put(job->writer, &entry);
    }
    return code;
}

/* Names that were not parsed are no ids, though the headers show them. */
static int explain_missing(const dbinfo_job *job)
{
    tms_seqdb_names *names;
    tms_seqdb_info info;
    size_t n;

    tms_seqdb_get_info(job->db, &info);
    if (tms_seqdb_names_create(job->ctx, &names) != TMS_OK)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the names of a sequence");
    if (info.n_sequences > 0 && tms_seqdb_names_read(job->db, 0, names, &n) == TMS_OK && n > 0 && !tms_seqdb_names_get(names, 0)->has_id)
        cli_say(command, "the database was made without -parse_seqids: its ids are gnl|BL_ORD_ID|0 and so on");
    tms_seqdb_names_destroy(names);
    return CLI_OK;
}

static int put_entries(dbinfo_job *job)
{
    int code = db_entries_find(command, job->ctx, job->db, &job->entries);

    for (size_t i = 0; i < job->entries.n && code == CLI_OK; i++) {
        const db_entry *entry = &job->entries.items[i];
        if (entry->number == UINT64_MAX) {
            cli_say(command, "Entry not found: %s", entry->id);
            job->n_missing++;
            continue;
        }
        code = db_writer_put(job->writer, entry);
    }
    return code == CLI_OK && job->n_missing > 0 ? explain_missing(job) : code;
}

static int print_sequences(dbinfo_job *job, db_range range)
{
    const db_writer_options how = {
        .command = command, .format = job->format, .line_length = job->line_length, .target_only = job->target_only};
    int code = open_output(job);

    if (code == CLI_OK)
        code = db_writer_open(&how, job->ctx, job->db, job->file, &job->writer);
    if (code == CLI_OK)
        code = wants_all(job) ? put_all(job, range) : put_entries(job);
    if (code == CLI_OK)
        code = db_writer_flush(job->writer);
    if (code == CLI_OK)
        code = commit_output(job);
    return code == CLI_OK && job->n_missing > 0 ? CLI_NO_MATCH : code;
}

/* What no row of the table can say. */
static int check_options(const dbinfo_job *job, db_range *range)
{
    char specifier[3];
    const char *fault = db_format_check(job->format, specifier);

    if (fault != NULL)
        return cli_fail_usage(command, "-outfmt%s%s %s", specifier[0] != '\0' ? ": " : "", specifier, fault);
    if (job->range != NULL && (fault = db_range_parse(job->range, strlen(job->range), range)) != NULL)
        return cli_fail_usage(command, "-range '%s' %s", job->range, fault);
    return CLI_OK;
}

static int run(dbinfo_job *job)
{
    db_range range = {0, 0};
    int is_list = job->entry != NULL || job->entry_batch != NULL, code = check_options(job, &range);

    if (code == CLI_OK && is_list)
        code = read_entries(job, range);
    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    if (code == CLI_OK)
        code = open_database(job);
    if (code != CLI_OK)
        return code;
    return is_list ? print_sequences(job, range) : report(job);
}

int cmd_dbinfo(int argc, char **argv)
{
    dbinfo_job job = {0};
    options_given given;
    int code = refuse(argc, argv);

    if (code != CLI_OK || !cli_options(&dbinfo_options, argc, argv, &job.common, &given, &code))
        return code;
    code = run(&job);
    io_safe_file_abort(job.file);
    db_writer_close(job.writer);
    db_entries_free(&job.entries);
    io_map_watch(NULL, NULL);
    tms_seqdb_destroy(job.db);
    tms_context_destroy(job.ctx);
    return code;
}
