"""Deterministic clusters with room to spare, for measurements of the tools that plan maintenance.

In the text cluster files made here nodes of a few models carry instances of many sizes, but most of their memory stays
free, so that nodes can be emptied. With `equal` there is one model, one size, and the same number of instances on each
node. The books add up (free memory and disk are what the instances leave), every instance fits the policy, and no node
fails the N+1 check. The same arguments always give the same bytes.
"""

import argparse
import random
import sys

MEMORY = (65536, 98304, 131072)  # of a node, MiB
DISK = (4000000, 8000000)  # of a node, MiB: more than the instances that find memory can take
CPUS = (16, 24, 32, 48)
OWN_MEMORY = 2048  # of the node itself
INSTANCE_MEMORY = (1024, 2048, 4096, 4096)
INSTANCE_DISK = (20480, 40960, 81920)
INSTANCE_CPUS = (1, 1, 2, 4)
# Per kind of cluster what share of the nodes has local storage, and the disk templates on these and on the others.
KINDS = {
    "mixed": (1.0, {"drbd": 14, "plain": 3, "ext": 3}, {}),
    "drbd": (1.0, {"drbd": 1}, {}),
    "partly-shared": (0.4, {"drbd": 3, "plain": 1}, {"ext": 3, "rbd": 1}),
    "mostly-local": (0.95, {"plain": 1}, {"ext": 1}),
}
POLICY = "8192,2,20480,1,1,1|256,1,1024,1,1,1;65536,32,1048576,16,8,12|drbd,plain,rbd,ext|6.0|32.0"


class Node:
    def __init__(self, number, group, templates, draw):
        self.name = f"node{number:05d}.example.com"
        self.group = group
        self.templates = templates
        self.memory = draw(MEMORY)
        self.disk = draw(DISK)
        self.cpus = draw(CPUS)
        self.spindles = draw(range(4, 13))
        self.used_memory = 0
        self.used_disk = 0
        self.reserved = {}  # peer -> memory of its instances that would fail over to this node

    def load(self):
        return self.used_memory / self.memory

    def line(self, role):
        return (f"{self.name}|{self.memory}|{OWN_MEMORY}|{self.memory - OWN_MEMORY - self.used_memory}|{self.disk}"
                f"|{self.disk - self.used_disk}|{self.cpus}|{role}|uuid-{self.group}|{self.spindles}||N|0|1|1.0")


def _place(number, primary, peers, draw, rng):
    """Puts an instance on a node, and perhaps on another one, and returns its line."""
    memory, disk = draw(INSTANCE_MEMORY) + draw(range(200)), draw(INSTANCE_DISK)
    template = rng.choices(list(primary.templates), weights=list(primary.templates.values()))[0]
    primary.used_memory += memory
    if template in ("drbd", "plain"):
        primary.used_disk += disk
    secondary_name = ""
    if template == "drbd":
        others = [node for node in peers[primary.group] if node is not primary]
        secondary = min(rng.sample(others, 3), key=lambda node: node.reserved.get(primary.name, 0))
        secondary.used_disk += disk
        secondary.reserved[primary.name] = secondary.reserved.get(primary.name, 0) + memory
        secondary_name = secondary.name
    return (f"vm{number:06d}.example.com|{memory}|{disk}|{draw(INSTANCE_CPUS)}|running|Y|{primary.name}"
            f"|{secondary_name}|{template}||1|-|N")


def generate(node_count, instance_count, kind="mixed", group_count=1, equal=False, seed=1):
    """Returns the text of a cluster; `kind` is a key of KINDS."""
    rng = random.Random(f"{seed}/maintained/{kind}/{node_count}/{instance_count}/{group_count}")
    draw = (lambda values: values[0]) if equal else rng.choice
    share, local, shared = KINDS[kind]
    nodes = [Node(number, number % group_count, local if number < share * node_count else shared, draw)
             for number in range(node_count)]
    peers = {group: [node for node in nodes if node.group == group and node.templates is local]
             for group in range(group_count)}
    instance_lines = []
    for number in range(instance_count):
        primary = nodes[number % node_count] if equal else min(rng.sample(nodes, 3), key=Node.load)
        instance_lines.append(_place(number, primary, peers, draw, rng))
    for node in nodes:
        if node.memory - OWN_MEMORY - node.used_memory <= max(node.reserved.values(), default=0):
            raise ValueError("the nodes have no memory for so many instances")
    groups = [f"group-{group}|uuid-{group}|preferred||" for group in range(group_count)]
    policies = ["|" + POLICY] + [f"group-{group}|{POLICY}" for group in range(group_count)]
    node_lines = [node.line("M" if number == 0 else "N") for number, node in enumerate(nodes)]
    blocks = [groups, node_lines, instance_lines, [], policies]
    return "\n".join("".join(line + "\n" for line in block) for block in blocks)


def main():
    parser = argparse.ArgumentParser(description="Prints a text cluster file of a cluster with room to spare.")
    parser.add_argument("--nodes", type=int, default=200)
    parser.add_argument("--instances", type=int, default=2000)
    parser.add_argument("--kind", choices=sorted(KINDS), default="mixed")
    parser.add_argument("--groups", type=int, default=1)
    parser.add_argument("--equal", action="store_true", help="nodes and instances of one size")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.nodes < 10 * arguments.groups:
        parser.error("--nodes needs a number of at least 10 per group")
    try:
        text = generate(arguments.nodes, arguments.instances, arguments.kind, arguments.groups, arguments.equal,
                        arguments.seed)
    except ValueError as error:
        parser.error(str(error))
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
