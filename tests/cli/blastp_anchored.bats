# tamis blastp -outfmt 1 to 4.
load common
load blast

@test "formats 1 to 4: what a subject has more is below its row, or a gap in the query" {
    # q, and what makes rows: insertions that meet, one longer than a row, one at the begin of a row; gaps longer than a row; two HSPs
    local q=SHIENNHWLHKMQGGSNYNVFFRPKASHCVLVGTCDMIRTNQPCHWRQAPCKYYFNIPPKAKQHQSKTRTGQESWNLLRMLDIHWNIPPITDYAIESWWD
    printf '>q query\n%s\n' $q >q.fa
    {
        printf '>s1\n%s\n' "${q:0:20}WWCCWWWWCCWWWCCW${q:20:8}CCCWCC${q:28:7}GCC${q:35:2}MCM${q:37}"
        printf '>s2\n%s\n' "${q:0:45}${q:70}"
        printf '>s3\n%s\n' "${q:50:40}ARNDCEEQEHHILKARNDCEEQEHHILKARNDCEEQEHHILK${q:5:40}"
        printf '>s4\n%s\n' "${q:0:70}M${q:70}"
    } >s.fa
    local options=(-query q.fa -subject s.fa -comp_based_stats 0 -gapopen 6 -gapextend 2 -evalue 1e-3)
    expect 0 "$TAMIS" blastp "${options[@]}" -outfmt 1 -line_length 20
    sed -n '/^Query_1/,/^Lambda/p' out | sed '$d' >got
    diff - got <<'END'
Query_1    1    SHIENNHWLHKMQGGSNYNV  20
Subject_4  1    ....................  20
Subject_1  1    ....................  20
Subject_2  1    ....................  20
Subject_3  79    ..LK...............  97

Query_1    21   FFRPKASHCVLVGTCDMIRT  40
Subject_4  21   ....................  40
Subject_1  37   ....................  68
                \        \     \ \  
                |        |     | |  
                WWCCWWWWCCWWWCCW MCM
                         |     |    
                    CCWCCC   GCC
Subject_2  21   ....................  40
Subject_3  98   ....................  117

Query_1    41   NQPCHWRQAPCKYYFNIPPK  60
Subject_4  41   ....................  60
Subject_1  69   ....................  88
Subject_2  41   .....---------------  45
Subject_3  118  .....                 122
Subject_3  1              ..........  10

Query_1    61   AKQHQSKTRTGQESWNLLRM  80
Subject_4  61   ....................  81
                          \         
                          |         
                          M
Subject_1  89   ....................  108
Subject_2  46   ----------..........  55
Subject_3  11   ....................  30

Query_1    81   LDIHWNIPPITDYAIESWWD  100
Subject_4  82   ....................  101
Subject_1  109  ....................  128
Subject_2  56   ....................  75
Subject_3  31   ..........            40


END
    expect 0 "$TAMIS" blastp "${options[@]}" -outfmt 2 -line_length 20
    sed -n '/^Query_1/,/^Lambda/p' out | sed '$d' >got
    diff - got <<'END'
Query_1    1    SHIENNHWLHKMQGGSNYNV  20
Subject_4  1    SHIENNHWLHKMQGGSNYNV  20
Subject_1  1    SHIENNHWLHKMQGGSNYNV  20
Subject_2  1    SHIENNHWLHKMQGGSNYNV  20
Subject_3  79    HILKNHWLHKMQGGSNYNV  97

Query_1    21   FFRPKASHCVLVGTCDMIRT  40
Subject_4  21   FFRPKASHCVLVGTCDMIRT  40
Subject_1  37   FFRPKASHCVLVGTCDMIRT  68
                \        \     \ \  
                |        |     | |  
                WWCCWWWWCCWWWCCW MCM
                         |     |    
                    CCWCCC   GCC
Subject_2  21   FFRPKASHCVLVGTCDMIRT  40
Subject_3  98   FFRPKASHCVLVGTCDMIRT  117

Query_1    41   NQPCHWRQAPCKYYFNIPPK  60
Subject_4  41   NQPCHWRQAPCKYYFNIPPK  60
Subject_1  69   NQPCHWRQAPCKYYFNIPPK  88
Subject_2  41   NQPCH---------------  45
Subject_3  118  NQPCH                 122
Subject_3  1              CKYYFNIPPK  10

Query_1    61   AKQHQSKTRTGQESWNLLRM  80
Subject_4  61   AKQHQSKTRTGQESWNLLRM  81
                          \         
                          |         
                          M
Subject_1  89   AKQHQSKTRTGQESWNLLRM  108
Subject_2  46   ----------GQESWNLLRM  55
Subject_3  11   AKQHQSKTRTGQESWNLLRM  30

Query_1    81   LDIHWNIPPITDYAIESWWD  100
Subject_4  82   LDIHWNIPPITDYAIESWWD  101
Subject_1  109  LDIHWNIPPITDYAIESWWD  128
Subject_2  56   LDIHWNIPPITDYAIESWWD  75
Subject_3  31   LDIHWNIPPI            40


END
    expect 0 "$TAMIS" blastp "${options[@]}" -outfmt 3 -line_length 20
    sed -n '/^Query_1/,/^Lambda/p' out | sed '$d' >got
    diff - got <<'END'
Query_1    1    SHIENNHWLHKMQGGSNYNV  20
Subject_4  1    ....................  20
Subject_1  1    ....................  20
Subject_2  1    ....................  20
Subject_3  79    ..LK...............  97

Query_1    21   ----------------FFRP  24
Subject_4  21   ----------------....  24
Subject_1  21   WWCCWWWWCCWWWCCW....  40
Subject_2  21   ----------------....  24
Subject_3  98   ----------------....  101

Query_1    25   KASHC------VLVGTC---  35
Subject_4  25   .....------......---  35
Subject_1  41   .....CCWCCC......GCC  60
Subject_2  25   .....------......---  35
Subject_3  102  .....------......---  112

Query_1    36   DM---IRTNQPCHWRQAPCK  52
Subject_4  36   ..---...............  52
Subject_1  61   ..MCM...............  80
Subject_2  36   ..---........-------  45
Subject_3  113  ..---........         122
Subject_3  1                      ..  2

Query_1    53   YYFNIPPKAKQHQSKTRT-G  71
Subject_4  53   ..................M.  72
Subject_1  81   ..................-.  99
Subject_2  46   -------------------.  46
Subject_3  3    ..................-.  21

Query_1    72   QESWNLLRMLDIHWNIPPIT  91
Subject_4  73   ....................  92
Subject_1  100  ....................  119
Subject_2  47   ....................  66
Subject_3  22   ...................   40

Query_1    92   DYAIESWWD  100
Subject_4  93   .........  101
Subject_1  120  .........  128
Subject_2  67   .........  75


END
    expect 0 "$TAMIS" blastp "${options[@]}" -outfmt 4 -line_length 200
    sed -n '/^Query_1/,/^Lambda/p' out | sed '$d' >got
    diff - got <<'END'
Query_1    1    SHIENNHWLHKMQGGSNYNV----------------FFRPKASHC------VLVGTC---DM---IRTNQPCHWRQAPCKYYFNIPPKAKQHQSKTRT-GQESWNLLRMLDIHWNIPPITDYAIESWWD  100
Subject_4  1    SHIENNHWLHKMQGGSNYNV----------------FFRPKASHC------VLVGTC---DM---IRTNQPCHWRQAPCKYYFNIPPKAKQHQSKTRTMGQESWNLLRMLDIHWNIPPITDYAIESWWD  101
Subject_1  1    SHIENNHWLHKMQGGSNYNVWWCCWWWWCCWWWCCWFFRPKASHCCCWCCCVLVGTCGCCDMMCMIRTNQPCHWRQAPCKYYFNIPPKAKQHQSKTRT-GQESWNLLRMLDIHWNIPPITDYAIESWWD  128
Subject_2  1    SHIENNHWLHKMQGGSNYNV----------------FFRPKASHC------VLVGTC---DM---IRTNQPCH--------------------------GQESWNLLRMLDIHWNIPPITDYAIESWWD  75
Subject_3  79    HILKNHWLHKMQGGSNYNV----------------FFRPKASHC------VLVGTC---DM---IRTNQPCH                                                          122
Subject_3  1                                                                                  CKYYFNIPPKAKQHQSKTRT-GQESWNLLRMLDIHWNIPPI            40


END
}

