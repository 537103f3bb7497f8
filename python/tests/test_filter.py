"""Filters: the command's bytes, errors, ownership, threads."""

from __future__ import annotations

import gc
import os
import pickle
import resource
import threading
import time
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pytest

import tamis

WORDS = ["sieve", "drum", "cloth", "größe", "", "a b", "drum"]

KINDS: list[tuple[list[str], dict[str, Any]]] = [
    ([], {}),
    (["--fpr", "1e-6"], {"fpr": 1e-6}),
    (["--layout", "classic", "--fpr", "0.01"], {"layout": "classic", "fpr": 0.01}),
    (["--layout", "classic", "--hash", "murmur3", "--seed", "7"], {"layout": "classic", "hash": "murmur3", "seed": 7}),
    (["-m", "65536", "-k", "5"], {"bits": 65536, "k": 5}),
    (["-m", "1Mi"], {"bits": 1 << 20}),
    (["--blocks", "3", "--fpr", "1e-5"], {"blocks": 3, "fpr": 1e-5}),
    (["--expected", "1000"], {"expected": 1000}),
]


@pytest.mark.parametrize(("options", "arguments"), KINDS, ids=[" ".join(o) or "default" for o, _ in KINDS])
@pytest.mark.parametrize("many", [False, True], ids=["few", "many"])
def test_files_are_the_commands(
    command: Callable[..., str], tmp_path: Path, options: list[str], arguments: dict[str, Any], many: bool
) -> None:
    keys = WORDS + [f"word {i * i}" for i in range(20_000 if many else 0)]
    command("build", "-q", "-o", tmp_path / "command.tms", *options, stdin="".join(k + "\n" for k in keys).encode())
    want = (tmp_path / "command.tms").read_bytes()
    for form in (keys, iter(keys), np.array(keys)):
        tamis.Filter.build(form, **arguments).save(tmp_path / "module.tms")
        assert (tmp_path / "module.tms").read_bytes() == want
    asked = [*WORDS, "clay", "Drum", *(f"word {i}" for i in range(5000))]
    passed = command("query", tmp_path / "module.tms", stdin="".join(k + "\n" for k in asked).encode())
    hits = tamis.Filter.load(tmp_path / "command.tms").query(asked)
    assert [k for k, hit in zip(asked, hits) if hit] == passed.split("\n")[:-1]


def test_counts_are_the_commands(command: Callable[..., str], tmp_path: Path) -> None:
    lines = b"a\n" * 50 + b"b\n" * 5
    command("build", "-q", "-o", tmp_path / "p.tms", "--layout", "probabilistic", "--max-f", "100", "--error", "0.3", stdin=lines)
    f = tamis.Filter.load(tmp_path / "p.tms")
    ones = f.count(["a", "b", "c"])
    assert ones.dtype == np.uint32 and ones[0] > ones[1] > ones[2] and ones[0] <= f.k
    assert f.layout == "probabilistic"
    with pytest.raises(tamis.ArgumentError, match="count instead"):
        f.query(["a"])
    with pytest.raises(tamis.ArgumentError, match="probabilistic"):
        tamis.Filter.build(["a"]).count(["a"])


def test_reference_is_the_commands(command: Callable[..., str], tmp_path: Path) -> None:
    from conftest import DATA

    for name, path in (("plain", DATA / "classify/k12.fa"), ("gz", DATA / "genomes/ecoli_k12_excerpt.fa.gz")):
        for options, arguments in (([], {}), (["--stranded"], {"stranded": True}), (["--fpr", "0.01"], {"fpr": 0.01})):
            command("build", "-q", "--force", "-o", tmp_path / "c.tms", "--kmer", "25", *options, path)
            tamis.Filter.reference(path, 25, **arguments).save(tmp_path / "m.tms")
            assert (tmp_path / "m.tms").read_bytes() == (tmp_path / "c.tms").read_bytes(), name
    f = tamis.Filter.reference([DATA / "classify/k12.fa"])
    assert f.word_size == 31 and f.layout == "words"


def test_what_a_filter_says() -> None:
    f = tamis.Filter.build(WORDS, 1e-6)
    stats = f.stats()
    assert stats.n_keys == 7 and stats.ones > 0 and 0 < stats.fill < 1 and stats.expected_fpr <= 1e-6
    assert f.layout == "blocked" and f.hash == "xxh3" and f.seed == 0 and f.bits % 256 == 0 and 1 <= f.k <= 16
    assert "blocked" in repr(f) and str(f.bits) in repr(f)


