# tamis mask, against segmasker and dustmasker of NCBI's ncbi-blast+ 2.12.
load common

# same TOOL FILE [OPTION...]: the bytes that the program prints, as intervals and as FASTA.
same() {
    local tool=$1 file=$2 task=seg format
    shift 2
    need "$tool"
    [ "$tool" = segmasker ] || task=dust
    for format in interval fasta; do
        "$tool" -in "$file" -outfmt "$format" "$@" >want 2>/dev/null
        [ -s want ]
        expect 0 "$TAMIS" mask -q -task "$task" -in "$file" -outfmt "$format" "$@"
        cmp want out
    done
}

# same_all TOOL FILE [OPTION...]: in all formats that both maskers have.
same_all() {
    local tool=$1 file=$2 task=seg format
    shift 2
    need "$tool"
    [ "$tool" = segmasker ] || task=dust
    for format in interval fasta maskinfo_asn1_text maskinfo_asn1_bin maskinfo_xml seqloc_asn1_text seqloc_asn1_bin seqloc_xml; do
        in_sample || continue
        "$tool" -in "$file" -outfmt "$format" "$@" >want 2>/dev/null
        expect 0 "$TAMIS" mask -q -task "$task" -in "$file" -outfmt "$format" "$@"
        cmp want out
    done
}

# random_records SEED N PLAIN ODD: records of stretches of all kinds, from letters of two sets.
random_records() {
    awk -v seed="$1" -v n="$2" -v plain="$3" -v odd="$4" '
        function below(k) { return int(rand() * k) }
        function letter(set) { return substr(set, 1 + below(length(set)), 1) }
        function many(s, k,  r) { for (r = ""; k > 0; k--) r = r s; return r }
        function some(set, k,  r) { for (r = ""; k > 0; k--) r = r letter(set); return r }
        BEGIN {
            srand(seed)
            split("1 2 3 5 11 12 13 20 50 61 62 63 64 65 66 67 100 1000", runs, " ")
            for (i = 0; i < n; i++) {
                s = ""
                for (parts = 1 + below(10); parts > 0; parts--) {
                    kind = below(8)
                    if (kind == 0) s = s many(letter(plain), runs[1 + below(17)])
                    else if (kind == 1) s = s many(some(plain, 2 + below(7)), below(25))
                    else if (kind == 2) s = s some(some(plain, 1 + below(5)), below(90))
                    else if (kind == 3) s = s many(substr(odd, 1, 1), runs[1 + below(18)])
                    else if (kind == 4) s = s some(plain odd, below(60))
                    else if (kind == 5) s = s tolower(some(plain, below(40)))
                    else s = s some(plain, below(150))
                }
                if (below(6) == 0) s = substr(s, 1, below(67))
                if (s == "") s = letter(plain)
                printf ">r%d\n%s\n", i, s
            }
        }'
}

@test "intervals, letters in lower case, and a list, of DUST" {
    printf '>one first\nACGTTGCATCGATTAGCCATAAAAAAAAAAAAAGCAATCGGTCAGTTACGCATGACCTGATTGCACGTAACTGG\n>two\nACGT\n' >in.fa
    expect 0 "$TAMIS" mask -task dust -in in.fa
    out_is '>one first\n20 - 32\n>two\n'
    err_is ''
    expect 0 "$TAMIS" mask -task dust -in in.fa -outfmt fasta
    out_is '>one first\nACGTTGCATCGATTAGCCATaaaaaaaaaaaaaGCAATCGGTCAGTTACGCATGACCTGA\nTTGCACGTAACTGG\n>two\nACGT\n'
    expect 0 "$TAMIS" mask -task dust -outfmt acclist <in.fa
    out_is '>one first\t20\t32\n'
    need dustmasker
    dustmasker -in in.fa -outfmt acclist | cmp - out
}

