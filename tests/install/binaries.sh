#!/bin/bash
# The archive and the wheel of packaging/binaries.sh where nothing of the tree is: in folders with a blank, with an empty environment, and for
# aarch64 under qemu-user. TAP.
#   binaries.sh SOURCE WORK ARCHIVE WHEEL ARCH GLIBC TOOLS
# shellcheck disable=SC2317 # check calls the functions
set -euo pipefail
source=$1 work=$2 archive=$3 wheel=$4 architecture=$5 glibc=$6 tools=$7
version=$(cat "$source/VERSION")
soname=libtamis.so.${version%.*}
rm -rf "$work"
mkdir -p "$work/an archive" "$work/a wheel" "$work/data"
cp "$source"/examples/data/* "$source/examples/tour.py" "$work/data"
mkdir "$work/data/data" && cp "$source"/examples/data/* "$work/data/data"
n=0 failed=0

check() { # check NAME COMMAND...: the command's output is shown only when it fails
    local name=$1
    shift
    n=$((n + 1))
    set +e # where a condition would be, the function would go on after a failure
    (set -e && "$@") >"$work/log" 2>&1 </dev/null
    local status=$?
    set -e
    if [[ $status == 0 ]]; then
        echo "ok $n - $architecture: $name"
    else
        echo "not ok $n - $architecture: $name"
        sed 's/^/# /' "$work/log"
        failed=$((failed + 1))
    fi
}

emulator=()
if [[ $architecture != "$(uname -m)" ]]; then emulator=(qemu-"$architecture" -L "/usr/$architecture-linux-gnu"); fi
plain() { env -i PATH=/usr/bin:/bin HOME="$work" LC_ALL=C.UTF-8 "$@"; }
tamis() { plain "${emulator[@]}" "$bin/tamis" "$@"; }

# ---- what the files need -----------------------------------------------------------------------------------------------------

needs_only() { # needs_only FILE LIBRARY...: and of glibc nothing newer
    local file=$1 newest
    shift
    readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' >"$work/needed"
    cat "$work/needed"
    printf '%s\n' libc.so.6 libm.so.6 libpthread.so.0 libdl.so.2 librt.so.1 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 "$@" >"$work/allowed"
    if grep -vxF -f "$work/allowed" "$work/needed"; then return 1; fi
    newest=$(readelf -V "$file" | grep -o 'GLIBC_[0-9.]*' | sort -u -V | tail -n 1)
    echo "newest symbol: $newest"
    [[ $(printf '%s\n' "${newest#GLIBC_}" "$glibc" | sort -V | tail -n 1) == "$glibc" ]]
}

symbol_versions() { # what the files name: comments for whoever looks for a system that has them
    local file
    for file in "$@"; do
        echo "# ${file##*/}: $(readelf -V "$file" | grep -oE '\b(GLIBC|GCC|GLIBCXX|CXXABI|ISAL)[A-Z]*_[0-9.]+' | sort -u -V | tr '\n' ' ')"
    done
}

gives_only() { [[ -z $(nm -D --defined-only "$prefix/lib/$soname" | awk '$3 !~ /^tms_/') ]]; }

# ---- the command, in $bin -------------------------------------------------------------------------------------------------------

says_version() { [[ $(tamis --version) == *"$version"* ]]; }
doctor() { tamis doctor; }
screens() {
    tamis build -q -o "$work/data/words.tms" "$work/data/words.txt.gz"
    [[ $(tamis query -c "$work/data/words.tms" "$work/data/candidates.txt") == 700 ]]
}
searches() { # in databases of versions 4 and 5
    tamis makedb -in "$work/data/o157_400.fa.gz" -dbtype prot -out "$work/data/db" -blastdb_version "$1"
    tamis blastp -query "$work/data/two_proteins.fa" -db "$work/data/db" -outfmt 6 -evalue 1e-20 >"$work/hits.tsv"
    grep NP_311567.1 "$work/hits.tsv"
    [[ $(wc -l <"$work/hits.tsv") -ge 8 ]]
}
all_formats() { # each library that is in the command
    local how
    zcat "$work/data/words.txt.gz" >"$work/data/plain"
    for how in 'gzip -k' 'bzip2 -k' 'xz -k' 'zstd -k -q'; do
        command -v "${how%% *}" >/dev/null || continue
        rm -f "$work/data/plain".*
        $how "$work/data/plain"
        tamis build -q --force -o "$work/data/again.tms" "$work/data/plain".*
        cmp "$work/data/words.tms" "$work/data/again.tms"
    done
}

