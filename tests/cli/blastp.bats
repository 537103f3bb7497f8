# tamis blastp, as its user meets it. tests/identity/ compares what it finds with NCBI's program.
load common
load blast

# Two subjects, and a query that is the first of them.
files() {
    printf '>q1 first\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n' >q.fa
    printf '>s1 one\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n>s2 two\nMKLVAAWWPQRSTGHHILKMDEAGPCNYTRWQ\n' >s.fa
}
both_lines='q1\ts1\t100.000\t32\t0\t0\t1\t32\t1\t32\t1.59e-25\t73.2\nq1\ts2\t96.875\t32\t1\t0\t1\t32\t1\t32\t2.12e-24\t70.1\n'
blastp_of() { # blastp_of CODE ARGUMENT...: of the two files, as a table
    local code=$1
    shift
    expect "$code" "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 6 "$@"
}

@test "help, as text, and the version that it is" {
    expect 0 "$TAMIS" blastp --help
    grep -q '^Usage: tamis blastp ' out
    for option in -query -db -subject -outfmt -evalue -comp_based_stats --resume --stats; do grep -qe "$option" out; done
    [ ! -s err ]
    mv out help
    expect 0 "$TAMIS" blastp -h
    cmp help out
    expect 0 "$TAMIS" blastp -version
    grep -qx 'blastp: 2.12.0+' out
}

@test "queries from a file, from standard input, and compressed" {
    files
    blastp_of 0
    out_is "$both_lines"
    [ ! -s err ]
    expect 0 "$TAMIS" blastp -subject s.fa -outfmt 6 <q.fa
    out_is "$both_lines"
    expect 0 "$TAMIS" blastp -query - -subject s.fa -outfmt 6 <q.fa
    out_is "$both_lines"
    gzip -k q.fa s.fa
    expect 0 "$TAMIS" blastp -query q.fa.gz -subject s.fa.gz -outfmt 6
    out_is "$both_lines"
    need zstd
    zstd -q q.fa s.fa
    expect 0 "$TAMIS" blastp -query q.fa.zst -subject s.fa.zst -outfmt 6
    out_is "$both_lines"
}

@test "-out has what standard output has; nothing else is left" {
    files
    blastp_of 0 -out hits.tsv
    out_is ''
    mv hits.tsv out
    out_is "$both_lines"
    [ "$(ls -A)" = "$(printf 'err\nout\nq.fa\ns.fa')" ]
    blastp_of 0 --out=hits.tsv
    [ -s hits.tsv ]
}

@test "a database, and several" {
    files
    "$TAMIS" makedb -in s.fa -dbtype prot -out one >/dev/null
    sed 's/^>s/>t/' s.fa | "$TAMIS" makedb -in - -dbtype prot -title two -out two >/dev/null
    expect 0 "$TAMIS" blastp -query q.fa -db one -outfmt 6
    out_is "$both_lines"
    expect 0 "$TAMIS" blastp -query q.fa -db "one two" -outfmt "6 sseqid"
    [ "$(sort out | tr '\n' ' ')" = 's1 s2 t1 t2 ' ]
}

@test "several databases are shown as they were named" {
    need blastp
    files
    makeblastdb -in s.fa -dbtype prot -title 'title one' -out one >/dev/null
    sed 's/^>s/>t/' s.fa | makeblastdb -in - -dbtype prot -title two -out two >/dev/null
    printf 'TITLE both of them\nDBLIST two one\n' >both.pal
    printf 'DBLIST both one\n' >all.pal
    for names in "two one" "one both" "both one" "two all one both" "one one" " one  two "; do
        for format in 0 4 5 15 16; do ! in_sample || same_as_ncbi -query q.fa -db "$names" -outfmt $format; done
    done
}

@test "ids and titles of all kinds are blastp's: third parties, lower case, PIR, control characters, no id, what is not UTF-8" {
    need blastp
    need makeblastdb
    local letters=MKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ h format option
    local headers=('tpg|DAA00023.1| TPA: b protein' 'tpe|CAA00023| TPA_exp: ; x, [y].' 'tpd|FAA00023.1|' 'gi|5|tpg|DAA00024.1|N  two'
        'sp|p12345.2|abc_x t' 'np_000001.1 t' 'gb|aaa00001| t' 'pir|a12345|name_x t' 'prf|CAA00200.1|N t' 'pir||S12345 t' 'prf|caa00201|M'
        'gi|6|lcl|loc t' 'gi|7|gnl|db|x|gb|AAA00002.1|N t' 'gi|8|gi|18|gb|AAA00008.1| t' 'lcl|y1|pat|US|1|1 t'
        'lcl|y2|gpp|AAA00018.1| t' 'gpp|AAA00028.1||pat|US|2|1 t' 'lcl|y3|bbs|77 t' 'gnl|db|z4|lcl|y4 t' 'lcl|y5|gi|19 t' 'id,comma t' 'lcl|id,comma2 t' 'a"b(c] t'
        $'sp|P1.1|N_X first\001lcl|b second' $'u1 \001b other' $'u2 t\002x' '' 'x:3-10 t' $'x2 caf\xe9 \x80uro x' $'x3 caf\xe9')
    for h in "${headers[@]}"; do printf '>%s\n%s\n' "$h" $letters; done >s.fa
    for h in "${headers[@]:0:29}"; do
        [[ -z $h ]] || sed 's/^/>q/; s/^>q\(gi\|sp\|gb\|gpp\|gnl\|lcl\|np\|tp\|pir\|prf\)/>\1/; s/00\|12/09/' <<<"$h"
        echo $letters
    done >q.fa
    printf '>query one\n%s\n' $letters >one.fa
    for format in 0 7 10 15 '6 qseqid qgi qacc qaccver sseqid sallseqid sgi sallgi sacc saccver sallacc stitle salltitles'; do
        for option in -parse_deflines -lcase_masking; do
            in_sample || continue
            same_as_ncbi -query one.fa -subject s.fa -outfmt "$format" $option
            same_as_ncbi -query q.fa -subject one.fa -outfmt "$format" $option
        done
    done
    sed -i '/caf/,$d' s.fa # with these blastp -outfmt 5 ends with an error
    sed -i '/caf/,$d' q.fa
    same_as_ncbi -query one.fa -subject s.fa -outfmt 5 -parse_deflines
    same_as_ncbi -query q.fa -subject one.fa -outfmt 5 -parse_deflines
    sed -i '/^>$/,$d; s/a"b(c]/ab/' s.fa # makeblastdb does not take these
    makeblastdb -in s.fa -dbtype prot -parse_seqids -out ids >/dev/null 2>&1
    for format in 0 5 7 15 '6 sseqid sallseqid sgi sallgi sacc saccver sallacc stitle salltitles'; do
        same_as_ncbi -query one.fa -db ids -outfmt "$format"
    done
}

@test "what is not followed: the same id in a query and a subject, and a gap that is called a record" {
    local q=MKLVAAWWPQRSTGHHILKMNPQRSTVWYACDEFGHIKLMNPQRSTVWY s
    s=GGGGGACDEFGHHILKM$q
    printf '>u6 query\n%s\n' $q >q.fa
    printf '>u6 one\n%s\n>u7 two\n%s\n>u7 three\n%sAC\n' $s $q $q >s.fa
    # blastp: the query's letters and title for those of u6, and the first u7's for those of the second
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -parse_deflines -outfmt '6 sseqid slen pident sstart send sseq'
    out_is "u6\t66\t100.000\t18\t66\t$q\nu7\t49\t100.000\t1\t49\t$q\nu7\t51\t100.000\t1\t49\t$q\n"
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -parse_deflines
    grep -E '^(>|Length)' out >lines
    printf '%s\n' Length=49 '>u6 one' Length=66 '>u7 two' Length=49 '>u7 three' Length=51 | cmp - lines
    sed '/three/,$d' s.fa >ids.fa
    expect 0 "$TAMIS" makedb -in ids.fa -dbtype prot -parse_seqids -out ids
    expect 0 "$TAMIS" blastp -query q.fa -db ids -parse_deflines -outfmt '6 sseqid slen pident sstart stitle'
    out_is 'u6\t66\t100.000\t18\tone\nu7\t49\t100.000\t1\ttwo\n'

    # blastp: 100 letters X between the two halves of one record, a
    printf '>a\n%s\n>?100\nACDEFGHIKLMN%s\n' $q $q >gap.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject gap.fa -outfmt '6 sseqid slen sstart send' -evalue 1e-20
    out_is '?100\t61\t13\t61\na\t49\t1\t49\n'
    expect 0 "$TAMIS" blastp -query gap.fa -subject q.fa -outfmt '6 qseqid qlen qstart qend' -evalue 1e-20
    out_is 'a\t49\t1\t49\n?100\t61\t13\t61\n'
}

