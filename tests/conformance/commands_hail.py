"""Random command lines for hail, the instance allocator.

Each has a document of its own: the cluster with a random request.
"""

import copy
import dataclasses
import re

import clusters
import document_damage
import json_text
from allocator_document import cluster_part
from allocator_requests import TYPES, RequestMaker
from features import Dice
from line_builder import LineBuilder
from options import CLUSTER_FILE

LONG_NAMES = ("print-nodes", "save", "text-data", "simulate", "verbose",
              "ignore-dynu", "ignore-soft-errors", "no-capacity-checks",
              "restrict-allocation-to", "mond", "mond-xen",
              "static-kvm-node-memory")

FEATURES = tuple(name.replace("-", "_") for name in TYPES) + (
    "named_group", "restricted", "wrong", "unchecked", "ignoring",
    "no_utilisation", "other_cluster", "other_simulated", "node_memory",
    "print", "save", "verbose", "stdin", "broken")

REQUEST_FILE = "request.json"

_BROKEN = (
    ["--nosuch"], ["-Z"], ["-q"], ["--no"], ["--m"], ["--ignore"], ["--s"],
    ["--verbose=1"], ["--mond-data", "x"], ["--mond=maybe"], ["--mond="],
    ["--static-kvm-node-memory=x"], ["--static-kvm-node-memory="], ["extra"],
    ["--", "-v"], ["--", "x"], ["-vZ"], ["-p", "name"], ["-t", "missing.data"],
    ["-t", "."], ["-t", REQUEST_FILE], ["--simulate=x"], ["--simulate", ""],
    ["--print-nodes", "name"], ["--ignore-dynu=yes"], ["-S", "missing/out"],
    ["--save"], ["--restrict-allocation-to"], ["--restrict"], ["-m", "x"],
)

# What -v adds of our own: which nodes are refused, and why.
_REFUSALS = re.compile(rb"^Refused for .*:\n(?:  .*\n)*", re.MULTILINE)


def comparable(outcome):
    """The outcome without what only our tool explains."""
    return dataclasses.replace(outcome, stderr=_REFUSALS.sub(b"", outcome.stderr))


def generate(rng, cluster):
    """Return 3-5 command lines for the cluster."""
    dice = Dice(rng, cluster.features)
    document = cluster_part(dice, cluster)
    return [_Line(dice, cluster, document).build()
            for _ in range(rng.choice((3, 4, 4, 5)))]


class _Line(LineBuilder):
    """Builds one command line."""

    def __init__(self, dice, cluster, document):
        super().__init__(dice.rng, cluster, LONG_NAMES)
        self.document = document
        self.requests = RequestMaker(dice, cluster)

    def build(self):
        self._document()
        self._checks()
        self._replacement()
        self._output()
        stdin = None
        if self.maybe(0.03, "stdin"):
            stdin = REQUEST_FILE
        self.add("-" if stdin else REQUEST_FILE)
        if self.maybe(0.03, "broken"):
            self.add(*self.rng.choice(_BROKEN))
        line = self.finish()
        line.stdin = stdin
        return line

    def _document(self):
        rng = self.rng
        document = copy.deepcopy(self.document)
        document.insert(rng.choice((0, len(document))),
                        ("request", self.requests.draw()))
        self.features |= self.requests.features
        wrong = self.maybe(0.07, "wrong")
        if wrong and rng.random() < 0.9:
            document_damage.damage(rng, document)
        text = json_text.write(
            document, rng.choice((",", ",", ", ", ",\n  ")),
            rng.choice((":", ":", ": ")), rng.random() < 0.5)
        if wrong and rng.random() < 0.1:
            text = document_damage.damage_text(rng, text)
        self.files[REQUEST_FILE] = text + rng.choice(("", "\n", " \n"))

    def _checks(self):
        rng = self.rng
        if self.maybe(0.25, "unchecked"):
            self.add_flag("no-capacity-checks")
        if self.maybe(0.15, "ignoring"):
            self.add_flag("ignore-soft-errors")
        if self.maybe(0.07, "restricted"):
            self.add_valued("restrict-allocation-to",
                            ",".join(self.requests.node_names()))
        if self.maybe(0.05, "no_utilisation"):
            self.add_flag("ignore-dynu")
        if rng.random() < 0.03:
            self.add(rng.choice(("--mond=no", "--mond-xen")))
        if self.maybe(0.4 if "kvm" in self.cluster.features else 0.02,
                      "node_memory"):
            self.add_valued("static-kvm-node-memory", rng.choice(
                ("0", "1", "100", "512", "1000", "-1", "4096")))

    def _replacement(self):
        """Another cluster, in which the request keeps its indices."""
        rng, writer = self.rng, self.writer
        if self.maybe(0.03, "other_simulated"):
            self.add(*(w for spec in clusters.simulation_specs(rng)
                       for w in writer.valued("simulate", spec)))
        if self.maybe(0.06, "other_cluster"):
            other = self.cluster
            if rng.random() < 0.4:
                other = clusters.generate(rng, "hail")
            self.files[CLUSTER_FILE] = other.text
            self.add_valued("text-data", CLUSTER_FILE, "t")
            # Collisions of indices (see there) are only known of documents.
            if "named_group" in self.features:
                self.add_flag("no-capacity-checks")

    def _output(self):
        rng = self.rng
        if self.maybe(0.12, "print"):
            self.add(*self.writer.print_nodes())
        if self.maybe(0.2, "save"):
            prefix = rng.choice(["out"] * 20 + ["state.1", ""])
            self.add_valued("save", prefix, "S")
        if self.maybe(0.15, "verbose"):
            self.add(rng.choice(("-v", "-vv", "-vvv", "--verbose")))
