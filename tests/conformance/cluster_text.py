"""The parts of a cluster file and their text form.

Numbers may be given as int, float or str; text is written as it stands, which
is how unusual spellings get into a file.
"""

from dataclasses import dataclass, field

TEMPLATES = ("diskless", "file", "sharedfile", "plain", "blockdev", "drbd",
             "rbd", "ext", "gluster")
STATUSES = ("ADMIN_down", "ADMIN_offline", "ERROR_down", "ERROR_up",
            "ERROR_nodedown", "ERROR_nodeoffline", "running", "USER_down",
            "ERROR_wrongnode")
# Statuses of instances that occupy no memory on their primary node.
WITHOUT_MEMORY = ("ADMIN_down", "ADMIN_offline", "ERROR_down", "USER_down")


@dataclass
class Spec:
    """One instance specification of a policy."""
    memory: int
    cpus: int
    disk: int
    disk_count: int = 1
    nics: int = 1
    spindle_use: int = 1

    def text(self):
        return ",".join(str(v) for v in (self.memory, self.cpus, self.disk,
                                         self.disk_count, self.nics,
                                         self.spindle_use))


@dataclass
class Policy:
    """An instance policy; `pairs` holds min, max, min, max, ..."""
    std: Spec
    pairs: list
    templates: list
    vcpu_ratio: float
    spindle_ratio: float

    def text(self, owner):
        return "|".join((owner, self.std.text(),
                         ";".join(s.text() for s in self.pairs),
                         ",".join(self.templates), str(self.vcpu_ratio),
                         str(self.spindle_ratio)))


@dataclass
class Group:
    name: str
    uuid: str
    alloc_policy: str = "preferred"
    tags: list = field(default_factory=list)
    policy: Policy = None
    networks: list = field(default_factory=list)

    def text(self):
        return "|".join((self.name, self.uuid, self.alloc_policy,
                         ",".join(self.tags), ",".join(self.networks)))


@dataclass
class Node:
    """A node, with the running totals that the generator needs to fill it."""
    name: str
    group: Group
    total_memory: float = 0
    node_memory: int = 0
    free_memory: int = 0
    total_disk: float = 0
    free_disk: int = 0
    cpus: float = 1
    role: str = "N"
    spindles: int = 1
    tags: list = field(default_factory=list)
    exclusive: bool = False
    free_spindles: int = 0
    node_cpus: int = 1
    speed: float = 1.0
    unknown: bool = False
    short: int = 15
    # Only in iallocator documents:
    drained: bool = False
    vm_capable: bool = True
    reserved: dict = field(default_factory=dict)

    def text(self):
        fields = [self.name, self.total_memory, self.node_memory,
                  self.free_memory, self.total_disk, self.free_disk,
                  self.cpus, self.role, self.group.uuid, self.spindles,
                  ",".join(self.tags), "Y" if self.exclusive else "N",
                  self.free_spindles, self.node_cpus, self.speed]
        if self.unknown:
            fields[self.unknown] = "?"
        return "|".join(str(v) for v in fields[:self.short])


@dataclass
class Instance:
    name: str
    memory: int
    disk: int
    cpus: int
    status: str
    balanced: bool
    primary: Node
    secondary: Node
    template: str
    tags: list
    spindle_use: int
    spindles: str
    forthcoming: bool
    short: int = 13

    def text(self):
        fields = [self.name, self.memory, self.disk, self.cpus, self.status,
                  "Y" if self.balanced else "N", self.primary.name,
                  self.secondary.name if self.secondary else "",
                  self.template, ",".join(self.tags), self.spindle_use,
                  self.spindles, "Y" if self.forthcoming else "N"]
        return "|".join(str(v) for v in fields[:self.short])


@dataclass
class Cluster:
    """A whole cluster: either a file's content or simulation specs."""
    features: frozenset
    groups: list = field(default_factory=list)
    nodes: list = field(default_factory=list)
    instances: list = field(default_factory=list)
    tags: list = field(default_factory=list)
    policy: Policy = None
    extra_policy_lines: list = field(default_factory=list)
    policy_section: bool = True
    simulations: list = field(default_factory=list)
    text: str = None

    def sections(self):
        """Return the sections of the file as lists of lines."""
        result = [[g.text() for g in self.groups],
                  [n.text() for n in self.nodes],
                  [i.text() for i in self.instances], list(self.tags)]
        if self.policy_section:
            lines = [self.policy.text("")] if self.policy else []
            lines += [g.policy.text(g.name) for g in self.groups if g.policy]
            result.append(lines + self.extra_policy_lines)
        return result


def join_sections(sections):
    """Return the file's text for sections of lines."""
    return "\n".join("".join(line + "\n" for line in lines)
                     for lines in sections)
