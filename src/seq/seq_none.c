/* seq_none.c - records in GPU memory, in a build without CUDA: no GPU opens, so nobody calls this. */
#include "seq/seq_cuda.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

tms_status seqs_upload(struct gpu *gpu, const tms_seqs *seqs, struct seqs_on_gpu *out) { return TMS_E_DEVICE; }
