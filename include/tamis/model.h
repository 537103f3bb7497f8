/*
 * model.h - how fast and how precise a filter will be on a machine, before it runs ([Ma11, III], [Ma12], doc/model.md).
 *
 * A profile is what was measured of a machine, once. A workload is one run of one of tamis's kernels: what it works on, and how it is
 * launched. The model predicts a workload's time and false-positive rate from the profile; tuning turns that round.
 *
 *     tms_model_calibrate(ctx, 0, &profile, NULL, NULL);              about a minute; keep it
 *     tms_model_predict(ctx, &profile, &workload, TMS_FORM_EXTENDED, &prediction);
 *     tms_model_measure(ctx, &workload, 0, &measurement);             the same workload, run
 *     tms_model_tune(ctx, &profile, &want, choices, n, &n_choices);
 */
#ifndef TAMIS_MODEL_H
#define TAMIS_MODEL_H

#include "tamis/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine -------------------------------------------------------------------------------------------------------------- */

/*
 * A machine: its GPU's limits by the names of [Ma11, Table II] and [Ma12, Table II], as the driver gives them, and its CPU. A machine
 * without a usable GPU has n_multiprocessors 0, and all fields up to l2_bytes are 0 too. Strings are NUL-terminated and possibly cut.
 */
typedef struct tms_machine {
    char gpu[128];
    int32_t driver_version, runtime_version; /* of CUDA, 1000 * major + 10 * minor */
    int32_t compute_major, compute_minor;
    uint32_t n_multiprocessors;  /* MP */
    uint32_t warp_size;          /* W, threads */
    uint32_t registers;          /* R, of a multiprocessor */
    uint32_t max_blocks;         /* B_max / MP: blocks that a multiprocessor holds at most */
    uint32_t max_threads_block;  /* T_maxB */
    uint32_t max_threads;        /* T_maxMP, of a multiprocessor */
    uint64_t shared_bytes;       /* S, of a multiprocessor */
    uint64_t shared_bytes_block; /* that a block may ask for */
    uint64_t shared_reserved;    /* bytes of shared memory that every block takes beside what it asks for */
    uint64_t memory_bytes;       /* global memory */
    uint64_t l2_bytes;           /* C of the second level */
    uint32_t clock_khz, memory_clock_khz;
    char cpu[128];
    uint32_t n_processors;
    int32_t simd;     /* tms_simd */
    char version[16]; /* of tamis */
} tms_machine;

/*
 * tms_model_machine() - ask the driver and the operating system. A context on the CPU gives the CPU alone. Takes milliseconds.
 *   out [out] complete, or undefined on failure
 * Returns TMS_OK or TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_model_machine(tms_context *ctx, tms_machine *out);

/* ---- profiles ----------------------------------------------------------------------------------------------------------------- */

#define TMS_CURVE_POINTS 64

/* A measured curve: y at n ascending x, 0 to TMS_CURVE_POINTS of them. x and y are above 0. */
typedef struct tms_curve {
    uint32_t n;
    double x[TMS_CURVE_POINTS], y[TMS_CURVE_POINTS];
} tms_curve;

#define TMS_PROFILE_VALUES 160
#define TMS_PROFILE_CURVES 64

/*
 * What was measured of a machine: numbers and curves, each with a name that says what it is. Files of profiles go by the names; the
 * numbers' order may change with tamis's version. A profile is plain data: it may be copied, and many threads may read it at once.
 */
typedef struct tms_profile {
    tms_machine machine;
    int32_t has_gpu, has_cpu; /* which of them was measured */
    int32_t reliable;         /* 0: the spread is above 0.15, also when measurements were repeated */
    int32_t unused;
    double spread; /* 0 to 1: lead of a measurement's fastest repeat over its median; all but 3 in 100 measurements have no more */
    double values[TMS_PROFILE_VALUES];
    tms_curve curves[TMS_PROFILE_CURVES];
} tms_profile;

