"""libtamis by ctypes: its structs and calls, contexts, owners of its objects, and statuses as exceptions."""

from __future__ import annotations

import ctypes
import os
import threading
from ctypes import POINTER, Structure, byref, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any, Callable, NamedTuple

__version__ = "0.1.0"

SONAME = "libtamis.so." + __version__.rpartition(".")[0]  # until 1.0.0 it has the minor version


# ---- exceptions ----------------------------------------------------------------------------------------------------------------


class Error(Exception):
    """A call of the library failed. The text is the library's sentence; ``status`` its number, as in ``tamis/context.h``."""

    status = 0


class ArgumentError(Error, ValueError):
    """An argument, or a combination of arguments, is not allowed."""

    status = 1


class FormatError(Error, ValueError):
    """A file is missing, truncated, damaged, or of another version."""

    status = 2


class MismatchError(Error, ValueError):
    """Two filters do not have the same parameters."""

    status = 3


class DeviceError(Error, RuntimeError):
    """The GPU is not usable, or failed."""

    status = 4


class OutOfMemoryError(Error, MemoryError):
    """Out of memory, on the host or on the GPU."""

    status = 5


class CancelledError(Error, RuntimeError):
    """The call was cancelled."""

    status = 6


class FileError(Error, OSError):
    """A file could not be written."""

    status = 7


_ERRORS = {
    kind.status: kind
    for kind in (ArgumentError, FormatError, MismatchError, DeviceError, OutOfMemoryError, CancelledError, FileError)
}


# ---- structs, as in include/tamis/ ---------------------------------------------------------------------------------------------


class Keys(Structure):
    _fields_ = [("bytes", c_void_p), ("offsets", c_void_p), ("n_keys", c_size_t), ("key_size", c_uint32), ("gap", c_uint32)]


ZERO_PADDED = 1


class FilterParams(Structure):
    _fields_ = [
        ("layout", c_int),
        ("hash", c_int),
        ("seed", c_uint64),
        ("m_bits", c_uint64),
        ("k", c_uint32),
        ("p", c_double),
        ("sampling", c_int),
        ("blocks_per_key", c_uint32),
        ("word_size", c_uint32),
        ("subword_size", c_uint32),
        ("minimizer_size", c_uint32),
        ("strand", c_int),
    ]


class FilterWant(Structure):
    _fields_ = [
        ("layout", c_int),
        ("hash", c_int),
        ("seed", c_uint64),
        ("n_keys", c_uint64),
        ("fpr", c_double),
        ("m_bits", c_uint64),
        ("k", c_uint32),
        ("blocks_per_key", c_uint32),
        ("word_size", c_uint32),
        ("subword_size", c_uint32),
        ("minimizer_size", c_uint32),
        ("strand", c_int),
    ]


class FilterStats(Structure):
    _fields_ = [
        ("n_keys", c_uint64),
        ("ones", c_uint64),
        ("fill", c_double),
        ("expected_fpr", c_double),
        ("actual_fpr", c_double),
        ("classic_bits_per_key", c_double),
        ("size_bytes", c_uint64),
        ("checksum", c_uint64),
        ("is_union", c_int),
    ]


class Seqs(Structure):
    _fields_ = [
        ("n_records", c_size_t),
        ("first_record", c_uint64),
        ("residues", c_void_p),
        ("residue_starts", c_void_p),
        ("qualities", c_void_p),
        ("headers", c_void_p),
        ("header_starts", c_void_p),
        ("name_sizes", c_void_p),
    ]


class Interval(Structure):
    _fields_ = [("start", c_uint64), ("end", c_uint64)]


class AlignedRun(Structure):
    _fields_ = [("kind", c_uint32), ("n", c_uint32)]


class SearchHsp(Structure):
    _fields_ = [
        ("query", Interval),
        ("subject", Interval),
        ("score", c_int32),
        ("method", c_uint32),
        ("evalue", c_double),
        ("bits", c_double),
        ("runs", POINTER(AlignedRun)),
        ("n_runs", c_size_t),
        ("query_frame", c_int32),
        ("subject_frame", c_int32),
        ("n_linked", c_uint64),
    ]


class SearchSubject(Structure):
    _fields_ = [("sequence", c_uint64), ("hsps", POINTER(SearchHsp)), ("n_hsps", c_size_t)]