@test "deflines keep their bytes" {
    files
    printf '>\xc3\xa9 prot\xc3\xa9ine \xe2\x82\xac\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n' >q.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt '6 qseqid sseqid'
    out_is '\xc3\xa9\ts1\n\xc3\xa9\ts2\n'
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 7
    grep -qx "# Query: $(printf '\xc3\xa9 prot\xc3\xa9ine \xe2\x82\xac')" out
}

@test "queries without letters: a file, a record, X alone" {
    files
    for text in '' '\n  \n'; do
        # shellcheck disable=SC2059
        printf "$text" >none.fa
        for format in 0 3 5 6 7 15 16; do
            expect 0 "$TAMIS" blastp -query none.fa -subject s.fa -outfmt "$format"
            out_is ''
            err_is 'Warning: [blastp] Query is Empty!\n'
        done
    done
    printf '>e\n' >none.fa
    expect 3 "$TAMIS" blastp -query none.fa -subject s.fa -outfmt 6
    out_is ''
    err_has 'none.fa: no query has a residue'
    { cat none.fa && cat q.fa && printf '>x of X\nXXXXX\n'; } >some.fa
    expect 0 "$TAMIS" blastp -query some.fa -subject s.fa -outfmt 6
    out_is "$both_lines"
    err_has 'Warning: [blastp] Query_1 e: Sequence contains no data '
    err_has 'Warning: [blastp] Query_3 x of X: Could not calculate ungapped Karlin-Altschul parameters due to an invalid query'
    expect 0 "$TAMIS" blastp -query some.fa -subject s.fa -outfmt 6 --quiet
    out_is "$both_lines"
    [ ! -s err ]
}

@test "an empty pipe is no query" {
    command -v blastp >/dev/null || skip "blastp is not installed"
    files
    for format in 0 2 5 6 7 10 15 16; do
        printf '' | blastp -query - -subject s.fa -outfmt $format >want
        printf '' | "$TAMIS" blastp -query - -subject s.fa -outfmt $format >got
        cmp want got
    done
}

@test "subjects without letters" {
    files
    printf '>e\n' >none.fa
    expect 0 "$TAMIS" blastp -query q.fa -subject none.fa -outfmt 6
    out_is ''
    err_is 'Warning: [blastp] Subject_1 e: Subject sequence contains no data\n'
    : >none.fa
    expect 3 "$TAMIS" blastp -query q.fa -subject none.fa -outfmt 6
    err_is 'tamis blastp: none.fa: has no sequences\n'
}

@test "nucleotides are letters of proteins too; what is no letter is left out, and said" {
    files
    printf '>n\nACGTACGTACGTACGTACGT\n' >n.fa
    expect 0 "$TAMIS" blastp -query n.fa -subject s.fa -outfmt 6
    out_is ''
    [ ! -s err ]
    printf '>u\nMKLV12AAWW?PQRSTGHH\n' >u.fa
    expect 0 "$TAMIS" blastp -query u.fa -subject s.fa -outfmt '6 qlen length'
    out_is '16\t16\n16\t16\n'
    err_is 'FASTA-Reader: Ignoring invalid residues at position(s): On line 2: 5-6, 11\n'
    need blastp
    same_as_ncbi -query u.fa -subject s.fa -outfmt 6
}

@test "the first record may lack its header, unless ids are parsed from headers" {
    need blastp
    files
    printf '\n 1 MKLVAAWWPQ 10\n11 RSTGhhilkm 20\n>two second\nMKLVAAWWPQRSTGHHILKM\n' >plain
    printf '; said before\n#\nMKLVAAWWPQRSTGHHILKM\n' >comments
    for format in 0 5 7 15 16; do
        for file in plain comments; do
            in_sample || continue
            same_as_ncbi -query $file -subject s.fa -outfmt $format -lcase_masking
            same_as_ncbi -query q.fa -subject $file -outfmt $format
        done
        same_as_ncbi -query plain -subject plain -outfmt $format -query_loc 3-12
    done
    expect 1 "$TAMIS" blastp -query plain -subject s.fa -parse_deflines
    err_is "tamis blastp: plain:2: neither FASTA ('>') nor FASTQ ('@')\n"
    printf 'PK\005\006, a file?\n' >other
    expect 1 "$TAMIS" blastp -query other -subject s.fa
}

@test "O is X: the first twenty places are named" {
    files
    awk 'BEGIN { printf ">o\n"; for (i = 0; i < 21; i++) printf "MO"; print "\n>p"; for (i = 0; i < 20; i++) printf "MO"; print "" }' >o.fa
    expect 0 "$TAMIS" blastp -query o.fa -subject s.fa -outfmt 6
    err_has 'positions 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39,... (only first 20 shown) '
    grep -q ' 37, 39 $' err
    need blastp
    for format in 5 6 15 16; do same_as_ncbi -query o.fa -subject s.fa -outfmt "$format"; done
}

@test "IDENTITY has no composition-based statistics, which is said of the first batch" {
    need blastp
    files
    { cat q.fa s.fa && printf '>x\nXX\n'; } >many.fa
    for format in 5 6 15 16; do
        same_as_ncbi -query many.fa -subject s.fa -outfmt "$format" -matrix IDENTITY
        BATCH_SIZE=40 same_as_ncbi -query many.fa -subject s.fa -outfmt "$format" -matrix IDENTITY -comp_based_stats 1
        same_as_ncbi -query many.fa -subject s.fa -outfmt "$format" -matrix IDENTITY -comp_based_stats F
    done
    same_as_ncbi -query many.fa -subject s.fa -outfmt 0 -matrix identity
}

@test "a batch of which no query is valid" {
    need blastp
    files
    printf '>x\nXXX\n>e\n>s\nSSSSSSSSSSSSSSSSSSSSSSSSS\n>o\nO\n' >none.fa
    cat none.fa q.fa >some.fa
    for format in 0 3 5 6 7 15 16; do
        for query in none some; do same_as_ncbi -query "$query.fa" -subject s.fa -outfmt "$format" -seg yes; done
    done
}

@test "lower case is longer by a residue in the chunks of a long query, but not if it ends before them" {
    local protein=MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVK hit
    local options=(-subject s.fa -lcase_masking -window_size 0 -comp_based_stats 0 -evalue 1000 -outfmt '6 qstart qend sstart send score')
    printf '>s\nPPPPPWCWPPPPP\n' >s.fa
    spacer() { yes $protein | tr -d '\n' | head -c "$1"; }
    island() { printf '>q\n%saWCWaa%s\n' "$(spacer $(($1 - 1)))" "$(spacer $(($2 - $1 - 5)))"; } # WCW begins at residue $1, from 0 on, of $2
    for at in 5000 9950 9951 9952 10050 10051 15000; do
        island $at 19799 >whole.fa
        island $at 20000 >cut.fa # into residues 0 to 10050 and 9951 to 19999
        hit=$((at + 1))$'\t'$((at + 3))$'\t6\t8\t31\n'
        expect 0 "$TAMIS" blastp -query whole.fa "${options[@]}"
        out_is "$hit"
        expect 0 "$TAMIS" blastp -query cut.fa "${options[@]}"
        if [ $at = 9951 ]; then out_is "$hit"; else out_is ''; fi
        same_as_ncbi -query whole.fa "${options[@]}"
        for more in '' '-soft_masking true' '-seg yes -culling_limit 1'; do
            # shellcheck disable=SC2086 # several options
            same_as_ncbi -query cut.fa "${options[@]}" $more
        done
    done
}