def test_merging() -> None:
    size: dict[str, Any] = {"bits": 1 << 14, "k": 6}
    a, b = tamis.Filter.build(["x", "both"], **size), tamis.Filter.build(["y", "both"], **size)
    assert (a | b).query(["x", "y", "both", "none"]).tolist() == [True, True, True, False]
    assert (a & b).query(["x", "y", "both"]).tolist() == [False, False, True]
    assert a.query(["y"]).tolist() == [False]
    alias = a
    a |= b
    assert alias is a and a.query(["y"]).all()
    with pytest.raises(tamis.MismatchError, match="seed|bits|m"):
        a |= tamis.Filter.build(["x"], bits=1 << 15, k=6)
    with pytest.raises(TypeError):
        a | 1  # type: ignore[operator]


def test_loaded_filters_are_read_only(tmp_path: Path) -> None:
    tamis.Filter.build(WORDS, expected=100).save(tmp_path / "x.tms")
    f = tamis.Filter.load(tmp_path / "x.tms")
    with pytest.raises(tamis.ArgumentError, match="read-only"):
        f.insert(["more"])
    copy = f.copy()
    copy.insert(["more"])
    assert "more" in copy and "more" not in f
    copy.save(tmp_path / "x.tms")  # replaces the mapped file
    assert "more" not in f and "more" in tamis.Filter.load(str(tmp_path / "x.tms"))


def test_errors_have_the_librarys_sentence(tmp_path: Path) -> None:
    cases: list[tuple[Callable[[], Any], type[Exception], str]] = [
        (lambda: tamis.Filter.load(tmp_path / "none.tms"), tamis.FormatError, "none.tms"),
        (lambda: tamis.Filter.load(__file__), tamis.FormatError, "test_filter.py"),
        (lambda: tamis.Filter.build(["a"]).save(tmp_path / "no" / "x.tms"), tamis.FileError, "x.tms"),
        (lambda: tamis.Filter.load("a\0b"), tamis.ArgumentError, "NUL"),
        (lambda: tamis.Filter.build(["a"], 2), tamis.ArgumentError, "false-positive rate"),
        (lambda: tamis.Filter.build(["a"], layout="round"), tamis.ArgumentError, "blocked, classic"),
        (lambda: tamis.Filter.build(["a"], hash="md5"), tamis.ArgumentError, "xxh3"),
        (lambda: tamis.Filter.build(["a"], hash="murmur3"), tamis.ArgumentError, "xxh3"),
        (lambda: tamis.Filter.build(["a"], k=-1), tamis.ArgumentError, "k = -1"),
        (lambda: tamis.Filter.build(["a"], seed=1 << 64), tamis.ArgumentError, "seed"),
        (lambda: tamis.Filter.build(["a"], bits=1 << 60), tamis.ArgumentError, "bits"),
        (lambda: tamis.Filter.build(["a"], threads=-1), tamis.ArgumentError, "thread"),
        (lambda: tamis.Filter.build(["a"], device="tpu"), tamis.ArgumentError, "cuda:1"),
        (lambda: tamis.Filter.build(["a"], device=-1), tamis.ArgumentError, "cuda:1"),
        (lambda: tamis.Filter.build(["a"], device=True), tamis.ArgumentError, "cuda:1"),
        (lambda: tamis.Filter.reference(tmp_path / "none.fa"), tamis.FormatError, "none.fa"),
        (lambda: tamis.Filter.reference(__file__, word_size=3), tamis.ArgumentError, "8"),
        (lambda: pickle.dumps(tamis.Filter.build(["a"])), TypeError, "save it"),
    ]
    for call, error, words in cases:
        with pytest.raises(error, match=words) as raised:
            call()
        assert len(str(raised.value)) > 8
        assert error is TypeError or isinstance(raised.value, tamis.Error)
    assert issubclass(tamis.FormatError, ValueError) and issubclass(tamis.FileError, OSError)
    assert issubclass(tamis.OutOfMemoryError, MemoryError)


def test_no_gpu_is_an_error_that_says_why() -> None:
    if any(gpu.usable for gpu in tamis.gpus()):
        assert "a" in tamis.Filter.build(["a"], device="cuda")
    else:
        with pytest.raises(tamis.DeviceError, match="."):
            tamis.Filter.build(["a"], device="cuda")
    assert "a" in tamis.Filter.build(["a"], device="auto")


