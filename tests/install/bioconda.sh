#!/bin/sh
# Runs packaging/bioconda/build.sh as conda-build does, in the unpacked source archive and for an empty prefix, and then the recipe's tests there. TAP.
#   bioconda.sh ARCHIVE WORK TOOLS      TOOLS: a virtual environment, which gets PyYAML
set -eu
archive=$1 work=$2 tools=$3
rm -rf "$work"
mkdir -p "$work/source" "$work/prefix"
tar -xzf "$archive" -C "$work/source" --strip-components=1
"$tools/bin/pip" install -q pyyaml
PREFIX=$work/prefix CPU_COUNT=${TAMIS_JOBS:-1} CMAKE_ARGS=${TAMIS_CMAKE:-}
export PREFIX CPU_COUNT CMAKE_ARGS
if ! (cd "$work/source" && bash packaging/bioconda/build.sh) >"$work/build.log" 2>&1 </dev/null; then
    tail -n 30 "$work/build.log" | sed 's/^/# /'
    echo "not ok 1 - build.sh in an empty prefix"
    exit 1
fi
PATH=$PREFIX/bin:$PATH TAMIS=$PREFIX/bin/tamis "$tools/bin/python" "$work/source/tests/recipes/recipes.py" "$work/source" "$work/test" bioconda
