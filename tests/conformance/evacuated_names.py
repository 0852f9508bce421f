"""A defect of the reference, in `hroller --full-evacuation`, that ours does not copy.

In the moves of an evacuation the reference may name another node than the one
that an instance goes to. All else has to be equal.
"""

import re

_MOVE = re.compile(rb"  (\S+) (\S+) (\S+)")  # instance, primary, secondary


def explain(words, ours, reference):
    """True if nothing but names of nodes in such moves is different."""
    if not any(len(word) > 3 and "--full-evacuation".startswith(word)
               for word in words) or ours.status != reference.status:
        return False
    mine, theirs = ours.stdout.split(b"\n"), reference.stdout.split(b"\n")
    return len(mine) == len(theirs) and all(
        a == b or _same_but_for_nodes(a, b) for a, b in zip(mine, theirs))


def _same_but_for_nodes(ours, reference):
    a, b = _MOVE.fullmatch(ours), _MOVE.fullmatch(reference)
    return bool(a and b and a[1] == b[1])
