/* blast_parts.c - see blast_parts.h. */
#include "cli/blast/blast_parts.h"

#include <stdlib.h>
#include <string.h>

#include "cli/blast/blast_codes.h"
#include "cli/shards.h"

struct blast_parts {
    struct archive_reader **cells; /* n_query_shards x n_shards; NULL: missing */
    struct archive_reader *any;    /* one of them, by which the others are checked */
    struct blast_grid grid;
    struct blast_grid chosen;         /* what the report is about, as a cell of one shard */
    struct archive_reader *set_aside; /* `any`, if it is damaged */
    uint64_t query_shard, batch;      /* what blast_parts_found() reads next */
    struct archive_lists lists;
};

/* ---- opening ------------------------------------------------------------------------------------------------------------------ */

static size_t n_cells(const struct blast_parts *parts) { return (size_t)(parts->grid.n_shards * parts->grid.n_query_shards); }

/* The cell of a part, from its manifest. Returns false if the manifest has none. */
static bool grid_of(const struct archive_manifest *manifest, struct blast_grid *out)
{
    enum { MOST = 1000000 };

    if (!archive_manifest_number(manifest, "shards", &out->n_shards) || !archive_manifest_number(manifest, "shard", &out->shard) ||
        !archive_manifest_number(manifest, "query-shards", &out->n_query_shards) ||
        !archive_manifest_number(manifest, "query-shard", &out->query_shard))
        return false;
    out->shard--;
    out->query_shard--;
    return out->n_shards <= MOST && out->n_query_shards <= MOST && out->shard < out->n_shards && out->query_shard < out->n_query_shards;
}

/* The first part decides what the others must be. */
static io_status begin_with(struct blast_parts *parts, struct archive_reader *reader, const struct blast_grid *grid, io_error *err)
{
    parts->grid = (struct blast_grid){0, grid->n_shards, 0, grid->n_query_shards};
    parts->chosen = (struct blast_grid){0, 1, 0, 1};
    parts->cells = calloc(n_cells(parts), sizeof *parts->cells);
    if (parts->cells == NULL)
        return io_fail_memory(err, "the parts of a search");
    parts->any = reader;
    return IO_OK;
}

/* Puts a part in its cell; takes the reader over. */
static io_status put(struct blast_parts *parts, struct archive_reader *reader, const struct blast_grid *grid, io_error *err)
{
    const char *path = archive_reader_path(reader);
    struct archive_reader **cell = &parts->cells[grid->query_shard * grid->n_shards + grid->shard];
    io_status status = IO_OK;
    char what[256];

    if (reader != parts->any && blast_identity_differs(archive_reader_manifest(parts->any), archive_reader_manifest(reader), false, what)) {
        status = io_fail(err, IO_E_REFUSED, 0, "%s and %s are parts of two searches: %s", archive_reader_path(parts->any), path, what);
    } else if (*cell == NULL) {
        *cell = reader;
        return IO_OK;
    } else if (archive_reader_checksum(*cell) != archive_reader_checksum(reader) ||
               blast_identity_differs(archive_reader_manifest(*cell), archive_reader_manifest(reader), true, what)) {
        status = io_fail(err, IO_E_REFUSED, 0, "%s and %s are both shard %llu/%llu of query shard %llu/%llu, with other content",
                         archive_reader_path(*cell), path, (unsigned long long)grid->shard + 1, (unsigned long long)grid->n_shards,
                         (unsigned long long)grid->query_shard + 1, (unsigned long long)grid->n_query_shards);
    }
    archive_reader_close(reader); /* the same part twice is one */
    return status;
}

static int add(const char *command, struct blast_parts *parts, const char *path)
{
    struct archive_reader *reader;
    struct blast_grid grid;
    io_error err;
    io_status status = archive_reader_open(path, &reader, &err);

    if (status == IO_E_MEMORY)
        return cli_fail_io(command, status, &err);
    if (status != IO_OK || !grid_of(archive_reader_manifest(reader), &grid)) {
        if (status == IO_OK)
            cli_say(command, "%s: it is no part of a search", path);
        else
            cli_say(command, "%s", err.text);
        archive_reader_close(status == IO_OK ? reader : NULL);
        return CLI_OK;
    }
    status = parts->any == NULL ? begin_with(parts, reader, &grid, &err) : IO_OK;
    if (status == IO_OK)
        status = put(parts, reader, &grid, &err);
    return status == IO_OK ? CLI_OK : cli_fail_io(command, status, &err);
}

