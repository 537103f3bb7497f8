/* blast_queries.c - see blast_queries.h. */
#include "cli/blast/blast_queries.h"

#include "cli/blast/blast_messages.h"
#include "cli/blast/blast_parts.h"

/* Residues of the queries of one call of the search. */
enum {
    QUERY_RESIDUES = 40000,
    PROTEIN_QUERY_RESIDUES = 60000, /* with what a batch has beyond its size, one group of long words */
    GPU_QUERY_RESIDUES = 640000     /* enough for the stages on a GPU to overlap those on the CPU */
};

/* BLAST+ counts the residues of whole queries for its batches, even with -query_loc. So with -query_loc a call is one batch, which the
 * search must not divide again. */
io_status blast_open_queries(blast_job *job, tms_molecule molecule, io_error *err)
{
    const int has_part = job->plan.query_part.end > 0, has_own_sizes = job->plan.sets_batches;
    const int is_on_gpu = job->run.awaits_gpus || tms_context_device(job->run.ctx) != TMS_DEVICE_CPU;
    const seqio_blast_records_options how = {.paths = &job->options.query,
                                             .n_paths = 1,
                                             .molecule = molecule,
                                             .batch_bytes = has_part || has_own_sizes ? 0
                                                            : is_on_gpu               ? GPU_QUERY_RESIDUES
                                                            : molecule == TMS_PROTEIN ? PROTEIN_QUERY_RESIDUES
                                                                                      : QUERY_RESIDUES,
                                             .is_search = 1,
                                             .unit_residues = job->plan.unit_residues,
                                             .sets_units = has_own_sizes,
                                             .part = job->plan.query_part,
                                             .is_unnamed = job->options.parse_deflines ? report_header_is_unnamed : NULL,
                                             .may_be_empty = 1, /* a pipe may; blast_file_is_empty() has caught an empty file */
                                             .may_lack_header = !job->options.parse_deflines,
                                             .warn = blast_warn_of_residues,
                                             .warn_arg = job};

    cli_note_terminal(&job->common, &job->options.query, 1);
    return seqio_blast_records_open(&how, &job->run.queries, err);
}

/* The first record, after this one, that is not in the same shard. */
static uint64_t end_of_shard(const blast_job *job, uint64_t record)
{
    const tms_interval records = job->run.records;
    uint64_t end = record < records.start ? records.start : record < records.end ? records.end : UINT64_MAX;

    if (job->parts != NULL && record >= records.start && record < records.end) {
        const uint64_t border = blast_parts_border(job->parts, record);
        end = border < end ? border : end;
    }
    return end;
}

bool blast_next_queries(blast_job *job, const tms_seqs *call, size_t *at, tms_seqs *out)
{
    const uint64_t first = call->first_record + *at, end = end_of_shard(job, first), call_end = call->first_record + call->n_records;

    if (*at == call->n_records)
        return false;
    *out = *call;
    out->first_record = first;
    out->n_records = (size_t)((end < call_end ? end : call_end) - first);
    out->residue_starts += *at;
    out->header_starts += *at;
    out->name_sizes += *at;
    job->run.call_first = call->first_record;
    *at += out->n_records;
    return true;
}