@test "intervals and letters in lower case, of SEG" {
    printf '>p\nMKWVTFISLLHDERCAAAAAAAAAAAAAAAAANPQWYHKEDMAFCGT\n' >in.fa
    expect 0 "$TAMIS" mask -task seg -in in.fa
    out_is '>p\n15 - 31\n'
    expect 0 "$TAMIS" mask -task seg -in in.fa -outfmt fasta
    out_is '>p\nMKWVTFISLLHDERCaaaaaaaaaaaaaaaaaNPQWYHKEDMAFCGT\n'
    expect 0 "$TAMIS" mask -task seg -in in.fa -window 100
    out_is '>p\n'
}

@test "ASN.1: what is masked by which algorithm, and a location of each record" {
    printf '>p\nMKWVTFISLLHDERC\n>sp|P12345|N1 two\nMKWVTFISLLHDERCAAAAAAAAAAAAAAAAANPQWYHKEDMAFCGTSSSSSSSSSSSSSSSSSSSSPPPPPPPPPPPP\n' >in.fa
    expect 0 "$TAMIS" mask -task seg -in in.fa -outfmt maskinfo_asn1_text -locut 2
    out_is 'Blast-db-mask-info ::= {
  algo-id 1,
  algo-program seg,
  algo-options "window=12; locut=2; hicut=2.5",
  masks {
    masks {
      packed-int {
        {
          from 15,
          to 31,
          id local id 2
        },
        {
          from 47,
          to 78,
          id local id 2
        }
      }
    },
    more FALSE
  }
}
'
    sed -n 3,4p in.fa | head -c 60 >one.fa
    expect 0 "$TAMIS" mask -task seg -in one.fa -outfmt seqloc_asn1_text -parse_seqids
    out_is 'Seq-loc ::= int {
  from 15,
  to 31,
  id swissprot {
    name "N1",
    accession "P12345",
    release "reviewed"
  }
}
'
    expect 0 "$TAMIS" mask -task seg -in one.fa -parse_seqids
    out_is '>sp|P12345|N1 two\n15 - 31\n'
    printf '>n\nACGT\n' >in.fa
    expect 0 "$TAMIS" mask -task dust -in in.fa -outfmt maskinfo_xml -level 21
    out_is '<?xml version="1.0"?>
<!DOCTYPE Blast-db-mask-info PUBLIC "-//NCBI//NCBI BlastDL/EN" "NCBI_BlastDL.dtd">
<Blast-db-mask-info>
  <Blast-db-mask-info_algo-id>2</Blast-db-mask-info_algo-id>
  <Blast-db-mask-info_algo-program>
    <Blast-filter-program value="dust">10</Blast-filter-program>
  </Blast-db-mask-info_algo-program>
  <Blast-db-mask-info_algo-options>window=64; level=21; linker=1</Blast-db-mask-info_algo-options>
  <Blast-db-mask-info_masks>
    <Blast-mask-list>
      <Blast-mask-list_masks></Blast-mask-list_masks>
      <Blast-mask-list_more value="false"/>
    </Blast-mask-list>
  </Blast-db-mask-info_masks>
</Blast-db-mask-info>
'
}

# Words that are ids of all kinds, and their titles.
id_records() {
    while read -r word title; do printf '>%s%s\nAAAAAAAAAAAAAAAAAAAAAAAAA\n' "$word" "${title:+ $title}"; done <<'END'
bare t
12345 t
007 t
id;semi t
contig:1-100 t
sp|P12345|NAME t
sp|Q12345.2|NAME2 t
tr|A0A000|A0A_X t
gi|129295|sp|P01013.1|OVAX_CHICK t
gi|129296 t
ref|NP_000001.1| t
NP_000002.3 t
gb|AAA12347.1| t
emb|CAA12345.1|LOC t
dbj|BAA12345.1| t
tpg|DAA12345.1| t
tpd|x.1|y
gnl|mydb|id7 t
gnl|mydb|77 t
gnl|a<b&'c|x& t
lcl|loc1 t
lcl|78 t
pdb|1ABC|A t
pdb|2ABC|B
pdb|3ABC t
pdb|1ABC|AA
pir||A12345 t
prf||1234567A
pat|US|1234567|1 t
pat|EP|A1|7
bbs|123 t
bbm|123 t
gim|123 t
lcl|q|gi|9 t
gb|A.1|BB|emb|C.1|D t
nat|x|y t
z,comma c
U12346 t
sp|P22345|NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN long
END
    printf '>\nAAAAAAAAAAAAAAAAAAAAAAAAA\n>  \nACAAAAAAAAAAAAAAAAAAAAAAA\n>m1 one\001gi|20|sp|P99999|N two\nAAAAAAAAAAAAAAAAAAAAAAAAA\n'
}

