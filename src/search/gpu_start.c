/* gpu_start.c - see gpu_start.h. */
#include "search/gpu_start.h"

#include "search/subject_residues.h"
#include "seqdb/protein_decode.h"

enum { SUBJECTS_AT_ONCE = 256, PAGE_BYTES = 4096 };

/* Called when the context's GPU is open or could not be opened: proceeds as if the search was created now. */
static tms_status open_awaited(void *arg)
{
    struct search_gpu_start *start = arg;
    struct search_gpu_limits limits = start->limits;
    tms_status status = start->await(start->await_arg, start->ctx);

    limits.n_more = start->ctx->gpu != NULL ? limits.n_more : 0;
    if (status == TMS_OK)
        status = search_gpu_limits_check(start->ctx, &limits, false);
    if (status == TMS_OK)
        status = start->open(start->search, &limits);
    if (status == TMS_OK) {
        start->subjects->awaits_gpu = false;
        start->subjects->open_gpu = NULL;
    }
    start->has_failed = status != TMS_OK;
    return status;
}

tms_status search_gpu_start(struct search_gpu_start *start)
{
    struct search_gpu_limits *limits = &start->limits;
    tms_status status = search_gpu_limits_check(start->ctx, limits, start->await != NULL);

    if (status != TMS_OK || start->await == NULL)
        return status == TMS_OK ? start->open(start->search, limits) : status;
    for (size_t i = 0; i < limits->n_more; i++)
        start->more[i] = limits->more[i];
    limits->more = start->more;
    start->subjects->open_gpu = open_awaited;
    start->subjects->open_arg = start;
    return TMS_OK;
}

struct awaiting {
    const struct search_subjects *subjects;
    uint64_t end;      /* of the subjects */
    tms_status status; /* status of open_gpu(), valid once is_over is set */
    atomic_bool is_over;
    atomic_uint_fast64_t next; /* first subject that no thread has read */
    atomic_uint_fast64_t sums; /* what has been read, so that it is: damaged proteins, which are reported when they are gathered; bases */
};

static bool is_damaged(const tms_seqdb *db, uint64_t i)
{
    uint64_t n;
    const uint8_t *codes = tms_seqdb_protein(db, i, &n);

    return n > SUBJECT_MAX_RESIDUES || !protein_codes_are_sound(codes, (size_t)n);
}

/* Reads a byte of each page of a subject's bases. */
static uint64_t sum_pages(const tms_seqdb *db, uint64_t i)
{
    uint64_t n, sum = 0;
    const uint8_t *packed = tms_seqdb_packed(db, i, &n);

    for (uint64_t k = 0; k < n / BASES_A_BYTE; k += PAGE_BYTES)
        sum += packed[k];
    return sum;
}

static void read_subjects(struct awaiting *a)
{
    uint64_t first, sum = 0;

    while (!atomic_load(&a->is_over) && (first = atomic_fetch_add(&a->next, SUBJECTS_AT_ONCE)) < a->end) {
        for (uint64_t i = first; i < a->end && i < first + SUBJECTS_AT_ONCE; i++)
            sum += a->subjects->codons != NULL ? sum_pages(a->subjects->db, i) : is_damaged(a->subjects->db, i);
    }
    atomic_fetch_add(&a->sums, sum);
}

/* The first task, which starts first, opens the GPU and then ends the others. */
static void open_or_read(void *arg, size_t task, int thread)
{
    struct awaiting *a = arg;

    (void)thread;
    if (task > 0) {
        read_subjects(a);
        return;
    }
    a->status = a->subjects->open_gpu(a->subjects->open_arg);
    atomic_store(&a->is_over, true);
}

tms_status search_open_gpu(tms_context *ctx, struct search_state *s)
{
    const tms_seqdb_range range = search_subjects_range(s->subjects);
    struct awaiting a = {.subjects = s->subjects, .end = range.end, .status = TMS_OK};
    tms_status status;

    if (s->subjects->open_gpu == NULL)
        return TMS_OK;
    atomic_init(&a.is_over, false);
    atomic_init(&a.next, range.first);
    atomic_init(&a.sums, 0);
    status = tms_context_run(ctx, s->subjects->awaits_gpu ? (size_t)tms_context_threads(ctx) : 1, open_or_read, &a);
    s->message_is_set = a.status != TMS_OK;
    return a.status != TMS_OK ? a.status : status;
}
