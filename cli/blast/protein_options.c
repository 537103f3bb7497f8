/* protein_options.c - see protein_options.h. */
#include "cli/blast/protein_options.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/blast/blast_cell.h"
#include "cli/blast/blast_codes.h"
#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_plan.h"
#include "cli/blast/blast_reports.h"
#include "cli/blast/blast_search.h"

const option_refused protein_refused[PROTEIN_REFUSED] = {PROTEIN_ROWS_REFUSED};

static int set_composition(protein_job *job)
{
    static const char reset[] = "Composition-based statistics cannot be used with the IDENTITY matrix, resetting the composition-based "
                                "statistics option to 0 ";
    static const struct {
        const char *words;
        uint32_t mode;
    } modes[] = {{"0Ff", TMS_COMPOSITION_OFF},
                 {"1", TMS_COMPOSITION_SCALED},
                 {"2TtDd", TMS_COMPOSITION_ADJUSTED},
                 {"3", TMS_COMPOSITION_ALL_ADJUSTED}};
    const char *text = job->own.comp_based_stats != NULL ? job->own.comp_based_stats : "0"; /* the program has no such option */
    int has_none = job->own.matrix != NULL && strcasecmp(job->own.matrix, "IDENTITY") == 0;

    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        if (text[0] != '\0' && text[1] == '\0' && strchr(modes[i].words, text[0]) != NULL) {
            if (job->own.ungapped && modes[i].mode != TMS_COMPOSITION_OFF)
                return cli_fail(job->blast.common.command, BLAST_INPUT,
                                "-ungapped cannot use composition-based statistics: give -comp_based_stats F too");
            if (has_none && modes[i].mode != TMS_COMPOSITION_OFF)
                job->blast.plan.first_warning = reset;
            job->params.composition = has_none ? TMS_COMPOSITION_OFF : modes[i].mode;
            return CLI_OK;
        }
    }
    return cli_fail(job->blast.common.command, BLAST_INPUT, "-comp_based_stats takes 0 or F, 1, 2 (or D or T), or 3, not '%s'", text);
}

/* Parses a number, and the byte that must follow it. Returns the position after that byte, or NULL. */
static const char *parse_part(const char *text, char terminator, double *out)
{
    char *end;

    if (text == NULL || strchr("0123456789.+-", text[0]) == NULL || strpbrk(text, "nN") != NULL) /* N: of "inf", "nan" */
        return NULL;
    *out = strtod(text, &end);
    return end > text && *end == terminator ? end + 1 : NULL;
}

/* Parses "12 2.2 2.5", with single blanks. Returns whether the text has this form. */
static int parse_seg(const char *text, blastp_seg *out)
{
    char *end;
    long long window = strtoll(text, &end, 10);
    const char *at = *end == ' ' && end > text && text[0] != ' ' ? end + 1 : NULL;

    at = parse_part(at, ' ', &out->locut);
    at = parse_part(at, '\0', &out->hicut);
    if (at == NULL || window > TMS_SEG_MAX_WINDOW || window < INT32_MIN)
        return 0;
    out->window = (int)window;
    return 1;
}

/* A number that is not above 0 stands for the default. */
static int set_seg(protein_job *job)
{
    static const tms_seg_params usual = TMS_SEG_QUERY;
    blastp_seg *typed = &job->seg;
    tms_seg_params *seg = &job->params.seg;

    job->params.masks_seg = strcmp(job->own.seg, "no") != 0;
    *typed = (blastp_seg){(int)usual.window, usual.locut, usual.hicut};
    if (!job->params.masks_seg || strcmp(job->own.seg, "yes") == 0)
        return CLI_OK;
    if (!parse_seg(job->own.seg, typed))
        return cli_fail(job->blast.common.command, BLAST_INPUT,
                        "-seg takes yes, no, or \"window locut hicut\" such as \"12 2.2 2.5\", not '%s'", job->own.seg);
    seg->window = typed->window > 0 ? (uint32_t)typed->window : usual.window;
    seg->locut = typed->locut > 0 ? typed->locut : usual.locut;
    seg->hicut = typed->hicut > 0 ? typed->hicut : usual.hicut;
    seg->hicut = seg->hicut < seg->locut ? seg->locut : seg->hicut;
    return CLI_OK;
}

