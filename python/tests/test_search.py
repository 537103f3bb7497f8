"""blastp: the rows of the command, byte for byte, and what a query has."""

from __future__ import annotations

import gc
import gzip
import io
import random
import signal
import threading
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import tamis
from conftest import DATA

QUERIES, SUBJECTS = DATA / "blast/composition/queries.fa", DATA / "blast/composition/db.fa"


def evalue_text(e: float) -> str:
    """As BLAST+ prints it."""
    if e < 1.0e-180:
        return "0.0"
    if e < 0.0009:
        return f"{e:3.2e}"
    if e < 0.1:
        return f"{e:4.3f}"
    if e < 1.0:
        return f"{e:3.2f}"
    if e < 10.0:
        return f"{e:2.1f}"
    return f"{e:5.0f}"


def bits_text(bits: float) -> str:
    if bits > 9999:
        return f"{bits:4.3e}"
    return f"{int(bits):4d}" if bits > 99.9 else f"{bits:4.1f}"


def lines_of(table: Any, queries: list[str], database: tamis.Database) -> list[str]:
    out = []
    for r in table:
        share = 100 * r["identical"] / r["length"]
        mismatches = r["length"] - r["identical"] - r["gaps"]
        columns = [queries[r["query"]], database[r["subject"]].id, f"{share:.3f}", r["length"], mismatches, r["openings"]]
        columns += [r["query_start"] + 1, r["query_end"], r["subject_start"] + 1, r["subject_end"]]
        columns += [evalue_text(r["evalue"]).strip(), bits_text(r["bits"]).strip()]
        out.append("\t".join(map(str, columns)))
    return out


def names_of(path: Path) -> list[str]:
    return [line[1:].split()[0] for line in path.read_text().split("\n") if line.startswith(">")]


CASES: list[tuple[list[str], dict[str, Any]]] = [
    ([], {}),
    (["-evalue", "1e-3", "-max_target_seqs", "3"], {"evalue": 1e-3, "max_target_seqs": 3}),
    (["-comp_based_stats", "0", "-matrix", "PAM30"], {"comp_based_stats": 0, "matrix": "PAM30"}),
    (["-task", "blastp-fast", "-max_hsps", "1"], {"task": "blastp-fast", "max_hsps": 1}),
    (["-seg", "yes", "-soft_masking", "true"], {"seg": True, "soft_masking": True}),
    (["-gapopen", "9", "-gapextend", "2"], {"gapopen": 9, "gapextend": 2}),
    (["-seg", "10 2.0 2.3", "-word_size", "2", "-threshold", "12"], {"seg": (10, 2.0, 2.3), "word_size": 2, "threshold": 12}),
    (["-comp_based_stats", "0", "-ungapped", "-window_size", "20"], {"comp_based_stats": 0, "ungapped": True, "window_size": 20}),
    (["-use_sw_tback", "-qcov_hsp_perc", "40"], {"use_sw_tback": True, "qcov_hsp_perc": 40}),
    (["-dbsize", "1000000", "-culling_limit", "2"], {"dbsize": 1000000, "culling_limit": 2}),
    (["-searchsp", "123456789", "-subject_besthit"], {"searchsp": 123456789, "subject_besthit": True}),
    (["-best_hit_overhang", "0.1", "-best_hit_score_edge", "0.2"], {"best_hit_overhang": 0.1, "best_hit_score_edge": 0.2}),
    (["-xdrop_ungap", "5", "-xdrop_gap", "10", "-xdrop_gap_final", "20"], {"xdrop_ungap": 5, "xdrop_gap": 10, "xdrop_gap_final": 20}),
]


@pytest.mark.parametrize(("options", "arguments"), CASES, ids=[" ".join(o) or "default" for o, _ in CASES])
def test_rows_are_the_commands(command: Callable[..., str], options: list[str], arguments: dict[str, Any]) -> None:
    want = command("blastp", "-query", QUERIES, "-subject", SUBJECTS, "-outfmt", "6", *options).split("\n")[:-1]
    search = tamis.blastp(QUERIES, subject=SUBJECTS, **arguments)
    assert lines_of(search.to_numpy(), names_of(QUERIES), search.database) == want
    assert want or arguments.get("qcov_hsp_perc")


