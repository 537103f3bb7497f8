"""Searches through Bio.Blast.Applications, and what Bio.SearchIO and NCBIXML read of the output: one line for each alignment."""
import sys
import warnings

warnings.simplefilter("ignore")
from Bio import SearchIO
from Bio.Blast import NCBIXML
from Bio.Blast.Applications import NcbiblastnCommandline, NcbiblastpCommandline
from Bio.Blast.Applications import NcbiblastformatterCommandline  # noqa: F401 (of a Biopython that has them)

FORMATS = {0: "blast-text", 5: "blast-xml", 6: "blast-tab", 7: "blast-tab"}


def show_hsps(path, name, is_commented):
    arguments = {"comments": True} if is_commented else {}
    for query in SearchIO.parse(path, name, **arguments):
        for hsp in query.hsps:
            print(name, query.id, hsp.hit_id, hsp.query_range, hsp.hit_range, hsp.evalue, hsp.bitscore)


def search(outfmt, **options):
    out = "out.%d" % outfmt
    return run(NcbiblastpCommandline(query="q.fa", db="db", out=out, outfmt=outfmt, **options), out, outfmt)


def search_bases(outfmt, **options):
    out = "bases.%d" % outfmt
    return run(NcbiblastnCommandline(query="bases.fa", out=out, outfmt=outfmt, **options), out, outfmt)


def run(command, out, outfmt):
    stdout, stderr = command()
    print(command, stdout, stderr)
    show_hsps(out, FORMATS[outfmt], outfmt == 7)
    return out


for number in FORMATS:
    search(number, evalue=1e-3, soft_masking=True, num_threads=1)
search(6, evalue=1, seg="yes", max_target_seqs=7, comp_based_stats="F")
search(6, soft_masking=False, num_threads=1000, parse_deflines=True, word_size=4)
with open(search(5, use_sw_tback=True, matrix="BLOSUM45")) as file:
    for record in NCBIXML.parse(file):
        for alignment in record.alignments:
            for hsp in alignment.hsps:
                print(record.query, alignment.title, hsp.expect, hsp.bits, hsp.query, hsp.match, hsp.sbjct)
for number in FORMATS:
    search_bases(number, db="genome", evalue=1e-3, dust="no", strand="minus", num_threads=2)
search_bases(6, subject="genome.fa", task="blastn", soft_masking=False, perc_identity=90, max_hsps=3, ungapped=True)
sys.exit(0)
