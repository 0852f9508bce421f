"""Random command lines, per tool.

`COMMANDS[tool](rng, cluster)` returns the command lines for one cluster.  Each
has a set of feature names of its own, which `--only` can ask for as well.
"""

import shlex
from dataclasses import dataclass

import commands_hspace


@dataclass
class CommandLine:
    """The words after the program name, and what is special about them."""
    words: list
    features: frozenset = frozenset()

    def text(self, tool):
        return shlex.join([tool] + self.words)


def _wrap(generator):
    return lambda rng, cluster: [CommandLine(words, frozenset(features))
                                 for words, features in generator(rng, cluster)]


COMMANDS = {"hspace": _wrap(commands_hspace.generate)}
FEATURES = {"hspace": commands_hspace.FEATURES}
