/*
 * entry_printer.c - prints FASTA and formatted lines.
 *
 * Decodes residues or bases piece by piece, on the minus strand from the end of the sequence, and breaks them into lines on their way to
 * the output buffer. So memory depends on the length of titles, but not on that of sequences.
 */
#include "cli/db/entry_printer.h"

#include <inttypes.h>
#include <isa-l/crc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/db/db_taxa.h"
#include "seqid/seqid_title.h"
#include "seqio/seqio_blast_title.h"

enum { BUFFER_BYTES = 1 << 18, PIECE = 1 << 16 /* residues or bases decoded at once */ };

struct entry_printer {
    entry_printer_options how;
    tms_context *ctx;
    const tms_seqdb *db;
    io_safe_file *file;
    tms_seqdb_names *names;
    struct byte_array titles, shortened; /* all titles of the sequence; the titles as printed */
    int is_fasta, is_protein;
    int names_lines; /* the format has a specifier of a defline: a line for each defline, else for each sequence */
    uint8_t complement[256];
    uint8_t *buffer;
    size_t n;
    uint8_t piece[PIECE];
};

/* ---- formats ---------------------------------------------------------------------------------------------------- */

const char *db_format_check(const char *format, char specifier[3])
{
    static const struct {
        const char *letters, *why;
    } refused[] = {
        {"m", "is not supported: tamis dbinfo does not print the masks of a database"},
    };
    int n = 0;

    specifier[0] = '\0';
    for (; *format != '\0'; format++) {
        if (*format != '%')
            continue;
        format++;
        specifier[0] = '%';
        specifier[1] = *format;
        specifier[2] = '\0';
        if (*format == '\0')
            return "is not followed by a letter";
        for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
            if (strchr(refused[i].letters, *format) != NULL)
                return refused[i].why;
        }
        if (strchr("fsagoitlhTXSNLCBKeP%", *format) == NULL)
            return "is not a specifier; the specifiers are %f %s %a %g %o %i %t %l %h %T %X %S %N %L %C %B %K %e %P and %%";
        n += *format != '%';
    }
    specifier[0] = '\0';
    return n > 0 ? NULL : "has no specifier: give %f, or one or more of %s %a %g %o %i %t %l %h %T %S %L %B %K";
}

/* Whether the format has one of these specifiers, letters after a percent sign. */
static int has_specifier(const char *format, const char *letters)
{
    for (; *format != '\0'; format++) {
        if (*format == '%' && strchr(letters, *++format) != NULL)
            return 1;
    }
    return 0;
}

int db_format_names_taxa(const char *format) { return has_specifier(format, "SNLCBK"); }

/* ---- the output buffer ------------------------------------------------------------------------------------------ */

int entry_printer_flush(entry_printer *w)
{
    io_error err;
    io_status status = io_safe_file_write(w->file, w->buffer, w->n, &err);

    w->n = 0;
    return status == IO_OK ? CLI_OK : cli_fail_io(w->how.command, status, &err);
}

static int put(entry_printer *w, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;

    while (n > 0) {
        size_t part = BUFFER_BYTES - w->n < n ? BUFFER_BYTES - w->n : n;
        memcpy(w->buffer + w->n, from, part);
        w->n += part;
        from += part;
        n -= part;
        if (w->n == BUFFER_BYTES) {
            int code = entry_printer_flush(w);
            if (code != CLI_OK)
                return code;
        }
    }
    return CLI_OK;
}

static int put_number(entry_printer *w, uint64_t number)
{
    char digits[24], *at = digits + sizeof digits;

    do {
        *--at = (char)('0' + number % 10);
    } while ((number /= 10) > 0);
    return put(w, at, (size_t)(digits + sizeof digits - at));
}

/* ---- residues --------------------------------------------------------------------------------------------------- */

/* Positions start .. end - 1, from 0. A range that begins behind the end of the sequence selects the whole sequence. */
typedef struct span {
    uint64_t start, end;
    int is_whole; /* no range was requested, or none in the sequence */
} span;

static span span_of(const entry_printer *w, const db_entry *entry)
{
    uint64_t n = tms_seqdb_length(w->db, entry->number);

    if (entry->range.first == 0 || entry->range.first > n)
        return (span){0, n, 1};
    return (span){entry->range.first - 1, entry->range.last < n ? entry->range.last : n, 0};
}

static int fail_sequence(entry_printer *w, uint64_t number, tms_status status)
{
    tms_status said = status == TMS_E_FORMAT ? tms_seqdb_check(w->ctx, w->db, number, number + 1) : status;

    if (status == TMS_E_MEMORY)
        return cli_fail(w->how.command, CLI_NO_MEMORY, "out of memory for the names of a sequence");
    return said != TMS_OK ? cli_fail_database(w->how.command, w->ctx, said)
                          : cli_fail(w->how.command, CLI_USAGE, "the database changed while tamis read it");
}