# ---- the archive -------------------------------------------------------------------------------------------------------------

unpacks() { tar -xzf "$archive" -C "$work/an archive" && [[ $(ls "$work/an archive") == "tamis-$version" ]]; }
has() { for f in "$@"; do [[ -e $prefix/$f ]] || { echo "no $f" && return 1; }; done; }
links() { [[ -x $(tamis links)/blastp ]] && plain "${emulator[@]}" "$(tamis links)/blastp" -version | grep 2.12; }
compiles() { # a program with the library of the archive
    PKG_CONFIG_PATH="$prefix/lib/pkgconfig" pkg-config --cflags tamis
    cc "$source/examples/words.c" -o "$work/words" -I "$prefix/include" "$prefix/lib/libtamis.so" "-Wl,-rpath,$prefix/lib"
    [[ $("$work/words") == "tamis $version: drum 1, clay 0, cloth 1" ]]
}

prefix="$work/an archive/tamis-$version" bin="$work/an archive/tamis-$version/bin"
check "the archive has one folder" unpacks
check "the command needs glibc $glibc" needs_only "$bin/tamis" libisal.so.2 "$soname"
check "libtamis needs glibc $glibc" needs_only "$prefix/lib/$soname"
check "libtamis gives away tms_* only" gives_only
check "ISA-L needs glibc $glibc" needs_only "$prefix/lib/tamis/libisal.so.2"
symbol_versions "$bin/tamis" "$prefix/lib/$soname" "$prefix/lib/tamis/libisal.so.2"
check "licences, manual, completion" has share/doc/tamis/licences/libzstd-dev.txt share/doc/tamis/copyright share/man/man1/tamis-blastp.1 \
    share/bash-completion/completions/tamis include/tamis/tamis.h lib/libtamis.a share/tamis/profiles/h200.json
check "says its version" says_version
check "doctor" doctor
check "screens a list" screens
check "all compressions" all_formats
check "searches a database of version 4" searches 4
check "searches a database of version 5" searches 5
check "the names of BLAST+" links
if [[ ${#emulator[@]} == 0 ]]; then check "a program with libtamis" compiles; fi

# ---- the wheel -----------------------------------------------------------------------------------------------------------------

verdict() { # it may need less than its name says
    local minor
    "$tools/bin/auditwheel" show "$wheel"
    minor=$("$tools/bin/auditwheel" show "$wheel" | tr '\n' ' ' | grep -oP 'following platform tag: "manylinux_2_\K[0-9]+(?=_'"$architecture"'")')
    ((minor <= ${glibc#2.}))
}
check "auditwheel's verdict: manylinux_${glibc/./_} or less" verdict
installs() {
    python3 -m venv "$work/a wheel/env"
    "$work/a wheel/env/bin/pip" install -q "$wheel"
}
tours() { (cd "$work/data" && plain "$work/a wheel/env/bin/python" tour.py | grep '700 of 2000 lines pass'); }
uninstalls() {
    "$work/a wheel/env/bin/pip" uninstall -q -y tamis
    [[ -z $(find "$work/a wheel/env" -type f -name '*tamis*') ]]
}
if [[ ${#emulator[@]} == 0 ]]; then
    bin="$work/a wheel/env/bin"
    check "pip installs the wheel" installs
    check "its command says its version" says_version
    check "its command screens a list" screens
    check "its command searches" searches 5
    check "its module runs examples/tour.py" tours
    check "pip uninstalls it, whole" uninstalls
else
    bin="$work/a wheel/tamis-$version.data/scripts"
    check "the wheel unpacks" python3 -m zipfile -e "$wheel" "$work/a wheel"
    cp -r "$work/a wheel/tamis-$version.data/data/." "$work/a wheel/tamis-$version.data"
    chmod +x "$bin/tamis"
    check "its command says its version" says_version
fi
echo "1..$n"
exit $((failed > 0))
