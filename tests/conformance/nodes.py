"""Random nodes, sized so that a few dozen standard instances fit.

Each resource gets its own amount of slack, so a different one runs out first
in different clusters.
"""

import copy
import math

from cluster_text import Node

LOCATION_TAGS = ("rack:1", "rack:2", "rack:3", "power:x", "power:y")
MIGRATION_TAGS = ("hv:4", "hv:5", "hv:6")
# Mostly what nodes carry that may be switched on.
STANDBY_TAGS = ("htools:standby:auto",) * 3 + (
    "htools:standby:", "htools:standby:foo:bar", "htools:standby",
    "htools:standbyX", "xhtools:standby:")
# Beginnings of names that are not one plain word to a shell.
UNSAFE_STEMS = ("a b", "it's", "$HOME", "x;y", "a&b", "back\\slash", "#n",
                "~n", "*", '"q"', "a  b", "(n)", "`n`", "=n", "n!", "{n}")
# Beginnings of names that JSON texts and messages escape. (None with line
# feeds: such names are not saved here.)
ESCAPED_STEMS = ('"', "a b", "\\", "\t", "\r", "\x0e", "\x7f", "\xe9", "\xe90",
                 "\u20ac", "/")


class NodeMaker:
    """Makes the nodes of a cluster; `base` is the policy that sets the scale."""

    def __init__(self, dice, cluster, base, groups, domain):
        self.dice = dice
        self.cluster = cluster
        self.base = base
        self.groups = groups
        self.domain = domain

    def make_all(self, sizes):
        """Append the nodes to the cluster."""
        rng = self.dice.rng
        count = sizes.nodes()
        room = sizes.room(count)
        kinds = [self._kind(room) for _ in range(
            count if self.dice.has("all_different") else
            2 if self.dice.has("two_kinds") else 1)]
        masters = self._masters(count)
        for index in range(count):
            node = copy.deepcopy(rng.choice(kinds) if len(kinds) < count
                                 else kinds[index])
            # Pairs need mates, so neighbours often share a group.
            node.group = rng.choice(self.groups)
            if index % 2 and rng.random() < 0.7:
                node.group = self.cluster.nodes[-1].group
            if self.dice.has("even_groups"):
                node.group = self.groups[index * len(self.groups) // count]
            node.name = self._node_name(index)
            if index in masters:
                node.role = "M"
            if self.dice.has("offline_nodes", 0.25) or \
                    self.dice.has("all_offline"):
                node.role = "Y"
            if self.dice.has("unknown_nodes", 0.3):
                node.unknown = rng.randint(1, 6)
            if self.dice.has("mixed_storage", 0.4):
                node.exclusive = False
            if node.group is not self.groups[0] and self.dice.has(
                    "one_group_exclusive"):
                node.exclusive = False
            node.drained = self.dice.has("drained_nodes", 0.2)
            node.vm_capable = not self.dice.has("not_vm_capable", 0.2)
            self._tag_node(node)
            if index and self.dice.has("standby_nodes", 0.35):
                node.role = "Y"
                node.tags.append(rng.choice(STANDBY_TAGS))
            if self.dice.has("short_lines", 0.4):
                node.short = rng.randint(9, 14)
                if node.exclusive:
                    node.short = 15
            self.cluster.nodes.append(node)

    def _masters(self, count):
        """Indices of the master nodes."""
        rng = self.dice.rng
        if self.dice.has("no_master"):
            return ()
        if self.dice.has("several_masters"):
            return rng.sample(range(count), min(count, 2))
        return (rng.randrange(count) if self.dice.has("late_master") else 0,)

    def _node_name(self, index):
        if index and self.dice.has("equal_node_names", 0.2):
            return self.cluster.nodes[index - 1].name
        stem = "nödé" if self.dice.has("unicode_names", 0.5) else "node"
        if self.dice.has("unsafe_names", 0.3):
            stem = self.dice.rng.choice(UNSAFE_STEMS)
        return f"{stem}{index + 1}{self.domain}"

    def _kind(self, room):
        """A node with about `room` standard instances' worth of everything."""
        rng, std, base = self.dice.rng, self.base.std, self.base
        loose = (1, 1, 1.03, 1.2, 1.5, 2.5, 6)
        high = base.pairs[1] if base.pairs else std
        memory = max(room * std.memory, rng.choice((0, 1, 2.3)) * high.memory)
        memory *= rng.choice(loose) * rng.choice((1, 1, 1, 0.9))
        disk = max(room * std.disk, rng.choice((0, 1.2, 2.5)) * high.disk)
        disk = disk * rng.choice(loose) + rng.choice((0, 1, 1, 200))
        cpu_room = rng.choice((0.4, 0.7, 1, 1)) if self.dice.has("cpu_limit") \
            else rng.choice((1.2, 2, 5))
        node = Node("", None)
        node.node_memory = rng.choice((0, 128, 500, 512, 1024)) \
            if self.dice.has("node_memory") else 0
        node.total_memory = int(memory) + node.node_memory
        node.total_disk = int(disk)
        node.node_cpus = rng.choice((0, 0, 1, 1, 2)) \
            if self.dice.has("node_cpus") else 1
        node.cpus = math.ceil((room * std.cpus * cpu_room + node.node_cpus)
                              / base.vcpu_ratio)
        node.spindles = rng.choice((1, 1, 1, 2, 4))
        if self.dice.has("spindle_limit"):
            node.spindles = math.ceil(room * std.spindle_use * rng.choice(
                (0.4, 0.8, 1, 2)) / base.spindle_ratio)
        if self.dice.has("roomy"):
            node.spindles += math.ceil(room * std.spindle_use
                                       / base.spindle_ratio)
        node.exclusive = self.dice.has("exclusive_storage")
        if node.exclusive:
            node.spindles = max(1, round(room * std.spindle_use
                                         * rng.choice((0.5, 1, 1, 2))))
            node.free_spindles = node.spindles
        elif self.dice.has("free_spindles"):
            node.free_spindles = rng.choice((1, 3, 5))
        if self.dice.has("odd_numbers", 0.7):
            node.total_memory += rng.randint(0, 99)
            node.total_disk += rng.randint(0, 999)
        if self.dice.has("speeds", 0.7):
            node.speed = rng.choice((0.5, 0.8, 1.0, 1.25, 1.5, 2, 3.3))
        if self.dice.has("zero_memory", 0.5):
            node.total_memory = node.node_memory = 0
        if self.dice.has("zero_disk", 0.6):
            node.total_disk = 0
        if self.dice.has("zero_cpus", 0.6):
            node.cpus = 0
        if self.dice.has("zero_spindles", 0.6):
            node.spindles = 0
        if self.dice.has("dedicated"):
            self._make_dedicated(node)
        if self.dice.has("kvm", 0.8):  # whose own memory is set to 4096
            node.total_memory += 4096
            node.node_memory += 4096
        node.free_memory = node.total_memory - node.node_memory
        node.free_disk = node.total_disk
        return node

    def _make_dedicated(self, node):
        """Size the node for some of the largest instances, and little else."""
        rng = self.dice.rng
        largest = max(self.base.pairs, key=lambda spec: spec.spindle_use)
        times, rest = rng.choice((1, 2, 3)), rng.choice((0, 1, 10, 10))
        node.node_memory = node.node_cpus = 0
        node.total_memory = times * largest.memory + rest
        node.total_disk = times * largest.disk + rest
        node.cpus = times * largest.cpus
        node.spindles = node.free_spindles = times * largest.spindle_use
        node.exclusive = True

    def _tag_node(self, node):
        rng = self.dice.rng
        if self.dice.has("location_tags"):
            node.tags += rng.sample(LOCATION_TAGS, rng.randint(0, 3))
        if self.dice.has("migration_tags"):
            node.tags += rng.sample(MIGRATION_TAGS, rng.choice((0, 1, 1, 2)))
        if self.dice.has("stray_tags", 0.4):
            node.tags.append(rng.choice(("x", ":", "htools:standby:a", "")))
        if self.dice.has("role_tags"):
            node.tags += rng.sample(("red", "blue", "a:b"),
                                    rng.choice((0, 1, 1, 2)))

    def disturb(self, node):
        """Make the reported numbers of a node disagree with its content."""
        rng = self.dice.rng
        if self.dice.has("fractions"):
            node.total_memory += rng.choice((0.25, 0.5, 0.9))
            node.total_disk += rng.choice((0, 0.5, 0.75))
            node.cpus += rng.choice((0, 0.5, 0.3))
        if self.dice.has("missing_memory", 0.5):
            node.free_memory -= min(max(0, node.free_memory),
                                    rng.choice((10, 100, 512, 513, 600, 1000)))
        if self.dice.has("excess_memory", 0.5):
            node.free_memory += rng.choice((1, 100, 1000, 4000))
        if self.dice.has("missing_disk", 0.5):
            node.free_disk -= rng.choice((100, 1024, 1025, 3000))
        if self.dice.has("no_free_disk", 0.3):
            node.free_disk = rng.choice((0, 0, 1))
        if node.reserved and self.dice.has("n1_violation", 0.5):
            node.free_memory = max(node.reserved.values()) - rng.choice(
                (0, 1, 1, 50))
        if self.dice.has("negative_free", 0.3):
            if rng.random() < 0.5:
                node.free_memory = -rng.randint(1, 500)
            else:
                node.free_disk = -rng.randint(1, 5000)
