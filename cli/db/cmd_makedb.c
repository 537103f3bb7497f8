/*
 * cmd_makedb.c - makes a BLAST database from FASTA or from another database, with makeblastdb's options, messages and exit codes.
 */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli/blast_names.h"
#include "cli/cli.h"
#include "cli/db/makedb_masks.h"
#include "cli/db/makedb_source.h"
#include "io/io_safe_file.h"
#include "makedb/lmdb_file.h"
#include "makedb/makedb.h"

static const char command[] = "makedb";

/* Exit codes are those of BLAST+. */
enum { MAKEDB_FAILED = 1, MAKEDB_NO_DATABASE = BLAST_DATABASE, MAKEDB_NO_MEMORY = 4, MAKEDB_NO_OUTPUT = 6 };

enum { INPUT_FASTA, INPUT_DATABASE, INPUT_ASN_BINARY, INPUT_ASN_TEXT }; /* in the order of the words of -input_type */

#define MAX_FILE_SIZE  ((uint64_t)UINT32_MAX) /* offsets have 32 bits */
#define MAX_INPUTS     65536
#define DEFAULT_VOLUME "1GB"

typedef struct makedb_job {
    cli_common common;
    const char *in, *title, *out, *max_file_size, *log_name;
    const char *mask_data, *mask_id, *mask_desc, *gi_mask_name, *taxid_map;
    int input_type, hash_index, gi_mask, parse_seqids;
    tms_molecule molecule;
    int version;
    size_t taxid;

    char *words;         /* a copy of `in`, split into names */
    const char **inputs; /* names of files or databases; point into words */
    size_t n_inputs;
    makedb_masks masks;
    makedb_source source;
    FILE *log; /* standard output, or -logfile */
    makedb_params how;
} makedb_job;

static const option_row rows[] = {
    {0, NULL, "FILES", OPTION_PATH(makedb_job, in), .blast = "in", .initial = "-",
     .help = "FASTA, plain or compressed, or databases; several names in one argument, separated by blanks; - is standard input"},
    {0, NULL, "TYPE", OPTION_CHOICE(makedb_job, molecule, "nucl prot", TMS_NUCLEOTIDE), .blast = "dbtype", .ask = "nucl or prot?",
     .help = "nucl or prot"},
    {0, NULL, "WHAT", OPTION_CHOICE(makedb_job, input_type, "fasta blastdb asn1_bin asn1_txt", INPUT_FASTA), .blast = "input_type",
     .initial = "fasta", .help = "fasta, or blastdb: a database of version 4 or 5, copied with its ids, taxonomy ids and masks"},

    {.heading = "The database"},
    {0, NULL, "BASE", OPTION_PATH(makedb_job, out), .blast = "out", .otherwise = "the name of the input",
     .help = "path of the database, without an extension; missing directories are created"},
    {0, NULL, "TEXT", OPTION_PATH(makedb_job, title), .blast = "title", .otherwise = "the name of the input", .help = "its title"},
    {0, NULL, NULL, OPTION_FLAG(makedb_job, parse_seqids), .blast = "parse_seqids",
     .help = "parse the first word of a header as an id (sp|P12345|NAME, NP_000001.1, ...) by which blastdbcmd finds the sequence"},
    {0, NULL, "V", OPTION_SIZE(makedb_job, version, 4, 5), .blast = "blastdb_version", .otherwise = "5; in a build without LMDB 4",
     .help = "version of the files, 4 or 5; a search with -taxids needs 5"},
    {0, NULL, "SIZE", OPTION_PATH(makedb_job, max_file_size), .blast = "max_file_sz", .initial = DEFAULT_VOLUME,
     .help = "begin a new volume before a file reaches this size; less than 4GiB"},
    {0, NULL, "N", OPTION_SIZE(makedb_job, taxid, 0, INT32_MAX), .blast = "taxid", .initial = "0", .excludes = "taxid_map",
     .help = "taxonomy id of all sequences"},
    {0, NULL, "FILE", OPTION_PATH(makedb_job, taxid_map), .blast = "taxid_map", .needs = "parse_seqids",
     .help = "taxonomy ids of sequences: lines of an id, a blank and a number"},
    {0, NULL, NULL, OPTION_FLAG(makedb_job, hash_index), .blast = "hash_index",
     .help = "also write an index of the sequences' hash values"},

    {.heading = "Masks"},
    {0, NULL, "FILES", OPTION_PATH(makedb_job, mask_data), .blast = "mask_data",
     .help = "masks of the same sequences: files, separated by commas, that tamis mask, segmasker or dustmasker wrote with -outfmt "
             "maskinfo_asn1_text or maskinfo_asn1_bin"},
    {0, NULL, "NAMES", OPTION_PATH(makedb_job, mask_id), .blast = "mask_id", .needs = "mask_data", .excludes = "gi_mask",
     .help = "names by which a search selects these masks, separated by commas"},
    {0, NULL, "TEXTS", OPTION_PATH(makedb_job, mask_desc), .blast = "mask_desc", .needs = "mask_id",
     .help = "descriptions of these masks for blastdbcmd -info, separated by commas"},

    {.heading = "Running"},
    {0, NULL, "FILE", OPTION_PATH(makedb_job, log_name), .blast = "logfile",
     .help = "append the log and warnings to the file instead of printing them; errors go to the file and to standard error"},
    CLI_ROW_HELP,

    {.heading = "Options of makeblastdb that are refused"},
    {0, NULL, NULL, OPTION_FLAG(makedb_job, gi_mask), .blast = "gi_mask", .help = "masks by GI"},
    {0, NULL, "NAMES", OPTION_PATH(makedb_job, gi_mask_name), .blast = "gi_mask_name", .help = "masks by GI"},
};

