/*
 * model_cmd_predict.c - tamis model predict: one workload's time, rate and terms.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/model/model_json.h"
#include "cli/model/model_profile.h"
#include "cli/model/model_verbs.h"
#include "figures/model_text.h"
#include "tamis/model.h"

static const char command[] = "model predict";

enum { FORM_EXTENDED, FORM_PAPER };
enum { STRING_LENGTH = 16, READ_LENGTH = 150 };

/* Bits of .about: the parameter of a workload that an option sets. An application has some of them. */
enum { OF_N = 1, OF_M = 2, OF_K = 4, OF_Q = 8, OF_LAYOUT = 16, OF_PLACE = 32, OF_LENGTH = 64 };

typedef struct predict_job {
    cli_common common;
    tms_workload w;
    int form, without, transfers, as_json;
    model_device device;
    const char *profile_name;

    tms_context *ctx;
    model_profile profile;
    tms_prediction prediction;
} predict_job;

_Static_assert(TMS_EXT_CACHES == 1 && TMS_EXT_LATENCY == 2 && TMS_EXT_WAVES == 4 && TMS_EXT_LAUNCH == 8 && TMS_EXT_EARLY_EXIT == 16 &&
                   TMS_EXT_SECTORS == 32,
               "the order of the words of --without");

#define SIZE_OF(member, most) OPTION_SIZE(predict_job, w.member, 1, most)

static const option_row rows[] = {
    {.heading = "The workload (symbols as in the papers)"},
    {0, "app", "APP", OPTION_CHOICE(predict_job, w.app, "random bank strings classify", TMS_APP_RANDOM), .ask = "which workload?",
     .help = "random: random accesses to a table\nbank: stage 1 of BLASTN, w-mers against a filter for each sub-query\n"
             "strings: queries or insertions of strings, with one filter\nclassify: reads against a filter of k-mers"},
    {'n', NULL, "N", SIZE_OF(n, (int64_t)1 << 40), .what = "a number of keys", .about = OF_N,
     .help = "keys in the filter; bank: w-mers of a sub-query"},
    {'m', NULL, "BITS", SIZE_OF(m_bits, TMS_MAX_BITS), .what = "a number of bits", .such_as = "8000000, 1.5G or 64Mi", .about = OF_M,
     .help = "bits (not bytes) of the filter, of each vector of the bank, or of the table: 8000000, 1.5G, 64Mi"},
    {'k', NULL, "K", SIZE_OF(k, 1 << 16), .what = "a number of hash functions", .about = OF_K, .help = "hash functions"},
    {'D', NULL, "N", SIZE_OF(D, (int64_t)1 << 40), .ask = "how many pointers, w-mers, strings or reads?",
     .help = "number of pointers, w-mers of the database, strings, or reads"},
    {'Q', NULL, "N", SIZE_OF(Q, (int64_t)1 << 40), .otherwise = "n: one sub-query", .about = OF_Q, .help = "bank: w-mers of the query"},
    {0, "op", "OP", OPTION_CHOICE(predict_job, w.op, "read4 read32 or query present build", TMS_OP_READ4), .otherwise = "read4 or query",
     .help =
         "random: read4 and read32 (bytes), or (an atomic OR)\nothers: query (of absent keys), present (queries of present keys), build"},
    {0, "layout", "L", OPTION_CHOICE(predict_job, w.layout, "blocked classic", TMS_LAYOUT_BLOCKED), .initial = "blocked",
     .about = OF_LAYOUT, .help = "strings: blocked or classic"},
    {0, "place", "P", OPTION_CHOICE(predict_job, w.place, "global shared", TMS_PLACE_GLOBAL), .initial = "global", .about = OF_PLACE,
     .help = "random, bank: in global or shared memory"},
    {0, "length", "N", SIZE_OF(length, 1 << 20), .otherwise = "16; reads 150", .about = OF_LENGTH,
     .help = "bytes of a string, bases of a read"},
    {0, "blocks", "N", SIZE_OF(blocks, INT32_MAX), .otherwise = "tamis chooses", .help = "B_r: blocks of the launch"},
    {0, "threads", "N", SIZE_OF(threads, 1024), .otherwise = "tamis chooses; on the CPU all",
     .help = "T_r: threads per block; strings: threads per string, 1 or 32; on the CPU: number of threads"},
    {.heading = "The model"},
    {0, "form", "F", OPTION_CHOICE(predict_job, form, "extended paper", FORM_EXTENDED), .initial = "extended",
     .help = "extended, or as in the papers of Ma et al."},
    {0, "without", "LIST", OPTION_WORDS(predict_job, without, "caches latency waves launch early-exit sectors"),
     .help = "leave parts out of the extended form: caches, latency, waves, launch, early-exit, sectors, separated by commas"},
    {0, "transfers", NULL, OPTION_FLAG(predict_job, transfers),
     .help = "include the copies between host and GPU, which overlap with the kernels"},
    MODEL_ROW_PROFILE(predict_job, profile_name),
    MODEL_ROW_DEVICE(predict_job, device),
    {0, "json", NULL, OPTION_FLAG(predict_job, as_json), .help = "print one JSON object"},
    CLI_ROW_QUIET("no remarks"),
    CLI_ROW_HELP,
};

