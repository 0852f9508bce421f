"""Deterministic clusters that are far from balanced, for measurements of the balancer.

The text cluster files made here are what remains when nodes were added and nothing was moved: the first nodes carry
most of the instances, the last ones few. The books add up (free memory and disk are what the instances leave), no node
fails the N+1 check, every instance fits the policy, and the fullest node still has room. The same arguments always give
the same bytes.
"""

import argparse
import itertools
import random
import sys

INSTANCES_PER_NODE = 10
SKEW = 2.0  # how many times as many instances the first node attracts as the last one
POLICY = "4096,2,20480,1,1,1|256,1,1024,1,1,1;65536,32,1048576,16,8,12|drbd,plain,rbd,ext|6.0|32.0"
MEMORY_OVERHEAD = 1024  # MiB used by the node itself, at least

# Per kind of cluster the disk templates and how often each is drawn.
TEMPLATES = {
    "drbd": {"drbd": 1},
    "plain": {"plain": 1},
    "shared": {"rbd": 2, "ext": 1},
    "mixed": {"drbd": 6, "plain": 2, "rbd": 1, "ext": 1},
}


class Node:
    def __init__(self, number):
        self.name = f"node{number:04d}.example.com"
        self.primaries = 0
        self.memory = 0
        self.disk = 0
        self.cpus = 0
        self.reserved = {}  # peer -> memory of its instances that would fail over to this node

    def peak_reservation(self):
        return max(self.reserved.values(), default=0)


class Instance:
    """The shape of an instance; its line once it has nodes."""

    def __init__(self, number, kind, rng):
        self.name = f"vm{number:05d}.example.com"
        self.template = rng.choices(list(TEMPLATES[kind]), weights=list(TEMPLATES[kind].values()))[0]
        self.memory = rng.choice((512, 1024, 2048, 4096, 4096, 8192, 12288)) + rng.randrange(1, 200)
        self.disk = rng.randrange(5 * 1024, 80 * 1024)
        self.cpus = rng.choice((1, 1, 2, 2, 4, 8))

    def place(self, primary, secondary):
        """Enters the instance into the books of its nodes and returns its line."""
        primary.primaries += 1
        primary.memory += self.memory
        primary.cpus += self.cpus
        if self.template in ("drbd", "plain"):
            primary.disk += self.disk
        if secondary:
            secondary.disk += self.disk
            secondary.reserved[primary.name] = secondary.reserved.get(primary.name, 0) + self.memory
        return (f"{self.name}|{self.memory}|{self.disk}|{self.cpus}|running|Y|{primary.name}"
                f"|{secondary.name if secondary else ''}|{self.template}||1|-|N")


def _place_all(nodes, kind, rng):
    """Puts instances on the nodes, the first ones preferred, and returns their lines."""
    weights = [SKEW ** (-index / max(1, len(nodes) - 1)) for index in range(len(nodes))]
    cumulative = list(itertools.accumulate(weights))
    lines = []
    for number in range(len(nodes) * INSTANCES_PER_NODE):
        instance = Instance(number, kind, rng)
        primary = rng.choices(nodes, cum_weights=cumulative)[0]
        secondary = primary if instance.template == "drbd" else None
        while secondary is primary:
            secondary = rng.choices(nodes, cum_weights=cumulative)[0]
        lines.append(instance.place(primary, secondary))
    return lines


class Size:
    """What a node is made of."""

    def __init__(self, needs, rng):
        """Enough for each of the needs, which are nodes with their books."""
        self.own_memory = MEMORY_OVERHEAD + rng.randrange(1, 1024)
        used = max(node.memory + node.peak_reservation() for node in needs)
        self.memory = self.own_memory + used + rng.randrange(1024, 8 * 1024)
        self.disk = max(node.disk for node in needs) + rng.randrange(200 * 1024, 600 * 1024)
        self.cpus = max(8, max(node.cpus for node in needs) // 6 + rng.randrange(1, 5))
        self.spindles = max(2, max(node.primaries for node in needs) // 16 + rng.randrange(1, 12))
        self.speed = rng.choice(("0.9", "1.0", "1.0", "1.1", "1.25"))

    def line(self, node, role):
        free_memory = self.memory - self.own_memory - node.memory
        return (f"{node.name}|{self.memory}|{self.own_memory}|{free_memory}|{self.disk}|{self.disk - node.disk}"
                f"|{self.cpus}|{role}|uuid-1|{self.spindles}||N|0|1|{self.speed}")


def generate(node_count, kind="drbd", equal=False, seed=1):
    """Returns the text of a cluster of one group; `kind` is a key of TEMPLATES, `equal` gives nodes of one size."""
    rng = random.Random(f"{seed}/unbalanced/{kind}/{node_count}")
    nodes = [Node(number) for number in range(node_count)]
    instance_lines = _place_all(nodes, kind, rng)
    common = Size(nodes, rng)
    # Nodes that differ are as large as their neighbours need; the last ones as large as somewhat fuller ones do.
    node_lines = []
    for number, node in enumerate(nodes):
        first = max(0, min(number - 1, node_count * 2 // 3))
        size = common if equal else Size(nodes[first:number + 2], rng)
        node_lines.append(size.line(node, "M" if number == 0 else "N"))
    blocks = [["group-1|uuid-1|preferred||"], node_lines, instance_lines, [], ["|" + POLICY, "group-1|" + POLICY]]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def main():
    parser = argparse.ArgumentParser(description="Prints a text cluster file of a cluster that needs balancing.")
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--kind", choices=sorted(TEMPLATES), default="drbd")
    parser.add_argument("--equal", action="store_true", help="nodes of one size")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.nodes < 2:
        parser.error("--nodes needs a number of at least 2")
    sys.stdout.write(generate(arguments.nodes, arguments.kind, arguments.equal, arguments.seed))


if __name__ == "__main__":
    main()
