"""Runs tools that ask the stand-in for Ganeti's daemon, and the reference's where they are installed."""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import fake_luxi
from fake_luxi import Server

ROOT = pathlib.Path(__file__).resolve().parents[2]
REFERENCE = pathlib.Path("/usr/bin")  # Debian's package ganeti-htools
REFERENCE_VERSION = "version 3.0.2"
LIMIT = 60  # seconds for a tool


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, title, problems):
        if problems:
            self.failed += 1
            print(f"FAILED: {title}\n  " + "\n  ".join(problems), flush=True)
        else:
            self.passed += 1


def is_reference():
    tool = REFERENCE / "hinfo"
    if not tool.exists():
        return False
    done = subprocess.run([tool, "--version"], capture_output=True, text=True, check=False)
    return REFERENCE_VERSION in done.stdout


class Bench:
    """Runs tools against servers."""

    def __init__(self, directory, tool_dir, compared, report):
        self.directory, self.tool_dir, self.compared, self.report = directory, tool_dir, compared, report
        self.socket = directory / "socket"

    def run(self, tool_dir, words, environment=None):
        command = [str(tool_dir / words[0]), *words[1:]]
        return subprocess.run(command, capture_output=True, cwd=self.directory, timeout=LIMIT, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8", **(environment or {})})

    def both(self, words, environment=None, server=None):
        """Our outcome, the problems in comparison with the reference's, and our requests."""
        outcomes, requests = [], []
        for tool_dir in [self.tool_dir] + ([REFERENCE] if self.compared else []):
            if server:
                with Server(self.socket, **server) as running:
                    outcomes.append(self.run(tool_dir, words, environment))
                requests.append(running.requests)
            else:
                outcomes.append(self.run(tool_dir, words, environment))
        ours, theirs = outcomes[0], outcomes[-1]
        problems = []
        if ours.returncode != theirs.returncode:
            problems.append(f"status {ours.returncode}, not {theirs.returncode} (reference: {theirs.stderr.decode()})")
        if ours.stdout != theirs.stdout:
            problems.append(f"standard output: {ours.stdout.decode()}\nreference: {theirs.stdout.decode()}")
        if requests and requests[0] != requests[-1]:
            problems.append(f"requests: {requests[0]}\nreference: {requests[-1]}")
        return ours, problems, requests[0] if requests else []

    def good(self, title, server, words=("hinfo", "-LSOCKET"), status=0):
        words = [word.replace("SOCKET", str(self.socket)) for word in words]
        outcome, problems, requests = self.both(words, server=server)
        if outcome.returncode != status:
            problems.append(f"status {outcome.returncode}: {outcome.stderr.decode()}")
        if [json.loads(request) for request in requests] != fake_luxi.REQUESTS:
            problems.append(f"requests: {requests}")
        self.report(title, problems)

    def bad(self, title, server, message, words=("hinfo", "-LSOCKET"), environment=None):
        words = [word.replace("SOCKET", str(self.socket)) for word in words]
        outcome, problems, _ = self.both(words, environment, server)
        first = "Error: " + message
        if not outcome.stderr.decode().startswith(first):
            problems.append(f"message: {outcome.stderr.decode()!r}\n  wanted: {first!r}")
        if outcome.returncode != 1 or outcome.stdout:
            problems.append(f"status {outcome.returncode}: {outcome.stdout.decode()}")
        self.report(title, problems)


def main(description, checks):
    """Does the checks, each called with a bench. Returns the status for the system."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool-dir", type=pathlib.Path, default=ROOT / "build" / "bin", help="directory of the tools")
    parser.add_argument("--alone", action="store_true", help="do not compare with the reference")
    arguments = parser.parse_args()
    report = Report()
    compared = not arguments.alone and is_reference()
    # Names of sockets must be short.
    with tempfile.TemporaryDirectory(prefix="luxi-", dir="/tmp") as name:
        bench = Bench(pathlib.Path(name), arguments.tool_dir.resolve(), compared, report)
        for check in checks:
            check(bench)
    print(f"{report.passed} passed, {report.failed} failed" + ("" if compared else " (not compared with the reference)"))
    return 1 if report.failed else 0