/* Names of values and curves, such as "launch_seconds", in static memory; NULL from the last one on. */
TMS_API const char *tms_profile_value_name(size_t i);
TMS_API const char *tms_profile_curve_name(size_t i);

/*
 * tms_model_calibrate() - measure the machine: the CPU, and the context's GPU if it has one. Takes about a minute on an idle machine, and
 * longer where others use its processors.
 *   max_bytes [in] that tables in the CPU's memory take at most; 0: an eighth of what is free. Up to 8 GiB are used, so curves may end
 * before progress  [in] NULL, or told how much is done, 0 .. 1, by the calling thread out       [out] complete, or undefined on failure
 * Returns TMS_OK, also where out->reliable is 0; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
typedef void tms_model_progress(void *arg, double done);
TMS_API TMS_CHECKED tms_status tms_model_calibrate(tms_context *ctx, uint64_t max_bytes, tms_profile *out, tms_model_progress *progress,
                                                   void *arg);

/*
 * tms_model_calibrate_quick() - the same of fewer sizes, and of tables on the CPU of 256 MiB at most. It takes a fifth of the time on the
 * CPU; on a GPU as long. Between the sizes, and beyond them, predictions are less precise.
 */
TMS_API TMS_CHECKED tms_status tms_model_calibrate_quick(tms_context *ctx, uint64_t max_bytes, tms_profile *out,
                                                         tms_model_progress *progress, void *arg);

/* ---- workloads ---------------------------------------------------------------------------------------------------------------- */

/*
 * RANDOM    the micro-benchmark [Ma12, III]: D random pointers, each followed into a table of m bits
 * BANK      stage 1 of BLASTN [Ma11; Ma12, IV]: D w-mers of a database against Q/n filters of n w-mers each
 * STRINGS   D strings into, or against, one filter [Ong13; thesis]
 * CLASSIFY  D reads against one filter of k-mers [Ma12, V]
 */
typedef enum tms_app { TMS_APP_RANDOM = 0, TMS_APP_BANK = 1, TMS_APP_STRINGS = 2, TMS_APP_CLASSIFY = 3 } tms_app;

/* RANDOM: 4 bytes read, 32 bytes read, or one bit set by an atomic OR. The others: which keys are asked for, or building. */
typedef enum tms_op {
    TMS_OP_READ4 = 0,
    TMS_OP_READ32 = 1,
    TMS_OP_OR = 2,
    TMS_OP_QUERY = 3,         /* of keys that are not in the filter */
    TMS_OP_QUERY_PRESENT = 4, /* of keys that are */
    TMS_OP_BUILD = 5
} tms_op;

/* How a bank is laid out, or where a table of RANDOM lies. */
typedef enum tms_place { TMS_PLACE_GLOBAL = 0, TMS_PLACE_SHARED = 1 } tms_place;

/*
 * Letters are those of the papers: [Ma11, Tables I, III], [Ma12, Tables I, III]. Zero: does not apply, or is left to tamis. Of blocks,
 * threads and n_threads_cpu tamis chooses; the sizes are to be given. What is out of range is refused, with the range in the message.
 */
typedef struct tms_workload {
    tms_app app;
    tms_op op;
    int32_t on_cpu;    /* 1: on n_threads_cpu threads of the CPU */
    tms_place place;   /* RANDOM: of the table. BANK: SHARED: a vector in a block's shared memory; GLOBAL: interleaved */
    tms_layout layout; /* STRINGS: TMS_LAYOUT_CLASSIC or TMS_LAYOUT_BLOCKED */
    uint32_t k;        /* hash functions: BANK 1 to 16, STRINGS 1 to 4,096, blocked 1 to 16 */
    uint64_t m_bits;   /* m: of the table, of the filter, up to 2^40; of a vector, up to 2^32 */
    uint64_t n;        /* keys in the filter; BANK: w-mers of a sub-query */
    uint64_t D;        /* pointers; w-mers of the database; strings; reads: 1 to 2^40 */
    uint64_t Q;        /* BANK: w-mers of the query, up to 2^40, and up to 2^24 sub-queries of n */
    uint32_t length;   /* bytes of a string, letters of a read: 1 to 2^20 */
    uint32_t blocks;   /* B_r: up to 2^31 - 1 */
    uint32_t threads;  /* T_r: 32 to 1,024; STRINGS: of a string, 1 or 32 */
    uint32_t n_threads_cpu;
} tms_workload;

