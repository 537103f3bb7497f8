/*
 * gpu_blocks.h - the subjects of a search in the memory of GPUs. The scanned part of the database is cut into blocks of equal size; with n
 * GPUs, block k belongs to GPU k mod n. If all blocks of a GPU fit into its memory they stay there. Otherwise the GPU has two slots: it
 * searches one block while the next one is loaded into the other.
 */
#ifndef TMS_GPU_BLOCKS_H
#define TMS_GPU_BLOCKS_H

#include "lookup/two_hit_gpu.h"
#include "search/gpu_frames.h"

enum { GPU_LOAD_COPIES = 4 }; /* most copies of parts of a block that can be under way at once */

#define GPU_NO_BLOCK SIZE_MAX

/* Room for a block on a GPU. */
struct block_slot {
    struct two_hit_gpu_subjects *subjects; /* NULL: not allocated yet */
    size_t held;                           /* number of the block among the GPU's, or GPU_NO_BLOCK */
};

struct gpu_device {
    tms_context *ctx;         /* the context that scans; the search's own, or a private one */
    tms_context *loader;      /* the context that copies blocks during scans; a private one, or ctx itself if there is one block */
    tms_context *aligner;     /* a private context, which aligns during scans; NULL: not opened yet */
    size_t number;            /* the GPU's number in the search */
    size_t n_blocks;          /* number of the GPU's blocks */
    size_t work_bytes;        /* device memory for scans and gapped extensions */
    size_t align_bytes;       /* device memory for alignments; 0: too little is there */
    struct gpu_size most;     /* of the GPU's blocks */
    struct block_slot *slots; /* n_slots; block j is in slot j mod n_slots if that holds j */
    size_t n_slots;
    bool is_descending;             /* the next pass begins with the last block: that block and the one before are still in their slots */
    void *buffers[GPU_LOAD_COPIES]; /* n_buffers buffers in pinned host memory, from which blocks are copied; NULL: not allocated yet */
    size_t buffer_bytes, n_buffers;
};

struct search_gpu {
    struct gpu_device *devices;
    size_t n_devices;
    uint64_t *firsts; /* [n_blocks + 1] the first subject of each block */
    size_t n_blocks, firsts_capacity;
    uint32_t *pieces;    /* of translated subjects: for each block the first piece of each subject, and the end, by search_gpu_pieces() */
    uint64_t longest;    /* residues or bases of the longest subject */
    uint64_t n_residues; /* of all subjects, or of their frames, as far as they are scanned */
    int word_size;       /* word size of the queries */
    bool keeps_all;
};

/* The GPUs and the memory that the caller grants. */
struct search_gpu_limits {
    const int32_t *more; /* numbers of the GPUs beside the context's, without repetition */
    size_t n_more;
    uint64_t memory; /* bytes of memory that the search may use on each GPU; 0: all that is free */
    int word_size;   /* word size of the queries */
};

/*
 * search_gpu_limits_check() - whether a caller may ask for these GPUs and for this memory.
 *   awaits [in] the context gets its GPU later
 * Returns TMS_OK, or TMS_E_ARG with a message.
 */
tms_status search_gpu_limits_check(tms_context *ctx, const struct search_gpu_limits *limits, bool awaits);

/*
 * search_gpu_open_private() - makes a context on another GPU, which one thread at a time uses.
 *   out [out] destroyed with tms_context_destroy()
 * Returns TMS_OK, TMS_E_MEMORY or TMS_E_DEVICE, with a message in ctx that names the GPU.
 */
tms_status search_gpu_open_private(tms_context *ctx, int index, tms_context **out);

/*
 * search_gpu_create() - opens the other GPUs and cuts the scanned part of the database into blocks. The context must have a GPU, the same
 * one in all calls. Returns TMS_OK; TMS_E_ARG: the memory is too small for the longest subject; TMS_E_MEMORY; TMS_E_DEVICE, with the GPU's
 * number in the message.
 */
tms_status search_gpu_create(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits,
                             struct search_gpu **out);
void search_gpu_destroy(struct search_gpu *gpu); /* NULL is fine */

/* search_gpu_holds() - whether any GPU can hold the longest subject, with as much memory as it takes. */
bool search_gpu_holds(const struct search_subjects *subjects);

/* search_gpu_check() - checks, without a GPU, whether this much memory is enough for the longest subject. Returns TMS_OK or TMS_E_ARG. */
tms_status search_gpu_check(tms_context *ctx, const struct search_subjects *subjects, const struct search_gpu_limits *limits);

/* search_gpu_takes() - whether every GPU supports the tables of a group of queries. */
bool search_gpu_takes(const struct search_gpu *gpu, const struct two_hit_gpu_tables *tables);

/* search_gpu_pieces() - of block k of all: the number, in the block, of each subject's first piece, and of all; NULL: not translated. */
static inline const uint32_t *search_gpu_pieces(const struct search_gpu *gpu, size_t k)
{
    return gpu->pieces != NULL ? gpu->pieces + (gpu->firsts[k] - gpu->firsts[0]) + k : NULL;
}

/* search_gpu_block() - the number, among all blocks of the search, of block j of a GPU. */
static inline size_t search_gpu_block(const struct search_gpu *gpu, const struct gpu_device *device, size_t j)
{
    return device->number + j * gpu->n_devices;
}

#endif
