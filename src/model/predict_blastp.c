/* predict_blastp.c - tms_model_blastp(): predicts whether a GPU saves more time than it takes to start. */
#include <float.h>
#include <math.h>

#include "model/profile.h"

/* Of an H200 and its host: defaults for numbers that a profile lacks. The last two are of whole searches (doc/model.md). */
static const struct {
    enum profile_value value;
    double usual;
} start = {PROFILE_GPU_START, 0.19}, copy_in = {PROFILE_COPY_IN, 55e9}, of_thread = {PROFILE_BLASTP_CPU, 1.4e11},
  of_gpu = {PROFILE_BLASTP_GPU, 3.2e13};

/* The driver takes 0.06 s to shut CUDA down where it takes 0.15 to 0.19 s to start it. A process cannot measure its own shutdown. */
#define START_AND_END 1.4

#define VALUE(number) (profile && profile->values[(number).value] > 0 ? profile->values[(number).value] : (number).usual)

double tms_model_blastp(const tms_profile *profile, double query_residues, double subject_residues, int n_threads)
{
    const double cells = query_residues * subject_residues;
    const double seconds = n_threads > 0 ? cells / (n_threads * VALUE(of_thread))
                                         : START_AND_END * VALUE(start) + subject_residues / VALUE(copy_in) + cells / VALUE(of_gpu);
    return fmin(seconds, DBL_MAX);
}
