/* profile_cache.h - where the profile of this machine is kept, and what commands take from it. */
#ifndef TAMIS_CLI_PROFILE_CACHE_H
#define TAMIS_CLI_PROFILE_CACHE_H

#include "cli/data_files.h"
#include "figures/profile_file.h"
#include "tamis/model.h"

/*
 * profile_cache_path() - where this machine's profile is kept: $XDG_CACHE_HOME/tamis, else ~/.cache/tamis; named after the device, its
 * driver and the version of tamis.
 *   gpu  [in] 1: of the GPU, and the CPU beside it; 0: of the CPU alone
 *   path [out] "" where there is none
 * Returns 1; 0 where neither variable says where, or it does not fit.
 */
int profile_cache_path(const tms_machine *here, int gpu, char path[DATA_PATH]);

/*
 * profile_cache_read() - the profile that is kept of this machine; gpu as above.
 * Returns 1; 0: there is none; -1: it is damaged or of another machine, and *err says what would do.
 */
int profile_cache_read(const tms_machine *here, int gpu, profile_file *out, io_error *err);

/*
 * profile_cache_find() - the newest profile that is kept of a GPU beside a CPU like this machine's: for what is to be known before CUDA
 * starts, when nobody knows which GPU is here. Unreliable profiles, and those that cannot be used, are passed over. With TAMIS_TUNE=off
 * there is none.
 *   here [in] of it the CPU's half
 *   path [out] the file; "" where there is none
 * Returns 1; 0: there is none.
 */
int profile_cache_find(const tms_machine *here, profile_file *out, char path[DATA_PATH]);

/*
 * profile_cache_apply() - kernels of the context's GPU take their shapes from the profile that is kept of it (tms_model_apply()). Without a
 * profile, or with one that cannot be used, they keep the fixed ones. With TAMIS_TUNE=off it is not looked at.
 *   why [out] why the profile that is kept cannot be used; "" where that is not so
 */
void profile_cache_apply(tms_context *ctx, char *why, size_t size);

#endif
