/*
 * io_outputs.c - a file's bytes pass three stages: appended by the caller (fresh), ready to be written (ready), being written by the
 * thread (going).
 *
 * hand_over() starts the thread when there is more to write than a small run has; if it cannot be started, the caller writes. The thread
 * blocks all signals: the caller's thread creates the temporary files, and its handler removes them.
 */
#include "io/io_outputs.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/stat.h>

#include "io/io_file_set.h"

enum {
    FLUSH_BYTES = 256 << 10, /* io_outputs_flush() keeps fewer bytes than this in memory */
    KEEP_BYTES = 16 << 20,   /* memory of buffers that is kept for reuse */
    BLOCKS_AT_ONCE = 256     /* blocks compressed before they are written: 16 MiB of BGZF */
};

typedef struct output {
    io_safe_file *file;
    io_compression compression;
    int is_begun;             /* 1: a block has been compressed, with `codes` */
    io_compress_codes *codes; /* of the file, made from its first block */
    struct byte_array fresh, ready, going;
} output;

/* A block to compress. */
typedef struct block {
    const output *from;
    size_t at, n; /* position and number of bytes in from->fresh */
    uint8_t *packed;
    size_t n_packed;
} block;

struct io_outputs {
    tms_context *ctx;
    output *items;
    size_t n, capacity;
    io_packer **packers; /* one compressor a thread */
    int n_packers;
    block blocks[BLOCKS_AT_ONCE];
    size_t n_blocks;
    struct byte_array packed;
    atomic_int failed; /* 1: the compressor had no memory for a block */

    pthread_t thread;
    int thread_runs, no_thread; /* no_thread: pthread_create() has failed */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int is_writing, stop;
    io_status written; /* the thread's first failure, or IO_OK */
    io_error why;
};

io_status io_outputs_create(tms_context *ctx, io_outputs **out, io_error *err)
{
    io_outputs *o = *out = calloc(1, sizeof *o);

    if (o == NULL)
        return io_fail_memory(err, "output files");
    o->ctx = ctx;
    pthread_mutex_init(&o->lock, NULL);
    pthread_cond_init(&o->changed, NULL);
    return IO_OK;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Returns 1 if two paths name one file, whether or not it exists. */
static int is_same_path(const char *a, const char *b)
{
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    const char *name_a = slash_a != NULL ? slash_a + 1 : a, *name_b = slash_b != NULL ? slash_b + 1 : b;
    struct stat dir_a, dir_b;
    char *dirs[2];
    int is_same;

    if (strcmp(name_a, name_b) != 0)
        return 0;
    dirs[0] = strndup(slash_a != NULL ? a : "./", slash_a != NULL ? (size_t)(name_a - a) : 2);
    dirs[1] = strndup(slash_b != NULL ? b : "./", slash_b != NULL ? (size_t)(name_b - b) : 2);
    is_same = dirs[0] != NULL && dirs[1] != NULL && stat(dirs[0], &dir_a) == 0 && stat(dirs[1], &dir_b) == 0 &&
              dir_a.st_dev == dir_b.st_dev && dir_a.st_ino == dir_b.st_ino;
    free(dirs[0]);
    free(dirs[1]);
    return is_same;
}

/* Returns 1 if two outputs would mix their bytes. /dev/null may be used by any number of outputs. */
static int is_same_output(const io_safe_file *a, const io_safe_file *b)
{
    if (io_safe_file_is_direct(a) || io_safe_file_is_direct(b))
        return strcmp(io_safe_file_path(a), "-") == 0 && strcmp(io_safe_file_path(b), "-") == 0;
    return is_same_path(io_safe_file_path(a), io_safe_file_path(b));
}

io_status io_outputs_add(io_outputs *o, const io_output *how, io_compression compression, size_t *number, io_error *err)
{
    io_safe_file *file;
    io_status status;

    if (!array_reserve(&o->items, &o->capacity, o->n + 1, sizeof *o->items))
        return io_fail_memory(err, "output files");
    status = io_safe_file_open(how, &file, err);
    if (status != IO_OK)
        return status;
    for (size_t i = 0; i < o->n; i++) {
        if (!is_same_output(file, o->items[i].file))
            continue;
        io_safe_file_abort(file);
        return io_fail(err, IO_E_REFUSED, 0, "%s: two outputs have this name: give each its own",
                       strcmp(how->path, "-") == 0 ? "standard output" : how->path);
    }
    o->items[o->n] = (output){.file = file, .compression = compression};
    *number = o->n++;
    return IO_OK;
}

struct byte_array *io_outputs_buffer(io_outputs *o, size_t number) { return &o->items[number].fresh; }

/* ---- compression ------------------------------------------------------------------------------------------------ */

static io_status make_packers(io_outputs *o, io_error *err)
{
    int n = tms_context_threads(o->ctx);

    if (o->packers != NULL)
        return IO_OK;
    o->packers = calloc((size_t)n, sizeof *o->packers);
    if (o->packers == NULL)
        return io_fail_memory(err, "compression");
    for (o->n_packers = 0; o->n_packers < n; o->n_packers++) {
        io_status status = io_packer_create(&o->packers[o->n_packers], err);
        if (status != IO_OK)
            return status;
    }
    return IO_OK;
}

static void pack_block(void *arg, size_t task, int thread)
{
    io_outputs *o = arg;
    block *b = &o->blocks[task];

    b->n_packed = io_compress_block(o->packers[thread], b->from->compression, b->from->codes, b->from->fresh.bytes + b->at, b->n,
                                    b->packed);
    if (b->n_packed == 0)
        atomic_store(&o->failed, 1);
}

/* Compresses the waiting blocks, and appends them to the ready bytes in order. */
static io_status pack_waiting(io_outputs *o, io_error *err)
{
    size_t most = 0;
    io_status status = make_packers(o, err);

    if (status != IO_OK)
        return status;
    for (size_t i = 0; i < o->n_blocks; i++)
        most += io_compress_most_bytes(o->blocks[i].from->compression);
    o->packed.n = 0;
    if (byte_array_room(&o->packed, most) == NULL)
        return io_fail_memory(err, "compression");
    most = 0;
    for (size_t i = 0; i < o->n_blocks; i++) {
        o->blocks[i].packed = o->packed.bytes + most;
        most += io_compress_most_bytes(o->blocks[i].from->compression);
    }
    if (tms_context_run(o->ctx, o->n_blocks, pack_block, o) != TMS_OK || o->failed)
        return io_fail_memory(err, "compression");
    for (size_t i = 0; i < o->n_blocks; i++) {
        const block *b = &o->blocks[i];
        output *to = &o->items[b->from - o->items];
        if (!byte_array_add(&to->ready, b->packed, b->n_packed))
            return io_fail_memory(err, "output files");
        to->is_begun = 1;
    }
    o->n_blocks = 0;
    return IO_OK;
}

/* Compresses the whole blocks of every file; at the end also each file's last, shorter block. */
static io_status pack_all(io_outputs *o, int at_end, io_error *err)
{
    size_t *used = calloc(o->n + 1, sizeof *used);
    io_status status = used != NULL ? IO_OK : io_fail_memory(err, "output files");

    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        output *from = &o->items[i];
        size_t n_block = io_compress_block_bytes(from->compression);
        if (from->compression == IO_PLAIN)
            continue;
        while (status == IO_OK && from->fresh.n - used[i] >= (at_end ? 1 : n_block)) {
            size_t left = from->fresh.n - used[i], n = left < n_block ? left : n_block;
            if (!from->is_begun && used[i] == 0)
                status = io_compress_codes_create(from->compression, from->fresh.bytes, n, &from->codes, err);
            if (status != IO_OK)
                break;
            o->blocks[o->n_blocks++] = (block){.from = from, .at = used[i], .n = n};
            used[i] += n;
            if (o->n_blocks == BLOCKS_AT_ONCE)
                status = pack_waiting(o, err);
        }
    }
    if (status == IO_OK && o->n_blocks > 0)
        status = pack_waiting(o, err);
    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        struct byte_array *fresh = &o->items[i].fresh;
        if (used[i] > 0)
            memmove(fresh->bytes, fresh->bytes + used[i], fresh->n - used[i]);
        fresh->n -= used[i];
    }
    free(used);
    return status;
}

