"""Deterministic clusters of several families, for measurements of plans.

A family says what the instances and nodes may have; a style, drawn for each cluster, how they came to lie as they do.
The text cluster files add up: free memory and disk are what the instances leave. Disk sizes have a long tail, as those
of grown installations do. The same arguments always give the same bytes.
"""

import argparse
import collections
import random
import sys

from unbalanced import MEMORY_OVERHEAD, Node

INSTANCES_PER_NODE = 8
STYLES = ("random", "skewed", "grown", "unequal")
POLICY = "4096,2,20480,1,1,1|128,1,512,1,1,1;131072,64,16777216,16,8,12|drbd,plain,rbd,ext|8.0|64.0"
LOCAL = ("drbd", "plain")

# Per family the disk templates and how often each is drawn.
FAMILIES = {
    "drbd": {"drbd": 1},
    "mixed": {"drbd": 6, "plain": 1, "rbd": 2, "ext": 1},  # offline nodes, migration tags
    "tagged": {"drbd": 8, "rbd": 2},  # exclusion tags, locations, stopped instances, failures of the N+1 check
}


def _attraction(style, count, rng):
    """How many instances each node attracts, relative to the others."""
    if style == "skewed":
        return [4.0 ** (-number / count) for number in range(count)]
    if style == "grown":
        return [1.0 if number < 2 * count // 3 + 1 else 0.05 for number in range(count)]
    if style == "unequal":
        return [rng.choice((1.0, 1.0, 2.0, 4.0)) for _ in range(count)]
    return [1.0] * count


class _Family:
    """Makes the instances and nodes of one cluster."""

    def __init__(self, name, node_count, rng):
        self.name = name
        self.rng = rng
        self.style = rng.choice(STYLES)
        self.nodes = [Node(number) for number in range(node_count)]
        self.offline = set(self.nodes[7::10]) if name == "mixed" else set()
        self.attraction = _attraction(self.style, node_count, rng)
        self.services = max(2, node_count // 2)

    def instance_line(self, number):
        """Draws an instance, enters it into the books of its nodes, and returns its line."""
        rng = self.rng
        template = rng.choices(list(FAMILIES[self.name]), weights=list(FAMILIES[self.name].values()))[0]
        memory = rng.choice((512, 1024, 2048, 4096, 4096, 8192, 16384)) + rng.randrange(100)
        disk = min(2_000_000, int(rng.lognormvariate(10.3, 1.1)) + 1024)
        cpus = rng.choice((1, 1, 2, 2, 4, 8))
        tagged = self.name == "tagged"
        stopped = tagged and rng.random() < 0.12
        tags = f"service:{rng.randrange(self.services)}" if tagged and rng.random() < 0.3 else ""
        primary = rng.choices(self.nodes, weights=self.attraction)[0]
        while template == "plain" and primary in self.offline:  # it could never leave
            primary = rng.choices(self.nodes, weights=self.attraction)[0]
        secondary = primary if template == "drbd" else None
        while secondary is primary or {primary, secondary} <= self.offline:  # one copy of the disks must be there
            secondary = rng.choices(self.nodes, weights=self.attraction)[0]
        primary.primaries += 1
        primary.cpus += cpus
        if not stopped:
            primary.memory += memory
        for node in (primary, secondary):
            if node and template in LOCAL:
                node.disk += disk
        if secondary:
            secondary.reserved[primary.name] = secondary.reserved.get(primary.name, 0) + memory * (not stopped)
        return (f"vm{number:05d}.example.com|{memory}|{disk}|{cpus}|{'ADMIN_down' if stopped else 'running'}|Y"
                f"|{primary.name}|{secondary.name if secondary else ''}|{template}|{tags}|1|-|N")

    def node_line(self, number):
        rng, node = self.rng, self.nodes[number]
        model = max(self.nodes, key=lambda n: n.memory + n.peak_reservation()) if self.style != "unequal" else node
        reservation = model.peak_reservation()
        if self.name == "tagged" and self.style == "unequal" and rng.random() < 0.3:
            reservation //= 2  # the node may fail the N+1 check
        own_memory = MEMORY_OVERHEAD + rng.randrange(1024)
        used = max(model.memory, node.memory) + reservation
        memory = own_memory + used + rng.randrange(used // 20 + 1024, used // 4 + 8192)
        most_disk = max(n.disk for n in self.nodes) if self.style != "unequal" else node.disk
        disk = most_disk + rng.randrange(300_000, 1_500_000)
        cpus = max(8, max(n.cpus for n in self.nodes) // 3)
        role = "M" if number == 0 else "Y" if node in self.offline else "N"
        tag = {"drbd": "", "mixed": "hv:4" if number % 3 == 1 else "hv:5", "tagged": f"rack:{number % 4}"}[self.name]
        return (f"{node.name}|{memory}|{own_memory}|{memory - own_memory - node.memory}|{disk}|{disk - node.disk}|{cpus}"
                f"|{role}|uuid-1|{rng.randrange(4, 12)}|{tag}|N|0|1|1.0")

    def cluster_tags(self):
        return {"drbd": [], "mixed": ["htools:migration:hv", "htools:allowmigration:hv:4::hv:5"],
                "tagged": ["htools:iextags:service", "htools:nlocation:rack"]}[self.name]


def generate(family, node_count, seed=1):
    """Returns the text of a cluster of one group; `family` is a key of FAMILIES."""
    made = _Family(family, node_count, random.Random(f"{seed}/{family}/{node_count}"))
    instance_lines = [made.instance_line(number) for number in range(INSTANCES_PER_NODE * node_count)]
    node_lines = [made.node_line(number) for number in range(node_count)]
    blocks = [["group-1|uuid-1|preferred||"], node_lines, instance_lines, made.cluster_tags(),
              ["|" + POLICY, "group-1|" + POLICY]]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def least_location_exclusions(text):
    """The part of the score that no placement of a cluster of families avoids: instances of a service meet in racks if
    there are more of them than racks, and each adds 1 (location_exclusion_score)."""
    _, nodes, instances, *_ = (block.splitlines() for block in text.split("\n\n"))
    racks = {line.split("|")[10] for line in nodes}
    services = collections.Counter(line.split("|")[9] for line in instances)
    del services[""]  # instances of none
    return sum(max(0, count - len(racks)) for count in services.values())


def main():
    parser = argparse.ArgumentParser(description="Prints a text cluster file of a family of clusters.")
    parser.add_argument("--family", choices=sorted(FAMILIES), default="drbd")
    parser.add_argument("--nodes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.nodes < 2:
        parser.error("--nodes needs a number of at least 2")
    sys.stdout.write(generate(arguments.family, arguments.nodes, arguments.seed))


if __name__ == "__main__":
    main()
