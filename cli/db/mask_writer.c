/* mask_writer.c - see mask_writer.h. */
#include "cli/db/mask_writer.h"

#include "cli/decimal.h"

enum { COLUMNS = 60, WRITE_BYTES = 256 << 10 };

static bool add_text(struct byte_array *text, const char *words) { return byte_array_add(text, words, strlen(words)); }

static bool add_title(mask_writer *w) { return add_text(&w->text, ">") && mask_names_title(&w->names, &w->text); }

/* "6 - 20": the first and the last position, from 0. */
static bool add_interval(struct byte_array *text, const tms_interval *interval, const char *between)
{
    enum { MOST = 2 * DECIMAL_MAX + 8 };
    char *to = (char *)byte_array_room(text, MOST), *end = to;

    if (!to)
        return false;
    end = decimal_put(end, interval->start);
    for (; *between; between++)
        *end++ = *between;
    end = decimal_put(end, interval->end - 1);
    *end++ = '\n';
    text->n += (size_t)(end - to);
    return true;
}

static bool put_intervals(mask_writer *w, const tms_interval *intervals, size_t n)
{
    if (!add_title(w) || !add_text(&w->text, "\n"))
        return false;
    for (size_t k = 0; k < n; k++)
        if (!add_interval(&w->text, &intervals[k], " - "))
            return false;
    return true;
}

static bool put_acclist(mask_writer *w, const tms_interval *intervals, size_t n)
{
    for (size_t k = 0; k < n; k++)
        if (!add_title(w) || !add_text(&w->text, "\t") || !add_interval(&w->text, &intervals[k], "\t"))
            return false;
    return true;
}

/*
 * Sets the bit of lower case in masked residues or bases, which are in upper case. Segments of SEG may overlap. NCBI's programs advance
 * by at most one interval per position: for an interval inside earlier ones, the position after these stays in upper case.
 *   lines [in,out] the record as it is printed, with a line feed after 60 residues or bases
 */
static void make_lower(uint8_t *lines, const tms_interval *intervals, size_t n)
{
    uint64_t at = 0;

    for (size_t k = 0; k < n; k++) {
        at = at < intervals[k].start ? intervals[k].start : at;
        if (at >= intervals[k].end)
            at++;
        while (at < intervals[k].end) {
            uint64_t line = at / COLUMNS, end = (line + 1) * COLUMNS;
            end = end < intervals[k].end ? end : intervals[k].end;
            for (; at < end; at++)
                lines[at + line] |= 0x20;
        }
    }
}

static bool put_fasta(mask_writer *w, const tms_seqs *seqs, size_t i, const tms_interval *intervals, size_t n)
{
    const uint8_t *from = seqs->residues + seqs->residue_starts[i];
    size_t left = tms_seqs_length(seqs, i);
    uint8_t *lines, *to;

    if (!add_title(w) || !add_text(&w->text, "\n"))
        return false;
    to = lines = byte_array_room(&w->text, left + left / COLUMNS + 1);
    if (!lines)
        return false;
    while (left > 0) {
        size_t size = left < COLUMNS ? left : COLUMNS;
        memcpy(to, from, size);
        to[size] = '\n';
        to += size + 1;
        from += size;
        left -= size;
    }
    make_lower(lines, intervals, n);
    w->text.n += (size_t)(to - lines);
    return true;
}

static bool put_record(mask_writer *w, const tms_seqs *seqs, size_t i, const tms_interval *intervals, size_t n)
{
    if (w->format >= MASK_INFO)
        return mask_asn_put(&w->asn, intervals, n, mask_names_id(&w->names));
    if (w->format == MASK_FASTA)
        return put_fasta(w, seqs, i, intervals, n);
    return w->format == MASK_ACCLIST ? put_acclist(w, intervals, n) : put_intervals(w, intervals, n);
}

static io_status flush(mask_writer *w, io_error *err)
{
    io_status status = w->text.n > 0 ? io_safe_file_write(w->file, w->text.bytes, w->text.n, err) : IO_OK;

    w->text.n = 0;
    return status;
}

io_status mask_writer_begin(mask_writer *w, io_error *err)
{
    const bool is_info = w->format < MASK_SEQLOC;

    if (w->format < MASK_INFO)
        return IO_OK;
    w->asn = (mask_asn){.to = {.syntax = (asn_syntax)(w->format - (is_info ? MASK_INFO : MASK_SEQLOC)), .to = &w->text},
                        .is_info = is_info};
    return mask_asn_begin(&w->asn, &w->algorithm) ? IO_OK : io_fail_memory(err, "masks as text");
}

io_status mask_writer_put(mask_writer *w, const tms_seqs *seqs, const tms_mask_list *masks, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < seqs->n_records && status == IO_OK; i++) {
        const uint64_t *starts = &masks->starts[i];
        if (w->refuses_empty && tms_seqs_length(seqs, i) == 0)
            return io_fail(err, IO_E_INPUT, 0, "FASTA-Reader: No residues given: record %llu", (unsigned long long)w->names.n_records + 1);
        status = mask_names_next(&w->names, seqs->headers + seqs->header_starts[i], tms_seqs_header_size(seqs, i), err);
        if (status == IO_OK && !put_record(w, seqs, i, masks->intervals + starts[0], starts[1] - starts[0]))
            status = io_fail_memory(err, "masks as text");
        if (status == IO_OK && w->text.n >= WRITE_BYTES)
            status = flush(w, err);
    }
    return status;
}

io_status mask_writer_end(mask_writer *w, int is_whole, io_error *err)
{
    if (is_whole && w->format >= MASK_INFO && !mask_asn_end(&w->asn))
        return io_fail_memory(err, "masks as text");
    return flush(w, err);
}

void mask_writer_free(mask_writer *w)
{
    free(w->text.bytes);
    mask_names_free(&w->names);
}