const option_table model_predict_options = {
    command,
    "Usage: tamis model predict --app APP -m BITS -D N [OPTION]...\n"
    "\n"
    "Predicts from a profile how long a workload takes, without running it. Prints\n"
    "time, throughput, false-positive rate, the launch with its occupancy, and the\n"
    "time that each part would take alone. The largest part limits the workload; it\n"
    "is marked 'binds'.\n",
    OPTION_ROWS(rows),
    "\n"
    "Exit status: 2 for an impossible workload, or if there is no profile; see\n"
    "tamis(1).\n"
    "\n"
    "Examples\n"
    "  tamis model predict --app strings -n 2G -m 32G -k 8 -D 100M --length 31\n"
    "  tamis model predict --app bank -n 50K -m 256Ki -k 6 -D 5M -Q 4M --place shared\n",
    .no_operands = "predict takes no files",
};

static const struct app_options {
    unsigned has, needs;
} apps[] = {[TMS_APP_RANDOM] = {OF_M | OF_PLACE, OF_M},
            [TMS_APP_BANK] = {OF_N | OF_M | OF_K | OF_Q | OF_PLACE, OF_N | OF_M | OF_K},
            [TMS_APP_STRINGS] = {OF_N | OF_M | OF_K | OF_LAYOUT | OF_LENGTH, OF_N | OF_M | OF_K},
            [TMS_APP_CLASSIFY] = {OF_N | OF_M | OF_LENGTH, OF_N | OF_M}};

static int check(const predict_job *job, const options_given *given)
{
    const struct app_options *app = &apps[job->w.app];
    char spelling[OPTIONS_SPELLING];
    const char *other = options_about(given, ~app->has & (OF_N | OF_M | OF_K | OF_Q | OF_LAYOUT | OF_PLACE | OF_LENGTH), spelling);

    if (other != NULL)
        return cli_fail_usage(command, "%s does not apply to --app %s", other, tms_app_name(job->w.app));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if ((rows[i].about & app->needs) && !given->is_given[i])
            return cli_fail_usage(command, "--app %s needs -%c %s: %s", tms_app_name(job->w.app), rows[i].letter, rows[i].value,
                                  rows[i].help);
    }
    if (job->without && job->form == FORM_PAPER)
        return cli_fail_usage(command, "--without leaves out extensions, but --form paper has none: give one of them");
    if (job->device == MODEL_CPU && job->transfers)
        return cli_fail_usage(command, "--transfers adds copies to a GPU, but --device cpu predicts for the CPU: give one of them");
    if (job->device == MODEL_CPU && options_is_given(given, "place"))
        return cli_fail_usage(command, "--place selects a GPU's memory, but --device cpu predicts for the CPU: give one of them");
    if (job->device == MODEL_CPU && options_is_given(given, "blocks"))
        return cli_fail_usage(command, "--blocks sets a GPU's launch, but --device cpu predicts for the CPU: give one of them");
    return CLI_OK;
}

/* Rounds m up as 'tamis build' does. If that is impossible, leaves m to the model, which reports it. */
static void round_bits(predict_job *job)
{
    tms_workload *w = &job->w;
    tms_filter_want want = {.n_keys = w->n, .m_bits = w->m_bits, .k = w->k, .layout = w->layout, .hash = TMS_HASH_XXH3};
    tms_filter_params params;

    if (w->app != TMS_APP_STRINGS && w->app != TMS_APP_CLASSIFY)
        return;
    if (w->app == TMS_APP_CLASSIFY)
        want = (tms_filter_want){.n_keys = w->n,
                                 .m_bits = w->m_bits,
                                 .layout = TMS_LAYOUT_WORDS,
                                 .hash = TMS_HASH_XXH3,
                                 .word_size = 31,
                                 .strand = TMS_STRAND_BOTH};
    else if (w->layout == TMS_LAYOUT_BLOCKED)
        want.blocks_per_key = 1;
    if (tms_filter_size(job->ctx, &want, &params) == TMS_OK)
        w->m_bits = params.m_bits;
}

