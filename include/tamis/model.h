/*
 * model.h - predicts how fast and how precise a filter will be on a machine ([Ma11, III], [Ma12], doc/model.md).
 *
 * A profile has one-time measurements of a machine. A workload is one run of a kernel of tamis: its input and its launch shape. The model
 * predicts time and false-positive rate of a workload from the profile; tuning searches for the workload that meets a target.
 *
 *     tms_model_calibrate(ctx, 0, &profile, NULL, NULL);              about a minute; keep the profile
 *     tms_model_predict(ctx, &profile, &workload, TMS_FORM_EXTENDED, &prediction);
 *     tms_model_measure(ctx, &workload, 0, &measurement);             runs the same workload
 *     tms_model_tune(ctx, &profile, &want, choices, n, &n_choices);
 *
 * Threads: each call needs a context of its own; profiles and workloads are read only and may be shared.
 */
#ifndef TAMIS_MODEL_H
#define TAMIS_MODEL_H

#include "tamis/blastn.h"
#include "tamis/filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the machine -------------------------------------------------------------------------------------------------------------- */

/*
 * A machine: its CPU, and its GPU's limits by the names of [Ma11, Table II] and [Ma12, Table II], as the driver reports them. Without a
 * usable GPU n_multiprocessors and all fields up to l2_bytes are 0. Strings are NUL-terminated and may be truncated.
 */
typedef struct tms_machine {
    char gpu[128];
    int32_t driver_version, runtime_version; /* CUDA versions, 1000 * major + 10 * minor */
    int32_t compute_major, compute_minor;
    uint32_t n_multiprocessors;  /* MP */
    uint32_t warp_size;          /* W, threads */
    uint32_t registers;          /* R, for each multiprocessor */
    uint32_t max_blocks;         /* B_max / MP: most blocks on a multiprocessor */
    uint32_t max_threads_block;  /* T_maxB */
    uint32_t max_threads;        /* T_maxMP, for each multiprocessor */
    uint64_t shared_bytes;       /* S, for each multiprocessor */
    uint64_t shared_bytes_block; /* most bytes that a block may request */
    uint64_t shared_reserved;    /* bytes of shared memory that every block takes in addition to its request */
    uint64_t memory_bytes;       /* global memory */
    uint64_t l2_bytes;           /* C of the second-level cache */
    uint32_t clock_khz, memory_clock_khz;
    char cpu[128];
    uint32_t n_processors;
    int32_t simd;     /* a tms_simd */
    char version[16]; /* version of tamis */
} tms_machine;

/*
 * tms_model_machine() - query the driver and the operating system. With a context on the CPU only the CPU is described. Takes
 * milliseconds.
 *   out [out] complete, or undefined on failure
 * Returns TMS_OK or TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_model_machine(tms_context *ctx, tms_machine *out);

/* ---- profiles ----------------------------------------------------------------------------------------------------------------- */

#define TMS_CURVE_POINTS 64

/* A measured curve: y at n ascending x, 0 to TMS_CURVE_POINTS of them. All x and y are above 0. */
typedef struct tms_curve {
    uint32_t n;
    double x[TMS_CURVE_POINTS], y[TMS_CURVE_POINTS];
} tms_curve;

#define TMS_PROFILE_VALUES 160
#define TMS_PROFILE_CURVES 64

/*
 * The measurements of a machine: named numbers and curves. Files of profiles use the names; their order here may change with the version
 * of tamis. A profile is plain data: it may be copied, and many threads may read it at once.
 */
typedef struct tms_profile {
    tms_machine machine;
    int32_t has_gpu, has_cpu; /* 1: the GPU, or the CPU, has been measured */
    int32_t reliable;         /* 0: the spread is above 0.15 even after repeating measurements */
    int32_t unused;
    double spread; /* 0 to 1: how much faster a measurement's fastest repeat is than its median; 97 in 100 measurements have at most this */
    double values[TMS_PROFILE_VALUES];
    tms_curve curves[TMS_PROFILE_CURVES];
} tms_profile;

/*
 * tms_profile_value_name(), tms_profile_curve_name() - the names of values and curves, such as "launch_seconds", in static memory; NULL if
 * i is too large.
 */
TMS_API const char *tms_profile_value_name(size_t i);
TMS_API const char *tms_profile_curve_name(size_t i);