/* Decodes n residues or bases to w->piece, from offset `at` of the span in the direction of the strand. */
static int decode(entry_printer *w, const db_entry *entry, span s, uint64_t at, size_t n)
{
    int is_minus = entry->minus && !w->is_protein;
    uint64_t start = is_minus ? s.end - at - n : s.start + at;
    tms_status status = tms_seqdb_letters(w->db, entry->number, start, start + n, w->piece);

    if (status != TMS_OK)
        return fail_sequence(w, entry->number, status);
    for (size_t i = 0, j = n; is_minus && i < j; i++) {
        uint8_t a = w->complement[w->piece[i]];
        w->piece[i] = w->complement[w->piece[--j]];
        w->piece[j] = a;
    }
    return CLI_OK;
}

/* Prints n residues or bases in lines; column is the column behind the last one. */
static int put_lines(entry_printer *w, const uint8_t *letters, size_t n, uint64_t *column)
{
    uint64_t length = w->how.line_length;

    while (n > 0) {
        size_t part = length - *column < n ? (size_t)(length - *column) : n;
        if (BUFFER_BYTES - w->n > part) { /* one copy if the line fits into the buffer */
            memcpy(w->buffer + w->n, letters, part);
            w->n += part;
        } else {
            int code = put(w, letters, part);
            if (code != CLI_OK)
                return code;
        }
        letters += part;
        n -= part;
        *column += part;
        if (*column == length) {
            int code = put(w, "\n", 1);
            if (code != CLI_OK)
                return code;
            *column = 0;
        }
    }
    return CLI_OK;
}

/* Prints all residues or bases of a span, in lines or in one line. */
static int put_letters(entry_printer *w, const db_entry *entry, span s, int in_lines)
{
    uint64_t n = s.end - s.start, column = 0;
    int code = CLI_OK;

    for (uint64_t at = 0; at < n && code == CLI_OK; at += PIECE) {
        size_t part = n - at < PIECE ? (size_t)(n - at) : PIECE;
        code = decode(w, entry, s, at, part);
        if (code == CLI_OK)
            code = in_lines ? put_lines(w, w->piece, part, &column) : put(w, w->piece, part);
    }
    return code == CLI_OK && column > 0 ? put(w, "\n", 1) : code;
}

/* ---- FASTA ------------------------------------------------------------------------------------------------------ */

/* ":5-9", on the minus strand ":c9-5". */
static int put_span(entry_printer *w, const db_entry *entry, span s)
{
    int is_minus = entry->minus && !w->is_protein, code = put(w, is_minus ? ":c" : ":", is_minus ? 2 : 1);

    if (code == CLI_OK)
        code = put_number(w, is_minus ? s.end : s.start + 1);
    if (code == CLI_OK)
        code = put(w, "-", 1);
    return code == CLI_OK ? put_number(w, is_minus ? s.start + 1 : s.end) : code;
}

/* The names first .. end - 1 of an entry. */
typedef struct names_range {
    size_t first, end;
} names_range;

/* All names, or with target_only the requested one. */
static names_range names_of(const entry_printer *w, const db_entry *entry, size_t n_names)
{
    if (w->how.target_only && entry->defline < n_names)
        return (names_range){(size_t)entry->defline, (size_t)entry->defline + 1};
    return (names_range){0, n_names};
}

/* Joins the titles in w->titles, the second and later ones with their ids in front. */
static int join_titles(entry_printer *w, names_range names)
{
    int is_kept = 1;

    w->titles.n = 0;
    for (size_t k = names.first; k < names.end; k++) {
        const tms_seqdb_name *name = tms_seqdb_names_get(w->names, k);
        if (k > names.first)
            is_kept &= byte_array_add(&w->titles, " >", 2);
        if (k > names.first && name->has_id)
            is_kept &= byte_array_add(&w->titles, name->ids, name->ids_size) && byte_array_add(&w->titles, " ", 1);
        is_kept &= byte_array_add(&w->titles, name->title, name->title_size);
    }
    return is_kept ? CLI_OK : cli_fail(w->how.command, CLI_NO_MEMORY, "out of memory for a title");
}

static int has_local_id(const tms_seqdb_name *name) { return name->ids_size > 4 && memcmp(name->ids, "lcl|", 4) == 0; }

