#!/bin/bash
# conda-build runs this in the unpacked source archive: PREFIX is where to install, CPU_COUNT the number of jobs, CMAKE_ARGS what its
# compilers need.
set -euo pipefail

# shellcheck disable=SC2086 # CMAKE_ARGS are words
cmake -S . -B build/conda -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$PREFIX" -DCMAKE_INSTALL_LIBDIR=lib \
    -DTAMIS_CUDA=OFF -DTAMIS_TESTS=OFF ${CMAKE_ARGS:-}
cmake --build build/conda -j "${CPU_COUNT:-1}"
cmake --install build/conda
