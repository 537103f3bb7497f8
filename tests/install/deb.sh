#!/bin/sh
# Makes the Debian package of a build, installs it into an empty root with a package list of its own, uses it there
# as run.sh does, and removes it again.
#   deb.sh SOURCE BUILD WORK CMAKE CC          TAP; the package is left in WORK
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

made() {
    (cd "$build" && "$(dirname "$cmake")/cpack" -G DEB -B "$work") && ls "$work"/tamis_*.deb
}

fields() { # what an archive of packages wants to know, and every library that the command needs comes from a package
    dpkg-deb -f "$deb"
    [ "$(dpkg-deb -f "$deb" Version)" = "$(cat "$source/VERSION")" ] || return 1
    for p in libc6 libisal2 libzstd1; do
        dpkg-deb -f "$deb" Depends | grep -qw "$p" || return 1
    done
    dpkg-deb -f "$deb" Depends | grep -qi cuda && return 1
    return 0
}

only_usr() { dpkg-deb -c "$deb" | awk '$6 !~ /^\.\/(usr\/.*)?$/ { print; bad = 1 } END { exit bad }'; }

# Root installs and removes it with dpkg, in a root of its own; the rest of us can only unpack it. The package's scripts
# do no more than run ldconfig, and that is this machine's, because there is none in the root.
if [ "$(id -u)" -eq 0 ]; then
    in_root() { dpkg --root="$root" --force-depends --force-script-chrootless --log=/dev/null "$@"; }
    installed() {
        mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates" "$root/var/lib/dpkg/triggers"
        : >"$root/var/lib/dpkg/status"
        in_root --install "$deb"
    }
    removed() {
        in_root --purge tamis || return 1
        [ -z "$(find "$root" -path "$root/var" -prune -o ! -type d -print)" ]
    }
else
    installed() { dpkg-deb -x "$deb" "$root"; }
    removed() { rm -r "${root:?}/usr"; }
fi

check "cpack -G DEB" made
deb=$(ls "$work"/tamis_*.deb)
check "its fields" fields
check "nothing outside /usr" only_usr
check "it can be installed" installed
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
