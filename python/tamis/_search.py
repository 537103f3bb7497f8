"""Protein searches."""

from __future__ import annotations

import ctypes
import os
import re
import threading
from ctypes import byref, c_size_t, c_void_p, sizeof
from typing import Any, Iterator, NamedTuple

import numpy as np
import numpy.typing as npt

from ._library import (
    ArgumentError,
    BlastpParams,
    Handle,
    SearchResult,
    SegParams,
    SeqdbInfo,
    SeqdbName,
    check,
    lib,
    make,
    new_context,
)
from ._sequences import RESIDUES, Records, Source, ahead, join, read, tail

#: The columns of Search.to_numpy(): a row for each HSP. Positions count from 0, ends are excluded.
HSP_DTYPE = np.dtype(
    [
        ("query", np.int64),
        ("subject", np.int64),
        ("query_start", np.int64),
        ("query_end", np.int64),
        ("subject_start", np.int64),
        ("subject_end", np.int64),
        ("evalue", np.float64),
        ("bits", np.float64),
        ("score", np.int32),
        ("query_frame", np.int32),
        ("subject_frame", np.int32),
        ("length", np.int32),
        ("identical", np.int32),
        ("openings", np.int32),
        ("gaps", np.int32),
        ("reserved", np.int32),
    ]
)

_TASKS = {"blastp": 0, "blastp-short": 1, "blastp-fast": 2}
_BATCH = 10000  # residues of queries that share statistics, as in BLAST+
_CALL, _GPU_CALL = 40000, 320000  # residues of the queries of one call
_PROTEIN = 1


class Sequence(NamedTuple):
    """What a database says of a sequence.

    id: as in BLAST's tables: an accession or "sp|P12345|NAME"; of a FASTA file the first word of the header.
    length: residues. taxid: 0: not known.
    """

    id: str
    title: str
    length: int
    taxid: int


class Database:
    """Proteins to search in: a BLAST database, or sequences in memory. Thread-safe: it does not change."""

    def __init__(self, name: str | None, subject: Source | None, context: Handle) -> None:
        self._context = context
        if name is not None:
            self._handle = make(context, lib.tms_seqdb_open, context.pointer, os.fsencode(name), _PROTEIN, destroy=lib.tms_seqdb_destroy)
        else:
            assert subject is not None
            parts = list(read(subject, RESIDUES))
            if not parts:
                raise ArgumentError("there are no sequences to search in")
            records = join(parts)
            self._handle = make(
                context,
                lib.tms_seqdb_from_seqs,
                context.pointer,
                byref(records.seqs),
                _PROTEIN,
                os.fsencode(str(subject)) if isinstance(subject, (str, os.PathLike)) else b"",
                destroy=lib.tms_seqdb_destroy,
            )
        self._names = make(context, lib.tms_seqdb_names_create, context.pointer, destroy=lib.tms_seqdb_names_destroy)
        self._known: dict[int, Sequence] = {}
        self._lock = threading.Lock()  # of the two
        info = SeqdbInfo()
        lib.tms_seqdb_get_info_sized(self._handle.pointer, byref(info), sizeof(info))
        self.title = (info.title or b"").decode(errors="replace")
        self.n_residues = int(info.n_residues)
        self._n = int(info.n_sequences)

    def __len__(self) -> int:
        """Number of sequences."""
        return self._n

    def _check_number(self, number: int) -> int:
        number = int(number)
        if not 0 <= number < self._n:
            raise IndexError(f"sequence {number} of {self._n}")
        return number

    def __getitem__(self, number: int) -> Sequence:
        """Sequence 0 .. len - 1, as in the column "subject"."""
        number = self._check_number(number)
        with self._lock:
            if number not in self._known:
                self._known[number] = self._read(number)
            return self._known[number]

    def _read(self, number: int) -> Sequence:
        n = c_size_t()
        check(lib.tms_seqdb_names_read(self._handle.pointer, number, self._names.pointer, byref(n)), what="a damaged defline")
        length = lib.tms_seqdb_length(self._handle.pointer, number)
        name = lib.tms_seqdb_names_get(self._names.pointer, 0).contents if n.value else SeqdbName()
        title = _text(name.title, name.title_size)
        if name.has_id:
            return Sequence(_text(name.shown, name.shown_size), title, length, name.taxid)
        return Sequence(*title.partition(" ")[::2], length, name.taxid)  # the whole header

    def sequence(self, number: int) -> str:
        """The residues of a sequence, in upper case."""
        number = self._check_number(number)
        n = lib.tms_seqdb_length(self._handle.pointer, number)
        out = ctypes.create_string_buffer(n + 1)
        check(lib.tms_seqdb_letters(self._handle.pointer, number, 0, n, out), what=f"sequence {number} of the database is damaged")
        return out.raw[:n].decode()


