"""Snakemake wrapper for tamis makedb."""

from os.path import splitext

from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=True, stderr=True)
extra = snakemake.params.get("extra", "")

name, extension = splitext(snakemake.output[0])
dbtype = {".p": "prot", ".n": "nucl"}.get(extension[:2])
if dbtype is None or any(splitext(file)[0] != name for file in snakemake.output):
    raise ValueError("output: files of one database, with extensions such as .pin, .psq and .phr, or .nin, .nsq and .nhr")
fasta = " ".join(snakemake.input)

shell("tamis makedb -in {fasta:q} -dbtype {dbtype} -out {name:q} {extra} {log}")
