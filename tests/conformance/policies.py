"""Random instance policies.

Sizes stay small on purpose: the reference shrinks by 64 MiB and 256 MiB steps,
so the cost of a run grows with the maximum sizes.
"""

import copy
import math

from cluster_text import Policy, Spec, TEMPLATES

# What a cluster or group without a policy line gets.
BUILTIN = Policy(Spec(128, 1, 1024), [Spec(128, 1, 1024),
                                      Spec(32768, 8, 1048576, 16, 8, 12)],
                 list(TEMPLATES), 4.0, 32.0)


def templates(rng):
    """A random selection in random order; drbd and plain come first often."""
    chosen = rng.sample(TEMPLATES, rng.randint(1, len(TEMPLATES)))
    first = rng.choice(("drbd", "drbd", "drbd", "plain", "plain", None))
    if first:
        chosen = [first] + [t for t in chosen if t != first]
    if rng.random() < 0.03:
        chosen.append(rng.choice(chosen))
    return chosen


def policy(rng, features):
    """A random policy with ordered, overlapping or disordered pairs."""
    odd = "odd_numbers" in features
    memory = rng.choice((100, 150, 333, 450, 700) if odd
                        else (64, 128, 256, 512, 1024))
    disk = rng.choice((300, 500, 777, 1300, 3000) if odd
                      else (256, 512, 1024, 1024, 2048))
    cpus = rng.choice((1, 1, 1, 2, 3))
    use = rng.choice((1, 1, 1, 2))
    std = Spec(memory, cpus, disk, 1, 1, use)
    top_memory, top_disk = (16384, 51200) if "big_specs" in features else (
        8192, 20480)
    low = Spec(max(1, memory // rng.choice((1, 1, 2, 4))),
               max(1, cpus - rng.choice((0, 0, 1))),
               max(1, disk // rng.choice((1, 1, 2, 4))),
               rng.choice((1, 2, 3)) if "disk_count" in features else 1, 1,
               rng.choice((1, 1, 0, use)))
    if "zero_minimum" in features:
        low = Spec(0 if rng.random() < 0.3 else low.memory, low.cpus,
                   rng.choice((0, 0, 1)), rng.choice((0, 1)), 1, 0)
    grow = (1, 2, 2, 3, 4, 6, 8)
    high = Spec(min(top_memory, memory * rng.choice(grow)),
                cpus * rng.choice((1, 2, 3, 4)), min(top_disk, disk * rng.choice(grow)),
                rng.choice((1, 2, 16)), rng.choice((1, 8)),
                use + rng.choice((0, 0, 1, 3)))
    if "big_specs" in features:
        high.memory = rng.choice((high.memory, 8192, 16384))
        high.disk = rng.choice((20480, 30000, 51200))
    pairs = [low, high]
    if "several_pairs" in features:
        pairs += _more_pairs(rng, low, high)
    if "odd_pairs" in features:
        at = len(pairs) - 2
        pairs[at], pairs[at + 1] = pairs[at + 1], pairs[at]
    if "no_pairs" in features:
        pairs = []
    ratio = rng.choice((1.0, 2.0, 4.0, 4.0, 4.0, 8.0, 16.0))
    if "small_ratios" in features:
        ratio = rng.choice((0.5, 0.7, 1.0, 1.25, 1.5, 2.75))
    spindle_ratio = rng.choice((32.0, 32.0, 32.0, 16.0))
    if "spindle_limit" in features:
        spindle_ratio = rng.choice((0.5, 1.0, 1.5, 2.0, 3.0, 4.0))
    names = [] if "no_templates" in features else templates(rng)
    return Policy(std, pairs, names, ratio, spindle_ratio)


def dedicated(rng):
    """Sizes that are multiples of a unit, as for exclusive storage."""
    memory = rng.choice((256, 512, 1024))
    disk = rng.choice((1024, 2048, 10240))
    shares = rng.choice(((1, 2, 4), (1, 2, 3, 4), (1, 2), (2, 3), (1, 3, 6),
                         (2,)))
    # Nodes that are filled exactly have no room for the last one.
    tolerance = rng.choice((0, 1, 4, 4))
    pairs = []
    for share in rng.sample(shares, len(shares)):
        pairs += [Spec(share * (memory - tolerance), share,
                       share * (disk - tolerance), 1, 1, share),
                  Spec(share * memory, share, share * disk, 1, 1, share)]
    std = Spec(shares[0] * memory, shares[0], shares[0] * disk, 1, 1,
               shares[0])
    return Policy(std, pairs, templates(rng), rng.choice((1.0, 1.0, 4.0)),
                  rng.choice((1.0, 1.0, 32.0)))


def _more_pairs(rng, low, high):
    """One to three further pairs, near the first one."""
    result = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        factor = rng.choice((0.5, 0.75, 1, 1, 1.5, 2))
        pair = []
        for spec in (low, high):
            other = copy.copy(spec)
            other.memory = math.ceil(spec.memory * factor)
            other.disk = math.ceil(spec.disk * rng.choice((factor, 1, 0.5)))
            other.cpus = max(1, math.ceil(spec.cpus * rng.choice((factor, 1))))
            pair.append(other)
        result += pair
    return result


def admit(policy_, spec):
    """Widen the first pair of a policy so that the spec is inside."""
    low, high = policy_.pairs[:2]
    for name in ("memory", "cpus", "disk", "spindle_use"):
        value = getattr(spec, name)
        setattr(low, name, min(getattr(low, name), value))
        setattr(high, name, max(getattr(high, name), value))


def variant(rng, features, original):
    """A policy for a group that differs from the cluster's."""
    if rng.random() < 0.15:
        return policy(rng, features)
    result = copy.deepcopy(original)
    change = rng.randrange(6)
    if change == 0 and result.pairs:
        result.pairs[1].memory = max(1, result.pairs[1].memory * 3 // 4)
    elif change == 1 and result.pairs:
        result.pairs[1].disk = max(1, result.pairs[1].disk // 2)
    elif change == 2:
        result.vcpu_ratio = rng.choice((0.5, 1.0, 1.5, 2.5, 3.0, 10.0))
    elif change == 3:
        result.templates = templates(rng) + original.templates[:1]
    elif change == 4 and result.pairs:
        result.pairs[0].memory = result.std.memory + rng.choice((1, 64))
    else:
        result.spindle_ratio = rng.choice((1.0, 2.0, 5.0, 8.0))
    return result
