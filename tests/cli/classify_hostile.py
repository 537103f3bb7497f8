"""classify_hostile.py TAMIS CASES SEED - tamis classify with files that are cut and changed, against a reader of its own.

A case is a small file (FASTA or FASTQ, LF or CR LF), or two with mates, whole, cut at a byte or changed at a few; or its gzip form. The command
either refuses it, as this reader does, with exit code 2, a message and no output; or each record is, as it stands in the file, in one
output, in order: the one that the table names, the counts are those of the table, mates stay together, the outputs joined have all
records again, and other numbers of threads, pipes and lanes make no difference. Works in the current directory.
"""

import gzip
import os
import random
import re
import shutil
import subprocess
import sys

BLANK = b" \t\r"
W = 11


class Bad(Exception):
    """What no reader may take."""


class Unknown(Exception):
    """Ends of lines that this reader does not know."""


def ended(raw):
    return raw if raw.endswith(b"\n") else raw + b"\n"


def read_fasta(text):
    if re.search(rb"\r(?=[^\n])", text):
        raise Unknown
    starts = [0] + [m.start() + 1 for m in re.finditer(rb"\n>", text)]
    return [(text[a:b][1:], text[a:b]) for a, b in zip(starts, starts[1:] + [len(text)])]


def read_fastq(text):
    lines, at, records = re.findall(rb"[^\n]*\n|[^\n]+", text), 0, []
    while at < len(lines):
        if not lines[at].strip(BLANK + b"\n"):
            at += 1
            continue
        if not lines[at].startswith(b"@"):
            raise Bad
        first, header, n, quality = at, lines[at][1:], 0, 0
        at += 1
        while at < len(lines) and not lines[at].startswith(b"+"):
            n += len(lines[at].rstrip(b"\n").rstrip(BLANK))
            at += 1
        if at == len(lines):
            raise Bad
        at += 1
        if n == 0:
            if at < len(lines) and (lines[at][:1] in (b" ", b"\t", b"\r", b"\n")):
                quality = len(lines[at].rstrip(b"\n").rstrip(BLANK))
                at += 1
        while quality < n and at < len(lines):
            quality += len(lines[at].rstrip(b"\n").rstrip(BLANK))
            at += 1
        if quality != n:
            raise Bad
        records.append((header, b"".join(lines[first:at])))
    return records


def read(text):
    """[(name, raw record)] and whether it is FASTQ."""
    text = text.lstrip(BLANK + b"\n")
    if not text:
        return [], None
    if text[:1] not in (b">", b"@") or text.startswith((b"@HD\tVN:", b"@SQ\tSN:")):
        raise Bad
    records = read_fasta(text) if text[:1] == b">" else read_fastq(text)
    headers = [re.split(rb"\r?\n|\r$", h, maxsplit=1)[0] for h, _ in records]
    if any(b"\0" in h for h in headers):
        raise Bad
    records = [(re.split(rb"[ \t\r]", h, maxsplit=1)[0], raw) for h, (_, raw) in zip(headers, records)]
    records[-1] = (records[-1][0], ended(records[-1][1]))
    return records, text[:1] == b"@"


def pair_names(first, second):
    """The names of pairs, without numbers; Bad if some do not agree."""
    mark, names = None, []
    for a, b in zip(first, second):
        bare = [re.sub(rb"/[12]$", b"", x) for x in (a, b)]
        if bare[0] == bare[1]:
            mark = mark or b"/"
        elif re.search(rb"[._:][12]$", a) and sorted((a[-1:], b[-1:])) == [b"1", b"2"] and a[:-1] == b[:-1] and mark in (None, a[-2:-1]):
            mark = a[-2:-1]
        else:
            raise Bad
        names.append((a, mark))
    mark = names[-1][1] if names else b"/"
    return [a[:-2] if re.search(rb"[/" + mark + rb"][12]$", a) else a for a, _ in names]