class SearchResult(Structure):
    _fields_ = [
        ("codes", c_void_p),
        ("query_length", c_uint64),
        ("masked", POINTER(Interval)),
        ("n_masked", c_size_t),
        ("is_valid", c_uint64),
        ("lambda_", c_double),
        ("K", c_double),
        ("H", c_double),
        ("length_adjustment", ctypes.c_int64),
        ("search_space", ctypes.c_int64),
        ("subjects", POINTER(SearchSubject)),
        ("n_subjects", c_size_t),
        ("is_cut", c_uint64),
        ("batch_is_valid", c_uint64),
        ("frames", c_void_p),
    ]


class SegParams(Structure):
    _fields_ = [("window", c_uint32), ("reserved", c_uint32), ("locut", c_double), ("hicut", c_double)]


class BlastpParams(Structure):
    _fields_ = [
        ("task", c_uint32),
        ("composition", c_uint32),
        ("matrix", c_char_p),
        ("gap_open", c_int32),
        ("gap_extend", c_int32),
        ("window", c_int32),
        ("word_size", c_uint32),
        ("threshold", c_double),
        ("evalue", c_double),
        ("xdrop_ungapped", c_double),
        ("xdrop_gapped", c_double),
        ("xdrop_final", c_double),
        ("max_target_seqs", c_uint32),
        ("max_hsps", c_uint32),
        ("min_query_coverage", c_double),
        ("subject_besthit", c_uint32),
        ("masks_seg", c_uint32),
        ("seg", SegParams),
        ("masks_lower_case", c_uint32),
        ("soft_masking", c_uint32),
        ("as_subject_file", c_uint32),
        ("reserved", c_uint32),
        ("database_residues", ctypes.c_int64),
        ("search_space", ctypes.c_int64),
        ("batch_residues", c_uint64),
        ("subject_masks", c_void_p),
        ("subject_masking", c_uint64),
        ("culling_limit", c_uint64),
        ("best_hit_overhang", c_double),
        ("best_hit_score_edge", c_double),
        ("ungapped", c_uint32),
        ("smith_waterman", c_uint32),
    ]


class SeqdbInfo(Structure):
    _fields_ = [
        ("molecule", c_int),
        ("version", c_uint32),
        ("n_sequences", c_uint64),
        ("n_residues", c_uint64),
        ("shown_n_sequences", c_uint64),
        ("shown_n_residues", c_uint64),
        ("stats_n_sequences", c_uint64),
        ("stats_n_residues", c_uint64),
        ("longest", c_uint64),
        ("n_volumes", c_uint64),
        ("title", c_char_p),
        ("date", c_char_p),
    ]


class SeqdbName(Structure):
    _fields_ = [
        ("title", c_void_p),
        ("title_size", c_size_t),
        ("accession", c_void_p),
        ("accession_size", c_size_t),
        ("id", c_void_p),
        ("id_size", c_size_t),
        ("ids", c_void_p),
        ("ids_size", c_size_t),
        ("gi", ctypes.c_int64),
        ("taxid", ctypes.c_int64),
        ("has_id", ctypes.c_int64),
        ("shown", c_void_p),
        ("shown_size", c_size_t),
    ]


class ClassifyParams(Structure):
    _fields_ = [("rule", c_int), ("least_hits", c_uint32), ("threshold", c_double), ("false_per_million", c_double)]


class Reads(Structure):
    _fields_ = [("seqs", POINTER(Seqs)), ("first", c_size_t), ("step", c_size_t)]


# ---- the library ---------------------------------------------------------------------------------------------------------------


def _open() -> ctypes.CDLL:
    """$TAMIS_LIBRARY; that of the wheel, in lib/tamis of the environment, or of the folder of pip --target; that of the system."""
    parents = Path(__file__).resolve().parents  # PREFIX/lib/python3.x/site-packages/tamis/_library.py
    packed = [parent / "lib" / "tamis" / SONAME for i, parent in enumerate(parents) if i in (1, 4)]
    path = os.environ.get("TAMIS_LIBRARY") or next((str(p) for p in packed if p.exists()), SONAME)
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"libtamis is not here: {error}. Install tamis, or name the library in TAMIS_LIBRARY") from None
    library.tms_version.restype = c_char_p
    version = library.tms_version().decode()
    if version.rpartition(".")[0] != __version__.rpartition(".")[0]:
        raise ImportError(f"{path} is of tamis {version}, and this module of {__version__}")
    return library


lib = _open()

