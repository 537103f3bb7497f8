/* protein_gpu.h - the GPUs of a protein search: when they are opened, and whether the search can use them. */
#ifndef TMS_PROTEIN_GPU_H
#define TMS_PROTEIN_GPU_H

#include "protein/protein_search.h"

/*
 * protein_gpu_open() - opens the GPUs that the caller asks for, once the setup is complete; with params->await_gpu later, when the search
 * needs them. Without a search on GPUs they must exist nevertheless. The CPU scans if subjects have masks, and with a hit filter, which
 * depends on the order of subjects.
 *   search [in,out] must not move until protein_gpu_close()
 *   takes [in] false: the program's own parameters leave the scan to the CPU
 * Returns TMS_OK; TMS_E_ARG, TMS_E_MEMORY or TMS_E_DEVICE, with a message.
 */
tms_status protein_gpu_open(struct protein_search *search, const tms_blastp_params *params, bool takes);
void protein_gpu_close(struct protein_search *search);

#endif
