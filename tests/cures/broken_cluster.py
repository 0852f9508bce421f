"""Random clusters in which much is wrong: dead nodes, full nodes, rules of tags and policies that instances break."""

NODE_NAMES = "ant bee cat dog elk fox gnu hen".split()
INSTANCE_NAMES = "ash box elm fig fir gum hop ivy kale lime mint nut oak pea pine rye sage teff vine yew".split()
TEMPLATES = ("drbd", "drbd", "drbd", "plain", "rbd")
MEMORY_MIB = 8192
DISK_MIB = 102400


def _nodes(rng):
    """Names of nodes, without digits, so that amounts in sentences can be told from names."""
    return NODE_NAMES[:rng.randint(3, len(NODE_NAMES))]


def _instances(rng, nodes):
    """Lines of instances. They fill some nodes more than others, so that losses find no place."""
    lines, used = [], {node: [0, 0] for node in nodes}
    for name in INSTANCE_NAMES[:rng.randint(3, len(INSTANCE_NAMES))]:
        template = rng.choice(TEMPLATES)
        primary = rng.choice(nodes[:rng.randint(1, len(nodes))])
        secondary = rng.choice([n for n in nodes if n != primary]) if template == "drbd" else ""
        memory, disk = rng.choice((512, 1024, 2048)), rng.choice((1024, 4096, 10240))
        if used[primary][0] + memory > MEMORY_MIB - 512:
            continue
        used[primary][0] += memory
        for node in filter(None, (primary, secondary)):
            used[node][1] += disk if template in ("drbd", "plain") else 0
        tags = rng.choice(("", "", "role:db", "role:web", "near:east"))
        auto_balance = rng.choice("YYYN")
        lines.append(f"{name}|{memory}|{disk}|{rng.choice((1, 1, 2, 4))}|running|{auto_balance}|{primary}|{secondary}|{template}|"
                     f"{tags}")
    return lines, used


def _policy(rng):
    """The line of a policy of the group, which some of the instances break, or none."""
    if rng.random() < 0.5:
        return ""
    memory, disk, vcpus = rng.choice((1024, 4096)), rng.choice((4096, 102400)), rng.choice((2, 8))
    smallest = rng.choice((128, 1024))
    templates = rng.choice(("drbd,plain,rbd", "drbd,rbd", "drbd"))
    ratio = rng.choice(("0.5", "1.0", "4.0"))
    return (f"g|{smallest},1,1024,1,1,1|{smallest},1,1024,1,1,1;{memory},{vcpus},{disk},1,8,12|{templates}|{ratio}|"
            f"{rng.choice(('1.0', '32.0'))}")


def _cluster_tags(rng):
    declared = (("htools:iextags:role", 0.7), ("htools:nlocation:power", 0.5), ("htools:desiredlocation:near", 0.3),
                ("htools:migration:hv", 0.3))
    return [tag for tag, probability in declared if rng.random() < probability]


def broken_cluster(rng):
    """Returns the text of a cluster."""
    names = _nodes(rng)
    instances, used = _instances(rng, names)
    offline = set(rng.sample(names, rng.choice((0, 0, 1, 1, 2)))) if len(names) > 3 else set()
    lines = []
    for name in names:
        memory, disk = used[name]
        tags = [f"power:{rng.choice('ab')}", f"near:{rng.choice(('east', 'west'))}", f"hv:{rng.choice(('old', 'new'))}"]
        unknown = rng.choice((0, 0, 0, 0, 512))
        lines.append(f"{name}|{MEMORY_MIB}|0|{MEMORY_MIB - memory - unknown}|{DISK_MIB}|{max(0, DISK_MIB - disk)}|"
                     f"{rng.choice((2, 4))}|{'Y' if name in offline else 'N'}|u|{rng.choice((1, 8))}|{','.join(tags)}")
    sections = [["g|u|preferred||"], lines, instances, _cluster_tags(rng), [_policy(rng)]]
    return "\n\n".join("\n".join(section) for section in sections).rstrip("\n") + "\n"
