#!/bin/sh
# limits.sh - a function has at most 60 lines and 7 parameters, a file at most 600 lines. What was larger when these limits came
# is in limits.txt with its size, which may only shrink. After it has shrunk: sh tests/limits.sh list >tests/limits.txt
set -eu
cd "$(dirname "$0")/.."

# measure: FILE WHAT NAME SIZE of all that is over a limit. clang-format puts the braces around a function's body into column 0,
# or the whole function into one line.
measure() {
    # shellcheck disable=SC2038,SC2016 # paths without blanks; the program is awk's
    find include src cli bench tests examples -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' -o -name '*.cpp' | xargs awk '
        # Sets name and parameters from the text in front of a body: they are around its last pair of parentheses.
        function read_head(end, at, depth, commas, c) {
            sub(/{.*/, "", head)
            for (end = length(head); end && substr(head, end, 1) != ")"; end--) ;
            for (at = end; at; at--) {
                c = substr(head, at, 1)
                depth += (c == ")") - (c == "(")
                if (!depth) break
                commas += c == "," && depth == 1
            }
            parameters = substr(head, at + 1, end - at - 1) ~ /^ *(void)? *$/ ? 0 : commas + 1
            name = substr(head, 1, at - 1)
            sub(/\)$/, "", name) # NAME(row)(...) of a file that is included several times
            sub(/.*[^A-Za-z_0-9]/, "", name)
            head = ""
        }
        function over(file, what, name, size, limit) { if (size > limit) print file, what, name, size }
        FNR == 1 { over(file, "file", "-", lines, 600); file = FILENAME; head = ""; inside = 0 }
        { lines = FNR }
        inside { if (/^}/) { inside = 0; over(file, "lines", name, FNR - first + 1, 60) }; next }
        /^$/ || /^[#}\/]/ || /^ ?\*/ || /\\$/ { head = ""; next } # no part of a head: directives, comments, macros
        head == "" { first = FNR }
        { head = head " " $0 }
        /^{/ || /\) *{.*}$/ { inside = /^{/; read_head(); over(file, "parameters", name, parameters, 7) }
        /[;{]$/ { head = "" }
        END { over(file, "file", "-", lines, 600) }' | LC_ALL=C sort
}

if [ "${1:-}" = list ]; then
    measure
    exit
fi
measure | awk '
    { key = $1 " " $2 " " $3 }
    FILENAME != "-" { listed[key] = $4; next }
    !(key in listed) { printf "%s has %d %s, which is over the limit\n", $1 ($3 == "-" ? "" : ": " $3), $4, $2 == "file" ? "lines" : $2; bad = 1 }
    key in listed && $4 > listed[key] { printf "%s: %d, and in limits.txt %d: it has grown\n", key, $4, listed[key]; bad = 1 }
    key in listed && $4 < listed[key] { printf "%s: %d, and in limits.txt %d: write down that it has shrunk\n", key, $4, listed[key]; bad = 1 }
    { delete listed[key] }
    END {
        for (key in listed) { printf "%s is no longer over the limit: take it out of limits.txt\n", key; bad = 1 }
        exit bad
    }' tests/limits.txt -
echo "ok 1 - functions have at most 60 lines and 7 parameters, files 600 lines"
