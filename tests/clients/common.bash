# common.bash - a client of BLAST+ run twice, with BLAST+ and with tamis called by its programs' names: the same results.
#
# TAMIS: the command. TAMIS_SOURCE: the source tree, where the small inputs are. TAMIS_TEST_DATA: a folder of large real data; inputs
# are larger then. Each script prints TAP, and ends with 77 where its client or BLAST+ is not installed.
set -euo pipefail
export LC_ALL=C
unset BLASTDB TAMIS_SHARE
: "${TAMIS_SOURCE:?the source tree}"

tamis=$(realpath "${TAMIS:?the path of the command}")
work=$(mktemp -d -t tamis-client.XXXXXX)
trap '[ -n "${TAMIS_KEEP:-}" ] || rm -rf "$work"' EXIT
cd "$work"
n=0 failed=0

# need COMMAND...: or the client cannot be tried.
need() {
    local c
    for c in blastp makeblastdb blastdbcmd "$@"; do
        command -v "$c" >/dev/null || {
            echo "1..0 # skip $c is not installed"
            exit 77
        }
    done
}

# The programs that a client finds: each call is noted, so that a client which calls none is not taken for one that agrees.
"$tamis" links links >/dev/null
mkdir noted
for link in links/*; do
    name=${link##*/}
    printf '#!/bin/sh\necho %s >>"%s/calls"\nexec "%s/links/%s" "$@"\n' "$name" "$work" "$work" "$name" >"noted/$name"
    chmod +x "noted/$name"
done
: >calls

# with SIDE COMMAND...: in the directory SIDE; with tamis's programs, unless its name begins with ncbi.
with() {
    local side=$1
    shift
    mkdir -p "$side"
    case $side in
    ncbi*) (cd "$side" && "$@") ;;
    *) (cd "$side" && PATH=$work/noted:$PATH "$@") ;;
    esac >"$side.out" 2>"$side.err" </dev/null
}

# both COMMAND...: with BLAST+, and with tamis.
both() {
    with ncbi "$@" || echo "exit code $?" >>ncbi.out
    with tamis "$@" || echo "exit code $?" >>tamis.out
}

check() { # check NAME COMMAND...: the command's output is shown only when it fails
    local name=$1
    shift
    n=$((n + 1))
    if "$@" >log 2>&1; then
        echo "ok $n - $name"
    else
        echo "not ok $n - $name"
        head -n 40 log | sed 's/^/# /'
        failed=$((failed + 1))
    fi
}

# same FILE...: of both sides, byte for byte; there are some.
same() {
    local file
    [ $# -gt 0 ] || return 1
    for file in "$@"; do
        if [ ! -e "ncbi/$file" ] || [ ! -e "tamis/$file" ]; then
            echo "$file is not there"
            return 1
        fi
        diff "ncbi/$file" "tamis/$file" || return 1
    done
}

# has_called PROGRAM...: the client has called tamis by these names.
has_called() {
    local name
    for name in "$@"; do grep -qx "$name" calls || return 1; done
}

end() {
    echo "1..$n"
    echo "# calls of tamis: $(sort calls | uniq -c | awk '{ printf "%s%s %s", (NR > 1 ? ", " : ""), $1, $2 }')"
    [ "$failed" -eq 0 ]
}

# proteins N: the first N, 400 at most, of E. coli.
proteins() { zcat "$TAMIS_SOURCE/examples/data/o157_400.fa.gz" | awk -v n="$1" '/^>/ { seen++ } seen <= n'; }

# related SEED EVERY: the proteins or bases of standard input, of which one letter in about EVERY is another: a relative's.
related() {
    awk -v seed="$1" -v every="$2" '
        function number() { state = (state * 69069 + 12345) % 4294967296; return int(state / 65536) }
        BEGIN { state = seed }
        /^>/ { letters = ""; print; next }
        {
            letters = /^[ACGTN]*$/ ? "ACGT" : "ACDEFGHIKLMNPQRSTVWY"
            line = ""
            for (i = 1; i <= length($0); i++)
                line = line (number() % every ? substr($0, i, 1) : substr(letters, number() % length(letters) + 1, 1))
            print line
        }'
}
