"""What the tests of the installation and of the packages have in common."""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TOOLS = ("hail", "harep", "hbal", "hcheck", "hgrow", "himport", "hinfo", "hplan", "hreport", "hroller", "hscan",
         "hspace", "hsqueeze", "hsweep", "hwhatif", "hwhy")
# What starts hsweep on batch systems, relative to the prefix.
LAUNCHERS = {f"share/htools/sweep/{name}" for name in ("sweep.sbatch", "sweep-parallel")}
EXAMPLE = "examples/neglected.data"
GENERAL_PAGES = ("htools.7", "htools-json.7", "htools-model.7", "htools-rules.7",
                 "htools-workflows.7")
SCHEMAS = {f"share/htools/schemas/htools.{name}.json" for name in
           ("capacity", "cluster", "error", "explanation", "health", "plan", "record", "reboots", "repairs", "scan",
            "scenario", "study", "table")}


class Report:
    def __init__(self):
        self.passed = self.failed = 0

    def __call__(self, title, problem):
        if problem:
            self.failed += 1
            print(f"FAILED: {title}\n{problem}", flush=True)
        else:
            self.passed += 1

    def status(self):
        print(f"{self.passed} passed, {self.failed} failed")
        return 1 if self.failed else 0


def run(*words, **options):
    """What a command prints, or the end of the test."""
    done = subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                          stdin=subprocess.DEVNULL, **options)
    if done.returncode != 0:
        print(done.stdout)
        sys.exit(f"status {done.returncode}: {' '.join(str(w) for w in words)}")
    return done.stdout


def paths_below(folder):
    """Files and links, relative."""
    return {str(p.relative_to(folder)) for p in folder.rglob("*") if p.is_symlink() or not p.is_dir()}


def headers():
    """The public headers as programs include them."""
    public = ROOT / "libhtools" / "include"
    return sorted(str(p.relative_to(public)) for p in public.rglob("*.h"))


def examples():
    return {f"examples/{path}" for path in paths_below(ROOT / "man" / "examples")}


def library_paths(build, libdir, doc):
    """Of the library, relative to the prefix; a version of fmt that can be compiled in goes with it."""
    paths = {f"include/{h}" for h in headers()} | {f"{libdir}/{p.name}" for p in build.glob("*.a") if p.name not in ("libhtools_live.a", "libhtools_platforms.a")}
    paths |= {f"{libdir}/cmake/htools/htools{name}.cmake" for name in ("Config", "ConfigVersion", "Targets", "Targets-release")}
    embed = {f"share/doc/{doc}/examples/embed/{name}" for name in ("CMakeLists.txt", "plan.cpp")}
    return paths | embed | {f"{libdir}/pkgconfig/htools.pc"}


def difference(expected, found):
    """Empty if the two sets are equal."""
    return "".join(f"missing: {p}\n" for p in sorted(expected - found)) + "".join(
        f"not expected: {p}\n" for p in sorted(found - expected))


def unreadable_pages(mandoc, pages):
    problems = ""
    for page in pages:
        done = subprocess.run([mandoc, "-T", "ascii", page], capture_output=True, text=True, check=False)
        if done.returncode != 0 or "\nSEE ALSO" not in re.sub(".\b", "", done.stdout):
            problems += f"{page}: {done.stderr}\n"
    return problems
