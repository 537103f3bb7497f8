#!/bin/sh
# Makes the Debian packages of a build, installs them into an empty root with a package list of its own, uses them there
# as run.sh does, and removes them again.
#   deb.sh SOURCE BUILD WORK CMAKE CC          TAP; the packages are left in WORK
set -eu
source=$1 build=$2 work=$3 cmake=$4 cc=$5

for c in dpkg dpkg-deb dpkg-shlibdeps; do
    command -v "$c" >/dev/null || {
        echo "1..0 # skip $c is not installed"
        exit 77
    }
done
rm -rf "$work"
mkdir -p "$work"
root=$work/root
version=$(cat "$source/VERSION")
case $version in 0.*) soversion=${version%.*} ;; *) soversion=${version%%.*} ;; esac
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

made() { # one for each component, and a file is in one of them
    (cd "$build" && "$(dirname "$cmake")/cpack" -G DEB -B "$work") || return 1
    [ "$(find "$work" -maxdepth 1 -name '*.deb' | wc -l)" -eq 3 ] || return 1
    for deb in "$work"/*.deb; do dpkg-deb -c "$deb" | awk '!/^d/ { print $6 }'; done | sort | uniq -d >"$work/twice"
    cat "$work/twice"
    [ ! -s "$work/twice" ]
}

fields() { # what an archive of packages wants to know, and every library that the command needs comes from a package
    for deb in "$command" "$library" "$development"; do
        dpkg-deb -f "$deb"
        [ "$(dpkg-deb -f "$deb" Version)" = "$version" ] || return 1
        dpkg-deb -f "$deb" Description | awk 'length > 80 && NR == 1 { exit 1 } END { exit NR < 4 }' || return 1
        dpkg-deb -f "$deb" Depends | grep -qi cuda && return 1
    done
    for p in libc6 libisal2 libzstd1; do
        dpkg-deb -f "$command" Depends | grep -qw "$p" || return 1
    done
    dpkg-deb -f "$development" Depends | grep -qF "libtamis$soversion (= $version)"
}

contents() { # each where Debian has it
    dpkg-deb -c "$command" | grep -q ' ./usr/bin/tamis$' || return 1
    dpkg-deb -c "$library" | grep -q "/libtamis.so.$soversion -> " || return 1
    dpkg-deb -c "$library" | grep -qE '/(bin|include)/' && return 1
    dpkg-deb -c "$development" | grep -q '/include/tamis/tamis.h$' || return 1
    dpkg-deb -c "$development" | grep -q '/libtamis.so -> ' || return 1
    dpkg-deb -I "$library" shlibs | grep -F "libtamis $soversion libtamis$soversion" || return 1
    for deb in "$command" "$library" "$development"; do
        dpkg-deb -c "$deb" | grep -q "/usr/share/doc/$(dpkg-deb -f "$deb" Package)/copyright$" || return 1
    done
}

only_usr() {
    for deb in "$command" "$library" "$development"; do dpkg-deb -c "$deb"; done |
        awk '$6 !~ /^\.\/(usr\/.*)?$/ { print; bad = 1 } END { exit bad }'
}

# Root installs and removes it with dpkg, in a root of its own; the rest of us can only unpack it. The package's scripts
# do no more than run ldconfig, and that is this machine's, because there is none in the root.
if [ "$(id -u)" -eq 0 ]; then
    in_root() { dpkg --root="$root" --force-depends --force-script-chrootless --log=/dev/null "$@"; }
    installed() {
        mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
        : >"$root/var/lib/dpkg/status"
        in_root --install "$library" "$development" "$command"
    }
    removed() {
        in_root --purge tamis libtamis-dev "libtamis$soversion" || return 1
        [ -z "$(find "$root" -path "$root/var" -prune -o ! -type d -print)" ]
    }
else
    installed() { for deb in "$command" "$library" "$development"; do dpkg-deb -x "$deb" "$root" || return 1; done; }
    removed() { rm -r "${root:?}/usr"; }
fi

check "cpack -G DEB" made
command=$(ls "$work"/tamis_*.deb) library=$(ls "$work"/libtamis"$soversion"_*.deb) development=$(ls "$work"/libtamis-dev_*.deb)
check "their fields" fields
check "what is in which" contents
check "nothing outside /usr" only_usr
check "they can be installed" installed
n=$((n + 1))
if sh "$source/tests/install/run.sh" "$source" "$build" "$work/use" "$cmake" "$cc" "$root/usr" >"$work/use.tap" 2>&1; then
    echo "ok $n - and used: $(grep -c '^ok' "$work/use.tap") checks of run.sh"
else
    echo "not ok $n - and used"
    sed 's/^/# /' "$work/use.tap"
    failed=$((failed + 1))
fi
check "and removed, whole" removed
echo "1..$n"
[ "$failed" -eq 0 ]