@test "a query that SEG masks altogether, but not at the start of its second chunk" {
    local ok=MKTAYIAKQRQISFVKSHFSRQLEERLGLIEVQAPILSRVGDGTQDNLSGAEKAVQVKVK
    local options=(-subject s.fa -seg yes -soft_masking false -evalue 1 -window_size 0 -outfmt 6)
    need blastp
    printf '>s1\nMSTNPKPQRKTKRNTNRRPQDVKFPGGWCHMKDGQIVGGVYLLPRR\n>s2\n%s\n' "$ok" >s.fa
    alanines() { head -c "$1" /dev/zero | tr '\0' A; }
    long() { printf '>long\n%sWCHMKD%s\n' "$(alanines "$1")" "$(alanines $((19994 - $1)))"; }
    long 9950 >alone.fa
    for more in '' '-comp_based_stats 0' '-use_sw_tback' '-culling_limit 1'; do
        # shellcheck disable=SC2086
        same_as_ncbi -query alone.fa "${options[@]}" $more
        out_is ''
    done
    printf '>ok\n%s\n' "$ok" >ok.fa
    { cat ok.fa && long 9920; } >batch.fa # NCBI's program crashes
    for more in '' '-comp_based_stats 0' '-use_sw_tback' '-culling_limit 1'; do
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" blastp -query ok.fa "${options[@]}" $more
        mv out want
        # shellcheck disable=SC2086
        expect 0 "$TAMIS" blastp -query batch.fa "${options[@]}" $more
        cmp want out
    done
}

@test "one hit is enough: also a word of X, which has no letter that scores" {
    command -v blastp >/dev/null || skip "blastp is not installed"
    proteins 20 120 | awk '/^>/ { n++ } !/^>/ { $0 = substr($0, 1, 20 + n % 40) "XXXXXXXX" substr($0, 60) } 1' >x.fa
    sed 's/^>p/>s/' x.fa >y.fa
    for threshold in 11 0.5; do
        blastp -query x.fa -subject y.fa -window_size 0 -threshold $threshold -comp_based_stats 0 -evalue 1000 -outfmt 6 >want 2>/dev/null
        expect 0 "$TAMIS" blastp -q -query x.fa -subject y.fa -window_size 0 -threshold $threshold -comp_based_stats 0 -evalue 1000 -outfmt 6
        cmp want out
    done
}

@test "a score of 0 is no hit, whatever its E-value" {
    need blastp
    cat >q.fa <<'END'
>q
GGNELYNHGASSGLSMPCVIVRRRTGRRRRRRRRRRRRRRRRRRDLAEAPAPYVRRRRRRRKRHKNNIGKQGYGVKGRATRNPAAANDDIKLRTNRFKFKAAAAAAAAAAAAAAAA
AAAAAAAAAKAAAAARAAAAAAAASATALLIPIRACKCTVVELISPCL
END
    cat >s.fa <<'END'
>s
RANGASLIIEYPQDEPLLPSFLCTILYEITYAAEDYGVEDANRETDAPAEALRREAFDAADTCRADRVRAGLSAFRAALAALERDRRARAGAASELAAAATGRTSRATARLRIQRR
EAAQLEAAAAAILREQALKEARRRARYLRAEIVLKKRNQMLLGGGGGGGGGIGGGGLGGGKAGGGGGGGGGGGGGGNELYNHGASSGLSMPCVIVRRRRRRRRD
END
    same_as_ncbi -query q.fa -subject s.fa -outfmt 6 -dbsize 1
    [ "$(wc -l <out)" -eq 4 ]
    same_as_ncbi -query q.fa -subject s.fa -outfmt 6 -searchsp 30
    cat >q.fa <<'END'
>q
GQLEAPQLTQQQDRLZLLVLZZPZZZSZPEIKRNQTSGQGPTSYPHKGQKAELSKANYVGIKENQKLVRVTRGEMVRLNKVLSTDTXIXXXXTLIMHYLVCPLEGGCAGNAQ
END
    cat >s.fa <<'END'
>s
AEEENXXXXXXXXXXXXXDPSIVVSLVLSVGDIVIIIIIALSYRFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF
FFFFFSADTDDTTDDTDNDPAPXKTEAAHGGGGGXXXXXXXIKTNQFVNQM
END
    same_as_ncbi -query q.fa -subject s.fa -outfmt 6 -comp_based_stats 0 -evalue 1e6 -word_size 2 -threshold 0.5 -seg yes
}

@test "masks in JSON, and statistics and thresholds in format 0, are blastp's" {
    need blastp
    files
    cat >q.fa <<'END'
>l
mklvaawwpqrstghhilkmdefgp
>m
mklvaawwpqrstghhilkmdefgpSSSSSSSSSSSSSSSSSSSSSSSSSSSMKLVAAWWPQRSTGHHILKM
>n
mklvaawwpqrstghhilkmdefgpsSSSSSSSSSSSSSSSSSSSSSSSSSSMKLVAAWWPQRSTGHHILKM
END
    for masks in "-seg yes" "-lcase_masking" "-seg yes -lcase_masking" "-seg yes -lcase_masking -soft_masking true"; do
        # shellcheck disable=SC2086
        for format in 0 4 5 15 16; do ! in_sample || same_as_ncbi -query q.fa -subject s.fa -outfmt "$format" $masks; done
    done
    # Masks that meet, share a letter, or have one letter between them, at columns where runs of an alignment end.
    cat >q.fa <<'END'
>a shares a letter; two gaps in the query
CWGEIWHTWLQMAALYIDIKMKYTPAEMNFEKFWCNDDELMIKTCNADFPNIEMkatmensSSSSSSSSSSSSSSSSKPDWYTSWQV
>b shares a letter; then a gap in the subject
MKVAQRRTVLGTYTLWHLFAMEQPTGYRRVRNHCDEEVPFRPGSRTWCWHWRSPLNGYKGQQQQQQQQQQQQQQQqcdvirmrMWYHNA
>c right behind it, at the end
AHQKGPGDSKNFKWKGYDNMFKKKNPKWRAFFKIHDWVYHVQIWFVRPHDDFCAPPQFWYSSSSSSSSSSSSSSSSSSvaldkwwrnnp
>d one letter between them; a run of one letter
AHQKGPGDSKNFKWKGYDNMFKKKNPKWRAFFKIHDWVYHVQIWFVRPHDDFCAPPQFWYSSSSSSSSSSSSSSSSSSVhldkwwrnnpTWKRHE
>e a single letter of lower case, the first of low complexity
KINHITQPEWWKPHPERRTFYYWGMVEAMDLNAKTSLSEMAWRPNEWCPKPGLTFSYFAHsSSSSSSSSSSSSSSSSSSVYAGYFFDDGIFHPGGNALGLRV
END
    cat >s.fa <<'END'
>a
CWGEIWHTWLQMAALYIDIKMKYTPAEMNFEKFWCNDDELMIKTCNADFPNIEMKATMENSSYQKNSESSSSSSSSSSSSSSAVAFPKPDWYTSWQV
>b
RRTVLGTYTLWHLFAMEQPTGYRRVRNHCDEEVPFRPGSRTWCWHWRSPLNGYKGQQQVMWMQQQQQQQQQQQQQCVIRMRM
>c
SKNFKWKGYDNMFKKKNPKWRAFFKIHDWVYHVQIWFVRPHDDFCAPPQFWYSSSSSSSSSSSSSSSSSSV
>d
SKNFKWKGYDNMFKKKNPKWRAFFKIHDWVYHVQIWFVRPHDDFCAPPQFWYSSSSSSSSSSSSSSSSSSHAAALDKWWRNNPTWKRHE
>e
KINHITQPEWWKPHPERRTFYYWGMVEAMDLNAKTSLSEMAWRPNEWCPKPGLTFSYFAHDMTNWSSSSSSSSSSSSSSSSSGFNPSSVYAGYFFDDGIFHPGGNALGLRV
END
    for format in 0 4 5 15 16; do
        same_as_ncbi -query q.fa -subject s.fa -outfmt "$format" -seg yes -lcase_masking -soft_masking true -gapopen 6 -gapextend 2 \
            -comp_based_stats 0
    done
    files
    same_as_ncbi -query q.fa -subject s.fa -outfmt 0 -searchsp 0 -threshold 10.7
    printf '>e\n' >s.fa
    for format in 0 4 5 15 16; do same_as_ncbi -query q.fa -subject s.fa -outfmt "$format"; done
}