const option_table makedb_options = {
    command,
    "Usage: tamis makedb -in FILES -dbtype nucl|prot [OPTION]...\n"
    "\n"
    "Makes a BLAST database from FASTA files or from another database, as makeblastdb\n"
    "does: blastp, blastn, blastdbcmd and tamis read it. Files may be compressed\n"
    "(gzip, bgzip, zstd, xz, bzip2). The database appears whole or not at all; an old\n"
    "one of the same name stays until the new one is complete. Options begin with one\n"
    "dash or two.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status, as makeblastdb's: 0 success; 1 wrong usage or bad input; 2 the\n"
    "input database is missing or damaged; 4 out of memory; 6 the database could\n"
    "not be written.\n"
    "\n"
    "Examples\n"
    "  tamis makedb -in uniprot.fa.gz -dbtype prot -out db/uniprot\n"
    "  tamis makedb -in \"a.fa b.fa.zst\" -dbtype nucl -out db/ab -title \"a and b\"\n"
    "  zcat *.fa.gz | tamis makedb -dbtype nucl -out db/all -title all\n",
    .no_operands = "files are named with -in; several in quotes: -in \"a.fa b.fa\"",
};

/* ---- messages ----------------------------------------------------------------------------------------------- */

static void say(makedb_job *job, FILE *to, const char *line)
{
    fflush(job->log);
    fprintf(to, "%s\n", line);
}

static void log_line(void *arg, const char *line)
{
    makedb_job *job = arg;

    say(job, job->log, line);
}

/* Warnings go to the file of -logfile, or to standard error if there is none. */
static void warn_line(void *arg, const char *line)
{
    makedb_job *job = arg;

    say(job, job->log == stdout ? stderr : job->log, line);
}

/* Prints an error. A message of makeblastdb begins with its class, as in "BLAST options error"; others begin with the command's name. */
static int fail(makedb_job *job, int code, const char *text)
{
    char line[2048], begin[64] = "tamis makedb: ";

    if (blast_called() != NULL)
        blast_message_begins(blast_called(), BLAST_INPUT, begin, sizeof begin);
    snprintf(line, sizeof line, "%s%s", strncmp(text, "BLAST ", 6) == 0 ? "" : begin, text);
    if (job->log != NULL && job->log != stdout)
        fprintf(job->log, "%s\n", line);
    if (job->log == stdout)
        fflush(stdout);
    fprintf(stderr, "%s\n", line);
    return code;
}

static int fail_database(makedb_job *job, const char *why)
{
    char text[1200];

    snprintf(text, sizeof text, "BLAST Database error: %s", why);
    return fail(job, MAKEDB_NO_DATABASE, text);
}

static int fail_io(makedb_job *job, io_status status, const io_error *err)
{
    if (status == IO_E_DATABASE)
        return fail_database(job, err->text);
    return fail(job, status == IO_E_MEMORY ? MAKEDB_NO_MEMORY : status == IO_E_OUTPUT ? MAKEDB_NO_OUTPUT : MAKEDB_FAILED, err->text);
}

static const char same_name[] =
    "BLAST options error: Cannot create a BLAST database from an existing one without changing the output name, "
    "please provide a (different) database name using -out";
static const char no_title[] = "BLAST options error: Please provide a title using -title";

/* ---- options ------------------------------------------------------------------------------------------------ */

