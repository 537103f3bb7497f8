#!/bin/sh
# link-glibc.sh - the linker of packaging/glibc.cmake: gcc's objects with the symbols of an older glibc, by zig.
#
#   TAMIS_GLIBC      what to link for, such as x86_64-linux-gnu.2.28
#   TAMIS_ZIG        the program zig
#   TAMIS_GCC        the gcc whose libgcc and libstdc++ are linked statically (with the unwinder of zig), such as aarch64-linux-gnu-gcc
#
# Objects name functions of glibc without their versions; the versions come from the library that they are linked with. A function that
# the older glibc lacks is an error here.
set -eu
here=${0%/*}
for argument in "$@"; do
    shift
    case $argument in
    -lstdc++)
        set -- "$@" "$("$TAMIS_GCC" -print-file-name=libstdc++.a)" -lunwind "$here/old_glibc.c"
        ;;
    -Wl,--exclude-libs,ALL) set -- "$@" "-Wl,--version-script=$here/exports.map" ;; # which zig does not know
    *) set -- "$@" "$argument" ;;
    esac
done
exec "$TAMIS_ZIG" cc -target "$TAMIS_GLIBC" "$@" "$("$TAMIS_GCC" -print-libgcc-file-name)"
