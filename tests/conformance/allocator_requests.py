"""Random requests of an iallocator document, fitting a cluster."""

import copy

from allocator_document import instance_object
from cluster_text import Instance, STATUSES, TEMPLATES
from instances import TAGS
from json_text import Pairs
from nodes import ESCAPED_STEMS

MOVABLE = ("drbd", "diskless", "sharedfile", "blockdev", "rbd", "ext",
           "gluster")

# type -> how often
TYPES = {"allocate": 38, "multi-allocate": 16, "node-evacuate": 18,
         "change-group": 12, "relocate": 8, "allocate-secondary": 8}


class RequestMaker:
    """Draws requests; `features` tells what was special about the last."""

    def __init__(self, dice, cluster):
        self.dice = dice
        self.rng = dice.rng
        self.cluster = cluster
        self.features = set()
        self.movable = [i for i in cluster.instances if i.template in MOVABLE]
        self.single = [i for i in cluster.instances if not i.secondary]
        self.makers = {
            "allocate": self._allocate,
            "multi-allocate": self._multi_allocate,
            "node-evacuate": self._node_evacuate,
            "change-group": self._change_group,
            "relocate": self._relocate,
            "allocate-secondary": self._allocate_secondary,
        }

    def draw(self):
        """A random request."""
        self.features = set()
        types = dict(TYPES)
        if not self.cluster.instances:
            types = {"allocate": 3, "multi-allocate": 2}
        elif len(self.cluster.groups) == 1:
            types["change-group"] = 1
        elif not self.single:
            types["allocate-secondary"] = 1
        kind = self.rng.choices(list(types), types.values())[0]
        self.features.add(kind.replace("-", "_"))
        return Pairs([("type", kind)]) + self.makers[kind]()

    # Requests that place instances.

    def _allocate(self):
        result = self._new("new") + self._group_name()
        if self.rng.random() < 0.1:
            result.append(("restrict-to-nodes", self.rng.choice(
                (self.node_names(),) * 6 + (None, []))))
            self.features.add("restricted")
        return result

    def _multi_allocate(self):
        count = self.rng.choice((0, 1, 2, 2, 3, 3, 4, 5, 6))
        first = self._new("new0")
        elements = []
        for index in range(count):
            element = self._new(f"new{index}")
            if self.rng.random() < 0.3:
                element = Pairs([("name", f"new{index}")] + first[1:])
            elements.append(element)
        return Pairs([("instances", elements)]) + self._group_name()

    def _group_name(self):
        rng, group = self.rng, self._group()
        if rng.random() < 0.6:
            return [("group_name", None)] if rng.random() < 0.1 else []
        self.features.add("named_group")
        return [("group_name", rng.choice(
            (group.name,) * 20 + (group.uuid,) * 3 + ("nosuch",)))]

    def _group(self):
        filled = [n.group for n in self.cluster.nodes]
        if filled and self.rng.random() < 0.95:
            return self.rng.choice(filled)
        return self.rng.choice(self.cluster.groups)

    def node_names(self):
        """Names of some nodes, rarely with a wrong one."""
        rng, nodes = self.rng, self.cluster.nodes
        if rng.random() < 0.4:
            group = self._group()
            nodes = [n for n in nodes if n.group is group]
        share = rng.choice((0.4, 0.7, 0.9))
        names = [n.name for n in nodes if rng.random() < share]
        if rng.random() < 0.1:
            names.append(rng.choice(("nosuch", "node1", "")))
        rng.shuffle(names)
        return names

    def _new(self, name):
        """An instance to be placed, and the number of its nodes."""
        rng = self.rng
        policy = self._group().policy
        if self.dice.has("escaped_names", 0.5):
            name = rng.choice(ESCAPED_STEMS) + name
        instance = self._shape(name, policy)
        nodes = 2 if instance.template == "drbd" else 1
        if rng.random() < 0.04:
            nodes = rng.choice((1, 2, 2, 3, 0, -1))
        return Pairs([("name", name), ("required_nodes", nodes)]) + \
            instance_object(self.dice, instance, policy)

    def _shape(self, name, policy):
        """An instance that the policy allows, mostly."""
        rng = self.rng
        size = self._size(policy)
        spindles = "-"
        if any(n.exclusive for n in self.cluster.nodes):
            spindles = str(size.spindle_use)
            if rng.random() < 0.1:
                spindles = rng.choice(("-", "0", "1", "2"))
        names = list(policy.templates) or ["drbd", "plain"]
        common = [t for t in ("drbd", "drbd", "plain") if t in names]
        template = rng.choice(common * 3 + names)
        if rng.random() < 0.03:
            template = rng.choice(TEMPLATES)
        status = rng.choice(STATUSES) if rng.random() < 0.1 else "running"
        tags = []
        if self.dice.has("exclusion_tags") or self.dice.has(
                "desired_location"):
            tags = rng.sample(TAGS, rng.choice((0, 1, 1, 2)))
        return Instance(name, size.memory, size.disk, size.cpus, status, True,
                        None, None, template, tags, size.spindle_use, spindles,
                        self.dice.has("forthcoming", 0.3))

    def _size(self, policy):
        """A size that the policy allows, mostly."""
        rng = self.rng
        if not policy.pairs:
            return copy.copy(policy.std)
        if self.dice.has("dedicated", 0.85):
            return copy.copy(rng.choice(policy.pairs[1::2]))
        low, high = policy.pairs[:2]
        size = copy.copy(rng.choice((low, policy.std, policy.std, high)))
        if self.dice.has("one_escape", 0.6):
            size = copy.copy(low)
        for name in ("memory", "disk", "cpus", "spindle_use"):
            limits = sorted((getattr(low, name), getattr(high, name)))
            value = min(max(getattr(size, name), limits[0]), limits[1])
            if rng.random() < 0.1:
                value = rng.randint(*limits)
            setattr(size, name, value)
        self._resize(size)
        return size

    def _resize(self, size):
        """Change a size sometimes, so that it fits on few nodes or none."""
        rng = self.rng
        if rng.random() < 0.15:
            factor = rng.choice((0.5, 0.9, 1.1, 1.5, 2, 5))
            size.memory = int(size.memory * factor)
            size.disk = int(size.disk * rng.choice((1, 1, factor)))
        if rng.random() < 0.06:
            size.cpus = rng.choice((0, size.cpus + 1, 2 * size.cpus))
        if self.cluster.nodes and rng.random() < 0.06:
            node = rng.choice(self.cluster.nodes)
            if rng.random() < 0.5:
                size.memory = max(0, node.free_memory - rng.choice((0, 1)))
            else:
                size.disk = max(0, node.free_disk - rng.choice((0, 1)))

    # Requests that move instances.

    def _relocate(self):
        rng, instance = self.rng, self._some_instance()
        if instance.template == "drbd" and instance.secondary:
            old = [instance.secondary.name]
        else:
            old = [instance.primary.name]
        if rng.random() < 0.1:
            old = rng.choice(([], old * 2, self.node_names()[:2],
                              [instance.primary.name]))
        return Pairs([("name", instance.name),
                      ("required_nodes", rng.choice((1,) * 19 + (2,))),
                      ("relocate_from", old)])

    def _node_evacuate(self):
        rng, known = self.rng, self._movable_mostly()
        mode = rng.choice(("primary-only", "secondary-only", "all"))
        if mode == "secondary-only" and rng.random() < 0.8:
            known = [i for i in known if i.template == "drbd"] or known
        return Pairs([("instances", self._instance_names(known)),
                      ("evac_mode", mode)])

    def _change_group(self):
        rng, known = self.rng, self._movable_mostly()
        split = [i for i in known
                 if i.secondary and i.secondary.group is not i.primary.group]
        if split and rng.random() < 0.3:
            known = split
        home = rng.choice(known).primary.group
        if rng.random() < 0.7:
            known = [i for i in known if i.primary.group is home]
        targets = [g for g in self.cluster.groups
                   if g is not home or rng.random() < 0.15]
        targets = rng.sample(targets, rng.randint(0, len(targets)))
        return Pairs([
            ("instances", self._instance_names(known)),
            ("target_groups", [rng.choice((g.name, g.uuid)) for g in targets]),
        ])

    def _allocate_secondary(self):
        known = self.cluster.instances
        if self.single and self.rng.random() < 0.9:
            known = self.single
        return Pairs([("name", self.rng.choice(known).name)])

    def _some_instance(self):
        if self.movable and self.rng.random() < 0.9:
            return self.rng.choice(self.movable)
        return self.rng.choice(self.cluster.instances)

    def _movable_mostly(self):
        if self.movable and self.rng.random() < 0.8:
            return self.movable
        return self.cluster.instances

    def _instance_names(self, known):
        """Those of one node, a few, or many; sometimes one twice."""
        rng = self.rng
        if rng.random() < 0.45:
            node = rng.choice(known).primary
            names = [i.name for i in known if i.primary is node or (
                i.secondary is node and rng.random() < 0.5)]
        else:
            most = min(rng.choice((1, 1, 2, 3, len(known))), len(known))
            names = [i.name for i in rng.sample(known, rng.randint(1, most))]
        if names and rng.random() < 0.06:
            names.append(rng.choice(names))
        if rng.random() < 0.5:
            rng.shuffle(names)
        return [n.split(".")[0] if rng.random() < 0.15 else n for n in names]