/* A tidied title; control-A is put before gis only. */
static int put_tidied(entry_printer *w, const char *text, size_t n)
{
    const char *at, *gi;
    int code = CLI_OK;

    w->shortened.n = 0;
    if (n > 0 && !seqio_blast_tidy_stored_title(text, n, w->is_protein ? TMS_PROTEIN : TMS_NUCLEOTIDE, "", &w->shortened))
        return cli_fail(w->how.command, CLI_NO_MEMORY, "out of memory for a title");
    at = (const char *)w->shortened.bytes;
    n = w->shortened.n;
    while (w->how.has_ctrl_a && code == CLI_OK && n > 0 && (gi = memmem(at, n, " >gi|", 5)) != NULL) {
        code = put(w, at, (size_t)(gi - at));
        if (code == CLI_OK)
            code = put(w, "\1", 1);
        n -= (size_t)(gi + 2 - at);
        at = gi + 2;
    }
    return code == CLI_OK && n > 0 ? put(w, at, n) : code;
}

/*
 * Prints the joined titles as blastdbcmd does: before the second and later titles it shortens the ids to the accession, unless the first
 * name has a local id. If the first title is empty, the blank after the first accession replaces the one before the second title. A
 * sequence without ids has its title only.
 */
static int put_titles(entry_printer *w, const tms_seqdb_name *name)
{
    const char *text = (const char *)w->titles.bytes;
    size_t n = w->titles.n, skipped = name->title_size == 0 && n > 0;

    if (w->how.has_long_ids)
        return put_tidied(w, text + skipped, n - skipped);
    if (!name->has_id || has_local_id(name))
        return put(w, text + skipped, n - skipped);
    w->shortened.n = 0;
    if (!seqid_title_shorten(text + skipped, n - skipped, w->how.has_ctrl_a, &w->shortened))
        return cli_fail(w->how.command, CLI_NO_MEMORY, "out of memory for a title");
    return put(w, w->shortened.bytes, w->shortened.n);
}

/* Prints the label. If the first of several ids is a local id, a header has that one, although another is the sequence's label. */
static int put_label(entry_printer *w, const tms_seqdb_name *name)
{
    const char *end;

    if (w->how.has_long_ids)
        return put(w, name->ids, name->ids_size);
    if (!has_local_id(name) || name->ids_size == name->id_size)
        return put(w, name->label, name->label_size);
    end = memchr(name->ids + 4, '|', name->ids_size - 4);
    return put(w, name->ids + 4, end != NULL ? (size_t)(end - name->ids - 4) : name->ids_size - 4);
}

/* The label, the span if it is not the whole sequence, and titles. */
static int put_names(entry_printer *w, const db_entry *entry, span s, names_range names)
{
    const tms_seqdb_name *name = tms_seqdb_names_get(w->names, names.first);
    int code = join_titles(w, names);

    if (code == CLI_OK && (name->has_id || w->how.has_long_ids))
        code = put_label(w, name);
    if (code == CLI_OK && !s.is_whole)
        code = put_span(w, entry, s);
    if (code == CLI_OK && (w->how.has_long_ids ? w->titles.n > 0 : name->has_id || !s.is_whole))
        code = put(w, " ", 1);
    return code == CLI_OK ? put_titles(w, name) : code;
}

