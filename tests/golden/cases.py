"""Golden cases: reading and writing case files, running their commands, comparing the answers."""

import difflib
import os
import pathlib
import shlex
import signal
import subprocess
import tempfile

from expressions import DATA, NAMES, data

HERE = pathlib.Path(__file__).resolve().parent
MEMORY_LIMIT = 2 << 30
NO_NEWLINE = "\\ no final newline"


class CaseError(Exception):
    """A case file that does not follow the rules."""


def to_text(content):
    return content.decode("utf-8", "backslashreplace")


class Run:
    """One command with the inputs named above it and what is expected."""

    def __init__(self, command, inputs):
        self.command = command  # the line as written
        self.inputs = dict(inputs)  # name -> bytes, or a kind
        self.before = []  # lines above the command
        self.limit = 20
        self.stdout = []  # lines
        self.stderr = []
        self.stdout_contains = []
        self.stderr_contains = []
        self.files = {}  # name -> lines
        self.status = 0

    def words(self):
        if self.command.startswith("$="):
            return [str(w) for w in eval(self.command[2:], dict(NAMES))]
        return shlex.split(self.command[1:])


class Answer:
    def __init__(self, status, stdout, stderr, files):
        self.status = status  # negative: died by that signal; None: out of time
        self.stdout = stdout
        self.stderr = stderr
        self.files = files


def parse(text):
    """Return (runs, lines after the last run)."""
    runs, before, inputs, run = [], [], {}, None
    collecting = None  # list that takes the lines after '|'
    for number, line in enumerate(text.split("\n")[:-1], 1):
        mark, _, rest = line.partition(" ")
        if line.startswith("|"):
            if collecting is None:
                raise CaseError(f"line {number}: content without a file")
            collecting.append(line[1:])
            if run is None:
                before.append(line)
            continue
        if mark in ("", "#", "input", "directory", "unreadable"):
            if run is not None:
                runs.append(run)
                run, before = None, []
            before.append(line)
            collecting = None
            if mark == "input":
                name, equal, expression = rest.partition(" = ")
                if equal:
                    inputs[name] = ("expression", expression)
                else:
                    collecting = []
                    inputs[name] = ("lines", collecting)
            elif mark in ("directory", "unreadable"):
                inputs[rest] = (mark, None)
        elif mark in ("$", "$="):
            if run is not None:
                runs.append(run)
                before = []
            run = Run(line, inputs)
            run.before, before, collecting = before, [], None
        elif run is None:
            raise CaseError(f"line {number}: '{line}' without a command")
        elif mark == ">":
            run.stdout.append(rest)
        elif mark == "!":
            run.stderr.append(rest)
        elif mark == ">~":
            run.stdout_contains.append(rest)
        elif mark == "!~":
            run.stderr_contains.append(rest)
        elif mark == "+":
            collecting = run.files[rest] = []
        elif mark == "=":
            run.status = int(rest)
        elif mark == "limit":
            run.limit = int(rest)
        else:
            raise CaseError(f"line {number}: unknown mark '{mark}'")
    if run is not None:
        runs.append(run)
        before = []
    return runs, before


def format_run(run):
    lines = list(run.before) + [run.command]
    if run.limit != 20:
        lines.append(f"limit {run.limit}")
    lines += [f">~ {t}" for t in run.stdout_contains]
    lines += [f"> {t}" if t else ">" for t in run.stdout]
    lines += [f"!~ {t}" for t in run.stderr_contains]
    lines += [f"! {t}" if t else "!" for t in run.stderr]
    for name, content in run.files.items():
        lines += [f"+ {name}"] + ["|" + t for t in content]
    if run.status:
        lines.append(f"= {run.status}")
    return lines


def content_of(name, kind, value):
    """Bytes of an input file."""
    if kind == "lines":
        text = "".join(line + "\n" for line in value) if value else data(name)
    elif kind == "expression":
        text = eval(value, dict(NAMES))
    else:
        text = ""
    return text if isinstance(text, bytes) else text.encode("utf-8")


def needs_user(run):
    return any(kind == "unreadable" for kind, _ in run.inputs.values())


def place_inputs(run, directory):
    for name, (kind, value) in run.inputs.items():
        path = directory / name
        if kind == "directory":
            path.mkdir()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content_of(name, kind, value))
            if kind == "unreadable":
                path.chmod(0)


