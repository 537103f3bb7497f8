process TAMIS_BLASTP {
    tag "$meta.id"
    label 'process_medium'

    conda "${moduleDir}/environment.yml"
    container "${ workflow.containerEngine in ['singularity', 'apptainer'] && !task.ext.singularity_pull_docker_container ?
        'https://depot.galaxyproject.org/singularity/tamis:0.1.0--0':
        'quay.io/biocontainers/tamis:0.1.0--0' }"

    input:
    tuple val(meta), path(fasta)
    tuple val(meta2), path(db)
    val out_ext

    output:
    tuple val(meta), path("*.{txt,xml,tsv,csv,json,html}"), emit: hits
    tuple val("${task.process}"), val('tamis'), eval("tamis --version | cut -d' ' -f2"), topic: versions, emit: versions_tamis

    when:
    task.ext.when == null || task.ext.when

    script:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    def formats = [txt: '0', xml: '5', tsv: '6', csv: '10', json: '15', html: 'html']
    if (!formats.containsKey(out_ext)) {
        error "TAMIS_BLASTP: out_ext is one of ${formats.keySet().join(', ')}, not '${out_ext}'"
    }
    def outfmt = args.contains('-outfmt') ? '' : "-outfmt ${formats[out_ext]}"
    """
    DB=\$(find -L ${db}/ -name '*.pal' | sed 's/\\.pal\$//')
    if [ -z "\$DB" ]; then
        DB=\$(find -L ${db}/ -name '*.pin' | sed 's/\\.pin\$//')
    fi

    tamis blastp \\
        -query ${fasta} \\
        -db "\$DB" \\
        ${outfmt} \\
        ${args} \\
        -num_threads ${task.cpus} \\
        -out ${prefix}.${out_ext}
    """

    stub:
    def args = task.ext.args ?: ''
    def prefix = task.ext.prefix ?: "${meta.id}"
    """
    echo ${args}
    touch ${prefix}.${out_ext}
    """
}
