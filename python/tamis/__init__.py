"""tamis: Bloom filters of strings, protein searches as NCBI's blastp, and reads sorted by genome, at the speed of libtamis.

    import numpy as np, tamis

    f = tamis.Filter.build(keys, fpr=1e-3)         # a list of str or bytes, a NumPy or an Arrow array
    hit = f.query(more)                            # an array of bool
    f.save("x.tms")                                # the command's file; tamis.Filter.load("x.tms")

    for query in tamis.blastp("q.fa", db="uniprot", evalue=1e-5, device="auto"):
        for hit in query:
            print(query.id, hit.id, hit.hsps[0].evalue)

    c = tamis.classify(["r1.fq.gz", "r2.fq.gz"], filters=["human.tms"])
    c.table["best"], c.counts

Calls release the GIL. Threads may share filters and databases; each class says what else. A call that fails raises a subclass of
tamis.Error with the library's sentence: ArgumentError, FormatError and MismatchError are also ValueError, FileError is OSError,
OutOfMemoryError is MemoryError, DeviceError and CancelledError are RuntimeError. The module needs NumPy and libtamis, of which wheels have
a copy; $TAMIS_LIBRARY names another.
"""

from ._classify import CLASSIFIED_DTYPE, Classification, classify
from ._filter import Filter, Stats
from ._library import ArgumentError as ArgumentError
from ._library import CancelledError as CancelledError
from ._library import DeviceError as DeviceError
from ._library import Error as Error
from ._library import FileError as FileError
from ._library import FormatError as FormatError
from ._library import Gpu, __version__, gpus
from ._library import MismatchError as MismatchError
from ._library import OutOfMemoryError as OutOfMemoryError
from ._search import HSP_DTYPE, Database, Hit, Hsp, Query, Search, Sequence, blastp

# What help(tamis) shows; without the exceptions, whose pages are long.
__all__ = [
    "CLASSIFIED_DTYPE",
    "HSP_DTYPE",
    "Classification",
    "Database",
    "Filter",
    "Gpu",
    "Hit",
    "Hsp",
    "Query",
    "Search",
    "Sequence",
    "Stats",
    "__version__",
    "blastp",
    "classify",
    "gpus",
]

# Their names are those of the package, not of the files that they are in.
for _public in list(globals().values()):
    if getattr(_public, "__module__", "").startswith("tamis."):
        _public.__module__ = "tamis"