/* Refuses options of makeblastdb that tamis does not support, and names an alternative. */
static int check_refused(makedb_job *job)
{
    if (job->gi_mask || job->gi_mask_name != NULL)
        return fail(
            job, MAKEDB_FAILED,
            "-gi_mask, -gi_mask_name: masks by GI are not supported; leave these options out: -mask_data finds a sequence by any of its ids");
    if (job->version == 5 && !lmdb_file_is_there())
        return fail(
            job, MAKEDB_FAILED,
            "-blastdb_version 5: tamis was built without LMDB (Debian: liblmdb-dev); -blastdb_version 4 works, and BLAST programs read it");
    if (job->version == 0)
        job->version = lmdb_file_is_there() ? 5 : 4;
    if (job->input_type == INPUT_ASN_BINARY || job->input_type == INPUT_ASN_TEXT)
        return fail(job, MAKEDB_FAILED, "-input_type asn1_bin, asn1_txt: tamis does not read sequences in ASN.1; give them as FASTA");
    return CLI_OK;
}

/* "1GB", "1.5MiB", "1000000". 0: no size. */
static uint64_t parse_size(const char *text)
{
    static const char letters[] = "KMGT";
    char *end;
    double size, unit = 1;
    const char *letter;

    if (!isdigit((unsigned char)text[0]) || strspn(text, "0123456789.KMGTkmgtiBb") < strlen(text))
        return 0;
    size = strtod(text, &end);
    letter = *end != '\0' ? strchr(letters, toupper((unsigned char)*end)) : NULL;
    if (letter != NULL) {
        int is_binary = end[1] == 'i';
        for (const char *l = letters; l <= letter; l++)
            unit *= is_binary ? 1024 : 1000;
        end += 1 + is_binary;
    }
    if (*end == 'B' || *end == 'b')
        end++;
    return *end == '\0' && size * unit < 1e18 ? (uint64_t)(size * unit) : 0;
}

/* Splits -in at blanks into names; a name with blanks is in double quotes. */
static int cut_inputs(makedb_job *job)
{
    char *at;

    job->words = strdup(job->in);
    job->inputs = job->words != NULL ? malloc((strlen(job->in) / 2 + 1) * sizeof *job->inputs) : NULL;
    if (job->inputs == NULL)
        return fail(job, MAKEDB_NO_MEMORY, "out of memory");
    for (at = job->words; *(at += strspn(at, " \t")) != '\0';) {
        char end = *at == '"' ? '"' : ' ';
        char *word = at += end == '"';
        at += strcspn(at, end == '"' ? "\"" : " \t");
        if (*at != '\0')
            *at++ = '\0';
        if (*word != '\0')
            job->inputs[job->n_inputs++] = word;
    }
    if (job->n_inputs == 0)
        job->inputs[job->n_inputs++] = "-";
    return CLI_OK;
}

/* Like makeblastdb, warns of each name that is not a database. */
static int fail_source(makedb_job *job, const char *why, int is_begun)
{
    char reason[1024], text[PATH_MAX + 64];

    snprintf(reason, sizeof reason, "%s", why); /* makedb_source_has() overwrites the context's message */
    for (size_t i = 0; is_begun && i < job->n_inputs; i++) {
        if (makedb_source_has(&job->source, job->inputs[i], job->molecule))
            continue;
        snprintf(text, sizeof text, "Error: [makeblastdb] Unable to open input %s as BLAST db", job->inputs[i]);
        warn_line(job, text);
    }
    return fail_database(job, reason);
}

/* is_begun: the first lines of the log are written. */
static int open_source(makedb_job *job, int is_begun)
{
    const char *why;
    int code = makedb_source_open(&job->source, &job->common, job->in, job->molecule, &why);

    if (code != CLI_OK)
        return why != NULL ? fail_source(job, why, is_begun) : code;
    return makedb_source_is(&job->source, job->out, job->molecule) ? fail(job, MAKEDB_FAILED, same_name) : CLI_OK;
}

/* The name of a copy has to be new; the default title is that of the input. */
static int name_copy(makedb_job *job)
{
    tms_seqdb_info info;
    int code;

    if (job->out == NULL || strcmp(job->out, job->in) == 0)
        return fail(job, MAKEDB_FAILED, same_name);
    if (job->title != NULL)
        return CLI_OK;
    if (job->n_inputs > 1)
        return fail(job, MAKEDB_FAILED, no_title);
    code = open_source(job, 0);
    if (code != CLI_OK)
        return code;
    tms_seqdb_get_info(job->source.db, &info);
    job->title = info.title;
    return CLI_OK;
}

