/* seq_cuda.cu - keeps the arrays of a batch in workspaces of the GPU, which later batches reuse. */
#include "device/gpu_internal.cuh"
#include "seq/seq_cuda.h"

/* Kernels read whole words, so up to 16 bytes beyond the end may be read. */
#define PADDING 16

template <class T> static tms_status upload(struct gpu *gpu, const char *name, const T *from, size_t n, const T **out)
{
    T *d_to;
    tms_status status = gpu_workspace_of(gpu, name, n + PADDING, &d_to);
    *out = d_to;
    if (status != TMS_OK)
        return status;
    if (n > 0)
        GPU_TRY(gpu, name, cudaMemcpyAsync(d_to, from, n * sizeof(T), cudaMemcpyHostToDevice, gpu->stream));
    return TMS_OK;
}

tms_status seqs_upload(struct gpu *gpu, const tms_seqs *seqs, struct seqs_on_gpu *out)
{
    static const uint64_t none = 0;
    const uint64_t *starts = seqs->n_records ? seqs->residue_starts : &none;
    size_t n_residues = (size_t)starts[seqs->n_records];
    *out = seqs_on_gpu{seqs->n_records, NULL, NULL, NULL};
    tms_status status = upload(gpu, "residues of records", seqs->residues, n_residues, &out->d_residues);
    if (status == TMS_OK)
        status = upload(gpu, "starts of records", starts, seqs->n_records + 1, &out->d_residue_starts);
    if (status == TMS_OK && seqs->qualities)
        status = upload(gpu, "qualities of records", seqs->qualities, n_residues, &out->d_qualities);
    return status;
}
