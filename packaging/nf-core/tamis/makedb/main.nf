process TAMIS_MAKEDB {
    tag "$meta.id"
    label 'process_low'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/tamis:0.1.0--0':
        'quay.io/biocontainers/tamis:0.1.0--0' }"

    input:
    tuple val(meta), path(fasta)
    val dbtype

    output:
    tuple val(meta), path("${prefix}"), emit: db
    tuple val("${task.process}"), val('tamis'), eval("tamis --version | cut -d' ' -f2"), topic: versions, emit: versions_tamis

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    tamis makedb \\
        -in "${fasta}" \\
        -dbtype ${dbtype} \\
        ${args} \\
        -out ${prefix}/${prefix}
    """

    stub:
    def args = task.ext.args ?: ''
    def letter = dbtype == 'prot' ? 'p' : 'n'
    prefix = task.ext.prefix ?: "${meta.id}"
    """
    echo ${args}
    mkdir ${prefix}
    touch ${prefix}/${prefix}.${letter}{hr,in,sq}
    """
}
