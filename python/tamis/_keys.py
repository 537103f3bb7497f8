"""Keys of all kinds as batches of the library (tms_keys), without a copy of their bytes where they are in one buffer."""

from __future__ import annotations

import itertools
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_ubyte, c_void_p, cast, py_object, pythonapi
from typing import Any, Iterable, Iterator, NamedTuple, Union

import numpy as np
import numpy.typing as npt

from ._library import ZERO_PADDED, ArgumentError, Keys

#: What a set of keys may be.
KeyArray = Union[npt.NDArray[Any], Iterable[Union[str, bytes]], Any]

CHUNK = 1 << 18  # keys of a list, or of a NumPy array of str, that are converted at once
MOST_BYTES = (1 << 32) - 1  # of a batch with offsets


class Batch(NamedTuple):
    keys: Keys
    n: int
    owners: tuple[Any, ...]  # of the memory that keys point to


_EMPTY = np.zeros(1, np.uint8)  # a batch of empty keys has an address, too


def _address(array: npt.NDArray[Any]) -> int:
    return array.ctypes.data if array.size else _EMPTY.ctypes.data


def fixed(buffer: npt.NDArray[Any], n: int, key_size: int, padded: bool) -> Batch:
    """n fields of key_size bytes, one after the other."""
    return Batch(Keys(_address(buffer), None, n, key_size, ZERO_PADDED if padded else 0), n, (buffer,))


def _with_offsets(address: int, offsets: npt.NDArray[np.uint32], owner: Any) -> Batch:
    n = len(offsets) - 1
    return Batch(Keys(address, offsets.ctypes.data, n, 0, 0), n, (offsets, owner))


# ---- lists ---------------------------------------------------------------------------------------------------------------------


def _as_bytes(key: Any) -> bytes:
    if isinstance(key, bytes):
        return key
    if isinstance(key, str):
        return key.encode()
    if isinstance(key, bytearray):
        return bytes(key)
    raise TypeError(f"a key is str or bytes, not {type(key).__name__}: give numbers as numpy.asarray(keys, numpy.uint64)")


def _joined(chunk: list[Any]) -> tuple[bytes, list[Any]]:
    """The bytes of all keys, and a list of keys of which len() is the number of bytes."""
    try:
        text = "".join(chunk)
        if text.isascii():
            return text.encode(), chunk
    except TypeError:  # not all are str
        pass
    chunk = [_as_bytes(key) for key in chunk]
    return b"".join(chunk), chunk


