"""Runs unit tests with a mutant: those that reach it, the quick ones of its own room first, until one fails."""

import concurrent.futures
import dataclasses
import os
import pathlib
import subprocess
import tempfile
import time

import schemata

JOBS = 2
# A test that takes so many times as long as without a mutant, and so many seconds more, will not end.
SLOWER, SECONDS_MORE = 4, 4
KILLED, TIMED_OUT, SURVIVED, NOT_REACHED = "killed", "killed by the time limit", "survived", "not reached by any test"


@dataclasses.dataclass
class TestFile:
    """What a file of unit tests does without a mutant."""
    path: str  # ROOM/NAME.cpp
    seconds: float
    reached: frozenset  # numbers of mutants

    @property
    def room(self):
        return self.path.partition("/")[0]


@dataclasses.dataclass
class Outcome:
    """What happened to a mutant, and the tests that decided it."""
    mutant: schemata.Mutant
    end: str
    test: str = ""  # the file that killed it

    @property
    def survived(self):
        return self.end in (SURVIVED, NOT_REACHED)


def command(test):
    return [schemata.PROGRAM, f"--source-file=*/tests/unit/{test}", "--abort-after=1", "--no-breaks"]


def environment(**more):
    return os.environ | {name: str(value) for name, value in more.items()}


def measured(test):
    """Runs a file of tests without a mutant, and sees how long it takes and which mutants it reaches."""
    with tempfile.NamedTemporaryFile("r") as reached:
        begin = time.monotonic()
        run = subprocess.run(command(test), check=False, cwd=schemata.BUILD, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, env=environment(HTOOLS_MUTANTS_REACHED=reached.name))
        seconds = time.monotonic() - begin
        if run.returncode != 0:
            raise RuntimeError(f"{test} fails without a mutant:\n{run.stdout.decode()[-2000:]}")
        return TestFile(test, seconds, frozenset(int(number) for number in reached.read().split()))


def all_tests():
    """All files of unit tests, quick ones first."""
    folder = schemata.ROOT / "tests" / "unit"
    with concurrent.futures.ThreadPoolExecutor(max_workers=JOBS) as pool:
        files = pool.map(measured, sorted(str(path.relative_to(folder)) for path in folder.glob("*/*.cpp")))
        return sorted(files, key=lambda test: test.seconds)


def outcome(mutant, tests):
    """Runs the tests of the mutant's room, then those of other rooms."""
    reaching = [test for test in tests if mutant.number in test.reached]
    for test in sorted(reaching, key=lambda test: test.room != mutant.room):
        try:
            run = subprocess.run(command(test.path), check=False, cwd=schemata.BUILD, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, env=environment(HTOOLS_MUTANT=mutant.number),
                                 timeout=SLOWER * test.seconds + SECONDS_MORE)
        except subprocess.TimeoutExpired:
            return Outcome(mutant, TIMED_OUT, test.path)
        if run.returncode != 0:
            return Outcome(mutant, KILLED, test.path)
    return Outcome(mutant, SURVIVED if reaching else NOT_REACHED)


def outcomes(mutants, tests):
    """The outcomes of the mutants, in the order in which they become known."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=JOBS) as pool:
        for run in concurrent.futures.as_completed([pool.submit(outcome, mutant, tests) for mutant in mutants]):
            yield run.result()