int blast_parts_open(const char *command, const char *const *paths, size_t n, struct blast_parts **out)
{
    struct blast_parts *parts = calloc(1, sizeof *parts);
    int code = CLI_OK;

    *out = NULL;
    if (parts == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < n && code == CLI_OK; i++)
        code = add(command, parts, paths[i]);
    if (code == CLI_OK && parts->any == NULL)
        code = cli_fail_usage(
            command, "none of the files is a part of a search: they are made by tamis blastp and blastn with --shard or --archive");
    if (code != CLI_OK) {
        blast_parts_close(parts);
        return code;
    }
    *out = parts;
    return CLI_OK;
}

void blast_parts_close(struct blast_parts *parts)
{
    if (parts == NULL)
        return;
    for (size_t i = 0; parts->cells != NULL && i < n_cells(parts); i++)
        archive_reader_close(parts->cells[i]);
    archive_reader_close(parts->set_aside);
    free(parts->cells);
    archive_lists_free(&parts->lists);
    free(parts);
}

const struct archive_manifest *blast_parts_manifest(const struct blast_parts *parts) { return archive_reader_manifest(parts->any); }
struct blast_grid blast_parts_grid(const struct blast_parts *parts) { return parts->grid; }

void blast_parts_choose(struct blast_parts *parts, uint64_t query_shard)
{
    parts->chosen = (struct blast_grid){0, 1, query_shard, parts->grid.n_query_shards};
}

struct blast_grid blast_parts_chosen(const struct blast_parts *parts) { return parts->chosen; }

/* ---- what is there ------------------------------------------------------------------------------------------------------------ */

int blast_parts_check(const char *command, struct blast_parts *parts)
{
    for (size_t i = 0; i < n_cells(parts); i++) {
        io_error err;
        io_status status = parts->cells[i] != NULL ? archive_reader_check(parts->cells[i], &err) : IO_OK;
        if (status == IO_E_MEMORY)
            return cli_fail_io(command, status, &err);
        if (status == IO_OK)
            continue;
        cli_say(command, "%s", err.text);
        if (parts->cells[i] == parts->any) /* its manifest is whole, and still in use */
            parts->set_aside = parts->cells[i];
        else
            archive_reader_close(parts->cells[i]);
        parts->cells[i] = NULL;
    }
    return CLI_OK;
}

static bool is_there(const void *parts, size_t i) { return ((const struct blast_parts *)parts)->cells[i] != NULL; }

char *blast_parts_missing(const struct blast_parts *parts, uint64_t first, uint64_t end)
{
    return shards_missing(is_there, parts, (size_t)(first * parts->grid.n_shards), (size_t)(end * parts->grid.n_shards));
}

/* Any cell of a query shard has its records. */
static struct archive_reader *cell_of(const struct blast_parts *parts, uint64_t query_shard, uint64_t shard)
{
    return parts->cells[query_shard * parts->grid.n_shards + shard];
}

tms_interval blast_parts_records(const struct blast_parts *parts, uint64_t query_shard)
{
    const struct archive_manifest *manifest = archive_reader_manifest(cell_of(parts, query_shard, 0));
    uint64_t first = 0, n = 0;

    (void)archive_manifest_number(manifest, "first-record", &first);
    (void)archive_manifest_number(manifest, "records", &n);
    return (tms_interval){first, n < UINT64_MAX - first ? first + n : UINT64_MAX};
}

uint64_t blast_parts_border(struct blast_parts *parts, uint64_t record)
{
    for (uint64_t q = parts->query_shard; q < parts->grid.n_query_shards; q++) {
        tms_interval records = {0, 0};
        if (cell_of(parts, q, 0) != NULL)
            records = blast_parts_records(parts, q);
        if (record >= records.start && record < records.end)
            return records.end;
    }
    return UINT64_MAX;
}

/* ---- reading ------------------------------------------------------------------------------------------------------------------ */