_P, _S = c_void_p, c_size_t
_OUT = POINTER(c_void_p)
# The result is a status, unless there is one.
_CALLS: dict[str, tuple[Any, ...]] = {
    "tms_context_create": (_OUT,),
    "tms_context_destroy": (_P, None),
    "tms_context_message": (_P, c_char_p),
    "tms_context_set_threads": (_P, c_int),
    "tms_context_set_device": (_P, c_int),
    "tms_context_cancel": (_P, None),
    "tms_context_device": (_P, c_int),
    "tms_filter_size_sized": (_P, POINTER(FilterWant), _S, POINTER(FilterParams), _S),
    "tms_filter_create_sized": (_P, POINTER(FilterParams), _S, _OUT),
    "tms_filter_destroy": (_P, None),
    "tms_filter_insert": (_P, _P, POINTER(Keys)),
    "tms_filter_query": (_P, _P, POINTER(Keys), _P),
    "tms_filter_count": (_P, _P, POINTER(Keys), _P),
    "tms_filter_has": (_P, c_char_p, _S, c_int),
    "tms_filter_merge": (_P, _P, _P, c_int),
    "tms_filter_save": (_P, _P, c_char_p),
    "tms_filter_load": (_P, c_char_p, _OUT),
    "tms_filter_copy": (_P, _P, _OUT),
    "tms_filter_get_params": (_P, POINTER(FilterParams)),
    "tms_filter_get_stats_sized": (_P, _P, POINTER(FilterStats), _S),
    "tms_layout_name": (c_int, c_char_p),
    "tms_hash_name": (c_int, c_char_p),
    "tms_builder_create_sized": (_P, POINTER(FilterWant), _S, _OUT),
    "tms_builder_destroy": (_P, None),
    "tms_builder_add": (_P, _P, POINTER(Keys)),
    "tms_builder_finish": (_P, _P, _OUT),
    "tms_reference_create_sized": (_P, POINTER(FilterWant), _S, _OUT),
    "tms_reference_destroy": (_P, None),
    "tms_reference_add": (_P, _P, POINTER(Seqs)),
    "tms_reference_finish": (_P, _P, _OUT),
    "tms_classifier_create_sized": (_P, POINTER(c_void_p), _S, POINTER(ClassifyParams), _S, _OUT),
    "tms_classifier_destroy": (_P, None),
    "tms_classify": (_P, _P, POINTER(Reads), _S, _S, _P, _P),
    "tms_seqdb_open": (_P, c_char_p, c_int, _OUT),
    "tms_seqdb_from_seqs": (_P, POINTER(Seqs), c_int, c_char_p, _OUT),
    "tms_seqdb_destroy": (_P, None),
    "tms_seqdb_get_info_sized": (_P, POINTER(SeqdbInfo), _S, None),
    "tms_seqdb_length": (_P, c_uint64, c_uint64),
    "tms_seqdb_letters": (_P, c_uint64, c_uint64, c_uint64, _P),
    "tms_seqdb_names_create": (_P, _OUT),
    "tms_seqdb_names_destroy": (_P, None),
    "tms_seqdb_names_read": (_P, c_uint64, _P, POINTER(_S)),
    "tms_seqdb_names_get": (_P, _S, POINTER(SeqdbName)),
    "tms_blastp_create_sized": (_P, _P, POINTER(BlastpParams), _S, _OUT),
    "tms_blastp_destroy": (_P, None),
    "tms_blastp_search": (_P, POINTER(Seqs), _OUT),
    "tms_search_results_destroy": (_P, None),
    "tms_search_results_get_sized": (_P, _S, POINTER(SearchResult), _S, None),
    "tms_search_results_n_hsps": (_P, c_uint64),
    "tms_search_results_rows": (_P, _P, _P),
}
_STATUSES = {
    *("tms_context_create", "tms_context_set_threads", "tms_context_set_device", "tms_filter_size_sized", "tms_filter_create_sized"),
    *("tms_filter_insert", "tms_filter_query", "tms_filter_count", "tms_filter_merge", "tms_filter_save", "tms_filter_load"),
    *("tms_filter_copy", "tms_filter_get_stats_sized", "tms_builder_create_sized", "tms_builder_add"),
    *("tms_builder_finish", "tms_reference_create_sized", "tms_reference_add", "tms_reference_finish"),
    *("tms_classifier_create_sized", "tms_classify", "tms_seqdb_open", "tms_seqdb_from_seqs", "tms_seqdb_letters"),
    *("tms_seqdb_names_create", "tms_seqdb_names_read", "tms_blastp_create_sized", "tms_blastp_search", "tms_search_results_rows"),
}
for _name, _types in _CALLS.items():
    _call = getattr(lib, _name)
    if _name in _STATUSES:
        _call.argtypes, _call.restype = _types, c_int
    else:
        _call.argtypes, _call.restype = _types[:-1], _types[-1]


