"""Runs the commands of packaging/'s recipes with the built tamis, as their systems would: TAP.

    python3 recipes.py SOURCE FOLDER [KIND...]      KIND: bioconda, containers, galaxy, nf-core, snakemake; all of them by default

$TAMIS is the command, $SNAKEMAKE Snakemake's. Groovy makes the scripts of the Nextflow modules, and Cheetah those of the Galaxy wrappers: both
are the languages of these systems. Every option that a recipe names has to be in the help of its command, also where no case needs it.
"""

import itertools
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import traceback
import xml.etree.ElementTree as ET
from pathlib import Path
from types import SimpleNamespace

SOURCE, WORK = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
PACKAGING = SOURCE / "packaging"
TAMIS = Path(os.environ["TAMIS"]).resolve()
VERSION = (SOURCE / "VERSION").read_text().strip()
PROTEINS = SOURCE / "examples/data/o157_400.fa.gz"
QUERIES = SOURCE / "examples/data/two_proteins.fa"
READS, GENOME = SOURCE / "tests/data/classify/reads_a.fa", SOURCE / "tests/data/classify/k12.fa"
ENVIRONMENT = {**os.environ, "PATH": f"{WORK / 'bin'}:{os.environ['PATH']}"}


def run(command, folder, shell="bash", **more):
    """Runs a command, which has to succeed; its output."""
    done = subprocess.run(
        [shell, "-euo", "pipefail", "-c", command],
        cwd=folder,
        env={**ENVIRONMENT, **more},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"exit status {done.returncode}\n{command}\n{done.stdout}")
    return done.stdout


def fresh(name):
    folder = WORK / name
    folder.mkdir(parents=True)
    return folder


def helps(command):
    """The options of a command."""
    text = subprocess.run([TAMIS, command, "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {word.lstrip("-") for word in re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", text)}


def knows(command, text):
    """Every option in the text is one of the command's."""
    named = re.findall(r"""(?:(?<=[\s"'(\[])|^)--?[A-Za-z][\w-]*""", text, re.M)
    assert named, f"no options of {command}"
    unknown = {option for option in named if option.lstrip("-") not in helps(command)}
    assert not unknown, f"tamis {command} has no {', '.join(sorted(unknown))}"


def database(folder):
    """A BLAST database, folder/db/db."""
    run(f"tamis makedb -in {shlex.quote(str(PROTEINS))} -dbtype prot -out db/db", folder)
    return folder / "db"


# ---- bioconda ----------------------------------------------------------------------------------------------------------------------------


def meta():
    """The recipe as conda-build reads it, on Linux."""
    import yaml

    text = (PACKAGING / "bioconda/meta.yaml").read_text()
    names = dict(re.findall(r'^{% set (\w+) = "(.*)" %}$', text, re.M))
    text = re.sub(r"^{%.*%}\n", "", text, flags=re.M)
    text = re.sub(r"^(.*)# \[not linux\]$", "", text, flags=re.M)
    text = re.sub(r"{{ (\w+) }}", lambda m: names[m[1]], text)
    text = re.sub(r"{{ (\w+)\((.*?)\) }}", lambda m: f"{m[1]} of {m[2]}".replace('"', ""), text)
    assert "{{" not in text and "{%" not in text, text
    return yaml.safe_load(text)


def bioconda_commands():
    """Its test section."""
    folder = fresh("bioconda")
    recipe = meta()
    for name in recipe["test"]["source_files"]:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(SOURCE / name)
    prefix = os.environ.get("PREFIX") or str(WORK)
    for command in recipe["test"]["commands"]:
        if "$PREFIX" in command and not os.environ.get("PREFIX"):
            continue  # of what is installed: ./dev release
        run(command, folder, PREFIX=prefix)


def bioconda_fields():
    """What Bioconda's linter asks of a recipe."""
    recipe = meta()
    assert recipe["package"] == {"name": "tamis", "version": VERSION}
    assert recipe["source"]["url"].startswith("@URL@/") and recipe["source"]["sha256"] == "@SHA256@"
    assert recipe["build"]["number"] == 0 and recipe["build"]["run_exports"]
    assert recipe["requirements"]["build"] and recipe["requirements"]["host"] and recipe["test"]["commands"]
    about = recipe["about"]
    assert about["home"] and about["license"] == "MIT" and (SOURCE / about["license_file"]).exists()
    assert 10 < len(about["summary"]) <= 100 and recipe["extra"]["recipe-maintainers"]


# ---- nf-core -----------------------------------------------------------------------------------------------------------------------------


