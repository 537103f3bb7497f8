/* seq_none.c - replaces seq_cuda.cu in a build without CUDA. No GPU opens there, so nobody calls these functions. */
#include "seq/seq_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status seqs_upload(struct gpu *gpu, const tms_seqs *seqs, struct seqs_on_gpu *out) { return TMS_E_DEVICE; }