def _pack(chunk: list[Any]) -> Iterator[Batch]:
    packed, chunk = _joined(chunk)
    if len(packed) > MOST_BYTES and len(chunk) > 1:
        yield from _pack(chunk[: len(chunk) // 2])
        yield from _pack(chunk[len(chunk) // 2 :])
        return
    offsets = np.zeros(len(chunk) + 1, np.uint32)
    np.cumsum(np.fromiter(map(len, chunk), np.uint32, len(chunk)), dtype=np.uint32, out=offsets[1:])
    yield _with_offsets(_address(np.frombuffer(packed, np.uint8)), offsets, packed)


def _of_iterable(keys: Iterable[Any]) -> Iterator[Batch]:
    items = iter(keys)
    while chunk := list(itertools.islice(items, CHUNK)):
        yield from _pack(chunk)


# ---- NumPy ---------------------------------------------------------------------------------------------------------------------


def _of_unicode(array: npt.NDArray[Any]) -> Iterator[Batch]:
    """NumPy stores 4 bytes a character: those of a chunk become UTF-8."""
    width = array.dtype.itemsize // 4
    for first in range(0, len(array), CHUNK):
        chunk = np.ascontiguousarray(array[first : first + CHUNK])
        points = chunk.view(chunk.dtype.newbyteorder("=")).view(np.uint32) if width else np.zeros(0, np.uint32)
        if points.size and points.max() > 0x7F:
            yield from _pack(chunk.tolist())
        else:
            yield fixed(points.astype(np.uint8), len(chunk), width, True)


def _of_array(array: npt.NDArray[Any]) -> Iterator[Batch]:
    if array.ndim != 1:
        raise ArgumentError(f"an array of keys has one dimension, not {array.ndim}")
    kind = array.dtype.kind
    if kind == "U":
        yield from _of_unicode(array)
    elif kind in "SuiV" and array.dtype.names is None and not array.dtype.hasobject:
        if array.dtype.byteorder == ">":
            array = array.astype(array.dtype.newbyteorder("<"))
        array = np.ascontiguousarray(array)
        yield fixed(array, len(array), array.dtype.itemsize, kind == "S")
    elif kind in "OT":
        for first in range(0, len(array), CHUNK):
            yield from _pack(array[first : first + CHUNK].tolist())
    else:
        raise ArgumentError(f"keys are strings, bytes or integers, not an array of {array.dtype}")


# ---- Arrow: the C data interface, which needs no library -----------------------------------------------------------------------


class _Schema(Structure):
    pass


class _Array(Structure):
    pass


class _Stream(Structure):
    pass


_Schema._fields_ = [
    ("format", c_char_p),
    ("name", c_char_p),
    ("metadata", c_void_p),
    ("flags", c_int64),
    ("n_children", c_int64),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]
_Array._fields_ = [
    ("length", c_int64),
    ("null_count", c_int64),
    ("offset", c_int64),
    ("n_buffers", c_int64),
    ("n_children", c_int64),
    ("buffers", POINTER(c_void_p)),
    ("children", c_void_p),
    ("dictionary", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]
_Stream._fields_ = [
    ("get_schema", c_void_p),
    ("get_next", c_void_p),
    ("get_last_error", c_void_p),
    ("release", c_void_p),
    ("private_data", c_void_p),
]

_INTEGERS = {"c": 1, "C": 1, "s": 2, "S": 2, "i": 4, "I": 4, "l": 8, "L": 8}


def _capsule(capsule: Any, name: bytes, kind: Any) -> Any:
    get = pythonapi.PyCapsule_GetPointer
    get.restype, get.argtypes = c_void_p, [py_object, c_char_p]
    return cast(get(capsule, name), POINTER(kind)).contents


def _view(address: int | None, n: int, dtype: Any) -> npt.NDArray[Any]:
    """n items of foreign memory."""
    if not address or not n:
        return np.zeros(0, dtype)
    return np.frombuffer((c_ubyte * (n * np.dtype(dtype).itemsize)).from_address(address), dtype)


def _check_nulls(array: Any) -> None:
    if array.null_count == 0 or not array.n_buffers or not array.buffers[0]:
        return
    first, end = array.offset, array.offset + array.length
    bits = np.unpackbits(_view(array.buffers[0], (end + 7) // 8, np.uint8), bitorder="little")[first:end]
    if not bits.all():
        raise ArgumentError(f"key {int(np.argmin(bits))} of an Arrow array is null: drop nulls first")


def _of_arrow(form: str, array: Any, owner: Any) -> Iterator[Batch]:
    n, first = array.length, array.offset
    if n == 0:
        return
    _check_nulls(array)
    size = int(form[2:]) if form.startswith("w:") else _INTEGERS.get(form)
    if size is not None:
        buffer = _view((array.buffers[1] or 0) + first * size, n * size, np.uint8)
        batch = fixed(buffer, n, size, False)
        yield batch._replace(owners=(*batch.owners, owner))
        return
    if form not in ("u", "z", "U", "Z"):
        raise ArgumentError(f"Arrow arrays of strings, binary or integers have keys, not those of format '{form}': cast it")
    address = array.buffers[2] or _EMPTY.ctypes.data
    if form in "uz":  # 32-bit offsets, which the library reads as they are
        offsets = _view(array.buffers[1] + 4 * first, n + 1, np.uint32)
        yield _with_offsets(address, offsets, owner)
        return
    wide = _view(array.buffers[1] + 8 * first, n + 1, np.int64)
    at = 0
    while at < n:  # as many keys as 32-bit offsets reach
        end = min(n, max(at + 1, int(np.searchsorted(wide, wide[at] + MOST_BYTES, side="right")) - 1))
        yield _with_offsets(address + int(wide[at]), (wide[at : end + 1] - wide[at]).astype(np.uint32), owner)
        at = end


def _of_stream(keys: Any) -> Iterator[Batch]:
    capsule = keys.__arrow_c_stream__()
    stream = _capsule(capsule, b"arrow_array_stream", _Stream)
    at = POINTER(_Stream)(stream)
    schema = _Schema()
    get_schema = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Schema))(stream.get_schema)
    get_next = CFUNCTYPE(c_int, POINTER(_Stream), POINTER(_Array))(stream.get_next)
    if get_schema(at, schema):
        raise ArgumentError("the Arrow stream has no schema")
    form = schema.format.decode()
    CFUNCTYPE(None, POINTER(_Schema))(schema.release)(schema)
    while True:
        array = _Array()
        if get_next(at, array):
            raise ArgumentError("the Arrow stream ended with an error")
        if not array.release:
            return
        try:
            yield from _of_arrow(form, array, capsule)
        finally:
            CFUNCTYPE(None, POINTER(_Array))(array.release)(array)


# ---- all of them ---------------------------------------------------------------------------------------------------------------


def batches(keys: KeyArray) -> Iterator[Batch]:
    """The batches of a set of keys, each to be used before the next one is asked for."""
    if isinstance(keys, np.ndarray):
        return _of_array(keys)
    if hasattr(keys, "__arrow_c_array__"):
        schema, array = keys.__arrow_c_array__()
        form = _capsule(schema, b"arrow_schema", _Schema).format.decode()
        return _of_arrow(form, _capsule(array, b"arrow_array", _Array), (schema, array))
    if hasattr(keys, "__arrow_c_stream__"):
        return _of_stream(keys)
    if isinstance(keys, (str, bytes, bytearray)):
        raise TypeError("a set of keys is a list or an array; for one key, write: key in filter")
    return _of_iterable(keys)


def one_key(key: Any) -> bytes:
    """A single key: str, bytes, or an item of a NumPy array."""
    if isinstance(key, np.generic) and not isinstance(key, (np.str_, np.bytes_)):
        return np.asarray(key).astype(key.dtype.newbyteorder("<")).tobytes()
    return _as_bytes(key)
