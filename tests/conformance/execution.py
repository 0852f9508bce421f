"""Runs a program on a case and records everything it left behind."""

import os
import pathlib
import signal
import subprocess
import tempfile
import time
from dataclasses import dataclass, field

# What the reference prints when it dies by a defect of its own.
CRASHES = ("IntMap.!", "Prelude.head", "Prelude.", "divide by zero",
           "Map.!", "fromJust", "Non-exhaustive patterns", "stack overflow",
           "heap overflow", "CallStack", "arithmetic overflow")


@dataclass
class Outcome:
    """One finished (or stopped) run."""
    status: int
    stdout: bytes
    stderr: bytes
    seconds: float
    timed_out: bool = False
    files: dict = field(default_factory=dict)

    def crash_kind(self):
        """The kind of crash, or None. Meant for the reference."""
        if self.timed_out:
            return None
        if self.status < 0:
            return "killed by " + signal.Signals(-self.status).name
        if self.status != 0:
            text = self.stderr.decode("utf-8", "replace")
            for mark in CRASHES:
                if mark in text:
                    return mark
        return None


def environment():
    """The environment of both programs: fixed locale, no tool settings."""
    result = {k: v for k, v in os.environ.items()
              if k not in ("HTOOLS", "GANETI_ROOTDIR")
              and not k.startswith("LC_")}
    result["LANG"] = result["LC_ALL"] = "C.UTF-8"
    return result


def run(program, line, inputs, timeout):
    """Run a program in a fresh directory holding only the inputs.

    `program` are the words that start it, `inputs` texts by path in the
    directory, `line` is the command line.
    """
    with tempfile.TemporaryDirectory(prefix="conformance-") as path:
        folder = pathlib.Path(path)
        for name, text in inputs.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, "utf-8")
        start = time.monotonic()
        source = folder / line.stdin if line.stdin else os.devnull
        with open(source, "rb") as stdin:
            process = subprocess.Popen(
                [*program, *line.words], cwd=folder, env=environment(),
                stdin=stdin, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True)
        timed_out = False
        try:
            stdout, stderr = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            timed_out = True
            os.killpg(process.pid, signal.SIGKILL)
            stdout, stderr = process.communicate()
        seconds = time.monotonic() - start
        found = {str(p.relative_to(folder)): p
                 for p in sorted(folder.rglob("*")) if p.is_file()}
        files = {name: p.read_bytes() for name, p in found.items()
                 if name not in inputs}
    return Outcome(process.returncode, stdout, stderr, seconds, timed_out,
                   files)