/* Moves to the first batch that is not before this record; a query shard may have no batch. */
static void find_batch(struct blast_parts *parts, uint64_t record)
{
    while (parts->query_shard < parts->grid.n_query_shards) {
        struct archive_reader *reader = cell_of(parts, parts->query_shard, 0);
        const uint64_t n = reader != NULL ? archive_reader_n_batches(reader) : 0;
        while (parts->batch < n && archive_reader_batch(reader, parts->batch).first < record)
            parts->batch++;
        if (parts->batch < n)
            return;
        parts->query_shard++;
        parts->batch = 0;
    }
}

uint64_t blast_parts_batch(struct blast_parts *parts, uint64_t record)
{
    struct archive_batch batch = {0, 0, 0};

    find_batch(parts, record);
    if (parts->query_shard < parts->grid.n_query_shards)
        batch = archive_reader_batch(cell_of(parts, parts->query_shard, 0), parts->batch);
    return batch.first == record && batch.n_records > 0 ? batch.n_records : 1;
}

static io_status fail_batch(const struct archive_reader *reader, io_error *err)
{
    return io_fail(err, IO_E_INPUT, 0, "%s: its query batches are not those of the query file: run that shard again",
                   archive_reader_path(reader));
}

/* Adds the lists of a batch in one part to lists at .. of a call. */
static io_status add_lists(struct blast_parts *parts, tms_context *ctx, uint64_t shard, uint64_t at, tms_search_found *found, io_error *err)
{
    struct archive_reader *reader = cell_of(parts, parts->query_shard, shard);
    io_status status = archive_reader_read(reader, parts->batch, &parts->lists, err);

    for (size_t i = 0; i < parts->lists.n && status == IO_OK; i++) {
        const tms_status added = tms_search_found_add(ctx, found, at + i, &parts->lists.lists[i]);
        if (added == TMS_E_MEMORY)
            status = io_fail_memory(err, "preliminary HSPs");
        else if (added != TMS_OK)
            status = fail_batch(reader, err);
    }
    return status;
}

/*
 * Checks that the batches of a call are those of the parts. Returns their number of lists.
 *   n_batches [out] how many there are from parts->batch on
 */
static io_status count_lists(const struct blast_parts *parts, const tms_seqs *seqs, uint64_t *n_batches, uint64_t *n_lists, io_error *err)
{
    const uint64_t end = seqs->first_record + seqs->n_records;
    uint64_t next = seqs->first_record;

    *n_batches = *n_lists = 0;
    if (parts->query_shard == parts->grid.n_query_shards)
        return fail_batch(parts->any, err);
    for (uint64_t i = parts->batch; next < end; i++) {
        struct archive_reader *first = cell_of(parts, parts->query_shard, 0);
        struct archive_batch batch = {0, 0, 0};
        for (uint64_t shard = 0; shard < parts->grid.n_shards; shard++) {
            struct archive_reader *reader = cell_of(parts, parts->query_shard, shard);
            struct archive_batch mine;
            if (i >= archive_reader_n_batches(reader))
                return fail_batch(reader, err);
            mine = archive_reader_batch(reader, i);
            batch = reader == first ? mine : batch;
            if (mine.first != next || mine.n_records == 0 || mine.n_records != batch.n_records || mine.n_lists != batch.n_lists ||
                mine.n_records > end - next)
                return fail_batch(reader, err);
        }
        next += batch.n_records;
        *n_lists += batch.n_lists;
        ++*n_batches;
    }
    return IO_OK;
}

io_status blast_parts_found(struct blast_parts *parts, tms_context *ctx, const tms_seqs *seqs, tms_search_found **out, io_error *err)
{
    uint64_t n_batches, n_lists, at = 0;
    tms_search_found *found;
    io_status status;

    *out = NULL;
    find_batch(parts, seqs->first_record);
    status = count_lists(parts, seqs, &n_batches, &n_lists, err);
    if (status != IO_OK)
        return status;
    if (tms_search_found_create(ctx, n_lists, &found) != TMS_OK)
        return io_fail_memory(err, "lists of preliminary HSPs");
    for (uint64_t i = 0; i < n_batches && status == IO_OK; i++, parts->batch++) {
        for (uint64_t shard = 0; shard < parts->grid.n_shards && status == IO_OK; shard++)
            status = add_lists(parts, ctx, shard, at, found, err);
        at += archive_reader_batch(cell_of(parts, parts->query_shard, 0), parts->batch).n_lists;
    }
    if (status == IO_OK)
        *out = found;
    else
        tms_search_found_destroy(found);
    return status;
}
