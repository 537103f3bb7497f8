#!/bin/sh
# binaries.sh SOURCE WORK DIST ARCH... - a relocatable archive and a wheel for each architecture, x86_64 or aarch64, for glibc 2.28 and newer (RHEL 8, Debian 10, Ubuntu 18.10).
#
# x86_64 has GPU code if nvcc is installed. gcc compiles, zig (of PyPI) links with the symbols of the older glibc, as glibc.cmake says. Of the
# libraries that tamis needs, Debian's static ones are in the command, and its libisal.so.2 is beside it, each with its licence. What
# is needed beyond ./dev setup: python3-venv, and for aarch64 the packages of tests/arm64/sysroot.sh. TAMIS_JOBS, TAMIS_CMAKE as for ./dev.
set -eu
source=$1 work=$2 dist=$3
shift 3
architectures=$*
version=$(cat "$source/VERSION")
glibc=2.28
jobs=${TAMIS_JOBS:-$(nproc)}
targets='tamis tamis_static tamis_command tamis_man tamis_completion'

say() { printf '%s\n' "$*"; }

tools=$work/tools
if [ ! -x "$tools/bin/auditwheel" ]; then
    python3 -m venv "$tools"
    "$tools/bin/pip" install -q 'ziglang>=0.13,<0.18' auditwheel
fi
TAMIS_ZIG=$("$tools/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')
export TAMIS_ZIG

# licences PREFIX LIBRARIES-ROOT: the copyright files of what is in the binaries
licences() {
    mkdir -p "$1/share/doc/tamis/licences"
    for package in libisal-dev libzstd-dev liblzma-dev libbz2-dev liblmdb-dev libjansson-dev zlib1g-dev librandom123-dev; do
        if [ -e "$2/usr/share/doc/$package/copyright" ]; then
            cp -L "$2/usr/share/doc/$package/copyright" "$1/share/doc/tamis/licences/$package.txt"
        fi
    done
    # Of GPU code: the CUDA runtime, gcc's libstdc++, LLVM's unwinder. Their licences let programs have them inside.
    cp "$(dirname "$TAMIS_ZIG")/lib/libunwind/LICENSE.TXT" "$1/share/doc/tamis/licences/llvm-libunwind.txt"
    for file in /usr/local/cuda/EULA.txt /usr/share/doc/libstdc++-*-dev/copyright; do
        if [ -e "$file" ]; then cp -L "$file" "$1/share/doc/tamis/licences/$(basename "$(dirname "$file")").txt"; fi
    done
}

for architecture in $architectures; do
    build=$source/build/$architecture
    case $architecture in
    x86_64)
        TAMIS_GCC=gcc strip=strip libraries=/ isal=/usr/lib/x86_64-linux-gnu/libisal.so.2
        set --
        ;;
    aarch64)
        TAMIS_GCC=aarch64-linux-gnu-gcc strip=aarch64-linux-gnu-strip libraries=$work/sysroot
        isal=$libraries/usr/lib/aarch64-linux-gnu/libisal.so.2
        sh "$source/tests/arm64/sysroot.sh" "$libraries"
        set -- -DCMAKE_TOOLCHAIN_FILE="$source/tests/arm64/toolchain.cmake" -DTAMIS_SYSROOT="$libraries" -DTAMIS_CUDA=OFF
        ;;
    *)
        say "binaries.sh: x86_64 or aarch64, not $architecture" >&2
        exit 2
        ;;
    esac
    TAMIS_GLIBC=$architecture-linux-gnu.$glibc
    export TAMIS_GCC TAMIS_GLIBC

    say "building for $TAMIS_GLIBC in $build ..."
    mkdir -p "$build"
    # shellcheck disable=SC2086 # words
    if ! { cmake -S "$source" -B "$build" -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/opt/tamis -DTAMIS_TESTS=OFF \
        -DCMAKE_PROJECT_INCLUDE="$source/packaging/glibc.cmake" ${TAMIS_CMAKE:-} "$@" && cmake --build "$build" -j "$jobs" --target $targets; } \
        >"$build.log" 2>&1 </dev/null; then
        tail -n 30 "$build.log" >&2
        exit 1
    fi
    name=tamis-$version-linux-$architecture
    prefix=$work/$name/tamis-$version
    rm -rf "${work:?}/$name"
    cmake --install "$build" --prefix "$prefix" >"$build.log" 2>&1
    mkdir -p "$prefix/lib/tamis"
    cp -L "$isal" "$prefix/lib/tamis"
    "$strip" "$prefix/bin/tamis" "$prefix/lib/tamis/libisal.so.2"
    "$strip" --strip-unneeded "$prefix/lib/"libtamis.so.*.*.*
    "$strip" --strip-debug "$prefix/lib/libtamis.a"
    licences "$prefix" "$libraries"

    tar -C "$work/$name" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@${SOURCE_DATE_EPOCH:-0}" -c "tamis-$version" |
        gzip -9 -n >"$dist/$name.tar.gz"
    wheel=$(python3 "$source/packaging/wheel.py" "$prefix" "manylinux_$(echo $glibc | tr . _)_$architecture" "$dist")
    bash "$source/tests/install/binaries.sh" "$source" "$work/try" "$dist/$name.tar.gz" "$wheel" "$architecture" "$glibc" "$tools"
done
