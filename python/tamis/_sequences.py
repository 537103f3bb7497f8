"""FASTA and FASTQ as batches of whole records (tms_seqs)."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import queue
import threading
from typing import Any, BinaryIO, Callable, Iterable, Iterator, TypeVar, Union

import numpy as np
import numpy.typing as npt

from ._library import FormatError, Seqs

#: A path, an open binary file, or records as pairs of a header and a sequence.
Source = Union[str, "os.PathLike[str]", BinaryIO, Iterable["tuple[str, Union[str, bytes]]"]]

BLOCK = 1 << 23  # bytes that are parsed at once, if they have a whole record
_LINE_FEED, _CARRIAGE_RETURN = 10, 13

_T = TypeVar("_T")


def _table(characters: bytes) -> npt.NDArray[np.bool_]:
    table = np.zeros(256, np.bool_)
    table[np.frombuffer(characters, np.uint8)] = True
    return table


_LETTERS = bytes(range(65, 91)) + bytes(range(97, 123))
#: The characters that a sequence keeps.
ANY = ~_table(b" \t\r\n")
RESIDUES = _table(_LETTERS + b"*")


class Records:
    """Records in arrays: of a record the characters, then a zero byte; of its header the same."""

    def __init__(
        self,
        residues: npt.NDArray[np.uint8],
        starts: npt.NDArray[np.uint64],
        headers: npt.NDArray[np.uint8],
        header_starts: npt.NDArray[np.uint64],
    ) -> None:
        self.residues, self.starts = residues, starts
        self.headers, self.header_starts = headers, header_starts
        self.n = len(starts) - 1
        blanks = np.flatnonzero((headers == 32) | (headers == 9)).astype(np.uint64)
        ends = header_starts[1:] - np.uint64(1)
        at = np.searchsorted(blanks, header_starts[:-1])
        first_blank = np.append(blanks, np.uint64(len(headers)))[at]
        self.name_sizes = (np.minimum(first_blank, ends) - header_starts[:-1]).astype(np.uint32)
        self.seqs = self.view(0, self.n, 0)

    def view(self, first: int, n: int, number: int) -> Seqs:
        """Records first .. first + n - 1 for the library; the first of them has this number in the input. Borrows."""
        return Seqs(
            n,
            number,
            self.residues.ctypes.data,
            self.starts.ctypes.data + 8 * first,
            None,
            self.headers.ctypes.data,
            self.header_starts.ctypes.data + 8 * first,
            self.name_sizes.ctypes.data + 4 * first,
        )

    def lengths(self) -> npt.NDArray[np.int64]:
        return np.diff(self.starts).astype(np.int64) - 1

    def header(self, i: int) -> str:
        first, end = int(self.header_starts[i]), int(self.header_starts[i + 1])
        return self.headers[first : end - 1].tobytes().decode(errors="replace")

    def sequence(self, i: int) -> str:
        first, end = int(self.starts[i]), int(self.starts[i + 1])
        return self.residues[first : end - 1].tobytes().decode(errors="replace")


def _starts(ends: npt.NDArray[Any]) -> npt.NDArray[np.uint64]:
    return np.concatenate([np.zeros(1, np.uint64), ends.astype(np.uint64)])


def join(parts: list[Records]) -> Records:
    """The records of all parts as one batch."""
    if len(parts) == 1:
        return parts[0]
    return Records(
        np.concatenate([p.residues[: int(p.starts[-1])] for p in parts]),
        _starts(np.cumsum(np.concatenate([np.diff(p.starts) for p in parts]))),
        np.concatenate([p.headers[: int(p.header_starts[-1])] for p in parts]),
        _starts(np.cumsum(np.concatenate([np.diff(p.header_starts) for p in parts]))),
    )


def tail(records: Records, first: int) -> Records:
    """The records from `first` on."""
    at, header_at = records.starts[first], records.header_starts[first]
    return Records(
        records.residues[int(at) :],
        records.starts[first:] - at,
        records.headers[int(header_at) :],
        records.header_starts[first:] - header_at,
    )


def of_pairs(pairs: Iterable[tuple[str, str | bytes]], keep: npt.NDArray[np.bool_]) -> Records:
    """Records of pairs of a header and a sequence."""
    headers, sequences = [], []
    for header, sequence in pairs:
        headers.append(header.encode())
        raw = np.frombuffer(sequence.encode() if isinstance(sequence, str) else bytes(sequence), np.uint8)
        sequences.append(raw[keep[raw]].tobytes())

    def packed(texts: list[bytes]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint64]]:
        sizes = np.fromiter((len(t) + 1 for t in texts), np.uint64, len(texts))
        return np.frombuffer(b"".join(t + b"\0" for t in texts) or b"\0", np.uint8), _starts(np.cumsum(sizes))

    return Records(*packed(sequences), *packed(headers))


# ---- parsing blocks of whole records -------------------------------------------------------------------------------------------


def _select(block: npt.NDArray[np.uint8], keep: npt.NDArray[np.bool_], ends: npt.NDArray[np.int64]) -> Any:
    """The kept bytes of a block. ends: the positions of the records' last bytes, line feeds, which are kept as zero bytes."""
    keep[ends] = True
    counts = np.add.reduceat(keep, np.concatenate([[0], ends[:-1] + 1]), dtype=np.uint64)
    zeroed = block.copy()
    zeroed[ends] = 0
    return zeroed[keep], _starts(np.cumsum(counts))