/*
 * tms_model_calibrate() - measure the machine: the CPU, and the context's GPU if it has one. Takes about a minute on an idle machine,
 * longer on a busy one.
 *   max_bytes [in]  upper bound of the tables in the CPU's memory; 0: an eighth of the free memory. At most 8 GiB are used; curves end at
 *                   the largest table
 *   progress  [in]  NULL, or called by the calling thread with the share that is done, 0 .. 1
 *   out       [out] complete, or undefined on failure
 * Returns TMS_OK, even if out->reliable is 0; TMS_E_MEMORY; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
typedef void tms_model_progress(void *arg, double done);
TMS_API TMS_CHECKED tms_status tms_model_calibrate(tms_context *ctx, uint64_t max_bytes, tms_profile *out, tms_model_progress *progress,
                                                   void *arg);

/*
 * tms_model_calibrate_quick() - as tms_model_calibrate(), with fewer sizes, and with tables of at most 256 MiB on the CPU. Takes a fifth
 * of the time on the CPU, and the same time on a GPU. Predictions between and beyond the sizes are less precise.
 */
TMS_API TMS_CHECKED tms_status tms_model_calibrate_quick(tms_context *ctx, uint64_t max_bytes, tms_profile *out,
                                                         tms_model_progress *progress, void *arg);

/* ---- workloads ---------------------------------------------------------------------------------------------------------------- */

/*
 * The kinds of workloads.
 *   RANDOM    the micro-benchmark [Ma12, III]: D random pointers, each followed into a table of m bits
 *   BANK      stage 1 of BLASTN [Ma11; Ma12, IV]: D w-mers of a database against Q/n filters of n w-mers each
 *   STRINGS   D strings into, or against, one filter [Ong13; thesis]
 *   CLASSIFY  D reads against one filter of k-mers [Ma12, V]
 */
typedef enum tms_app { TMS_APP_RANDOM = 0, TMS_APP_BANK = 1, TMS_APP_STRINGS = 2, TMS_APP_CLASSIFY = 3 } tms_app;

/* RANDOM: each access reads 4 bytes, reads 32 bytes, or sets one bit by an atomic OR. The others: which keys are queried, or building. */
typedef enum tms_op {
    TMS_OP_READ4 = 0,
    TMS_OP_READ32 = 1,
    TMS_OP_OR = 2,
    TMS_OP_QUERY = 3,         /* queries keys that are not in the filter */
    TMS_OP_QUERY_PRESENT = 4, /* queries keys that are in the filter */
    TMS_OP_BUILD = 5
} tms_op;

/* The layout of a bank, or the memory of RANDOM's table. */
typedef enum tms_place { TMS_PLACE_GLOBAL = 0, TMS_PLACE_SHARED = 1 } tms_place;

/*
 * A workload. Symbols are those of the papers: [Ma11, Tables I, III], [Ma12, Tables I, III]. Zero means that the field does not apply, or
 * that tamis chooses it: it chooses blocks, threads and n_threads_cpu; the caller must give the sizes. A value out of range is refused,
 * with the range in the message.
 */
typedef struct tms_workload {
    tms_app app;
    tms_op op;
    int32_t on_cpu;    /* 1: on n_threads_cpu threads of the CPU */
    tms_place place;   /* RANDOM: memory of the table. BANK: SHARED: a vector in a block's shared memory; GLOBAL: interleaved vectors */
    tms_layout layout; /* STRINGS: TMS_LAYOUT_CLASSIC or TMS_LAYOUT_BLOCKED */
    uint32_t k;        /* hash functions: BANK 1 to 16, STRINGS 1 to 4,096, blocked 1 to 16 */
    uint64_t m_bits;   /* m: bits of the table or of the filter, up to 2^40; of a vector, up to 2^32 */
    uint64_t n;        /* keys in the filter; BANK: w-mers of a sub-query */
    uint64_t D;        /* pointers; w-mers of the database; strings; reads: 1 to 2^40 */
    uint64_t Q;        /* BANK: w-mers of the query, up to 2^40, and up to 2^24 sub-queries of n */
    uint32_t length;   /* bytes of a string, bases of a read: 1 to 2^20 */
    uint32_t blocks;   /* B_r: up to 2^31 - 1 */
    uint32_t threads;  /* T_r: 32 to 1,024; STRINGS: threads for each string, 1 or 32 */
    uint32_t n_threads_cpu;
} tms_workload;

