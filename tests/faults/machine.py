"""Runs a tool in an unfriendly world and tells what has come of it."""

import dataclasses
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import tempfile
import threading
import time

NOBODY = 65534
RUNTIME_COMPLAINTS = ("terminate called", "what():", "Assertion", "AddressSanitizer", "runtime error:", "pure virtual",
                      "malloc", "free()", "corrupted")
# What takes longer than this goes round in circles. All runs need far less, with sanitizers and on slow machines, too.
MOST_PROCESSOR_SECONDS = 120
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


@dataclasses.dataclass
class Outcome:
    words: list
    status: int  # of a signal if negative
    out: bytes
    err: bytes
    seconds: float
    processor_seconds: float  # what does not depend on other work on the machine
    peak_mib: float

    @property
    def message(self):
        return self.err.decode("utf-8", "replace")

    def __str__(self):
        words = " ".join(str(word)[:60] for word in self.words)
        return (f"{words}: status {self.status}, {self.seconds:.2f} s ({self.processor_seconds:.2f} s of a processor), "
                f"{self.peak_mib:.0f} MiB, "
                f"{len(self.out)} bytes out {self.out[-200:]!r}, err {self.err[:600]!r}")


class Running:
    """A tool that has been started. What it writes to pipes is read meanwhile."""

    def __init__(self, words, process):
        self.words, self.process, self.begin = words, process, time.monotonic()
        self.texts = {stream: [] for stream in (process.stdout, process.stderr) if stream}
        self.readers = [threading.Thread(target=lambda s=stream: self.texts[s].append(s.read())) for stream in self.texts]
        for reader in self.readers:
            reader.start()

    def ignores(self, number):
        """True if the signal has no influence any more."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii", errors="replace")
        return bool(int(re.search(r"^SigIgn:\s*([0-9a-f]+)$", status, re.MULTILINE)[1], 16) >> (number - 1) & 1)

    def has_ended(self):
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def end(self, seconds=300):
        """Waits for the end and tells what happened. What takes longer is ended by SIGKILL, which shows in the status."""
        timer = threading.Timer(seconds, self.process.kill)
        timer.start()
        _, status, usage = os.wait4(self.process.pid, 0)
        timer.cancel()
        elapsed = time.monotonic() - self.begin
        self.process.returncode = os.waitstatus_to_exitcode(status)
        for reader in self.readers:
            reader.join()
        return Outcome(self.words, self.process.returncode, self._text(self.process.stdout),
                       self._text(self.process.stderr), elapsed, usage.ru_utime + usage.ru_stime,
                       usage.ru_maxrss / 1024)

    def _text(self, stream):
        if stream is None:
            return b""
        stream.close()
        return b"".join(self.texts[stream])


class Machine:
    """Makes directories and runs tools in them. `passed` and `failed` count what was found."""

    def __init__(self, tool_dir, directory):
        self.tool_dir, self.directory = tool_dir, directory
        self.memory_limits, self.allocation_fault, self.allocation_step = True, None, 1
        self.passed = self.failed = self.skipped = 0
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # of the tools, which inherit it
        self.is_root = os.geteuid() == 0
        self.environment = {k: v for k, v in os.environ.items() if k.lower() not in (*PROXIES, "htools")}

    def report(self, title, problem):
        if problem:
            self.failed += 1
            print(f"FAILED: {title}\n    {problem}", flush=True)
        else:
            self.passed += 1

    def skip(self, title, why):
        self.skipped += 1
        print(f"skipped: {title}: {why}", flush=True)

    def folder(self):
        """A new directory where anybody may write."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.directory))
        folder.chmod(0o777)
        return folder

    def start(self, words, cwd, *, limits=(), user=None, closed=(), program=None, **how):
        """`limits`: pairs of a resource and its bound. `closed`: streams that are closed. What else there is goes to
        Popen; without it the streams are read, and the input is empty."""

        def prepare():
            for kind, bound in limits:
                resource.setrlimit(kind, (bound, bound))
            for stream in closed:
                os.close(stream)

        how = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE,
               "env": self.environment} | how
        if user is not None:
            how |= {"user": user, "group": user, "extra_groups": []}
        return Running(words, subprocess.Popen(words, executable=program or self.tool_dir / words[0], cwd=cwd,
                                               preexec_fn=prepare if limits or closed else None, **how))

    def run(self, words, cwd, seconds=300, **how):
        return self.start(words, cwd, **how).end(seconds)

    def check(self, title, outcome, statuses=(0, 1), folder=None, says="", silent=False, **others):
        """Reports what is wrong: a crash, another status than these, a failure without a message or with one that says
        something else, too much time or memory, a temporary file that is left in `folder`. `silent`: there is no
        message at all."""
        found = list(self.problems(outcome, statuses, folder, says, silent, **others))
        self.report(title, "\n    ".join([*found, str(outcome)]) if found else "")
        return not found

    def problems(self, outcome, statuses, folder=None, says="", silent=False, most_mib=None):
        if outcome.status < 0 and outcome.status not in statuses:
            yield f"ended by {signal.Signals(-outcome.status).name}"
        elif outcome.status not in statuses:
            yield f"the status is none of {statuses}"
        for words in RUNTIME_COMPLAINTS:
            if words in outcome.message:
                yield f"the runtime complains: {words}"
        if silent and outcome.err:
            yield "there is a message"
        if says not in outcome.message:
            yield f"the message does not say: {says}"
        if outcome.status == 1 and not silent and not outcome.err and outcome.words[0] != "hcheck":
            yield "there is no message"
        if most_mib and self.memory_limits and outcome.peak_mib > most_mib:
            yield f"more than {most_mib} MiB"
        if outcome.processor_seconds > MOST_PROCESSOR_SECONDS:
            yield f"more than {MOST_PROCESSOR_SECONDS} s of a processor"
        if folder:
            yield from (f"left behind: {path}" for path in left_behind(folder))


def left_behind(folder):
    return [entry.path for entry in (os.scandir(folder) if os.path.isdir(folder) else ()) if entry.name.startswith(".htools")]


class SmallDisk:
    """A file system of its own in a directory, of so many KiB. Needs root."""

    def __init__(self, path, kib):
        self.path = path
        path.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kib}k,mode=777", "none", path], check=True,
                       capture_output=True)

    def __enter__(self):
        return self.path

    def __exit__(self, *_):
        subprocess.run(["umount", "-l", self.path], check=True, capture_output=True)
        shutil.rmtree(self.path, ignore_errors=True)
