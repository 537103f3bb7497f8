/*
 * cmd_dbinfo.c - shows what is in a BLAST database, or prints its sequences, like blastdbcmd.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/blast_names.h"
#include "cli/cli.h"
#include "cli/db/db_entries.h"
#include "cli/db/db_hint.h"
#include "cli/db/db_list.h"
#include "cli/db/db_report.h"
#include "cli/db/db_taxa.h"
#include "cli/db/entry_printer.h"
#include "io/io_map.h"
#include "io/io_safe_file.h"
#include "makedb/db_sums.h"

static const char command[] = "dbinfo";

enum { GUESS = TMS_PROTEIN + 1 };

typedef struct dbinfo_job {
    cli_common common;
    const char *names;
    int molecule; /* tms_molecule, or GUESS */
    int info, exact, json, check;
    const char *entry, *entry_batch, *range, *out, *format;
    uint64_t line_length;
    int minus, target_only, get_dups, ctrl_a, long_seqids;
    const char *taxids, *taxidlist;
    int tax_info;
    const char *list, *list_format;
    int recursive, only_independent, search_path;

    tms_context *ctx;
    tms_seqdb *db, *part;   /* part: the sequences of the given taxa */
    tms_taxonomy *taxonomy; /* NULL: names of taxa are not needed, or cannot be read */
    db_entries entries;
    io_safe_file *file;
    entry_printer *writer;
    int n_missing;
} dbinfo_job;

#define OF_A_DATABASE                                                                                                                      \
    "info exact_length json check tax_info entry entry_batch taxids taxidlist range strand outfmt line_length target_only get_dups ctrl_a"