@test "the same bytes as both programs in all formats, with ids of all kinds and without" {
    id_records >ids.fa
    for tool in segmasker dustmasker; do
        same_all $tool ids.fa
        [ $tool = segmasker ] || sed -i '/^>gi|129295|\|^>gb|A.1/d' ids.fa # of several ids, which is said depends on their molecules
        same_all $tool ids.fa -parse_seqids
        same_all $tool ids.fa -window 20
    done
    random_records 4 100 ACDEFGHIKLMNPQRSTVWY 'XBZJUO*' >p.fa
    same_all segmasker p.fa -locut 2.123456789 -hicut 3
    random_records 5 100 ACGT NRYK >n.fa
    same_all dustmasker n.fa -level 12 -linker 3
    "$TAMIS" mask -task dust -in n.fa -outfmt acclist -parse_seqids | diff <(dustmasker -in n.fa -outfmt acclist -parse_seqids) -
    printf '>gi|abc t\nAAAA\n' >bad.fa
    expect 2 "$TAMIS" mask -task seg -in bad.fa -parse_seqids
    err_has 'gi|abc'
}

@test "sequences of a database, with ids and without" {
    need makeblastdb
    id_records | grep -v '^>[ ]*$' | sed 's/*//' >ids.fa
    sed -i '/^ACA*$/d; /^>m1/d; /^>gi|1292\|^>lcl|q/d' ids.fa
    printf '>sp|Q1|A t1\001sp|Q2|B t2\nAAAAAAAAAAAAAAAAAAAAAAAAAA\n' >>ids.fa
    printf '>P37194\nMSQNTLKVHDLNEDAEFDENQQQQQQQQQQQQQQQQQQQQQQQ\n>Q9XYZ1.2\nAAAAAAAAAAAAAAAAAAAAAAAAAA\n' >>ids.fa
    makeblastdb -in ids.fa -dbtype prot -parse_seqids -out named >log
    makeblastdb -in ids.fa -dbtype prot -out plain >log
    for db in named plain; do
        same_all segmasker $db -infmt blastdb
        same_all segmasker $db -infmt blastdb -parse_seqids
    done
    printf '>n1 a\nACGTTGCATCGATTAGCCATAAAAAAAAAAAAAGCAATCGGTCAGTTNNNNRYACGCATG\n>n2\nACGT\n' | makeblastdb -in - -title t -dbtype nucl -parse_seqids -out n >log
    same_all dustmasker n -infmt blastdb
    same_all dustmasker n -infmt blastdb -parse_seqids
    expect 2 "$TAMIS" mask -task seg -in none -infmt blastdb
    err_has 'No alias or index file found for protein database [none]'
}

@test "called by their names, the programs stop at a record without letters" {
    ln -s "$TAMIS" segmasker
    printf '>a\nAAAAAAAAAAAAAAAAAAAA\n>b\n>c\nMKV\n' >in.fa
    expect 1 ./segmasker -in in.fa
    out_is '>a\n0 - 19\n'
    err_has 'FASTA-Reader: No residues given'
    expect 0 "$TAMIS" mask -task seg -in in.fa
}

@test "the same bytes as dustmasker: runs of N, lower case, other letters, short and long records" {
    for seed in 1 2 3; do
        random_records $seed 150 ACGT NRYKMSWBDHV >in.fa
        same dustmasker in.fa
        same dustmasker in.fa -window 32 -level 12 -linker 5
        same dustmasker in.fa -window 8 -level 2 -linker 32
        same dustmasker in.fa -window 63 -level 64 -linker 2
    done
}