class Runner:
    def __init__(self, tamis):
        self.tamis, self.n_runs, self.n_refused = tamis, 0, 0

    def __call__(self, *options, data=None):
        self.n_runs += 1
        command = [self.tamis, "classify", "-q", "-f", "a.tms", "--min-hits", "1", *options]
        done = subprocess.run(command, input=data if data is not None else b"", capture_output=True)
        if done.returncode not in (0, 2):
            raise AssertionError(f"exit code {done.returncode}: {command}: {done.stderr!r}")
        assert (done.returncode == 0) == (done.stderr == b""), (command, done.stderr)
        if done.returncode == 2:
            assert done.stdout == b"" or "-o" not in options, command
            assert not os.listdir("o"), os.listdir("o")
            return None
        return done.stdout


def load(path):
    with open(path, "rb") as file:
        return file.read()


def store(path, text):
    with open(path, "wb") as file:
        file.write(text)


def outputs():
    """Contents of the folder o, which is empty then."""
    found = {name: load(f"o/{name}") for name in sorted(os.listdir("o"))}
    shutil.rmtree("o")
    os.mkdir("o")
    return found


def table(text):
    rows = [line.split(b"\t") for line in text.split(b"\n")[1:-1]]
    return [row[0] for row in rows], [row[1] == b"match" for row in rows], [row[5] for row in rows]


def sums(found, n, n_matching):
    rows = dict(line.split(b"\t")[:2] for line in found["s"].split(b"\n")[:-1])
    want = {b"a": n_matching, b"unmatched": n - n_matching, b"ambiguous": 0, b"total": n}
    assert all(int(rows[name]) == number for name, number in want.items()), (rows, want)


def one_file(run, rng, text):
    try:
        records, is_fastq = read(text)
    except Bad:
        records = None
    except Unknown:
        records = ()
    store("in", text)
    options = ["--split", "o/x", "-o", "o/t", "--summary", "o/s"]
    if run("--threads", "1", *options, "in") is None:
        assert records is None or records == (), "refused, but for no reason"
        run.n_refused += 1
        return
    assert records is not None, "taken, but damaged"
    found = outputs()
    names, matches, n_words = table(found["t"])
    sums(found, len(names), sum(matches))
    parts = [next((v for k, v in found.items() if k.startswith("x." + kind)), None) for kind in ("a.", "unmatched.")]
    if records != ():
        assert [name for name, _ in records] == names, "names"
        for part, kind in zip(parts, (True, False)):
            assert part == b"".join(raw for (_, raw), match in zip(records, matches) if match == kind), f"records, {kind}"
    elif b"\n>" in text or not text.endswith(b"\r"):
        assert sum(map(len, parts)) >= len(text.lstrip(BLANK + b"\n"))
    again = run("-", data=parts[0] + parts[1])
    order = [i for kind in (True, False) for i, match in enumerate(matches) if match == kind]
    assert table(again) == ([names[i] for i in order], [matches[i] for i in order], [n_words[i] for i in order]), "joined outputs"
    way = rng.randrange(3)
    if way == 0:
        run("--threads", "3", *options, "in")
        assert outputs() == found, "threads"
    elif way == 1:
        assert run("-o", "-", "-", data=text) == found["t"], "pipe"
    elif records != () and text.strip():
        store("in2", text)
        lanes = table(run("-1", "in,in2"))
        assert lanes == (names * 2, matches * 2, n_words * 2), "lanes"


def two_files(run, rng, texts):
    try:
        read_both = [read(text) for text in texts]
        records = [r for r, _ in read_both]
        if len(records[0]) != len(records[1]):
            raise Bad
        names = pair_names(*[[name for name, _ in r] for r in records])
    except Bad:
        records = None
    except Unknown:
        return
    for m in (0, 1):
        store(f"m{m}", texts[m])
    kind = rng.choice(["--keep", "--remove"])
    options = [kind, "-o", "o/1", "-O", "o/2", "--summary", "o/s", "m0", "m1"]
    if run("--threads", "1", *options) is None:
        assert records is None, "refused, but for no reason"
        run.n_refused += 1
        return
    assert records is not None, "taken, but damaged, or no mates"
    found = outputs()
    got, matches, n_words = table(run("m0", "m1"))
    assert got == names, "names"
    sums(found, len(names), sum(matches))
    chosen = [i for i, match in enumerate(matches) if match == (kind == "--keep")]
    for m in (0, 1):
        assert found[str(m + 1)] == b"".join(records[m][i][1] for i in chosen), "mates"
    both = run(kind, "m0", "m1")
    assert both == b"".join(records[m][i][1] for i in chosen for m in (0, 1)), "interleaved"
    if read_both[0][1] == read_both[1][1] and chosen:
        want = ([names[i] for i in chosen], [matches[i] for i in chosen], [n_words[i] for i in chosen])
        again = run("--no-name-check", "--interleaved", "-", data=both)
        assert table(again)[1:] == want[1:], "interleaved, again"
    run("--threads", "3", *options)
    assert outputs() == found, "threads"


