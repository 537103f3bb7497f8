# bases.bash - made-up nucleotides that have relatives among each other, on both strands.

# bases N SEED NAME [RATE]: N records: relatives of six families, of which RATE of 1000 bases (default 60) differ and every second is the
# reverse complement; with repeats, ambiguous bases, and bases in lower case here and there.
bases() {
    awk -v n="$1" -v seed="$2" -v name="$3" -v rate="${4:-60}" '
        function below(m) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % m }
        function base() { return substr("ACGT", below(4) + 1, 1) }
        function text(m,    s) { s = ""; while (m-- > 0) s = s base(); return s }
        function relative(of,    s, i, x) {
            s = ""
            for (i = 1; i <= length(of); i++) {
                x = below(1000)
                s = s (x < rate ? base() : x < rate + 3 ? "" : x < rate + 6 ? substr(of, i, 1) text(2) : substr(of, i, 1))
            }
            return s
        }
        function other_strand(of,    s, i) {
            s = ""
            for (i = length(of); i > 0; i--) s = s substr("TGCA", index("ACGT", substr(of, i, 1)), 1)
            return s
        }
        BEGIN {
            state = 7
            for (i = 0; i < 6; i++) family[i] = text(200 + below(500))
            state = seed
            for (i = 1; i <= n; i++) {
                s = i % 5 ? relative(family[below(6)]) : text(30 + below(150))
                if (i % 2) s = other_strand(s)
                if (i % 4 == 0) s = s "ACACACACACACACACACACACACACACACACACACACAC" relative(family[below(6)])
                if (i % 7 == 0) s = substr(s, 1, 40) "NNR" substr(s, 44)
                if (i % 3 == 0) s = substr(s, 1, 20) tolower(substr(s, 21, 30)) substr(s, 51)
                printf ">%s%d of %s %d\n%s\n", name, i, name, i, s
            }
        }'
}

# long_bases N SEED: one line of N bases at random, N a multiple of 4.
long_bases() {
    awk -v n="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        for (i = 0; i < 256; i++)
            word[i] = substr("ACGT", i % 4 + 1, 1) substr("ACGT", int(i / 4) % 4 + 1, 1) substr("ACGT", int(i / 16) % 4 + 1, 1) \
                substr("ACGT", int(i / 64) + 1, 1)
        for (; n > 0; n -= 4) printf "%s", word[int(rand() * 256)]
        print ""
    }'
}

# pieces FILE N SEED FROM END: N records, parts of FILE, a line, that lie between FROM and END; of 50 to 550 bases, changed, every second the
# reverse complement.
pieces() {
    awk -v n="$2" -v seed="$3" -v from="$4" -v end="$5" '
        function other_strand(of,    s, i) {
            s = ""
            for (i = length(of); i > 0; i--) s = s substr("TGCA", index("ACGT", substr(of, i, 1)), 1)
            return s
        }
        BEGIN { srand(seed) }
        {
            for (i = 1; i <= n; i++) {
                length_of = 50 + int(rand() * 500)
                part = substr($0, from + int(rand() * (end - from - length_of)) + 1, length_of)
                rate = rand() * 0.2
                s = ""
                for (k = 1; k <= length_of; k++) {
                    x = rand()
                    s = s (x < rate ? substr("ACGT", int(rand() * 4) + 1, 1) : x < rate + 0.005 ? "" : substr(part, k, 1))
                    if (x > 0.995) s = s "GA"
                }
                printf ">p%d\n%s\n", i, i % 2 ? s : other_strand(s)
            }
        }' "$1"
}