# Subjects and HSPs that are equal in what they are sorted by, and HSPs without identical letters: what comes out depends on which are compared.
@test "orders of what cannot be ordered are blastp's" {
    need blastp
    cat >q.fa <<'END'
>q0
KSLBTVUQDZBAARHJLICQRPUJBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADZIYHMFCWUSTAHKWJBHZFIEMWFIMIMGKGZMCWTHNIICHDWMRPJIMKNAR
EJUETFIEMWFIMIMGKGZMCWTHNI
>q1
JBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADZIYHMFCUMZFLKAMYDBATNYMZCMUREZBNGPWJJJAMQSWEPQCGRGKQPQIFVURMFHKVBBYVVBFILVCKFA
FLIDDMFCHKBSVPBMJM
>q2
FIEMWFIMIMGKGZMCWTHNIJBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADYIYHMFCUBMBMGCPQNGRGKUBIJTFURNIMPVKBNVTTWMEVCKYIAZIYHDFCL
NBMNYNTNEFGRJKWMKJPCBDWMRPJIMKHLBTVCQDZKAARMJWRQQRPUNCZKNVFMYDBATZYSCCJNNTMACLPSJY
END
    cat >s.fa <<'END'
>s0
FIEMWFIMIMGKGZMCWTHNIJBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADYIYHMFCUBMBMGCPQNGRGKUBIJTFURNIMPVKBNVTTWMEVCKYIAZIYHDFCL
NBMNYNTNEFGRJKWMKJPCBDWMRPJIMKHLBTVCQDZKAARMJWRQQRPUNCZKNVFMYDBATZYSCCJNNTMACLPSJY
>s1
UMZELKFMYDBATRYMCCMUQTTQCCPSJJAFHCMDDPVFETYAVNNAUMZHLKFMYDBZTRWMCCMUQTTQCZPSJJPCBEZMRUJMMFIEMWFIMIMGKGZMCWTHNIFIEMWFIMIM
EKGZMCWTHNQPCBDWMRPJMM
>s2
PABDWMHPJMKPCBDWBDYJMPFIEMWFIMIMGKGZMCWTHNI
>s3
KSLBTVUQDZKAARLJLICQRAUDCWDWMRPJMM
>s4
FKBVUFIMEFGKGRRZWQHNUKSLBTVUKBZKSARLNLICQRATYFTVFYBDSIPFRFUJBMQMGCPQRARGKQBFITVURNEIPVBBNVVTWPFVCKYAMZIYHMFC
>s5
JBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADZIYHMFCUMZFLKAMYDBATNYMZCMUREZBNGPWJJJAMQSWEPQCGRGKQPQIFVURMFHKVBBYVVBFILVCKFA
FLIDDMFCHKBSVPBMJM
>s6
JBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADZIYHMFCZDKMRHEDEUDPZEFMHRJY
>s7
UMZELKFMYDBATRYMCCMUQTTQCCPSJJJBMQMGCPQRARGKQBIITVURNIIPVBBNVVTWPFVCKYADZIYHMFCUMZELKFMYSBATRIMJCMUQTTQCCPSJJWKVGUWUMLUF
BHYCWKLAKSLBTVUQDZKAARLJLICQRAUFKEMWFIMIMGKGZMCWVHNI
>s8
HMZELKFAYDBATRYMCCMUQTTQCCPSJJGEEUSKHMUKSLBTVUQDZKAARLJLICQRAUPSLBCVUQDHKAARLJLUCQRAU
END
    for hsps in 0 2 3 4; do same_as_ncbi -query q.fa -subject s.fa -outfmt 0 -evalue 1e6 -sorthits 3 -sorthsps $hsps; done
    same_as_ncbi -query q.fa -subject s.fa -outfmt 0 -evalue 1e6 -sorthits 2 -sorthsps 3
}

@test "one hit is enough: a word of which no part scores above 0" {
    need blastp
    for letters in XXXGA XXXXGA XXXGAC XXXXXXXXGAGGGPPKYCNKTA; do
        printf '>q\n%s\n' $letters >q.fa
        for mode in 0 1 2; do
            same_as_ncbi -query q.fa -subject q.fa -outfmt 6 -window_size 0 -evalue 1000 -comp_based_stats $mode
            [ -s out ]
        done
    done
    for sort in 0 1 2 3 4; do same_as_ncbi -query q.fa -subject q.fa -outfmt 0 -evalue 1e6 -searchsp 1 -sorthits $sort; done
    printf '>q\nXXXGAC\n' >q.fa
    same_as_ncbi -query q.fa -subject q.fa -outfmt 0 -evalue 1e6 -window_size 0 -sorthits 4
}

@test "pages: ids that have none at NCBI have no link" {
    need blastp
    files
    printf '>bbs|5 t\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n>bbm|6 t\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n>gb|AAA00001.1| t\nMKLVAAWWPQRSTGHHILKMDEFGPCNYTRWQ\n' >b.fa
    same_as_ncbi -query q.fa -subject b.fa -parse_deflines -html
}

@test "a database whose names are damaged: exit code 2, and no output file" {
    files
    "$TAMIS" makedb -in s.fa -dbtype prot -out names >/dev/null
    printf '\xff' | dd of=names.phr bs=1 seek=0 conv=notrunc 2>/dev/null
    expect 2 "$TAMIS" blastp -query q.fa -db names -outfmt 7 -out table
    err_has 'names: sequence 0 is damaged'
    [ ! -e table ]
}

@test "a database that is missing, of nucleotides, damaged" {
    files
    expect 2 "$TAMIS" blastp -query q.fa -db nosuch
    err_has 'No alias or index file found for protein database [nosuch]'
    printf '>n\nACGTACGTACGTACGTACGT\n' | "$TAMIS" makedb -in - -dbtype nucl -title n -out n >/dev/null
    expect 2 "$TAMIS" blastp -query q.fa -db n
    err_has 'No alias or index file found for protein database [n]'
    "$TAMIS" makedb -in s.fa -dbtype prot -out p >/dev/null
    printf '\377' | dd of=p.psq bs=1 seek=9 conv=notrunc status=none
    expect 2 "$TAMIS" blastp -query q.fa -db p
    err_has 'p.psq: sequence 0 has a byte that is no residue'
    truncate -s 20 p.psq
    expect 2 "$TAMIS" blastp -query q.fa -db p
    err_has 'p.psq: the file has 20 bytes, but its index says '
    out_is ''
    : >p.pin
    expect 2 "$TAMIS" blastp -query q.fa -db p
}

@test "what is not supported is named, with what is" {
    files
    blastp_of 1 -gapopen 5 -gapextend 5
    err_has 'BLOSUM62 with gaps of 5 and 5: give open/extend as one of 32767/32767, 11/2, 10/2, 9/2, 8/2, 7/2, 6/2, 13/1, 12/1, 11/1, 10/1, 9/1'
    blastp_of 1 -matrix FOO
    err_has "there is no matrix 'FOO': give one of BLOSUM45, BLOSUM50, BLOSUM62"
    blastp_of 1 -comp_based_stats 4
    err_has '-comp_based_stats takes '
    blastp_of 1 --gpu-strategy cublastp --bins 100
    err_has '100 bins: give a power of two, up to 1024'
    blastp_of 1 --extension hit
    err_has '--extension has no effect alone: give --gpu-strategy NAME too'
    blastp_of 1 -seg maybe
    err_has "-seg takes yes, no, or \"window locut hicut\""
    for format in 8 9 11 12 13 14 17 18 99 6,std abc ''; do
        expect 1 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt "$format"
        err_has "-outfmt '$format' "
    done
    out_is ''
}

