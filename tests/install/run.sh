#!/bin/sh
# Installs tamis into an empty directory and uses it as a stranger would: which symbols the libraries give away,
# the example built through pkg-config (shared, static, as C++) and through find_package, the command and its manual.
#   run.sh SOURCE BUILD WORK CMAKE CC [PREFIX]      prints one "ok"/"not ok" line per check (TAP)
# With PREFIX nothing is installed: what is there already is used.
set -eu
source=$1 build=$2 work=$3 cmake=$4 cc=$5
prefix=${6:-$work/with a space}
version=$(cat "$source/VERSION")
case $version in 0.*) soversion=${version%.*} ;; *) soversion=${version%%.*} ;; esac

rm -rf "$work"
mkdir -p "$work"
n=0 failed=0

check() { # check NAME COMMAND...: the command's output is shown only when it fails
    name=$1
    shift
    n=$((n + 1))
    if "$@" >"$work/log" 2>&1; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        sed 's/^/# /' "$work/log"
        failed=$((failed + 1))
    fi
}

skip() {
    n=$((n + 1))
    echo "ok $n - $1 # skip $2"
}

only_tms() { # only_tms NM-ARGUMENTS...: every defined global symbol starts with tms_, and there are some
    nm --defined-only "$@" >"$work/symbols"
    awk 'NF == 3 && $2 ~ /^[A-Zuvw]$/ { seen++; if ($3 !~ /^tms_/) { print "foreign: " $0; bad = 1 } }
         END { if (!seen) print "no symbols at all"; exit bad || !seen }' "$work/symbols"
}

all_public() { # every TMS_API function of the headers is in the shared library
    nm -D --defined-only "$lib/libtamis.so" | awk '{ print $3 }' >"$work/exported"
    cat "$prefix"/include/tamis/*.h | tr '\n' ' ' | grep -o 'TMS_API [^;]*;' |
        sed -n 's/.*[ *]\(tms_[a-z0-9_]*\)(.*/\1/p' | sed 's/(.*//' >"$work/declared"
    test -s "$work/declared" || return 1
    grep -Fxv -f "$work/exported" "$work/declared" && return 1
    return 0
}

runs() { # runs PROGRAM: the example's answers are right
    got=$("$1")
    echo "$got"
    [ "$got" = "tamis $version: drum 1, clay 0, cloth 1" ]
}

builds_a_filter() { # builds_a_filter PROGRAM: of 10,000 numbers, and it can be read
    seq 10000000 10009999 | tr -d '\n' | "$1" "$work/numbers.tms" | grep -q '^10000 numbers in ' || return 1
    [ ! -e "$prefix/bin/tamis" ] || "$prefix/bin/tamis" info "$work/numbers.tms" | grep 10000
}

pc() { PKG_CONFIG_PATH=$lib/pkgconfig pkg-config "$@"; }

# with_flags FLAGS COMMAND...: the command with these at its end; pkg-config quotes what a shell would split
with_flags() {
    flags=$1
    shift
    eval '"$@"' "$flags"
}

build_shared() {
    with_flags "$(pc --cflags --libs tamis)" \
        "$cc" -std=c11 "$source/examples/words.c" -o "$work/words" "-Wl,-rpath,$lib"
}

build_static() {
    with_flags "$(pc --cflags tamis) $(pc --static --libs-only-l tamis | sed 's/-ltamis//')" \
        "$cc" -std=c11 "$source/examples/words.c" -o "$work/words-static" "$lib/libtamis.a"
}

build_cxx() { # the headers are C++ too
    printf '#include <tamis/tamis.h>\n#include <cstdio>\nint main() { std::puts(tms_version()); }\n' >"$work/v.cpp"
    with_flags "$(pc --cflags --libs tamis)" \
        c++ -std=c++17 -Wall -Werror "$work/v.cpp" -o "$work/v" "-Wl,-rpath,$lib"
    "$work/v" | grep -qx "$version"
}

build_hpp() { # the C++ header, with what compilers warn of
    for cxx in c++ clang++; do
        command -v "$cxx" >/dev/null || continue
        with_flags "$(pc --cflags --libs tamis)" "$cxx" -std=c++17 -pedantic-errors -Wall -Wextra -Wconversion -Wshadow \
            -Wmissing-field-initializers -Werror "$source/examples/words.cpp" -o "$work/words-$cxx" "-Wl,-rpath,$lib" || return 1
        runs "$work/words-$cxx" || return 1
        "$work/words-$cxx" "$work/words.tms" && "$prefix/bin/tamis" info "$work/words.tms" || return 1
        "$work/words-$cxx" /nowhere/words.tms 2>&1 | grep 'words: /nowhere/words.tms: cannot be written' || return 1
    done
}

strict_c() { # each header stands alone, as strict C11
    for h in "$prefix"/include/tamis/*.h; do
        printf '#include <tamis/%s>\nint main(void) { return 0; }\n' "$(basename "$h")" >"$work/header.c"
        "$cc" -std=c11 -pedantic-errors -Wall -Wextra -Werror -I"$prefix/include" -fsyntax-only "$work/header.c" || return 1
    done
}

has_all() { # tamis.h includes every header, by itself or through another
    printf '#include <tamis/tamis.h>\n' | "$cc" -std=c11 -I"$prefix/include" -M -x c - | tr ' ' '\n' | grep -o 'tamis/[a-z_]*\.h$' |
        sort -u >"$work/included"
    (cd "$prefix/include" && ls tamis/*.h) | sort | diff "$work/included" -
}

build_package() {
    "$cmake" -S "$source/examples" -B "$work/package" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$cc"
    "$cmake" --build "$work/package"
}

command_runs() {
    "$prefix/bin/tamis" --version | grep -q "$version"
}

same_version() { # wherever a version stands, it is that of VERSION
    {
        printf 'CHANGELOG.md %s\n' "$(sed -n '/^## /{s/^## \([^ ]*\) (.*/\1/p;q}' "$source/CHANGELOG.md")"
        printf 'CITATION.cff %s\n' "$(sed -n 's/^version: //p' "$source/CITATION.cff")"
        printf 'cmake %s\n' "$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")"
        printf 'tamis.pc %s\n' "$(sed -n 's/^Version: //p' "$lib/pkgconfig/tamis.pc")"
        printf 'tamisConfigVersion.cmake %s\n' \
            "$(sed -n 's/^set(PACKAGE_VERSION "\(.*\)")$/\1/p' "$lib/cmake/tamis/tamisConfigVersion.cmake")"
        printf 'command %s\n' "$("$prefix/bin/tamis" --version | sed -n '1s/^tamis \([^ ]*\).*/\1/p')"
        grep -h '^#define TMS_VERSION[A-Z_]* "' "$prefix"/include/tamis/*.h | tr -d '"' | cut -d ' ' -f 2,3 || true
        for page in "$prefix"/share/man/man1/tamis*.1; do
            [ ! -e "$page" ] || printf '%s %s\n' "${page##*/}" "$(sed -n 's/^\.TH .*"tamis \([^"]*\)".*/\1/p' "$page")"
        done
    } >"$work/versions"
    awk -v v="$version" '$2 != v { print "not " v ": " $0; bad = 1 } END { exit bad }' "$work/versions"
}

