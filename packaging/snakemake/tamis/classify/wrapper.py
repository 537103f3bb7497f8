"""Snakemake wrapper for tamis classify."""

from snakemake.shell import shell


def files(value):
    return [value] if isinstance(value, str) else list(value)


log = snakemake.log_fmt_shell(stdout=True, stderr=True)
extra = snakemake.params.get("extra", "")
action = snakemake.params.get("action", "remove")
if action not in ("keep", "remove"):
    raise ValueError(f"params.action: keep or remove, not {action}")

reads = files(snakemake.input.reads)
options = [word for file in files(snakemake.input.filters) for word in ("-f", file)]
kept = files(snakemake.output.get("reads", []))
table = snakemake.output.get("table")
if kept:
    if table or len(kept) != len(reads):
        raise ValueError("output.reads: as many files as in input.reads, and no output.table beside them")
    options.append(f"--{action}")
    options += [word for option, file in zip(("-o", "-O"), kept) for word in (option, file)]
elif table:
    options += ["-o", table]
for kind in ("summary", "json", "kreport", "html"):
    if snakemake.output.get(kind):
        options += [f"--{kind}", snakemake.output[kind]]

shell("tamis classify --quiet {options:q} --threads {snakemake.threads} {extra} {reads:q} {log}")