@test "numbers that are out of range" {
    files
    for option in '-evalue 0' '-evalue -1' '-evalue abc' '-word_size 1' '-word_size 8' '-max_target_seqs 0' '-max_hsps 0' '-threshold 0' \
        '-xdrop_ungap 0' '-qcov_hsp_perc 101' '--threads 0' '-window_size -1' '-line_length 0' '-sorthits 5' '-culling_limit -1' '-best_hit_overhang 0' \
        '-best_hit_score_edge 0.5' '-best_hit_overhang 0.5' '-best_hit_score_edge -1'; do
        # shellcheck disable=SC2086
        blastp_of 1 $option
        err_has "tamis blastp: ${option% *} takes "
        out_is ''
    done
}

@test "several GPUs, and how much of their memory" {
    files
    for gpus in cuda:0,0 cuda:1,0,1 cuda: 'cuda:0,' cuda:,1 cuda:0,,1 cuda:0,x 0,1 cpu,cuda; do
        blastp_of 1 --device $gpus
        err_has "tamis blastp: --device takes 'auto', 'cpu', 'cuda', 'cuda:0' (a GPU's number) or 'cuda:0,1' (several GPUs, each once), not '$gpus'"
        out_is ''
    done
    for size in 0 1K 33554431 31Mi -1 x 32MiB 1e30; do
        blastp_of 1 --gpu-memory $size
        err_has "tamis blastp: --gpu-memory takes a number of bytes, 33554432 or more, such as 8G, not '$size'"
        out_is ''
    done
    blastp_of 0
    mv out want
    for options in '--gpu-memory 32Mi --device cpu' '--gpu-memory 1.5G'; do
        # shellcheck disable=SC2086
        blastp_of 0 $options
        cmp want out
    done
    expect 4 "$TAMIS" blastp -query q.fa -subject s.fa --device cuda:0,99 # whether there is a GPU or not
    out_is ''
    [ -s err ]
    words 10 >in
    for command in build query freq seeds; do
        expect 2 "$TAMIS" $command --device cuda:0,1 in in
        err_has "--device takes 'auto', 'cpu', 'cuda' or 'cuda:0' (a GPU's number), not 'cuda:0,1': only tamis blastp and blastn can use several GPUs"
    done
}