def check(status: int, context: Handle | None = None, what: str = "") -> None:
    """Raises the exception of a failed call, with the sentence that it left in the context."""
    if status:
        message = lib.tms_context_message(context.pointer).decode(errors="replace") if context else what
        raise _ERRORS.get(status, Error)(message or what)


class Handle:
    """Owns an object of the library, and destroys it with the last reference.

    keeps: the handles that it borrows from, which therefore live longer. A call holds a reference of its own to every handle that
    it uses, so no object is destroyed under it, whatever other threads close.
    """

    __slots__ = ("pointer", "_destroy", "_keeps")

    def __init__(self, pointer: int | None, destroy: Callable[[int], None], *keeps: Any) -> None:
        self.pointer = pointer
        self._destroy = destroy
        self._keeps = keeps

    def __del__(self) -> None:
        if self.pointer:
            self._destroy(self.pointer)
            self.pointer = None


def make(context: Handle, call: Callable[..., int], *arguments: Any, destroy: Callable[[int], None], keeps: tuple[Any, ...] = ()) -> Handle:
    """Calls a function with a trailing out-parameter, and returns the owner of what it made."""
    out = c_void_p()
    check(call(*arguments, byref(out)), context)
    return Handle(out.value, destroy, context, *keeps)


# ---- contexts ------------------------------------------------------------------------------------------------------------------


def device_number(device: str | int) -> int:
    """From "cpu", "auto", "cuda", "cuda:1" or a number of a GPU."""
    if isinstance(device, int) and not isinstance(device, bool):
        if device >= 0:
            return device
    elif device in ("cpu", "auto", "cuda"):
        return {"cpu": -1, "auto": -2, "cuda": 0}[device]
    elif isinstance(device, str) and device.startswith("cuda:") and device[5:].isdigit():
        return int(device[5:])
    raise ArgumentError(f'{device!r} is no device: "cpu", "auto", "cuda", "cuda:1" or a number from 0')


_local = threading.local()


def new_context(device: str | int = "cpu", threads: int = 0) -> Handle:
    out = c_void_p()
    check(lib.tms_context_create(byref(out)), what="out of memory: a context")
    context = Handle(out.value, lib.tms_context_destroy)
    check(lib.tms_context_set_threads(out, threads), context)
    number = device_number(device)
    if number != -1:
        check(lib.tms_context_set_device(out, number), context)
    return context


def thread_context(device: str | int = "cpu", threads: int = 0) -> Handle:
    """The calling thread's context for this device and number of threads: a context has one user at a time."""
    contexts: dict[tuple[str | int, int], Handle] = _local.__dict__.setdefault("contexts", {})
    if (device, threads) not in contexts:
        contexts[device, threads] = new_context(device, threads)
    return contexts[device, threads]


def path_bytes(path: str | bytes | os.PathLike[Any]) -> bytes:
    encoded = os.fsencode(path)
    if b"\0" in encoded:
        raise ArgumentError(f"{path!r} has a NUL in it")
    return encoded


class Gpu(NamedTuple):
    """A GPU of this machine. reason: why it is not usable; "" if it is. compute_capability: (9, 0) is 9.0."""

    name: str
    usable: bool
    reason: str
    compute_capability: tuple[int, int]
    memory_bytes: int


class _Gpu(Structure):
    _fields_ = [
        ("name", ctypes.c_char * 128),
        ("usable", c_int),
        ("reason", ctypes.c_char * 256),
        ("compute_major", c_int),
        ("compute_minor", c_int),
        ("n_multiprocessors", c_int),
        ("memory_bytes", c_uint64),
        ("l2_bytes", c_uint64),
    ]


class _GpuReport(Structure):
    _fields_ = [
        ("built_with_cuda", c_int),
        ("present", c_int),
        ("runtime_version", c_int),
        ("driver_version", c_int),
        ("n_gpus", c_int),
        ("gpus", _Gpu * 16),
        ("reason", ctypes.c_char * 256),
    ]


def gpus() -> list[Gpu]:
    """The GPUs of this machine, usable or not; empty without GPUs, without a driver, or if libtamis has no GPU code."""
    report = _GpuReport()
    lib.tms_gpu_probe_sized.restype = None
    lib.tms_gpu_probe_sized(byref(report), c_size_t(ctypes.sizeof(report)))
    return [
        Gpu(g.name.decode(), bool(g.usable), g.reason.decode(), (g.compute_major, g.compute_minor), g.memory_bytes)
        for g in report.gpus[: report.n_gpus]
    ]