def _of_lines(
    block: npt.NDArray[np.uint8],
    line_ends: npt.NDArray[np.int64],
    in_header: npt.NDArray[np.bool_],
    in_sequence: npt.NDArray[np.bool_],
    header_ends: npt.NDArray[np.int64],
    record_ends: npt.NDArray[np.int64],
    keep: npt.NDArray[np.bool_],
) -> Records:
    """in_header, in_sequence: of lines. The header keeps all bytes but its first and its line's end."""
    sizes = np.diff(np.concatenate([[-1], line_ends]))
    sequence = np.repeat(in_sequence, sizes) & keep[block]
    header = np.repeat(in_header, sizes) & (block != _CARRIAGE_RETURN)
    header[np.concatenate([[0], line_ends[:-1] + 1])[in_header]] = False  # '>' or '@'
    header[line_ends] = False
    # What lies between the end of a record and the next one belongs to neither; so every header ends in its own record.
    residues, starts = _select(block, sequence, record_ends)
    headers, header_starts = _select(block, header, header_ends)
    return Records(residues, starts, headers, header_starts)


def _fasta(block: npt.NDArray[np.uint8], name: str, keep: npt.NDArray[np.bool_]) -> Records:
    line_ends = np.flatnonzero(block == _LINE_FEED)
    line_starts = np.concatenate([[0], line_ends[:-1] + 1])
    first = block[line_starts]
    in_header = first == ord(">")
    in_sequence = ~in_header & ~_table(b";!#")[first]  # those are comments
    headers = np.flatnonzero(in_header)
    header_ends = line_ends[headers]
    record_ends = line_ends[np.concatenate([headers[1:] - 1, [len(line_ends) - 1]])]
    if keep is RESIDUES and (block == ord(";")).any():
        block = block.copy()
        for at in np.flatnonzero(block == ord(";")):  # the rest of a line of sequence is a comment
            line = np.searchsorted(line_ends, at)
            if in_sequence[line]:
                block[at : line_ends[line]] = ord(" ")
    # A record without lines ends with its header, whose line feed is then both.
    return _of_lines(block, line_ends, in_header, in_sequence, header_ends, record_ends, keep)


def _fastq(block: npt.NDArray[np.uint8], name: str, keep: npt.NDArray[np.bool_]) -> Records:
    line_ends = np.flatnonzero(block == _LINE_FEED)
    n = len(line_ends) // 4
    line_starts = np.concatenate([[0], line_ends[:-1] + 1])
    sizes = (line_ends - line_starts - (block[np.maximum(line_ends - 1, 0)] == _CARRIAGE_RETURN)).reshape(n, 4)
    first = block[line_starts].reshape(n, 4)
    wrong = (first[:, 0] != ord("@")) | (first[:, 2] != ord("+")) | (sizes[:, 1] != sizes[:, 3])
    if wrong.any():
        i = 4 * int(np.argmax(wrong))
        line = block[line_starts[i] : line_ends[i]].tobytes().decode(errors="replace")
        raise FormatError(f"{name}: the record of the line '{line[:80]}' has not the four lines of FASTQ, of equal lengths")
    kind = np.tile(np.arange(4), n)
    return _of_lines(block, line_ends, kind == 0, kind == 1, line_ends[0::4], line_ends[1::4], keep)


