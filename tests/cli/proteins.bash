# proteins.bash - made-up proteins that have relatives among each other.

# proteins N SEED NAME: N records, most of them relatives of eight families, with low complexity and letters in lower case here and there.
proteins() {
    awk -v n="$1" -v seed="$2" -v name="$3" '
        function below(m) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % m }
        function letter() { return substr("ACDEFGHIKLMNPQRSTVWYAAEEGGKKLLLLSSVV", below(36) + 1, 1) }
        function text(m,    s) { s = ""; while (m-- > 0) s = s letter(); return s }
        function relative(of, rate,    s, i, x) {
            s = ""
            for (i = 1; i <= length(of); i++) {
                x = below(1000)
                s = s (x < rate ? letter() : x < rate + 10 ? "" : x < rate + 20 ? substr(of, i, 1) text(3) : substr(of, i, 1))
            }
            return s
        }
        BEGIN {
            state = 7
            for (i = 0; i < 8; i++) family[i] = text(60 + below(250))
            state = seed
            for (i = 1; i <= n; i++) {
                s = i % 5 ? relative(family[below(8)], 100 + 100 * below(5)) : text(3 + below(150))
                if (i % 7 == 0) s = text(below(60)) s "SSSSSSSSSSSSSSSS"
                if (i % 3 == 0) s = substr(s, 1, 20) tolower(substr(s, 21, 30)) substr(s, 51)
                printf ">%s%d of %s %d\n%s\n", name, i, name, i, s
            }
        }'
}
