"""Filters from Python, beside those of PyPI: ten million keys, false-positive rate 1e-3, one thread, processor seconds.

    pip install numpy pyarrow rbloom pybloomfiltermmap3 fastbloom-rs
    PYTHONPATH=python TAMIS_LIBRARY=build/release/libtamis.so python3 bench/python.py [KEYS] >bench/results/MACHINE/python.tsv

Rows: what was asked of whom; seconds to build and to query; the share of keys not in the set that pass. "libtamis" are the library's calls
alone, on keys in the place where they lie: what the module adds is the difference. The other modules take objects of Python; turning an array
into a list (tolist()) counts for them. The best of three.
"""

import sys
import time
from ctypes import byref, c_void_p, sizeof

import fastbloom_rs
import numpy as np
import pyarrow as pa
import pybloomfilter
import rbloom

import tamis
from tamis import _keys, _library

N = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
FPR = 1e-3
lib = _library.lib


def best(call, *arguments):
    seconds = []
    for _ in range(3):
        begun = time.process_time()
        result = call(*arguments)
        seconds.append(time.process_time() - begun)
    return min(seconds), result


def row(kind, who, build, query, keys, others):
    built, made = best(build, keys)
    asked, found = best(query, made, keys)
    passed = query(made, others)
    assert len(found) == len(keys) and all(found[:: len(found) // 1000])
    rate = sum(passed[:100_000]) / 100_000
    print(f"{kind}\t{who}\t{built:.3f}\t{asked:.3f}\t{rate:.5f}", flush=True)


def calls_alone():
    """libtamis without the module: contexts and batches are made before the clock starts."""
    context = _library.thread_context("cpu", 1)

    def build(batch):
        want, params, out = _library.FilterWant(layout=1, hash=1, n_keys=batch.n, fpr=FPR), _library.FilterParams(), c_void_p()
        lib.tms_filter_size_sized(context.pointer, byref(want), sizeof(want), byref(params), sizeof(params))
        lib.tms_filter_create_sized(context.pointer, byref(params), sizeof(params), byref(out))
        _library.check(lib.tms_filter_insert(context.pointer, out, byref(batch.keys)), context)
        return _library.Handle(out.value, lib.tms_filter_destroy)

    def query(made, batch):
        out = np.empty(batch.n, bool)
        _library.check(lib.tms_filter_query(context.pointer, made.pointer, byref(batch.keys), out.ctypes.data), context)
        return out

    return build, query


class Alone:
    """One batch, with a length."""

    def __init__(self, keys):
        (self.batch,) = _keys.batches(keys)

    def __len__(self):
        return self.batch.n


def all_rows(kind, keys, others, as_list, fast):
    build, query = calls_alone()
    if kind not in ("list of str",):
        row(kind, "libtamis", lambda k: build(k.batch), lambda f, k: query(f, k.batch), Alone(keys), Alone(others))
    row(kind, "tamis", lambda k: tamis.Filter.build(k, FPR, threads=1), lambda f, k: f.query(k), keys, others)

    def with_update(make):
        def built(k):
            made = make()
            made.update(as_list(k))
            return made

        return built

    def contains(made, k):
        return [key in made for key in as_list(k)]

    row(kind, "rbloom", with_update(lambda: rbloom.Bloom(N, FPR)), contains, keys, others)
    row(kind, "pybloomfiltermmap3", with_update(lambda: pybloomfilter.BloomFilter(N, FPR)), contains, keys, others)

    def fast_build(k):
        made = fastbloom_rs.BloomFilter(N, FPR)
        getattr(made, f"add_{fast}_batch")(as_list(k))
        return made

    row(kind, "fastbloom-rs", fast_build, lambda f, k: getattr(f, f"contains_{fast}_batch")(as_list(k)), keys, others)


print("keys\twho\tbuild_s\tquery_s\tfpr")
numbers = np.random.default_rng(1).permutation(np.arange(1, 2 * N + 1, dtype=np.uint64) * np.uint64(0x5851F42D4C957))
numbers >>= np.uint64(2)  # which fastbloom-rs takes as signed
all_rows("uint64 array", numbers[:N], numbers[N:], lambda a: a.tolist(), "int")
strings = np.char.add(b"https://example.org/", numbers[: 2 * N].astype("S20"))
all_rows("S40 array", strings[:N], strings[N:], lambda a: a.tolist(), "bytes")
arrow = pa.array([s.decode() for s in strings.tolist()])
del strings
all_rows("Arrow strings", arrow[:N], arrow[N:], lambda a: a.to_pylist(), "str")
words = arrow.to_pylist()
del arrow
all_rows("list of str", words[:N], words[N:], lambda a: a, "str")
