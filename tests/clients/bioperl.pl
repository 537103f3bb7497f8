# A database made and searched by Bio::Tools::Run::StandAloneBlastPlus, with and without masks of segmasker; what its parsers read of the
# output, one line for each alignment.
use strict;
use warnings;
use Bio::SearchIO;
use Bio::Tools::Run::StandAloneBlastPlus;

# show(RESULT, WHAT): its alignments.
sub show {
    my ($result, $what) = @_;
    while (my $hit = $result->next_hit) {
        while (my $hsp = $hit->next_hsp) {
            print join("\t", $what, $result->query_name, $hit->name, $hsp->evalue, $hsp->bits, $hsp->percent_identity,
                $hsp->query->start, $hsp->query->end, $hsp->hit->start, $hsp->hit->end), "\n";
        }
    }
}

# read_all(FILE, FORMAT, WHAT)
sub read_all {
    my ($file, $format, $what) = @_;
    my $reader = Bio::SearchIO->new(-file => $file, -format => $format);
    while (my $result = $reader->next_result) { show($result, $what); }
}

my $plain = Bio::Tools::Run::StandAloneBlastPlus->new(-db_name => 'plain', -db_data => 'p.fa', -create => 1);
$plain->make_db;
print "plain: ", $plain->db_info->{db_num_sequences}, " sequences, ", $plain->db_info->{db_total_bases}, " letters\n";
show($plain->blastp(-query => 'q.fa', -outfile => 'plain.0', -method_args => [-evalue => 1e-3, -num_descriptions => 50]), 'blastp');
show($plain->bl2seq(-method => 'blastp', -query => 'q.fa', -subject => 's.fa', -outfile => 'pair.0'), 'bl2seq');

my $masked = Bio::Tools::Run::StandAloneBlastPlus->new(-db_name => 'masked', -db_data => 'p.fa', -create => 1, -masker => 'segmasker',
    -mask_data => 'p.fa');
$masked->make_db;
print "masked: ", $masked->db_info->{db_num_sequences}, " sequences, by ", $masked->db_info->{db_filter_algorithms}->[0]->{type} // '-', "\n";
system('blastp -query q.fa -db masked -db_soft_mask 21 -evalue 1e-3 -out masked.0') == 0 or print "failed\n";
read_all('masked.0', 'blast', 'soft mask');
for my $format (6, 7) {
    system("blastp -query q.fa -db plain -evalue 1e-3 -outfmt $format -out plain.$format") == 0 or print "failed\n";
    read_all("plain.$format", 'blasttable', "format $format");
}
