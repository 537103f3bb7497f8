"""Makes a wheel of the module, with libtamis and the command in it.

    python3 wheel.py PREFIX PLATFORM FOLDER        PREFIX: what cmake --install has made; PLATFORM: manylinux_2_17_x86_64 ...

The module calls the library by ctypes, so the wheel is for every Python 3. In it are

    tamis/                       the module
    tamis-VERSION.data/scripts/  the command
    tamis-VERSION.data/data/     lib/tamis (libtamis, ISA-L) and share/tamis, which both find from where they are; manual pages, completions

A wheel has no symbolic links, so the names of BLAST+ (tamis links) are only in the archive. The same input gives the same bytes: times are those of SOURCE_DATE_EPOCH, or 1980. Prints the wheel's path.
"""

import base64
import hashlib
import os
import re
import sys
import time
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]


def metadata(version: str) -> str:
    """The core metadata of python/pyproject.toml, which is of plain keys and lists of strings."""
    table = (SOURCE / "python" / "pyproject.toml").read_text().partition("[project]")[2].partition("\n[")[0]

    def text(key: str) -> str:
        found = re.search(rf'^{key} = "(.*)"$', table, re.M)
        assert found, key
        return found[1]

    def texts(key: str) -> "list[str]":
        found = re.search(rf"^{key} = \[(.*?)\]$", table, re.M | re.S)
        assert found, key
        return re.findall(r'"(.*?)"', found[1])

    lines = ["Metadata-Version: 2.4", f"Name: {text('name')}", f"Version: {version}", f"Summary: {text('description')}"]
    lines += [f"Keywords: {','.join(texts('keywords'))}", f"License-Expression: {text('license')}", "License-File: LICENSE"]
    lines += [f"Classifier: {c}" for c in texts("classifiers")]
    lines += [f"Requires-Dist: {d}" for d in texts("dependencies")]
    lines += [f"Requires-Python: {text('requires-python')}", "Description-Content-Type: text/markdown"]
    return "\n".join(lines) + "\n\n" + (SOURCE / "doc" / "python.md").read_text()


def contents(prefix: Path, version: str) -> "dict[str, bytes]":
    """Names in the wheel, and bytes."""
    files = {f"tamis/{path.name}": path.read_bytes() for path in sorted((SOURCE / "python" / "tamis").iterdir()) if path.is_file()}
    soname = "libtamis.so." + version.rpartition(".")[0]
    data = f"tamis-{version}.data"
    files[f"{data}/data/lib/tamis/{soname}"] = (prefix / "lib" / soname).resolve().read_bytes()
    files[f"{data}/scripts/tamis"] = (prefix / "bin" / "tamis").read_bytes()
    for folder in ("lib/tamis", "share/tamis", "share/man", "share/bash-completion", "share/zsh", "share/fish"):
        for path in sorted((prefix / folder).rglob("*")):
            if path.is_file() and not path.is_symlink():
                files[f"{data}/data/{path.relative_to(prefix)}"] = path.read_bytes()
    for path in sorted((prefix / "share/doc/tamis/licences").iterdir()):
        files[f"tamis-{version}.dist-info/licenses/{path.name}"] = path.read_bytes()
    files[f"tamis-{version}.dist-info/licenses/LICENSE"] = (SOURCE / "LICENSE").read_bytes()
    return files


def main() -> None:
    prefix, platform, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    version = (SOURCE / "VERSION").read_text().strip()
    info = f"tamis-{version}.dist-info"
    files = contents(prefix, version)
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tamis\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode()

    def digest(content: bytes) -> str:
        return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()

    record = [f"{name},sha256={digest(content)},{len(content)}" for name, content in files.items()]
    files[f"{info}/RECORD"] = ("\n".join([*record, f"{info}/RECORD,,"]) + "\n").encode()
    path = folder / f"tamis-{version}-py3-none-{platform}.whl"
    moment = time.gmtime(max(int(os.environ.get("SOURCE_DATE_EPOCH", 0)), 315532800))[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for name, content in files.items():
            entry = zipfile.ZipInfo(name, moment)
            entry.compress_type = zipfile.ZIP_DEFLATED
            is_program = "/scripts/" in name or ".so" in name or name.endswith(".sh")
            entry.external_attr = (0o100755 if is_program else 0o100644) << 16
            wheel.writestr(entry, content)
    print(path)


main()
