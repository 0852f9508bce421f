"""Random command lines, per tool.

`COMMANDS[tool](rng, cluster)` returns the command lines for one cluster.  Each
has a set of feature names of its own, which `--only` can ask for as well.
"""

import commands_hail
import commands_hbal
import commands_hspace
import comparison
import index_collision

_MODULES = {"hail": commands_hail, "hbal": commands_hbal,
            "hspace": commands_hspace}
COMMANDS = {tool: module.generate for tool, module in _MODULES.items()}
FEATURES = {tool: module.FEATURES for tool, module in _MODULES.items()}

# Tools whose command lines carry the cluster in files of their own.
WITHOUT_FILE = frozenset({"hail"})


def compares_stderr(tool, words):
    """True if standard error of successful runs has to be equal."""
    return tool != "hail" or commands_hail.compares_stderr(words)


def without_defect(tool, inputs, reference):
    """Inputs with which the reference answers as ours does on purpose.

    None if no such difference is possible with these inputs.
    """
    if tool != "hail" or not comparison.is_response(reference):
        return None
    document = index_collision.collision_free(
        inputs[commands_hail.REQUEST_FILE])
    return document and inputs | {commands_hail.REQUEST_FILE: document}