@test "the same bytes as segmasker: letters that are no amino acid, repeats, short and long records" {
    for seed in 1 2 3; do
        random_records $seed 150 ACDEFGHIKLMNPQRSTVWY 'XBZJUO*' >in.fa
        same segmasker in.fa
        same segmasker in.fa -window 10 -locut 1.8 -hicut 2.1
        same segmasker in.fa -window 25 -locut 3 -hicut 3.3
        same segmasker in.fa -window 1 -locut 0 -hicut 0
        same segmasker in.fa -locut 3 -hicut 2
    done
}

@test "the same bytes as segmasker: proteins of all kinds" {
    proteins=$(data examples/data/o157_400.fa.gz proteins/realprot_62Maa.fa.gz)
    every=$((${#TAMIS_TEST_DATA} > 0 ? 25 : 1))
    zcat "$proteins" | awk -v every=$every '/^>/ { n++ } n % every == 1 % every' >in.fa
    same segmasker in.fa
    same segmasker in.fa -window 10 -locut 1.8 -hicut 2.1
    same segmasker in.fa -window 25 -locut 3 -hicut 3.3
}

@test "the same bytes as dustmasker: genomes" {
    for genome in k12 ${TAMIS_TEST_DATA:+lambda h_influenzae human_chr3_2Mbp}; do
        zcat "$(data tests/data/genomes/ecoli_k12_excerpt.fa.gz "genomes/${genome/k12/ecoli_k12_mg1655}.fa.gz")" >in.fa
        same dustmasker in.fa
        same dustmasker in.fa -window 32 -level 12 -linker 5
        same dustmasker in.fa -window 20 -level 40 -linker 32
    done
}

# Titles, and what is printed of them as a protein and as a nucleotide. Those of NCBI's programs, if they are here.
titles() {
    cat <<'END'
id two  spaces   here  |id two spaces here|id two spaces here
id a,  b ,c  .. (x ) ; trailing .|id a, b, c .. (x); trailing|id a, b, c .. (x); trailing
id a,,b ,, c|id a, b,, c|id a, b,, c
id foo. [Homo sapiens].|id foo [Homo sapiens]|id foo. [Homo sapiens]
TPA: id thing|id thing|id thing
MAG TPA: UNVERIFIED: x|x|x
O57809 3.5.99.7~~~~~~Putative 1-aminocyclopropane~~~|O57809 3.5.99.7~~~~~~Putative 1-aminocyclopropane|O57809 3.5.99.7~~~~~~Putative 1-aminocyclopropane
id &lt;x&gt; &amp; &#65;&#x42; &quot;c&apos;|id <x> & AB "c&apos|id <x> & AB "c&apos
id &#176;C &#8364; b|id °C € b|id °C € b
&nosuch; &|&nosuch; &|&nosuch; &
gi|unnamed protein product|
.~;,|.|.
;|;|;
a,, )b|a,  )b|a,  )b
naïve title|naïve title|naïve title
END
}

@test "titles are tidied" {
    titles | while IFS='|' read -r title protein nucleotide; do
        if [ "$title" = gi ]; then title=''; fi
        printf '>%s\nAAAAAAAAAAAAAAAAAAAAA\n' "$title" >>in.fa
        printf '>%s\n0 - 20\n' "$protein" >>want.seg
        printf '>%s\n0 - 20\n' "$nucleotide" >>want.dust
    done
    printf '>tab\there\nAAAAAAAAAAAAAAAAAAAAA\n> x \001y\nAAAAAAAAAAAAAAAAAAAAA\n>id \303\251\303\251\nAAAAAAAAAAAAAAAAAAAAA\n' >>in.fa
    printf '>tab\n0 - 20\n>x\n0 - 20\n>id \303\251\303\n0 - 20\n' | tee -a want.seg >>want.dust
    expect 0 "$TAMIS" mask -task seg -in in.fa
    cmp want.seg out
    expect 0 "$TAMIS" mask -task dust -in in.fa
    cmp want.dust out
    same segmasker in.fa
    same dustmasker in.fa
}