static const option_row rows[] = {
    {0, NULL, "NAME", OPTION_PATH(dbinfo_job, names), .blast = "db",
     .excludes = "list recursive remove_redundant_dbs list_outfmt show_blastdb_search_path",
     .help = "the database: a path, or a name in a directory of $BLASTDB; several names in one argument, separated by blanks"},
    {0, NULL, "TYPE", OPTION_CHOICE(dbinfo_job, molecule, "nucl prot guess", TMS_NUCLEOTIDE), .blast = "dbtype", .initial = "guess",
     .help = "nucl, prot, or guess: the protein database if it exists, else the nucleotide database"},

    {.heading = "Summary"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, info), .blast = "info",
     .excludes = "entry entry_batch taxids taxidlist outfmt strand target_only range json tax_info",
     .help = "print the lines of blastdbcmd -info, and no others"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, exact), .blast = "exact_length", .needs = "info",
     .help = "accepted and without effect: lengths are always exact"},
    {0, "json", NULL, OPTION_FLAG(dbinfo_job, json), .excludes = "entry entry_batch taxids taxidlist tax_info",
     .help = "print one JSON object"},
    {0, "check", NULL, OPTION_FLAG(dbinfo_job, check), .excludes = "entry entry_batch taxids taxidlist tax_info",
     .help = "also read all sequences and names, and compare the checksums that tamis makedb wrote; exit status 2 if anything is damaged"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, tax_info), .blast = "tax_info",
     .excludes = "entry entry_batch taxids taxidlist strand target_only get_dups range",
     .help = "print a line for each taxon; -outfmt: %T number, %S scientific name, %L common name, %K kingdom, %B BLAST's name"},

    {.heading = "Sequences"},
    {0, NULL, "IDS", OPTION_PATH(dbinfo_job, entry), .blast = "entry", .excludes = "entry_batch taxids taxidlist",
     .help = "print the sequences with these ids, separated by commas: accessions, gis, gnl|db|tag ...; all: every sequence"},
    {0, NULL, "FILE", OPTION_PATH(dbinfo_job, entry_batch), .blast = "entry_batch", .excludes = "range strand taxids taxidlist",
     .help = "print the sequences that a file lists: in each line an id, optionally followed by a range and a strand; - is standard input"},
    {0, NULL, "TAXA", OPTION_PATH(dbinfo_job, taxids), .blast = "taxids", .excludes = "taxidlist",
     .help = "print the sequences of these taxa: numbers, separated by commas"},
    {0, NULL, "FILE", OPTION_PATH(dbinfo_job, taxidlist), .blast = "taxidlist",
     .help = "print the sequences of the taxa in a file, one number per line; - is standard input"},
    {0, NULL, "A-B", OPTION_PATH(dbinfo_job, range), .blast = "range", .needs = "entry taxids taxidlist",
     .help = "print residues or bases A to B, from 1; A- extends to the end"},
    {0, NULL, "S", OPTION_CHOICE(dbinfo_job, minus, "plus minus", 0), .blast = "strand", .needs = "entry entry_batch taxids taxidlist",
     .initial = "plus", .help = "strand of nucleotides: plus, minus"},
    {0, NULL, "FILE", OPTION_PATH(dbinfo_job, out), .blast = "out", .initial = "-",
     .help = "write to a file, which appears whole or not at all; - is standard output"},
    {0, NULL, "FORMAT", OPTION_PATH(dbinfo_job, format), .blast = "outfmt", .needs = "entry entry_batch taxids taxidlist tax_info",
     .otherwise = "%f",
     .help =
         "%f: FASTA; other formats print a line of\n%s sequence, %a accession, %i id, %g gi, %o ordinal id, %t title, %l length, %h hash, %T taxon, %S %L %K %B its names, %% percent"},
    {0, NULL, "N", OPTION_SIZE(dbinfo_job, line_length, 1, 0), .blast = "line_length", .needs = "entry entry_batch taxids taxidlist",
     .what = "a number of residues or bases", .initial = "80", .help = "residues or bases per line of FASTA"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, ctrl_a), .blast = "ctrl_a", .needs = "entry entry_batch taxids taxidlist",
     .help = "in FASTA, put control-A between merged names"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, long_seqids), .blast = "long_seqids", .excludes = "info",
     .help = "in FASTA, print whole ids, sp|P12345.2|NAME"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, target_only), .blast = "target_only", .needs = "entry entry_batch taxids taxidlist",
     .excludes = "get_dups", .help = "of merged names, print only the requested one"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, get_dups), .blast = "get_dups", .needs = "entry entry_batch taxids taxidlist",
     .help = "print all sequences that have an id, not only the first"},
    CLI_ROW_FORCE("let -out replace any file"),

    {.heading = "Databases of a folder"},
    {0, NULL, "DIR", OPTION_PATH(dbinfo_job, list), .blast = "list", .excludes = "show_blastdb_search_path " OF_A_DATABASE,
     .help = "print the databases of a folder, one per line"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, recursive), .blast = "recursive", .needs = "list",
     .help = "also list the databases of subfolders"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, only_independent), .blast = "remove_redundant_dbs", .needs = "list",
     .help = "leave out databases that an alias file in the folder lists"},
    {0, NULL, "FORMAT", OPTION_PATH(dbinfo_job, list_format), .blast = "list_outfmt", .needs = "list", .initial = "%f %p",
     .help = "%f path, %p molecule, %t title, %d date, %l residues or bases, %n sequences, %U bytes, %v version"},
    {0, NULL, NULL, OPTION_FLAG(dbinfo_job, search_path), .blast = "show_blastdb_search_path", .excludes = OF_A_DATABASE,
     .help = "print the directories in which tamis looks for databases"},

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
    "tamis checks the index of the database before it reads anything else. Long\n"
    "options begin with one dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "If an id is not in the database, tamis reports it and prints the other\n"
    "sequences.\n"
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

