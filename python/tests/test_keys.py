"""All forms of keys are the same keys, and none of them is copied that need not be."""

from __future__ import annotations

import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tamis
from tamis import _keys

TEXTS = st.lists(st.text(st.characters(exclude_categories=["Cs"]), max_size=12), max_size=40)


def image(f: tamis.Filter, folder: Path) -> bytes:
    f.save(folder / "f.tms")
    return (folder / "f.tms").read_bytes()


def forms(keys: list[str]) -> dict[str, Any]:
    encoded = [k.encode() for k in keys]
    arrow = pa.array(["before", *keys, "behind"], pa.string())[1:-1]
    half = len(keys) // 2
    return {
        "bytes": encoded,
        "mixed": [k if i % 2 else k.encode() for i, k in enumerate(keys)],
        "objects": np.array([*keys, None], object)[:-1],
        "arrow": arrow,
        "arrow binary": pa.array(encoded, pa.binary()),
        "arrow large": pa.array(["x", *keys], pa.large_string())[1:],
        "arrow chunks": pa.chunked_array([pa.array(keys[:half], pa.string()), pa.array(keys[half:], pa.string())]),
    }


@given(keys=TEXTS)
def test_forms_agree(keys: list[str]) -> None:
    size: dict[str, Any] = {"bits": 1 << 16, "k": 8}
    want = tamis.Filter.build(keys, **size).stats()
    for name, form in forms(keys).items():
        assert tamis.Filter.build(form, **size).stats() == want, name  # with the checksum of the bits
    stripped = [k.rstrip("\0") for k in keys]  # NumPy does
    want = tamis.Filter.build(stripped, **size).stats()
    arrays = {"U": np.array(stripped, "U"), "S": np.array([k.encode() for k in stripped], "S")}
    for name, array in arrays.items():
        assert tamis.Filter.build(array, **size).stats() == want, name
        f = tamis.Filter.build(stripped, **size)
        assert f.query(array).all()
        assert all(key in f for key in array)


@given(keys=st.lists(st.integers(0, 2**64 - 1), max_size=50), others=st.lists(st.integers(0, 2**64 - 1), max_size=50))
def test_integers(keys: list[int], others: list[int]) -> None:
    array = np.array(keys, np.uint64)
    as_bytes = [k.to_bytes(8, "little") for k in keys]
    f = tamis.Filter.build(array, fpr=1e-9)
    assert f.query(array).all() and f.query(as_bytes).all() and f.query(pa.array(array)).all()
    assert f.query(array.astype(">u8")).all() and f.query(np.repeat(array, 2)[::2]).all()
    wanted = np.array([k in as_bytes for k in (o.to_bytes(8, "little") for o in others)], bool)
    assert (f.query(np.array(others, np.uint64)) == wanted).all()  # 1e-9: no false positives in 3,000
    assert all(k in f for k in array)


@given(keys=TEXTS, others=TEXTS)
def test_no_false_negatives(keys: list[str], others: list[str]) -> None:
    for layout in ("blocked", "classic"):
        f = tamis.Filter.build(keys, fpr=0.3, layout=layout)
        assert f.query(keys).all()
        assert f.query(keys + others)[: len(keys)].all()
        assert f.query(iter(others)).tolist() == f.query(others).tolist() == [o in f for o in others]


def test_streams_of_unknown_length(tmp_path: Path) -> None:
    keys = [f"key {i}" for i in range(300_000)]  # more than a chunk
    want = image(tamis.Filter.build(keys, 1e-4), tmp_path)
    assert image(tamis.Filter.build((k for k in keys), 1e-4), tmp_path) == want
    assert tamis.Filter.build(keys, 1e-4).query(np.array(keys)).all()


def test_large_offsets_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow's 64-bit offsets come in batches that 32 bits reach; here at 100 bytes."""
    monkeypatch.setattr(_keys, "MOST_BYTES", 100)
    keys = ["x" * (i % 37) for i in range(500)]
    batches = list(_keys.batches(pa.array(keys, pa.large_string())))
    assert len(batches) > 50 and sum(b.n for b in batches) == 500
    f = tamis.Filter.empty(1000)
    f.insert(pa.array(keys, pa.large_string()))
    assert f.query(keys).all() and not f.query(["x" * i for i in range(37, 200)]).all()
    assert f.query(pa.array(keys, pa.large_string())).shape == (500,)


@pytest.mark.parametrize(
    "keys",
    [
        np.zeros(4_000_000, np.uint64),
        np.full(2_000_000, b"sixteen bytes ..", "S16"),
        pa.array(np.zeros(4_000_000, np.int64)),
        pa.array(["sixteen bytes .."] * 2_000_000),
    ],
    ids=["uint64", "S16", "arrow int64", "arrow string"],
)
def test_key_bytes_are_not_copied(keys: Any) -> None:
    f = tamis.Filter.empty(100)
    tracemalloc.start()
    try:
        batches = list(_keys.batches(keys))
        assert sum(b.n for b in batches) == len(keys)
        f.insert(keys)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000  # of 32 MB; NumPy's memory counts, too
    finally:
        tracemalloc.stop()


def test_empty_sets(tmp_path: Path) -> None:
    empties: list[Any] = [[], (), iter(()), {}, np.zeros(0, np.uint64), np.zeros(0, "S5"), np.zeros(0, "U1"), pa.array([], pa.string())]
    for empty in empties:
        f = tamis.Filter.build(empty)
        assert f.stats().n_keys == 0
        assert f.query(empty).shape == (0,) and f.query(empty).dtype == bool
        assert "" not in f
    of_one: list[Any] = [[""], [b""], np.array([""]), np.array([b""]), pa.array([""]), np.zeros(1, "V0")]
    for empty_keys in of_one:
        assert "" in tamis.Filter.build(empty_keys)


@pytest.mark.parametrize(
    ("keys", "error", "words"),
    [
        ("word", TypeError, "key in filter"),
        (b"word", TypeError, "key in filter"),
        ([1, 2], TypeError, "numpy.asarray"),
        ([b"a", None], TypeError, "not NoneType"),
        (7, TypeError, "not iterable"),
        (np.zeros((2, 2), np.uint64), tamis.ArgumentError, "one dimension"),
        (np.zeros(2), tamis.ArgumentError, "float64"),
        (np.zeros(2, bool), tamis.ArgumentError, "bool"),
        (np.zeros(2, "datetime64[s]"), tamis.ArgumentError, "datetime64"),
        (np.zeros(2, [("a", "i4"), ("b", "i4")]), tamis.ArgumentError, "strings, bytes or integers"),
        (pa.array(["a", None, "b"]), tamis.ArgumentError, "key 1 of an Arrow array is null"),
        (pa.array([1.0]), tamis.ArgumentError, "format 'g'"),
        (pa.array([["a"]]), tamis.ArgumentError, "format"),
        (["\ud800"], UnicodeEncodeError, "surrogates"),
    ],
)
def test_what_is_no_key(keys: Any, error: type[Exception], words: str) -> None:
    f = tamis.Filter.empty(10)
    for call in (f.query, f.insert, tamis.Filter.build):
        with pytest.raises(error, match=words):
            call(keys)
    assert f.stats().n_keys == 0
