"""Runs unit tests with a mutant: those that reach it, the quick ones of its own room first, until one fails."""

import concurrent.futures
import dataclasses
import os
import pathlib
import signal
import subprocess
import tempfile

import schemata

# A test that needs so many times as much of the processor as without a mutant, and so many seconds more, will not end.
# Time that passes would not tell: other programs may keep the processors busy.
SLOWER, SECONDS_MORE = 4, 4
# A test that waits for what never happens ends after so many seconds. A mutant that takes ever more memory fails.
LONGEST_WAIT = 900
MOST_MEMORY = 4 << 30  # bytes
KILLED, TIMED_OUT, SURVIVED, NOT_REACHED = "killed", "killed by the time limit", "survived", "not reached by any test"


@dataclasses.dataclass
class TestFile:
    """What a file of unit tests does without a mutant."""
    path: str  # ROOM/NAME.cpp
    seconds: float  # of processors
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


def limits(test):
    """The start of a command line that limits what a test may use."""
    seconds = int(SLOWER * test.seconds + SECONDS_MORE)
    return ["prlimit", f"--cpu={seconds}:{seconds + 1}", f"--as={MOST_MEMORY}"]


def environment(**more):
    return os.environ | {name: str(value) for name, value in more.items()}


def measured(test):
    """Runs a file of tests without a mutant, and sees how long it takes and which mutants it reaches."""
    with tempfile.NamedTemporaryFile("r") as reached, tempfile.TemporaryFile("w+") as output:
        with subprocess.Popen(command(test), cwd=schemata.BUILD, stdout=output, stderr=output,
                              env=environment(HTOOLS_MUTANTS_REACHED=reached.name)) as process:
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            output.seek(0)
            raise RuntimeError(f"{test} fails without a mutant:\n{output.read()[-2000:]}")
        return TestFile(test, usage.ru_utime + usage.ru_stime,
                        frozenset(int(number) for number in reached.read().split()))


def all_tests(jobs):
    """All files of unit tests, quick ones first."""
    folder = schemata.ROOT / "tests" / "unit"
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        files = pool.map(measured, sorted(str(path.relative_to(folder)) for path in folder.glob("*/*.cpp")))
        return sorted(files, key=lambda test: test.seconds)


def outcome(mutant, tests):
    """Runs the tests of the mutant's room, then those of other rooms."""
    reaching = [test for test in tests if mutant.number in test.reached]
    for test in sorted(reaching, key=lambda test: test.room != mutant.room):
        try:
            run = subprocess.run([*limits(test), *command(test.path)], check=False, cwd=schemata.BUILD,
                                 stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LONGEST_WAIT,
                                 env=environment(HTOOLS_MUTANT=mutant.number))
        except subprocess.TimeoutExpired:
            return Outcome(mutant, TIMED_OUT, test.path)
        if run.returncode != 0:
            return Outcome(mutant, TIMED_OUT if run.returncode == -signal.SIGXCPU else KILLED, test.path)
    return Outcome(mutant, SURVIVED if reaching else NOT_REACHED)


def outcomes(mutants, tests, jobs):
    """The outcomes of the mutants, in the order in which they become known."""
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        for run in concurrent.futures.as_completed([pool.submit(outcome, mutant, tests) for mutant in mutants]):
            yield run.result()
