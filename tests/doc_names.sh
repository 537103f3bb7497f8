#!/bin/sh
# doc_names.sh - the files and functions that the documents name exist: `name.c`, `path/name.c` and `name()` between backquotes.
set -eu
cd "$(dirname "$0")/.."

files=$(find . -path ./build -prune -o -path ./.git -prune -o -type f -print | sed 's|^\./||')
# shellcheck disable=SC2038 # paths without blanks
words=$(find include src cli bench tests examples python dev -type f \( -name '*.[ch]*' -o -name '*.cu*' -o -name '*.sh' -o -name '*.bash' -o -name '*.py' \) |
    xargs grep -ohE '\b[A-Za-z_][A-Za-z_0-9]*\(' | sort -u)

# Names begin with a plus sign: one argument could not hold them.
# shellcheck disable=SC2016 # backquotes of Markdown
{
    echo "$files" | sed 's/^/+/'
    echo "$words" | sed 's/^/+/; s/$/)/'
    grep -onE '`[^` ]+`' README.md CONTRIBUTING.md bench/README.md doc/*.md | sed 's/`//g'
} | awk -F: '
        /^\+/ {
            known[path = substr($0, 2)]
            while (sub(/^[^\/]*\//, "", path)) known[path]
            next
        }
        $3 in known || $3 == "bbduk.sh" || $3 ~ /(^|[\/_-])(foo|bar)[_.]/ { next } # foo and bar are to be added
        $3 ~ /^[A-Za-z_0-9]+\(\)$/ || $3 ~ /^[A-Za-z_0-9\/.-]+\.(c|h|cu|cuh|sh|py|bats|bash|cmake|scd|md)$/ {
            printf "%s:%s: there is no %s\n", $1, $2, $3
            bad = 1
        }
        END { exit bad }'
echo "ok 1 - files and functions that the documents name exist"