TMS_API const char *tms_app_name(tms_app app); /* "random", "bank", "strings", "classify"; "?" of another */
TMS_API const char *tms_op_name(tms_op op);    /* "read4", "read32", "or", "query", "present", "build"; "?" of another */

/* ---- prediction --------------------------------------------------------------------------------------------------------------- */

/*
 * The model's form: the papers', or with any of the extensions that doc/model.md justifies one by one.
 */
enum {
    TMS_FORM_PAPER = 0,
    TMS_EXT_CACHES = 1,      /* two levels of cache, with the measured transition between them */
    TMS_EXT_LATENCY = 2,     /* few warps do not fill a multiprocessor: occupancy below the peak */
    TMS_EXT_WAVES = 4,       /* blocks are given out as others end, to the multiprocessor that is free */
    TMS_EXT_LAUNCH = 8,      /* what a launch, and each block, costs */
    TMS_EXT_EARLY_EXIT = 16, /* a missing key ends at its first 0 bit */
    TMS_EXT_SECTORS = 32,    /* memory moves in sectors of 32 bytes; atomics have a rate of their own */
    TMS_FORM_EXTENDED = 63,
    TMS_EXT_TRANSFERS = 64 /* beside all others: the data come from the host and go back, while kernels run */
};

#define TMS_MODEL_TERMS 8

typedef struct tms_prediction {
    double seconds, throughput;     /* Time, T_put = D / Time; both above 0 */
    double fpr;                     /* [Ma11, eq. 2, 5], of one filter; NaN for RANDOM */
    double f_app, f_cache, f_sched; /* [Ma12, eq. 8] */
    double occupancy;               /* warps that are active, of those there may be, 0 to 1; NaN of STRINGS on a GPU */
    uint32_t blocks, threads;       /* as asked, or as tamis would choose */
    uint32_t active_blocks;         /* B_a, of a multiprocessor */
    uint32_t n_terms, binding;      /* which term is the largest */
    struct {
        const char *name; /* "memory", "shared memory", "latency", "multiprocessors", "staging", "instructions", "launch", "copies" */
        double seconds;   /* if it were alone */
    } terms[TMS_MODEL_TERMS];
} tms_prediction;

/*
 * tms_model_predict() - no GPU is needed. Takes microseconds, up to a millisecond where there are few blocks.
 *   form [in] TMS_FORM_*, or a sum of TMS_EXT_*
 *   out  [out] undefined on failure
 * Returns TMS_OK; TMS_E_ARG: a workload that is impossible on this machine, with the limit in the message, or a profile that lacks what
 * it takes.
 */
TMS_API TMS_CHECKED tms_status tms_model_predict(tms_context *ctx, const tms_profile *profile, const tms_workload *workload, uint32_t form,
                                                 tms_prediction *out);

/*
 * tms_model_blastp() - seconds of a search of BLASTP with default parameters until only its last alignments are left, which the CPU makes
 * in any case. They are in proportion to letters of queries times letters of subjects; a GPU takes CUDA's start and end and the copy of the
 * subjects besides. doc/model.md says how well that holds. Needs no GPU.
 *   profile   [in] NULL, or one without what it takes: an H200 and a processor of its host
 *   n_threads [in] of the CPU; 0 or less: a GPU, beside which the CPU does nothing
 */
TMS_API double tms_model_blastp(const tms_profile *profile, double query_residues, double subject_residues, int n_threads);