static void swap(struct byte_array *a, struct byte_array *b)
{
    struct byte_array c = *a;

    *a = *b;
    *b = c;
}

/* Moves the fresh bytes of uncompressed files to the ready ones. */
static void take_plain(io_outputs *o)
{
    for (size_t i = 0; i < o->n; i++) {
        if (o->items[i].compression == IO_PLAIN && o->items[i].ready.n == 0)
            swap(&o->items[i].fresh, &o->items[i].ready);
    }
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

static io_status write_going(io_outputs *o, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < o->n; i++) {
        struct byte_array *going = &o->items[i].going;
        if (status == IO_OK && going->n > 0)
            status = io_safe_file_write(o->items[i].file, going->bytes, going->n, err);
        going->n = 0;
    }
    return status;
}

static void *write_main(void *arg)
{
    io_outputs *o = arg;
    io_error err;

    pthread_mutex_lock(&o->lock);
    for (;;) {
        io_status status = IO_OK;
        while (!o->is_writing && !o->stop)
            pthread_cond_wait(&o->changed, &o->lock);
        if (!o->is_writing)
            break;
        if (o->written == IO_OK) {
            pthread_mutex_unlock(&o->lock);
            status = write_going(o, &err);
            pthread_mutex_lock(&o->lock);
        }
        if (status != IO_OK) {
            o->written = status;
            o->why = err;
        }
        o->is_writing = 0;
        pthread_cond_broadcast(&o->changed);
    }
    pthread_mutex_unlock(&o->lock);
    return NULL;
}

static void start_thread(io_outputs *o)
{
    sigset_t all, before;

    if (o->thread_runs || o->no_thread)
        return;
    sigfillset(&all); /* the caller's thread handles signals */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    o->thread_runs = pthread_create(&o->thread, NULL, write_main, o) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    o->no_thread = !o->thread_runs;
}