def _text(address: int | None, size: int) -> str:
    return ctypes.string_at(address, size).decode(errors="replace") if address else ""


class Hsp(NamedTuple):
    """An alignment of a query and a subject. Positions count from 0, ends are excluded.

    length: columns of the alignment, of which `identical` have equal residues, and `gaps` are in gaps, of which there are `openings`.
    cigar: of the aligned part: M residues on residues, I residues of the query alone, D of the subject alone.
    """

    score: int
    bits: float
    evalue: float
    query_start: int
    query_end: int
    subject_start: int
    subject_end: int
    length: int
    identical: int
    openings: int
    gaps: int
    cigar: str


class Hit(NamedTuple):
    """A subject of a query, with one or more HSPs, the best first. subject: its number in the database. length: its residues."""

    subject: int
    id: str
    title: str
    length: int
    hsps: list[Hsp]


class _Call:
    """The results of one call of the library."""

    def __init__(self, records: Records, first: int, n: int, number: int, results: Handle, rows: npt.NDArray[Any]) -> None:
        self.records, self.first, self.n, self.number = records, first, n, number
        self.results, self.rows = results, rows
        self.bounds = np.searchsorted(rows["query"], np.arange(number, number + n + 1))


class Query:
    """A query and what was found for it. ``for hit in query`` goes through its hits, the best first."""

    def __init__(self, call: _Call, i: int, database: Database) -> None:
        self._call, self._i, self._database = call, i, database
        header = call.records.header(call.first + i)
        self.number: int = call.number + i  #: of the query, from 0
        self.id: str = header.partition(" ")[0]
        self.title: str = header.partition(" ")[2]
        self.length: int = int(call.records.lengths()[call.first + i])  #: residues

    @property
    def rows(self) -> npt.NDArray[Any]:
        """The HSPs as a structured array of HSP_DTYPE, shape (n,)."""
        bounds = self._call.bounds
        return self._call.rows[bounds[self._i] : bounds[self._i + 1]]

    @property
    def hits(self) -> list[Hit]:
        """The hits, the best first."""
        return list(self)

    def __len__(self) -> int:
        """Number of hits."""
        return int(len(np.unique(self.rows["subject"])))

    def __iter__(self) -> Iterator[Hit]:
        result = SearchResult()
        lib.tms_search_results_get_sized(self._call.results.pointer, self._i, byref(result), sizeof(result))
        rows = iter(self.rows)
        for subject in result.subjects[: result.n_subjects]:
            about = self._database[subject.sequence]
            hsps = [_hsp(next(rows), hsp) for hsp in subject.hsps[: subject.n_hsps]]
            yield Hit(int(subject.sequence), about.id, about.title, about.length, hsps)

    def alignment(self, hit: Hit, hsp: Hsp) -> tuple[str, str]:
        """The aligned residues of the query and of the subject, hsp.length characters each, with '-' in gaps."""
        query = self._call.records.sequence(self._call.first + self._i).upper()
        subject = self._database.sequence(hit.subject)
        q, s = hsp.query_start, hsp.subject_start
        top, bottom = [], []
        for n, kind in ((int(n), kind) for n, kind in re.findall(r"(\d+)([MID])", hsp.cigar)):
            top.append("-" * n if kind == "D" else query[q : q + n])
            bottom.append("-" * n if kind == "I" else subject[s : s + n])
            q += 0 if kind == "D" else n
            s += 0 if kind == "I" else n
        return "".join(top), "".join(bottom)

    def __repr__(self) -> str:
        return f"<tamis.Query {self.id}: {self.length} residues, {len(self)} hits>"