@test "comments, blanks, gaps and other bytes are taken as NCBI's programs take them" {
    printf '>a\nACGTACGT;AAAA\nACGT\n!foo\n#bar\nAC GT\tAC\n \n\n;x\nGGG\n>c\nAC12-X*xAA\r\nACG\rAC\nUuT\n' >in.fa
    same dustmasker in.fa
    same segmasker in.fa
    expect 0 "$TAMIS" mask -task dust -in in.fa -outfmt fasta
    out_is '>a\nACGTACGTACGTACGTACGGG\n>c\nACNAAACGACTTT\n'
    err_is 'tamis mask: FASTA-Reader: Ignoring invalid residues at position(s): On line 12: 3-4, 6-8\n'
    expect 0 "$TAMIS" mask -q -task seg -in in.fa -outfmt fasta
    out_is '>a\nacgtacgtacgtacgtacggg\n>c\nACXXXXAAACGACUUT\n'
    err_is ''
    for i in 1 2 3; do printf '>a\nAC1GT\n' >>more.fa; done
    expect 0 "$TAMIS" mask -task dust -in more.fa
    err_is 'tamis mask: FASTA-Reader: Ignoring invalid residues at position(s): On line 2: 3\ntamis mask: similar warnings for 3 lines in all\n'
}

@test "compressed files, standard input, FASTQ, a file as output, any number of threads" {
    random_records 7 400 ACGT NRY >in.fa
    expect 0 "$TAMIS" mask -task dust -in in.fa -num_threads 1
    cp out want
    gzip -nc in.fa >in.gz
    expect 0 "$TAMIS" mask -task dust -in in.gz
    cmp want out
    expect 0 "$TAMIS" mask -task dust <in.gz
    cmp want out
    if command -v zstd >/dev/null; then
        zstd -qc in.fa >in.zst
        expect 0 "$TAMIS" mask -task dust -in in.zst
        cmp want out
    fi
    for threads in 2 3 8; do
        expect 0 "$TAMIS" mask -task dust -in in.fa --threads $threads
        cmp want out
    done
    awk '/^>/ { name = substr($0, 2); next } { q = $0; gsub(/./, "I", q); printf "@%s\n%s\n+\n%s\n", name, $0, q }' in.fa >in.fq
    expect 0 "$TAMIS" mask -task dust -in in.fq
    cmp want out
    expect 0 "$TAMIS" mask -task dust -in in.fa -out file
    out_is ''
    cmp want file
    expect 2 "$TAMIS" mask -task dust -in in.fa -out file
    err_is 'tamis mask: file: already exists and is not empty: --force replaces it\n'
    expect 0 "$TAMIS" mask -task dust -in in.fa -out file --force
    expect 2 "$TAMIS" mask -task dust -in in.fa -out in.fa --force
}

@test "batches: many records, and one that is longer than a batch" {
    need_full_sizes
    random_records 8 100 ACGT N >some.fa
    for i in $(seq 160); do sed "s/^>/>$i./" some.fa; done >in.fa
    { echo '>long'; grep -v '>' in.fa; cat some.fa; } >rest.fa
    cat rest.fa >>in.fa
    [ "$(stat -c %s in.fa)" -gt 6000000 ]
    need dustmasker # takes its time: each record is given to it once or twice
    dustmasker -in rest.fa -outfmt interval >rest.want 2>/dev/null
    awk '/^>/ { n++ } n > 1' rest.want >some.want
    { for i in $(seq 160); do sed "s/^>/>$i./" some.want; done && cat rest.want; } >want
    [ "$(grep -c '^>' want)" = "$(grep -c '^>' in.fa)" ]
    for threads in 1 3; do
        expect 0 "$TAMIS" mask -q -task dust -in in.fa -outfmt interval --threads $threads
        cmp want out
    done
}

