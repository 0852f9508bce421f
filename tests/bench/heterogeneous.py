"""Deterministic clusters in which no two nodes are alike, for measurements.

The text cluster files made here are what a grown installation looks like: nodes bought at different times, instances of
many sizes. The books add up (free memory and disk are what the instances leave), no node fails the N+1 check, every
instance fits the policy, and there is room for a limited number of further instances. The same arguments always give
the same bytes.
"""

import argparse
import random
import sys

INSTANCES_PER_NODE = 10
POLICY = "4096,2,20480,1,1,1|256,1,1024,1,1,1;65536,32,1048576,16,8,12|drbd,plain,rbd|6.0|32.0"
MEMORY_OVERHEAD = 1024  # MiB used by the node itself, at least


class Node:
    def __init__(self, number, rng):
        self.name = f"node{number:04d}.example.com"
        self.weight = rng.uniform(0.4, 1.6)  # how many instances it attracts
        self.memory_of_primaries = 0
        self.disk = 0
        self.cpus = 0
        self.reserved = {}  # peer -> memory of its instances that would fail over to this node

    def peak_reservation(self):
        return max(self.reserved.values(), default=0)


def _templates(kind, rng):
    if kind == "drbd":
        return "drbd"
    return rng.choices(("drbd", "plain", "rbd"), weights=(85, 10, 5))[0]


def _choose_nodes(nodes, rng, cumulative, count):
    """Draws `count` different nodes; the least loaded of a few for the first one."""
    candidates = rng.choices(nodes, cum_weights=cumulative, k=3)
    chosen = [min(candidates, key=lambda n: n.memory_of_primaries / n.weight)]
    while len(chosen) < count:
        other = rng.choices(nodes, cum_weights=cumulative, k=1)[0]
        if other is not chosen[0]:
            chosen.append(other)
    return chosen


def generate(node_count, kind, seed=1):
    """Returns the text of a cluster of one group; `kind` is "drbd" or "mixed"."""
    rng = random.Random(f"{seed}/{kind}/{node_count}")
    nodes = [Node(i, rng) for i in range(node_count)]
    cumulative = []
    total = 0.0
    for node in nodes:
        total += node.weight
        cumulative.append(total)

    instance_lines = []
    for number in range(node_count * INSTANCES_PER_NODE):
        template = _templates(kind, rng)
        memory = rng.choice((512, 1024, 2048, 4096, 4096, 8192, 12288)) + rng.randrange(1, 200)
        disk = 0 if template == "rbd" else rng.randrange(5 * 1024, 80 * 1024)
        disk = max(disk, 1024)
        cpus = rng.choice((1, 1, 2, 2, 4, 8))
        chosen = _choose_nodes(nodes, rng, cumulative, 2 if template == "drbd" else 1)
        primary = chosen[0]
        primary.memory_of_primaries += memory
        primary.cpus += cpus
        if template in ("drbd", "plain"):
            primary.disk += disk
        secondary_name = ""
        if template == "drbd":
            secondary = chosen[1]
            secondary.disk += disk
            secondary.reserved[primary.name] = secondary.reserved.get(primary.name, 0) + memory
            secondary_name = secondary.name
        instance_lines.append(
            f"vm{number:05d}.example.com|{memory}|{disk}|{cpus}|running|Y|{primary.name}|{secondary_name}"
            f"|{template}||1|1|N")

    node_lines = []
    for number, node in enumerate(nodes):
        own_memory = MEMORY_OVERHEAD + rng.randrange(1, 1024)
        # Above the reservation: most nodes are full, some have room for a few instances.
        slack = rng.randrange(600, 3000) if rng.random() < 0.7 else rng.randrange(6000, 16000)
        free_memory = node.peak_reservation() + slack
        total_memory = own_memory + node.memory_of_primaries + free_memory
        free_disk = rng.randrange(60 * 1024, 400 * 1024)
        total_disk = node.disk + free_disk
        physical_cpus = max(8, node.cpus // 3 + rng.randrange(4, 17))
        speed = rng.choice(("0.9", "1.0", "1.0", "1.1", "1.25"))
        role = "M" if number == 0 else "N"
        node_lines.append(
            f"{node.name}|{total_memory}|{own_memory}|{free_memory}|{total_disk}|{free_disk}|{physical_cpus}|{role}"
            f"|uuid-1|{rng.randrange(2, 13)}||N|0|1|{speed}")

    blocks = [["group-1|uuid-1|preferred||"], node_lines, instance_lines, [], ["|" + POLICY, "group-1|" + POLICY]]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def main():
    parser = argparse.ArgumentParser(description="Prints a text cluster file of nodes that are all different.")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--kind", choices=("drbd", "mixed"), default="drbd")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    sys.stdout.write(generate(arguments.nodes, arguments.kind, arguments.seed))


if __name__ == "__main__":
    main()
