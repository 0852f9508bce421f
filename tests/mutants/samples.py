"""Draws some of the mutants of a room."""

import collections
import hashlib
import itertools


def drawn(mutants, count, seed):
    """As many mutants as `count`, one of each source in turn. An edit of a source changes only few of those drawn."""
    def order(mutant):
        return hashlib.sha256(repr((seed, mutant.key)).encode()).digest()

    by_source = collections.defaultdict(list)
    for mutant in sorted(mutants, key=order):
        by_source[mutant.source].append(mutant)
    rounds = itertools.zip_longest(*(by_source[source] for source in sorted(by_source)))
    return [mutant for once in rounds for mutant in once if mutant][:count]