def _hsp(row: Any, hsp: Any) -> Hsp:
    return Hsp(
        score=int(row["score"]),
        bits=float(row["bits"]),
        evalue=float(row["evalue"]),
        query_start=int(row["query_start"]),
        query_end=int(row["query_end"]),
        subject_start=int(row["subject_start"]),
        subject_end=int(row["subject_end"]),
        length=int(row["length"]),
        identical=int(row["identical"]),
        openings=int(row["openings"]),
        gaps=int(row["gaps"]),
        cigar="".join(f"{run.n}{'MID'[run.kind]}" for run in hsp.runs[: hsp.n_runs]),
    )


class Search:
    """The results of a search, query by query, in the order of the input: an iterator of Query.

    The next queries are searched in another thread while the caller looks at the results of one. ``close``, the end of a ``with`` block
    or of the last reference, and Ctrl-C end the search. One thread at a time may use a search.
    """

    def __init__(self, calls: Iterator[_Call], database: Database) -> None:
        self.database = database  #: the sequences that were searched
        self._calls = calls
        self._call: _Call | None = None
        self._next = 0  # query of the call

    def __iter__(self) -> Search:
        return self

    def __next__(self) -> Query:
        while self._call is None or self._next == self._call.n:
            self._call, self._next = None, 0
            self._call = next(self._calls)
        self._next += 1
        return Query(self._call, self._next - 1, self.database)

    def to_numpy(self) -> npt.NDArray[Any]:
        """All HSPs of the queries that were not iterated over: a structured array of HSP_DTYPE, shape (n,).

        Rows are those of ``tamis blastp -outfmt 6``, in its order. "query" is the number of the query, "subject" that of the sequence in
        ``database``, whose ids are ``database[subject].id``; "bits" and "evalue" are not rounded.
        """
        rows = [] if self._call is None else [self._call.rows[self._call.bounds[self._next] :]]
        self._call, self._next = None, 0
        return np.concatenate([np.empty(0, HSP_DTYPE), *rows, *(call.rows for call in self._calls)])

    def close(self) -> None:
        """Ends the search."""
        self._calls.close()  # type: ignore[attr-defined]

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _cut(records: Iterator[Records], least: int) -> Iterator[tuple[Records, int, int]]:
    """Ranges of records for calls: whole batches of queries, with at least this many residues, but for the last one."""
    left: list[Records] = []
    for part in records:
        batch = join([*left, part])
        lengths = batch.lengths().tolist()
        first = call_residues = batch_residues = 0
        for i, n in enumerate(lengths):
            batch_residues += n
            if batch_residues >= _BATCH:
                call_residues += batch_residues
                batch_residues = 0
                if call_residues >= least:
                    yield batch, first, i + 1 - first
                    first, call_residues = i + 1, 0
        left = [tail(batch, first)] if first < batch.n else []
    if left:
        yield left[0], 0, left[0].n


