/* two_hit_none.c - the two-hit scan on a GPU in a build without CUDA: no context has a GPU, and no tables are made. */
#include "lookup/two_hit_gpu.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

size_t two_hit_gpu_free_bytes(const tms_context *ctx) { return 0; }

tms_status two_hit_gpu_subjects_space(tms_context *ctx, int word_size, size_t n_codes, size_t n, size_t n_packed,
                                      struct two_hit_gpu_subjects **out)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_subjects_begin(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint32_t *starts, size_t n)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_subjects_put(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint8_t *codes, size_t first, size_t n)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_subjects_put_bases(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const uint8_t *packed, size_t first,
                                          size_t n)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_subjects_translate(tms_context *ctx, struct two_hit_gpu_subjects *subjects, const struct packed_codons *residues,
                                          const uint64_t *codons)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_subjects_finish(tms_context *ctx, struct two_hit_gpu_subjects *subjects) { return TMS_E_DEVICE; }

void two_hit_gpu_subjects_destroy(struct two_hit_gpu_subjects *subjects) {}

bool two_hit_gpu_takes(const tms_context *ctx, const struct two_hit_gpu_tables *tables, size_t work_bytes) { return false; }

tms_status two_hit_gpu_scan(tms_context *ctx, const struct two_hit_gpu_subjects *subjects, const struct two_hit_gpu_tables *tables,
                            struct two_hit_gpu_part *part, struct two_hit_gpu_found *out)
{
    return TMS_E_DEVICE;
}

tms_status two_hit_gpu_fetch(tms_context *ctx, struct two_hit_gpu_found *found, size_t first, size_t n) { return TMS_E_DEVICE; }

void two_hit_gpu_found_free(struct two_hit_gpu_found *found) {}