@test "a GPU that cannot be had: nothing is written, and failures are told in the order of the command" {
    files
    local device
    for device in cuda:99 cuda:0,99; do
        echo before >hits
        echo before >stats.json
        expect 4 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 6 -out hits --stats stats.json --device $device
        [ "$(cat hits stats.json)" = "before
before" ]
        [ ! -e hits.checkpoint ]
        mv err want
        expect 4 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 15 --device $device
        cmp want err
        [ ! -s out ]
        expect 4 "$TAMIS" blastp -subject s.fa -out no/such/directory/hits --device $device < <(:) # nor is the output looked at
        cmp want err
        expect 2 "$TAMIS" blastp -query q.fa -db nothing --device $device # but the database is
        err_has nothing
    done
    expect 4 "$TAMIS" blastp -query no_such_file -subject s.fa --device cuda:99
    err_has GPU
    printf '>q1\nMKLVAAW\n>q2\n' >short.fa
    expect 4 "$TAMIS" blastp -query short.fa -subject s.fa -out hits --resume --device cuda:99
    err_has GPU
}

@test "-ungapped: alignments without gaps, and only without composition" {
    printf '>q\nMKLVWAAGHTSRYEEDNPQIKLFCMWVTRSAGHDEKLMNPQRWYYFVTSA\n' >q1.fa
    printf '>s\nMKLVWAAGHTSRYEEDNPQIKLFCWWWWMWVTRSAGHDEKLMNPQRWYYFVTSA\n' >s1.fa
    expect 0 "$TAMIS" blastp -query q1.fa -subject s1.fa -ungapped -comp_based_stats F -outfmt '6 qstart qend sstart send gaps'
    out_is '25\t50\t29\t54\t0\n1\t26\t1\t26\t0\n'
    expect 0 "$TAMIS" blastp -query q1.fa -subject s1.fa -ungapped -comp_based_stats 0 -gapopen 3 -gapextend 3 -outfmt 5
    grep -q '<Parameters_gap-open>3<' out
    for mode in '' '-comp_based_stats 1' '-comp_based_stats 3' '-matrix IDENTITY'; do
        # shellcheck disable=SC2086
        blastp_of 1 -ungapped $mode
        err_has 'tamis blastp: -ungapped cannot use composition-based statistics: give -comp_based_stats F too'
        out_is ''
    done
}

@test "-use_sw_tback: alignments by Smith-Waterman" {
    printf '>q\nMKLVWAAGHTSRYEEDNPQIKLFCMWVTRSAGHDEKLMNPQRWYYFVTSA\n' >q1.fa
    printf '>s\nMKLVWAAGHTSRYEEDNPQIKLFCWWWWMWVTRSAGHDEKLMNPQRWYYFVTSAGGGGGGMKLVWAAGHTSRYEEDNPQIKLFCMWVTRS\n' >s1.fa
    expect 0 "$TAMIS" blastp -query q1.fa -subject s1.fa -use_sw_tback -evalue 0.001 -outfmt '6 qstart qend sstart send gaps'
    out_is '1\t50\t1\t54\t4\n1\t30\t61\t90\t0\n'
    blastp_of 1 -use_sw_tback -ungapped
    err_has '-use_sw_tback and -ungapped cannot be used together'
    # Where every score is significant there is no end of them, unless there was one HSP. With IDENTITY blastp fails too.
    expect 3 timeout 20 "$TAMIS" blastp -query q1.fa -subject s1.fa -use_sw_tback -searchsp 1 -outfmt 6
    err_has 'even a score of 0 is significant'
    out_is ''
    expect 3 timeout 20 "$TAMIS" blastp -query q1.fa -subject s1.fa -use_sw_tback -matrix IDENTITY -comp_based_stats 0 -outfmt 6
    err_has 'IDENTITY has none'
    files
    expect 0 timeout 20 "$TAMIS" blastp -query q.fa -subject q.fa -use_sw_tback -searchsp 1 -outfmt '6 qstart qend'
    out_is '1\t32\n'
    same_as_ncbi -query q.fa -subject q.fa -use_sw_tback -searchsp 1 -outfmt 6
    same_as_ncbi -query q1.fa -subject s1.fa -use_sw_tback -matrix IDENTITY -comp_based_stats 0 -outfmt 6
    expect 3 "$TAMIS" blastp -query q1.fa -subject s1.fa -use_sw_tback -matrix IDENTITY -comp_based_stats 0 -outfmt 6 -evalue 1e-300
    same_as_ncbi -query q1.fa -subject s1.fa -use_sw_tback -matrix IDENTITY -comp_based_stats 0 -outfmt 6 -evalue 1e-300
    printf '>x\nXXXXXXXX\n' >x.fa
    same_as_ncbi -query x.fa -subject s1.fa -use_sw_tback -matrix IDENTITY -comp_based_stats 0 -outfmt 7
}

@test "options that are not there are refused by name" {
    files
    for option in remote entrez_query import_search_strategy export_search_strategy ipglist negative_ipglist; do
        blastp_of 1 "-$option"
        err_has "tamis blastp: -$option is not supported: "
    done
    blastp_of 1 -culling_limit 2 -best_hit_overhang 0.1
    err_has '-culling_limit and -best_hit_overhang cannot be used together'
    blastp_of 1 -best_hit_score_edge 0.1 -culling_limit 0
    err_has '-culling_limit and -best_hit_score_edge cannot be used together'
    blastp_of 1 -nosuch
    err_has nosuch
    blastp_of 1 extra
    err_has "'extra': files are named with -query, -db and -subject"
    expect 1 "$TAMIS" blastp --stats -query q.fa -subject s.fa
    err_has "--stats takes FILE, but '-query' follows it: give it a value"
    blastp_of 1 -db p
    err_has '-db and -subject cannot be used together'
    expect 1 "$TAMIS" blastp -query q.fa
    err_has 'Give -db NAME or -subject FILE'
}

@test "files that cannot be read or written" {
    files
    expect 1 "$TAMIS" blastp -query nosuch -subject s.fa
    err_is 'tamis blastp: nosuch: No such file or directory\n'
    expect 1 "$TAMIS" blastp -query q.fa -subject nosuch
    err_is 'tamis blastp: nosuch: No such file or directory\n'
    cp q.fa before
    blastp_of 1 -out q.fa
    err_has 'the output would replace the input q.fa'
    cmp before q.fa
    blastp_of 1 -out s.fa
    blastp_of 6 -out nowhere/hits
    err_is 'tamis blastp: nowhere/hits: cannot be written: No such file or directory\n'
    [ -c /dev/full ] || skip "no /dev/full"
    blastp_of 6 -out /dev/full
    err_is 'tamis blastp: /dev/full: cannot be written: No space left on device\n'
    for format in 0 3 5 6 7 15 16; do
        expect 6 bash -c "exec \"\$TAMIS\" blastp -query q.fa -subject s.fa -outfmt $format >/dev/full"
        err_is 'tamis blastp: standard output: cannot be written: No space left on device\n'
    done
}

# Each search takes a minute or more if it goes on behind the failure.
@test "a search whose output cannot be written ends: amid a call, and in the next one" {
    [ -c /dev/full ] || skip "no /dev/full"
    awk 'function letter() { return substr("ACDEFGHIKLMNPQRSTVWY", int(rand() * 20) + 1, 1) }
        function text(n,    s) { while (n-- > 0) s = s letter(); return s }
        function relative(n,    s, k) { for (k = 1; k <= n; k++) s = s (rand() < 0.4 ? letter() : substr(family, k, 1)); return s }
        BEGIN {
            srand(5)
            family = text(2000)
            for (i = 1; i <= 4; i++) printf ">short%d\n%s\n", i, relative(100) >"amid.fa"
            for (i = 1; i <= 19; i++) printf ">long%d\n%s\n", i, relative(2000) >"amid.fa"
            for (i = 1; i <= 200; i++) printf ">s%d\n%s\n", i, relative(2000) >"relatives.fa"
            for (i = 1; i <= 6; i++) printf ">masked%d\n%s\n", i, tolower(text(10000)) >"next.fa"
            for (i = 1; i <= 4; i++) printf ">long%d\n%s\n", i, text(10000) >"next.fa"
            for (i = 1; i <= 2000; i++) printf ">s%d\n%s\n", i, text(1000) >"others.fa"
        }'
    local amid=(-query amid.fa -subject relatives.fa -line_length 1 -xdrop_gap_final 2000 -num_threads 2 --device cpu) \
        next=(-query next.fa -subject others.fa -outfmt 7 -lcase_masking -soft_masking true -window_size 0 -threshold 8 -num_threads 2 --device cpu)
    ulimit -t 20 # seconds of processors
    expect 6 "$TAMIS" blastp "${amid[@]}" -out /dev/full
    err_is 'tamis blastp: /dev/full: cannot be written: No space left on device\n'
    expect 6 "$TAMIS" blastp "${next[@]}" -out /dev/full
    err_is 'tamis blastp: /dev/full: cannot be written: No space left on device\n'
    "$TAMIS" blastp "${amid[@]}" 2>err | head -n 1 >out; code=${PIPESTATUS[0]}
    [ "$code" -eq 141 ]
    err_is ''
    out_is 'BLASTP 2.12.0+\n'
}

@test "few targets are warned of, and what is cut is said once" {
    files
    cat q.fa q.fa >two.fa
    expect 0 "$TAMIS" blastp -query two.fa -subject s.fa -outfmt 6 -max_target_seqs 1
    [ "$(wc -l <out)" -eq 2 ]
    err_is 'Warning: [blastp] Examining 5 or more matches is recommended\ntamis blastp: a query has more subjects than -max_target_seqs 1: tamis reports only the best (shown once)\n'
    expect 0 "$TAMIS" blastp -query two.fa -subject s.fa -outfmt 6 -max_target_seqs 1 -q
    [ ! -s err ]
    blastp_of 0 -max_target_seqs 5
    [ ! -s err ]
    blastp_of 0 -max_target_seqs 2
    err_is 'Warning: [blastp] Examining 5 or more matches is recommended\n'
}

@test "--stats are JSON, and count the lines" {
    need python3
    files
    blastp_of 0 --stats stats.json
    python3 - stats.json <<'END'
import json, sys
stats = json.load(open(sys.argv[1]))
assert stats["program"] == "tamis blastp" and stats["device"] == "cpu"
assert stats["search"]["matrix"] == "BLOSUM62" and stats["search"]["database_letters"] == 64
assert stats["input"]["queries"] == 1 and stats["input"]["query_letters"] == 32 and stats["passed"]["hsps"]["n"] == 2
assert stats["pairs_left_by_gpu"] == 0
END
    blastp_of 0 --stats stats.json # statistics may be replaced
    cp q.fa before
    blastp_of 1 --stats q.fa
    cmp before q.fa
}

# profile NAME DATE CELLS SECONDS [KEY=VALUE...]: a kept profile, of this machine's CPU with so many cells a second for a thread, and a GPU that
# takes so long to start. Other values are of the profile or of its machine.
profile() {
    "$TAMIS" doctor --json | python3 -c '
import json, sys
name, date, cells, seconds = sys.argv[2:6]
doctor = json.load(sys.stdin)
p = json.load(open(sys.argv[1]))
p["date"] = date
p["machine"].update(cpu=doctor["cpu"], n_processors=doctor["processors"], simd=["scalar", "avx2", "avx512"].index(doctor["simd"]))
p["values"].update(blastp_cpu_cells_per_second=float(cells), gpu_start_seconds=float(seconds))
for change in sys.argv[6:]:
    key, value = change.split("=")
    (p if key in p else p["machine"])[key] = json.loads(value)
text = json.dumps(p)
print("{\"tamis_profile\"" + text[len("{\"tamis_profile\""):], file=open(name, "w"))
' "$TAMIS_SOURCE/share/tamis/profiles/h200.json" "$@"
}

# estimate [QUERIES [DEVICE]]: what auto decided by, of queries against s.fa by 4 threads: "CPU GPU CHOICE PROFILE"; "none".
estimate() {
    expect 0 "$TAMIS" blastp -query "${1:-q.fa}" -subject s.fa -outfmt 6 -num_threads 4 --device "${2:-auto}" --stats stats.json -q
    python3 -c '
import json
e = json.load(open("stats.json")).get("estimated_seconds")
print("%.3g %.3g %s %s" % (e["cpu"], e["gpu"], e["choice"], e["profile"]) if e else "none")'
}

@test "--device auto decides by the newest profile that is kept of this machine's CPU and a GPU" {
    need python3
    files
    export XDG_CACHE_HOME="$PWD/cache"
    mkdir -p cache/tamis
    local kept="$PWD/cache/tamis" version latin
    version=$("$TAMIS" --version | sed 's/tamis \([0-9]*\.[0-9]*\).*/\1/')

    # 32 letters against 64
    [ "$(estimate)" = '3.66e-09 0.266 cpu None' ]
    cp out want
    profile "$kept/b-tamis$version.json" 2026-01-02 1000 2
    [ "$(estimate)" = "0.512 2.8 cpu $kept/b-tamis$version.json" ]
    cmp out want
    # older, of the same day with an earlier name, damaged, of another CPU, without a GPU, unreliable, another version's: all passed over
    profile "$kept/c-tamis$version.json" 2026-01-01 2000 3
    profile "$kept/a-tamis$version.json" 2026-01-02 2000 3
    profile "$kept/d-tamis$version.json" 2026-01-03 2000 3 'cpu="another"'
    echo '{"tamis_profile"' >"$kept/e-tamis$version.json"
    profile "$kept/f-tamis$version.json" 2026-01-03 2000 3 has_gpu=false
    profile "$kept/g-tamis$version.json" 2026-01-03 2000 3 reliable=false
    profile "$kept/h-tamis99.9.json" 2026-01-03 2000 3
    [ "$(estimate)" = "0.512 2.8 cpu $kept/b-tamis$version.json" ]
    # so slow a CPU that a GPU is looked for; without one the CPU goes on
    profile "$kept/i-tamis$version.json" 2026-01-04 1000 0.3
    [ "$(estimate)" = "0.512 0.42 gpu $kept/i-tamis$version.json" ]
    cmp out want
    profile "$kept/i-tamis$version.json" 2026-01-04 1e-310 0.3
    [ "$(estimate)" = "1.8e+308 0.42 gpu $kept/i-tamis$version.json" ]
    TAMIS_TUNE=off
    export TAMIS_TUNE
    [ "$(estimate)" = '3.66e-09 0.266 cpu None' ]
    unset TAMIS_TUNE
    [ "$(estimate q.fa cpu)" = none ]
    [ "$(cat q.fa | estimate -)" = none ] # nobody knows how many they are
    cmp out want
    [ "$(estimate - <q.fa | cut -d ' ' -f 3)" = gpu ]
    gzip -k q.fa
    [ "$(estimate q.fa.gz)" = "1.8e+308 0.42 gpu $kept/i-tamis$version.json" ]
    # the name of the file cannot be told in JSON
    latin=$PWD/$(printf 'caf\351')
    mkdir "$latin"
    cp -r cache/tamis "$latin"
    XDG_CACHE_HOME=$latin
    [ "$(estimate)" = '1.8e+308 0.42 gpu None' ]
    cmp out want
}

# interrupted SIGNAL: a search whose queries stop coming is ended by SIGNAL, and gone on with.
interrupted() {
    proteins 300 400 >whole.fa
    proteins 12 400 >s.fa
    local command=("$TAMIS" blastp -query queries -subject s.fa -outfmt 7 -comp_based_stats 0 -evalue 1e-3) pid i n
    cp whole.fa queries
    expect 0 "${command[@]}"
    mv out want

    rm queries
    mkfifo queries
    "${command[@]}" -out hits >out 2>err 3>&- &
    pid=$!
    exec 4>queries
    for ((i = 0; i < 400; i++)); do
        if [ -s hits.checkpoint ]; then break; fi
        sleep 0.05
    done
    sleep 1.1 # a checkpoint is renewed once a second
    head -n 500 whole.fa >&4
    for ((i = 0; i < 400; i++)); do
        if ! grep -qx '0 parts' hits.checkpoint; then break; fi
        sleep 0.05
    done
    kill "-$1" "$pid"
    wait "$pid" || true
    exec 4>&-
    n=$(sed -n 's/ parts$//p' hits.checkpoint)
    [ "$n" -gt 0 ]
    if [ "$1" = KILL ]; then
        [ ! -s err ]
    else
        err_is "tamis blastp: interrupted after $n queries; --resume continues\\n"
    fi
    [ "$(wc -c <hits)" -lt "$(wc -c <want)" ]
    cmp -n "$(wc -c <hits)" hits want

    rm queries
    cp whole.fa queries
    cp hits before
    expect 1 "${command[@]}" -max_hsps 1 -out hits --resume # another search
    err_has hits
    cmp before hits
    expect 1 "${command[@]}" -out hits # a word forgotten
    err_is "tamis blastp: hits: has the results of $n queries of this search, which was interrupted: --resume continues it, --restart starts again\\n"
    expect 1 "${command[@]}" -max_hsps 1 -out hits # another search, whose work would be lost
    err_has 'hits: is unfinished work that this search would replace: hits.checkpoint: belongs to another run'
    expect 1 "${command[@]}" -out hits --resume --restart
    cmp before hits
    [ "$(sed -n 's/ parts$//p' hits.checkpoint)" = "$n" ]
    expect 0 "${command[@]}" -num_threads 2 -out hits --resume # threads do not matter
    cmp want hits
    [ ! -e hits.checkpoint ]
}

@test "--resume after SIGKILL: the file is the same" { interrupted KILL; }
@test "--resume after SIGTERM: the file is the same" { interrupted TERM; }

@test "--restart begins anew; a checkpoint without an output, or of nothing, is in nobody's way" {
    files
    blastp_of 0 -out want
    printf 'tamis checkpoint 2\n3 parts\n5 bytes\n\ntamis blastp, of something else' >hits.checkpoint
    blastp_of 0 -out hits # nothing is lost
    cmp want hits
    [ ! -e hits.checkpoint ]
    printf 'tamis checkpoint 2\n3 parts\n5 bytes\n\ntamis blastp, of something else' >hits.checkpoint
    blastp_of 1 -out hits
    cmp want hits
    printf "somebody's own\n" >hits.checkpoint
    blastp_of 1 -out hits
    err_has 'hits.checkpoint: is not a checkpoint of this version of tamis'
    cmp want hits
    echo cut >hits
    blastp_of 0 -out hits --restart
    cmp want hits
    [ ! -e hits.checkpoint ]
    blastp_of 0 -out hits # it is whole: replaced, as blastp does
    cmp want hits
}

@test "what was done is said at SIGINT and SIGTERM" {
    local pid options i
    proteins 12 400 >s.fa
    proteins 300 400 >whole.fa
    for options in '' '-out hits' '-q'; do
        rm -f queries
        mkfifo queries
        # a shell without job control has SIGINT ignored in what runs in the background
        # shellcheck disable=SC2086
        python3 -c 'import os, signal, sys
signal.signal(signal.SIGINT, signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])' "$TAMIS" blastp -query queries -subject s.fa -outfmt 6 -comp_based_stats 0 $options >out 2>err 3>&- &
        pid=$!
        exec 4>queries
        if [ "$options" = '-out hits' ]; then # nothing is done yet
            for ((i = 0; i < 400; i++)); do
                if [ -e hits.checkpoint ]; then break; fi
                sleep 0.05
            done
            kill -TERM "$pid"
        else
            head -n 500 whole.fa >&4
            for ((i = 0; i < 400; i++)); do
                if [ -s out ]; then break; fi
                sleep 0.05
            done
            kill -INT "$pid"
        fi
        i=0
        wait "$pid" || i=$?
        exec 4>&-
        case $options in
        '') [ "$i" -eq 130 ] && grep -qxE 'tamis blastp: interrupted after [0-9]+ queries, whose results are written; --resume needs -out FILE' err ;;
        -q) [ "$i" -eq 130 ] && [ ! -s err ] ;;
        *) [ "$i" -eq 143 ] && err_is 'tamis blastp: interrupted before the first result\n' && [ ! -e hits ] && [ ! -e hits.checkpoint ] ;;
        esac
    done
}