static int name_new(makedb_job *job)
{
    const int is_stdin = strcmp(job->inputs[0], "-") == 0;

    if (job->out == NULL && (is_stdin || job->n_inputs > 1))
        return fail(job, MAKEDB_FAILED, "BLAST options error: Please provide a database name using -out");
    if (job->title == NULL && is_stdin && job->n_inputs == 1)
        return fail(job, MAKEDB_FAILED, no_title);
    if (job->out == NULL)
        job->out = job->inputs[0];
    if (job->title == NULL)
        job->title = job->in;
    return CLI_OK;
}

static int check_options(makedb_job *job)
{
    int code = check_refused(job);

    if (code == CLI_OK)
        code = job->input_type == INPUT_DATABASE ? name_copy(job) : name_new(job);
    if (code != CLI_OK)
        return code;
    if (job->out[0] == '\0' || job->out[strlen(job->out) - 1] == '/')
        return fail(job, MAKEDB_FAILED, "-out: a database needs a name, as in -out db/name");
    if (strpbrk(job->out, "\n\r\"") != NULL)
        return fail(job, MAKEDB_FAILED,
                    "-out: the name must not contain double quotes or line ends, which -db and alias files cannot express");
    if (strpbrk(job->title, "\n\r") != NULL)
        return fail(job, MAKEDB_FAILED, "-title: the title must be one line, because an alias file has one line for it");
    job->how.db.max_file_size = parse_size(job->max_file_size);
    if (job->how.db.max_file_size == 0)
        return fail(job, MAKEDB_FAILED, "-max_file_sz: not a size such as 1GB, 500MB or 100MiB");
    if (job->how.db.max_file_size > MAX_FILE_SIZE)
        return fail(job, MAKEDB_FAILED, "BLAST options error: max_file_sz must be < 4 GiB");
    return CLI_OK;
}

/* ---- the log ------------------------------------------------------------------------------------------------- */

/* The absolute path, without symbolic links if its directory exists. */
static const char *full_path(const char *path, char full[PATH_MAX * 2])
{
    const char *slash = strrchr(path, '/');
    char directory[PATH_MAX], real[PATH_MAX];
    size_t n = slash != NULL ? (size_t)(slash - path) + 1 : 0;

    if (n >= sizeof directory)
        return path;
    memcpy(directory, path, n);
    directory[n] = '\0';
    if (realpath(n > 0 ? directory : ".", real) != NULL)
        snprintf(full, PATH_MAX * 2, "%s/%s", strcmp(real, "/") == 0 ? "" : real, path + n);
    else if (path[0] != '/' && getcwd(real, sizeof real) != NULL)
        snprintf(full, PATH_MAX * 2, "%s/%s", real, path);
    else
        return path;
    return full;
}

static void print_start(makedb_job *job)
{
    enum { LEAST_SHOWN_SIZE = 10 << 10 }; /* below this makeblastdb prints 0B [sic] */
    char when[64] = "", full[PATH_MAX * 2];
    time_t now = time(NULL);
    struct tm t;

    if (localtime_r(&now, &t) != NULL)
        strftime(when, sizeof when, "%m/%d/%Y %H:%M:%S", &t);
    fprintf(job->log, "\n\nBuilding a new DB, current time: %s\nNew DB name:   %s\nNew DB title:  %s\nSequence type: %s\n", when,
            full_path(job->out, full), job->title, job->molecule == TMS_PROTEIN ? "Protein" : "Nucleotide");
    fprintf(job->log, "Keep MBits: T\nMaximum file size: %lluB\n",
            (unsigned long long)(job->how.db.max_file_size < LEAST_SHOWN_SIZE ? 0 : job->how.db.max_file_size));
}

/* Prints that the old database was deleted, after its removal. */
static void print_end(makedb_job *job, int replaced)
{
    char full[PATH_MAX * 2];

    if (replaced)
        fprintf(job->log, "Deleted existing %s BLAST database named %s\n", job->molecule == TMS_PROTEIN ? "Protein" : "Nucleotide",
                full_path(job->out, full));
    fputs("\n\n", job->log);
}