def test_close_and_with() -> None:
    with tamis.Filter.build(WORDS) as f:
        assert "drum" in f
    assert f.closed and "closed" in repr(f)
    f.close()
    uses: list[Callable[[], Any]] = [
        lambda: f.query(["a"]),
        lambda: f.insert(["a"]),
        lambda: "a" in f,
        lambda: f.save("x"),
        lambda: f.copy(),
        lambda: f.stats(),
        lambda: f.bits,
        lambda: f | tamis.Filter.build(["a"]),
        lambda: tamis.Filter.build(["a"]) | f,
        lambda: f.__enter__(),
    ]
    for use in uses:
        with pytest.raises(ValueError, match="the filter is closed"):
            use()


def test_threads_share_a_filter() -> None:
    keys = np.arange(400_000, dtype=np.uint64)
    f = tamis.Filter.build(keys[::2], 1e-6)
    want = f.query(keys)
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(f.query, [keys] * 24):
            assert (got == want).all()
    assert want[::2].all() and not want[1::2].all()


def test_closing_under_a_query() -> None:
    """The memory stays until the last call has ended."""
    keys = np.arange(1_000_000, dtype=np.uint64)
    for _ in range(20):
        f = tamis.Filter.build(keys[:1000], 1e-3)
        results: list[int] = []
        thread = threading.Thread(target=lambda: results.append(int(f.query(keys)[:1000].sum())))
        handle = f._alive()
        thread.start()
        f.close()
        del handle
        gc.collect()
        thread.join()
        assert results in ([1000], [])  # or it found the filter closed


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_calls_release_the_gil() -> None:
    """Another thread goes on while a long call works."""
    f = tamis.Filter.build(np.arange(1000, dtype=np.uint64))
    keys = np.arange(20_000_000, dtype=np.uint64)
    steps = 0
    busy = threading.Event()

    def query() -> None:
        busy.set()
        f.query(keys)
        busy.clear()

    thread = threading.Thread(target=query)
    thread.start()
    busy.wait()
    while busy.is_set():
        steps += 1
    thread.join()
    assert steps > 1000


def test_after_fork() -> None:
    f = tamis.Filter.build(np.arange(100_000, dtype=np.uint64))
    child = os.fork()
    if child == 0:
        os._exit(0 if f.query(np.arange(100_000, dtype=np.uint64)).all() else 1)
    assert os.waitpid(child, 0)[1] == 0


def rss() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def test_leaks(tmp_path: Path) -> None:
    """10^5 filters, and 2,000 failures: neither Python's memory nor the process grows."""
    keys = np.arange(8, dtype=np.uint64)
    tamis.Filter.build(keys).save(tmp_path / "x.tms")

    def some(n: int) -> None:
        for i in range(n):
            f = tamis.Filter.build(keys, bits=4096, k=4, threads=1)
            f.query(keys)
            if i % 50 == 0:
                tamis.Filter.load(tmp_path / "x.tms").query(keys)
                f.copy()
                with pytest.raises(tamis.ArgumentError):
                    tamis.Filter.build(keys, bits=1 << 60, k=4)

    some(5000)
    gc.collect()
    before = rss()
    some(90_000)
    tracemalloc.start()
    some(500)
    gc.collect()
    python_before = tracemalloc.get_traced_memory()[0]
    some(4500)
    gc.collect()
    python_grown = tracemalloc.get_traced_memory()[0] - python_before
    tracemalloc.stop()
    assert python_grown < 20_000
    assert rss() - before < 16_000_000  # a bit array is 512 bytes: 100,000 of them would be 51 MB


def test_threads_end_with_their_contexts() -> None:
    keys = np.arange(300_000, dtype=np.uint64)
    f = tamis.Filter.build(keys)

    def work() -> None:
        f.query(keys)

    def n_threads() -> int:
        return len(os.listdir("/proc/self/task"))

    work()
    before = n_threads()
    for _ in range(30):
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    gc.collect()
    until = time.monotonic() + 20
    while n_threads() > before + 1 and time.monotonic() < until:  # a thread that has been joined may still be on its way out
        time.sleep(0.05)
    assert n_threads() <= before + 1
