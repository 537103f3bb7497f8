/* blast_identity.c - see blast_identity.h. */
#include "cli/blast/blast_identity.h"

#include <stdio.h>
#include <string.h>

#include "archive/archive_fingerprint.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_rows.h"
#include "cli/shards.h"

int blast_parse_shard(const char *command, const char *option, const char *text, uint64_t *shard, uint64_t *n)
{
    if (shards_parse(text, shard, n))
        return CLI_OK;
    return cli_fail(command, BLAST_INPUT, "%s takes K/N, such as 3/16: K is 1 to N, and N at most a million, not '%s'", option, text);
}

/* --- the manifest --- */

static const char option_key[] = "option";

/* What parts of one search have in common, but for the options, and what to call it; and what tells a cell from others. */
struct identity_key {
    const char *key, *name;
    bool is_of_cell;
};

static const struct identity_key program_key = {"program", "the program", false};

static const struct identity_key keys[] = {
    {"tamis", "tamis", false},
    {"batch-residues", "BATCH_SIZE", false},
    {"chunk-size", "CHUNK_SIZE", false},
    {"targets", "the number of subjects that are kept", false},
    {"query-bytes", "the query file's size", false},
    {"query-hash", "the query file's content", false},
    {"database-sequences", "the database's number of sequences", false},
    {"database-residues", "the database's number of residues", false},
    {"database-hash", "the database's content", false},
    {"shards", "the number of shards", false},
    {"query-shards", "the number of query shards", false},
    {"shard", "shard", true},
    {"query-shard", "query shard", true},
    {"first-record", "the first record", true},
    {"records", "the number of records", true},
};

/* The options that change what the search finds, in the order of the table. */
static io_status add_options(const options_given *given, struct archive_manifest *out, io_error *err)
{
    enum { MOST = 4096 };
    char text[MOST];
    io_status status = IO_OK;

    for (size_t i = 0; i < given->table->n_rows && status == IO_OK; i++) {
        const option_row *row = &given->table->rows[i];
        if (!given->is_given[i] || row->about != 0)
            continue;
        if (!options_text(given, i, text, sizeof text))
            return io_fail(err, IO_E_REFUSED, 0, "an option has more than %d characters", MOST - 1);
        if (row->initial == NULL || given->values[i] == NULL || strcmp(row->initial, given->values[i]) != 0)
            status = archive_manifest_add(out, option_key, text, err);
    }
    return status;
}

static io_status add_hash(struct archive_manifest *out, const char *key, uint64_t hash, io_error *err)
{
    char text[24];

    snprintf(text, sizeof text, "%016llx", (unsigned long long)hash);
    return archive_manifest_add(out, key, text, err);
}

static io_status add_inputs(const blast_job *job, struct archive_manifest *out, io_error *err)
{
    const blast_shared_options *options = &job->options;
    uint64_t size, hash;
    tms_seqdb_info info;
    io_status status = archive_hash_file(options->query, &size, &hash, err);

    tms_seqdb_get_info(job->run.db, &info);
    if (status == IO_OK)
        status = archive_manifest_add(out, "query", options->query, err);
    if (status == IO_OK)
        status = archive_manifest_add_number(out, "query-bytes", size, err);
    if (status == IO_OK)
        status = add_hash(out, "query-hash", hash, err);
    if (status == IO_OK && options->db_name != NULL)
        status = archive_manifest_add(out, "db", options->db_name, err);
    if (status == IO_OK && options->subject != NULL)
        status = archive_manifest_add(out, "subject", options->subject, err);
    if (status == IO_OK)
        status = archive_manifest_add_number(out, "database-sequences", info.n_sequences, err);
    if (status == IO_OK)
        status = archive_manifest_add_number(out, "database-residues", info.n_residues, err);
    if (status == IO_OK)
        status = add_hash(out, "database-hash",
                          archive_hash_database(job->run.db, options->subject != NULL ? "" : info.title, job->run.masks), err);
    return status;
}

io_status blast_identity(const blast_job *job, const struct blast_grid *grid, tms_interval records, struct archive_manifest *out,
                         io_error *err)
{
    const struct {
        const char *key;
        uint64_t value;
    } numbers[] = {{"batch-residues", job->plan.sets_batches && !job->plan.has_batch_size ? 0 : job->plan.unit_residues},
                   {"targets", job->plan.max_target_seqs},
                   {"shards", grid->n_shards},
                   {"query-shards", grid->n_query_shards},
                   {"shard", grid->shard + 1},
                   {"query-shard", grid->query_shard + 1},
                   {"first-record", records.start},
                   {"records", records.end - records.start}};
    io_status status = archive_manifest_add(out, "tamis", tms_version(), err);

    if (status == IO_OK)
        status = archive_manifest_add(out, program_key.key, job->common.command, err);
    if (status == IO_OK)
        status = add_options(&job->given, out, err);
    if (status == IO_OK)
        status = add_inputs(job, out, err);
    if (status == IO_OK && job->plan.chunk_size > 0)
        status = archive_manifest_add_number(out, "chunk-size", job->plan.chunk_size, err);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers && status == IO_OK; i++)
        status = archive_manifest_add_number(out, numbers[i].key, numbers[i].value, err);
    return status;
}

/* --- comparing --- */

static bool same(const char *a, const char *b) { return a != NULL && b != NULL ? strcmp(a, b) == 0 : a == b; }

/* The first option of a that b does not have. */
static const char *option_of_one(const struct archive_manifest *a, const struct archive_manifest *b)
{
    const char *option, *other;

    for (size_t i = 0; (option = archive_manifest_get(a, option_key, i)) != NULL; i++) {
        bool is_there = false;
        for (size_t k = 0; !is_there && (other = archive_manifest_get(b, option_key, k)) != NULL; k++)
            is_there = strcmp(option, other) == 0;
        if (!is_there)
            return option;
    }
    return NULL;
}

static bool value_differs(const struct archive_manifest *a, const struct archive_manifest *b, const struct identity_key *key, char out[256])
{
    const char *mine = archive_manifest_get(a, key->key, 0), *other = archive_manifest_get(b, key->key, 0);

    if (same(mine, other))
        return false;
    snprintf(out, 256, "%s: %.80s and %.80s", key->name, mine != NULL ? mine : "none", other != NULL ? other : "none");
    return true;
}

bool blast_identity_differs(const struct archive_manifest *a, const struct archive_manifest *b, bool with_cell, char out[256])
{
    const char *mine = option_of_one(a, b), *other = option_of_one(b, a);

    if (value_differs(a, b, &program_key, out))
        return true;
    if (mine != NULL || other != NULL) {
        snprintf(out, 256, "%.100s and %.100s", mine != NULL ? mine : "without it", other != NULL ? other : "without it");
        return true;
    }
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if ((!keys[i].is_of_cell || with_cell) && value_differs(a, b, &keys[i], out))
            return true;
    }
    return false;
}