@pytest.fixture(scope="module")
def database(command: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("a database")
    command("makedb", "-in", SUBJECTS, "-dbtype", "prot", "-out", folder / "db")
    return f'"{folder / "db"}"'


def many_queries(tmp_path: Path, n: int = 120) -> Path:
    """More than one call, and batches that end within one."""
    draw = random.Random(1)
    records = QUERIES.read_text().split(">")[1:]
    path = tmp_path / "many.fa"
    path.write_text("".join(">" + draw.choice(records).rstrip("\n") + "\n" for _ in range(n)))
    return path


def test_database_in_many_calls(command: Callable[..., str], database: str, tmp_path: Path) -> None:
    path = many_queries(tmp_path)
    want = command("blastp", "-query", path, "-db", database, "-outfmt", "6", "-evalue", "1").split("\n")[:-1]
    for threads in (1, 3):
        search = tamis.blastp(path, database, evalue=1, threads=threads)
        assert lines_of(search.to_numpy(), names_of(path), search.database) == want


def test_queries_hits_hsps(database: str) -> None:
    table = tamis.blastp(QUERIES, database).to_numpy()
    rows = iter(table)
    n_hits = 0
    names = names_of(QUERIES)
    with tamis.blastp(QUERIES, database) as search:
        for number, query in enumerate(search):
            assert query.number == number and query.id == names[number]
            assert len(query) == len(query.hits) == len({h.subject for h in query})
            for hit in query:
                n_hits += 1
                assert hit.id == search.database[hit.subject].id and hit.length == search.database[hit.subject].length
                for hsp in hit.hsps:
                    row = next(rows)
                    assert row["query"] == number and row["subject"] == hit.subject
                    for name in tamis.Hsp._fields[:-1]:
                        assert getattr(hsp, name) == row[name], name
                    top, bottom = query.alignment(hit, hsp)
                    assert len(top) == len(bottom) == hsp.length
                    assert sum(a == b for a, b in zip(top, bottom)) == hsp.identical
                    assert top.count("-") + bottom.count("-") == hsp.gaps
                    residues = search.database.sequence(hit.subject)
                    assert bottom.replace("-", "") == residues[hsp.subject_start : hsp.subject_end]
    assert number == len(names) - 1 and n_hits > 100 and next(rows, None) is None


def test_iteration_then_the_rest(database: str) -> None:
    table = tamis.blastp(QUERIES, database).to_numpy()
    search = tamis.blastp(QUERIES, database)
    first = [next(search).rows for _ in range(5)]
    assert (np.concatenate([*first, search.to_numpy()]) == table).all()
    assert list(search) == [] and len(search.to_numpy()) == 0


def test_forms_of_queries(database: str, tmp_path: Path) -> None:
    want = tamis.blastp(QUERIES, database).to_numpy()
    text = QUERIES.read_bytes()
    (tmp_path / "q.fa.gz").write_bytes(gzip.compress(text))
    (tmp_path / "crlf.fa").write_bytes(text.replace(b"\n", b"\r\n"))
    lines = [line if line.startswith(b">") else line + b" ;the rest\n\n; a line" for line in text.split(b"\n")]
    (tmp_path / "comments.fa").write_bytes(b"\n".join(lines))
    pairs = [(r.partition("\n")[0], r.partition("\n")[2].replace("\n", "")) for r in text.decode().split(">")[1:]]
    fastq = "".join(f"@{h}\n{s}\n+\n{'I' * len(s)}\n" for h, s in pairs).encode()
    forms: list[Any] = [str(QUERIES), tmp_path / "q.fa.gz", tmp_path / "crlf.fa", tmp_path / "comments.fa", io.BytesIO(text)]
    forms += [pairs, iter(pairs), io.BytesIO(fastq), io.BytesIO(fastq.rstrip(b"\n")), io.BytesIO(gzip.compress(fastq))]
    for form in forms:
        assert (tamis.blastp(form, database).to_numpy() == want).all()
    assert len(tamis.blastp([], database).to_numpy()) == 0
    assert [len(q) for q in tamis.blastp([("empty", ""), ("short", "MK")], database)] == [0, 0]


def test_errors(database: str, tmp_path: Path) -> None:
    cases: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tamis.blastp(QUERIES), tamis.ArgumentError, "either"),
        (lambda: tamis.blastp(QUERIES, database, subject=SUBJECTS), tamis.ArgumentError, "either"),
        (lambda: tamis.blastp(QUERIES, tmp_path.as_posix() + "/none"), tamis.ArgumentError, "none"),
        (lambda: tamis.blastp(QUERIES, database, matrix="BLOSUM99"), tamis.ArgumentError, "BLOSUM99"),
        (lambda: tamis.blastp(QUERIES, database, gapopen=1, gapextend=1), tamis.ArgumentError, "gap|cost"),
        (lambda: tamis.blastp(QUERIES, database, evalue=-1), tamis.ArgumentError, "E-value|evalue"),
        (lambda: tamis.blastp(QUERIES, database, task="psiblast"), tamis.ArgumentError, "blastp-fast"),
        (lambda: tamis.blastp(QUERIES, database, comp_based_stats=4), tamis.ArgumentError, "0, 1, 2 or 3"),
        (lambda: tamis.blastp(tmp_path / "none.fa", database).to_numpy(), tamis.FormatError, "none.fa"),
        (lambda: tamis.blastp(io.BytesIO(b"@a\nMK\n+\n"), database).to_numpy(), tamis.FormatError, "FASTQ"),
        (lambda: tamis.blastp(io.BytesIO(b"@a\nMK\n+\nI\n"), database).to_numpy(), tamis.FormatError, "FASTQ"),
        (lambda: tamis.blastp(io.BytesIO(b"@a\nMK\n"), database).to_numpy(), tamis.FormatError, "cut short"),
        (lambda: tamis.blastp(io.BytesIO(gzip.compress(b">a\nMK\n" * 9)[:-9]), database).to_numpy(), tamis.FormatError, "."),
        (lambda: tamis.blastp(QUERIES, subject=[]), tamis.ArgumentError, "no sequences"),
        (lambda: next(tamis.blastp(QUERIES, database)).hits and tamis.blastp(QUERIES, database).database[10**6], IndexError, "1000000"),
    ]
    for call, error, words in cases:
        with pytest.raises(error, match=words):
            call()