/* ---- measurement -------------------------------------------------------------------------------------------------------------- */

typedef struct tms_measurement {
    double seconds;   /* median of the repeats, kernels alone, by events; on the CPU what its threads work, over their number */
    double low, high; /* the fastest and the slowest repeat */
    double fpr;       /* share of missing keys that pass, where the workload has such; else NaN */
    uint32_t blocks, threads, active_blocks, registers, n_repeats;
    uint32_t unused;
} tms_measurement;

/*
 * tms_model_measure() - run a workload with random keys: on the context's GPU, or, where on_cpu says so, on the CPU, whatever the device.
 * Meanwhile no other thread of the process should work: on the CPU its time would count too.
 *   n_repeats [in] 1 to 32, above: 32; 0: as many as fit in some ten milliseconds, 3 to 9. There is one run more, which does not count
 *   out       [out] undefined on failure
 * Returns TMS_OK; TMS_E_ARG; TMS_E_MEMORY: the workload is larger than what is free; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_model_measure(tms_context *ctx, const tms_workload *workload, uint32_t n_repeats, tms_measurement *out);

/*
 * The sweeps that `tamis model check` compares the model on: workload i of a sweep, for a machine.
 * tms_sweep_name(): NULL from the last sweep on. tms_sweep_workload(): 0 from the last workload on, and of sweeps of a GPU for a machine
 * without one. tms_sweep_on_cpu(): 1 if the sweep is one of the CPU.
 */
TMS_API const char *tms_sweep_name(size_t sweep);
TMS_API tms_app tms_sweep_app(size_t sweep);
TMS_API int tms_sweep_on_cpu(size_t sweep);
TMS_API int tms_sweep_workload(size_t sweep, size_t i, const tms_machine *machine, tms_workload *out);

/* ---- tuning ------------------------------------------------------------------------------------------------------------------- */

/* What is given and what is wished; zero: free. At least one of max_fpr, min_throughput and max_bytes. */
typedef struct tms_tune_want {
    tms_app app;
    int32_t on_cpu;
    uint64_t n_keys; /* all keys: of the query (BANK), of the filter */
    uint64_t D;      /* 0: as many as there are keys */
    uint32_t length; /* 0: 16 bytes, or reads of 150 letters */
    uint32_t n_threads_cpu;
    double max_fpr;        /* below 1; BANK: of one filter */
    double min_throughput; /* of D, a second */
    uint64_t max_bytes;    /* of all filters together */
} tms_tune_want;

typedef struct tms_tune_choice {
    tms_workload workload; /* layout, m, k, n, blocks, threads */
    tms_prediction prediction;
    uint64_t bytes;   /* of all filters together */
    int32_t on_front; /* 1: no other choice is better in rate, in steps of 2 %, FPR and bytes at once */
    int32_t meets;    /* 1: it meets the wish */
} tms_tune_choice;

/*
 * tms_model_tune() - the best choice first, then the rest of the Pareto front by falling throughput. No GPU is needed. With max_fpr the
 * best is the smallest of those that are within 2 % of the fastest, else the one with the lowest FPR. choices   [out] room for n_room
 *   n_choices [out] how many were written; 0 on failure
 * Returns TMS_OK; TMS_E_ARG, with what comes closest in the message, if nothing meets the wish; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_model_tune(tms_context *ctx, const tms_profile *profile, const tms_tune_want *want,
                                              tms_tune_choice *choices, size_t n_room, size_t *n_choices);

/*
 * tms_model_apply() - from now on the context's kernels on the GPU take their launch shapes and strategies from the model. No result
 * changes. With TAMIS_TUNE=off in the environment, or profile NULL, they are the fixed ones, as in a new context. Takes milliseconds.
 * Returns TMS_OK, also on the CPU; TMS_E_MISMATCH if the profile is of another GPU, and the shapes are the fixed ones then; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_model_apply(tms_context *ctx, const tms_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
