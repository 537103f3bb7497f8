/* seq_cuda.h - copies a batch of records to a GPU's memory. */
#ifndef TMS_SEQ_CUDA_H
#define TMS_SEQ_CUDA_H

#include "device/gpu.h"
#include "tamis/seq.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The arrays of a tms_seqs, without the headers, which kernels do not need. */
struct seqs_on_gpu {
    size_t n_records;
    const uint8_t *d_residues;
    const uint64_t *d_residue_starts; /* n_records + 1 offsets */
    const uint8_t *d_qualities;       /* NULL if the batch has none */
};

/*
 * seqs_upload() - copy a batch to the GPU, replacing the previous batch. Queued on the stream of the kernels: seqs must not change until
 * the caller has waited for them.
 *   out [out] valid until the next upload to this GPU
 * Returns TMS_OK; TMS_E_MEMORY; TMS_E_DEVICE.
 */
tms_status seqs_upload(struct gpu *gpu, const tms_seqs *seqs, struct seqs_on_gpu *out);

#ifdef __cplusplus
}
#endif
#endif
