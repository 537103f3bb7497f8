"""Reads by reference."""

from __future__ import annotations

import os
from ctypes import byref, c_void_p, pointer, sizeof
from pathlib import Path
from typing import Any, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ._filter import Filter
from ._library import ArgumentError, ClassifyParams, FormatError, Reads, check, lib, make, new_context
from ._sequences import ANY, Records, Source, ahead, read

#: The columns of a classification: a row for each read, or pair.
CLASSIFIED_DTYPE = np.dtype(
    {
        "names": ["verdict", "best", "second", "n_matching", "n_words", "n_hits", "score", "second_score"],
        "formats": [np.int32, np.int32, np.int32, np.int32, np.int64, np.int64, np.float64, np.float64],
    }
)
NONE, MATCH, AMBIGUOUS = 0, 1, 2
_RULES = {"default": 0, "facs": 1, "facs-perl": 2}


class Classification:
    """The verdicts on reads. It converts to an array (``numpy.asarray``), and ``c["best"]`` is a column of it.

    table: a structured array of CLASSIFIED_DTYPE, shape (n,), in the order of the reads; a pair is one row. "verdict" is 0 none, 1 match,
        2 ambiguous; "best" and "second" are numbers of references, or -1; "n_words" are k-mers, of which "n_hits" are in the best
        reference's filter; scores are 0 to 1.
    references: the names of the filters, by number.
    counts: rows by verdict: for each reference the matching ones, then "unmatched", "ambiguous" and "total".
    names: the first words of the reads' headers, if they were asked for; else empty.
    """

    def __init__(self, table: npt.NDArray[Any], references: list[str], names: list[str]) -> None:
        self.table = table
        self.references = references
        self.names = names
        matching = table["best"][table["verdict"] == MATCH]
        by_reference = np.bincount(matching, minlength=len(references)).tolist()
        self.counts: dict[str, int] = dict(zip(references, by_reference))
        self.counts["unmatched"] = int((table["verdict"] == NONE).sum())
        self.counts["ambiguous"] = int((table["verdict"] == AMBIGUOUS).sum())
        self.counts["total"] = len(table)

    def __len__(self) -> int:
        return len(self.table)

    def __getitem__(self, key: Any) -> Any:
        return self.table[key]

    def __array__(self, dtype: Any = None, copy: Any = None) -> npt.NDArray[Any]:
        return np.array(self.table, dtype=dtype) if copy or dtype is not None else self.table

    def __repr__(self) -> str:
        return f"<tamis.Classification: {self.counts}>"


def _reference_name(item: Any, number: int) -> str:
    return Path(os.fspath(item)).name.split(".")[0] if isinstance(item, (str, os.PathLike)) else f"filter_{number + 1}"


def _units(sources: Sequence[Source]) -> Iterator[tuple[list[tuple[Records, int]], int]]:
    """Reads that lie at the same places of all sources: for each source a batch and the first record of it, and their number."""
    readers = [ahead(read(source, ANY)) for source in sources]
    open_batches: list[tuple[Records, int] | None] = [None] * len(readers)
    while True:
        for i, reader in enumerate(readers):
            if open_batches[i] is None:
                batch = next(reader, None)
                open_batches[i] = (batch, 0) if batch else None
        here = [b for b in open_batches if b is not None]
        if not here:
            return
        if len(here) < len(readers):
            raise FormatError("the files of mates do not have the same number of reads")
        n = min(batch.n - first for batch, first in here)
        yield here, n
        open_batches = [(batch, first + n) if first + n < batch.n else None for batch, first in here]


def classify(
    reads: Source | Sequence[Source],
    filters: Sequence[str | os.PathLike[str] | Filter],
    *,
    rule: str = "default",
    threshold: float = 0.0,
    min_hits: int = 0,
    max_false: float = 0.0,
    names: bool = False,
    device: str | int = "cpu",
    threads: int = 0,
) -> Classification:
    """Decides to which reference each read belongs, as ``tamis classify``.

    >>> c = tamis.classify(["r1.fq.gz", "r2.fq.gz"], filters=["human.tms"])      # doctest: +SKIP
    >>> c.counts                                                                # doctest: +SKIP
    {'human': 54, 'unmatched': 22030, 'ambiguous': 0, 'total': 22084}

    reads: a path of FASTA or FASTQ (four lines a record), plain or compressed by gzip, bzip2 or xz, an open binary file, or pairs of a
        header and a sequence; or a list of one of these, or of two, whose reads at the same place are mates and get one verdict.
    filters: files of ``tamis build --kmer`` or of ``Filter.reference(...).save``, or such filters, 1 to 64; named after the files.
    rule: "default", "facs" or "facs-perl". threshold: least score, above 0 to 1; 0: the rule's own. min_hits: least number of hits of a
        match; 0: chosen by max_false, how many of a million random reads may match because of false positives (0: one).
    names: keep the reads' names.
    device: "cpu", "auto", "cuda" or "cuda:1". threads: 0: all processors.

    Raises ArgumentError, MismatchError (filters of k-mers of different sizes), FormatError (a file is missing or damaged, or mates are
    missing), DeviceError, OutOfMemoryError.
    """
    if rule not in _RULES:
        raise ArgumentError(f"{rule!r} is no rule: {', '.join(_RULES)}")
    sources: list[Any] = list(reads) if isinstance(reads, (list, tuple)) and not (reads and isinstance(reads[0], tuple)) else [reads]
    if len(sources) not in (1, 2):
        raise ArgumentError(f"reads are one file, or two with mates, not {len(sources)}")
    context = new_context(device, threads)
    opened = [f if isinstance(f, Filter) else Filter.load(f, device=device, threads=threads) for f in filters]
    handles = [f._alive() for f in opened]
    params = ClassifyParams(_RULES[rule], min_hits, threshold, max_false)
    array = (c_void_p * len(handles))(*(h.pointer for h in handles))
    classifier = make(
        context,
        lib.tms_classifier_create_sized,
        context.pointer,
        array,
        len(handles),
        byref(params),
        sizeof(params),
        destroy=lib.tms_classifier_destroy,
        keeps=tuple(handles),
    )
    parts = [np.empty(0, CLASSIFIED_DTYPE)]
    kept: list[str] = []
    for mates, n in _units(sources):
        out = np.empty(n, CLASSIFIED_DTYPE)
        views = [batch.seqs for batch, _ in mates]
        units = (Reads * len(mates))(*(Reads(pointer(view), first, 1) for view, (_, first) in zip(views, mates)))
        check(lib.tms_classify(context.pointer, classifier.pointer, units, len(mates), n, out.ctypes.data, None), context)
        parts.append(out)
        if names:
            batch, first = mates[0]
            kept += (batch.header(i).partition(" ")[0] for i in range(first, first + n))
    return Classification(np.concatenate(parts), [_reference_name(f, i) for i, f in enumerate(filters)], kept)
