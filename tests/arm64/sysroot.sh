#!/bin/sh
# sysroot.sh DIR - unpacks the 64-bit ARM packages that tamis and its tests are linked with in DIR, as the system's
# Debian or Ubuntu has them. Nothing is installed, so they cannot be in the way of the machine's own packages. Exit code
# 77, with the reason, where they are not to be had.
set -eu
packages='libisal-dev libisal2 libzstd-dev libzstd1 liblzma-dev liblzma5 libbz2-dev libbz2-1.0 zlib1g-dev zlib1g liblmdb-dev liblmdb0 libjansson-dev libjansson4
    libxxhash-dev libxxhash0 librandom123-dev libcmocka-dev libcmocka0'

if [ -e "$1/.complete" ]; then exit 0; fi
for tool in aarch64-linux-gnu-gcc qemu-aarch64 apt-get dpkg; do
    if ! command -v $tool >/dev/null; then
        echo "skipped: there is no $tool (Debian's packages gcc-aarch64-linux-gnu, libc6-dev-arm64-cross, qemu-user)"
        exit 77
    fi
done
mkdir -p "$1/apt/lists/partial" "$1/apt/cache/archives/partial" "$1/apt/packages"
cd "$1"
root=$PWD
apt() { # with lists of its own; the system's sources
    apt-get -q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root \
        -o Dir::State::Lists="$root/apt/lists" -o Dir::State::status=/dev/null -o Dir::Cache="$root/apt/cache" "$@"
}
# shellcheck disable=SC2086
if ! (apt update && cd apt/packages && apt download $packages) >apt.log 2>&1 </dev/null; then
    echo "skipped: the packages for 64-bit ARM are not to be had (log: $1/apt.log)"
    exit 77
fi
for package in apt/packages/*.deb; do dpkg -x "$package" .; done
rm -rf apt
: >.complete