static int put_header(entry_printer *w, const db_entry *entry, span s, size_t n_names)
{
    names_range names = names_of(w, entry, n_names);
    int code = put(w, ">", 1);

    if (code == CLI_OK && names.first < names.end)
        code = put_names(w, entry, s, names);
    return code == CLI_OK ? put(w, "\n", 1) : code;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/*
 * Prints blastdbcmd's hash of a sequence: the CRC-32 of its residues or bases, like zlib's but without the final inversion. In proteins,
 * - and * count as the byte 255.
 */
static int put_hash(entry_printer *w, uint64_t number)
{
    const db_entry entry = {.number = number};
    span s = span_of(w, &entry);
    uint32_t crc = 0;
    char text[16];
    int code = CLI_OK;

    for (uint64_t at = 0; at < s.end && code == CLI_OK; at += PIECE) {
        size_t part = s.end - at < PIECE ? (size_t)(s.end - at) : PIECE;
        code = decode(w, &entry, s, at, part);
        for (size_t i = 0; w->is_protein && i < part; i++) {
            if (w->piece[i] == '-' || w->piece[i] == '*')
                w->piece[i] = 255;
        }
        crc = crc32_gzip_refl(crc, w->piece, part);
    }
    return code == CLI_OK ? put(w, text, (size_t)snprintf(text, sizeof text, "0X%" PRIX32, ~crc)) : code;
}

static int put_taxon(entry_printer *w, int64_t taxid, char letter)
{
    size_t n;
    const char *name = db_taxa_name(w->how.taxonomy, taxid, (char)(letter == 'N' ? 'S' : letter == 'C' ? 'L' : letter), &n);

    if ((letter == 'B' || letter == 'K') && n == 1 && name[0] == '-') /* -tax_info prints - */
        return put(w, "N/A", 3);
    return put(w, name, n);
}

/* name: NULL if the format does not print names. */
static int put_specifier(entry_printer *w, const db_entry *entry, const tms_seqdb_name *name, char letter)
{
    switch (letter) {
    case 's':
        return put_letters(w, entry, span_of(w, entry), 0);
    case 'a':
        return put(w, name->label, name->label_size);
    case 'i':
        return put(w, name->id, name->id_size);
    case 't':
        return put(w, name->title, name->title_size);
    case 'g':
        return name->gi >= 0 ? put_number(w, (uint64_t)name->gi) : put(w, "N/A", 3);
    case 'o':
        return put_number(w, tms_seqdb_oid(w->db, entry->number));
    case 'l':
        return put_number(w, tms_seqdb_length(w->db, entry->number));
    case 'h':
        return put_hash(w, entry->number);
    case 'S':
    case 'N':
    case 'L':
    case 'C':
    case 'B':
    case 'K':
        return put_taxon(w, name->taxid, letter);
    case 'e': /* membership bits, which makeblastdb does not write */
        return put(w, "0", 1);
    case 'P': /* an identical protein group, which makeblastdb does not write either */
        return put(w, "-1", 2);
    case 'T':
    case 'X': /* the taxa of leaf nodes: databases have no others */
        return name->taxid < 0 ? put(w, "0", 1) : put_number(w, (uint64_t)name->taxid);
    default:
        return put(w, "%", 1);
    }
}

static int put_line(entry_printer *w, const db_entry *entry, const tms_seqdb_name *name)
{
    int code = CLI_OK;

    for (const char *at = w->how.format; *at != '\0' && code == CLI_OK;) {
        size_t n = strcspn(at, "%");
        code = put(w, at, n);
        at += n;
        if (code == CLI_OK && *at == '%') {
            code = put_specifier(w, entry, name, at[1]);
            at += 2;
        }
    }
    return code == CLI_OK ? put(w, "\n", 1) : code;
}

/* Prints a line for each defline (with target_only, for the requested one), or one line for the sequence. */
static int put_deflines(entry_printer *w, const db_entry *entry, size_t n_names)
{
    names_range names = names_of(w, entry, n_names);
    int code = CLI_OK;

    if (!w->names_lines)
        return put_line(w, entry, NULL);
    for (size_t k = names.first; k < names.end && code == CLI_OK; k++)
        code = put_line(w, entry, tms_seqdb_names_get(w->names, k));
    return code;
}

/* ----------------------------------------------------------------------------------------------------------------- */

int entry_printer_put(entry_printer *w, const db_entry *entry)
{
    size_t n_names;
    span s = span_of(w, entry);
    tms_status status = tms_seqdb_names_read(w->db, entry->number, w->names, &n_names);
    int code;

    if (status != TMS_OK)
        return fail_sequence(w, entry->number, status);
    if (!w->is_fasta)
        return put_deflines(w, entry, n_names);
    code = put_header(w, entry, s, n_names);
    return code == CLI_OK ? put_letters(w, entry, s, 1) : code;
}

static void make_complement(uint8_t complement[256])
{
    const char *letters = tms_alphabet_letters(TMS_ALPHABET_BLASTNA);
    const uint8_t *of_code = tms_alphabet_complements(TMS_ALPHABET_BLASTNA);

    for (size_t code = 0; code < tms_alphabet_size(TMS_ALPHABET_BLASTNA); code++)
        complement[(uint8_t)letters[code]] = (uint8_t)letters[of_code[code]];
}

int entry_printer_open(const entry_printer_options *options, tms_context *ctx, const tms_seqdb *db, io_safe_file *file, entry_printer **out)
{
    tms_seqdb_info info;
    entry_printer *w = calloc(1, sizeof *w);

    *out = w;
    if (w == NULL || (w->buffer = malloc(BUFFER_BYTES)) == NULL)
        return cli_fail(options->command, CLI_NO_MEMORY, "out of memory for the output");
    tms_seqdb_get_info(db, &info);
    w->how = *options;
    w->ctx = ctx;
    w->db = db;
    w->file = file;
    w->is_protein = info.molecule == TMS_PROTEIN;
    w->is_fasta = has_specifier(options->format, "f");
    w->names_lines = has_specifier(options->format, "agitTXSNLCBKeP");
    make_complement(w->complement);
    return tms_seqdb_names_create(ctx, &w->names) == TMS_OK ? CLI_OK : cli_fail_library(options->command, ctx, TMS_E_MEMORY);
}

void entry_printer_close(entry_printer *w)
{
    if (w == NULL)
        return;
    tms_seqdb_names_destroy(w->names);
    free(w->titles.bytes);
    free(w->shortened.bytes);
    free(w->buffer);
    free(w);
}
