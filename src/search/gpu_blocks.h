/*
 * gpu_blocks.h - the subjects of a search in the memory of GPUs. They are cut into blocks of equal size; block k is GPU k mod n's, for n
 * GPUs. All blocks of a GPU stay there if they fit. Else it has room for two: one is searched while the next one comes.
 */
#ifndef TMS_GPU_BLOCKS_H
#define TMS_GPU_BLOCKS_H

#include "lookup/two_hit_gpu.h"
#include "search/search_subjects.h"

enum { GPU_LOAD_COPIES = 8 }; /* of a block, that are on their way at once */

#define GPU_NO_BLOCK SIZE_MAX

struct gpu_device {
    tms_context *ctx;                 /* what scans are made with: the search's own, or a private one */
    tms_context *loader;              /* what blocks are copied with, beside that: a private one; ctx itself if there is one block */
    size_t number;                    /* of those of the search */
    size_t n_blocks;                  /* its own */
    size_t work_bytes;                /* of device memory, for scans and gapped extensions */
    size_t most_codes, most_subjects; /* of its blocks, gaps included */
    /* Block j is in slot j mod n_slots, if held has its number there. */
    struct two_hit_gpu_subjects **slots;
    size_t *held, n_slots;
    bool is_descending;            /* the next group of queries begins with the last block: it and the one before are still there */
    void *pieces[GPU_LOAD_COPIES]; /* host memory from which pieces of blocks are copied: n_pieces; NULL: not yet */
    size_t piece_bytes, n_pieces;
};

struct search_gpu {
    struct gpu_device *devices;
    size_t n_devices;
    uint64_t *firsts; /* [n_blocks + 1] subjects */
    size_t n_blocks, firsts_capacity;
    uint64_t longest; /* residues of a subject */
    int word_size;    /* of the queries */
    bool keeps_all;
};

/* What the caller wants. */
struct search_gpu_limits {
    const int32_t *more; /* GPUs beside the context's; none twice */
    size_t n_more;
    uint64_t memory; /* bytes that the search may use of each one's memory; 0: what is free */
    int word_size;   /* of the queries */
};

/*
 * search_gpu_create() - opens the other GPUs, and cuts subjects into blocks. The context has a GPU, the same in all calls.
 * Returns TMS_OK; TMS_E_ARG: a subject has no space in so much memory; TMS_E_MEMORY; TMS_E_DEVICE, with the number of the GPU.
 */
tms_status search_gpu_create(tms_context *ctx, const tms_seqdb *db, const struct search_gpu_limits *wish, struct search_gpu **out);
void search_gpu_destroy(struct search_gpu *gpu); /* NULL is fine */

/* search_gpu_check() - before any GPU is there: whether so much memory will do, if it is free. Returns TMS_OK; TMS_E_ARG, as above. */
tms_status search_gpu_check(tms_context *ctx, const tms_seqdb *db, const struct search_gpu_limits *wish);

/* search_gpu_takes() - whether the tables of a pack of queries are for all of the GPUs. */
bool search_gpu_takes(const struct search_gpu *gpu, const struct two_hit_gpu_tables *tables);

/* search_gpu_block() - the number among all blocks of a GPU's block j. */
static inline size_t search_gpu_block(const struct search_gpu *gpu, const struct gpu_device *device, size_t j)
{
    return device->number + j * gpu->n_devices;
}

#endif
