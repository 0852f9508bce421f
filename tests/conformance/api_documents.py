"""A random cluster as the documents of the remote API.

Everything that belongs to this form alone is drawn here: what memory an
instance has, disks, optional keys and the spelling of numbers.
"""

from allocator_document import disks, integer, policy_object
from json_text import Pairs

NAMES = ("groups", "nodes", "instances", "info")

# The group of nodes that do not name one.
_UNNAMED_GROUP = "00000000-0000-0000-0000-000000000000"
_HYPERVISORS = ("xen-pvm", "xen-hvm", "fake", "lxc", "chroot")
# Values of optional keys that count as if the key were absent.
_NO_MEMORY = (None, None, "-", "?", True, [])
_NO_PARAMETER = (None, "512", [], Pairs())
_NOT_FORTHCOMING = (None, False, "yes", 1, [])
# Keys that only people and other programs look at.
_NODE_EXTRAS = (("pip", "192.0.2.1"), ("role", "C"), ("ctime", None),
                ("master_candidate", True), ("mtime", 1500000000.25),
                ("pinst_list", ["inst0"]), ("name", "other"))
_INSTANCE_EXTRAS = (("os", "noop"), ("admin_state", "down"),
                    ("nic.ips", [None]), ("serial_no", 3),
                    ("hvparams", Pairs([("acpi", True)])),
                    ("oper_state", None), ("pnode", "nosuch"))


def documents(dice, cluster):
    """The values of the documents by their NAMES."""
    return dict(zip(NAMES, (
        [_group(dice, cluster, group) for group in cluster.groups],
        [_node(dice, cluster, node) for node in cluster.nodes],
        [_instance(dice, instance) for instance in cluster.instances],
        _info(dice, cluster))))


def _group(dice, cluster, group):
    result = Pairs([
        ("name", group.name),
        ("uuid", _uuid(dice, cluster, group)),
        ("alloc_policy", group.alloc_policy),
        ("ipolicy", policy_object(group.policy)),
        ("tags", group.tags),
    ])
    if dice.has("optional_values", 0.3):
        result += [("node_cnt", 3), ("networks", None), ("ndparams", Pairs())]
    return result


def _uuid(dice, cluster, group):
    unnamed = dice.has("unnamed_group") and group is cluster.groups[0]
    return _UNNAMED_GROUP if unnamed else group.uuid


def _node(dice, cluster, node):
    """A node; what is not known of one that is not live may be anything."""
    rng = dice.rng
    live = node.role != "Y" and node.vm_capable
    parameters = Pairs([("exclusive_storage", node.exclusive)])
    if not node.exclusive or rng.random() < 0.5:
        parameters.append(("spindle_count", node.spindles))
    result = Pairs([
        ("name", node.name),
        ("offline", node.role == "Y"),
        ("drained", node.drained),
        ("ndparams", parameters),
        ("tags", node.tags),
    ])
    uuid = _uuid(dice, cluster, node.group)
    if uuid != _UNNAMED_GROUP or rng.random() < 0.5:
        result.append(("group.uuid", uuid))
    elif rng.random() < 0.5:
        result.append(("group.uuid", None))
    if not node.vm_capable:
        result.append(("vm_capable", False))
    elif rng.random() < 0.7:
        result.append(("vm_capable", rng.choice((None, True, True))))
    if live or rng.random() < 0.3:
        result += _resources(dice, node)
    elif rng.random() < 0.7:
        result += [(key, rng.choice((None, None, "?", 5)))
                   for key, _ in _resources(dice, node)]
    return _with_extras(dice, result, _NODE_EXTRAS)


