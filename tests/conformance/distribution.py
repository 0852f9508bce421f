"""Statistics of what the reference did on the generated cases.

They show whether the generator reaches the interesting places: which failure
reasons, error exits and numbers of allocations occur, and how often.
"""

import collections
import re

import distribution_hail
import distribution_hscan
import distribution_others

BUCKETS = (0, 1, 2, 5, 10, 20, 40, 60, 100)


def _bucket(value):
    below = 0
    for limit in BUCKETS:
        if value <= limit:
            return str(limit) if limit <= 2 else f"{below + 1}-{limit}"
        below = limit
    return f"more than {BUCKETS[-1]}"


def _describe_hspace(result, count):
    outcome = result.reference
    text = outcome.stdout.decode("utf-8", "replace")
    new = re.search(r"^HTS_ALLOC_INSTANCES=(\d+)", text, re.M) or re.search(
        r"^Normal \(fixed-size\).*\n  - +(\d+) inst", text, re.M)
    if new:
        count("standard instances", _bucket(int(new[1])))
    tspec = re.search(r"^HTS_TSPEC='?(.*?)'?$", text, re.M)
    tiers = None
    if tspec:
        tiers = [int(n) for n in re.findall(r"=(\d+)", tspec[1])]
    elif "Tiered allocation results" in text:
        tiers = [int(n) for n in re.findall(r"^  - +(\d+) instances of spec",
                                            text, re.M)]
    if tiers is not None:
        count("tiers", str(len(tiers)) if len(tiers) < 6 else "6 or more")
        count("tiered instances", _bucket(sum(tiers)))
    reason = re.search(r"^HTS_ALLOC_FAIL_REASON=(\w+)", text, re.M)
    if reason:
        refused = "HTS_ALLOC_FAILMEM_CNT" not in text
        count("reason (machine)", reason[1] + " refused" * refused)
        causes = re.findall(r"^HTS_ALLOC_(\w+)_CNT=[1-9]", text, re.M)
        count("causes at the end", str(len(causes)))
        for cause in causes:
            count("causes seen", cause)
    for match in re.findall(r"most likely failure reason: (\w+)", text):
        count("reason (text)", match)
    if "NaN" in text:
        count("special", "NaN in stdout")
    if "SPN " in text:
        count("special", "exclusive storage shown")
    for name in outcome.files:
        count("special", "saved file")
    if b"Warning: cluster has inconsistent" in outcome.stderr:
        count("special", "inconsistency warning")
    for mark in (b"Bad nodes", b"Bad groups", b"Stripping common suffix"):
        if mark in outcome.stderr:
            count("special", mark.decode())


# What hbal says -> what happened.
_ENDS = {
    "Cluster is empty": "no instances",
    "Nothing to do, exiting": "already balanced",
    "No solution found": "no solution",
    "Cluster score improved": "improved",
    "Final coefficients:": "improved",
}
_NOTES = {
    "is not N+1 happy": "nodes fail N+1",
    "policy-violating nodes": "nodes violate the policy",
    "NaN": "NaN in stdout",
    "Infinity": "Infinity in stdout",
    "Commands to run to reach": "commands printed",
    "First set of jobs": "commands of the first set printed",
    "commands have been written": "commands written to a file",
}
LARGE_CLUSTER, LONG_SOLUTION = 15, 20


def _describe_hbal(result, count):
    outcome = result.reference
    text = outcome.stdout.decode("utf-8", "replace")
    for mark, name in _ENDS.items():
        if mark in text:
            count("end", name)
    for mark, name in _NOTES.items():
        if mark in text:
            count("special", name)
    for warning in (b"Warning: cluster has inconsistent", b"Didn't receive",
                    b"No CPU information"):
        if warning in outcome.stderr:
            count("special", warning.decode())
    for name in outcome.files:
        count("special", "saved file " + name.rpartition(".")[2])
    group = re.search(r"^Group size (\d+) nodes, (\d+) instances", text, re.M)
    nodes = int(group[1]) if group else 0
    if group:
        count("nodes", _bucket(nodes))
        count("instances", _bucket(int(group[2])))
    moves = re.findall(r"^ +\d+\. .* a=(.*)$", text, re.M)
    length = re.search(r"^Solution length=(\d+)", text, re.M)
    steps = int(length[1]) if length else len(moves)
    if "Trying to minimize" in text:
        count("steps", _bucket(steps))
    for move in moves:
        count("moves (more than one a run)", re.sub(r":\S+", ":T", move))
    if nodes >= LARGE_CLUSTER:
        count("size", f"at least {LARGE_CLUSTER} nodes")
    if steps >= LONG_SOLUTION:
        count("size", f"at least {LONG_SOLUTION} moves")
        if nodes >= LARGE_CLUSTER:
            count("size", f"at least {LARGE_CLUSTER} nodes and "
                  f"{LONG_SOLUTION} moves")


_DESCRIBE = {"hail": distribution_hail.describe, "hbal": _describe_hbal,
             "hcheck": distribution_others.describe_hcheck,
             "hinfo": distribution_others.describe_hinfo,
             "hroller": distribution_others.describe_hroller,
             "hscan": distribution_hscan.describe,
             "hspace": _describe_hspace,
             "hsqueeze": distribution_others.describe_hsqueeze}


class Distribution:
    """Counts by category."""

    def __init__(self, tool):
        self.describe = _DESCRIBE.get(tool, lambda result, count: None)
        self.categories = collections.defaultdict(collections.Counter)
        self.slow = []
        self.seconds = 0.0
        self.runs = 0

    def add(self, result):
        outcome = result.reference
        self.runs += 1
        self.seconds += outcome.seconds
        self.slow.append((outcome.seconds, result.case.seed, result.number))
        self.slow = sorted(self.slow, reverse=True)[:12]
        self.count("seconds", self._time_bucket(outcome.seconds))
        status = "timed out" if outcome.timed_out else str(outcome.status)
        self.count("exit status", status)
        if outcome.status:
            self.count("errors", outcome.crash_kind() or self._error(outcome))
        for name in result.case.features:
            self.count("cluster features", name)
        for name in result.line.features:
            self.count("command features", name)
        self.describe(result, self.count)

    def count(self, category, value):
        self.categories[category][value] += 1

    @staticmethod
    def _time_bucket(seconds):
        for limit in (0.02, 0.1, 0.25, 1, 5, 20):
            if seconds < limit:
                return f"below {limit}"
        return "20 or more"

    @staticmethod
    def _error(outcome):
        lines = [line for line in outcome.stderr.decode(
            "utf-8", "replace").splitlines() if re.match(
                r"Error|Command line|h[a-z]+: ", line)]
        text = lines[-1] if lines else "no message"
        return re.sub(r"'[^']*'|\d+|\w+\.\w+|set as offline: .*", "*",
                      text)[:60]

    def text(self):
        lines = [f"reference: {self.runs} runs, {self.seconds:.1f} s, average "
                 f"{self.seconds / max(1, self.runs):.3f} s"]
        for category, counter in self.categories.items():
            lines.append(f"{category}:")
            # Shares of all runs, or of those that the category is about.
            whole = counter.total() if " of " in category else self.runs
            lines += [f"  {value:62} {number:6}  {number / whole:6.1%}"
                      for value, number in counter.most_common()]
        lines.append("slowest (seconds, seed, command line):")
        lines += [f"  {s:8.2f}  {seed}  {number}"
                  for s, seed, number in self.slow]
        return "\n".join(lines)
