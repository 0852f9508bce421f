"""Plans that somebody proposes for an unbalanced cluster: the nodes of an instance change roles, or a neighbour of the
secondary node takes its place, in turn. Some of these moves are not allowed."""

import unbalanced


def _blocks(node_count):
    """The blocks of lines of the cluster that `unbalanced` makes: groups, nodes, instances, and others."""
    return [block.split("\n") for block in unbalanced.generate(node_count).split("\n\n")]


def generate(node_count, step_count):
    """Returns the plan, line by line, for the cluster that `unbalanced` makes."""
    blocks = _blocks(node_count)
    names = [line.split("|")[0] for line in blocks[1]]
    positions = {name: position for position, name in enumerate(names)}
    instances = [line.split("|") for line in blocks[2]]
    lines = []
    for fields in instances[::max(1, len(instances) // step_count)][:step_count]:
        instance, primary, secondary = fields[0], fields[6], fields[7]
        if len(lines) % 2:
            lines.append(f"{instance} {secondary}:{primary}\n")
        else:
            neighbours = (names[(positions[secondary] + shift) % len(names)] for shift in (1, 2))
            lines.append(f"{instance} {primary}:{next(name for name in neighbours if name != primary)}\n")
    return "".join(lines)


def generate_state(node_count, step_count):
    """Returns the cluster that `unbalanced` makes with its instances where the plan wants them. (What is free on its
    nodes is not brought up to date.)"""
    blocks = _blocks(node_count)
    wanted = dict(line.split(" ") for line in generate(node_count, step_count).splitlines())
    for position, line in enumerate(blocks[2]):
        fields = line.split("|")
        if fields[0] in wanted:
            fields[6:8] = wanted[fields[0]].split(":")
            blocks[2][position] = "|".join(fields)
    return "\n\n".join("\n".join(block) for block in blocks)
