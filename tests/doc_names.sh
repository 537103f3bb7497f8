#!/bin/sh
# doc_names.sh - the files and functions that the documents name exist: `name.c`, `path/name.c` and `name()` between backquotes.
set -eu
cd "$(dirname "$0")/.."

# shellcheck disable=SC2016,SC2038 # backquotes of Markdown; paths without blanks
{
    find . -path ./build -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./|file:|'
    find include src cli bench tests examples python dev -type f \( -name '*.[ch]*' -o -name '*.cu*' -o -name '*.sh' -o -name '*.bash' -o -name '*.py' \) |
        xargs grep -ohE '\b[A-Za-z_][A-Za-z_0-9]*\(' | sort -u | sed 's/^/function:/'
    grep -onE '`[^` ]+`' README.md CONTRIBUTING.md bench/README.md doc/*.md | sed 's/`//g; s/^/name:/'
} | awk -F: '
        $1 == "file" {
            known[$2]
            for (path = $2; sub(/^[^\/]*\//, "", path);) known[path]
            next
        }
        $1 == "function" { known[$2 ")"]; next }
        $4 in known || $4 == "bbduk.sh" || $4 ~ /(^|[\/_-])(foo|bar)[_.]/ { next } # foo and bar are to be added
        $4 ~ /^[A-Za-z_0-9]+\(\)$/ || $4 ~ /^[A-Za-z_0-9\/.-]+\.(c|h|cu|cuh|sh|py|bats|bash|cmake|scd|md)$/ {
            printf "%s:%s: there is no %s\n", $2, $3, $4
            bad = 1
        }
        END { exit bad }'
echo "ok 1 - files and functions that the documents name exist"
