"""What the module tamis does, on the data beside this file: python3 tour.py. doc/python.md explains more."""

import gzip
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import tamis

data = Path(__file__).with_name("data")

# A filter of 20,108 words, and which of 2,000 lines are probably among them.
words = gzip.open(data / "words.txt.gz", "rt", encoding="utf-8").read().splitlines()
candidates = (data / "candidates.txt").read_text(encoding="utf-8").splitlines()
known = tamis.Filter.build(words)
hit = known.query(candidates)
print(f"{hit.sum()} of {len(hit)} lines pass; the first that does not: {candidates[int(np.argmin(hit))]}")

# Arrays of NumPy and Arrow are not copied. A filter is the command's file.
numbers = np.arange(1_000_000, dtype=np.uint64) ** 2
squares = tamis.Filter.build(numbers, fpr=1e-6)
with TemporaryDirectory() as folder:
    squares.save(Path(folder) / "squares.tms")
    with tamis.Filter.load(Path(folder) / "squares.tms") as loaded:
        print(f"squares below 50: {np.flatnonzero(loaded.query(np.arange(50, dtype=np.uint64)))}")

# Proteins against proteins: two ways to look at the same results.
for query in tamis.blastp(data / "two_proteins.fa", subject=data / "o157_400.fa.gz", evalue=1e-20):
    for found in query:
        best = found.hsps[0]
        print(f"{query.id} {found.id} E = {best.evalue:.3g}, {best.identical} of {best.length} columns")
table = tamis.blastp(data / "two_proteins.fa", subject=data / "o157_400.fa.gz").to_numpy()
print(f"{len(table)} HSPs, the best score {table['score'].max()}")

# Reads by genome: of two random genomes, with a changed base in every fifth read.
draw = np.random.default_rng(1)
genomes = ["".join(draw.choice(list("ACGT"), 50_000)) for _ in range(2)]
references = [tamis.Filter.reference([("genome", genome)], word_size=25) for genome in genomes]
reads = []
for i in range(3000):
    start = int(draw.integers(0, 49_900))
    read = (genomes[i % 2] if i % 3 else "".join(draw.choice(list("ACGT"), 100)))[start % 49_900 :][:100]
    reads.append((f"read_{i}", read[:50] + "N" + read[51:] if i % 5 == 0 else read))
print(tamis.classify(iter(reads), references).counts)
