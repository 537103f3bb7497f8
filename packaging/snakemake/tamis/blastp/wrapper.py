"""Snakemake wrapper for tamis blastp."""

from os.path import splitext

from snakemake.shell import shell

log = snakemake.log_fmt_shell(stdout=True, stderr=True)
extra = snakemake.params.get("extra", "")
outfmt = str(snakemake.params.get("outfmt", "6"))

db = snakemake.input.get("db", "")
if db:
    files = [db] if isinstance(db, str) else list(db)
    name = splitext(files[0])[0]
    if any(splitext(file)[0] != name for file in files):
        raise ValueError("input.db: files of one database, which differ in their extensions only")
    where = ["-db", name]
else:
    where = ["-subject", snakemake.input.subject]

shell(
    "tamis blastp -query {snakemake.input.query:q} {where:q} -outfmt {outfmt:q} {extra}"
    " -num_threads {snakemake.threads} -out {snakemake.output[0]:q} {log}"
)
