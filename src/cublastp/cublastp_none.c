/* cublastp_none.c - cuBLASTP's steps in a build without CUDA: no context has a GPU. */
#include "cublastp/cublastp_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status cublastp_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                         const struct cublastp_options *options, struct cublastp_report *report, struct two_hit_gpu_part *part,
                         struct two_hit_gpu_found *out)
{
    return TMS_E_DEVICE;
}
