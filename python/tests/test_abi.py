"""The structs of the module are those of the headers, and its documentation is there."""

from __future__ import annotations

import ctypes
import doctest
import inspect
import pydoc
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tamis
from conftest import SOURCE
from tamis import _classify, _library, _search

STRUCTS = {
    "tms_keys": _library.Keys,
    "tms_filter_params": _library.FilterParams,
    "tms_filter_want": _library.FilterWant,
    "tms_filter_stats": _library.FilterStats,
    "tms_seqs": _library.Seqs,
    "tms_search_hsp": _library.SearchHsp,
    "tms_search_subject": _library.SearchSubject,
    "tms_search_result": _library.SearchResult,
    "tms_seg_params": _library.SegParams,
    "tms_blastp_params": _library.BlastpParams,
    "tms_seqdb_info": _library.SeqdbInfo,
    "tms_seqdb_name": _library.SeqdbName,
    "tms_classify_params": _library.ClassifyParams,
    "tms_reads": _library.Reads,
    "tms_gpu": _library._Gpu,
    "tms_gpu_report": _library._GpuReport,
}
ARRAYS = {
    "tms_search_row": (_search.HSP_DTYPE, {"length": "n_columns", "identical": "n_identical", "openings": "n_openings", "gaps": "n_gaps"}),
    "tms_classified": (_classify.CLASSIFIED_DTYPE, {}),
}
PARTIAL = {"tms_blastp_params", "tms_seqdb_info", "tms_seqdb_name"}  # newer fields at the end, which calls with a size do without


def test_structs_are_those_of_the_headers(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    rows: list[tuple[str, str, int]] = []
    for name, kind in STRUCTS.items():
        rows += [(f"offsetof({name}, {f[0].rstrip('_')})", f"{name}.{f[0]}", getattr(kind, f[0]).offset) for f in kind._fields_]
        if name not in PARTIAL:
            rows.append((f"sizeof({name})", name, ctypes.sizeof(kind)))
    for name, (dtype, other_names) in ARRAYS.items():
        assert dtype.names is not None and dtype.fields is not None
        for field in dtype.names:
            rows.append((f"offsetof({name}, {other_names.get(field, field)})", f"{name}.{field}", dtype.fields[field][1]))
        rows.append((f"sizeof({name})", name, dtype.itemsize))
    program = '#include <stddef.h>\n#include <stdio.h>\n#include "tamis/tamis.h"\nint main(void) {\n'
    program += "".join(f'printf("%zu\\n", (size_t){expression});\n' for expression, _, _ in rows) + "return 0; }\n"
    (tmp_path / "abi.c").write_text(program)
    subprocess.run([compiler, "-I", SOURCE / "include", tmp_path / "abi.c", "-o", tmp_path / "abi"], check=True)
    printed = subprocess.run([tmp_path / "abi"], check=True, stdout=subprocess.PIPE).stdout.split()
    assert {what: int(got) for (_, what, _), got in zip(rows, printed)} == {what: offset for _, what, offset in rows}


def test_defaults_of_blastp(tmp_path: Path) -> None:
    """Those of tms_blastp_defaults(), which is an inline function."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler")
    names = "task composition gap_open gap_extend window word_size threshold evalue xdrop_ungapped xdrop_gapped xdrop_final max_target_seqs"
    names += " max_hsps masks_seg seg.window seg.locut seg.hicut soft_masking search_space batch_residues culling_limit"
    program = '#include <stdio.h>\n#include "tamis/tamis.h"\nint main(void) { const tms_blastp_params p = tms_blastp_defaults();\n'
    program += "".join(f'printf("%.17g\\n", (double)p.{name});\n' for name in names.split()) + "return 0; }\n"
    (tmp_path / "d.c").write_text(program)
    subprocess.run([compiler, "-I", SOURCE / "include", tmp_path / "d.c", "-o", tmp_path / "d"], check=True)
    got = list(map(float, subprocess.run([tmp_path / "d"], check=True, stdout=subprocess.PIPE).stdout.split()))
    p = {name: value.default for name, value in inspect.signature(tamis.blastp).parameters.items()}
    want = [0, p["comp_based_stats"], p["gapopen"], p["gapextend"], p["window_size"], p["word_size"], p["threshold"], p["evalue"]]
    want += [p["xdrop_ungap"], p["xdrop_gap"], p["xdrop_gap_final"], p["max_target_seqs"], p["max_hsps"], p["seg"], 12, 2.2, 2.5]
    want += [p["soft_masking"], p["searchsp"], _search._BATCH, p["culling_limit"]]
    assert got == list(map(float, want))


def test_versions() -> None:
    assert tamis.__version__ == (SOURCE / "VERSION").read_text().strip()
    assert _library.lib.tms_version().decode() == tamis.__version__


def test_help_is_there() -> None:
    """A docstring for all that is public, no name of a private file, and what is looked for near the beginning."""
    text = pydoc.plain(pydoc.render_doc(tamis))
    assert "tamis._" not in text
    assert text.index("class Classification") < 2500
    for name in tamis.__all__:
        item = getattr(tamis, name)
        if inspect.isclass(item) or inspect.isfunction(item):
            assert item.__doc__, name
            for method_name, method in vars(item).items():
                if not method_name.startswith("_") and (inspect.isfunction(method) or isinstance(method, (property, classmethod))):
                    assert inspect.getdoc(getattr(item, method_name)), f"{name}.{method_name}"
    assert doctest.testmod(inspect.getmodule(tamis.Filter), extraglobs={"tamis": tamis, "np": np}).failed == 0


def test_the_example() -> None:
    done = subprocess.run([sys.executable, SOURCE / "examples" / "tour.py"], stdout=subprocess.PIPE, check=True, encoding="utf-8")
    for line in (
        "700 of 2000 lines pass",
        "[ 0  1  4  9 16 25 36 49]",
        "WP_003187356.1 NP_311567.1 E = 2.63e-51, 92 of 245 columns",
        "'filter_1': 1000, 'filter_2': 1000, 'unmatched': 1000,",
    ):
        assert line in done.stdout
