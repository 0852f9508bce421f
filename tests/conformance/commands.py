"""Random command lines, per tool.

`COMMANDS[tool](rng, cluster)` returns the command lines for one cluster.  Each
has a set of feature names of its own, which `--only` can ask for as well.
"""

import commands_hail
import commands_hbal
import commands_hcheck
import commands_hinfo
import commands_hroller
import commands_hscan
import commands_hspace
import commands_hsqueeze
import comparison
import index_collision

_MODULES = {"hail": commands_hail, "hbal": commands_hbal,
            "hcheck": commands_hcheck, "hinfo": commands_hinfo,
            "hroller": commands_hroller, "hscan": commands_hscan,
            "hspace": commands_hspace, "hsqueeze": commands_hsqueeze}
COMMANDS = {tool: module.generate for tool, module in _MODULES.items()}
FEATURES = {tool: module.FEATURES for tool, module in _MODULES.items()}

# Tools whose command lines carry the cluster in files of their own.
WITHOUT_FILE = frozenset({"hail", "hscan"})


def comparable(tool, outcome):
    """The outcome without what may differ between the two programs."""
    module = _MODULES[tool]
    return module.comparable(outcome) if hasattr(module, "comparable") else outcome


def survivable(tool):
    """A function for `comparison.compare` if it applies to the tool."""
    return commands_hcheck.has_initial_statistics if tool == "hcheck" else None


def without_defect(tool, inputs, reference):
    """Inputs with which the reference answers as ours does on purpose.

    None if no such difference is possible with these inputs.
    """
    if tool != "hail" or not comparison.is_response(reference):
        return None
    document = index_collision.collision_free(
        inputs[commands_hail.REQUEST_FILE])
    return document and inputs | {commands_hail.REQUEST_FILE: document}