def _complete(data: bytes, is_fastq: bool) -> int:
    """The end of the last whole record, of which the beginning of another one, or four lines, are the sign; 0: none."""
    if not is_fastq:
        return data.rfind(b"\n>") + 1
    ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _LINE_FEED)
    n = len(ends) // 4
    return int(ends[4 * n - 1]) + 1 if n else 0


def _decompressed(file: BinaryIO, name: str) -> BinaryIO:
    buffered: Any = file if hasattr(file, "peek") else io.BufferedReader(file)
    magic = buffered.peek(6)[:6]
    if magic.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=buffered)  # type: ignore[return-value]
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(buffered)  # type: ignore[return-value]
    if magic == b"\xfd7zXZ\0":
        return lzma.LZMAFile(buffered)  # type: ignore[return-value]
    if magic.startswith(b"\x28\xb5\x2f\xfd"):
        try:
            from compression import zstd  # type: ignore[import-not-found,unused-ignore] # Python 3.14
        except ImportError:
            raise FormatError(f"{name} is compressed by zstd, which needs Python 3.14: give an open file of its bytes") from None
        return zstd.ZstdFile(buffered)  # type: ignore[no-any-return]
    return buffered  # type: ignore[no-any-return]


def _blocks(file: BinaryIO, name: str, keep: npt.NDArray[np.bool_]) -> Iterator[Records]:
    left = b""
    is_fastq = False
    is_first = True
    parse = _fasta
    while True:
        more = file.read(BLOCK)
        if is_first:
            more = more.lstrip() if more else more
            if more and more[:1] not in (b">", b"@"):
                more = b">\n" + more  # FASTA without a header
            is_fastq = more[:1] == b"@"
            parse = _fastq if is_fastq else _fasta
            is_first = False
        data = left + more
        if not more:
            if data.strip():
                data = data.rstrip(b"\r\n") + b"\n"
                if is_fastq and data.count(b"\n") % 4 == 3:
                    data += b"\n"  # the qualities of an empty read
                if is_fastq and data.count(b"\n") % 4:
                    raise FormatError(f"{name}: the last record is cut short")
                yield parse(np.frombuffer(data, np.uint8), name, keep)
            return
        end = _complete(data, is_fastq)
        left = data[end:]
        if end:
            yield parse(np.frombuffer(data[:end], np.uint8), name, keep)


def read(source: Source, keep: npt.NDArray[np.bool_] = ANY) -> Iterator[Records]:
    """Batches of at least one record. keep: which bytes of a sequence's lines belong to it."""
    if isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        try:
            opened = open(source, "rb")
        except OSError as error:
            raise FormatError(f"{name}: {error.strerror}") from error
        with opened:
            yield from _reading(opened, name, keep)
    elif hasattr(source, "read"):
        yield from _reading(source, getattr(source, "name", "the file"), keep)
    else:
        records = of_pairs(source, keep)
        if records.n:
            yield records


def _reading(file: Any, name: str, keep: npt.NDArray[np.bool_]) -> Iterator[Records]:
    try:
        yield from _blocks(_decompressed(file, name), str(name), keep)
    except (OSError, EOFError, lzma.LZMAError) as error:
        if isinstance(error, FormatError):
            raise
        raise FormatError(f"{name}: {error}") from error


def read_files(sources: Any, keep: npt.NDArray[np.bool_] = ANY) -> Iterator[Records]:
    """The batches of a path, or of a list of paths or files, one after the other."""
    is_list = isinstance(sources, (list, tuple)) and not (sources and isinstance(sources[0], tuple))
    for source in sources if is_list else [sources]:
        yield from read(source, keep)


# ---- reading and searching ahead -----------------------------------------------------------------------------------------------


def ahead(items: Iterator[_T], depth: int = 2, stop: Callable[[], None] | None = None) -> Iterator[_T]:
    """The same items, made by another thread, up to `depth` of them in advance.

    stop: called if the caller wants no more of them, to end what the thread is doing.
    """
    done = object()
    ready: queue.Queue[Any] = queue.Queue(depth)
    ended = threading.Event()

    def put(item: Any) -> bool:
        while not ended.is_set():
            try:
                ready.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def work() -> None:
        try:
            for item in items:
                if not put(item):
                    return
            put(done)
        except BaseException as error:  # raised again in the caller's thread
            put(error)

    thread = threading.Thread(target=work, name="tamis", daemon=True)
    thread.start()
    try:
        while (item := ready.get()) is not done:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        ended.set()
        if stop is not None and thread.is_alive():
            stop()
        thread.join()