static int open_log(makedb_job *job)
{
    char text[PATH_MAX + 128];
    io_error err;

    if (job->log_name == NULL || strcmp(job->log_name, "-") == 0)
        return CLI_OK;
    if (io_check_log(job->log_name, job->inputs, job->n_inputs, &err) != IO_OK) {
        cli_say(command, "%s", err.text);
        return MAKEDB_FAILED;
    }
    for (size_t i = 0; job->input_type == INPUT_DATABASE && i < job->n_inputs; i++) {
        if (makedb_source_is_file(job->inputs[i], job->log_name, job->molecule)) {
            cli_say(command, "%s: the log would be written into the input %s", job->log_name, job->inputs[i]);
            return MAKEDB_FAILED;
        }
    }
    job->log = fopen(job->log_name, "a");
    if (job->log != NULL)
        return CLI_OK;
    snprintf(text, sizeof text, "Command line argument error: Argument \"logfile\". File is not accessible:  `%s'", job->log_name);
    fprintf(stderr, "%s\n", text);
    return MAKEDB_FAILED;
}

/* A log that cannot be written is an error. */
static int close_log(makedb_job *job, int code)
{
    int code_of_stdout;

    if (job->log == stdout) {
        code_of_stdout = cli_end_stdout(command, CLI_OK);
        return code == CLI_OK ? code_of_stdout : code;
    }
    if (job->log != NULL && (fflush(job->log) != 0 || ferror(job->log))) {
        cli_say(command, "%s: cannot be written: %s", job->log_name, strerror(errno));
        code = code == CLI_OK ? MAKEDB_NO_OUTPUT : code;
    }
    if (job->log != NULL)
        fclose(job->log);
    return code;
}

/* Warns of taxonomy ids or masks of which none matched a sequence. */
static void say_unmatched(makedb_job *job, const makedb_result *result)
{
    if (job->taxid_map != NULL && !result->has_taxids)
        warn_line(job, "Error: [makeblastdb] No sequences matched any of the taxids provided.");
    if (job->masks.n > 0 && !result->has_masks)
        warn_line(job, "Error: [makeblastdb] No sequences matched any of the masks provided.\n"
                       "Please ensure that the -parse_seqids option is used in the\nfiltering program as well as makeblastdb.");
}

static int take_masks(makedb_job *job)
{
    const char *why = job->mask_data != NULL ? makedb_masks_take(job->mask_data, job->mask_id, job->mask_desc, &job->masks) : NULL;

    if (why != NULL)
        return *why == '\0' ? fail(job, MAKEDB_NO_MEMORY, "out of memory") : fail(job, MAKEDB_FAILED, why);
    job->how.masks = job->masks.sources;
    job->how.n_masks = job->masks.n;
    return CLI_OK;
}

static int make(makedb_job *job)
{
    makedb_result result;
    io_error err;
    io_status status;

    job->how.db.base = job->out;
    job->how.db.title = job->title;
    job->how.db.molecule = job->molecule;
    job->how.db.version = job->version;
    job->how.db.parse_ids = job->parse_seqids;
    job->how.db.index_hashes = job->hash_index;
    job->how.db.inputs = job->inputs;
    job->how.db.n_inputs = job->n_inputs;
    job->how.db.taxid = (int64_t)job->taxid;
    job->how.taxid_map = job->taxid_map;
    job->how.log = log_line;
    job->how.warn = warn_line;
    job->how.say_arg = job;
    print_start(job);
    if (job->input_type == INPUT_DATABASE && job->source.db == NULL) {
        int code = open_source(job, 1);
        if (code != CLI_OK)
            return code;
    }
    job->how.database = job->source.db;
    job->how.ctx = job->source.ctx;
    if (job->input_type == INPUT_FASTA)
        cli_note_terminal(&job->common, job->inputs, job->n_inputs);
    status = makedb_run(&job->how, &result, &err);
    if (status == IO_OK) {
        print_end(job, result.replaced);
        say_unmatched(job, &result);
        return CLI_OK;
    }
    /* makeblastdb prints no empty lines after an options error. */
    if (job->input_type == INPUT_FASTA && strncmp(err.text, "BLAST options error", 19) != 0)
        fputs("\n\n", job->log);
    return fail_io(job, status, &err);
}

int cmd_makedb(int argc, char **argv)
{
    makedb_job job;
    options_given given;
    int code;

    memset(&job, 0, sizeof job);
    job.log = stdout;
    if (!cli_options(&makedb_options, argc, argv, &job.common, &given, &code))
        return code == CLI_USAGE ? MAKEDB_FAILED : code;
    code = cut_inputs(&job);
    if (code == CLI_OK)
        code = open_log(&job);
    if (code == CLI_OK)
        code = check_options(&job);
    if (code == CLI_OK)
        code = take_masks(&job);
    if (code == CLI_OK)
        code = make(&job);
    makedb_masks_free(&job.masks);
    makedb_source_close(&job.source);
    code = close_log(&job, code);
    free(job.words);
    free(job.inputs);
    return code;
}
