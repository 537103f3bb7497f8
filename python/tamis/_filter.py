"""Bloom filters of strings."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import byref, sizeof
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._keys import Batch, KeyArray, batches, one_key
from ._library import (
    ArgumentError,
    FilterParams,
    FilterStats,
    FilterWant,
    Handle,
    check,
    lib,
    make,
    path_bytes,
    thread_context,
)

_LAYOUTS = {"blocked": 1, "classic": 2, "probabilistic": 3, "words": 4}
_HASHES = {"xxh3": 1, "xxh3-square": 2, "murmur3": 3, "ap": 4}
_UNION, _INTERSECTION = 0, 1


def _number_of(keys: Any) -> int | None:
    return len(keys) if hasattr(keys, "__len__") else None


class Stats(NamedTuple):
    """Counts and rates of a filter, from one pass over its bits.

    n_keys: keys inserted, with repeats. ones: bits set. fill: the share of the bits that are set, 0 to 1.
    expected_fpr, actual_fpr: the false-positive rate, computed from n_keys and from the bits, 0 to 1.
    classic_bits_per_key: what the classic layout would need for expected_fpr.
    size_bytes: of the file. checksum: of the bits, as in the file.
    """

    n_keys: int
    ones: int
    fill: float
    expected_fpr: float
    actual_fpr: float
    classic_bits_per_key: float
    size_bytes: int
    checksum: int


def _choice(name: str, choices: dict[str, int], what: str) -> int:
    if name not in choices:
        raise ArgumentError(f"{name!r} is no {what}: {', '.join(choices)}")
    return choices[name]


class Filter:
    """A Bloom filter of byte strings: it answers "certainly not in the set" or "probably in the set".

    >>> import tamis
    >>> words = tamis.Filter.build(["sieve", "drum", "cloth"], fpr=1e-6)
    >>> words.query(["drum", "clay"])
    array([ True, False])
    >>> "drum" in words
    True

    Keys: a list or any iterable of ``str`` (taken as UTF-8) and ``bytes``; a NumPy array of dtype S, U, V, of str or bytes objects, or of
    integers; an Arrow array of strings, binary, fixed-size binary or integers without nulls (any library's that has
    ``__arrow_c_array__`` or ``__arrow_c_stream__``). Equal strings are equal keys in all of these forms. An integer is the bytes of its
    type, least first: a ``uint64`` has 8, and is another key than the same number as ``uint32``. NumPy drops zero bytes at the end of
    dtype S and U, so such keys have none. Bytes of contiguous arrays (S, V, integers) and of Arrow arrays are not copied.

    Files are those of the command: ``tamis build`` makes the same bytes of the same keys, with any number of threads and on any device.

    Threads: any number of threads may query one filter at the same time, and calls release the GIL. ``insert``, ``save``, ``stats`` and
    merging wait for one another; no thread may query a filter while another one inserts into it. A filter may be closed at any time.

    A filter frees its memory when it is closed, leaves its ``with`` block, or loses its last reference.
    """

    def __init__(self, handle: Handle, device: str | int = "cpu", threads: int = 0) -> None:
        """For this module: use ``Filter.build``, ``Filter.empty``, ``Filter.load`` or ``Filter.reference``."""
        self._handle: Handle | None = handle
        self._device = device
        self._threads = threads
        self._lock = threading.Lock()

    # ---- making filters --------------------------------------------------------------------------------------------------------

    @classmethod
    def build(
        cls,
        keys: KeyArray,
        fpr: float | None = None,
        *,
        layout: str = "blocked",
        hash: str = "xxh3",
        seed: int = 0,
        bits: int = 0,
        k: int = 0,
        blocks: int = 0,
        expected: int = 0,
        device: str | int = "cpu",
        threads: int = 0,
    ) -> Filter:
        """Makes a filter of keys.

        keys: any form in the description of the class. If their number is known (``len()``) or given (expected), they are inserted
            at once; otherwise 8 bytes a key are kept until the last one.
        fpr: the false-positive rate, 0 < fpr < 1; by default 1e-3.
        layout: "blocked", the fastest, or "classic", with the fewest bits. hash: "xxh3"; classic also "xxh3-square", "murmur3", "ap".
        bits, k, blocks: size in bits, bits per key and blocks per key, in place of the best for fpr; 0: not given.
        expected: how many keys to make room for.
        device: "cpu", "auto" (a GPU if one is usable), "cuda" or "cuda:1". threads: 0: all processors.

        Raises ArgumentError if the request contradicts itself or cannot be met, OutOfMemoryError, DeviceError.
        """
        n = expected or _number_of(keys)
        if n is not None:
            made = cls.empty(
                max(n, 1), fpr, layout=layout, hash=hash, seed=seed, bits=bits, k=k, blocks=blocks, device=device, threads=threads
            )
            made.insert(keys)
            return made
        want = cls._want(fpr, layout, hash, seed, bits, k, blocks)
        context = thread_context(device, threads)
        builder = make(
            context, lib.tms_builder_create_sized, context.pointer, byref(want), sizeof(want), destroy=lib.tms_builder_destroy
        )
        for batch in batches(keys):
            check(lib.tms_builder_add(context.pointer, builder.pointer, byref(batch.keys)), context)
        handle = make(context, lib.tms_builder_finish, context.pointer, builder.pointer, destroy=lib.tms_filter_destroy)
        return cls(handle, device, threads)

    @classmethod
    def empty(
        cls,
        expected: int,
        fpr: float | None = None,
        *,
        layout: str = "blocked",
        hash: str = "xxh3",
        seed: int = 0,
        bits: int = 0,
        k: int = 0,
        blocks: int = 0,
        device: str | int = "cpu",
        threads: int = 0,
    ) -> Filter:
        """Makes an empty filter with room for a number of keys, to ``insert`` into. Arguments and errors as in ``build``."""
        want = cls._want(fpr, layout, hash, seed, bits, k, blocks)
        want.n_keys = 0 if bits and k and fpr is None else expected
        context, params = thread_context(device, threads), FilterParams()
        check(lib.tms_filter_size_sized(context.pointer, byref(want), sizeof(want), byref(params), sizeof(params)), context)
        handle = make(
            context, lib.tms_filter_create_sized, context.pointer, byref(params), sizeof(params), destroy=lib.tms_filter_destroy
        )
        return cls(handle, device, threads)

    @classmethod
    def load(cls, path: str | bytes | os.PathLike[Any], *, device: str | int = "cpu", threads: int = 0) -> Filter:
        """Opens a file of ``save`` or of the command: mapped, not read, and read-only; ``copy`` makes a filter to insert into.

        Replace the file only by renaming another one. Raises FormatError: the file is missing or damaged.
        """
        context = thread_context(device, threads)
        handle = make(context, lib.tms_filter_load, context.pointer, path_bytes(path), destroy=lib.tms_filter_destroy)
        return cls(handle, device, threads)

    @classmethod
    def reference(
        cls,
        sequences: Any,
        word_size: int = 31,
        fpr: float | None = None,
        *,
        stranded: bool = False,
        device: str | int = "cpu",
        threads: int = 0,
    ) -> Filter:
        """Makes the filter of a reference's k-mers, for ``classify``, as ``tamis build --kmer`` does.

        sequences: a path of FASTA or FASTQ, plain or compressed, or a list of paths.
        word_size: bases in a k-mer, 8 to 255. stranded: a k-mer and its reverse complement are two keys, not one.
        """
        from ._sequences import read_files

        context = thread_context(device, threads)
        want = cls._want(fpr, "words", "xxh3", 0, 0, 0, 0)
        want.word_size, want.strand = word_size, 1 if stranded else 0
        made = make(
            context, lib.tms_reference_create_sized, context.pointer, byref(want), sizeof(want), destroy=lib.tms_reference_destroy
        )
        for records in read_files(sequences):
            check(lib.tms_reference_add(context.pointer, made.pointer, byref(records.seqs)), context)
        handle = make(context, lib.tms_reference_finish, context.pointer, made.pointer, destroy=lib.tms_filter_destroy)
        return cls(handle, device, threads)

    @staticmethod
    def _want(fpr: float | None, layout: str, hash: str, seed: int, bits: int, k: int, blocks: int) -> FilterWant:
        if fpr is not None and not 0 < fpr < 1:
            raise ArgumentError(f"a false-positive rate of {fpr}: it is above 0 and below 1")
        for name, value, end in (("seed", seed, 1 << 64), ("bits", bits, 1 << 64), ("k", k, 1 << 32), ("blocks", blocks, 1 << 32)):
            if not 0 <= value < end:
                raise ArgumentError(f"{name} = {value} is out of range")
        return FilterWant(
            _choice(layout, _LAYOUTS, "layout"), _choice(hash, _HASHES, "hash"), seed, 0, fpr or 0, bits, k, blocks
        )

    # ---- using them ------------------------------------------------------------------------------------------------------------

    def _alive(self) -> Handle:
        handle = self._handle
        if handle is None:
            raise ValueError("the filter is closed")
        return handle

    def _context(self) -> Handle:
        return thread_context(self._device, self._threads)

    def insert(self, keys: KeyArray) -> None:
        """Inserts keys. Raises ArgumentError if the filter is read-only, from ``load``."""
        handle, context = self._alive(), self._context()
        with self._lock:
            for batch in batches(keys):
                check(lib.tms_filter_insert(context.pointer, handle.pointer, byref(batch.keys)), context)

    def query(self, keys: KeyArray) -> npt.NDArray[np.bool_]:
        """Tests keys: an array of bool of shape (n,). False: certainly not in the set; True: probably in it."""
        return self._ask(keys, np.bool_, lib.tms_filter_query)

    def count(self, keys: KeyArray) -> npt.NDArray[np.uint32]:
        """Counts each key's bits that are set, 0 to k, in a probabilistic filter (``tamis build --layout probabilistic``): uint32 (n,)."""
        return self._ask(keys, np.uint32, lib.tms_filter_count)

    def _ask(self, keys: KeyArray, dtype: Any, call: Any) -> npt.NDArray[Any]:
        handle, context = self._alive(), self._context()

        def answers(batch: Batch) -> npt.NDArray[Any]:
            out = np.empty(batch.n, dtype)
            check(call(context.pointer, handle.pointer, byref(batch.keys), out.ctypes.data), context)
            return out

        parts = [answers(batch) for batch in batches(keys)]
        return parts[0] if len(parts) == 1 else np.concatenate([np.empty(0, dtype), *parts])

    def __contains__(self, key: Any) -> bool:
        """One key; thousands at once are several times as fast with ``query``."""
        data = one_key(key)
        answer = lib.tms_filter_has(self._alive().pointer, data, len(data))
        if answer < 0:
            return bool(self.query([data])[0])
        return bool(answer)

    def save(self, path: str | bytes | os.PathLike[Any]) -> None:
        """Writes the file that the command and ``load`` read. It gets its name once it is complete. Raises FileError."""
        handle, context = self._alive(), self._context()
        with self._lock:
            check(lib.tms_filter_save(context.pointer, handle.pointer, path_bytes(path)), context)

    def copy(self) -> Filter:
        """A filter of its own, to insert into."""
        handle, context = self._alive(), self._context()
        with self._lock:
            copied = make(context, lib.tms_filter_copy, context.pointer, handle.pointer, destroy=lib.tms_filter_destroy)
        return Filter(copied, self._device, self._threads)

    def _merge(self, other: Filter, how: int) -> Filter:
        handle, context, source = self._alive(), self._context(), other._alive()
        with self._lock:
            check(lib.tms_filter_merge(context.pointer, handle.pointer, source.pointer, how), context)
        return self

    def __ior__(self, other: Filter) -> Filter:
        """Adds the keys of another filter. Raises MismatchError unless both have the same parameters."""
        return self._merge(other, _UNION) if isinstance(other, Filter) else NotImplemented

    def __iand__(self, other: Filter) -> Filter:
        """Keeps the bits that both filters have: all common keys, and some others."""
        return self._merge(other, _INTERSECTION) if isinstance(other, Filter) else NotImplemented

    def __or__(self, other: Filter) -> Filter:
        return self.copy()._merge(other, _UNION) if isinstance(other, Filter) else NotImplemented

    def __and__(self, other: Filter) -> Filter:
        return self.copy()._merge(other, _INTERSECTION) if isinstance(other, Filter) else NotImplemented

    # ---- what they are ---------------------------------------------------------------------------------------------------------

    def stats(self) -> Stats:
        """Counts the bits: see Stats."""
        handle, context, out = self._alive(), self._context(), FilterStats()
        with self._lock:
            check(lib.tms_filter_get_stats_sized(context.pointer, handle.pointer, byref(out), sizeof(out)), context)
        return Stats(*(getattr(out, name) for name in Stats._fields))

    def _params(self) -> FilterParams:
        copied = FilterParams()
        ctypes.pointer(copied)[0] = lib.tms_filter_get_params(self._alive().pointer).contents
        return copied

    @property
    def layout(self) -> str:
        """ "blocked", "classic", "probabilistic" or "words"."""
        return str(lib.tms_layout_name(self._params().layout).decode())

    @property
    def hash(self) -> str:
        """ "xxh3", "xxh3-square", "murmur3" or "ap"."""
        return str(lib.tms_hash_name(self._params().hash).decode())

    @property
    def bits(self) -> int:
        """The size in bits."""
        return int(self._params().m_bits)

    @property
    def k(self) -> int:
        """Bits per key; blocked: in each of its blocks."""
        return int(self._params().k)

    @property
    def seed(self) -> int:
        """Of the hash."""
        return int(self._params().seed)

    @property
    def word_size(self) -> int:
        """Bases in a k-mer of a reference's filter; 0 in the other layouts."""
        return int(self._params().word_size)

    @property
    def closed(self) -> bool:
        """Whether it has been closed."""
        return self._handle is None

    def close(self) -> None:
        """Frees the filter, once calls in other threads have ended. Closing it again does nothing."""
        self._handle = None

    def __enter__(self) -> Filter:
        self._alive()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._handle is None:
            return "<tamis.Filter, closed>"
        return f"<tamis.Filter: {self.layout}, {self.hash}, {self.bits} bits, k = {self.k}>"

    def __reduce__(self) -> Any:
        raise TypeError("a filter cannot be pickled: save it, and load it there")


__all__ = ["Filter", "Stats"]
