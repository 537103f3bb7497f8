/* predict_blastp.c - tms_model_blastp(): whether a GPU is worth its start. */
#include <float.h>
#include <math.h>

#include "model/profile.h"

/* Of an H200 and its host, as `tamis model calibrate` found them. They stand for what a profile does not have. */
static const struct {
    enum profile_value value;
    double usual;
} start = {PROFILE_GPU_START, 0.15}, copy_in = {PROFILE_COPY_IN, 55e9}, of_thread = {PROFILE_BLASTP_CPU, 6e10},
  of_gpu = {PROFILE_BLASTP_GPU, 2.3e13};

/* CUDA's end takes the driver 0.06 s where its start takes 0.15 s. A process cannot measure its own. */
#define START_AND_END 1.4

#define VALUE(number) (profile && profile->values[(number).value] > 0 ? profile->values[(number).value] : (number).usual)

double tms_model_blastp(const tms_profile *profile, double query_residues, double subject_residues, int n_threads)
{
    const double cells = query_residues * subject_residues;
    const double seconds = n_threads > 0 ? cells / (n_threads * VALUE(of_thread))
                                         : START_AND_END * VALUE(start) + subject_residues / VALUE(copy_in) + cells / VALUE(of_gpu);
    return fmin(seconds, DBL_MAX);
}
