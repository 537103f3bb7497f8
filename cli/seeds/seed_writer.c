#include "cli/seeds/seed_writer.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "cli/decimal.h"
#include "run/ordered_section.h"

/*
 * A slice has about SLICE_LINES lines. If it does not fit into its thread's buffer, the thread writes it in several pieces during its
 * turn.
 */
enum {
    SLICE_LINES = 8192,
    MIN_SLICE_HITS = 64,
    BUFFER_MIN = 256 << 10,
    BUFFER_MAX = 4 << 20,
    BUFFERS_TOTAL = 64 << 20, /* all threads together, unless BUFFER_MIN makes it more */
    COPY = 16,                /* put() copies blocks of this many bytes, beyond the end of the text */
    LINE_EXTRA = 128,         /* bytes of a line besides the names: four numbers of 20 digits, a score, tabs, strand, and COPY */
    AHEAD = 64                /* hits whose positions are looked up at once, so that the cache misses overlap */
};

struct seed_writer {
    io_safe_file *file;
    uint32_t word_size;
    const seed_query *query; /* borrowed; its bases are used for matches only */
    uint64_t offset;         /* bases of the first part's record before it */

    /* The query's parts. The prefix of a part's lines is its name and a tab. */
    size_t n_parts;
    uint32_t *starts;  /* n_parts + 1 */
    size_t *prefix_at; /* n_parts + 1 offsets into prefixes */
    char *prefixes;
    size_t longest_prefix;

    tms_context *ctx;
    int n_threads;
    size_t buffer_bytes; /* a thread begins no line after this many bytes */
    size_t line_bytes;   /* bytes of the longest line, with COPY */
    char **blocks;       /* one per thread: line_bytes for a cursor's middle, buffer_bytes + line_bytes for lines */
    uint64_t n_matches;
};

/* The items to format, shared by all threads. */
typedef struct source {
    const seed_writer *writer;
    const tms_dna *subject;
    const tms_seeds *seeds;
    const tms_seed_hit *hits;
    const tms_seed_pass *passes;
    const seqio_dna_piece *piece; /* for matches: the piece whose chunk is the subject */
    const seed_matches *how;      /* for matches */
    unsigned first;               /* the position of a record's first base: 1; in BED 0 */
} source;

/* A thread's position in its slice. */
typedef struct cursor {
    size_t i, end;   /* hits or passes */
    size_t position; /* index of the next position of hit i */
    size_t query_part, subject_part;
    char *middle;      /* "subject, tab, s_start, tab" of hit i */
    size_t name_bytes; /* bytes of the name and its tab in middle */
    size_t middle_bytes;
    uint32_t middle_start; /* for passes: the s_start in middle */
    uint64_t n_matches;
    size_t found_from, found_end; /* the hits whose positions are in found */
    struct {
        const tms_seed_place *positions;
        size_t n;
    } found[AHEAD];
} cursor;

typedef char *format_lines(const source *from, cursor *c, char *to, const char *full);

static inline char *put(char *to, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i += COPY)
        memcpy(to + i, text + i, COPY);
    return to + n;
}

