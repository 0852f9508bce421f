"""Random command lines, per tool.

`COMMANDS[tool](rng, cluster)` returns the command lines for one cluster.  Each
has a set of feature names of its own, which `--only` can ask for as well.
"""

import commands_hbal
import commands_hspace

COMMANDS = {"hbal": commands_hbal.generate, "hspace": commands_hspace.generate}
FEATURES = {"hbal": commands_hbal.FEATURES, "hspace": commands_hspace.FEATURES}
