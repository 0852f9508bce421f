"""A random cluster as the cluster part of an iallocator document.

Everything that belongs to the JSON form alone is drawn here: disks, NICs,
optional keys and the spelling of numbers.
"""

from json_text import Literal, Pairs

NETWORKS = ("net-a", "net-b", "net-c")

_STATES = {"ADMIN_down": "down", "ERROR_down": "down", "USER_down": "down",
           "ADMIN_offline": "offline"}
_MODES = ("bridged", "routed", "openvswitch", None)
_HYPERVISORS = ("xen-pvm", "xen-hvm", "fake", "lxc", "chroot")
# Values of optional keys that count as if the key were absent.
_NO_STATE = (None, "up", "ERROR_up", 1, True, [])
_NOT_FORTHCOMING = (None, False, "yes", 1)


def cluster_part(dice, cluster):
    """All keys of the document but the request."""
    rng = dice.rng
    hypervisors = rng.sample(_HYPERVISORS, rng.choice((0, 1, 1, 2)))
    if dice.has("kvm"):
        hypervisors.insert(rng.choice((0, 0, 0, len(hypervisors))), "kvm")
    return Pairs([
        ("version", 2),
        ("cluster_name", "cluster.example.org"),
        ("cluster_tags", cluster.tags),
        ("enabled_hypervisors", hypervisors),
        ("nodegroups", Pairs((g.uuid, _group(g)) for g in cluster.groups)),
        ("nodes", Pairs((n.name, _node(dice, n)) for n in cluster.nodes)),
        ("instances", Pairs((i.name, _existing(dice, i))
                            for i in cluster.instances)),
    ])


def _group(group):
    return Pairs([
        ("name", group.name),
        ("alloc_policy", group.alloc_policy),
        ("networks", list(group.networks)),
        ("ipolicy", policy_object(group.policy)),
        ("tags", group.tags),
    ])


def policy_object(policy):
    return Pairs([
        ("minmax", [Pairs([("min", _spec(low)), ("max", _spec(high))])
                    for low, high in zip(policy.pairs[::2],
                                         policy.pairs[1::2])]),
        ("std", _spec(policy.std)),
        ("disk-templates", policy.templates),
        ("vcpu-ratio", policy.vcpu_ratio),
        ("spindle-ratio", policy.spindle_ratio),
    ])


def _spec(spec):
    return Pairs([
        ("memory-size", spec.memory),
        ("cpu-count", spec.cpus),
        ("disk-size", spec.disk),
        ("disk-count", spec.disk_count),
        ("nic-count", spec.nics),
        ("spindle-use", spec.spindle_use),
    ])


def _node(dice, node):
    live = node.role != "Y" and node.vm_capable
    result = Pairs([
        ("group", node.group.uuid),
        ("offline", node.role == "Y"),
        ("drained", node.drained),
        ("ndparams", Pairs([("spindle_count", node.spindles),
                            ("exclusive_storage", node.exclusive)])),
    ])
    if not node.vm_capable:
        result.append(("vm_capable", False))
    elif dice.has("optional_values", 0.5):
        result.append(("vm_capable", dice.rng.choice((None, True))))
    # Text files, to which documents are compared (double_merge), have no empty
    # tags.
    tags = [tag for tag in node.tags if tag]
    if tags or not dice.has("optional_values", 0.5):
        result.append(("tags", tags))
    elif dice.rng.random() < 0.5:
        result.append(("tags", None))
    if live or dice.rng.random() < 0.3:
        result += _resources(dice, node)
    elif dice.rng.random() < 0.5:
        result.append(("total_memory", None))
    return result


def _resources(dice, node):
    return Pairs([
        ("total_memory", node.total_memory),
        ("reserved_memory", integer(dice, node.node_memory)),
        ("free_memory", integer(dice, node.free_memory)),
        ("total_disk", node.total_disk),
        ("free_disk", integer(dice, node.free_disk)),
        ("total_cpus", node.cpus),
        ("reserved_cpus", integer(dice, node.node_cpus)),
        ("total_spindles", integer(dice, node.spindles)),
        ("free_spindles", integer(dice, node.free_spindles)),
    ])


def _existing(dice, instance):
    nodes = [instance.primary.name]
    if instance.secondary:
        nodes.append(instance.secondary.name)
    return instance_object(dice, instance, instance.primary.group.policy) + [
        ("nodes", nodes)]


def instance_object(dice, instance, policy):
    """What an existing instance and one to be placed have in common.

    Disks follow the policy, if the size does; else they are drawn at random.
    """
    rng = dice.rng
    result = Pairs([
        ("memory", integer(dice, instance.memory)),
        ("vcpus", integer(dice, instance.cpus)),
        ("disk_space_total", integer(dice, instance.disk)),
        ("disks", disks(dice, instance, policy)),
        ("disk_template", instance.template),
        ("spindle_use", integer(dice, instance.spindle_use)),
        ("tags", instance.tags),
        ("nics", _nics(dice)),
    ])
    if instance.status in _STATES:
        result.append(("admin_state", _STATES[instance.status]))
    elif rng.random() < 0.3:
        result.append(("admin_state", rng.choice(_NO_STATE)))
    if instance.forthcoming:
        result.append(("forthcoming", True))
    elif dice.has("optional_values", 0.3):
        result.append(("forthcoming", rng.choice(_NOT_FORTHCOMING)))
    return result


def disks(dice, instance, policy):
    """One disk or several; sometimes with room for metadata beside them."""
    rng = dice.rng
    count = 1
    if dice.has("disk_count", 0.8) or rng.random() < 0.3:
        count = rng.choice((1, 2, 2, 3))
    size = instance.disk // count
    if instance.template == "drbd" and rng.random() < 0.1:
        size = max(0, size - 128)
    if policy.pairs and rng.random() < 0.9 and (
            size < policy.pairs[0].disk
            or count > policy.pairs[1].disk_count):
        count, size = 1, instance.disk
    if instance.template == "diskless" and rng.random() < 0.7:
        count = 0
    result = [Pairs([("size", size)]) for _ in range(count)]
    for index, disk in enumerate(result):
        if instance.spindles == "-":
            if dice.has("optional_values", 0.3):
                disk.append(("spindles", None))
        else:
            share, rest = divmod(int(instance.spindles), count)
            disk.append(("spindles", share + (rest if index == 0 else 0)))
        if dice.has("optional_values", 0.2):
            disk.append(("mode", "rw"))
    return result


def _nics(dice):
    rng = dice.rng
    nics = []
    for _ in range(rng.choice((0, 0, 1, 1, 1, 2))):
        nic = Pairs()
        if dice.has("networks", 0.6):
            nic.append(("network", rng.choice(
                NETWORKS[:1] * 12 + NETWORKS[1:])))
        elif rng.random() < 0.3:
            nic.append(("network", None))
        if dice.has("optional_values", 0.5):
            nic += [("mac", rng.choice((None, "aa:00:00:00:00:01"))),
                    ("ip", rng.choice((None, "192.0.2.1"))),
                    ("mode", rng.choice(_MODES)),
                    ("bridge", rng.choice((None, "xen-br0"))),
                    ("name", "eth0")]
        nics.append(nic)
    return nics


def integer(dice, value):
    """An integer, sometimes in a spelling that has to be rounded."""
    if isinstance(value, int) and value > 0 and dice.has(
            "rounded_numbers", 0.1):
        return Literal(dice.rng.choice((
            f"{value}.5", f"{value}.25", f"{value - 1}.75", f"{value}.0",
            f"{value}e0", f"{value}0E-1")))
    return value
