/*
 * db_report.c - the report on a database.
 */
#include "cli/db/db_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "report/report_numbers.h"

static const char *unit_of(const tms_seqdb_info *info) { return info->molecule == TMS_PROTEIN ? "residues" : "bases"; }

static void print_volume(const tms_seqdb *db, uint64_t v, const tms_seqdb_info *info, FILE *to)
{
    tms_seqdb_volume volume;
    char n[REPORT_NUMBER_SIZE], residues[REPORT_NUMBER_SIZE], bytes[REPORT_NUMBER_SIZE];

    tms_seqdb_get_volume(db, v, &volume);
    fprintf(to, "\t%s: %s sequences from %" PRIu64 ", %s %s, %s bytes\n", volume.path, report_grouped(volume.n_sequences, n),
            volume.first_oid, report_grouped(volume.n_residues, residues), unit_of(info),
            report_grouped(volume.index_bytes + volume.header_bytes + volume.n_bytes, bytes));
}

void db_report_text(const tms_seqdb *db, const db_checks *checks, int only_info, FILE *to)
{
    tms_seqdb_info info;
    char n[REPORT_NUMBER_SIZE], residues[REPORT_NUMBER_SIZE], longest[REPORT_NUMBER_SIZE];
    const char *part;

    tms_seqdb_get_info(db, &info);
    fprintf(to, "Database: %s\n\t%s sequences; %s total %s\n\nDate: %s\tLongest sequence: %s %s\n\nBLASTDB Version: %u\n\nVolumes:\n",
            info.title, report_grouped(info.shown_n_sequences, n), report_grouped(info.shown_n_residues, residues), unit_of(&info),
            info.date, report_grouped(info.longest, longest), unit_of(&info), info.version);
    for (uint64_t k = 0; (part = tms_seqdb_part(db, k)) != NULL; k++)
        fprintf(to, "\t%s\n", part);
    if (only_info)
        return;
    fprintf(to, "\nFiles:\n");
    for (uint64_t v = 0; v < info.n_volumes; v++)
        print_volume(db, v, &info, to);
    fprintf(to, "\nChecks:\n\tindexes: offsets in order, totals and the sizes of the files as they say\n");
    if (checks->all_was_read)
        fprintf(to, "\tcontents: all sequences and names can be read\n\tchecksums: %" PRIu64 " file%s as written%s\n", checks->n_sums,
                CLI_PLURAL(checks->n_sums),
                checks->n_old_sums > 0 ? "; others are of a database that was there before, and were left aside"
                : checks->n_sums == 0  ? ", because there are none of tamis makedb"
                                       : "");
    else
        fprintf(to, "\tcontents: not read (--check)\n");
    if (info.n_sequences != info.shown_n_sequences || info.n_residues != info.shown_n_residues)
        fprintf(to, "\ttotals: an alias file says them, or takes a part; the database has %s sequences\n",
                report_grouped(info.n_sequences, n));
}

/* null if the text is not UTF-8, which JSON requires. */
static json_t *json_text(const char *text, size_t n)
{
    json_t *value = json_stringn(text, n);

    return value != NULL ? value : json_null();
}

static json_t *json_volume(const tms_seqdb *db, uint64_t v)
{
    tms_seqdb_volume volume;
    json_t *object = json_object();
    int failed = 0;

    tms_seqdb_get_volume(db, v, &volume);
    failed |= json_object_set_new(object, "path", json_text(volume.path, strlen(volume.path)));
    failed |= json_object_set_new(object, "title", json_text(volume.title, (size_t)volume.title_size));
    failed |= json_object_set_new(object, "date", json_text(volume.date, (size_t)volume.date_size));
    failed |= json_object_set_new(object, "first_oid", json_integer((json_int_t)volume.first_oid));
    failed |= json_object_set_new(object, "sequences", json_integer((json_int_t)volume.n_sequences));
    failed |= json_object_set_new(object, "letters", json_integer((json_int_t)volume.n_residues));
    failed |= json_object_set_new(object, "longest", json_integer((json_int_t)volume.longest));
    failed |= json_object_set_new(object, "index_bytes", json_integer((json_int_t)volume.index_bytes));
    failed |= json_object_set_new(object, "header_bytes", json_integer((json_int_t)volume.header_bytes));
    failed |= json_object_set_new(object, "sequence_bytes", json_integer((json_int_t)volume.n_bytes));
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

int db_report_json(const char *command, const tms_seqdb *db, const db_checks *checks, FILE *to)
{
    tms_seqdb_info info;
    json_t *root = json_object(), *volumes = json_array(), *made = json_object();
    char *text;
    int failed = root == NULL || volumes == NULL || made == NULL;

    tms_seqdb_get_info(db, &info);
    failed |= json_object_set_new(root, "title", json_text(info.title, strlen(info.title)));
    failed |= json_object_set_new(root, "molecule", json_string(info.molecule == TMS_PROTEIN ? "protein" : "nucleotide"));
    failed |= json_object_set_new(root, "version", json_integer((json_int_t)info.version));
    failed |= json_object_set_new(root, "date", json_text(info.date, strlen(info.date)));
    failed |= json_object_set_new(root, "sequences", json_integer((json_int_t)info.n_sequences));
    failed |= json_object_set_new(root, "letters", json_integer((json_int_t)info.n_residues));
    failed |= json_object_set_new(root, "shown_sequences", json_integer((json_int_t)info.shown_n_sequences));
    failed |= json_object_set_new(root, "shown_letters", json_integer((json_int_t)info.shown_n_residues));
    failed |= json_object_set_new(root, "longest", json_integer((json_int_t)info.longest));
    for (uint64_t v = 0; v < info.n_volumes; v++)
        failed |= json_array_append_new(volumes, json_volume(db, v));
    failed |= json_object_set_new(root, "volumes", volumes);
    failed |= json_object_set_new(made, "indexes", json_true());
    failed |= json_object_set_new(made, "contents", checks->all_was_read ? json_true() : json_null());
    failed |= json_object_set_new(made, "checksums", checks->all_was_read ? json_integer((json_int_t)checks->n_sums) : json_null());
    failed |= json_object_set_new(root, "checks", made);
    text = failed ? NULL : json_dumps(root, JSON_INDENT(2));
    json_decref(root);
    if (text == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    fprintf(to, "%s\n", text);
    free(text);
    return CLI_OK;
}
