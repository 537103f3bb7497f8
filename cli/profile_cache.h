/* profile_cache.h - finds, reads and applies the stored profile of this machine. */
#ifndef TAMIS_CLI_PROFILE_CACHE_H
#define TAMIS_CLI_PROFILE_CACHE_H

#include "cli/data_files.h"
#include "figures/profile_file.h"
#include "tamis/model.h"

/*
 * profile_cache_path() - the path of this machine's profile, in $XDG_CACHE_HOME/tamis, else in ~/.cache/tamis; the name has the device, its
 * driver and the version of tamis.
 *   gpu  [in] 1: the profile of the GPU with the CPU beside it; 0: that of the CPU alone
 *   path [out] "" on failure
 * Returns 1; 0 if neither XDG_CACHE_HOME nor HOME is an absolute path, or the path is too long.
 */
int profile_cache_path(const tms_machine *here, int gpu, char path[DATA_PATH]);

/*
 * profile_cache_read() - reads the stored profile of this machine.
 *   gpu [in] as for profile_cache_path()
 * Returns 1; 0 if there is no profile; -1 if it is damaged or of another machine: *err has the reason and the remedy.
 */
int profile_cache_read(const tms_machine *here, int gpu, profile_file *out, io_error *err);

/*
 * profile_cache_find() - the newest stored profile of a GPU with a CPU like this machine's: for decisions before CUDA starts, when the GPU
 * of this machine is still unknown. Skips unreliable and unusable profiles. With TAMIS_TUNE=off it finds none.
 *   here [in] only the members of the CPU are used
 *   path [out] the file; "" if there is none
 * Returns 1; 0 if there is none.
 */
int profile_cache_find(const tms_machine *here, profile_file *out, char path[DATA_PATH]);

/*
 * profile_cache_apply() - gives the kernels of the context's GPU the launch shapes of its stored profile (tms_model_apply()). Without a
 * usable profile, or with TAMIS_TUNE=off, the kernels keep the built-in ones. why [out] why the stored profile cannot be used; "" if it
 * can, or if there is none
 */
void profile_cache_apply(tms_context *ctx, char *why, size_t size);

#endif