@test "formats 1 to 4: names, lists, masks, pages and orders are blastp's" {
    need blastp
    local format
    proteins 9 90 | awk 'BEGIN { split("gi|5|sp|P12345.2|NAME gnl|db|tag NP_000001.1 pdb|1ABC|A", ids, " ") }
        /^>/ { getline s; n++; print ">" (n in ids ? ids[n] : "x" n), "title " n "\n" s }' >s.fa
    sed 's/[KLVR]/\L&/3; s/[ST][A-Z][A-Z]/\L&/' s.fa >q.fa
    sed -i '1s/.*/>gi|7|sp|P99999|Q the first/; s/^>x7 .*/>y7/' q.fa
    makeblastdb -in s.fa -dbtype prot -blastdb_version 4 -parse_seqids -title parsed -out parsed >/dev/null
    makeblastdb -in s.fa -dbtype prot -title plain -out plain >/dev/null
    same_as_ncbi -query q.fa -db parsed -outfmt 1
    same_as_ncbi -query q.fa -db plain -parse_deflines -outfmt 2
    same_as_ncbi -query q.fa -db parsed -show_gis -parse_deflines -num_alignments 3 -outfmt 3
    same_as_ncbi -query q.fa -db parsed -query_loc 11-80 -num_descriptions 2 -num_alignments 0 -outfmt 4
    same_as_ncbi -query q.fa -subject s.fa -subject_loc 5-77 -num_descriptions 0 -outfmt 1
    same_as_ncbi -query q.fa -subject s.fa -parse_deflines -html -outfmt 4
    same_as_ncbi -query q.fa -db parsed -html -show_gis -outfmt 1
    same_as_ncbi -query q.fa -db plain -lcase_masking -sorthits 2 -line_length 1 -outfmt 2
    same_as_ncbi -query q.fa -subject s.fa -parse_deflines -sorthsps 3 -max_target_seqs 5 -outfmt 3
    same_as_ncbi -query q.fa -db plain -ungapped -comp_based_stats F -outfmt 4
    segmasker -in s.fa -infmt fasta -parse_seqids -outfmt maskinfo_asn1_bin -window 9 -locut 2.4 -hicut 2.6 -out masks
    makeblastdb -in s.fa -dbtype prot -parse_seqids -mask_data masks -title masked -out masked >/dev/null
    for format in 1 4; do
        same_as_ncbi -query q.fa -db masked -db_soft_mask 21 -outfmt $format
        same_as_ncbi -query q.fa -db masked -db_hard_mask 21 -seg yes -outfmt $format
    done
}

@test "-sorthits: the share of letters that are identical is rounded, to 100 too" {
    need blastp
    local letters
    letters=$(proteins 1 337 | tail -n 1)
    printf '>q\n%s\n' "$letters" >q.fa
    printf '>s\n%s\n' "${letters:0:100}$(printf '%s' "${letters:100:1}" | tr 'A-VWY' 'W-WA')${letters:101}" >s.fa
    for format in 0 1; do
        same_as_ncbi -query q.fa -subject s.fa -outfmt $format -sorthits 0
        grep -qE '^s .* 100%      $' out
    done
    # 23 of 40 letters: 57.5 is rounded up, though 23 / 40 is a little less as a number of the machine
    printf '>q\nGIDMSEGDPMWQSGHEMHPVHQAKYGEIKKNVDMTREGSH\n' >q.fa
    printf '>s\nGIDMSCNNAMWIRGTWKHEDHQAHHQEIIKNVLMTGEGSH\n' >s.fa
    same_as_ncbi -query q.fa -subject s.fa -outfmt 0 -sorthits 0
    grep -qE '^s .* 58%       $' out
}
