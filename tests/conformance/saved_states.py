"""What ours saves where the reference saves a state that does not add up.

The reference saves the free memory of a node as it was reported, whatever has come to the node or left it. Ours saves
what is free then. The policy of a group without a name looks like that of the cluster; ours has the UUID in its place.
All else is the same.
"""

USES_MEMORY = {b"ERROR_up", b"ERROR_nodedown", b"ERROR_nodeoffline", b"running", b"ERROR_wrongnode"}
# The states before anything came or went, by their extensions.
BEFORE = (".original", ".pre-ialloc")


def _blocks(text):
    return [block.split(b"\n") for block in text.split(b"\n\n")]


def _used_memory(text, counts):
    """The memory of instances on each node, in MiB; `counts(name)` selects them.

    An instance whose two nodes are the same one is in the books of neither.
    """
    used = {}
    blocks = _blocks(text)
    for line in blocks[2] if len(blocks) > 2 else []:
        fields = line.split(b"|")
        if len(fields) <= 12 or fields[6] == fields[7] or fields[12] == b"Y":
            continue
        if fields[4] in USES_MEMORY and counts(fields[0]):
            used[fields[6]] = used.get(fields[6], 0) + int(fields[1])
    return used


def _nodes_named(name, lines):
    gap = lines.index(b"") if b"" in lines else len(lines)
    return sum(line.startswith(name + b"|") for line in lines[gap:])


def _with_owners(text):
    """The state, in which the policy of a group without a name begins with its UUID."""
    lines = text.split(b"\n")
    groups = [line.split(b"|") for line in lines[:lines.index(b"")]] if b"" in lines else []
    first = len(lines) - 1 - len(groups)  # behind the policy of the cluster; the last line is empty
    for place, group in enumerate(groups, first):
        if group[0] == b"" and len(group) > 1 and lines[place].startswith(b"|"):
            lines[place] = group[1] + lines[place]
    return b"\n".join(lines)


def as_ours(name, files, ours):
    """The file of the reference, with the free memory that ours saves.

    Where several nodes have one name, be it only before the others were left
    out, nobody can tell which of them an instance is on; their free memory is
    taken from `ours`.
    """
    text = _with_owners(files[name])
    if name.endswith(BEFORE):
        return text
    before = [other for other in files if other.endswith(BEFORE)]
    if before:
        used_before = _used_memory(files[before[0]], lambda instance: True)
    elif name.endswith((".standard", ".tiered")):
        used_before = _used_memory(text, lambda instance: not instance.startswith(b"new-"))
    else:
        return text
    used = _used_memory(text, lambda instance: True)
    everywhere = [files[other].split(b"\n") for other in (name, *before)]
    lines, our_lines = text.split(b"\n"), ours.split(b"\n")
    gap = lines.index(b"") if b"" in lines else len(lines)
    for place in range(gap + 1, len(lines)):
        if not lines[place]:
            break
        fields = lines[place].split(b"|")
        if len(fields) < 4:
            continue
        has_double = any(_nodes_named(fields[0], state) > 1 for state in everywhere)
        if has_double and place < len(our_lines):
            fields[3] = (our_lines[place].split(b"|") + [b""] * 4)[3]
            lines[place] = b"|".join(fields)
            continue
        fields[3] = b"%d" % (int(fields[3]) + used_before.get(fields[0], 0) - used.get(fields[0], 0))
        lines[place] = b"|".join(fields)
    return b"\n".join(lines)
