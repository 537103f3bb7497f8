"""classify: the command's table and summary."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import tamis
from conftest import DATA

READS = DATA / "classify/reads_a.fa"
VERDICTS = ["none", "match", "ambiguous"]


@pytest.fixture(scope="module")
def filters(command: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("references")
    paths = []
    for name in ("k12", "salmonella"):
        paths.append(folder / f"{name}.tms")
        command("build", "-q", "--kmer", "21", "-o", paths[-1], DATA / f"classify/{name}.fa")
    return paths


def as_fastq(path: Path, to: Path) -> Path:
    records = [r.partition("\n") for r in path.read_text().split(">")[1:]]
    text = "".join(f"@{h}\n{s.replace(chr(10), '')}\n+\n{'I' * len(s.replace(chr(10), ''))}\n" for h, _, s in records)
    with gzip.open(to, "wt") as file:
        file.write(text)
    return to


def check(command: Callable[..., str], reads: list[Any], filters: list[Path], options: list[str], **arguments: Any) -> tamis.Classification:
    f = [x for path in filters for x in ("-f", path)]
    lines = command("classify", "-q", *f, *options, *reads).split("\n")
    header, rows = lines[0].split("\t"), [line.split("\t") for line in lines[1:-1]]
    got = tamis.classify(reads, filters, names=True, **arguments)
    assert len(got) == len(rows) and len(rows) > 0
    column = {name: i for i, name in enumerate(header)}
    for name, row, read in zip(got.names, rows, got.table):
        assert row[0] in (name, name[:-2])  # of a pair without "/1"
        assert row[column["verdict"]] == VERDICTS[read["verdict"]]
        if read["verdict"]:
            assert row[column["reference"]].split(",")[0] in {got.references[read["best"]], got.references[read["second"]]}
            assert read["verdict"] == 2 or row[column["reference"]] == got.references[read["best"]]
        assert abs(float(row[column["score"]]) - read["score"]) < 0.5001e-4
        assert int(row[column["k_mers"]]) == read["n_words"]
        assert int(row[column["hits"]]) == read["n_hits"]
    summary = [line.split("\t") for line in command("classify", "-q", *f, *options, "--summary", "-", *reads).split("\n")[1:-1]]
    assert {row[0]: int(row[1]) for row in summary} == got.counts
    return got


@pytest.mark.parametrize("pairs", [False, True], ids=["single", "pairs"])
def test_verdicts_are_the_commands(command: Callable[..., str], filters: list[Path], tmp_path: Path, pairs: bool) -> None:
    reads = [READS]
    if pairs:  # the names of the one with the sequences of others
        records = [r.partition("\n") for r in READS.read_text().split(">")[1:]]
        sequences = [sequence for _, _, sequence in records]
        random.Random(4).shuffle(sequences)
        reads.append(tmp_path / "mates.fa")
        reads[1].write_text("".join(f">{h[:-1]}2\n{s}" for (h, _, _), s in zip(records, sequences)))
    got = check(command, reads, filters, [])
    assert set(got.table["verdict"]) <= {0, 1, 2} and got.counts["total"] == len(got)
    fastq = [as_fastq(path, tmp_path / f"{path.stem}.fq.gz") for path in reads]
    again = check(command, fastq, filters, [])
    assert (again.table == got.table).all()
    for rule in ("facs", "facs-perl"):
        check(command, reads, filters, ["--rule", rule], rule=rule)
    check(command, reads, filters, ["--threshold", "0.9"], threshold=0.9)
    check(command, reads, filters, ["--min-hits", "30"], min_hits=30)


def test_forms_of_reads(filters: list[Path], tmp_path: Path) -> None:
    want = tamis.classify(READS, filters)
    text = READS.read_bytes()
    compressed = {"gz": gzip.compress(text), "bz2": bz2.compress(text), "xz": lzma.compress(text)}
    for name, data in compressed.items():
        (tmp_path / name).write_bytes(data)
        assert (tamis.classify(tmp_path / name, filters).table == want.table).all()
        assert (tamis.classify(io.BytesIO(data), filters).table == want.table).all()
    opened = [tamis.Filter.load(path) for path in filters]
    by_filter = tamis.classify([READS], opened)
    assert (by_filter.table == want.table).all() and by_filter.references == ["filter_1", "filter_2"]
    assert np.asarray(want) is want.table and want["best"].dtype == np.int32 and len(want) == len(want.table)
    assert "total" in repr(want)


def test_small_blocks(filters: list[Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Blocks that end anywhere give the same reads."""
    want = tamis.classify(READS, filters, names=True)
    fastq = as_fastq(READS, tmp_path / "r.fq.gz")
    draw = random.Random(3)
    for _ in range(12):
        monkeypatch.setattr("tamis._sequences.BLOCK", draw.randint(1, 3000))
        for path in (READS, fastq):
            got = tamis.classify(path, filters, names=True)
            assert (got.table == want.table).all() and got.names == want.names


def test_mates_of_other_batches(filters: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    reads = [(f"r{i}", "ACGT" * (i % 50)) for i in range(1000)]
    mates = [(f"r{i}", "GGCA" * (i % 7)) for i in range(1000)]
    want = tamis.classify([iter(reads), iter(mates)], filters)
    as_fasta = [io.BytesIO("".join(f">{h}\n{s}\n" for h, s in r).encode()) for r in (reads, mates)]
    monkeypatch.setattr("tamis._sequences.BLOCK", 999)
    assert (tamis.classify(as_fasta, filters).table == want.table).all()


def test_errors(filters: list[Path], tmp_path: Path) -> None:
    one = [("a", "ACGT")]
    cases: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tamis.classify(READS, []), tamis.ArgumentError, "filters|references|1"),
        (lambda: tamis.classify(READS, filters, rule="best"), tamis.ArgumentError, "facs"),
        (lambda: tamis.classify(READS, filters, threshold=2), tamis.ArgumentError, "threshold"),
        (lambda: tamis.classify([READS] * 3, filters), tamis.ArgumentError, "not 3"),
        (lambda: tamis.classify(tmp_path / "none.fq", filters), tamis.FormatError, "none.fq"),
        (lambda: tamis.classify([iter(one), iter(one * 2)], filters), tamis.FormatError, "mates"),
        (lambda: tamis.classify(READS, [tamis.Filter.build(["a"])]), tamis.ArgumentError, "words|k-mers|layout"),
        (
            lambda: tamis.classify(READS, [tamis.Filter.load(filters[0]), tamis.Filter.reference(DATA / "classify/k12.fa", 25)]),
            tamis.MismatchError,
            "25",
        ),
    ]
    for call, error, words in cases:
        with pytest.raises(error, match=words):
            call()
    assert tamis.classify(iter([]), filters).counts["total"] == 0