def gzipped(run, rng, text):
    """Of a damaged compressed file nothing comes that is not in the whole one."""
    packed = gzip.compress(text, mtime=0)
    damaged = mutate(rng, packed)
    store("in", text)
    run("-o", "o/t", "in")
    whole = outputs()
    store("in", damaged)
    if run("-o", "o/t", "in") is None:
        assert damaged != packed, "refused, but whole"
        run.n_refused += 1
    else:
        assert outputs() == whole or not damaged, "taken, but damaged"


def mutate(rng, text):
    way = rng.randrange(5)
    if way == 0 or not text:
        return text
    if way <= 2:
        return text[: rng.randrange(len(text) + 1)]
    changed = bytearray(text)
    for _ in range(rng.choice([1, 1, 1, 3, 10])):
        at = rng.randrange(len(changed))
        new = rng.choice([b"\n", b"\r", b">", b"@", b"+", b" ", b"\0", b"A", bytes([rng.randrange(256)]), b"", b"\r\n", b"\n\n"])
        changed[at : at + rng.choice([0, 1])] = new
        if not changed:
            break
    return bytes(changed)


def make(rng, genome, mate, units, mark, is_fastq):
    end = rng.choice([b"\n", b"\n", b"\r\n"])
    width = rng.choice([1000, 1000, 30])
    records = []
    for i, (length, at) in enumerate(units):
        letters = genome[at : at + length] if at >= 0 else "".join(rng.choice("ACGTN") for _ in range(length))
        lines = [letters[j : j + width] for j in range(0, max(len(letters), 1), width)]
        name = f"r{i}{mark}{mate}" if mark else f"r{i}"
        quality = ["".join(rng.choice("!I5@+>") for _ in line) for line in lines]
        lines = [">@"[is_fastq] + name + rng.choice(["", " c  d", "\tx"]), *lines] + (["+", *quality] if is_fastq else [])
        records.append(end.join(line.encode() for line in lines) + end)
    return b"".join(records)


def main():
    tamis, cases, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    rng = random.Random(seed)
    genome = "".join(rng.choice("ACGT") for _ in range(1000))
    store("a.fa", b">a\n" + genome.encode() + b"\n")
    subprocess.run([tamis, "build", "-q", "--kmer", str(W), "--fpr", "1e-3", "-o", "a.tms", "a.fa"], check=True)
    os.makedirs("o")
    run = Runner(tamis)
    for case in range(cases):
        units = [(rng.choice([0, 1, 15, 40, 90]), rng.choice([-1, rng.randrange(900)])) for _ in range(rng.randrange(1, 7))]
        mark, is_fastq = rng.choice(["/", "/", ".", "_", ":", ""]), rng.random() < 0.5
        texts = [make(rng, genome, m, units, mark, is_fastq) for m in (1, 2)]
        kind = rng.choice([one_file, one_file, two_files, gzipped])
        if kind is two_files:
            given = [mutate(rng, text) if rng.random() < 0.6 else text for text in texts]
        else:
            given = mutate(rng, texts[0]) if kind is one_file else texts[0]
        try:
            kind(run, rng, given)
        except AssertionError as fault:
            print(f"seed {seed}, case {case}, {kind.__name__}: {fault}: {given!r}")
            raise
    print(f"{cases} cases, {run.n_runs} runs, {run.n_refused} refused")


main()