/* Fills in the parameters that were not given. */
static void complete(predict_job *job, const options_given *given)
{
    tms_workload *w = &job->w;

    if (!options_is_given(given, "op"))
        w->op = w->app == TMS_APP_RANDOM ? TMS_OP_READ4 : TMS_OP_QUERY;
    if (w->app != TMS_APP_STRINGS)
        w->layout = (tms_layout)0;
    if (w->app == TMS_APP_BANK && w->Q == 0)
        w->Q = w->n;
    if (w->length == 0 && (w->app == TMS_APP_STRINGS || w->app == TMS_APP_CLASSIFY))
        w->length = w->app == TMS_APP_STRINGS ? STRING_LENGTH : READ_LENGTH;
    round_bits(job);
    w->on_cpu = job->profile.on_cpu;
    if (w->on_cpu) {
        w->n_threads_cpu = w->threads ? w->threads : job->profile.file.profile.machine.n_processors;
        w->threads = 0;
    }
}

static int print_json(const predict_job *job)
{
    json_t *root = json_pack("{s:o, s:o, s:o}", "profile", model_profile_json(&job->profile), "workload", model_workload_json(&job->w),
                             "prediction", model_prediction_json(&job->prediction));

    return model_json_print(root) == 0 ? CLI_OK : cli_fail(command, CLI_NO_MEMORY, "out of memory");
}

static void print_terms(const tms_prediction *p)
{
    char text[MODEL_TEXT];

    for (uint32_t i = 0; i < p->n_terms && i < TMS_MODEL_TERMS; i++)
        printf("%-12s%-16s%10s%s\n", i == 0 ? "alone" : "", p->terms[i].name, model_seconds_text(p->terms[i].seconds, text),
               i == p->binding ? "  binds" : "");
}

static void print_text(const predict_job *job)
{
    const tms_prediction *p = &job->prediction;
    char text[MODEL_WORKLOAD_TEXT], small[2][MODEL_TEXT];

    model_profile_print(&job->profile);
    printf("workload    %s\n", model_workload_text(&job->w, text));
    if (p->blocks > 0)
        printf("launch      %u block%s of %u threads, %u active on a multiprocessor, occupancy %.0f %%\n", p->blocks, CLI_PLURAL(p->blocks),
               p->threads, p->active_blocks, 100 * p->occupancy);
    if (job->w.app != TMS_APP_RANDOM)
        printf("FPR         %s%s\n", model_rate_text(p->fpr, small[0]),
               job->w.app == TMS_APP_CLASSIFY ? ", of random sequence; a genome's repeats raise it: 'tamis info' of a filter counts it"
                                              : "");
    printf("time        %s\n", model_seconds_text(p->seconds, small[0]));
    printf("throughput  %s %s a second\n", model_count_text(p->throughput, small[0]), model_items(job->w.app));
    printf("factors     f_app %.4g, f_cache %.4g, f_sched %.4g\n", p->f_app, p->f_cache, p->f_sched);
    print_terms(p);
}

static int run(predict_job *job, const options_given *given)
{
    uint32_t form = job->form == FORM_PAPER ? TMS_FORM_PAPER : TMS_FORM_EXTENDED & ~(uint32_t)job->without;
    tms_status status;
    int code = check(job, given);

    if (code == CLI_OK)
        code = model_profile_begin(command, job->profile_name, job->device, &job->common, &job->profile, &job->ctx);
    if (code != CLI_OK)
        return code;
    complete(job, given);
    form |= job->transfers ? TMS_EXT_TRANSFERS : 0;
    status = tms_model_predict(job->ctx, &job->profile.file.profile, &job->w, form, &job->prediction);
    if (status != TMS_OK)
        return cli_fail_library(command, job->ctx, status);
    if (!job->common.quiet)
        model_profile_remark(command, &job->profile);
    if (job->as_json)
        code = print_json(job);
    else
        print_text(job);
    return cli_end_stdout(command, code);
}

int model_predict_run(int argc, char **argv)
{
    predict_job *job = calloc(1, sizeof *job);
    options_given given;
    int code;

    if (job == NULL)
        return cli_fail(command, CLI_NO_MEMORY, "out of memory");
    if (cli_options(&model_predict_options, argc, argv, &job->common, &given, &code))
        code = run(job, &given);
    tms_context_destroy(job->ctx);
    free(job);
    return code;
}
