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
tamis.Error with the library's sentence. The module needs NumPy and libtamis, of which wheels have a copy; $TAMIS_LIBRARY names another.
"""

from ._classify import CLASSIFIED_DTYPE, Classification, classify
from ._filter import Filter, Stats
from ._library import (
    ArgumentError,
    CancelledError,
    DeviceError,
    Error,
    FileError,
    FormatError,
    Gpu,
    MismatchError,
    OutOfMemoryError,
    __version__,
    gpus,
)
from ._search import HSP_DTYPE, Database, Hit, Hsp, Query, Search, Sequence, blastp

__all__ = [
    "CLASSIFIED_DTYPE",
    "HSP_DTYPE",
    "ArgumentError",
    "CancelledError",
    "Classification",
    "Database",
    "DeviceError",
    "Error",
    "FileError",
    "Filter",
    "FormatError",
    "Gpu",
    "Hit",
    "Hsp",
    "MismatchError",
    "OutOfMemoryError",
    "Query",
    "Search",
    "Sequence",
    "Stats",
    "__version__",
    "blastp",
    "classify",
    "gpus",
]