/* Waits until the thread has written everything. Returns the thread's status. */
static io_status wait_written(io_outputs *o, io_error *err)
{
    io_status status;

    pthread_mutex_lock(&o->lock);
    while (o->is_writing)
        pthread_cond_wait(&o->changed, &o->lock);
    status = o->written;
    if (status != IO_OK)
        *err = o->why;
    pthread_mutex_unlock(&o->lock);
    return status;
}

static void end_thread(io_outputs *o)
{
    if (!o->thread_runs)
        return;
    pthread_mutex_lock(&o->lock);
    o->stop = 1;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    pthread_join(o->thread, NULL);
    o->thread_runs = 0;
}

/* Shrinks the buffers. Each of many files may once have held a whole batch. */
static void trim(io_outputs *o)
{
    size_t sum = 0;

    for (size_t i = 0; i < o->n; i++)
        sum += o->items[i].fresh.capacity + o->items[i].ready.capacity + o->items[i].going.capacity;
    for (size_t i = 0; i < o->n && sum > KEEP_BYTES; i++) {
        struct byte_array *fresh = &o->items[i].fresh, *going = &o->items[i].going;
        uint8_t *less = realloc(fresh->bytes, fresh->n + 1);
        free(going->bytes);
        *going = (struct byte_array){NULL, 0, 0};
        if (less != NULL)
            *fresh = (struct byte_array){less, fresh->n, fresh->n + 1};
    }
}

/* Gives the ready bytes to the thread, once it has written the previous ones. */
static io_status hand_over(io_outputs *o, io_error *err)
{
    io_status status = wait_written(o, err);

    if (status == IO_OK)
        trim(o);
    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        output *item = &o->items[i];
        swap(&item->ready, &item->going);
        if (item->going.n > 0 && !io_safe_file_is_direct(item->file))
            status = io_safe_file_write(item->file, "", 0, err); /* creates the temporary file */
    }
    if (status != IO_OK || !o->thread_runs)
        return status == IO_OK ? write_going(o, err) : status;
    pthread_mutex_lock(&o->lock);
    o->is_writing = 1;
    pthread_cond_broadcast(&o->changed);
    pthread_mutex_unlock(&o->lock);
    return IO_OK;
}

io_status io_outputs_flush(io_outputs *o, io_error *err)
{
    size_t n = 0;
    io_status status;

    for (size_t i = 0; i < o->n; i++)
        n += o->items[i].fresh.n;
    if (n < FLUSH_BYTES)
        return IO_OK;
    status = pack_all(o, 0, err);
    if (status != IO_OK)
        return status;
    take_plain(o);
    start_thread(o);
    return hand_over(o, err);
}

/* ---- the end ---------------------------------------------------------------------------------------------------- */

static void free_outputs(io_outputs *o)
{
    for (size_t i = 0; i < o->n; i++) {
        free(o->items[i].fresh.bytes);
        free(o->items[i].ready.bytes);
        free(o->items[i].going.bytes);
        free(o->items[i].codes);
    }
    for (int i = 0; i < o->n_packers; i++)
        io_packer_destroy(o->packers[i]);
    pthread_cond_destroy(&o->changed);
    pthread_mutex_destroy(&o->lock);
    free(o->packers);
    free(o->packed.bytes);
    free(o->items);
    free(o);
}

static io_status write_rest(io_outputs *o, io_error *err)
{
    io_status status = pack_all(o, 1, err);

    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        if (!io_compress_end(o->items[i].compression, !o->items[i].is_begun, &o->items[i].ready))
            status = io_fail_memory(err, "output files");
    }
    if (status != IO_OK)
        return status;
    take_plain(o);
    status = wait_written(o, err);
    end_thread(o);
    return status == IO_OK ? hand_over(o, err) : status;
}

/* Ends the pipes and devices first: bytes written there cannot be taken back, while a regular file can. */
static io_status end_direct(io_outputs *o, io_error *err)
{
    io_status status = IO_OK;

    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        io_safe_file *file = o->items[i].file;
        if (!io_safe_file_is_direct(file))
            continue;
        o->items[i].file = NULL;
        status = io_safe_file_commit(file, err);
    }
    return status;
}

io_status io_outputs_commit(io_outputs *o, io_error *err)
{
    io_file_set *set = NULL;
    io_status status = write_rest(o, err);

    if (status == IO_OK)
        status = end_direct(o, err);
    if (status == IO_OK)
        status = io_file_set_create(&set, err);
    for (size_t i = 0; i < o->n && status == IO_OK; i++) {
        if (o->items[i].file == NULL)
            continue;
        status = io_file_set_take(set, o->items[i].file, 0, err);
        if (status == IO_OK)
            o->items[i].file = NULL;
    }
    if (status == IO_OK) {
        status = io_file_set_commit(set, err);
        set = NULL;
    }
    io_file_set_abort(set);
    io_outputs_abort(o);
    return status;
}

void io_outputs_abort(io_outputs *o)
{
    if (o == NULL)
        return;
    end_thread(o);
    for (size_t i = 0; i < o->n; i++)
        io_safe_file_abort(o->items[i].file);
    free_outputs(o);
}
