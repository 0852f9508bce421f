"""Makes a copy of the project whose sources contain all their mutants, and builds its unit tests.

All mutants are in one program, and the environment chooses one at run time (mutant.h), because a build for each of
them would take days.
"""

import concurrent.futures
import dataclasses
import hashlib
import json
import pathlib
import subprocess

import places

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
FOLDER = ROOT / "build-mutants"
COPY, BUILD, PLACES = FOLDER / "source", FOLDER / "build", FOLDER / "places"
PROGRAM = BUILD / "bin" / "unit_tests"
FLAGS = ["-std=c++20", *(f"-I{ROOT / folder}" for folder in ("libhtools", "libhtools/include", ".")),
         "-isystem", "/usr/include/eigen3"]
ROOMS = ("rules", "metric", "survival", "trial", "plan", "search")
# Each source has a range of numbers of its own, so that a change of one source leaves the others as they are.
NUMBERS_PER_SOURCE = 1000
HEADER = '#include "tests/mutants/mutant.h"\n#line 1\n'


@dataclasses.dataclass(frozen=True)
class Mutant:
    number: int
    room: str
    source: str  # path in the project
    line: int
    text: str  # of the line
    change: str

    @property
    def key(self):
        """What stays the same when other lines of the source change."""
        return self.source, self.text, self.change

    def __str__(self):
        return f"{self.source}:{self.line}: {self.change}   in: {self.text}"


def sources():
    """The sources of the rooms, but for those that only the program without shortcuts runs (base/literal.h)."""
    return [path for room in ROOMS for path in sorted((ROOT / "libhtools" / room).iterdir())
            if path.suffix in (".h", ".cpp") and not path.stem.endswith("_plain")]


def found(path):
    """The places of a source. They are remembered, because clang needs seconds to read a source."""
    finder = pathlib.Path(places.__file__).read_bytes()
    memory = PLACES / hashlib.sha256(finder + str(path).encode() + path.read_bytes()).hexdigest()
    if memory.exists():
        return [places.Place(**entry) for entry in json.loads(memory.read_text())]
    result = places.find(path, FLAGS)
    PLACES.mkdir(parents=True, exist_ok=True)
    memory.write_text(json.dumps([dataclasses.asdict(place) for place in result]))
    return result


def described(path, numbered):
    """The mutants of a source. Equal changes of equal lines are told apart by their order."""
    source = path.read_bytes()
    lines = source.decode().splitlines()
    seen = {}
    for number, place in sorted(numbered, key=lambda entry: entry[1].mark):
        line = source.count(b"\n", 0, place.mark) + 1
        text = lines[line - 1].strip()
        order = seen[text, place.change] = seen.get((text, place.change), 0) + 1
        change = place.change if order == 1 else f"{place.change} ({order})"
        yield Mutant(number, path.parent.name, str(path.relative_to(ROOT)), line, text, change)


def write_changed(path, content):
    """Writes a file, unless it has this content, since that would make the build compile it again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def copy_project(jobs):
    """Brings the copy up to date, and returns the mutants in it."""
    names = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, check=True,
                           stdout=subprocess.PIPE, text=True).stdout.split("\0")[:-1]
    wanted = {COPY / name for name in names if (ROOT / name).is_file()}
    for path in COPY.rglob("*"):
        if path.is_file() and path not in wanted:
            path.unlink()
    changed = sources()
    with concurrent.futures.ProcessPoolExecutor(max_workers=jobs) as pool:
        all_places = list(pool.map(found, changed))
    mutants = []
    for index, (path, here) in enumerate(zip(changed, all_places)):
        if len(here) > NUMBERS_PER_SOURCE:
            raise RuntimeError(f"{path} has {len(here)} mutants")
        numbered = list(enumerate(here, 1 + index * NUMBERS_PER_SOURCE))
        if numbered:
            write_changed(COPY / path.relative_to(ROOT),
                          (HEADER + places.rewritten(path.read_bytes(), numbered)).encode())
            mutants += described(path, numbered)
    written = {m.source for m in mutants}
    for path in sorted(wanted):
        name = path.relative_to(COPY)
        if str(name) not in written:
            write_changed(path, (ROOT / name).read_bytes())
    return mutants


def build(jobs):
    """Builds the unit tests of the copy, in batches but for the sources with mutants (batches.cmake).

    Few optimisations save more time here than they cost when the tests run. ccache is looked for again, since it may
    have been removed.
    """
    FOLDER.mkdir(exist_ok=True)
    with open(FOLDER / "build.log", "w", encoding="utf-8") as log:
        for command in (["cmake", "-G", "Ninja", "-S", COPY, "-B", BUILD, "-DCMAKE_BUILD_TYPE=Release",
                         "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG", "-DHTOOLS_UNITY=ON", "-UHTOOLS_CCACHE",
                         f"-DCMAKE_PROJECT_htools_INCLUDE={ROOT / 'tests' / 'mutants' / 'batches.cmake'}"],
                        ["cmake", "--build", BUILD, "--target", "unit_tests", "--parallel", str(jobs)]):
            if subprocess.run(command, stdout=log, stderr=log, check=False).returncode != 0:
                raise RuntimeError(f"the build fails, see {log.name}")