def nf_core(cases):
    """Runs modules: cases are (module, section, variables, files); Groovy starts once."""
    listed = []
    for module, section, variables, _ in cases:
        variables = {"meta": {"id": "sample"}, "task": {"cpus": 2, "ext": {}, "process": "X"}, **variables}
        listed.append({"file": str(PACKAGING / "nf-core/tamis" / module / "main.nf"), "section": section, "variables": variables})
    folder = fresh("nf-core")
    (folder / "cases.json").write_text(json.dumps(listed))
    java = Path(subprocess.check_output("readlink -f $(command -v java)", shell=True, text=True).strip())
    done = subprocess.run(
        ["groovy", SOURCE / "tests/recipes/render.groovy", folder / "cases.json"],
        env={**ENVIRONMENT, "JAVA_HOME": os.environ.get("JAVA_HOME", str(java.parents[1]))},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    for number, ((module, _, _, files), made) in enumerate(zip(cases, json.loads(done.stdout))):
        where = folder / str(number)
        where.mkdir()
        for file in files:
            (where / Path(file).name).symlink_to(file)
        run(made["text"], where)
        for output in made["outputs"]:
            found = [path for pattern in braces(output["path"]) for path in where.glob(pattern)]
            assert found or output["optional"], f"{module}: no {output['path']}\n{made['text']}"
            yield number, found


def braces(pattern):
    """*.{a,b} as two patterns."""
    match = re.fullmatch(r"(.*){(.*)}", pattern)
    return [match[1] + end for end in match[2].split(",")] if match else [pattern]


def nf_core_modules():
    """The modules, with each kind of output, and their stubs."""
    db = database(fresh("nf-core-db"))
    ext = {"cpus": 2, "ext": {"args": "-outfmt '7 std qlen' -evalue 1e-5", "prefix": "other"}}
    blastp = {"fasta": QUERIES.name, "db": "db"}
    single, pair = {"reads": READS.name}, {"reads": [READS.name, "mates.fa"]}
    mates = WORK / "mates.fa"
    mates.write_bytes(READS.read_bytes())
    genome = {"filters": GENOME.name}
    two = {"filters": [GENOME.name, "salmonella.fa"]}
    reads = [READS, mates, GENOME, GENOME.with_name("salmonella.fa")]
    cases = [("blastp", "script", {**blastp, "out_ext": kind}, [QUERIES, db]) for kind in ("txt", "xml", "tsv", "csv", "json", "html")]
    cases += [("blastp", "script", {**blastp, "out_ext": "tsv", "task": ext}, [QUERIES, db])]
    cases += [("makedb", "script", {"fasta": PROTEINS.name, "dbtype": "prot"}, [PROTEINS])]
    cases += [("makedb", "script", {"fasta": f"{GENOME.name} {READS.name}", "dbtype": "nucl"}, [GENOME, READS])]
    cases += [("classify", "script", {**library, **genome, "action": action}, reads) for library in (single, pair) for action in ("keep", "remove")]
    cases += [("classify", "script", {**single, **two, "action": action}, reads) for action in ("summary", "table")]
    cases += [("blastp", "stub", {**blastp, "out_ext": "tsv"}, [QUERIES, db]), ("makedb", "stub", {"fasta": "x", "dbtype": "prot"}, [])]
    cases += [("classify", "stub", {**single, **genome, "action": "keep"}, [])]
    found = list(nf_core(cases))
    assert "qlen" not in found[0][1][0].read_text() and len(found[6][1][0].read_text().splitlines()[-2].split("\t")) == 13
    sizes = {number: len(list(group)) for number, group in itertools.groupby(found, lambda one: one[0])}
    assert len(sizes) == len(cases)
    assert [len(paths) for number, paths in found if number == 11][0] == 2, "pairs: two files of reads"
    for module in ("blastp", "makedb", "classify"):
        text = (PACKAGING / "nf-core/tamis" / module / "main.nf").read_text()
        script = text[text.index("    script:") : text.index("    stub:")]
        knows(module, "".join(line for line in script.splitlines(keepends=True) if "find -L" not in line and "[ -z" not in line))


# ---- Galaxy ------------------------------------------------------------------------------------------------------------------------------


class Value(str):
    """A parameter in a template."""

    element_identifier = property(lambda self: Path(self).name)


def galaxy_inputs(elements, given, files):
    """The values of a tool's inputs: those of a test, or their defaults. given: ElementTree elements of the test."""
    values = {}
    by_name = {element.get("name"): element for element in given if element.tag in ("param", "conditional")}
    for element in elements:
        name = element.get("name") or element.get("argument", "").lstrip("-").replace("-", "_")
        test = by_name.pop(name, None)
        if element.tag == "conditional":
            inner = list(test) if test is not None else []
            first = element.find("param")
            key = first.get("name") or first.get("argument").lstrip("-")
            chooser = galaxy_inputs([first], [e for e in inner if e.get("name") == key], files)
            (when,) = [when for when in element.findall("when") if when.get("value") == chooser[key]]
            values[name] = {**chooser, **galaxy_inputs(list(when), [e for e in inner if e.get("name") != key], files)}
            continue
        kind = element.get("type")
        if kind == "data":
            assert test is not None, f"no data for {name}"
            data = [Value(files / file) for file in test.get("value").split(",")]
            values[name] = data if element.get("multiple") else data[0]
        elif kind == "boolean":
            is_true = (test.get("value") if test is not None else element.get("checked")) == "true"
            values[name] = element.get("truevalue" if is_true else "falsevalue")
        elif kind == "select" and element.find("option") is not None:
            options = {option.get("value"): option.get("selected") for option in element.findall("option")}
            values[name] = test.get("value") if test is not None else [v for v, selected in options.items() if selected][0]
            assert values[name] in options, values[name]
        else:
            values[name] = test.get("value") if test is not None else element.get("value", "")
            assert values[name] or element.get("optional"), f"no value for {name}"
    assert not by_name, f"the tool has no {list(by_name)}"
    return values


def galaxy_render(tool, values, outputs):
    from Cheetah.Template import Template

    text = tool.find("command").text
    return str(Template(text, searchList=[{**values, **outputs, "os": os}])).strip().replace("\n", " ")


def galaxy_check(tool):
    """Renders and runs each test of a tool, and looks at its outputs."""
    root = ET.parse(PACKAGING / "galaxy" / f"{tool}.xml").getroot()
    for number, test in enumerate(root.findall("tests/test")):
        folder = fresh(f"{tool}-{number}")
        given = [e for e in test if e.tag != "output"]
        shutil.copytree(PACKAGING / "galaxy/test-data", folder / "data")  # links become files, as in an upload
        values = galaxy_inputs(list(root.find("inputs")), given, folder / "data")
        made = {}
        for data in root.findall("outputs/data"):
            condition = data.findtext("filter")
            if condition is None or eval(condition, {}, dict(values)):  # Galaxy evaluates it, too
                made[data.get("name")] = folder / f"{data.get('name')}.dat"
                made[data.get("name")].touch()
        assert len(made) == int(test.get("expect_num_outputs")), made
        run(galaxy_render(root, values, made), folder)
        for output in test.findall("output"):
            content = made[output.get("name")].read_text()
            for check in output.find("assert_contents"):
                lines = content.splitlines()
                passes = {
                    "has_text": lambda c: c.get("text") in content,
                    "has_n_columns": lambda c: len(lines[0].split("\t")) == int(c.get("n")),
                    "has_n_lines": lambda c: len(lines) == int(c.get("n")),
                    "has_line_matching": lambda c: any(re.fullmatch(c.get("expression"), line) for line in lines),
                }[check.tag](check)
                assert passes, f"test {number}, {output.get('name')}: {check.tag} {check.attrib}\n{content[:500]}"
    return root


def galaxy_blastp():
    """The tests of the wrapper of blastp, and a search in a database."""
    root = galaxy_check("tamis_blastp")
    folder = fresh("galaxy-db")
    db = database(folder)
    given = list(root.find("tests/test"))
    values = galaxy_inputs(list(root.find("inputs")), [e for e in given if e.tag != "output"], PACKAGING / "galaxy/test-data")
    fields = SimpleNamespace(fields=SimpleNamespace(path=str(db / "db")))
    run(galaxy_render(root, {**values, "db": {"where": "cached", "database": fields}}, {"hits": folder / "hits"}), folder)
    (folder / "blastdb").mkdir()
    for file in db.iterdir():
        (folder / "blastdb" / f"blastdb{file.suffix}").symlink_to(file)
    history = SimpleNamespace(extra_files_path=str(folder / "blastdb"))
    run(galaxy_render(root, {**values, "db": {"where": "history", "database": history}}, {"hits": folder / "hits2"}), folder)
    assert "NP_311567.1" in (folder / "hits").read_text() and (folder / "hits").read_text() == (folder / "hits2").read_text()
    knows("blastp", root.find("command").text)
    arguments = [e.get("argument") for e in root.iter("param") if e.get("argument")]
    knows("blastp", "\n".join(arguments))


def galaxy_classify():
    """The tests of the wrapper of classify."""
    root = galaxy_check("tamis_classify")
    text = root.find("command").text
    knows("classify", text[text.index("tamis classify") :].replace("--$action", "--keep --remove"))


# ---- Snakemake ---------------------------------------------------------------------------------------------------------------------------


def snakemake():
    """The wrappers' own examples, one after the other, in one workflow."""
    folder = fresh("snakemake")
    text = ""
    for name in ("makedb", "blastp", "classify"):
        example = (PACKAGING / "snakemake/tamis" / name / "test/Snakefile").read_text()
        assert f'"master/bio/tamis/{name}"' in example
        text += example.replace("master/bio/", f"file:{PACKAGING}/snakemake/") + "\n\n"
        script = (PACKAGING / "snakemake/tamis" / name / "wrapper.py").read_text()
        knows(name, script.replace('f"--{kind}"', "--summary --json --kreport --html").replace('f"--{action}"', "--keep --remove"))
    wanted = ["two_proteins.tsv", "counts/reads_a.tsv"]
    (folder / "Snakefile").write_text(text + f"rule all:\n    default_target: True\n    input: {wanted}\n")
    for name, file in (("two_proteins.fa", QUERIES), ("proteins.fa.gz", PROTEINS), ("reads_a.fa", READS), ("k12.fa", GENOME)):
        (folder / name).symlink_to(file)
    run(f"{shlex.quote(os.environ['SNAKEMAKE'])} --cores 2", folder, HOME=str(WORK))
    assert len((folder / "two_proteins.tsv").read_text().splitlines()[0].split("\t")) == 14
    assert "k12\t154\t" in (folder / "counts/reads_a.tsv").read_text()
    assert run("zcat clean/reads_a.fa.gz | grep -c '>'", folder) == "76\n"


# ---- containers --------------------------------------------------------------------------------------------------------------------------


def containers():
    """The files and commands of the Dockerfile and of the Apptainer definition; ./dev release has the archives."""
    docker, apptainer = (PACKAGING / "Dockerfile").read_text(), (PACKAGING / "tamis.def").read_text()
    for text in (docker, apptainer):
        assert f"tamis-{VERSION}-linux-x86_64.tar.gz" in text
        assert set(re.findall(r"\d+\.\d+\.\d+", text)) == {VERSION}
    assert f"tamis-{VERSION}-linux-aarch64.tar.gz" in docker
    folder = fresh("containers")
    first, start, arguments = (json.loads(re.search(rf"^{word} (\[.*\])$", docker, re.M)[1]) for word in ("RUN", "ENTRYPOINT", "CMD"))
    run(shlex.join(first), folder)
    assert run(shlex.join(start + arguments), folder).startswith("Usage: tamis")
    test = re.search(r"^%test\n((?:    .*\n)+)", apptainer, re.M)[1]
    run(test, folder, PATH=f"{WORK / 'bin'}:{folder_of_links()}:{os.environ['PATH']}")


def folder_of_links():
    run(f"tamis links {shlex.quote(str(WORK / 'links'))}", WORK)
    return WORK / "links"


def versions():
    """Every recipe is of this version of tamis."""
    for file in sorted(PACKAGING.rglob("*")):
        if file.name in ("environment.yml", "environment.yaml", "macros.xml", "main.nf"):
            assert re.findall(r"(?<=tamis[ =:]=)[\d.]+|(?<=tamis=)[\d.]+|(?<=VERSION@\">)[\d.]+|(?<=/tamis:)[\d.]+(?=-)", file.read_text()), file
        if file.is_file() and not file.is_symlink() and file.suffix in (".yml", ".yaml", ".nf", ".xml", ".def"):
            found = set(re.findall(r"\b0\.\d+\.\d+\b", file.read_text()))
            assert found <= {VERSION}, f"{file}: {found}"


KINDS = {
    "bioconda": [bioconda_fields, bioconda_commands],
    "containers": [containers],
    "galaxy": [galaxy_blastp, galaxy_classify],
    "nf-core": [nf_core_modules],
    "snakemake": [snakemake],
}


def main():
    WORK.mkdir(parents=True)
    (WORK / "bin").mkdir()
    (WORK / "bin/tamis").symlink_to(TAMIS)
    tests = [versions] + [test for kind in (sys.argv[3:] or KINDS) for test in KINDS[kind]]
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test()
            print(f"ok {number} - recipes: {test.__name__}", flush=True)
        except Exception:  # any failure is a failed test
            failed += 1
            print(f"not ok {number} - recipes: {test.__name__}")
            print("".join(f"# {line}\n" for line in traceback.format_exc().splitlines()), flush=True)
    print(f"1..{len(tests)}")
    sys.exit(failed > 0)


main()
