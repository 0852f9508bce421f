"""Measures what hsweep adds to the time of the questions themselves, and what two processes gain.

All times are of the wall clock. The same questions are also asked by running the tools one after the other, on a part
of the scenarios.
"""

import json
import pathlib
import statistics
import subprocess
import tempfile
import time

import unbalanced

SCENARIOS = 2000
RUNS = 3
PROGRAMS = 200  # that are run one after the other
HEADINGS = [("sweep of", 30), ("scenarios", 9), ("one process", 11), ("two processes", 13), ("gain", 5),
            ("each", 8), ("each as programs", 16)]


def generate(scenarios):
    """Returns a study of so many scenarios."""
    return json.dumps({"schema": "htools.study/1", "clusters": [{"simulate": "p,4,1t,64g,16"}],
                       "questions": ["hplan"], "seeds": list(range(1, scenarios + 1))})


def _studies():
    """Names of studies, their questions, and the number of nodes of their cluster."""
    yield "small questions", "hcheck --no-simulation", 2, SCENARIOS
    yield "questions of a tenth of a second", "hplan --effort=3 --unlimited", 20, SCENARIOS // 20


def _seconds(command, folder):
    start = time.monotonic()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.monotonic() - start


def _measure(folder, tools, question, nodes, count):
    (folder / "cluster.data").write_text(unbalanced.generate(nodes))
    tags = [[f"tag-node=node000{node}.example.com:t{number}" for number in range(size)]
            for node, size in ((0, count // 20), (1, 20))]
    study = {"schema": "htools.study/1", "clusters": ["cluster.data"], "changes": tags, "questions": [question]}
    (folder / "study.json").write_text(json.dumps(study))
    with open(folder / "scenarios", "wb") as out:
        subprocess.run([tools / "hsweep", "expand", "study.json"], cwd=folder, check=True, stdout=out)
    one, two = (statistics.median(_seconds([tools / "hsweep", "run", "scenarios", "-j", jobs], folder)
                                  for _ in range(RUNS)) for jobs in ("1", "2"))
    tool, *options = question.split()
    programs = min(PROGRAMS, count)
    start = time.monotonic()
    for number in range(programs):
        change = f"--tag-node=node0000.example.com:t{number}"
        changed = subprocess.run([tools / "hwhatif", "-q", "-t", "cluster.data", change], cwd=folder, check=True,
                                 capture_output=True).stdout
        subprocess.run([tools / tool, "-t", "-", "--json", *options], cwd=folder, check=False, input=changed,
                       stdout=subprocess.DEVNULL)
    return one, two, (time.monotonic() - start) / programs


def measure(tools, table):
    """Adds a row for each study."""
    for name, question, nodes, count in _studies():
        with tempfile.TemporaryDirectory() as directory:
            one, two, program = _measure(pathlib.Path(directory), tools, question, nodes, count)
        table.row([name, str(count), f"{one:.2f} s", f"{two:.2f} s", f"{one / two:.2f}", f"{1000 * one / count:.2f} ms",
                   f"{1000 * program:.2f} ms"])
