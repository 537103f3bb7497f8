/* blast_cell.c - see blast_cell.h. */
#include "cli/blast/blast_cell.h"

#include <stdlib.h>
#include <string.h>

#include "archive/archive_format.h"
#include "archive/archive_reader.h"
#include "archive/archive_writer.h"
#include "base/array.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_identity.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_parts.h"
#include "cli/blast/blast_queries.h"
#include "cli/blast/blast_rows.h"

/* ---- which cell --------------------------------------------------------------------------------------------------------------- */

int blast_plan_cell(blast_job *job, const options_given *given)
{
    const blast_shared_options *o = &job->options;
    struct blast_grid *grid = &job->plan.grid;
    char spelling[OPTIONS_SPELLING];
    int code = CLI_OK;

    *grid = job->parts != NULL ? blast_parts_chosen(job->parts) : (struct blast_grid){0, 1, 0, 1};
    if (o->shard != NULL)
        code = blast_parse_shard(job->common.command, "--shard", o->shard, &grid->shard, &grid->n_shards);
    if (code == CLI_OK && o->query_shard != NULL)
        code = blast_parse_shard(job->common.command, "--query-shard", o->query_shard, &grid->query_shard, &grid->n_query_shards);
    if (code != CLI_OK || !blast_is_cell(job))
        return code;
    job->plan.part_path = o->archive != NULL ? o->archive : o->out;
    if (strcmp(job->plan.part_path, "-") == 0)
        return cli_fail(job->common.command, BLAST_INPUT, "a part is a file, which appears when it is whole: give -out FILE");
    if (o->archive != NULL && options_is_given(given, "out"))
        return cli_fail(job->common.command, BLAST_INPUT, "--archive writes no report: leave out -out, and format with 'tamis report %s'",
                        o->archive);
    if (o->resume)
        return cli_fail(job->common.command, BLAST_INPUT, "a part cannot be resumed: it is made whole, or again");
    if (strcmp(o->query, "-") == 0)
        return cli_fail(job->common.command, BLAST_INPUT, "a part needs a file of queries, which the report reads again: give -query FILE");
    if (o->archive != NULL && options_about(given, BLAST_ABOUT_FORMAT, spelling) != NULL && !job->common.quiet)
        cli_say(job->common.command, "%s has no effect here: give it to tamis report", spelling);
    return CLI_OK;
}

bool blast_is_cell(const blast_job *job)
{
    return job->parts == NULL && (job->options.shard != NULL || job->options.query_shard != NULL || job->options.archive != NULL);
}

/* ---- queries ------------------------------------------------------------------------------------------------------------------ */

/* Adds the batches of a call, as the search divides it. */
static bool add_batches(const blast_job *job, const tms_seqs *seqs, struct cell_batches *b)
{
    uint64_t residues = 0; /* of the batch */

    for (size_t i = 0; i < seqs->n_records; i++) {
        if (i == 0 || residues >= job->plan.batch_residues) {
            if (!array_reserve(&b->firsts, &b->capacity, b->n + 1, sizeof *b->firsts))
                return false;
            b->firsts[b->n++] = seqs->first_record + i;
            residues = 0;
        }
        residues += tms_seqs_length(seqs, i);
    }
    b->end = seqs->first_record + seqs->n_records;
    return true;
}

int blast_cut_queries(blast_job *job, tms_molecule molecule)
{
    const struct blast_grid *grid = &job->plan.grid;
    struct cell_batches b = {0};
    tms_seqs seqs;
    io_error err;
    io_status status;

    job->run.records = (tms_interval){0, UINT64_MAX};
    if (grid->n_query_shards == 1)
        return CLI_OK;
    status = blast_open_queries(job, molecule, &err);
    while (status == IO_OK && (status = seqio_blast_records_next(job->run.queries, &seqs, &err)) == IO_OK)
        if (!add_batches(job, &seqs, &b))
            status = io_fail_memory(&err, "query batches");
    seqio_blast_records_close(job->run.queries);
    job->run.queries = NULL;
    if (status == IO_END) {
        const size_t first = (size_t)((unsigned __int128)b.n * grid->query_shard / grid->n_query_shards),
                     end = (size_t)((unsigned __int128)b.n * (grid->query_shard + 1) / grid->n_query_shards);
        job->run.records.start = first < b.n ? b.firsts[first] : b.end;
        job->run.records.end = end < b.n ? b.firsts[end] : b.end;
    }
    free(b.firsts);
    return status == IO_END ? CLI_OK : blast_fail_io(job, status, &err);
}