TMS_API const char *tms_app_name(tms_app app); /* "random", "bank", "strings", "classify"; "?" for other values */
TMS_API const char *tms_op_name(tms_op op);    /* "read4", "read32", "or", "query", "present", "build"; "?" for other values */

/* ---- prediction --------------------------------------------------------------------------------------------------------------- */

/*
 * The form of the model: that of the papers, or with any of the extensions that doc/model.md justifies one by one.
 */
enum {
    TMS_FORM_PAPER = 0,
    TMS_EXT_CACHES = 1,      /* two levels of cache, with the measured transition between them */
    TMS_EXT_LATENCY = 2,     /* occupancy below the peak, because few warps do not fill a multiprocessor */
    TMS_EXT_WAVES = 4,       /* a new block starts when another ends, on the multiprocessor that is free */
    TMS_EXT_LAUNCH = 8,      /* the cost of a launch, and of each block */
    TMS_EXT_EARLY_EXIT = 16, /* a query for a missing key ends at its first 0 bit */
    TMS_EXT_SECTORS = 32,    /* memory moves in sectors of 32 bytes; atomics have a rate of their own */
    TMS_FORM_EXTENDED = 63,
    TMS_EXT_TRANSFERS = 64 /* not part of EXTENDED: data are copied from the host and back while kernels run */
};

#define TMS_MODEL_TERMS 8

typedef struct tms_prediction {
    double seconds, throughput;     /* Time, T_put = D / Time; both above 0 */
    double fpr;                     /* [Ma11, eq. 2, 5], false-positive rate of one filter; NaN for RANDOM */
    double f_app, f_cache, f_sched; /* [Ma12, eq. 8] */
    double occupancy;               /* active warps over possible ones, 0 to 1; NaN for STRINGS on a GPU */
    uint32_t blocks, threads;       /* as requested, or as chosen by tamis */
    uint32_t active_blocks;         /* B_a, for each multiprocessor */
    uint32_t n_terms, binding;      /* number of terms, and the index of the largest */
    struct {
        const char *name; /* "memory", "shared memory", "latency", "multiprocessors", "staging", "instructions", "launch", "copies" */
        double seconds;   /* time of this term alone */
    } terms[TMS_MODEL_TERMS];
} tms_prediction;

/*
 * tms_model_predict() - predict a workload; needs no GPU. Takes microseconds, up to a millisecond if there are few blocks.
 *   form [in]  TMS_FORM_*, or a sum of TMS_EXT_*
 *   out  [out] undefined on failure
 * Returns TMS_OK; TMS_E_ARG: the workload is impossible on this machine, with the limit in the message, or the profile lacks a value that
 * it needs.
 */
TMS_API TMS_CHECKED tms_status tms_model_predict(tms_context *ctx, const tms_profile *profile, const tms_workload *workload, uint32_t form,
                                                 tms_prediction *out);

/*
 * tms_model_blastp() - predict the seconds of a BLASTP search with default parameters. The time is proportional to query residues times
 * subject residues; a GPU adds the time to start and stop CUDA and to copy the subjects. The rates of a profile leave final alignments out.
 * doc/model.md has the accuracy. Needs no GPU.
 *   profile   [in] if NULL, or without the needed values: an H200 and a processor of its host
 *   n_threads [in] CPU threads; 0 or less: a GPU, while the CPU does nothing
 */
TMS_API double tms_model_blastp(const tms_profile *profile, double query_residues, double subject_residues, int n_threads);

/*
 * tms_model_blastn() - predict the seconds of a BLASTN search with the task's parameters, without the final alignments. Each batch of
 * queries makes a table and scans the database; hits by chance take a time in proportion to pairs of bases. Repeats that are not masked
 * make a search much slower. doc/model.md has the accuracy. Needs no GPU and no profile: the rates are built in.
 *   n_batches [in] batches of queries, 1 or more
 *   n_threads [in] CPU threads, also beside a GPU: it leaves them the rest of the search
 *   on_gpu    [in] 1: with a GPU. It does not take the words of TMS_TASK_BLASTN_SHORT and TMS_TASK_DC_MEGABLAST: then the CPU does all
 */
TMS_API double tms_model_blastn(tms_blastn_task task, double query_bases, double n_batches, double subject_bases, int n_threads,
                                int on_gpu);

/* ---- measurement -------------------------------------------------------------------------------------------------------------- */