/* Refuses options of blastdbcmd that tamis does not have, and names an alternative. */
static int refuse(int argc, char **argv)
{
    static const struct {
        const char *names, *why;
    } refused[] = {
        {" ipg ipg_batch ", "tamis does not read identical protein groups; give -entry"},
        {" mask_sequence_with ", "tamis dbinfo does not read the masks of a database; give its sequences to tamis mask"},
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
                return cli_fail_usage(command, "-%.*s of blastdbcmd is not supported: %s", (int)n, name, refused[j].why);
        }
    }
    return CLI_OK;
}

/* ---- the database ----------------------------------------------------------------------------------------------- */

static const char *path_at(const void *db, const void *address) { return tms_seqdb_path_at(db, address); }

/* The library's message names one molecule, like blastdbcmd's. After a guess, tamis names both. */
static int fail_open(dbinfo_job *job, tms_status status)
{
    const char *message = tms_context_message(job->ctx), *kind = strstr(message, "nucleotide database [");
    int code;

    if (status == TMS_E_ARG && job->molecule == GUESS && kind != NULL && blast_called() == NULL)
        code = cli_fail(command, CLI_USAGE, "%.*sprotein or %s", (int)(kind - message), message, kind);
    else
        code = cli_fail_database(command, job->ctx, status);
    if (status == TMS_E_ARG)
        db_hint_say(command, job->ctx, job->names, job->molecule);
    return code;
}

/* A guess tries proteins, then nucleotides; a failure has the message of the second attempt. */
static int open_database(dbinfo_job *job)
{
    tms_status status = TMS_E_ARG;

    if (job->molecule != TMS_NUCLEOTIDE)
        status = tms_seqdb_open(job->ctx, job->names, TMS_PROTEIN, &job->db);
    if (job->molecule == TMS_NUCLEOTIDE || (job->molecule == GUESS && status == TMS_E_ARG))
        status = tms_seqdb_open(job->ctx, job->names, TMS_NUCLEOTIDE, &job->db);
    if (status != TMS_OK)
        return fail_open(job, status);
    io_map_guard(command, CLI_USAGE);
    io_map_watch(path_at, job->db);
    return CLI_OK;
}

/* Reads all sequences and names, and compares the files with the checksums that tamis makedb wrote. */
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
        db_sums_result result;
        io_error err;
        io_status read = db_sums_check(base, info.molecule, date, &result, &err);
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

static int put_search_path(const dbinfo_job *job, FILE *to)
{
    char text[8192];
    size_t n;
    tms_status status = tms_seqdb_search_path(job->ctx, text, sizeof text, &n);

    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    fprintf(to, "%s\n", text);
    return CLI_OK;
}

static int put_list(const dbinfo_job *job, FILE *to)
{
    const db_list_options how = {.command = command,
                                 .folder = job->list,
                                 .format = job->list_format,
                                 .molecule = job->molecule,
                                 .recursive = job->recursive,
                                 .only_independent = job->only_independent};

    return db_list_put(&how, job->ctx, to);
}

static int put_report(const dbinfo_job *job, const db_checks *checks, FILE *to)
{
    if (job->search_path)
        return put_search_path(job, to);
    if (job->list != NULL)
        return put_list(job, to);
    if (job->tax_info)
        return db_taxa_put(command, job->ctx, job->db, job->taxonomy, job->format, to);
    if (job->json)
        return db_report_json(command, job->db, checks, to);
    db_report_text(job->db, checks, job->info, to);
    return CLI_OK;
}

/* Whether no option requests a summary: blastdbcmd prints none by default. */
static int asks_nothing(const dbinfo_job *job)
{
    return !job->info && !job->tax_info && !job->json && !job->check && job->list == NULL && !job->search_path;
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
    if ((code == CLI_OK || (job->list != NULL && to != NULL)) && (status = io_safe_file_write(job->file, text, n, &err)) != IO_OK)
        code = cli_fail_io(command, status, &err);
    free(text);
    return code == CLI_OK ? commit_output(job) : code;
}

/* ---- sequences -------------------------------------------------------------------------------------------------- */

static int wants_taxa(const dbinfo_job *job) { return job->taxids != NULL || job->taxidlist != NULL; }