@test "a query that cannot be reported: those before it are in the output, and --resume goes on with it" {
    local format
    proteins 40 60 >whole.fa
    proteins 12 60 >s.fa
    sed 's/^>p23$/>gi|abc p23/' whole.fa >bad.fa
    for format in 0 2 5 6 7 10 15 16; do
        local command=("$TAMIS" blastp -query q.fa -subject s.fa -outfmt "$format" -parse_deflines -comp_based_stats 0 -num_threads 3)
        cp whole.fa q.fa
        expect 0 "${command[@]}"
        mv out want
        cp bad.fa q.fa
        expect 1 "${command[@]}" -out hits
        err_has "Could not construct seq-id from 'gi|abc'"
        grep -qx '22 parts' hits.checkpoint
        cmp -n "$(wc -c <hits)" hits want
        expect 1 "${command[@]}"
        cmp out hits
        cp whole.fa q.fa
        expect 0 "${command[@]}" -out hits --resume
        cmp want hits
        rm hits
    done
}

@test "a search that fails before its first result leaves no output" {
    files
    head -c 30 q.fa | gzip | head -c 25 >cut.gz
    expect 1 "$TAMIS" blastp -query cut.gz -subject s.fa -outfmt 6 -out hits
    err_has 'cut.gz'
    [ ! -e hits ]
    [ ! -e hits.checkpoint ]
    expect 6 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 6 -out hits --stats nowhere/stats.json
    [ ! -e hits ]
    [ ! -e hits.checkpoint ]
}

