"""A case: one seed's cluster and command lines, run and compared."""

import dataclasses
import pathlib
import random
from dataclasses import dataclass

import clusters
import commands
import comparison
import double_merge
import evacuated_names
import execution
import reference
from features import ON_REQUEST
from line_builder import CommandLine
from options import CLUSTER_FILE

# Files of a kept folder that are no inputs of the case.
_NOTES = ("command", "difference")
_SIDES = ("reference.", "ours.")


@dataclass
class Case:
    tool: str
    seed: str
    cluster_text: str     # None if the command lines carry the cluster
    features: frozenset
    lines: list

    def selected(self, only):
        """The command lines that carry all the features asked for."""
        if (ON_REQUEST & self.features) - only:
            return []
        return [line for line in self.lines
                if only <= (self.features | line.features)]

    def inputs(self, line):
        """The texts, by file name, that the command line reads."""
        cluster = {} if self.cluster_text is None else {
            CLUSTER_FILE: self.cluster_text}
        return cluster | line.files


def generate(tool, seed):
    """Return the case that the seed stands for."""
    rng = random.Random(f"{tool}:{seed}")
    cluster = clusters.generate(rng, tool)
    lines = commands.COMMANDS[tool](rng, cluster)
    text = None if tool in commands.WITHOUT_FILE else cluster.text
    return Case(tool, str(seed), text, cluster.features, lines)


@dataclass
class Programs:
    """The two sides (see reference.py); `ours` may be None to measure only.

    `exact` is true if nothing may differ, because both are ours.
    """
    ours: reference.Folder
    reference: reference.Folder
    timeout: float
    exact: bool = False

    def run_reference(self, tool, line, inputs):
        return execution.run(self.reference.words(tool), line, inputs,
                             self.timeout)

    def run_ours(self, tool, line, inputs):
        return execution.run(self.ours.words(tool), line, inputs, self.timeout)


@dataclass
class Result:
    case: Case
    number: int           # of the command line in the case, from 1
    line: object
    ours: execution.Outcome
    reference: execution.Outcome
    verdict: comparison.Verdict


def run_line(case, line, programs):
    """Run one command line with both programs and compare."""
    number = next(i for i, other in enumerate(case.lines, 1) if other is line)
    inputs, tool = case.inputs(line), _tool(case, line)
    theirs = programs.run_reference(tool, line, inputs)
    ours = theirs
    if programs.ours:
        ours = programs.run_ours(tool, line, inputs)
        verdict = (comparison.compare_exactly(ours, theirs) if programs.exact
                   else _compare(case, line, ours, theirs))
        if verdict.failed and not programs.exact and _on_purpose(
                case, line, ours, theirs, programs):
            verdict = comparison.Verdict(comparison.ON_PURPOSE)
    elif theirs.timed_out:
        verdict = comparison.Verdict(comparison.REFERENCE_TIMED_OUT)
    elif theirs.crash_kind():
        verdict = comparison.Verdict(comparison.REFERENCE_CRASHED,
                                     theirs.crash_kind())
    else:
        verdict = comparison.Verdict(comparison.EQUAL)
    return Result(case, number, line, ours, theirs, verdict)


def _compare(case, line, ours, theirs):
    tool = _tool(case, line)
    return comparison.compare(
        commands.comparable(tool, ours), commands.comparable(tool, theirs),
        commands.survivable(tool))


def _tool(case, line):
    return line.tool or case.tool


def _on_purpose(case, line, ours, theirs, programs):
    """True if ours answers as the reference does where a defect of the
    reference, which ours does not copy, cannot show."""
    tool = _tool(case, line)
    text_line = double_merge.text_form(line, programs)
    if text_line:
        other = programs.run_reference(tool, text_line, case.inputs(text_line))
        return (not _compare(case, text_line, ours, other).failed
                or _wrong_names(case, line, ours, other))
    if ours.stdout == theirs.stdout:
        return False
    if _wrong_names(case, line, ours, theirs):
        return True
    inputs = commands.without_defect(tool, case.inputs(line), theirs)
    if inputs is None:
        return False
    other = programs.run_reference(tool, line, inputs)
    return comparison.same_answer(ours, other)


def _wrong_names(case, line, ours, theirs):
    return _tool(case, line) == "hroller" and evacuated_names.explain(
        line.words, ours, theirs)


def keep(result, root):
    """Write input and both outputs of a difference to a folder."""
    folder = pathlib.Path(root) / result.case.tool / (
        f"seed-{result.case.seed}-{result.number}")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.rglob("*"):
        if old.is_file():
            old.unlink()
    for name, text in result.case.inputs(result.line).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    (folder / "command").write_text(result.line.text(result.case.tool) + "\n",
                                    "utf-8")
    (folder / "difference").write_text(result.verdict.detail + "\n", "utf-8")
    for who, outcome in (("reference", result.reference),
                         ("ours", result.ours)):
        (folder / f"{who}.stdout").write_bytes(outcome.stdout)
        (folder / f"{who}.stderr").write_bytes(outcome.stderr)
        (folder / f"{who}.status").write_text(f"{outcome.status}\n")
        for name, data in outcome.files.items():
            name = name.lstrip(".").replace("/", "_")
            (folder / f"{who}.file.{name}").write_bytes(data)
    return folder


def load_kept(tool, folder):
    """Return the case of a kept folder, as it was when it was kept."""
    folder = pathlib.Path(folder)
    names = [str(path.relative_to(folder)) for path in folder.rglob("*")
             if path.is_file()]
    files = {name: (folder / name).read_text("utf-8") for name in names
             if name not in _NOTES and not name.startswith(_SIDES)}
    text = files.pop(CLUSTER_FILE, None)
    command = (folder / "command").read_text("utf-8")
    return Case(tool, folder.name, text, frozenset(),
                [CommandLine.from_text(command, files)])
