#include "seqio/seqio_sequences.h"

#include <stdlib.h>
#include <string.h>

#include "io/io_kinds.h"
#include "seqio/seqio_fasta.h"

enum { BUFFER_BYTES = 128 << 10, MAGIC_BYTES = 8 };

/* What comes next in the current file. */
typedef enum file_state { NOT_OPEN, BEGIN, TEXT, END } file_state;

struct seqio_sequences {
    seqio_sequences_options options;
    io_input in;
    seqio_fasta text;
    size_t file;
    file_state state;
    uint64_t line;              /* line number of the first record */
    uint64_t n_before;          /* bytes of the previous files */
    io_compression compression; /* compression of the current file, or of the previous one */
};

/* Skips to the first byte that is no blank. For a sink with by_line it also skips comment lines. */
static void skip_blanks(seqio_sequences *s, int *in_comment)
{
    io_input *in = &s->in;

    for (; in->pos < in->end; in->pos++) {
        uint8_t c = in->bytes[in->pos];
        if (c == '\n' || (*in_comment && c == '\r'))
            *in_comment = 0;
        else if (s->options.sink.by_line && (c == ';' || c == '!' || c == '#'))
            *in_comment = 1;
        else if (!*in_comment && c != '\r' && c != ' ' && c != '\t')
            return;
        s->line += c == '\n';
    }
}

/* Skips empty lines, then reads as many bytes as the longest magic has, unless the file has fewer. */
static io_status find_start(seqio_sequences *s, io_error *err)
{
    io_input *in = &s->in;
    io_status status = IO_OK;
    int in_comment = 0;

    s->line = 1;
    for (;;) {
        skip_blanks(s, &in_comment);
        if (in->end - in->pos >= MAGIC_BYTES || status == IO_END)
            return IO_OK;
        status = io_input_more(in, err);
        if (status != IO_OK && status != IO_END)
            return status;
    }
}

static void close_file(seqio_sequences *s)
{
    s->n_before += s->in.stream != NULL ? io_stream_offset(s->in.stream) : 0;
    io_input_close(&s->in);
    s->state = NOT_OPEN;
    s->file++;
}

/* Opens the next file and detects its format. */
static io_status open_file(seqio_sequences *s, io_error *err)
{
    io_input *in = &s->in;
    io_status status = io_input_open(in, s->options.paths[s->file], s->options.cancel_fd, err);
    const uint8_t *head;
    size_t n;

    if (status == IO_OK)
        status = find_start(s, err);
    if (status != IO_OK)
        return status;
    head = in->bytes + in->pos;
    n = in->end - in->pos;
    if (n == 0 && s->options.may_be_empty) {
        close_file(s);
        return IO_OK;
    }
    if (n == 0)
        return io_fail(err, IO_E_INPUT, 0, "%s: no sequence: the file is empty", in->name);
    s->state = BEGIN;
    s->compression = io_stream_compression(in->stream);
    if (*head == '@') /* a SAM file begins with '@', too */
        status = io_kind_check(in->name, head, n, IO_WANTED_SEQUENCES, err);
    if (status == IO_OK && (*head == '>' || *head == '@')) {
        seqio_fasta_begin(&s->text, &s->options.sink, in, s->line);
        return IO_OK;
    }
    while (n < IO_KIND_HEAD_BYTES && memchr(head, '\n', n) == NULL && status == IO_OK) { /* only needed for the message */
        status = io_input_more(in, err);
        head = in->bytes + in->pos;
        n = in->end - in->pos;
    }
    if (status == IO_OK || status == IO_END)
        status = io_kind_check(in->name, head, n, IO_WANTED_SEQUENCES, err);
    if (status != IO_OK)
        return status;
    if (s->options.may_lack_header) {
        seqio_fasta_begin(&s->text, &s->options.sink, in, s->line);
        return IO_OK;
    }
    if (n >= 3 && memcmp(head, "\xef\xbb\xbf", 3) == 0)
        return io_fail(err, IO_E_INPUT, 0, "%s:%llu: begins with a UTF-8 byte order mark; sed '1s/^\\xef\\xbb\\xbf//' removes it", in->name,
                       (unsigned long long)s->line);
    return io_fail(err, IO_E_INPUT, 0, "%s:%llu: neither FASTA ('>') nor FASTQ ('@')", in->name, (unsigned long long)s->line);
}

io_status seqio_sequences_read(seqio_sequences *s, io_error *err)
{
    const seqio_sequence_sink *sink = &s->options.sink;
    io_status status = IO_OK;

    while (status == IO_OK) {
        switch (s->state) {
        case NOT_OPEN:
            status = s->file < s->options.n_paths ? open_file(s, err) : IO_END;
            break;
        case BEGIN:
            if (sink->begin_file != NULL)
                status = sink->begin_file(sink->arg, s->in.name, s->text.is_fastq, err);
            if (status == IO_OK)
                s->state = TEXT;
            break;
        case TEXT:
            status = seqio_fasta_read(&s->text, err);
            if (status == IO_OK)
                s->state = END;
            break;
        case END:
            if (sink->end_file != NULL)
                status = sink->end_file(sink->arg, err);
            if (status == IO_OK)
                close_file(s);
            break;
        }
    }
    return status;
}

uint64_t seqio_sequences_offset(const seqio_sequences *s) { return s->n_before + io_input_offset(&s->in); }

io_compression seqio_sequences_compression(const seqio_sequences *s) { return s->compression; }

io_status seqio_sequences_create(const seqio_sequences_options *options, seqio_sequences **out, io_error *err)
{
    seqio_sequences *s = *out = calloc(1, sizeof *s);

    if (s == NULL)
        return io_fail_memory(err, "reading sequences");
    s->options = *options;
    return io_input_init(&s->in, options->buffer_bytes > 0 ? options->buffer_bytes : BUFFER_BYTES, err);
}

void seqio_sequences_free(seqio_sequences *s)
{
    if (s == NULL)
        return;
    seqio_fasta_free(&s->text);
    io_input_free(&s->in);
    free(s);
}