def blastp(
    query: Source,
    db: str | None = None,
    *,
    subject: Source | None = None,
    evalue: float = 10.0,
    max_target_seqs: int = 500,
    max_hsps: int = 0,
    task: str = "blastp",
    matrix: str | None = None,
    gapopen: int = -1,
    gapextend: int = -1,
    word_size: int = 0,
    threshold: float = 0.0,
    window_size: int = -1,
    comp_based_stats: int = 2,
    seg: bool | tuple[int, float, float] = False,
    soft_masking: bool = False,
    lcase_masking: bool = False,
    qcov_hsp_perc: float = 0.0,
    culling_limit: int = 0,
    best_hit_overhang: float = 0.0,
    best_hit_score_edge: float = 0.0,
    subject_besthit: bool = False,
    xdrop_ungap: float = 7.0,
    xdrop_gap: float = 15.0,
    xdrop_gap_final: float = 25.0,
    ungapped: bool = False,
    use_sw_tback: bool = False,
    dbsize: int = 0,
    searchsp: int = -1,
    device: str | int = "cpu",
    threads: int = 0,
) -> Search:
    """Searches proteins in proteins, as blastp of NCBI BLAST+ 2.12: the same alignments, scores and E-values in the same order.

    >>> for query in tamis.blastp("q.fa", db="uniprot", evalue=1e-5):     # doctest: +SKIP
    ...     for hit in query:
    ...         print(query.id, hit.id, hit.hsps[0].evalue)
    >>> table = tamis.blastp("q.fa", db="uniprot").to_numpy()              # doctest: +SKIP

    query: the queries: a path of FASTA or FASTQ, plain or compressed by gzip, bzip2 or xz; an open binary file; or pairs of a header and
        a sequence. Bytes that are neither letters nor '*' are dropped.
    db: the name of a BLAST database (``tamis makedb``), looked for as BLAST+ does, in $BLASTDB too; or subject: sequences, as for query.
    device: "cpu", "auto" (a GPU if one is usable), "cuda" or "cuda:1". threads: 0: all processors.

    The other arguments are blastp's options, with its names, units and defaults; 0 or -1 where blastp has none: evalue is the largest
    E-value, max_target_seqs the number of subjects for a query, xdrop_* are in bits, qcov_hsp_perc in percent, dbsize in residues.

    Raises ArgumentError: an argument is out of range, or the database does not exist; FormatError: a file is missing or damaged;
    DeviceError; OutOfMemoryError. Errors of queries are raised when the search reaches them.
    """
    if (db is None) == (subject is None):
        raise ArgumentError("give either db or subject")
    if task not in _TASKS:
        raise ArgumentError(f"{task!r} is no task: {', '.join(_TASKS)}")
    if comp_based_stats not in (0, 1, 2, 3):
        raise ArgumentError(f"comp_based_stats is 0, 1, 2 or 3, not {comp_based_stats!r}")
    context = new_context(device, threads)
    database = Database(db, subject, context)
    params = BlastpParams(
        task=_TASKS[task],
        composition=comp_based_stats,
        matrix=matrix.encode() if matrix else None,
        gap_open=gapopen,
        gap_extend=gapextend,
        window=window_size,
        word_size=word_size,
        threshold=threshold,
        evalue=evalue,
        xdrop_ungapped=xdrop_ungap,
        xdrop_gapped=xdrop_gap,
        xdrop_final=xdrop_gap_final,
        max_target_seqs=max_target_seqs,
        max_hsps=max_hsps,
        min_query_coverage=qcov_hsp_perc,
        subject_besthit=subject_besthit,
        masks_seg=bool(seg),
        seg=SegParams(seg[0], 0, seg[1], seg[2]) if isinstance(seg, tuple) else SegParams(12, 0, 2.2, 2.5),
        masks_lower_case=lcase_masking,
        soft_masking=soft_masking,
        as_subject_file=subject is not None,
        database_residues=dbsize,
        search_space=searchsp,
        batch_residues=_BATCH,
        culling_limit=culling_limit,
        best_hit_overhang=best_hit_overhang,
        best_hit_score_edge=best_hit_score_edge,
        ungapped=ungapped,
        smith_waterman=use_sw_tback,
    )
    search = make(
        context,
        lib.tms_blastp_create_sized,
        context.pointer,
        database._handle.pointer,
        byref(params),
        sizeof(params),
        destroy=lib.tms_blastp_destroy,
        keeps=(database._handle,),
    )

    def calls() -> Iterator[_Call]:
        number = 0
        least = _CALL if lib.tms_context_device(context.pointer) < 0 else _GPU_CALL
        for records, first, n in _cut(read(query, RESIDUES), least):
            seqs = records.view(first, n, number)
            out = c_void_p()
            check(lib.tms_blastp_search(search.pointer, byref(seqs), byref(out)), context)
            results = Handle(out.value, lib.tms_search_results_destroy, search)
            rows = np.empty(lib.tms_search_results_n_hsps(out), HSP_DTYPE)
            status = lib.tms_search_results_rows(out, database._handle.pointer, rows.ctypes.data)
            check(status, what="a sequence of the database is damaged")
            rows["query"] += number
            yield _Call(records, first, n, number, results, rows)
            number += n

    return Search(ahead(calls(), stop=lambda: lib.tms_context_cancel(context.pointer)), database)
