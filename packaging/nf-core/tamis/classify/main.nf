process TAMIS_CLASSIFY {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/tamis:0.1.0--0':
        'quay.io/biocontainers/tamis:0.1.0--0' }"

    input:
    tuple val(meta), path(reads)
    path filters
    val action

    output:
    tuple val(meta), path("*.tamis*.fastq.gz"), emit: reads, optional: true
    tuple val(meta), path("*.reads.tsv"), emit: table, optional: true
    tuple val(meta), path("*.summary.tsv"), emit: summary
    tuple val(meta), path("*_mqc.json"), emit: json
    tuple val(meta), path("*.kreport"), emit: kreport
    tuple val("${task.process}"), val('tamis'), eval("tamis --version | cut -d' ' -f2"), topic: versions, emit: versions_tamis

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    def references = "${filters}".tokenize().collect { filter -> "-f ${filter}" }.join(' ')
    def is_pair = "${reads}".tokenize().size() == 2
    def outputs = [
        summary: '',
        table: "-o ${prefix}.reads.tsv",
        keep: is_pair ? "--keep -o ${prefix}.tamis_1.fastq.gz -O ${prefix}.tamis_2.fastq.gz" : "--keep -o ${prefix}.tamis.fastq.gz",
        remove: is_pair ? "--remove -o ${prefix}.tamis_1.fastq.gz -O ${prefix}.tamis_2.fastq.gz" : "--remove -o ${prefix}.tamis.fastq.gz",
    ]
    if (!outputs.containsKey(action)) {
        error "TAMIS_CLASSIFY: action is one of ${outputs.keySet().join(', ')}, not '${action}'"
    }
    """
    tamis classify \\
        ${references} \\
        ${outputs[action]} \\
        --summary ${prefix}.summary.tsv \\
        --json ${prefix}_mqc.json \\
        --kreport ${prefix}.kreport \\
        --sample ${prefix} \\
        --threads ${task.cpus} \\
        --quiet \\
        ${args} \\
        ${reads}
    """

    stub:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    echo ${args}
    touch ${prefix}.summary.tsv ${prefix}_mqc.json ${prefix}.kreport
    """
}