/* The part of the query that contains base; tries `guess` first. */
static inline size_t query_part(const seed_writer *w, uint32_t base, size_t guess)
{
    size_t low = 0, high = w->n_parts;

    if (base - w->starts[guess] < w->starts[guess + 1] - w->starts[guess])
        return guess;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (w->starts[middle] <= base)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static size_t subject_part(const tms_dna *subject, uint32_t base)
{
    size_t low = 0, high = subject->n_parts;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (subject->parts[middle].start <= base)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static inline void make_middle(const source *from, cursor *c, uint32_t s_start)
{
    const tms_dna_part *part = &from->subject->parts[c->subject_part];
    char *end;

    if (c->name_bytes == 0 || s_start - part->start >= part->n_bases) {
        if (c->name_bytes == 0)
            c->subject_part = subject_part(from->subject, s_start);
        part = &from->subject->parts[c->subject_part];
        while (s_start - part->start >= part->n_bases)
            part++;
        c->subject_part = (size_t)(part - from->subject->parts);
        c->name_bytes = strlen(part->name) + 1;
        memcpy(c->middle, part->name, c->name_bytes - 1);
        c->middle[c->name_bytes - 1] = '\t';
    }
    end = decimal_put(c->middle + c->name_bytes, s_start - part->start + part->offset + from->first);
    *end++ = '\t';
    c->middle_bytes = (size_t)(end - c->middle);
}

static void look_up(const source *from, cursor *c)
{
    c->found_from = c->i;
    c->found_end = c->end - c->i < AHEAD ? c->end : c->i + AHEAD;
    for (size_t i = c->i; i < c->found_end; i++) {
        tms_seeds_positions(from->seeds, &from->hits[i], &c->found[i - c->i].positions, &c->found[i - c->i].n);
        __builtin_prefetch(c->found[i - c->i].positions);
    }
}

/* The positions of the cursor's hit, for which it also makes c->middle. */
static inline size_t positions_of_hit(const source *from, cursor *c, const tms_seed_place **positions)
{
    if (c->i >= c->found_end)
        look_up(from, c);
    if (c->position == 0)
        make_middle(from, c, from->hits[c->i].s_start);
    *positions = c->found[c->i - c->found_from].positions;
    return c->found[c->i - c->found_from].n;
}

/* Bases of a record before a part of the query: only the first part may continue a record. */
static inline uint64_t part_offset(const seed_writer *w, size_t part) { return part == 0 ? w->offset : 0; }

/* q_start in part p is base - starts[p] + 1, and more in a record that an earlier batch began. Returns the end of the lines: at or behind
 * `full`, or the slice is done. */
static char *format_seeds(const source *from, cursor *c, char *to, const char *full)
{
    static const char ends[2][8] = {"plus\n", "minus\n"};
    const seed_writer *w = from->writer;

    for (; c->i < c->end; c->i++, c->position = 0) {
        const tms_seed_hit hit = from->hits[c->i];
        const tms_seed_place *positions;
        size_t n = positions_of_hit(from, c, &positions);
        for (; c->position < n; c->position++) {
            uint32_t base = TMS_SEED_BASE(positions[c->position]), is_minus = TMS_SEED_IS_MINUS(hit, positions[c->position]);
            size_t part;
            if (to >= full)
                return to;
            part = c->query_part = query_part(w, base, c->query_part);
            to = put(to, w->prefixes + w->prefix_at[part], w->prefix_at[part + 1] - w->prefix_at[part]);
            to = decimal_put(to, part_offset(w, part) + base - w->starts[part] + 1);
            *to++ = '\t';
            to = put(to, c->middle, c->middle_bytes);
            memcpy(to, ends[is_minus], 8);
            to += 5 + is_minus;
        }
    }
    return to;
}

/* --- matches: consecutive seeds on a diagonal --- */

/* From behind a seed, or with is_down from before it. */
static inline seed_walk walk_from(const seed_writer *w, size_t part, uint32_t q_start, int is_down)
{
    seed_walk walk = {.batch = w->query->batch, .dna = w->query->batches[w->query->batch].dna, .part = part, .is_down = is_down};

    walk.base = is_down ? (size_t)q_start - 1 : (size_t)q_start + w->word_size;
    walk.left = is_down ? q_start - w->starts[part] : w->starts[part + 1] - walk.base;
    return walk;
}

/* Whether a seed is the first of its match: the bases before it, in the subject's direction, differ or do not exist. */
static int begins_match(const source *from, size_t subject_part, uint32_t s_start, size_t part, uint32_t q_start, int is_minus)
{
    const seed_writer *w = from->writer;
    const tms_dna_part *s_part = &from->subject->parts[subject_part];
    seed_walk before = walk_from(w, part, q_start, !is_minus);

    if (!seed_walk_has_more(w->query, &before))
        return 1;
    if (s_start > s_part->start)
        return !tms_dna_same(from->subject, s_start - 1, before.dna, before.base, is_minus, 1);
    return s_part->offset == 0 || from->piece->before.n_bases == 0 ||
           !tms_dna_same(&from->piece->before, 0, before.dna, before.base, is_minus, 1);
}

/*
 * The length of the match that begins with a seed.
 *   reaches_end [out] 1: the match reaches the end of the subject's bases in memory, so it may be longer
 */
static uint64_t match_bases(const source *from, size_t subject_part, uint32_t s_start, size_t part, uint32_t q_start, int is_minus,
                            int *reaches_end)
{
    const seed_writer *w = from->writer;
    const seqio_dna_piece *piece = from->piece;
    const tms_dna_part *s_part = &from->subject->parts[subject_part];
    seed_walk walk = walk_from(w, part, q_start, is_minus);
    uint64_t n = w->word_size;
    size_t at = s_start + n;

    *reaches_end = 0;
    while (seed_walk_has_more(w->query, &walk)) {
        size_t here = s_part->start + s_part->n_bases - at, same = seed_walk_same(w->query, &walk, &piece->chunk.dna, at, here);
        n += same;
        if (same < here || !seed_walk_has_more(w->query, &walk) || s_part != &piece->chunk.dna.parts[piece->chunk.dna.n_parts - 1])
            break;
        if (piece->next == NULL) {
            *reaches_end = 1;
            break;
        }
        if (piece->next->chunk.dna.parts->record != s_part->record)
            break;
        piece = piece->next;
        at = (size_t)(s_part->offset + s_part->n_bases - piece->chunk.dna.parts->offset);
        s_part = piece->chunk.dna.parts;
    }
    return n;
}

/*
 * The base of the batch where a match of n bases begins, whose first seed is at q_start. Modulo 2^64: it may lie in an earlier batch, so
 * the caller adds what is before this one.
 */
static inline uint64_t match_begin(const seed_writer *w, uint32_t q_start, int is_minus, uint64_t n)
{
    return is_minus ? q_start + w->word_size - n : q_start;
}

/* BED6: subject, start, end, query:first-last, score, strand. c->middle is "subject, tab, start, tab". */
static char *format_match(const source *from, const cursor *c, char *to, uint32_t q_start, int is_minus, uint64_t n)
{
    const seed_writer *w = from->writer;
    size_t part = c->query_part, name_bytes = w->prefix_at[part + 1] - w->prefix_at[part];
    uint32_t s_start = from->hits[c->i].s_start;
    const tms_dna_part *s_part = &from->subject->parts[c->subject_part];
    uint64_t first = part_offset(w, part) + match_begin(w, q_start, is_minus, n) - w->starts[part];

    to = put(to, c->middle, c->middle_bytes);
    to = decimal_put(to, s_start - s_part->start + s_part->offset + n);
    *to++ = '\t';
    to = put(to, w->prefixes + w->prefix_at[part], name_bytes);
    to[-1] = ':';
    to = decimal_put(to, first + 1);
    *to++ = '-';
    to = decimal_put(to, first + n);
    *to++ = '\t';
    to = decimal_put(to, n < 1000 ? n : 1000);
    memcpy(to, is_minus ? "\t-\n" : "\t+\n", 3);
    return to + 3;
}

static void plot_match(const source *from, const cursor *c, uint32_t q_start, int is_minus, uint64_t n)
{
    const seed_query *query = from->writer->query;
    const dot_match match = {.subject = from->how->first_base + from->hits[c->i].s_start,
                             .query = query->batches[query->batch].first_base + match_begin(from->writer, q_start, is_minus, n),
                             .n_bases = n,
                             .is_minus = is_minus};

    dot_plot_add(from->how->plot, &match);
}

/* Formats, plots and counts matches. to NULL: no lines. */
static char *format_matches(const source *from, cursor *c, char *to, const char *full)
{
    const seed_writer *w = from->writer;
    const int needs_length = to != NULL || seed_matches_need_length(from->how, w->word_size);

    for (; c->i < c->end; c->i++, c->position = 0) {
        const tms_seed_hit hit = from->hits[c->i];
        const tms_seed_place *positions;
        size_t n = positions_of_hit(from, c, &positions);
        for (; c->position < n; c->position++) {
            uint32_t base = TMS_SEED_BASE(positions[c->position]);
            int is_minus = TMS_SEED_IS_MINUS(hit, positions[c->position]);
            uint64_t bases = 0;
            int reaches_end;
            c->query_part = query_part(w, base, c->query_part);
            if (!begins_match(from, c->subject_part, hit.s_start, c->query_part, base, is_minus))
                continue;
            if (to != NULL && to >= full)
                return to;
            if (needs_length)
                bases = match_bases(from, c->subject_part, hit.s_start, c->query_part, base, is_minus, &reaches_end);
            if (needs_length && bases < from->how->least)
                continue;
            if (from->how->plot != NULL)
                plot_match(from, c, base, is_minus, bases);
            if (to != NULL)
                to = format_match(from, c, to, base, is_minus, bases);
            c->n_matches++;
        }
    }
    return to;
}

/* Plots and counts. */
static char *count_matches(const source *from, cursor *c, char *to, const char *full)
{
    (void)full;
    (void)format_matches(from, c, NULL, NULL);
    return to;
}

static int match_reaches_end(const source *from, const tms_seed_hit *hit)
{
    const seed_writer *w = from->writer;
    const size_t s_part = subject_part(from->subject, hit->s_start);
    const tms_seed_place *positions;
    size_t n, part = 0;
    int reaches_end = 0;

    tms_seeds_positions(from->seeds, hit, &positions, &n);
    for (size_t i = 0; i < n && !reaches_end; i++) {
        uint32_t base = TMS_SEED_BASE(positions[i]);
        part = query_part(w, base, part);
        (void)match_bases(from, s_part, hit->s_start, part, base, TMS_SEED_IS_MINUS(*hit, positions[i]), &reaches_end);
    }
    return reaches_end;
}

int seed_writer_needs_more(const seed_writer *w, const seqio_dna_piece *piece, const seeds_found *found)
{
    const tms_dna *subject = &piece->chunk.dna;
    const tms_seed_hit *last = found->n_hits > 0 ? &found->hits[found->n_hits - 1] : NULL;
    source from = {.writer = w, .subject = subject, .seeds = found->seeds, .piece = piece};

    if (last == NULL)
        return 0;
    if (last->s_start + w->word_size >= subject->n_bases && match_reaches_end(&from, last))
        return 1;
    for (size_t i = 0; i < found->n_hits && w->query->n_borders > 0; i++) {
        if (seed_query_is_border(w->query, &found->hits[i]) && match_reaches_end(&from, &found->hits[i]))
            return 1;
    }
    return 0;
}

static char *format_passes(const source *from, cursor *c, char *to, const char *full)
{
    for (; c->i < c->end; c->i++) {
        const tms_seed_pass pass = from->passes[c->i];
        if (to >= full)
            return to;
        if (c->name_bytes == 0 || pass.s_start != c->middle_start)
            make_middle(from, c, pass.s_start);
        c->middle_start = pass.s_start;
        to = put(to, c->middle, c->middle_bytes);
        to = decimal_put(to, (uint64_t)pass.sub_query + 1);
        *to++ = '\n';
    }
    return to;
}

static void free_blocks(seed_writer *w)
{
    for (int i = 0; i < w->n_threads; i++) {
        free(w->blocks[i]);
        w->blocks[i] = NULL;
    }
}

/* Makes the buffers large enough for lines with this subject's names. */
static io_status reserve(seed_writer *w, const tms_dna *subject, io_error *err)
{
    size_t longest = 0, line_bytes;

    for (size_t i = 0; i < subject->n_parts; i++) {
        size_t n = strlen(subject->parts[i].name);
        longest = n > longest ? n : longest;
    }
    line_bytes = w->longest_prefix + longest + LINE_EXTRA;
    if (line_bytes <= w->line_bytes)
        return IO_OK;
    free_blocks(w);
    w->line_bytes = 0;
    for (int i = 0; i < w->n_threads; i++) {
        w->blocks[i] = malloc(w->buffer_bytes + 2 * line_bytes);
        if (w->blocks[i] == NULL)
            return io_fail_memory(err, "lines of output");
    }
    w->line_bytes = line_bytes;
    return IO_OK;
}

/* The lines of items 0 .. n - 1 (hits or passes), per_slice of them at a time. */
struct job {
    seed_writer *writer;
    const source *from;
    format_lines *format;
    size_t n, per_slice;
    struct ordered_section ordered_section;
    atomic_int stop;
    io_status status; /* written by the slice whose turn it is */
    io_error *err;
};

static void write_slice(void *arg, size_t slice, int thread)
{
    struct job *job = arg;
    seed_writer *w = job->writer;
    char *block = w->blocks[thread], *lines = block + w->line_bytes, *to = lines;
    cursor c;
    c.i = slice * job->per_slice;
    c.end = job->n - c.i < job->per_slice ? job->n : c.i + job->per_slice;
    c.position = c.query_part = c.subject_part = c.name_bytes = c.found_end = c.n_matches = 0;
    c.middle = block;
    if (!job->stop)
        to = job->format(job->from, &c, lines, lines + w->buffer_bytes);
    ordered_section_wait(&job->ordered_section, slice);
    while (!job->stop && to > lines) {
        io_status written = io_safe_file_write(w->file, lines, (size_t)(to - lines), job->err);
        if (written != IO_OK) {
            job->status = written;
            job->stop = 1;
        } else {
            to = job->format(job->from, &c, lines, lines + w->buffer_bytes);
        }
    }
    w->n_matches += c.n_matches;
    ordered_section_end(&job->ordered_section, slice);
}

static io_status write_lines(seed_writer *w, const source *from, format_lines *format, size_t n, size_t per_slice, io_error *err)
{
    struct job job = {.writer = w, .from = from, .format = format, .n = n, .per_slice = per_slice, .err = err};

    job.status = reserve(w, from->subject, err);
    if (job.status != IO_OK)
        return job.status;
    ordered_section_init(&job.ordered_section);
    if (tms_context_run(w->ctx, n / per_slice + (n % per_slice != 0), write_slice, &job) != TMS_OK && job.status == IO_OK)
        job.status = io_fail(err, IO_E_OUTPUT, 0, "cancelled");
    ordered_section_destroy(&job.ordered_section);
    return job.status;
}

/* The number of hits that have about SLICE_LINES seeds. */
static size_t hits_per_slice(const seeds_found *found)
{
    double n = found->n_seeds > 0 ? (double)SLICE_LINES * (double)found->n_hits / (double)found->n_seeds : 0;

    return n > MIN_SLICE_HITS ? (size_t)n : MIN_SLICE_HITS;
}

io_status seed_writer_put_seeds(seed_writer *w, const tms_dna *subject, const seeds_found *found, io_error *err)
{
    source from = {.writer = w, .subject = subject, .seeds = found->seeds, .hits = found->hits, .first = 1};

    return write_lines(w, &from, format_seeds, found->n_hits, hits_per_slice(found), err);
}

io_status seed_writer_put_matches(seed_writer *w, const seqio_dna_piece *piece, const seeds_found *found, const seed_matches *how,
                                  uint64_t *n_matches, io_error *err)
{
    source from = {.writer = w, .subject = &piece->chunk.dna, .seeds = found->seeds, .hits = found->hits, .piece = piece, .how = how};
    io_status status;

    w->n_matches = 0;
    status = write_lines(w, &from, how->has_lines ? format_matches : count_matches, found->n_hits, hits_per_slice(found), err);

    *n_matches += w->n_matches;
    return status;
}

io_status seed_writer_put_passes(seed_writer *w, const tms_dna *subject, const tms_seed_pass *passes, size_t n_passes, io_error *err)
{
    source from = {.writer = w, .subject = subject, .passes = passes, .first = 1};

    return write_lines(w, &from, format_passes, n_passes, SLICE_LINES, err);
}

static io_status copy_names(seed_writer *w, const tms_dna *query, io_error *err)
{
    size_t n = query->n_parts, n_bytes = 0;

    for (size_t i = 0; i < n; i++)
        n_bytes += strlen(query->parts[i].name) + 1;
    w->starts = malloc((n + 1) * sizeof *w->starts);
    w->prefix_at = malloc((n + 1) * sizeof *w->prefix_at);
    w->prefixes = malloc(n_bytes + COPY);
    if (w->starts == NULL || w->prefix_at == NULL || w->prefixes == NULL)
        return io_fail_memory(err, "the query's names");
    n_bytes = 0;
    for (size_t i = 0; i < n; i++) {
        size_t size = strlen(query->parts[i].name) + 1;
        w->starts[i] = query->parts[i].start;
        w->prefix_at[i] = n_bytes;
        memcpy(w->prefixes + n_bytes, query->parts[i].name, size - 1);
        n_bytes += size;
        w->prefixes[n_bytes - 1] = '\t';
        w->longest_prefix = size > w->longest_prefix ? size : w->longest_prefix;
    }
    memset(w->prefixes + n_bytes, 0, COPY);
    w->starts[n] = (uint32_t)query->n_bases;
    w->prefix_at[n] = n_bytes;
    w->n_parts = n;
    return IO_OK;
}

io_status seed_writer_create(const seed_query *query, uint32_t word_size, tms_context *ctx, io_safe_file *file, seed_writer **out,
                             io_error *err)
{
    const tms_dna *batch = query->batches[query->batch].dna;
    int n_threads = tms_context_threads(ctx);
    seed_writer *w = calloc(1, sizeof *w);
    size_t share = (size_t)BUFFERS_TOTAL / (size_t)n_threads;
    io_status status;

    *out = NULL;
    if (w == NULL || (w->blocks = calloc((size_t)n_threads, sizeof *w->blocks)) == NULL) {
        free(w);
        return io_fail_memory(err, "lines of output");
    }
    w->file = file;
    w->word_size = word_size;
    w->query = query;
    w->offset = batch->n_parts > 0 ? batch->parts->offset : 0;
    w->ctx = ctx;
    w->n_threads = n_threads;
    w->buffer_bytes = share < BUFFER_MIN ? BUFFER_MIN : share > BUFFER_MAX ? BUFFER_MAX : share;
    status = copy_names(w, batch, err);
    if (status != IO_OK) {
        seed_writer_destroy(w);
        return status;
    }
    *out = w;
    return IO_OK;
}

void seed_writer_destroy(seed_writer *w)
{
    if (w == NULL)
        return;
    free_blocks(w);
    free(w->blocks);
    free(w->starts);
    free(w->prefix_at);
    free(w->prefixes);
    free(w);
}
