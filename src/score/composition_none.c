/* composition_none.c - matrices of many pairs in a build without CUDA. */
#include "score/composition_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status composition_gpu_make(struct gpu *gpu, const struct composition_basis *basis, const struct composition_gpu_batch *batch,
                                struct composition_gpu_matrices *out)
{
    return TMS_E_DEVICE;
}