completions() {
    bash -n "$prefix/share/bash-completion/completions/tamis" &&
        grep -q '^#compdef tamis' "$prefix/share/zsh/site-functions/_tamis" &&
        grep -q '^complete -c tamis .* -l with-filename' "$prefix/share/fish/vendor_completions.d/tamis.fish"
}

links() { # by the names of BLAST+'s programs, in a folder of their own; all that `tamis links` makes elsewhere
    folder=$(unset XDG_CACHE_HOME HOME && "$prefix/bin/tamis" links) || return 1
    [ "$folder" = "$(cd "$prefix/libexec/tamis/bin" && pwd -P)" ] || return 1
    "$prefix/bin/tamis" links "$work/made" || return 1
    (cd "$work/made" && find . -type l | sort) >"$work/names"
    (cd "$folder" && find . ! -type d | sort) | diff "$work/names" - || return 1
    [ ! -e "$prefix/bin/blastp" ] || return 1
    while read -r name; do
        name=${name#./}
        [ -L "$folder/$name" ] && (PATH=$folder:$PATH && "$name" -version) | grep -x " Package: tamis $version" || return 1
    done <"$work/names"
}

measurements() { # what is drawn from comes with the command, and is found where that was put
    (unset TAMIS_SHARE && "$prefix/bin/tamis" model plot -q --list | grep '^ma11.7 ' | grep -v 'not there') || return 1
    cmp "$source/bench/results/h200/bank.tsv" "$prefix/share/tamis/model/bank.tsv" && [ ! -L "$prefix/share/tamis/model/bank.tsv" ]
}

soname() { readelf -d "$lib/libtamis.so" | grep -qF "[libtamis.so.$soversion]"; }

staged() { # make install DESTDIR=...: the prefix below that directory, once, and nothing else there
    TAMIS_BUILD=$build make -C "$source" -o all install DESTDIR="$work/stage dir" PREFIX=/opt/tamis || return 1
    test -s "$work/stage dir/opt/tamis/include/tamis/tamis.h" && test "$(ls "$work/stage dir")" = opt
}

unstaged() { # make uninstall: no file of the above is left, and a file beside them is
    touch "$work/stage dir/opt/tamis/bin/other"
    TAMIS_BUILD=$build make -C "$source" uninstall DESTDIR="$work/stage dir" || return 1
    [ "$(cd "$work/stage dir" && find . -type f)" = ./opt/tamis/bin/other ] && ! [ -e "$work/stage dir/opt/tamis/include" ]
}

installed() { # and it says how a program finds the library
    "$cmake" --install "$build" --prefix "$prefix" >"$work/installed" || return 1
    grep -F -- "-Wl,-rpath,$prefix/lib" "$work/installed" && grep ldconfig "$work/installed"
}

half_built() { # of a build without the library nothing is installed, and what is missing is said
    mkdir -p "$work/half"
    sed "s|$build/libtamis|$work/nowhere/libtamis|g" "$build/cmake_install.cmake" >"$work/half/cmake_install.cmake"
    got=0
    "$cmake" -DCMAKE_INSTALL_PREFIX="$work/half/prefix" -P "$work/half/cmake_install.cmake" >"$work/half/log" 2>&1 || got=$?
    cat "$work/half/log"
    [ "$got" -ne 0 ] && grep -q 'dev build' "$work/half/log" && [ ! -e "$work/half/prefix" ]
}

pages() { # the pages that the manual names, and the examples
    for f in README.md doc/blast.md doc/classify.md examples/words.c; do
        test -s "$prefix/share/doc/tamis/$f" || return 1
    done
}

no_cuda_needed() { # the GPU build runs where no CUDA library is installed
    for f in "$lib/libtamis.so" "$prefix/bin/tamis"; do
        [ ! -e "$f" ] || ! readelf -d "$f" | grep 'NEEDED.*cuda' || return 1
    done
}

if [ $# -lt 6 ]; then
    check "cmake --install" installed
    check "make install DESTDIR=..." staged
    check "make uninstall DESTDIR=..." unstaged
    check "half a build is not installed" half_built
fi
lib=$(dirname "$(find "$prefix" -name libtamis.a)")
check "the version is the same everywhere" same_version
check "libtamis.so exports only tms_*" only_tms -D "$lib/libtamis.so"
check "libtamis.a defines only tms_* globally" only_tms -g "$lib/libtamis.a"
check "libtamis.so exports every function of the headers" all_public
check "SONAME is libtamis.so.$soversion" soname
check "no CUDA library is needed" no_cuda_needed
check "headers are strict C11, each alone" strict_c
check "tamis.h includes them all" has_all
if command -v pkg-config >/dev/null; then
    check "example builds by pkg-config" build_shared
    check "and runs" runs "$work/words"
    check "example builds with libtamis.a by pkg-config --static" build_static
    check "and runs" runs "$work/words-static"
    if command -v c++ >/dev/null; then
        check "a C++ program builds and runs" build_cxx
        check "a C++ program with tamis.hpp builds and runs" build_hpp
    else
        skip "a C++ program builds and runs" "no C++ compiler"
    fi
else
    skip "example builds by pkg-config" "no pkg-config"
fi
check "example builds by find_package(tamis)" build_package
check "and runs" runs "$work/package/words"
check "and runs, linked statically" runs "$work/package/words_static"
check "and runs, in C++" runs "$work/package/words_cpp"
check "a filter is built from a stream" builds_a_filter "$work/package/stream"
if [ -e "$prefix/bin/tamis" ]; then
    check "installed command runs" command_runs
    check "completions of bash, zsh and fish are installed" completions
    check "kept measurements are installed" measurements
    check "the pages of doc/ and the examples are installed" pages
    check "links by BLAST+'s names are installed" links
fi
if command -v scdoc >/dev/null && ls "$source"/doc/man/*.scd >/dev/null 2>&1; then
    check "manual page is installed" test -s "$prefix/share/man/man1/tamis.1"
fi
echo "1..$n"
[ "$failed" -eq 0 ]
