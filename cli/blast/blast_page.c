/* blast_page.c - see blast_page.h. */
#include "cli/blast/blast_page.h"

#include <stdlib.h>

#include "io/io_stream.h"
#include "report/report.h"

/* Counts the records of FASTA by the lines that begin with '>', and those of FASTQ by lines. */
typedef struct record_count {
    uint64_t n_records, n_lines;
    int first; /* the file's first character; 0: none yet */
    int at_line;
} record_count;

static void count_records(record_count *c, const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (c->first == 0)
            c->first = bytes[i];
        if (c->at_line)
            c->n_records += c->first == '@' ? c->n_lines % 4 == 0 : bytes[i] == '>';
        c->at_line = bytes[i] == '\n';
        c->n_lines += bytes[i] == '\n';
    }
}

io_status blast_check_number(const blast_job *job, io_error *err)
{
    enum { SIZE = 1 << 16 };
    const struct report_writer *writer = job->plan.format.writer;
    record_count count = {.at_line = 1};
    io_stream *stream = NULL;
    uint8_t *bytes;
    uint64_t size;
    io_status status;

    if (writer->most_queries == 0 || job->plan.grid.n_query_shards > 1 || !io_stream_path_size(job->options.query, &size))
        return IO_OK;
    bytes = malloc(SIZE);
    status = bytes != NULL ? io_stream_open(job->options.query, -1, &stream, err) : io_fail_memory(err, "the queries");
    while (status == IO_OK && count.n_records <= writer->most_queries) {
        size_t n;
        status = io_stream_read(stream, bytes, SIZE, &n, err);
        if (status == IO_OK)
            count_records(&count, bytes, n);
    }
    io_stream_close(stream);
    free(bytes);
    if (status == IO_OK)
        return report_check_size(writer, count.n_records, 0, err);
    return status == IO_END ? IO_OK : status;
}