typedef struct tms_measurement {
    double seconds;   /* median of the repeats: time of the kernels alone, by events; on the CPU the working time of the threads over
                       * their number */
    double low, high; /* the fastest and the slowest repeat */
    double fpr;       /* share of missing keys that pass, if the workload has missing keys; else NaN */
    uint32_t blocks, threads, active_blocks, registers, n_repeats;
    uint32_t unused;
} tms_measurement;

/*
 * tms_model_measure() - run a workload with random keys: on the context's GPU, or, if on_cpu is set, on the CPU, whatever the device. No
 * other thread of the process should work meanwhile: on the CPU its time would count, too.
 *   n_repeats [in]  1 to 32 (larger values count as 32); 0: as many as fit in some ten milliseconds, 3 to 9. One more run warms up and is
 *                   not counted
 *   out       [out] undefined on failure
 * Returns TMS_OK; TMS_E_ARG; TMS_E_MEMORY: the workload is larger than the free memory; TMS_E_DEVICE; TMS_E_CANCELLED.
 */
TMS_API TMS_CHECKED tms_status tms_model_measure(tms_context *ctx, const tms_workload *workload, uint32_t n_repeats, tms_measurement *out);

/*
 * The sweeps with which `tamis model check` compares the model to measurements: workload i of a sweep, for a machine. tms_sweep_name():
 * NULL if sweep is too large. tms_sweep_workload(): 0 if i is too large, and for a GPU's sweep on a machine without one.
 * tms_sweep_on_cpu(): 1 for a sweep on the CPU.
 */
TMS_API const char *tms_sweep_name(size_t sweep);
TMS_API tms_app tms_sweep_app(size_t sweep);
TMS_API int tms_sweep_on_cpu(size_t sweep);
TMS_API int tms_sweep_workload(size_t sweep, size_t i, const tms_machine *machine, tms_workload *out);

/* ---- tuning ------------------------------------------------------------------------------------------------------------------- */

/* Requirements and targets of tuning; zero: free. At least one of max_fpr, min_throughput and max_bytes must be set. */
typedef struct tms_tune_want {
    tms_app app;
    int32_t on_cpu;
    uint64_t n_keys; /* all keys: of the query (BANK), or of the filter */
    uint64_t D;      /* 0: n_keys */
    uint32_t length; /* 0: 16 bytes, or reads of 150 bases */
    uint32_t n_threads_cpu;
    double max_fpr;        /* below 1; BANK: for one filter */
    double min_throughput; /* items of D per second */
    uint64_t max_bytes;    /* total size of all filters */
} tms_tune_want;

typedef struct tms_tune_choice {
    tms_workload workload; /* layout, m, k, n, blocks, threads */
    tms_prediction prediction;
    uint64_t bytes;   /* total size of all filters */
    int32_t on_front; /* 1: no other choice is better in rate (in steps of 2 %), FPR and bytes at once */
    int32_t meets;    /* 1: the choice meets the targets */
} tms_tune_choice;

/*
 * tms_model_tune() - find workloads that meet the targets: the best choice first, then the rest of the Pareto front by decreasing
 * throughput. Needs no GPU. With max_fpr the best choice is the smallest of those within 2 % of the fastest; else it is the one with the
 * lowest FPR.
 *   choices   [out] room for n_room
 *   n_choices [out] number of choices written; 0 on failure
 * Returns TMS_OK; TMS_E_ARG, with the closest choice in the message, if nothing meets the targets; TMS_E_MEMORY.
 */
TMS_API TMS_CHECKED tms_status tms_model_tune(tms_context *ctx, const tms_profile *profile, const tms_tune_want *want,
                                              tms_tune_choice *choices, size_t n_room, size_t *n_choices);

/*
 * tms_model_apply() - let the model choose launch shapes and strategies of the context's GPU kernels from now on. No result changes. With
 * TAMIS_TUNE=off in the environment, or with profile NULL, the context uses the built-in ones, as a new context does. Takes milliseconds.
 * Returns TMS_OK, also on the CPU; TMS_E_MISMATCH if the profile is of another GPU: the context then uses the built-in ones; TMS_E_DEVICE.
 */
TMS_API TMS_CHECKED tms_status tms_model_apply(tms_context *ctx, const tms_profile *profile);

#ifdef __cplusplus
}
#endif
#endif