static void set_params(protein_job *job, const options_given *given)
{
    const blast_shared_options *options = &job->blast.options;
    const protein_own_options *own = &job->own;
    tms_blastp_params *p = &job->params;

    p->task = (uint32_t)own->task;
    p->matrix = own->matrix;
    p->gap_open = options_is_given(given, "gapopen") ? (int32_t)own->gap_open : -1;
    p->gap_extend = options_is_given(given, "gapextend") ? (int32_t)own->gap_extend : -1;
    p->window = options_is_given(given, "window_size") ? (int32_t)own->window : -1;
    p->word_size = own->word_size;
    p->threshold = own->threshold;
    p->evalue = options->evalue;
    p->xdrop_ungapped = own->xdrop_ungap;
    p->xdrop_gapped = own->xdrop_gap;
    p->xdrop_final = own->xdrop_gap_final;
    p->max_hsps = options->max_hsps;
    p->min_query_coverage = options->qcov_hsp_perc;
    p->ungapped |= (uint32_t)own->ungapped; /* some programs have no other alignments */
    p->smith_waterman = (uint32_t)own->use_sw_tback;
    p->subject_besthit = (uint32_t)options->subject_besthit;
    p->culling_limit = options->culling_limit;
    p->masks_lower_case = (uint32_t)options->lcase_masking;
    p->soft_masking = (uint32_t)own->soft_masking;
    p->as_subject_file = options->subject != NULL;
    p->database_residues = (int64_t)options->db_size;
    p->search_space = options_is_given(given, "searchsp") ? (int64_t)options->search_space : -1;
    p->more_gpus = options->devices.items + 1;
    p->n_more_gpus = options->devices.n - 1;
    p->gpu_memory = options->gpu_memory;
    p->best_hit_overhang = options->best_hit_overhang;
    p->best_hit_score_edge = options->best_hit_score_edge;
}

int protein_check(protein_job *job, const options_given *given, uint64_t batch_residues)
{
    blast_job *b = &job->blast;
    int code = blast_plan_report(b);

    if (b->parts != NULL) /* GPUs do not align */
        b->options.devices = (option_devices){{TMS_DEVICE_CPU}, 1};
    b->common.device = b->options.devices.items[0];
    if (code != CLI_OK)
        return code;
    code = blast_plan_threads(b, given);
    if (code == CLI_OK)
        code = blast_plan_batches(b, batch_residues);
    set_params(job, given);
    if (code == CLI_OK)
        code = set_composition(job);
    if (code == CLI_OK)
        code = set_seg(job);
    if (code == CLI_OK)
        code = blast_plan_subjects(b, given);
    if (code == CLI_OK)
        code = blast_plan_ranges(b);
    job->params.max_target_seqs = b->plan.max_target_seqs;
    job->params.batch_residues = b->plan.batch_residues;
    if (code == CLI_OK)
        code = blast_plan_cell(b, given);
    if (blast_is_cell(b)) {
        job->params.shard = b->plan.grid.shard;
        job->params.n_shards = b->plan.grid.n_shards;
    }
    return code;
}

void protein_begin(blast_job *b, tms_blastp_params *p)
{
    p->subject_masks = b->run.masks;
    p->subject_masking = b->options.db_hard_mask != NULL ? TMS_SUBJECT_MASKING_HARD : TMS_SUBJECT_MASKING_SOFT;
    p->take_result = blast_take_result;
    p->take_arg = b;
    if (b->run.awaits_gpus) {
        p->await_gpu = blast_await_gpu;
        p->await_arg = b;
    }
}

/* With Smith-Waterman, an impossible query or matrix fails only during the search, where NCBI's engine fails too, or does not terminate. */
int protein_fail_search(blast_job *job, tms_status status)
{
    const int code = blast_fail_library(job, status);

    return status == TMS_E_ARG && ((const protein_job *)job)->own.use_sw_tback ? BLAST_ENGINE : code;
}
