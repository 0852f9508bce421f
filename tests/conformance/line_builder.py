"""What the generators of command lines have in common."""

import shlex
from dataclasses import dataclass, field

from options import Writer


@dataclass
class CommandLine:
    """The words after the program name, and what is special about them."""
    words: list
    features: frozenset = frozenset()
    # Name -> text of what it reads besides the cluster.
    files: dict = field(default_factory=dict)
    stdin: str = None     # the one of these that is standard input
    tool: str = None      # to be run, if it is not the one of the case

    def text(self, tool):
        redirection = " < " + shlex.quote(self.stdin) if self.stdin else ""
        return shlex.join([self.tool or tool] + self.words) + redirection

    @classmethod
    def from_text(cls, text, files):
        """The command line that has this text."""
        tool, *words = shlex.split(text)
        stdin = None
        if words[-2:-1] == ["<"]:
            stdin = words[-1]
            words = words[:-2]
        return cls(words, files=files, stdin=stdin, tool=tool)


class LineBuilder:
    """One command line: options are collected, then shuffled."""

    def __init__(self, rng, cluster, long_names):
        self.rng = rng
        self.cluster = cluster
        self.writer = Writer(rng, long_names)
        self.options = []
        self.features = set()
        self.files = {}

    def finish(self):
        """Return the command line of what was collected."""
        self.rng.shuffle(self.options)
        words = [w for option in self.options for w in option]
        return CommandLine(words, frozenset(self.features), self.files)

    def knows(self, name):
        """True if the tool has the option of this long name."""
        return name in self.writer.long_names

    def maybe(self, probability, feature):
        """True, and the line has the feature, if the dice say so."""
        if self.rng.random() < probability:
            self.features.add(feature)
            return True
        return False

    def add(self, *words):
        """Append an option with its value."""
        self.options.append(list(words))

    def add_valued(self, name, value, short=None):
        """Append an option with a required argument, somehow spelled."""
        self.options.append(self.writer.valued(name, value, short))

    def add_flag(self, name, short=None):
        """Append an option without argument, somehow spelled."""
        if short and self.rng.random() < 0.5:
            self.add("-" + short)
        else:
            self.add(self.writer.long(name))

    def verbosity(self):
        """Append -v and -q."""
        words, count = self.writer.verbosity()
        if words:
            self.options.append(words)
        if count:
            self.features.add("verbose")
