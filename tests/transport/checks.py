"""Runs a tool, and the reference where it is installed, and tells what is not as it should be."""

import os
import pathlib
import subprocess

REFERENCE_DIRS = (pathlib.Path("/usr/bin"), pathlib.Path("/usr/lib/ganeti/iallocators"))
REFERENCE_VERSION = "version 3.0.2"
LIMIT = 300  # seconds for a tool
PROXIES = ("http_proxy", "https_proxy", "all_proxy", "no_proxy")


class Checks:
    def __init__(self, tool_dir, directory):
        self.tool_dir, self.directory = tool_dir, directory
        self.passed = self.failed = 0
        self.environment = {k: v for k, v in os.environ.items() if k.lower() not in PROXIES}
        self.references = {tool: path for tool in ("hinfo", "hbal", "hail", "hscan") if (path := self._reference(tool))}

    def _reference(self, tool):
        for path in (directory / tool for directory in REFERENCE_DIRS):
            if path.exists() and REFERENCE_VERSION in self._run(path, ["--version"]).stdout:
                return path
        return None

    def _run(self, path, words, **variables):
        return subprocess.run([path, *words], capture_output=True, text=True, encoding="utf-8", timeout=LIMIT, check=False,
                              cwd=self.directory, stdin=subprocess.DEVNULL, env={**self.environment, **variables})

    def report(self, title, problem):
        if problem:
            self.failed += 1
            print(f"FAILED: {title}\n{problem}", flush=True)
        else:
            self.passed += 1
            print(f"passed: {title}", flush=True)

    def run(self, words, **variables):
        return self._run(self.tool_dir / words[0], words[1:], **variables)

    def answers(self, title, words, out=None, err=None, status=0, same=True, **variables):
        """Checks what a command answers; None for what does not matter. `same`: the reference answers the same."""
        done = self.run(words, **variables)
        expected = (done.stdout if out is None else out, done.stderr if err is None else err, status)
        got = (done.stdout, done.stderr, done.returncode)
        self.report(title, "" if got == expected else f"expected: {expected}\ngot:      {got}")
        if same and words[0] in self.references:
            theirs = self._run(self.references[words[0]], words[1:])
            def shown(outcome):  # errors have words of their own
                return outcome.stdout, outcome.returncode, "" if status else outcome.stderr.partition("\n")[0]
            ours, wanted = shown(done), shown(theirs)
            self.report(f"{title}: same as the reference",
                        "" if ours == wanted else f"reference: {wanted}\nhere:      {ours}")

    def fails(self, title, words, error, **others):
        """Status 1, nothing on standard output, and this on standard error."""
        self.answers(title, words, out="", err=f"Error: {error}\n", status=1, **others)
