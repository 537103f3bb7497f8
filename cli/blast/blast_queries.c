/* blast_queries.c - see blast_queries.h. */
#include "cli/blast/blast_queries.h"

#include "cli/blast/blast_messages.h"

/* Residues of the queries of one call of the search. */
enum {
    QUERY_RESIDUES = 40000,
    GPU_QUERY_RESIDUES = 320000 /* enough for the stages on a GPU to overlap those on the CPU */
};

/* BLAST+ counts the residues of whole queries for its batches, even with -query_loc. So with -query_loc a call is one batch, which the
 * search must not divide again. */
io_status blast_open_queries(blast_job *job, tms_molecule molecule, io_error *err)
{
    const int has_part = job->plan.query_part.end > 0;
    const int is_on_gpu = job->run.awaits_gpus || tms_context_device(job->run.ctx) != TMS_DEVICE_CPU;
    const seqio_blast_records_options how = {.paths = &job->options.query,
                                             .n_paths = 1,
                                             .molecule = molecule,
                                             .batch_bytes = has_part    ? 0
                                                            : is_on_gpu ? GPU_QUERY_RESIDUES
                                                                        : QUERY_RESIDUES,
                                             .is_search = 1,
                                             .unit_residues = job->plan.unit_residues,
                                             .part = job->plan.query_part,
                                             .is_unnamed = job->options.parse_deflines ? report_header_is_unnamed : NULL,
                                             .may_be_empty = 1, /* a pipe may; blast_file_is_empty() has caught an empty file */
                                             .may_lack_header = !job->options.parse_deflines,
                                             .warn = blast_warn_of_residues,
                                             .warn_arg = job};

    cli_note_terminal(&job->common, &job->options.query, 1);
    return seqio_blast_records_open(&how, &job->run.queries, err);
}
