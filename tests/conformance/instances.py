"""Random existing instances, placed where they fit (mostly).

What an instance takes is subtracted from the free resources that its nodes
report, so the file is consistent until a node is disturbed on purpose.
"""

import policies
from cluster_text import Instance, STATUSES, TEMPLATES, WITHOUT_MEMORY
from nodes import STANDBY_TAGS, UNSAFE_STEMS

LOCAL_TEMPLATES = ("drbd", "plain")
SHARED_TEMPLATES = ("rbd", "ext", "sharedfile", "blockdev", "gluster")
TAGS = ("srv:a", "srv:b", "db:m", "db:s", "dbx", "rack:1", "rack:2", "power:x")


class InstanceMaker:
    """Makes the instances of a cluster; `base` is the cluster-wide policy."""

    def __init__(self, dice, cluster, base, domain):
        self.dice = dice
        self.cluster = cluster
        self.base = base
        self.domain = domain
        self.attraction = self._attraction()
        self.homes = self._homes()
        self.corner = self._corner()
        self.model = None  # what the other instances are made equal to

    def _attraction(self):
        """Per node how many instances it attracts, or None if all alike."""
        if not self.dice.has("unbalanced"):
            return None
        rng, count = self.dice.rng, len(self.cluster.nodes)
        if rng.random() < 0.4:
            steepness = rng.choice((2, 5, 20))
            weights = [steepness ** (-i / count) for i in range(count)]
        else:
            full = rng.randint(1, max(1, count // 3))
            others = rng.choice((0, 0.02, 0.1))
            weights = [1] * full + [others] * (count - full)
        if rng.random() < 0.5:
            rng.shuffle(weights)
        return {id(n): w for n, w in zip(self.cluster.nodes, weights)}

    def _homes(self):
        """The nodes that get primary instances."""
        nodes = self.cluster.nodes
        if not self.dice.has("standby_nodes", 0.85):
            return nodes
        return [n for n in nodes
                if not set(STANDBY_TAGS) & set(n.tags)] or nodes

    def _corner(self):
        """The nodes that get local storage."""
        nodes = self.cluster.nodes
        if not self.dice.has("local_corner"):
            return nodes
        return nodes[:self.dice.rng.randint(1, 1 + len(nodes) // 2)]

    def _draw_node(self, nodes):
        if self.attraction is None:
            return self.dice.rng.choice(nodes)
        # Never quite zero, for want of others.
        weights = [self.attraction[id(n)] + 1e-6 for n in nodes]
        return self.dice.rng.choices(nodes, weights)[0]

    def make_all(self, count):
        """Append the instances to the cluster."""
        for index in range(count):
            instance = self._instance(index)
            if instance:
                self.cluster.instances.append(instance)

    def _instance(self, index):
        """Return a random instance that fits, or None."""
        for _ in range(4):
            primary = self._draw_node(self.homes)
            instance = self._shape(index, primary)
            if self.dice.has("equal_instances", 0.9):
                self._make_equal(instance)
            if self.dice.has("dedicated", 0.95):
                self._make_dedicated(instance)
            self._choose_secondary(instance)
            if self._fits(instance) or self.dice.has("overcommitted", 0.5):
                self._book(instance)
                return instance
        return None

    def _shape(self, index, primary):
        rng = self.dice.rng
        policy = primary.group.policy or policies.BUILTIN
        low, high = policy.pairs[:2] if policy.pairs else (policy.std,) * 2
        size = rng.choice((low, policy.std, policy.std, self.base.std, high))
        memory, disk, cpus = size.memory, size.disk, size.cpus
        if rng.random() < 0.25:
            memory = rng.randint(*sorted((low.memory, policy.std.memory)))
            disk = rng.randint(*sorted((low.disk, policy.std.disk)))
        if self.dice.has("foreign_sizes", 0.3):
            memory = rng.choice((0, 1, memory * 3, memory + 1))
            disk = rng.choice((0, 1, disk, disk * 3))
        if self.dice.has("negative_memory", 0.3):
            memory = rng.choice((-1, -100, -5000))
        names = list(policy.templates) + policy.templates[:1] * 3
        if self.dice.has("foreign_templates", 0.5) or not names:
            names = TEMPLATES
        template = rng.choice(names)
        if any(self.dice.has(f, 0.6) for f in ("n1_violation", "split_drbd",
                                          "drbd_without_secondary")):
            template = "drbd"
        if self.dice.has("shared_storage", 0.9):
            template = rng.choice(SHARED_TEMPLATES)
        elif self.dice.has("replicated", 0.9) or self.dice.has("two_sides"):
            template = "drbd"
        if template in LOCAL_TEMPLATES and primary not in self.corner:
            template = rng.choice(SHARED_TEMPLATES)
        status = "running"
        if self.dice.has("statuses", 0.6):
            status = rng.choice(STATUSES)
        tags = []
        if self.dice.has("exclusion_tags") or self.dice.has("desired_location"):
            tags += [rng.choice(TAGS)
                     for _ in range(rng.choice((0, 1, 1, 2)))]
        name = f"inst{index}{self.domain}"
        if self.dice.has("equal_instance_names", 0.2):
            name = f"inst0{self.domain}"
        if self.dice.has("unsafe_names", 0.3):
            name = f"{rng.choice(UNSAFE_STEMS)}{index}{self.domain}"
        spindles = "-"
        if primary.exclusive or rng.random() < 0.1:
            spindles = str(rng.choice((1, 1, 2, 3)))
        instance = Instance(
            name, memory, disk, cpus, status, not self.dice.has("not_balanced", 0.4),
            primary, None, template, tags,
            rng.choice((size.spindle_use, 1, 1, 2)), spindles,
            self.dice.has("forthcoming", 0.3))
        if self.dice.has("short_lines", 0.3) and not instance.forthcoming:
            instance.short = rng.choice((10, 11, 12))
        return instance

    def _make_equal(self, instance):
        """Give the instance the size of the first one."""
        self.model = self.model or instance
        for name in ("memory", "disk", "cpus", "template", "spindle_use",
                     "tags"):
            setattr(instance, name, getattr(self.model, name))

    def _make_dedicated(self, instance):
        """Give the instance one of the sizes that fill nodes exactly."""
        size = self.dice.rng.choice(self.base.pairs[1::2])
        instance.memory, instance.disk = size.memory, size.disk
        instance.cpus, instance.spindle_use = size.cpus, size.spindle_use
        instance.spindles = str(size.spindle_use)

    def _choose_secondary(self, instance):
        rng, primary = self.dice.rng, instance.primary
        mates = [n for n in self.cluster.nodes if n is not primary
                 and n.name != primary.name]
        near = [n for n in mates if n.group is primary.group
                and n in self.corner]
        if self.dice.has("two_sides"):
            near = [n for n in near if self._side(n) != self._side(primary)]
        far = [n for n in mates if n.group is not primary.group]
        if instance.template == "drbd":
            if far and self.dice.has("split_drbd", 0.3):
                instance.secondary = self._draw_node(far)
            elif self.dice.has("drbd_without_secondary", 0.3):
                instance.secondary = None
            elif near:
                instance.secondary = self._draw_node(near)
            else:
                instance.template = "plain"
        elif self.dice.has("same_secondary", 0.3):
            instance.secondary = primary
        elif mates and self.dice.has("useless_secondary", 0.5):
            instance.secondary = rng.choice(mates)

    def _side(self, node):
        return self.cluster.nodes.index(node) % 2

    def _uses(self, instance):
        """Memory and disk that the instance takes from its primary node."""
        if instance.forthcoming:
            return 0, 0
        memory = 0 if instance.status in WITHOUT_MEMORY else instance.memory
        local = instance.template in LOCAL_TEMPLATES
        return memory, instance.disk if local else 0

    def _fits(self, instance):
        memory, disk = self._uses(instance)
        primary, secondary = instance.primary, instance.secondary
        reserve = max(primary.reserved.values(), default=0)
        if primary.free_memory - memory <= reserve:
            return False
        if disk and primary.free_disk - disk <= 0:
            return False
        if primary.exclusive and primary.free_spindles < int(
                instance.spindles.replace("-", "1")):
            return False
        if secondary and instance.template == "drbd":
            if secondary.free_disk - disk <= 0:
                return False
            if not self.dice.has("n1_violation", 0.6):
                need = secondary.reserved.get(id(primary), 0) + instance.memory
                return secondary.free_memory > max(need, 0)
        return True

    def _book(self, instance):
        """Take what the instance uses from its nodes' free resources."""
        memory, disk = self._uses(instance)
        primary, secondary = instance.primary, instance.secondary
        primary.free_memory -= memory
        primary.free_disk -= disk
        spindles = int(instance.spindles.replace("-", "0"))
        if primary.exclusive:
            primary.free_spindles -= spindles
        if secondary and instance.template == "drbd":
            secondary.free_disk -= disk
            if secondary.exclusive:
                secondary.free_spindles -= spindles
            if instance.balanced and not instance.forthcoming:
                secondary.reserved[id(primary)] = instance.memory + \
                    secondary.reserved.get(id(primary), 0)
