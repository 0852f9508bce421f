"""Random clusters: a set of features becomes a file or simulation specs."""

import copy

import escape_nodes
import policies
from allocator_document import NETWORKS
from cluster_text import Cluster, Group, Node, join_sections
from damage import damage
from features import Dice, draw
from instances import InstanceMaker
from nodes import ESCAPED_STEMS, NodeMaker
from sizes import SIZES


def generate(rng, tool):
    """Return the cluster that the random generator's state stands for."""
    features = draw(rng, tool)
    if "simulated" in features:
        return _simulated(rng, features)
    dice = Dice(rng, features)
    cluster = _build(dice, SIZES[tool](dice))
    sections = cluster.sections()
    if dice.has("malformed"):
        damage(rng, sections)
    cluster.text = join_sections(sections)
    if rng.random() < 0.1:
        cluster.text = cluster.text[:-1]
    return cluster


def _simulated(rng, features):
    """A cluster that exists only as --simulate values."""
    cluster = Cluster(features, simulations=simulation_specs(rng))
    cluster.nodes = [Node(f"node-{g:02}-{n:03}", None) for g in (1, 2)
                     for n in (1, 2, 3)]
    return cluster


def simulation_specs(rng):
    """Values of --simulate, mostly right ones."""
    specs = []
    for _ in range(rng.choice((1, 1, 2, 3))):
        spec = [rng.choice(("p", "p", "preferred", "a", "last_resort", "u")),
                str(rng.choice((0, 1, 2, 3, 4, 5, 6))),
                rng.choice(("20g", "20480", "5GiB", "7G", "9000m", "4gib",
                            "6 GB", "1t", "12345")),
                rng.choice(("1g", "1024", "700", "2000M", "1500mib", "2G")),
                str(rng.choice((1, 2, 4, 7)))]
        if rng.random() < 0.4:
            spec.append(str(rng.choice((0, 1, 2, 5, 12))))
            if rng.random() < 0.5:
                spec.append(rng.choice(("True", "False")))
        if rng.random() < 0.03:
            at = rng.randrange(len(spec))
            spec[at] = rng.choice(("x", "", "1x", "-1"))
        if rng.random() < 0.02:
            spec = spec[:rng.randrange(5)]
        specs.append(",".join(spec))
    return specs


def _build(dice, sizes):
    """A cluster whose parts are made in a fixed order."""
    cluster = Cluster(dice.features)
    domain = ""
    if dice.has("domain"):
        domain = dice.rng.choice((".example.org", ".x", ".a.b"))
    base = policies.dedicated(dice.rng) if dice.has("dedicated") else \
        policies.policy(dice.rng, dice.features)
    used_groups = _groups(dice, cluster, base)
    maker = NodeMaker(dice, cluster, base, used_groups, domain)
    if not dice.has("no_nodes"):
        maker.make_all(sizes)
    if dice.has("one_escape") and not dice.has("dedicated"):
        escape_nodes.fill(dice.rng, cluster, domain)
    elif cluster.nodes and dice.has("instances"):
        count = sizes.instances(len(cluster.nodes))
        InstanceMaker(dice, cluster, base, domain).make_all(count)
    for node in cluster.nodes:
        maker.disturb(node)
    _cluster_tags(dice, cluster.tags)
    return cluster


def _groups(dice, cluster, base):
    """Make groups and policies; return the groups that may get nodes."""
    rng = dice.rng
    if dice.has("no_group_policy", 0.8):
        base.std.memory = max(base.std.memory, 128)
        base.std.disk = max(base.std.disk, 1024)
        if base.pairs:
            policies.admit(base, base.std)
    count = rng.choice((2, 2, 3)) if dice.has("several_groups") else 1
    for index in range(count + dice.has("empty_group")):
        group = Group(f"g{index}", f"uuid-{index}", policy=copy.deepcopy(base))
        if dice.has("allocation_policies", 1.0 if count > 1 else 0.3):
            group.alloc_policy = rng.choice(
                ("preferred", "preferred", "last_resort", "last_resort",
                 "unallocable"))
        if dice.has("group_policy_differs", 0.7):
            group.policy = policies.variant(rng, dice.features, base)
        if dice.has("no_group_policy", 0.6):
            group.policy = None
        elif dice.has("no_cluster_policy", 0.8) and group.policy.pairs:
            policies.admit(group.policy, policies.BUILTIN.std)
        if dice.has("networks"):
            group.networks = NETWORKS[rng.choice((0,) * 6 + (1,)):
                                      rng.choice((1, 2, 3))]
        if dice.has("escaped_names", 0.7):
            group.name = rng.choice(ESCAPED_STEMS) + group.name
            group.tags = rng.sample(ESCAPED_STEMS, rng.randint(0, 2))
        cluster.groups.append(group)
    _policy_section(dice, cluster, base)
    return cluster.groups[:count]


def _policy_section(dice, cluster, base):
    """Decide which policies the file will contain."""
    cluster.policy = None if dice.has("no_cluster_policy") else base
    if dice.has("no_policy_section"):
        cluster.policy_section = False
        cluster.policy = None
        for group in cluster.groups:
            group.policy = None
    elif dice.has("repeated_policy"):
        other = policies.variant(dice.rng, dice.features, base)
        owner = dice.rng.choice(["", cluster.groups[0].uuid])
        cluster.extra_policy_lines.append(other.text(owner))


def _cluster_tags(dice, tags):
    """Append the tags that give meaning to tags of nodes and instances."""
    rng = dice.rng
    if dice.has("location_tags", 0.8):
        tags += rng.sample(("htools:nlocation:rack",
                            "htools:nlocation:power"), rng.randint(1, 2))
    if dice.has("desired_location", 0.8):
        tags.append(rng.choice(("htools:desiredlocation:rack",
                                "htools:desiredlocation:power")))
    if dice.has("exclusion_tags", 0.8):
        tags += rng.sample(("htools:iextags:srv", "htools:iextags:db:",
                            "htools:iextags:db"), rng.randint(1, 2))
    if dice.has("migration_tags", 0.8):
        tags.append("htools:migration:hv")
        if rng.random() < 0.5:
            tags.append(rng.choice(("htools:allowmigration:hv:4::hv:5",
                                    "htools:allowmigration:hv:5::hv:6",
                                    "htools:allowmigration:a::b::c")))
    if dice.has("stray_tags", 0.5):
        tags.append(rng.choice(("some tag", "htools:iextags",
                                "htools:iextags:", "htools:nlocation:",
                                "htools:migration:", "a|b,c")))
    rng.shuffle(tags)