static int wants_all(const dbinfo_job *job) { return job->entry != NULL && strcmp(job->entry, "all") == 0; }

static int read_entries(dbinfo_job *job, db_range range)
{
    int code = CLI_OK;

    if (job->entry_batch != NULL)
        code = db_entries_file(command, job->entry_batch, &job->entries);
    else if (job->entry != NULL && !wants_all(job))
        code = db_entries_list(command, job->entry, range, job->minus, &job->entries);
    return code;
}

static int put_all(dbinfo_job *job, const tms_seqdb *db, db_range range)
{
    db_entry entry = {.defline = UINT64_MAX, .range = range, .minus = job->minus};
    tms_seqdb_info info;
    int code = CLI_OK;

    tms_seqdb_get_info(db, &info);
    for (uint64_t i = 0; i < info.n_sequences && code == CLI_OK; i++) {
        entry.number = i;
        code = entry_printer_put(job->writer, &entry);
    }
    return code;
}

/* Explains a missing id: without -parse_seqids the names in headers are not ids. */
static int explain_missing(const dbinfo_job *job)
{
    tms_seqdb_names *names;
    tms_seqdb_info info;
    size_t n;

    tms_seqdb_get_info(job->db, &info);
    if (tms_seqdb_names_create(job->ctx, &names) != TMS_OK)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory for the names of a sequence");
    if (info.n_sequences > 0 && tms_seqdb_names_read(job->db, 0, names, &n) == TMS_OK && n > 0 && !tms_seqdb_names_get(names, 0)->has_id)
        cli_fail(command, CLI_NO_MATCH, "%s",
                 blast_called() != NULL
                     ? "DB contains no accession info."
                     : "the database was made without -parse_seqids: its ids are gnl|BL_ORD_ID|0 and so on. Make it with "
                       "-parse_seqids, or look for names in its titles: -entry all -outfmt '%i %t'");
    tms_seqdb_names_destroy(names);
    return CLI_OK;
}

/* Finds the entries by id or by taxon. Several databases may share an id: like blastdbcmd, an id in the file of -entry_batch selects
 * the first sequence that has it, and an id of -entry all of them. */
static int find_entries(dbinfo_job *job, db_range range)
{
    const char *date;
    int all = job->get_dups || (job->entry != NULL && tms_seqdb_base(job->db, 1, &date) != NULL), code;

    if (!wants_taxa(job))
        return db_entries_find(command, job->ctx, job->db, all, &job->entries);
    code = db_entries_of_taxa(command, job->ctx, job->db, job->taxids, job->taxidlist, &job->part, &job->entries);
    if (code == CLI_NO_MATCH && job->target_only) /* which makes it a failure of blastdbcmd */
        code = CLI_USAGE;
    for (size_t i = 0; i < job->entries.n; i++) {
        job->entries.items[i].range = range;
        job->entries.items[i].minus = job->minus;
    }
    return code;
}

static int put_entries(dbinfo_job *job)
{
    const int skips = job->entry_batch != NULL && blast_called() != NULL; /* blastdbcmd explains no missing id of a file */
    int code = CLI_OK;

    for (size_t i = 0; i < job->entries.n && code == CLI_OK; i++) {
        const db_entry *entry = &job->entries.items[i];
        if (entry->number == UINT64_MAX) {
            cli_fail(command, CLI_NO_MATCH, skips ? "Skipped %s" : "Entry not found: %s", entry->id);
            job->n_missing++;
            continue;
        }
        code = entry_printer_put(job->writer, entry);
    }
    return code == CLI_OK && job->n_missing > 0 && !skips ? explain_missing(job) : code;
}