def _resources(dice, node):
    result = Pairs([
        ("mtotal", node.total_memory),
        ("mnode", integer(dice, node.node_memory)),
        ("mfree", integer(dice, node.free_memory)),
        ("ctotal", node.cpus),
        ("cnos", integer(dice, node.node_cpus)),
    ])
    if node.exclusive or dice.rng.random() < 0.5:
        result.append(("sptotal", integer(dice, node.spindles)))
    for key, value in (("dtotal", node.total_disk),
                       ("dfree", integer(dice, node.free_disk)),
                       ("spfree", integer(dice, node.free_spindles))):
        if not dice.has("optional_values", 0.06):
            result.append((key, value))
        elif dice.rng.random() < 0.5:
            result.append((key, None))
    return result


def _instance(dice, instance):
    rng = dice.rng
    drawn = disks(dice, instance, instance.primary.group.policy)
    spindles = [disk.get("spindles") for disk in drawn]
    if dice.has("optional_values", 0.05):
        spindles += [3]  # belongs to no disk
    memory, parameters = _memory(dice, instance)
    result = Pairs([
        ("name", instance.name),
        ("disk_usage", integer(dice, instance.disk)),
        ("disk.sizes", [integer(dice, disk.get("size")) for disk in drawn]),
        ("disk.spindles", spindles),
        ("beparams", parameters + [
            ("vcpus", integer(dice, instance.cpus)),
            ("auto_balance", instance.balanced),
            ("spindle_use", integer(dice, instance.spindle_use))]),
        ("oper_ram", memory),
        ("pnode", instance.primary.name),
        ("snodes", _secondaries(dice, instance)),
        ("status", instance.status),
        ("tags", instance.tags),
        ("disk_template", instance.template),
    ])
    if instance.forthcoming:
        result.append(("forthcoming", True))
    elif dice.has("optional_values", 0.3):
        result.append(("forthcoming", rng.choice(_NOT_FORTHCOMING)))
    return _with_extras(dice, result, _INSTANCE_EXTRAS)


def _memory(dice, instance):
    """What it uses in operation, and what its parameters say.

    Where the first is no number, the parameters count: `memory`, and without
    that `maxmem`.
    """
    rng, memory = dice.rng, instance.memory
    parameters = Pairs([("memory", integer(dice, memory)),
                        ("minmem", memory), ("maxmem", memory)])
    if rng.random() < 0.5:
        if dice.has("other_memory", 0.5):
            parameters[0] = ("memory", rng.choice((0, memory // 2, "x")))
        return integer(dice, memory), parameters
    if rng.random() < 0.4:
        parameters[0] = ("memory", rng.choice(_NO_PARAMETER))
    elif rng.random() < 0.3:
        del parameters[0]
    if dice.has("other_memory", 0.5):
        parameters[-1] = ("maxmem", integer(dice, memory + 64))
    return rng.choice(_NO_MEMORY), parameters


def _secondaries(dice, instance):
    nodes = [instance.secondary.name] if instance.secondary else []
    if nodes and dice.has("optional_values", 0.1):
        nodes.append(dice.rng.choice(("nosuch", None, nodes[0])))
    return nodes


def _info(dice, cluster):
    masters = [node.name for node in cluster.nodes if node.role == "M"]
    name = masters[-1] if masters else "nosuch"
    if not masters and cluster.nodes and dice.rng.random() < 0.8:
        name = cluster.nodes[-1].name
    hypervisor = dice.rng.choice(_HYPERVISORS)
    if dice.has("kvm"):
        hypervisor = "kvm"
    return Pairs([
        ("name", "cluster.example.org"),
        ("master", name),
        ("tags", cluster.tags),
        ("ipolicy", policy_object(cluster.policy)),
        ("default_hypervisor", hypervisor),
        ("enabled_hypervisors", [hypervisor, "fake"]),
    ])


def _with_extras(dice, pairs, extras):
    """The object with keys that do not count, and in any order."""
    rng = dice.rng
    if dice.has("optional_values", 0.5):
        rng.shuffle(pairs)
        # Of keys that repeat, the first one counts.
        pairs += rng.sample(extras, rng.randint(0, 3))
    return pairs