def limits(seconds, memory):
    """The words of a command that runs another one under limits. To set them between fork and exec, Python would have to
    copy itself for each command, which takes twice as long."""
    return ["prlimit", "--core=0", f"--cpu={seconds}:{seconds + 5}", *([f"--as={memory}"] if memory else [])]


def execute(words, directory, tool_dir, limit, memory=None, wrapper=()):
    """Run the words, after those of the wrapper, in the directory and collect the answer; files that it did not change are
    not part of it. Words that end with "<" and a name make that file standard input. The limit is in seconds of processor
    time; other work on the machine may make the run ten times longer."""
    environment = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"}
    words = list(words)
    source = b""
    if words[-2:-1] == ["<"]:
        source = (directory / words.pop()).read_bytes()
        words.pop()
    while "=" in words[0]:
        name, _, value = words.pop(0).partition("=")
        environment[name] = value
    words = [*limits(limit, memory), *wrapper, str(pathlib.Path(tool_dir).resolve() / words[0]), *words[1:]]
    before = _files(directory)
    try:
        done = subprocess.run(words, cwd=directory, env=environment, input=source, capture_output=True,
                              timeout=10 * limit, check=False)
        status = None if done.returncode == -signal.SIGXCPU else done.returncode
        stdout, stderr = done.stdout, done.stderr
    except subprocess.TimeoutExpired as late:
        status, stdout, stderr = None, late.stdout or b"", late.stderr or b""
    files = {name: content for name, content in _files(directory).items() if before.get(name) != content}
    return Answer(status, stdout, stderr, files)


def _files(directory):
    """Names and contents of the files in the directory and below."""
    return {str(p.relative_to(directory)): p.read_bytes() for p in sorted(directory.rglob("*"))
            if p.is_file() and os.access(p, os.R_OK)}


def answer(run, tool_dir, limit=None, memory=MEMORY_LIMIT, wrapper=()):
    with tempfile.TemporaryDirectory(prefix="golden-") as name:
        directory = pathlib.Path(name)
        place_inputs(run, directory)
        return execute(run.words(), directory, tool_dir, limit or run.limit, memory, wrapper)


def lines_of(content):
    """Lines of an output; a missing final newline becomes a line of its own."""
    lines = to_text(content).split("\n")
    if lines[-1]:
        return lines + [NO_NEWLINE]
    return lines[:-1]


def _differences(title, expected, found):
    if expected == found:
        return []
    return list(difflib.unified_diff(expected, found, f"{title}, expected", f"{title}, found", lineterm="", n=2))


def compare(run, found, only_decisions=False):
    """Return the lines that tell the differences; only_decisions leaves standard error and files out."""
    out = []
    if found.status is None:
        return [f"not finished in {run.limit} seconds of processor time"]
    if found.status != run.status:
        out.append(f"exit status: expected {run.status}, found {found.status}")
    stdout, stderr = lines_of(found.stdout), lines_of(found.stderr)
    if run.stdout_contains:
        out += [f"standard output does not contain: {t}" for t in run.stdout_contains if t not in "\n".join(stdout)]
    else:
        out += _differences("standard output", run.stdout, stdout)
    if only_decisions:
        return out
    if run.stderr_contains:
        out += [f"standard error does not contain: {t}" for t in run.stderr_contains if t not in "\n".join(stderr)]
        if any(t not in "\n".join(stderr) for t in run.stderr_contains):
            out += stderr[:10]
    else:
        out += _differences("standard error", run.stderr, stderr)
    for name in sorted(run.files.keys() | found.files.keys()):
        if name not in run.files:
            out.append(f"file written that is not expected: {name}")
        elif name not in found.files:
            out.append(f"file not written: {name}")
        else:
            out += _differences(f"file {name}", run.files[name], lines_of(found.files[name]))
    return out


def update(run, found):
    run.status = found.status
    if not run.stdout_contains:
        run.stdout = lines_of(found.stdout)
    if not run.stderr_contains:
        run.stderr = lines_of(found.stderr)
    run.files = {name: lines_of(content) for name, content in found.files.items()}


def find(names=()):
    """Paths of all case files, or of those named (NAME or GROUP/NAME, '*' allowed)."""
    paths = sorted(HERE.glob("*/*.case"))
    if names:
        paths = [p for p in paths if any(p.match(f"{n}.case") for n in names)]
    return paths