/* ---- the part ----------------------------------------------------------------------------------------------------------------- */

/* Looks at the file that has the part's name. A damaged one is made again. */
static int look_at_old(blast_job *job, const struct archive_manifest *mine, int *is_done)
{
    const char *path = job->plan.part_path;
    struct archive_reader *old;
    char what[256];
    io_error err;
    int code = CLI_OK;

    *is_done = 0;
    if (job->options.restart || archive_reader_open(path, &old, &err) != IO_OK)
        return CLI_OK;
    if (blast_identity_differs(archive_reader_manifest(old), mine, true, what))
        code = cli_fail(job->common.command, BLAST_INPUT, "%s is a part of another search (%s): remove it, or give --restart", path, what);
    else
        *is_done = archive_reader_check(old, &err) == IO_OK;
    archive_reader_close(old);
    return code;
}

/* The lowest version that can say what the search finds. */
static uint32_t archive_version(const blast_job *job, tms_molecule query_molecule)
{
    if (job->plan.keeps_chains)
        return ARCHIVE_VERSION_OF_CHAINS;
    return query_molecule == TMS_NUCLEOTIDE || job->molecule == TMS_NUCLEOTIDE ? ARCHIVE_VERSION_OF_STRANDS : ARCHIVE_VERSION;
}

int blast_open_cell(blast_job *job, tms_molecule query_molecule, int *is_done)
{
    const char *const list = blast_lists_path(&job->options.lists);
    const char *const inputs[] = {job->options.query, job->options.subject != NULL ? job->options.subject : list};
    const io_output output = {.path = job->plan.part_path,
                              .inputs = inputs,
                              .n_inputs = inputs[1] != NULL ? 2 : 1,
                              .is_kind = archive_is,
                              .kind = "a part",
                              .lacks_force = 1};
    struct archive_manifest manifest = {0};
    struct archive_writer *archive = NULL;
    io_error err;
    io_status status = blast_identity(job, &job->plan.grid, job->run.records, &manifest, &err);
    int code = CLI_OK;

    if (status == IO_OK)
        code = look_at_old(job, &manifest, is_done);
    if (status == IO_OK && code == CLI_OK && !*is_done)
        status = archive_writer_open(&output, &manifest, archive_version(job, query_molecule), &archive, &err);
    if (archive != NULL)
        status = cell_writer_open(archive, &job->run.cell, &err);
    archive_manifest_free(&manifest);
    return status == IO_OK ? code : blast_fail_io(job, status, &err);
}

int blast_check_parts(blast_job *job)
{
    const struct blast_grid grid = blast_parts_grid(job->parts);
    struct archive_manifest mine = {0};
    char what[256];
    io_error err;
    io_status status = blast_identity(job, &grid, (tms_interval){0, 0}, &mine, &err);
    int code = CLI_OK;

    if (status == IO_OK && blast_identity_differs(blast_parts_manifest(job->parts), &mine, false, what))
        code = cli_fail(job->common.command, BLAST_INPUT, "the parts are of another search than the report would be of (%s)", what);
    archive_manifest_free(&mine);
    return status == IO_OK ? code : blast_fail_io(job, status, &err);
}

io_status blast_take_cell(blast_job *job, const tms_seqs *seqs, tms_search_found *found, io_error *err)
{
    struct cell_batches batches = {0};
    const bool is_added = add_batches(job, seqs, &batches);

    cell_writer_take(job->run.cell, found, &batches);
    return is_added ? IO_OK : io_fail_memory(err, "query batches");
}

io_status blast_put_cell(blast_job *job, io_error *err) { return cell_writer_put(job->run.cell, job->run.output_ctx, err); }

int blast_end_cell(blast_job *job)
{
    io_error err;
    cell_writer *cell = job->run.cell;
    io_status status;

    job->run.cell = NULL;
    status = cell_writer_end(cell, &err);
    return status == IO_OK ? CLI_OK : blast_fail_io(job, status, &err);
}
