"""A defect of the reference's capacity check that our program does not copy.

The reference checks an allocation into a named group with the new instance at
the index that equals the number of the group's instances, which may be the
index of one of these. That instance is then overlooked; ours takes an index of
its own. If the instances of the group come first in the document, and enough
others follow, the index is free, and the reference has to answer as ours does.
"""

import json_text
from json_text import Pairs


def collision_free(text):
    """The equivalent document without a collision; None if there is none."""
    document = json_text.read(text)
    request = document.get("request")
    elements = {"allocate": 1, "multi-allocate": len(
        request.get("instances") or [])}.get(request.get("type"), 0)
    group = _named_group(document, request)
    if not elements or group is None:
        return None
    instances = document.get("instances")
    nodes = dict(document.get("nodes"))  # of equal names the last one counts
    inside = [nodes[value.get("nodes")[0]].get("group") == group
              for _, value in instances]
    if not _may_collide(inside, elements):
        return None
    own = [pair for pair, here in zip(instances, inside) if here]
    others = [pair for pair, here in zip(instances, inside) if not here]
    elsewhere = others[0][1].get("nodes")[:1]
    # Every placed instance raises the index, which must stay below theirs.
    fillers = [(f"filler{i}", _filler(elsewhere)) for i in range(elements)]
    return json_text.write(Pairs(
        (key, Pairs(own + others + fillers) if key == "instances" else value)
        for key, value in document))


def _named_group(document, request):
    """The UUID of the group that the request names, or None."""
    name = request.get("group_name")
    uuids = [uuid for uuid, value in document.get("nodegroups")
             if name in (uuid, value.get("name"))]
    return uuids[0] if len(uuids) == 1 else None


def _may_collide(inside, elements):
    """True if one of so many placements can meet an index in use."""
    group_size, total = sum(inside), len(inside)
    for placed in range(elements):
        index = group_size + placed
        if index < total and inside[index]:
            return True
        if total <= index < total + placed:  # one placed before
            return True
    return False


def _filler(nodes):
    """An instance that takes nothing from its node."""
    return Pairs([("disk_space_total", 0), ("disks", []), ("memory", 0),
                  ("vcpus", 0), ("tags", []), ("disk_template", "diskless"),
                  ("spindle_use", 0), ("nics", []), ("nodes", nodes)])