def test_letters_that_are_no_residues(database: str) -> None:
    """NCBI's programs drop what is no letter."""
    want = tamis.blastp([("q", "MKVLAAGIVGLLLAQWERTY")], database).to_numpy()
    assert (tamis.blastp(io.BytesIO(b">q\nMKVL-AAGIV 123\nGLLLAQWERTY\n"), database).to_numpy() == want).all()


def test_ending_early(database: str, tmp_path: Path) -> None:
    """close(), the end of a block and the last reference end the search's thread."""
    path = many_queries(tmp_path, 800)

    def searching() -> int:
        return sum(t.name == "tamis" for t in threading.enumerate())

    search = tamis.blastp(path, database)
    next(search)
    assert searching() == 1
    search.close()
    assert searching() == 0
    with tamis.blastp(path, database) as search:
        next(search)
    assert searching() == 0
    search = tamis.blastp(path, database)
    query = next(search)
    del search
    gc.collect()
    assert searching() == 0
    assert len(query.hits) == len(query)  # results outlive the search
    assert tamis.blastp(path, database) is not None  # never begun


def test_ctrl_c(database: str, tmp_path: Path) -> None:
    draw = random.Random(2)
    records = [r.partition("\n")[2].replace("\n", "") for r in SUBJECTS.read_text().split(">")[1:]]
    long = [(f"q{i}", "".join(draw.choice(records) for _ in range(60))) for i in range(400)]  # minutes
    search = tamis.blastp(long, database, threads=1)
    timer = threading.Timer(1.0, lambda: signal.raise_signal(signal.SIGINT))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in a shell's background jobs
    begun = time.monotonic()
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            search.to_numpy()
    finally:
        timer.join()
        signal.signal(signal.SIGINT, handler)
    assert time.monotonic() - begun < 10


def test_leaks(database: str) -> None:
    from test_filter import rss

    def some(n: int) -> None:
        for _ in range(n):
            search = tamis.blastp([("q", "MKVLAAGIVGLLLAQWERTYMKVLAAGIVGLLLAQWERTY")], database, threads=1)
            for query in search:
                query.hits

    some(30)
    gc.collect()
    before = rss()
    some(300)
    gc.collect()
    assert rss() - before < 4_000_000