@test "a record without letters has a title and no intervals" {
    printf '>a\n>b\n\n>c\nAAAAAAAAAAAAA\n>d\n' >in.fa
    expect 0 "$TAMIS" mask -task dust -in in.fa
    out_is '>a\n>b\n>c\n0 - 12\n>d\n'
    expect 0 "$TAMIS" mask -task dust -in in.fa -outfmt fasta
    out_is '>a\n>b\n>c\naaaaaaaaaaaaa\n>d\n'
}

@test "bad input is exit code 2; the records before it are printed, and a file does not appear" {
    printf 'ACGT\n' >text
    expect 2 "$TAMIS" mask -task dust -in text
    err_is "tamis mask: text:1: neither FASTA ('>') nor FASTQ ('@')\n"
    : >empty
    expect 2 "$TAMIS" mask -task dust -in empty
    err_is 'tamis mask: empty: no sequence: the file is empty\n'
    expect 2 "$TAMIS" mask -task dust -in missing
    err_is 'tamis mask: missing: No such file or directory\n'
    printf '>a\nAAAAAAAAAAAAA\n>b\n((((((((((\n>c\nACGT\n' >in.fa
    expect 2 "$TAMIS" mask -task dust -in in.fa
    out_is '>a\n0 - 12\n'
    err_is "tamis mask: in.fa: Near line 4, there's a line that doesn't look like plausible data, but it's not marked as defline or comment.\n"
    expect 2 "$TAMIS" mask -task dust -in in.fa -out file
    [ ! -e file ]
    random_records 9 300 ACGT N | gzip -n | head -c -20 >cut.gz
    expect 2 "$TAMIS" mask -task dust -in cut.gz
    err_has 'cut.gz'
    err_has 'truncated'
    [ -w /dev/full ] || skip "no /dev/full"
    printf '>a\nACGT\n' >in.fa
    expect 6 "$TAMIS" mask -task dust -in in.fa -out /dev/full
}

@test "usage" {
    printf '>a\nACGT\n' >in.fa
    wrong() {
        local message=$1
        shift
        expect 2 "$TAMIS" mask "$@"
        out_is ''
        err_is "tamis mask: $message\nTry 'tamis mask --help'.\n"
    }
    wrong 'proteins or nucleotides? Give -task T' -in in.fa
    wrong '-locut is an option of -task seg' -task dust -in in.fa -locut 2
    wrong '-level is an option of -task dust' -task seg -in in.fa -level 20
    wrong "-window takes a number from 8 to 64 with -task dust, not '65'" -task dust -in in.fa -window 65
    wrong '-outfmt acclist is a format of -task dust' -task seg -in in.fa -outfmt acclist
    expect 2 "$TAMIS" mask -task seg -in in.fa -outfmt maskinfo
    expect 2 "$TAMIS" mask -task dust in.fa
    err_has 'the file is named with -in'
    expect 2 "$TAMIS" mask -task dust -in in.fa -level 65
    expect 2 "$TAMIS" mask -task dust -in in.fa -linker 0
    expect 2 "$TAMIS" mask -task seg -in in.fa -locut -1
    expect 0 "$TAMIS" mask --help
    grep -q '^Usage: tamis mask -task seg|dust' out
    expect 0 "$TAMIS" mask --task dust --in=in.fa
    out_is '>a\n'
}

@test "SEG on nucleotides: a warning names DUST" {
    printf '>n\nACGTTGCATGCATTTGACCATGACNNACGTACGATCGATCGAT\n' >dna.fa
    expect 0 "$TAMIS" mask -task seg -in dna.fa
    err_is 'tamis mask: dna.fa: looks like DNA: -task seg masks proteins, -task dust nucleotides\n'
    expect 0 "$TAMIS" mask -q -task seg -in dna.fa
    err_is ''
    expect 0 "$TAMIS" mask -task dust -in dna.fa
    err_is ''
}