/* Of taxa, -target_only prints only the names that belong to one of them. */
static int put_sequences(dbinfo_job *job, db_range range)
{
    int is_whole = wants_all(job) || (wants_taxa(job) && job->target_only), code = wants_all(job) ? CLI_OK : find_entries(job, range);
    const tms_seqdb *db = wants_taxa(job) && job->target_only ? job->part : job->db;
    const entry_printer_options how = {.command = command,
                                       .format = job->format,
                                       .taxonomy = job->taxonomy,
                                       .line_length = job->line_length,
                                       .has_ctrl_a = job->ctrl_a,
                                       .has_long_ids = job->long_seqids,
                                       .target_only = job->target_only && !is_whole};

    if (code == CLI_OK)
        code = entry_printer_open(&how, job->ctx, db, job->file, &job->writer);
    if (code == CLI_OK)
        code = is_whole ? put_all(job, db, range) : put_entries(job);
    return code == CLI_OK ? entry_printer_flush(job->writer) : code;
}

static int print_sequences(dbinfo_job *job, db_range range)
{
    int code = open_output(job);

    if (code == CLI_OK)
        code = put_sequences(job, range);
    if (code == CLI_OK)
        code = commit_output(job);
    return code == CLI_OK && job->n_missing > 0 ? CLI_NO_MATCH : code;
}

static int fail_format(const char *option, const char *specifier, const char *fault)
{
    return cli_fail_usage(command, "%s%s%s %s", option, specifier[0] != '\0' ? ": " : "", specifier, fault);
}

/* Checks what the table of options cannot express. */
static int check_options(dbinfo_job *job, db_range *range)
{
    char specifier[3] = "";
    const char *fault = db_list_check(job->list_format, specifier);

    if (fault != NULL)
        return fail_format("-list_outfmt", specifier, fault);
    if (job->names == NULL && job->list == NULL && !job->search_path && blast_called() != NULL)
        job->names = "nr"; /* blastdbcmd's default */
    if (job->names == NULL && job->list == NULL && !job->search_path)
        return cli_fail_usage(command, "which database? Give -db NAME");
    if (job->format == NULL)
        job->format = job->tax_info ? DB_TAXA_FORMAT : "%f";
    fault = job->tax_info ? db_taxa_check(job->format) : db_format_check(job->format, specifier);
    if (fault != NULL)
        return fail_format("-outfmt", specifier, fault);
    if (job->range != NULL && (fault = db_range_parse(job->range, strlen(job->range), range)) != NULL)
        return cli_fail_usage(command, "-range '%s' %s", job->range, fault);
    return CLI_OK;
}

/* Names of taxa that are missing or damaged are not an error. */
static int open_taxonomy(dbinfo_job *job)
{
    tms_status status = job->tax_info || db_format_names_taxa(job->format) ? tms_taxonomy_open(job->ctx, &job->taxonomy) : TMS_OK;

    if (status == TMS_E_FORMAT)
        cli_say(command, "%s", tms_context_message(job->ctx));
    return status == TMS_OK || status == TMS_E_FORMAT ? CLI_OK : cli_fail_library(command, job->ctx, status);
}

static int run(dbinfo_job *job)
{
    db_range range = {0, 0};
    int is_list = job->entry != NULL || job->entry_batch != NULL || wants_taxa(job), code = check_options(job, &range);

    if (code == CLI_OK && is_list)
        code = read_entries(job, range);
    if (code == CLI_OK)
        code = cli_context_create(&job->common, &job->ctx);
    if (code == CLI_OK && job->names != NULL)
        code = open_database(job);
    if (code == CLI_OK)
        code = open_taxonomy(job);
    if (code == CLI_OK && blast_called() != NULL && !is_list && asks_nothing(job))
        code = cli_fail(command, BLAST_INPUT, "Must specify query type: one of 'entry', 'entry_batch', or 'pig'");
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
    entry_printer_close(job.writer);
    db_entries_free(&job.entries);
    io_map_watch(NULL, NULL);
    tms_seqdb_destroy(job.part);
    tms_seqdb_destroy(job.db);
    tms_taxonomy_destroy(job.taxonomy);
    tms_context_destroy(job.ctx);
    return code;
}
