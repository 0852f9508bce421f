"""Counts the instructions that a command takes, in user space, by valgrind's cachegrind."""

import re
import shutil
import subprocess
import tempfile


class Count:
    """The number of instructions, and what the command answered: exit status and standard output."""

    def __init__(self, number, answer):
        self.number = number
        self.answer = answer


def available():
    return shutil.which("valgrind") is not None


def count(command, timeout=None):
    with tempfile.NamedTemporaryFile("r", encoding="utf-8") as log:
        done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
                               f"--log-file={log.name}", *command],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=timeout,
                              check=False)
        report = log.read()
    found = re.search(r"I\s+refs:\s+([0-9,]+)", report)
    if not found:
        raise RuntimeError(f"valgrind counted nothing for {' '.join(command)}:\n{report}")
    return Count(int(found.group(1).replace(",", "")), (done.returncode, done.stdout))