@test "--resume needs a checkpoint and a file" {
    files
    blastp_of 0 -out hits
    cp hits before
    blastp_of 1 -out hits --resume
    err_has 'hits: has no checkpoint (hits.checkpoint): it is complete'
    cmp before hits
    blastp_of 1 --resume
    err_has 'leave --resume out'
}

@test "threads, instruction sets and -mt_mode do not change a byte" {
    proteins 25 150 >q.fa
    for format in 0 3 5 6 7 15 16; do
        expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -outfmt "$format" -num_threads 1
        mv out want
        for threads in 2 7; do
            expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -outfmt "$format" --threads "$threads"
            cmp want out
        done
        TAMIS_SIMD=scalar expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -outfmt "$format" -num_threads 2 -mt_mode 1
        cmp want out
    done
    for simd in scalar avx2 avx512; do
        TAMIS_SIMD=$simd expect 0 "$TAMIS" blastp -query q.fa -subject q.fa -outfmt 6 -evalue 1000 --stats $simd.json
        python3 -c 'import json, sys
print(json.dumps(json.load(sys.stdin)["passed"]))' <$simd.json >$simd.passed
        cmp scalar.passed $simd.passed
    done
}

@test "numbers are those that blastp takes" {
    files
    while IFS='|' read -r code option value; do
        expect "$code" "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 6 "$option" "$value"
        [ "$code" -ne 0 ] || out_is "$both_lines" || {
            echo "$option '$value'"
            return 1
        }
    done <<'EOF'
0|-evalue|+1
0|-evalue|1e
0|-evalue|1.E
0|-evalue|1e400
0|-evalue|.5
0|-evalue|0x1p3
1|-evalue|1e+
1|-evalue| 1
1|-evalue|1 
1|-evalue|1K
1|-evalue|inf
1|-evalue|-1
1|-evalue|1e-400
1|-evalue|
0|-word_size|+3
0|-word_size|03
0|-word_size|0X3
1|-word_size|3.0
1|-word_size|3e0
1|-word_size|+0x3
1|-word_size|4294967299
1|-word_size|
0|-xdrop_gap|-5
0|-xdrop_gap|1e400
0|-xdrop_gap_final|-1e300
0|-xdrop_gap_final|1e9
0|-xdrop_ungap|1e9
1|-xdrop_ungap|0
0|-max_target_seqs|536870912
0|-max_target_seqs|2147483647
1|-max_target_seqs|2147483648
0|-dbsize|0
1|-dbsize|1e6
1|-dbsize|9223372036854775808
0|-seg|+12 2.2 2.5
0|-seg|0 2.2 2.5
1|-seg|12  2.2 2.5
1|-seg|12 2.2 2.5 
1|-seg| 12 2.2 2.5
1|-seg|12	2.2	2.5
1|-seg|12 2.2
1|-seg|12. 2.2 2.5
1|-seg|12 2e 2.5
1|-seg|12 inf 2.5
1|-outfmt|6
EOF
    expect 1 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt 6 -evalue 1 --evalue 2
    err_has '-evalue is given twice'
    for columns in sallseqid staxids sscinames scomnames sblastnames sskingdoms; do
        expect 1 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt "7 delim=; qseqid $columns"
        expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt "7 delim=;; qseqid $columns"
    done
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt '6 delim=; sallacc'
    out_is 's1\ns2\n'
}

@test "X-drops that are no score, and sizes at their ends, give what blastp gives" {
    need_full_sizes
    need blastp
    proteins 20 150 >p.fa
    for more in "-xdrop_gap -5" "-xdrop_gap 1e9" "-xdrop_gap 1e9 -comp_based_stats 0" "-xdrop_gap_final -1" "-xdrop_gap_final 1e8" \
        "-xdrop_gap_final 1e9 -comp_based_stats 0" "-xdrop_ungap 1e9" "-xdrop_ungap 1e400" "-evalue 1e400"; do
        # shellcheck disable=SC2086
        same_as_ncbi -query p.fa -subject p.fa -outfmt 6 $more
        for simd in scalar avx2; do
            # shellcheck disable=SC2086
            TAMIS_SIMD=$simd expect 0 "$TAMIS" blastp -query p.fa -subject p.fa -outfmt 6 $more
            cmp want out
        done
    done
    for format in 1 5 16; do same_as_ncbi -query p.fa -subject p.fa -outfmt $format -evalue 1e400 -max_target_seqs 5; done
    expect 1 "$TAMIS" blastp -query p.fa -subject p.fa -outfmt 15 -evalue 1e400 # NCBI's JSON ends within the parameters
}

@test "a directory has no query, and no subject" {
    files
    expect 0 "$TAMIS" blastp -query . -subject s.fa -outfmt 0
    out_is ''
    err_has 'Query is Empty!'
    expect 3 "$TAMIS" blastp -query q.fa -subject .
}

@test "no taxids select the whole database" {
    files
    "$TAMIS" makedb -in s.fa -dbtype prot -out db -blastdb_version 5 -taxid 9606 >/dev/null || skip 'a build without LMDB'
    : >none
    for list in "-taxids=" "-taxids= " "-negative_taxids=," "-taxidlist=none" "-taxids=+9606" "-taxids=9606, 0"; do
        expect 0 "$TAMIS" blastp -query q.fa -db db -outfmt 6 "$list"
        out_is "$both_lines"
    done
    for list in "-taxids=1.0" "-taxids=9606 x"; do
        expect 1 "$TAMIS" blastp -query q.fa -db db -outfmt 6 "$list"
    done
    expect 2 "$TAMIS" blastp -query q.fa -db db -outfmt 6 -taxids -1
}

@test "nucleotides and reads as queries or subjects: a warning, and the output is what it is" {
    files
    printf '>n\nACGTTGCATGCATTTGACCATGACNNACGTACGATCGATCGAT\n' >dna.fa
    printf '@r\nACGTTGCATGCATTTGACCATGACNNACGTACGATCGATCGAT\n+\nIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIIII\n' >reads.fq
    for query in dna.fa reads.fq; do
        expect 0 "$TAMIS" blastp -query $query -subject s.fa -outfmt 6
        err_has "tamis blastp: $query: looks like DNA: blastp searches proteins with proteins."
        expect 0 "$TAMIS" blastp -q -query $query -subject s.fa -outfmt 6
        err_is ''
    done
    expect 0 "$TAMIS" blastp -query q.fa -subject dna.fa -outfmt 6
    err_has 'tamis blastp: dna.fa: looks like DNA'
    blastp_of 0
    err_is ''
    ln -s "$TAMIS" blastp
    expect 0 ./blastp -query dna.fa -subject s.fa -outfmt 6
    err_is ''
}

@test "a column that there is not is named" {
    files
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt '6 qseqid pid evalue'
    out_is 'q1\t1.59e-25\nq1\t2.12e-24\n'
    err_is "tamis blastp: -outfmt: tamis leaves out the unknown column 'pid'; did you mean pident?\n"
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt '6 qseqid frobnicate'
    err_is "tamis blastp: -outfmt: tamis leaves out the unknown column 'frobnicate'\n"
    expect 0 "$TAMIS" blastp -query q.fa -subject s.fa -outfmt '6 qseqid  std -pident'
    err_is ''
}
